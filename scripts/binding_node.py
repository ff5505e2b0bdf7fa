# SPDX-License-Identifier: MIT
"""The typed requests and results of the binding for Node.js."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from binding_functions import Method
from binding_texts import HEAD, about_of, is_optional, is_time, text_of
from document_table import Document, Documents, Member, all_members


def generated(documents: Documents, bound: list[Document]) -> str:
    """Generates the names and kinds of all members for JavaScript."""
    lines = [
        "// SPDX-License-Identifier: MIT",
        f"// {HEAD}",
        "'use strict';",
        "",
        "// By document and member: the name in JSON, and 'secret', 'time' or the document of the value.",
        "module.exports = {",
    ]
    for document in bound:
        lines.append(f"  {node_name(document.name)}: {{")
        for member in all_members(documents, document.name):
            lines.append(f"    {camel(member.name)}: ['{member.name}', '{_kind(member)}'],")
        lines.append("  },")
    return "\n".join(lines) + "\n};\n"


def types(documents: Documents, bound: list[Document], codes: list[str]) -> str:
    """Generates the declarations of requests and results for TypeScript."""
    lines = [
        "// SPDX-License-Identifier: MIT",
        f"// {HEAD}",
        "",
        "/** A value that later versions of the library may add. */",
        "type Later = string & {};",
        "",
        "/** The error codes; docs/errors.md describes them. */",
        "export type ErrorCode =",
        *(f"  | '{code}'" for code in codes),
        "  | Later;",
    ]
    for document in bound:
        lines += ["", *_interface(document, all_members(documents, document.name))]
    return "\n".join(lines) + "\n"


def methods(found: list[Method]) -> str:
    """Generates the table of the methods that only pass on a request."""
    lines = [
        "// SPDX-License-Identifier: MIT",
        f"// {HEAD.replace('docs/errors.toml', 'include/tessera.h')}",
        "'use strict';",
        "",
        "// By method: the form of its parameters, the name of its function's number, the request and the result.",
        "module.exports = {",
    ]
    for each in found:
        names = (each.form, each.function.number, each.request, each.result)
        lines.append(f"  {camel(each.function.action)}: [{', '.join(map(repr, names))}],")
    return "\n".join(lines) + "\n};\n"


def node_name(name: str) -> str:
    """Returns the name of a document in JavaScript, where Error is another class."""
    return "ErrorDetails" if name == "Error" else name


def camel(name: str) -> str:
    """Returns the name of a member in JavaScript."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _kind(member: Member) -> str:
    if member.document:
        return node_name(member.document)
    if is_time(member):
        return "time"
    return "secret" if member.secret else ""


def _comment(text: str, indent: str = "") -> Iterator[str]:
    lines = textwrap.wrap(text.replace("*/", "* /"), 95 - len(indent))
    if len(lines) == 1:
        yield f"{indent}/** {lines[0]} */"
        return
    yield f"{indent}/**"
    yield from (f"{indent} * {line}" for line in lines)
    yield f"{indent} */"


def _type(document: Document, member: Member) -> str:
    """Returns the type of a member."""
    if member.document:
        kind = node_name(member.document)
    elif is_time(member):
        kind = "Date"
    elif member.values:
        kind = " | ".join([f"'{each}'" for each in member.values] + ["Later"] * (document.kind == "result"))
    else:
        kind = {
            "string": "string", "key": "string", "hexadecimal": "string", "boolean": "boolean",
            "integer": "number", "object": "Record<string, unknown>", "any": "unknown",
        }[member.element.removesuffix("s")]  # fmt: skip
    if document.name == "Error" and member.name == "code":
        kind = "ErrorCode"
    if member.type.startswith("array"):
        kind = f"({kind})[]" if " " in kind else f"{kind}[]"
        kind = f"readonly {kind}"
    elif member.type.startswith("object of"):
        kind = f"Readonly<Record<string, {kind}>>"
    return f"{kind} | null" if member.nullable else kind


def _interface(document: Document, members: list[Member]) -> Iterator[str]:
    """Yields the lines of a request or a result."""
    is_result = document.kind == "result"
    yield from _comment(f"{about_of(document)}.")
    yield f"export interface {node_name(document.name)} {{"
    for member in members:
        text = text_of(member)
        if is_result and member.secret:
            text += " Neither console.log() nor JSON.stringify() shows it."
        yield from _comment(text, "  ")
        is_absent = is_optional(member) if is_result else member.required is not True
        name = camel(member.name) + ("?" if is_absent else "")
        yield f"  {'readonly ' if is_result else ''}{name}: {_type(document, member)};"
    yield "}"
