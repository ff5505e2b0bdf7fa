# SPDX-License-Identifier: MIT
"""The documents of the C interface, docs/documents.toml: parses them, and generates types and tables."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import tomllib

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs/documents.toml"
READERS = ROOT / "Sources/TesseraC/Requests/RequestMembers.swift"
OPTIONS = ROOT / "bindings/python/src/tessera_identity/_options.py"
PAGES = [ROOT / "docs" / name for name in ("c-interface.md", "brokers.md", "explain.md")]
SIMPLE = ("string", "boolean", "integer", "object", "any", "key", "hexadecimal")
# Parts of names that Swift writes in capitals.
INITIALS = {
    name.lower(): name
    for name in (
        "ID", "IDs", "URI", "URL", "SSO", "SKU", "SDK", "MAM", "STS", "UI", "HTTP", "OIDC", "PII", "PEM", "SHA256",
    )  # fmt: skip
}
# The traits of the package for the features that a build can leave out.
TRAITS = {
    "apple": "TesseraApple",
    "broker": "TesseraBroker",
    "legacy": "TesseraLegacy",
    "msal_file": "TesseraMSALFile",
    "services": "TesseraServices",
}
HEAD = "Generated from docs/documents.toml by scripts/check-documents --write."


@dataclass(frozen=True)
class Member:
    """A member of a document."""

    name: str
    type: str
    meaning: str
    values: list[str] = field(default_factory=list)
    reserved: list[str] = field(default_factory=list)
    formerly: str = ""
    enum: str = ""
    nullable: bool = False
    at_most: int | None = None
    minimum: int | None = None
    maximum: int | None = None
    required: bool | str = False
    default: str = ""
    present: str = ""
    sent_as: str = ""
    secret: bool = False
    since: str = "0.1"

    @property
    def element(self) -> str:
        """The type of the elements of an array or object, or else the type."""
        return self.type.rpartition(" of ")[2]

    @property
    def document(self) -> str:
        """The nested document; empty if there is none."""
        return self.element if self.element[0].isupper() else ""

    @property
    def unit(self) -> str:
        """The unit of a duration; empty if the member is none."""
        unit = self.name.rpartition("_")[2]
        return unit if self.type == "integer" and unit in ("milliseconds", "seconds") else ""

    @property
    def swift_name(self) -> str:
        """The name of the Swift property."""
        first, *rest = self.name.removesuffix(f"_{self.unit}").split("_")
        return first + "".join(INITIALS.get(word, word.capitalize()) for word in rest)


@dataclass(frozen=True)
class Document:
    """A document, or a part of several ones."""

    name: str
    kind: str
    members: list[Member]
    about: str = ""
    section: str = ""
    heading: str = "member"
    functions: list[str] = field(default_factory=list)
    operations: list[str] = field(default_factory=list)
    includes: list[str] = field(default_factory=list)
    reserved: list[str] = field(default_factory=list)
    enum: str = ""
    feature: str = ""
    effect: str = ""

    @property
    def width(self) -> int:
        """The maximum length of a generated line, before it is indented."""
        return 98 if self.feature else 100


Documents = dict[str, Document]


def read(text: str) -> Documents:
    """Parses the description."""
    documents: Documents = {}
    for name, row in tomllib.loads(text).items():
        members = [Member(name=each, **values) for each, values in row.pop("members", {}).items()]
        documents[name] = Document(name=name, members=members, **row)
    return documents


def all_members(documents: Documents, name: str) -> list[Member]:
    """Returns the members of a document with those of the included ones.

    A member of the document replaces an included one with the same name.
    """
    found: dict[str, Member] = {}
    for part in documents[name].includes:
        found |= {each.name: each for each in all_members(documents, part)}
    return list((found | {each.name: each for each in documents[name].members}).values())


def faults(documents: Documents) -> Iterator[str]:
    """Yields the errors of the description itself."""
    for document in documents.values():
        yield from (f"{document.name} includes the unknown {n}" for n in document.includes if n not in documents)
        if document.kind not in ("request", "result", "part"):
            yield f"{document.name} has the unknown kind {document.kind}"
        if document.kind != "result" and not document.about:
            yield f"{document.name} has no text about it"
        if document.effect.endswith("."):
            yield f"the effect of {document.name} ends with a period"
        if document.feature and document.feature not in TRAITS:
            yield f"{document.name} has the unknown feature {document.feature}"
        for member in document.members:
            name = f"{document.name}.{member.name}"
            if member.element.removesuffix("s") not in SIMPLE and member.document not in documents:
                yield f"{name} has the unknown type {member.type}"
            if (document.kind == "result") != bool(member.present):
                yield f"{name} must state when it is present if it is in a result, and only then"
            if member.meaning.endswith("."):
                yield f"the meaning of {name} ends with a period"


# MARK: - Swift


def swift(documents: Documents) -> str:
    """Generates typed access to the members of requests."""
    requests = [each for each in documents.values() if each.kind != "result"]
    return "\n\n".join(
        [
            "// SPDX-License-Identifier: MIT\n// The members of each request, with their types.",
            f"// {HEAD}",
            "import Tessera\nimport TesseraEngine\nimport TesseraWire",
            *(_imports(requests)),
            *(_reader(documents, each) for each in requests if not each.feature),
            *(_conditional(documents, requests, feature) for feature in TRAITS),
        ]
    ) + "\n"  # fmt: skip


def _imports(requests: list[Document]) -> Iterator[str]:
    """Yields the imports of the modules that a build can leave out."""
    for trait in sorted({TRAITS[each.feature] for each in requests if each.feature}):
        yield f"#if {trait}\n  import {trait}\n#endif"


def _conditional(documents: Documents, requests: list[Document], feature: str) -> str:
    """Returns the readers of the requests of a feature, for builds that have it."""
    readers = "\n\n".join(_reader(documents, each) for each in requests if each.feature == feature)
    return f"#if {TRAITS[feature]}\n{textwrap.indent(readers, '  ')}\n#endif"


def _reader(documents: Documents, document: Document) -> str:
    included = {each.name for part in document.includes for each in all_members(documents, part)}
    own = [each for each in document.members if each.name not in included]
    about = document.about[0].lower() + document.about[1:]
    lines = [f"/// The members of {about}.", f"struct {document.name}Members: RequestMembers {{"]
    lines += [*_names(document, own), *_moved(documents, document)]
    if document.reserved:
        lines += _list("reserved", document.reserved, document.width)
    lines += ["", "  let document: RequestDocument"]
    parts = [_part(part, document.width) for part in document.includes]
    # The cases of the enumeration have the names.
    properties = [] if document.enum else [_property(each, document.width) for each in own]
    if parts or properties:
        lines.append("")
    return "\n".join([*lines, *parts, *properties, "}"])


def _names(document: Document, own: list[Member]) -> list[str]:
    parts = " + ".join(f"{part}Members.names" for part in document.includes)
    if parts and not own:
        return _sum(parts, document.width)
    lines = _list("own" if parts else "names", [each.name for each in own], document.width)
    if not parts:
        return lines
    return [lines[0].replace("static", "private static"), *lines[1:], *_sum(f"{parts} + own", document.width)]


def _sum(names: str, width: int) -> list[str]:
    line = f"  static let names = {names}"
    return [line] if len(line) <= width else ["  static let names =", f"    {names}"]


def _list(name: str, strings: list[str], width: int) -> list[str]:
    """Returns the lines of a list of strings; in one line if it also fits with `private`."""
    listed = ", ".join(f'"{each}"' for each in strings)
    if len(line := f"  static let {name} = [{listed}]") <= width - 8:
        return [line]
    return [f"  static let {name} = [", *(f"    {each}" for each in textwrap.wrap(f"{listed},", width - 4)), "  ]"]


def _moved(documents: Documents, document: Document) -> list[str]:
    """Returns the lines of the dictionary of the members of nested documents that are not members themselves."""
    names = {each.name for each in all_members(documents, document.name)}
    found = {
        name: f"{outer.name}.{inner.name}"
        for outer in document.members
        if outer.document
        for inner in documents[outer.document].members
        for name in (inner.name, inner.formerly)
        if name and name not in names
    }
    if not found:
        return []
    entries = [f'"{name}": "{place}"' for name, place in found.items()]
    lines = [f"    [{entries[0]}]"]
    if len(entries) > 1:
        lines = ["    [", *(f"      {each}," for each in entries), "    ]"]
    return ["  static var moved: [String: String] {", *lines, "  }"]


def _part(part: str, width: int) -> str:
    name = part.removeprefix("SSOExtension")
    line = f"  var {name[0].lower() + name[1:]}: {part}Members {{ {part}Members(document) }}"
    return line if len(line) <= width else line.replace("{ ", "{\n    ", 1).replace(" }", "\n  }")


def _property(member: Member, width: int) -> str:
    kind, read = _access(member)
    line = f"  var {member.swift_name}: {kind} {{ get throws(TesseraError) {{ {read} }} }}"
    if len(line) <= width:
        return line
    head = f"  var {member.swift_name}: {kind} {{"
    body = f"    get throws(TesseraError) {{ {read} }}"
    if len(body) > width:
        body = f"    get throws(TesseraError) {{\n      {read}\n    }}"
    return f"{head}\n{body}\n  }}"


def _access(member: Member) -> tuple[str, str]:
    """Returns the Swift type of a member and the expression that reads it."""
    name = f'"{member.name}"'
    if member.enum:
        array = member.type.startswith("array")
        kind, function = (f"[{member.enum}]", "choices") if array else (member.enum, "choice")
        if member.required is True:
            return kind, f"try document.required{function.capitalize()}({name}, {member.enum}.self)"
        reserved = ", ".join(f'"{each}"' for each in member.reserved)
        later = f", reserved: [{reserved}]" if reserved else ""
        return f"{kind}?", f"try document.{function}({name}, {member.enum}.self{later})"
    if member.document:
        return f"{member.document}Members?", f"try document.nested({name})"
    if member.unit:
        return "Duration?", f"try document.{member.unit}({name})"
    kind, function = {
        "string": ("String", "string"),
        "boolean": ("Bool", "bool"),
        "integer": ("Int64", "count" if member.minimum is None or member.minimum >= 0 else "integer"),
        "object": ("JSONObject", "object"),
        "key": ("StoreKey", "storeKey"),
        "hexadecimal": ("[UInt8]", "hexadecimal"),
        "array of strings": ("[String]", "strings"),
        "object of strings": ("[String: String]", "stringDictionary"),
    }[member.type]
    if member.required is True:
        return kind, f"try document.required{function[0].upper()}{function[1:]}({name})"
    return f"{kind}?", f"try document.{function}({name})"


# MARK: - Python


def python(documents: Documents) -> str:
    """Generates the typed dictionaries of requests."""
    requests = [
        each
        for each in documents.values()
        if each.kind != "result"
        and not each.name.startswith(("Browser", "SSOExtension", "StoreRequest", "Transport"))
    ]
    return "\n\n\n".join(
        [
            "# SPDX-License-Identifier: MIT\n"
            f'"""The types of configurations and requests.\n\n{HEAD}\n"""\n\n'
            "from __future__ import annotations\n\n"
            "from typing import Literal, TypedDict\n\n"
            "TYPE_CHECKING = False\n"
            "if TYPE_CHECKING:\n"
            "    from collections.abc import Mapping, Sequence",
            *(_dictionary(documents, each) for each in _ordered(requests)),
        ]
    ) + "\n"  # fmt: skip


def _ordered(requests: list[Document]) -> list[Document]:
    """Returns the documents, each after the ones that it includes."""
    found: list[Document] = []
    while len(found) < len(requests):
        names = [each.name for each in found]
        found += [
            each for each in requests if each not in found and all(part in names for part in each.includes)
        ]
    return found


def _dictionary(documents: Documents, document: Document) -> str:
    included = {each.name for part in document.includes for each in all_members(documents, part)}
    bases = ", ".join(document.includes) or "TypedDict"
    lines = [f"class {document.name}({bases}, total=False):", f'    """{document.about}."""']
    for member in document.members:
        if member.name not in included:
            lines += ["", f"    {member.name}: {_annotation(member)}", *_docstring(member)]
    return "\n".join(lines)


def _annotation(member: Member) -> str:
    kind = member.document
    if member.values:
        listed = ", ".join(f'"{value}"' for value in member.values)
        lines = textwrap.wrap(f"{listed},", 104, initial_indent=" " * 8, subsequent_indent=" " * 8)
        wrapped = "\n".join(["", *lines, "    "])
        kind = f"Literal[{listed if len(listed) < 80 else wrapped}]"
    kind = kind or {
        "string": "str", "key": "str", "hexadecimal": "str", "boolean": "bool", "integer": "int",
        "object": "Mapping[str, object]", "strings": "str",
    }[member.element]  # fmt: skip
    if member.type.startswith("array"):
        kind = f"Sequence[{kind}]"
    if member.type.startswith("object of"):
        kind = f"Mapping[str, {kind}]"
    return f"{kind} | None"


def _docstring(member: Member) -> list[str]:
    text = f"{member.meaning} (default: {member.default})" if member.default else member.meaning
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    text = text[0].upper() + text[1:] + "."
    lines = textwrap.wrap(f'"""{text}"""', 112, initial_indent="    ", subsequent_indent="    ")
    return lines if len(lines) == 1 else [*"\n".join(lines).removesuffix('"""').split("\n"), '    """']


# MARK: - Pages


def page(path: Path, text: str, documents: Documents) -> str:
    """Returns a page with new tables.

    A marker names the document, and possibly a part whose members are not shown.
    """
    for name, part in re.findall(r"<!-- made from documents.toml: (\w+)(?: without (\w+))? -->\n", text):
        title = f"{name} without {part}" if part else name
        before, mark, rest = text.partition(f"<!-- made from documents.toml: {title} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not end:
            raise ValueError(f"{path} has no end of the table {title}")
        left_out = {each.name for each in all_members(documents, part)} if part else set()
        members = [each for each in all_members(documents, name) if each.name not in left_out]
        lines = _tables(path, documents, documents[name].heading, documents[name].kind, members)
        text = "\n".join([before + mark, *lines, end + after])
    return text


def _tables(
    path: Path, documents: Documents, heading: str, kind: str, members: list[Member]
) -> Iterator[str]:
    """Yields the lines of a table, and of a table for each nested document that has no section."""
    # Timeouts and correlation IDs come last, because all requests have them.
    last = ("timeout_milliseconds", "correlation_id")
    members = sorted(members, key=lambda each: (each.required is not True, each.name in last))
    column = _column(kind, members)
    yield f"| {heading} | type | {column} | meaning |\n|---|---|---|---|"
    for each in members:
        yield f"| `{each.name}` | {_type(path, documents, each)} | {_condition(column, each)} | {each.meaning} |"
    yield ""
    shown: set[str] = set()
    for each in members:
        if each.document and not documents[each.document].section and each.document not in shown:
            shown.add(each.document)
            nested = all_members(documents, each.document)
            yield from _tables(path, documents, f"member of `{each.name}`", kind, nested)


def _column(kind: str, members: list[Member]) -> str:
    if kind == "result":
        return "present"
    if any(each.sent_as for each in members):
        return "sent as"
    return "required, or default" if any(each.required for each in members) else "default"


def _condition(column: str, member: Member) -> str:
    if column == "present":
        return member.present
    if column == "sent as":
        return member.sent_as
    if member.required is True:
        return "**required**"
    return member.required or member.default or "none"


def _type(path: Path, documents: Documents, member: Member) -> str:
    kind = member.type
    if member.values:
        *most, last = (f'`"{value}"`' for value in member.values)
        listed = f"{', '.join(most)} or {last}" if most else last
        kind = f"array of {listed}" if kind.startswith("array") else listed
    elif member.document:
        kind = kind.replace(member.document, _link(path, documents[member.document], "array" in kind))
    kind = {"key": "string: 32 bytes in Base64", "hexadecimal": "string of hexadecimal digits"}.get(kind, kind)
    if member.maximum is not None:
        kind += f", {member.minimum or 0} to {member.maximum}"
    if member.at_most is not None:
        kind += f", at most {member.at_most}"
    return kind + (" or null" if member.nullable else "")


def _link(path: Path, document: Document, several: bool) -> str:
    if not document.section:
        return "objects" if several else "object"
    file, _, anchor = document.section.partition("#")
    return f"[{document.name}]({'' if file == path.name else file}#{anchor})"
