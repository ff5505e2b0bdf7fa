# SPDX-License-Identifier: MIT
"""The typed requests and results of the binding for Ruby, and their signatures (RBS)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from binding_functions import Method
from binding_texts import HEAD, about_of, is_optional, is_time, text_of
from document_table import Document, Documents, Member, all_members


def generated(documents: Documents, bound: list[Document], codes: list[str]) -> str:
    """Generates the classes of requests and results for Ruby."""
    lines = [
        "# SPDX-License-Identifier: MIT",
        "# frozen_string_literal: true",
        "",
        f"# {HEAD}",
        "",
        "module Tessera",
        "  # The error codes; docs/errors.md describes them. Later versions add codes.",
        "  module Codes",
        *(f'    {code.upper()} = "{code}"' for code in codes),
        "  end",
    ]
    for document in bound:
        members = all_members(documents, document.name)
        make = _result if document.kind == "result" else _request
        lines += ["", *make(document, members)]
    return "\n".join([*lines, "end"]) + "\n"


def signatures(documents: Documents, bound: list[Document]) -> str:
    """Generates the signatures of the requests and results."""
    lines = [
        "# SPDX-License-Identifier: MIT",
        f"# {HEAD}",
        "",
        "module Tessera",
        "  module Codes",
        "  end",
    ]
    for document in bound:
        members = all_members(documents, document.name)
        name = ruby_name(document.name)
        lines += ["", f"  class {name} < {'Result' if document.kind == 'result' else 'Request'}"]
        if document.kind == "result":
            lines += [
                f"    def {each.name}: () -> {_signature(each)}{'?' if _is_ruby_optional(each) else ''}"
                for each in members
            ]
        else:
            given = ", ".join(
                f"{'' if each.required is True else '?'}{_keyword(each)}: {_argument(each)}"
                f"{'' if each.required is True else '?'}"
                for each in members
            )
            lines.append(f"    def initialize: ({given}) -> void")
        lines.append("  end")
    return "\n".join([*lines, "end"]) + "\n"


# The methods that have another name than the function, and those that return a member of the result.
NAMES = {"get_broker_sso_cookie": "broker_sso_cookies"}
RETURNED = {
    "AccountList": ("accounts", "Array<Account>"), "AccountResult": ("account", "Account"),
    "BrokerAccountList": ("accounts", "Array<BrokerAccount>"),
}  # fmt: skip


def methods(found: list[Method]) -> str:
    """Generates the methods that only pass on a request."""
    lines = [
        "# SPDX-License-Identifier: MIT",
        "# frozen_string_literal: true",
        "",
        f"# {HEAD.replace('docs/errors.toml', 'include/tessera.h')}",
        "",
        "module Tessera",
        "  class Application",
    ]
    for number, each in enumerate(found):
        lines += [*([""] if number else []), *_method(each)]
    return "\n".join([*lines, "  end", "end"]) + "\n"


def _method(method: Method) -> Iterator[str]:
    action = method.function.action
    member, returned = RETURNED.get(method.result, ("", method.result))
    before, after, more = {
        "from": ("from, ", "", ", nil, from.native"), "data": ("", "data: nil, ", ", data")
    }.get(method.form, ("", "", ""))  # fmt: skip
    call = "waited" if method.form == "start" else "called"
    yield from _comment(method.effect)
    if method.form == "data":
        yield "    # @param data [String, nil] the contents of the cache"
    yield f"    # @return [{returned}]"
    yield f"    def {NAMES.get(action, action.removeprefix('get_'))}({before}request = nil, {after}**members)"
    yield f"      request = {method.request}.from(request, members)"
    yield f"      {call}({method.result}, Native::{method.function.number}, request{more}){member and '.'}{member}"
    yield "    end"


def ruby_name(name: str) -> str:
    """Returns the name of a document in Ruby."""
    return "ErrorDetails" if name == "Error" else name


def _comment(text: str, indent: str = "    ") -> list[str]:
    start = f"{indent}# "
    return textwrap.wrap(text, 100, initial_indent=start, subsequent_indent=start)


def _keyword(member: Member) -> str:
    """Returns the name of a member of a request: a duration is in seconds, and has no unit in its name."""
    return member.name.removesuffix(f"_{member.unit}") if member.unit else member.name


def _type(member: Member) -> str:
    """Returns the type of one value of a member."""
    if is_time(member):
        return "Time"
    if member.document:
        return ruby_name(member.document)
    return {
        "string": "String", "key": "String", "hexadecimal": "String", "boolean": "Boolean", "integer": "Integer",
        "object": "Hash", "any": "Object",
    }[member.element.removesuffix("s")]  # fmt: skip


def _documented_type(member: Member) -> str:
    if member.type.startswith("array"):
        return f"Array<{_type(member)}>"
    return f"Hash{{String => {_type(member)}}}" if member.type.startswith("object of") else _type(member)


def _signature(member: Member) -> str:
    kind = _type(member)
    kind = {"Boolean": "bool", "Hash": "Hash[String, untyped]", "Object": "untyped"}.get(kind, kind)
    if member.type.startswith("array"):
        return f"Array[{kind}]"
    return f"Hash[String, {kind}]" if member.type.startswith("object of") else kind


def _argument(member: Member) -> str:
    if member.unit:
        return "Numeric"
    if member.document:
        return f"({ruby_name(member.document)} | Hash[Symbol, untyped])"
    return "(String | Symbol)" if member.values and member.type == "string" else _signature(member)


def _is_ruby_optional(member: Member) -> bool:
    return is_optional(member) and not member.type.startswith(("array", "object of"))


def _request(document: Document, members: list[Member]) -> Iterator[str]:
    """Yields the lines of a request: its documentation and the conversions of its members."""
    yield from _comment(f"{about_of(document)}.", "  ")
    if members:
        yield "  #"
    for member in members:
        kind = "Numeric" if member.unit else _documented_type(member)
        text = text_of(member)
        if member.unit:
            text += " The unit is seconds."
        start = f"  # @option members [{kind}] :{_keyword(member)} "
        yield from textwrap.wrap(text, 100, initial_indent=start, subsequent_indent="  #   ")
    yield f"  class {document.name} < Request"
    conversions = [
        f'{_keyword(each)}: ["{each.name}", {1000 if each.unit == "milliseconds" else 1}]'
        if each.unit
        else f"{each.name}: {each.document}"
        for each in members
        if each.unit or each.document
    ]
    yield from _constant("CONVERSIONS", "{ ", conversions, " }")
    secrets = [each.name for each in members if each.secret or each.type == "key"]
    yield from _constant("SECRETS", "%w[", secrets, "]")
    yield "  end"


def _result(document: Document, members: list[Member]) -> Iterator[str]:
    """Yields the lines of a result."""
    yield from _comment(f"{about_of(document)}.", "  ")
    yield f"  class {ruby_name(document.name)} < Result"
    conversions = [f'"{each.name}" => {_type(each)}' for each in members if each.document or is_time(each)]
    constants = [
        *_constant("CONVERSIONS", "{ ", conversions, " }"),
        *_constant("SECRETS", "%w[", [each.name for each in members if each.secret], "]"),
    ]
    yield from constants
    for number, member in enumerate(members):
        if number or constants:
            yield ""
        yield from _comment(text_of(member))
        yield f"    # @return [{_documented_type(member)}{', nil' if _is_ruby_optional(member) else ''}]"
        default = f" || {_empty(member)}" if " of " in member.type else ""
        yield f'    def {member.name} = @members["{member.name}"]{default}'
    yield "  end"


def _empty(member: Member) -> str:
    return "NO_ELEMENTS" if member.type.startswith("array") else "NO_MEMBERS"


def _constant(name: str, start: str, values: list[str], end: str) -> Iterator[str]:
    """Yields the lines of a constant; none if it is empty, because the base class has it."""
    if not values:
        return
    separator = " " if start.startswith("%") else ", "
    line = f"    {name} = {start}{separator.join(values)}{end}.freeze"
    if len(line) <= 120:
        yield line
        return
    yield f"    {name} = {start.strip()}"
    text = separator.join(values)
    yield from textwrap.wrap(text, 110, initial_indent=" " * 6, subsequent_indent=" " * 6)
    yield f"    {end.strip()}.freeze"
