# SPDX-License-Identifier: MIT
"""The typed requests and results of the binding for C++."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from binding_texts import HEAD, about_of, is_optional, is_time, text_of
from document_table import Document, Documents, Member, all_members


def generated(documents: Documents, bound: list[Document], codes: list[str]) -> str:
    """Generates the structures of requests and the classes of results for C++."""
    lines = [
        "// SPDX-License-Identifier: MIT",
        "/** @file tessera_documents.hpp The requests and results of tessera.hpp, which includes this file. */",
        f"// {HEAD}",
        "#ifndef TESSERA_DOCUMENTS_HPP",
        "#define TESSERA_DOCUMENTS_HPP",
        "",
        "namespace tessera {",
        "",
        "/** The error codes; docs/errors.md describes them. Later versions add codes. */",
        "namespace codes {",
        *(f'inline constexpr std::string_view {code} = "{code}";' for code in codes),
        "}  // namespace codes",
    ]
    for document in bound:
        members = all_members(documents, document.name)
        make = _cpp_class if document.kind == "result" else _cpp_structure
        lines += ["", *make(document, members)]
    return "\n".join([*lines, "", "}  // namespace tessera", "", "#endif  // TESSERA_DOCUMENTS_HPP"]) + "\n"


def cpp_name(name: str) -> str:
    """Returns the name of a document in C++."""
    return "error_details" if name == "Error" else re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _cpp_comment(text: str, indent: str = "") -> list[str]:
    line = f"{indent}/** {text} */"
    if len(line) <= 100:
        return [line]
    start = f"{indent} * "
    lines = textwrap.wrap(text, 100, initial_indent=start, subsequent_indent=start)
    return [f"{indent}/**", *lines, f"{indent} */"]


def _cpp_member(member: Member) -> str:
    return member.name.removesuffix(f"_{member.unit}") if member.unit else member.name


def _cpp_type(member: Member) -> str:
    """Returns the type of one value of a member."""
    if is_time(member):
        return "time_point"
    if member.unit or member.name == "retry_after":
        return f"std::chrono::{member.unit or 'seconds'}"
    if member.document:
        return f"tessera::{cpp_name(member.document)}"
    return {
        "string": "std::string", "key": "std::string", "hexadecimal": "std::string", "boolean": "bool",
        "integer": "std::int64_t", "object": "json", "any": "json",
    }[member.element.removesuffix("s")]  # fmt: skip


def _cpp_structure(document: Document, members: list[Member]) -> Iterator[str]:
    """Yields the lines of a request."""
    yield from _cpp_comment(f"{about_of(document)}.")
    yield f"struct {cpp_name(document.name)} {{"
    for member in members:
        yield from _cpp_comment(text_of(member), "  ")
        kind = _cpp_type(member)
        if member.type.startswith("array"):
            kind = f"list<{kind}>"
        elif member.type.startswith("object of"):
            kind = f"std::map<std::string, {kind}>"
        elif member.required is not True:
            kind = f"std::optional<{kind}>"
        yield f"  {kind} {_cpp_member(member)} = {{}};"
    yield ""
    yield "  /** Writes the members as JSON. */"
    yield "  void write(detail::writer &out) const {"
    for member in members:
        # With the comma and the colon, so that one append writes it.
        yield f'    out.member(",\\"{member.name}\\":", {_cpp_member(member)});'
    yield "  }"
    yield "};"


def _cpp_class(document: Document, members: list[Member]) -> Iterator[str]:
    """Yields the lines of a result."""
    yield from _cpp_comment(f"{about_of(document)}.")
    yield f"class {cpp_name(document.name)} : public document {{"
    yield " public:"
    yield "  using document::document;"
    for member in members:
        yield from _cpp_comment(text_of(member), "  ")
        kind, get = _cpp_type(member), "get"
        if member.type.startswith("array"):
            kind = f"std::vector<{kind}>"
        elif member.type.startswith("object of"):
            kind = f"std::map<std::string, {kind}>"
        elif is_optional(member):
            get = "find"
        returned = f"std::optional<{kind}>" if get == "find" else kind
        head = f"  {returned} {_cpp_member(member)}() const {{"
        body = f'return {get}<{kind}>("{member.name}");'
        yield f"{head} {body} }}" if len(head + body) < 98 else f"{head}\n    {body}\n  }}"
    yield "};"
