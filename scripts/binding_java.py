# SPDX-License-Identifier: MIT
"""The typed requests and results of the binding for Java."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from binding_texts import HEAD, about_of, is_optional, is_time, text_of
from document_table import ROOT, Document, Documents, Member, all_members

WIDTH = 115
# A prototype: its result, its name and its parameters.
PROTOTYPE = re.compile(r"^TESSERA_API (?:TESSERA_WARN_UNUSED\s)?(\w+ \*?)(tessera_\w+)\(([^)]*)\);", re.MULTILINE)
# Functions of callbacks that the binding does not have, of another platform, and for programs without JSON.
UNBOUND = (
    "tessera_browser", "tessera_contents", "tessera_document", "tessera_sso", "tessera_string_quote",
    "tessera_version", "tessera_application_store", "tessera_application_get_access_token",
)  # fmt: skip
NUMBERS = {
    "void": "void", "int": "int", "int32_t": "int", "tessera_status": "int", "int64_t": "long", "size_t": "long",
}  # fmt: skip


def generated(documents: Documents, bound: list[Document], codes: list[str], folder: Path) -> dict[Path, str]:
    """Generates a class for each request and result."""
    files = {"ErrorCodes": list(_codes(codes))}
    secrets: set[str] = set()
    for document in bound:
        if document.name == "InteractiveRequest":
            # The calls of a group have its members and another one.
            continue
        members = all_members(documents, document.name)
        secrets |= {each.name for each in members if each.secret or each.type == "key"}
        make = _java_result if document.kind == "result" else _java_request
        files[java_type(document.name)] = list(make(document, members))
    files["SecretMembers"] = list(_secrets(sorted(secrets)))
    files["Functions"] = list(_functions((ROOT / "include/tessera.h").read_text()))
    return {folder / f"{name}.java": _file(lines) for name, lines in files.items()}


def _file(lines: list[str]) -> str:
    """Returns a source file with the imports that its lines need."""
    imports = {
        "Duration": "java.time.Duration", "Instant": "java.time.Instant",
        "List": "java.util.List", "Map": "java.util.Map", "Optional": "java.util.Optional",
        "OptionalLong": "java.util.OptionalLong", "Set": "java.util.Set",
    }  # fmt: skip
    code = "\n".join(line for line in lines if not line.lstrip().startswith(("*", "/**")))
    used = [f"import {path};" for name, path in imports.items() if re.search(rf"\b{name}\b", code)]
    origin = HEAD
    if "static native" in code:
        origin = HEAD.replace("docs/documents.toml and docs/errors.toml", "include/tessera.h")
    head = ["// SPDX-License-Identifier: MIT", f"// {origin}", "package tessera;", ""]
    return "\n".join([*head, *sorted(used), *([""] if used else []), *lines]) + "\n"


def java_name(name: str) -> str:
    """Returns the name of a member in Java."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def java_type(name: str) -> str:
    """Returns the name of the class of a document."""
    return {"Error": "ErrorDetails", "InteractiveCallRequest": "InteractiveRequest"}.get(name, name)


def _comment(text: str, indent: str = "") -> Iterator[str]:
    text = re.sub(r"[&<>@]", lambda found: f"&#{ord(found[0])};", text)
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", text)
    line = f"{indent}/** {text} */"
    if len(line) <= WIDTH:
        yield line
        return
    start = f"{indent} * "
    yield f"{indent}/**"
    yield from textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=start)
    yield f"{indent} */"


def _codes(codes: list[str]) -> Iterator[str]:
    yield "/** The error codes; docs/errors.md describes them. Later versions add codes. */"
    yield "public final class ErrorCodes {"
    for code in codes:
        yield f"  /** The code {{@code {code}}}. */"
        yield f'  public static final String {code.upper()} = "{code}";'
        yield ""
    yield "  private ErrorCodes() {}"
    yield "}"


def _functions(header: str) -> Iterator[str]:
    """Yields the native methods for the prototypes of the header."""
    yield "/** The functions of the C interface. Addresses are numbers; arrays of one element receive values. */"
    yield "final class Functions {"
    yield "  private Functions() {}"
    for result, name, parameters in PROTOTYPE.findall(header.replace("TESSERA_NULLABLE ", "")):
        # Blocking forms with a prompt callback: the calls of a group return prompts as events.
        if not name.startswith(UNBOUND) and "_callback" not in parameters:
            given = [_parameter(each.strip()) for each in parameters.split(",") if each.strip() != "void"]
            kind = "long" if result.endswith("*") else NUMBERS[result.strip()]
            head, tail = f"  static native {kind} {name}(", f"{', '.join(given)});"
            yield ""
            yield from [head + tail] if len(head + tail) <= WIDTH else [head, f"      {tail}"]
    yield "}"


def _parameter(text: str) -> str:
    """Returns a parameter in Java. Texts and data are arrays; other constants and objects are addresses."""
    kind, name = re.fullmatch(r"(.*?)(\w+)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    words = kind.replace("const ", "").split()
    if kind.startswith("const ") and words[0] in ("char", "void"):
        return f"byte[] {java_name(name)}"
    if words[-1] == "**" or words == ["int64_t", "*"]:
        return f"long[] {java_name(name)}"
    return f"{'long' if words[-1] == '*' else NUMBERS[words[0]]} {java_name(name)}"


def _secrets(names: list[str]) -> Iterator[str]:
    yield "/** The names of the members that are not printed. */"
    yield "final class SecretMembers {"
    yield "  static final Set<String> NAMES ="
    yield "      Set.of("
    quoted = ", ".join(f'"{name}"' for name in names)
    yield from textwrap.wrap(f"{quoted});", WIDTH, initial_indent=" " * 10, subsequent_indent=" " * 10)
    yield ""
    yield "  private SecretMembers() {}"
    yield "}"


def _element(member: Member) -> str:
    """Returns the type of one value of a member."""
    if is_time(member):
        return "Instant"
    if member.unit or member.name == "retry_after":
        return "Duration"
    if member.document:
        return java_type(member.document)
    return {
        "string": "String", "key": "String", "hexadecimal": "String", "boolean": "boolean", "integer": "long",
        "object": "Map<String, Object>", "any": "Object",
    }[member.element.removesuffix("s")]  # fmt: skip


def _type(member: Member) -> str:
    """Returns the type of a member."""
    element = _element(member).replace("boolean", "Boolean")
    if member.type.startswith("array of"):
        return f"List<{element.replace('long', 'Long')}>"
    if member.type.startswith("object of"):
        return f"Map<String, {element.replace('long', 'Long')}>"
    return _element(member)


def _own_name(member: Member) -> str:
    return java_name(member.name.removesuffix(f"_{member.unit}") if member.unit else member.name)


def _reader(member: Member, is_absent: bool) -> tuple[str, str]:
    """Returns the type of an accessor and the expression that it returns."""
    kind, quoted = _type(member), f'"{member.name}"'
    if kind.startswith("List<"):
        made = f", {_element(member)}::new" if member.document else ""
        return kind, f"list({quoted}{made})"
    if kind.startswith("Map<"):
        return kind, f"map({quoted})"
    if kind == "boolean":
        return kind, f"flag({quoted})"
    if kind == "Object":
        return "Optional<Object>", f"findAny({quoted})"
    if kind == "Duration":
        unit = "Milliseconds" if member.unit == "milliseconds" else "Seconds"
        return "Optional<Duration>", f"find{unit}({quoted})"
    if kind == "long":
        return ("OptionalLong", f"findNumber({quoted})") if is_absent else (kind, f"number({quoted})")
    name, made = {"String": ("string", ""), "Instant": ("time", "")}.get(kind, ("document", f", {kind}::new"))
    if is_absent:
        return f"Optional<{kind}>", f"find{name.capitalize()}({quoted}{made})"
    return kind, f"{name}({quoted}{made})"


def _accessor(member: Member, is_absent: bool) -> Iterator[str]:
    kind, value = _reader(member, is_absent)
    yield ""
    yield from _comment(text_of(member), "  ")
    yield f"  public {kind} {_own_name(member)}() {{"
    yield f"    return {value};"
    yield "  }"


def _java_result(document: Document, members: list[Member]) -> Iterator[str]:
    """Yields the lines of a result."""
    name = java_type(document.name)
    yield from _comment(f"{about_of(document)}.")
    yield f"public final class {name} extends Document {{"
    yield f"  {name}(Map<String, Object> members) {{"
    yield "    super(members);"
    yield "  }"
    yield ""
    yield "  /** Parses a JSON object, such as one that a test has written. */"
    yield f"  public static {name} fromJson(String text) {{"
    yield f"    return new {name}(Json.parse(text));"
    yield "  }"
    for member in members:
        yield from _accessor(member, is_optional(member))
    yield "}"


def _java_request(document: Document, members: list[Member]) -> Iterator[str]:
    """Yields the lines of a request and of its builder."""
    name = java_type(document.name)
    required = [each for each in members if each.required is True]
    yield from _comment(f"{about_of(document)}.")
    yield f"public final class {name} extends Document {{"
    yield f"  {name}(Map<String, Object> members) {{"
    yield "    super(members);"
    yield "  }"
    yield ""
    yield f"  /** Returns a builder{' with the required members' if required else ''}. */"
    given = ", ".join(f"{_type(each)} {_own_name(each)}" for each in required)
    calls = "".join(f".{_own_name(each)}({_own_name(each)})" for each in required)
    yield f"  public static Builder builder({given}) {{"
    yield f"    return new Builder(Map.of()){calls};"
    yield "  }"
    yield ""
    yield "  /** Returns a builder with the members of this object. */"
    yield "  public Builder toBuilder() {"
    yield "    return new Builder(members());"
    yield "  }"
    for member in members:
        yield from _accessor(member, member.required is not True)
    yield ""
    yield f"  /** Builds an object of type {name}. A member that is set to null is left out. */"
    yield "  public static final class Builder extends DocumentBuilder {"
    yield "    private Builder(Map<String, Object> members) {"
    yield "      super(members);"
    yield "    }"
    for member in members:
        yield from _setter(member)
    yield ""
    yield "    /** Returns the object. */"
    yield f"    public {name} build() {{"
    yield f"      return new {name}(copy());"
    yield "    }"
    yield "  }"
    yield "}"


def _setter(member: Member) -> Iterator[str]:
    kind, own = _type(member), _own_name(member)
    value = "value"
    if kind == "Duration":
        value = f"value == null ? null : value.to{'Millis' if member.unit == 'milliseconds' else 'Seconds'}()"
    elif kind == "Instant":
        value = "value == null ? null : value.getEpochSecond()"
    yield ""
    yield from _comment(text_of(member), "    ")
    yield f"    public Builder {own}({kind} value) {{"
    yield f'      put("{member.name}", {value});'
    yield "      return this;"
    yield "    }"
    if kind == "List<String>":
        yield ""
        yield from _comment(text_of(member), "    ")
        yield f"    public Builder {own}(String... values) {{"
        yield f"      return {own}(List.of(values));"
        yield "    }"
