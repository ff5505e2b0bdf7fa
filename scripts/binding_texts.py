# SPDX-License-Identifier: MIT
"""Names and texts of the documents, for the generators of all bindings."""

from __future__ import annotations

import re

from document_table import Document, Member

HEAD = "Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write."


def is_optional(member: Member) -> bool:
    """Whether a result may lack a member."""
    return member.present != "always" or member.nullable


def is_time(member: Member) -> bool:
    """Whether a member is a time in seconds since 1970."""
    return member.type == "integer" and member.name.endswith("_on")


def text_of(member: Member) -> str:
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


def about_of(document: Document) -> str:
    """Returns the documentation of a document, without its name."""
    return document.about or f'The document "{document.name}"'
