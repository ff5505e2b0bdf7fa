# SPDX-License-Identifier: MIT
"""The typed requests and results of the binding for Go."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from binding_functions import Method
from binding_texts import about_of, is_time, text_of
from document_table import INITIALS, Document, Documents, Member, all_members


def generated(documents: Documents, bound: list[Document], codes: list[str]) -> str:
    """Generates the structures of requests and results for Go."""
    width = max(len(go_name(code)) for code in codes)
    lines = [
        "// SPDX-License-Identifier: MIT",
        "",
        "// Code generated from docs/documents.toml and docs/errors.toml. DO NOT EDIT.",
        "",
        "package tessera",
        "",
        "import (",
        '\t"encoding/json"',
        '\t"time"',
        ")",
        "",
        "// The error codes; docs/errors.md describes them. Later versions add codes.",
        "const (",
        *(f'\tCode{go_name(code):<{width}} = "{code}"' for code in codes),
        ")",
    ]
    for document in bound:
        members = all_members(documents, document.name)
        make = _go_result if document.kind == "result" else _go_request
        lines += ["", *make(document, members)]
    return "\n".join(lines) + "\n"


def methods(found: list[Method]) -> str:
    """Generates the methods that only pass on a request."""
    lines = [
        "// SPDX-License-Identifier: MIT",
        "",
        "// Code generated from docs/documents.toml and include/tessera.h. DO NOT EDIT.",
        "",
        "package tessera",
        "",
        '// #include "library.h"',
        'import "C"',
        "",
        'import "context"',
    ]
    for each in found:
        # A copy locks two applications.
        if each.form != "from":
            lines += ["", *_go_method(each)]
    return "\n".join(lines) + "\n"


def _go_method(method: Method) -> Iterator[str]:
    name = go_name(method.function.action.removeprefix("get_"))
    effect = method.effect[0].lower() + method.effect[1:]
    parameters, call, argument = {
        "data": (", data []byte", "performWithData", ", data"), "start": ("", "start", ", nil")
    }.get(method.form, ("", "perform", ""))  # fmt: skip
    yield from _go_comment(f"{name} {effect}")
    given = f"ctx context.Context, request {method.request}{parameters}"
    line = f"func (a *Application) {name}({given}) (*{method.result}, error) {{"
    broken = [f"func (a *Application) {name}(", f"\t{given},", f") (*{method.result}, error) {{"]
    yield from [line] if len(line) <= 120 else broken
    yield f"\treturn {call}[{method.result}](ctx, a, C.{method.function.number}, &request{argument})"
    yield "}"


def go_name(name: str) -> str:
    """Returns the exported name of a member in Go."""
    initials = {**INITIALS, "mfa": "MFA"}
    return "".join(initials.get(word, word.capitalize()) for word in name.split("_"))


def _go_comment(text: str, indent: str = "") -> list[str]:
    start = f"{indent}// "
    return textwrap.wrap(text, 100, initial_indent=start, subsequent_indent=start)


def _go_about(document: Document) -> list[str]:
    about = about_of(document)
    return _go_comment(f"{document.name} is {about[0].lower()}{about[1:]}.")


def _go_type(member: Member) -> str:
    """Returns the type of one value of a member."""
    if is_time(member):
        return "UnixTime"
    if member.document:
        return member.document
    if member.secret:
        return "Secret"
    return {
        "string": "string", "key": "Secret", "hexadecimal": "string", "boolean": "bool", "integer": "int64",
        "object": "json.RawMessage", "any": "json.RawMessage",
    }[member.element.removesuffix("s")]  # fmt: skip


def _go_request(document: Document, members: list[Member]) -> Iterator[str]:
    """Yields the lines of a request and of its encoder."""
    yield from _go_about(document)
    yield f"type {document.name} struct {{"
    for number, member in enumerate(members):
        kind, name = _go_field(member)
        yield from [""] if number else []
        yield from _go_comment(text_of(member), "\t")
        yield f"\t{name} {kind}"
    yield "}"
    yield ""
    yield f"func (r *{document.name}) appendTo(out encoder) encoder {{"
    for member in members:
        kind, name = _go_field(member)
        function = {
            "*string": "string", "*Secret": "secret", "string": "requiredString", "Secret": "requiredSecret",
            "*bool": "bool", "*int64": "int", "json.RawMessage": "raw", "[]string": "strings",
            "map[string]string": "dictionary", "*time.Duration": member.unit,
        }.get(kind)  # fmt: skip
        if function is None:
            yield f"\tif r.{name} != nil {{"
            yield f'\t\tout = r.{name}.appendTo(out.open("{member.name}")).close()'
            yield "\t}"
        else:
            yield f'\tout = out.{function}("{member.name}", r.{name})'
    yield "\treturn out"
    yield "}"


def _go_field(member: Member) -> tuple[str, str]:
    """Returns the type and the name of a member of a request."""
    name = go_name(member.name.removesuffix(f"_{member.unit}") if member.unit else member.name)
    kind = _go_type(member)
    if member.unit:
        return "*time.Duration", name
    if member.type.startswith("array"):
        return f"[]{kind}", name
    if member.type.startswith("object of"):
        return f"map[string]{kind}", name
    return (kind if member.required is True or kind == "json.RawMessage" else f"*{kind}"), name


def _go_result(document: Document, members: list[Member]) -> Iterator[str]:
    """Yields the lines of a result."""
    yield from _go_about(document)
    yield f"type {document.name} struct {{"
    for number, member in enumerate(members):
        kind = _go_type(member)
        if member.type.startswith("array"):
            kind = f"[]{kind}"
        elif member.type.startswith("object of"):
            kind = f"map[string]{kind}"
        elif member.document:
            kind = f"*{kind}"
        yield from [""] if number else []
        yield from _go_comment(text_of(member), "\t")
        yield f'\t{go_name(member.name)} {kind} `json:"{member.name}"`'
    yield "}"
