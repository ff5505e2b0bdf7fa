# SPDX-License-Identifier: MIT
"""The typed requests and results of the bindings, generated from docs/documents.toml and docs/errors.toml."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import error_table
from document_table import INITIALS, ROOT, Document, Documents, Member, all_members

CPP = ROOT / "bindings/cpp/include/tessera_documents.hpp"
GO = ROOT / "bindings/go/documents.go"
RUST = ROOT / "bindings/rust/tessera/src/documents.rs"
HEAD = "Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write."
# Documents of callbacks that the bindings do not have, of another platform, and without members of their own.
LEFT_OUT = ("Browser", "SSOExtension", "NoResult", "ErrorResponse")


def generated(documents: Documents) -> dict[Path, str]:
    """Returns the files of the bindings with their contents."""
    bound = [
        each
        for each in documents.values()
        if each.kind != "part" and not each.name.startswith(LEFT_OUT)
    ]
    ordered = _ordered(documents, bound)
    codes = [each.code for each in error_table.read(error_table.TABLE.read_text())[0]]
    return {
        CPP: cpp(documents, ordered, codes),
        GO: go(documents, ordered, codes),
        RUST: rust(documents, ordered, codes),
        # A Go module has only the files of its own folder.
        GO.parent / "tessera.h": (ROOT / "include/tessera.h").read_text(),
    }


def _ordered(documents: Documents, bound: list[Document]) -> list[Document]:
    """Returns the documents, each after the ones that its members have."""
    found: list[Document] = []
    while len(found) < len(bound):
        names = [each.name for each in found]
        found += [
            each
            for each in bound
            if each not in found
            and all(member.document in ("", *names) for member in all_members(documents, each.name))
        ]
    return found


def _is_optional(member: Member) -> bool:
    """Whether a result may lack a member."""
    return member.present != "always" or member.nullable


def _is_time(member: Member) -> bool:
    return member.type == "integer" and member.name.endswith("_on")


def _text(member: Member) -> str:
    """Returns the documentation of a member: sentences without links."""
    text = member.meaning
    if member.values:
        *most, last = (f"`{value}`" for value in member.values)
        text += f". {'Each is' if member.type.startswith('array') else 'The value is'} "
        text += f"{', '.join(most)} or {last}" if most else last
    if member.default:
        text += f" (default: {member.default})"
    if member.present not in ("", "always"):
        text += f". Present {member.present}" if not member.present.startswith("this") else ""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    return text[0].upper() + text[1:] + "."


def _about(document: Document) -> str:
    """Returns the documentation of a document, without its name."""
    return document.about or f'The document "{document.name}"'


# MARK: - C++


def cpp(documents: Documents, bound: list[Document], codes: list[str]) -> str:
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
    if _is_time(member):
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
    yield from _cpp_comment(f"{_about(document)}.")
    yield f"struct {cpp_name(document.name)} {{"
    for member in members:
        yield from _cpp_comment(_text(member), "  ")
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
    yield from _cpp_comment(f"{_about(document)}.")
    yield f"class {cpp_name(document.name)} : public document {{"
    yield " public:"
    yield "  using document::document;"
    for member in members:
        yield from _cpp_comment(_text(member), "  ")
        kind, get = _cpp_type(member), "get"
        if member.type.startswith("array"):
            kind = f"std::vector<{kind}>"
        elif member.type.startswith("object of"):
            kind = f"std::map<std::string, {kind}>"
        elif _is_optional(member):
            get = "find"
        returned = f"std::optional<{kind}>" if get == "find" else kind
        head = f"  {returned} {_cpp_member(member)}() const {{"
        body = f'return {get}<{kind}>("{member.name}");'
        yield f"{head} {body} }}" if len(head + body) < 98 else f"{head}\n    {body}\n  }}"
    yield "};"


# MARK: - Go


def go(documents: Documents, bound: list[Document], codes: list[str]) -> str:
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


def go_name(name: str) -> str:
    """Returns the exported name of a member in Go."""
    initials = {**INITIALS, "mfa": "MFA"}
    return "".join(initials.get(word, word.capitalize()) for word in name.split("_"))


def _go_comment(text: str, indent: str = "") -> list[str]:
    start = f"{indent}// "
    return textwrap.wrap(text, 100, initial_indent=start, subsequent_indent=start)


def _go_about(document: Document) -> list[str]:
    about = _about(document)
    return _go_comment(f"{document.name} is {about[0].lower()}{about[1:]}.")


def _go_type(member: Member) -> str:
    """Returns the type of one value of a member."""
    if _is_time(member):
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
        yield from _go_comment(_text(member), "\t")
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
        yield from _go_comment(_text(member), "\t")
        yield f'\t{go_name(member.name)} {kind} `json:"{member.name}"`'
    yield "}"


# MARK: - Rust


def rust(documents: Documents, bound: list[Document], codes: list[str]) -> str:
    """Generates the structures of requests and results for Rust."""
    lines = [
        "// SPDX-License-Identifier: MIT",
        "//! The requests and results.",
        f"// {HEAD}",
        "",
        "use std::collections::BTreeMap;",
        "use std::time::{Duration, SystemTime};",
        "",
        "use crate::json::{find, get, member, object, Json, Read, Secret, Write};",
        "",
        "/// The error codes; docs/errors.md describes them. Later versions add codes.",
        "pub mod codes {",
        *(f'    #[allow(missing_docs)]\n    pub const {code.upper()}: &str = "{code}";' for code in codes),
        "}",
    ]
    for document in bound:
        members = all_members(documents, document.name)
        make = _rust_result if document.kind == "result" else _rust_request
        lines += ["", *make(document, members)]
    return "\n".join(lines) + "\n"


def rust_name(name: str) -> str:
    """Returns the name of a document in Rust."""
    return "ErrorDetails" if name == "Error" else name


def _rust_comment(text: str, indent: str = "") -> list[str]:
    start = f"{indent}/// "
    text = re.sub(r"\[([^]]*)\]", r"\\[\1\\]", text)
    text = re.sub(r"<(\w+)>", r"`<\1>`", text)
    return textwrap.wrap(text, 100, initial_indent=start, subsequent_indent=start)


def _rust_member(member: Member) -> str:
    name = member.name.removesuffix(f"_{member.unit}") if member.unit else member.name
    return f"r#{name}" if name in ("type",) else name


def _rust_type(member: Member) -> str:
    """Returns the type of one value of a member."""
    if _is_time(member):
        return "SystemTime"
    if member.unit or member.name == "retry_after":
        return "Duration"
    if member.document:
        return rust_name(member.document)
    if member.secret or member.type == "key":
        return "Secret"
    return {
        "string": "String", "hexadecimal": "String", "boolean": "bool", "integer": "i64", "object": "Json",
        "any": "Json",
    }[member.element.removesuffix("s")]  # fmt: skip


def _rust_collection(member: Member, kind: str) -> str:
    if member.type.startswith("array"):
        return f"Vec<{kind}>"
    return f"BTreeMap<String, {kind}>" if member.type.startswith("object of") else kind


def _rust_request(document: Document, members: list[Member]) -> Iterator[str]:
    """Yields the lines of a request."""
    name = rust_name(document.name)
    yield from _rust_comment(f"{_about(document)}.")
    yield "#[derive(Clone, Debug, Default)]"
    yield f"pub struct {name} {{"
    for each in members:
        yield from _rust_comment(_text(each), "    ")
        kind = _rust_collection(each, _rust_type(each))
        yield f"    pub {_rust_member(each)}: {kind if each.required is True else f'Option<{kind}>'},"
    yield "}"
    yield ""
    yield f"impl Write for {name} {{"
    yield "    fn write(&self, out: &mut String) {"
    yield "        object(out, |out| {"
    for each in members:
        value = f"&self.{_rust_member(each)}"
        if each.unit:
            part = "as_millis" if each.unit == "milliseconds" else "as_secs"
            value = f"&self.{_rust_member(each)}.map(|each| i64::try_from(each.{part}()).unwrap_or(i64::MAX))"
        line = f'            member(out, ",\\"{each.name}\\":", {value});'
        yield line
    yield "        });"
    yield "    }"
    yield "}"


def _rust_result(document: Document, members: list[Member]) -> Iterator[str]:
    """Yields the lines of a result."""
    name = rust_name(document.name)
    yield from _rust_comment(f"{_about(document)}.")
    yield "#[derive(Clone, Debug)]"
    yield "#[non_exhaustive]"
    yield f"pub struct {name} {{"
    for each in members:
        yield from _rust_comment(_text(each), "    ")
        kind = _rust_collection(each, _rust_type(each))
        yield f"    pub {_rust_member(each)}: {f'Option<{kind}>' if _is_rust_optional(each) else kind},"
    yield "}"
    yield ""
    yield f"impl Read for {name} {{"
    yield "    fn read(text: &str) -> Self {"
    yield f"        {name} {{"
    for each in members:
        read = "find" if _is_rust_optional(each) else "get"
        value = f'{read}(text, "{each.name}")'
        if each.name == "retry_after" or each.unit:
            unit = "from_millis" if each.unit == "milliseconds" else "from_secs"
            convert = f"Duration::{unit}(each.unsigned_abs())"
            value = f'find(text, "{each.name}").map(|each: i64| {convert})'
            value += "" if _is_rust_optional(each) else ".unwrap_or_default()"
        elif read == "get" and (each.document or _is_time(each)) and "of" not in each.type.split():
            value = f'{_rust_type(each)}::read(find::<Json>(text, "{each.name}").unwrap_or_default().0.as_str())'
        yield f"            {_rust_member(each)}: {value},"
    yield "        }"
    yield "    }"
    yield "}"


def _is_rust_optional(member: Member) -> bool:
    return _is_optional(member) and not member.type.startswith(("array", "object of"))
