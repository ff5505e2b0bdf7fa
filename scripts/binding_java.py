# SPDX-License-Identifier: MIT
"""The typed requests and results of the binding for Java."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import binding_functions
from binding_functions import Function, Method
from binding_texts import HEAD, about_of, is_optional, is_time, text_of
from document_table import Document, Documents, Member, all_members

WIDTH = 115
NUMBERS = {
    "void": "void", "int": "int", "int32_t": "int", "tessera_status": "int", "int64_t": "long", "size_t": "long",
    "Pointer": "Pointer",
}  # fmt: skip
# The exception for each remedy, and its documentation.
REMEDIES = {
    "sign_in": ("SignInRequired", "The user must sign in: start an interactive flow, and pass on the claims"),
    "retry_later": ("RetryLater", "The network, the server or the store is unavailable: try again later"),
    "fix_request": ("InvalidRequest", "The request is invalid: correct it as the message describes"),
    "fix_configuration": (
        "Configuration", "The configuration or the registration of the application must be corrected"
    ),
    "fix_storage": ("Storage", "The token store cannot be used: repair it, or choose another one"),
    "cancelled": ("Cancelled", "The user or the application cancelled the call, or it timed out"),
    "report_bug": ("Internal", "An internal error: report it, including the message"),
}  # fmt: skip
# The members of the error that an exception has too.
ACCESSORS = {
    "SignInRequired": ("claims", "Returns the claims for the request of the sign-in"),
    "RetryLater": ("retry_after", "Returns the time after which to try again, if the server sent one"),
}
# The interfaces of functions with the parameters of these.
INTERFACES = {
    "RequestFunction": "tessera_application_sign_out",
    "DataFunction": "tessera_application_migrate",
    "StartFunction": "tessera_call_group_begin_sign_in",
}


def generated(
    documents: Documents, bound: list[Document], codes: list[str], header: str, folder: Path
) -> dict[Path, str]:
    """Generates a class for each request, result and remedy, and those of the functions."""
    functions = binding_functions.read(header)
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
    files["Functions"] = list(_functions(functions, binding_functions.callbacks(header)))
    files["ApplicationMethods"] = list(_methods(binding_functions.methods(documents, functions)))
    for name, about in REMEDIES.values():
        files[f"{name}Exception"] = list(_exception(name, about, documents["Error"].members))
    files["Remedies"] = list(_remedies())
    return {folder / f"{name}.java": _file(lines) for name, lines in files.items()}


def _file(lines: list[str]) -> str:
    """Returns a source file with the imports that its lines need."""
    imports = {
        "Callback": "com.sun.jna.Callback", "Pointer": "com.sun.jna.Pointer",
        "CompletableFuture": "java.util.concurrent.CompletableFuture", "Executor": "java.util.concurrent.Executor",
        "Duration": "java.time.Duration", "Function": "java.util.function.Function",
        "Instant": "java.time.Instant", "List": "java.util.List", "Map": "java.util.Map",
        "Optional": "java.util.Optional", "OptionalLong": "java.util.OptionalLong", "Set": "java.util.Set",
    }  # fmt: skip
    code = "\n".join(line for line in lines if not line.lstrip().startswith(("*", "/**")))
    used = [f"import {path};" for name, path in imports.items() if re.search(rf"\b{name}\b", code)]
    origin = HEAD
    if "interface StartFunction" in code:
        origin = HEAD.replace("docs/documents.toml and docs/errors.toml", "include/tessera.h")
    elif "Functions::" in code:
        origin = HEAD.replace("docs/errors.toml", "include/tessera.h")
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


def _functions(functions: list[Function], callbacks: list[Function]) -> Iterator[str]:
    """Yields the native methods for the functions of the header."""
    yield "/** The functions of the C interface. Addresses are numbers; arrays of one element receive values. */"
    yield "final class Functions {"
    yield "  private Functions() {}"
    for name, model in INTERFACES.items():
        parameters = next(each for each in functions if each.name == model).parameters
        yield ""
        yield f"  /** A function with the parameters of {{@code {model}}}. */"
        yield f"  interface {name} {{"
        yield from _native("    int call", parameters)
        yield "  }"
    for each in callbacks:
        parameters = [re.sub(r"(?:const char|uint8_t) \*", "Pointer ", text) for text in each.parameters]
        yield ""
        yield f"  /** The callback {{@code {each.name}}} of a host, for JNA. */"
        yield f"  interface {java_name('_' + each.name)}Callback extends Callback {{"
        yield from _native(f"    {NUMBERS[each.result]} invoke", parameters)
        yield "  }"
    for each in functions:
        kind = "long" if each.result.endswith("*") else NUMBERS[each.result.strip()]
        yield ""
        yield from _native(f"  static native {kind} {each.name}", each.parameters)
    yield "}"


def _native(head: str, parameters: list[str]) -> Iterator[str]:
    tail = f"{', '.join(map(_parameter, parameters))});"
    indent = " " * (len(head) - len(head.lstrip()) + 4)
    yield from [f"{head}({tail}"] if len(head + tail) < WIDTH else [f"{head}(", f"{indent}{tail}"]


def _methods(methods: list[Method]) -> Iterator[str]:
    """Yields the class of the methods that only pass on a request."""
    yield "/** The methods of an application that only pass on a request. */"
    yield "abstract class ApplicationMethods {"
    yield "  ApplicationMethods() {}"
    kinds = "Document request, {}Function<Map<String, Object>, R> make"
    yield ""
    yield f"  abstract <R> R perform(Functions.RequestFunction function, {kinds.format('')});"
    yield ""
    yield "  abstract <R> R perform("
    yield f"      Functions.DataFunction function, {kinds.format('byte[] data, ')});"
    yield ""
    yield "  abstract <R> CompletableFuture<R> start("
    yield f"      Functions.StartFunction function, {kinds.format('')}, Executor executor);"
    yield ""
    yield "  abstract Executor executor();"
    for each in methods:
        # A copy locks two applications.
        if each.form != "from":
            yield from _started(each) if each.form == "start" else _method(each)
    yield "}"


def _method(method: Method) -> Iterator[str]:
    name = java_name(method.function.action)
    data, given = (", byte[] data", ", data") if method.form == "data" else ("", "")
    yield ""
    yield from _comment(method.effect, "  ")
    yield f"  public {method.result} {name}({method.request} request{data}) {{"
    yield f"    return perform(Functions::{method.function.name}, request{given}, {method.result}::new);"
    yield "  }"
    if method.function.is_request_optional and not data:
        yield ""
        yield from _comment(method.effect, "  ")
        yield f"  public {method.result} {name}() {{"
        yield f"    return {name}({method.request}.builder().build());"
        yield "  }"


def _started(method: Method) -> Iterator[str]:
    """Yields a method that waits for its result, and one that returns a future."""
    name = java_name(method.function.action)
    call = f"start(Functions::{method.function.name}, request, {method.result}::new, "
    yield ""
    yield from _comment(method.effect, "  ")
    yield f"  public {method.result} {name}({method.request} request) {{"
    yield f"    return Calls.await(\n        executor -> {call}executor));"
    yield "  }"
    yield ""
    yield f"  /** Starts {{@link #{name}}}. */"
    yield f"  public CompletableFuture<{method.result}> {name}Async({method.request} request) {{"
    yield f"    return {call}executor());"
    yield "  }"


def _exception(name: str, about: str, members: list[Member]) -> Iterator[str]:
    yield from _comment(f"{about}.")
    yield f"public final class {name}Exception extends TesseraException {{"
    yield "  private static final long serialVersionUID = 1;"
    yield ""
    yield f"  {name}Exception(ErrorDetails details) {{"
    yield "    super(details);"
    yield "  }"
    accessor, text = ACCESSORS.get(name, ("", ""))
    for member in (each for each in members if each.name == accessor):
        yield ""
        yield from _comment(f"{text}.", "  ")
        yield f"  public {_reader(member, True)[0]} {_own_name(member)}() {{"
        yield f"    return details().{_own_name(member)}();"
        yield "  }"
    yield "}"


def _remedies() -> Iterator[str]:
    yield "/** The remedies, by status of the C interface. */"
    yield "final class Remedies {"
    yield "  static final List<String> NAMES ="
    yield "      List.of("
    quoted = ", ".join(f'"{name}"' for name in ("ok", *REMEDIES))
    yield from textwrap.wrap(f"{quoted});", WIDTH, initial_indent=" " * 10, subsequent_indent=" " * 10)
    yield ""
    yield "  private Remedies() {}"
    yield ""
    yield "  /** Returns the exception for a status. An unknown status is an internal error. */"
    yield "  static TesseraException exception(int status, ErrorDetails details) {"
    yield "    switch (status) {"
    *most, (last, _) = REMEDIES.values()
    for status, (name, _) in enumerate(most, 1):
        yield f"      case {status}:"
        yield f"        return new {name}Exception(details);"
    yield "      default:"
    yield f"        return new {last}Exception(details);"
    yield "    }"
    yield "  }"
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
    if kind.startswith(("List<", "Map<")):
        made = f", {_element(member)}::new" if member.document else ""
        return kind, f"{kind.partition('<')[0].lower()}({quoted}{made})"
    unit = "Millis" if member.unit == "milliseconds" else "Seconds"
    always = {
        "Object": ("Optional<Object>", f"find({quoted}, Object.class)"),
        "Duration": ("Optional<Duration>", f"find({quoted}, Long.class).map(Duration::of{unit})"),
        "boolean": (kind, f"find({quoted}, Boolean.class).orElse(false)"),
    }
    if kind in always:
        return always[kind]
    if kind == "long":
        found = f"findNumber({quoted})"
        return ("OptionalLong", found) if is_absent else (kind, f"{found}.orElse(0)")
    found, default = {
        "String": (f"find({quoted}, String.class)", '""'),
        "Instant": (f"find({quoted}, Long.class).map(Instant::ofEpochSecond)", "Instant.EPOCH"),
    }.get(kind, (f"findDocument({quoted}, {kind}::new)", f"new {kind}(Map.of())"))
    return (f"Optional<{kind}>", found) if is_absent else (kind, f"{found}.orElse({default})")


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
