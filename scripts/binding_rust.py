# SPDX-License-Identifier: MIT
"""The typed requests and results of the binding for Rust."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from binding_texts import HEAD, about_of, is_optional, is_time, text_of
from document_table import Document, Documents, Member, all_members


def generated(documents: Documents, bound: list[Document], codes: list[str]) -> str:
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
    if is_time(member):
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
    yield from _rust_comment(f"{about_of(document)}.")
    yield "#[derive(Clone, Debug, Default)]"
    yield f"pub struct {name} {{"
    for each in members:
        yield from _rust_comment(text_of(each), "    ")
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
    yield from _rust_comment(f"{about_of(document)}.")
    yield "#[derive(Clone, Debug)]"
    yield "#[non_exhaustive]"
    yield f"pub struct {name} {{"
    for each in members:
        yield from _rust_comment(text_of(each), "    ")
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
        elif read == "get" and (each.document or is_time(each)) and "of" not in each.type.split():
            value = f'{_rust_type(each)}::read(find::<Json>(text, "{each.name}").unwrap_or_default().0.as_str())'
        yield f"            {_rust_member(each)}: {value},"
    yield "        }"
    yield "    }"
    yield "}"


def _is_rust_optional(member: Member) -> bool:
    return is_optional(member) and not member.type.startswith(("array", "object of"))
