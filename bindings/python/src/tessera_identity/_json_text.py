# SPDX-License-Identifier: MIT
"""JSON serialization of requests and parsing of responses.

The module json is a thin Python layer over two C functions, but it imports re, enum, functools and collections.
That takes 3 to 7 ms, more than everything else in this package. This module uses the two C functions directly if
they are available, and json otherwise.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def _parser() -> Callable[[str], Any]:
    try:
        from _json import make_scanner

        settings: Any = _Settings
        scan = make_scanner(settings)
    except (
        ImportError,
        AttributeError,
    ):  # Another Python implementation, or a version with a different interface.
        from json import loads

        return loads

    def parse(text: str) -> Any:  # noqa: ANN401 - any JSON value
        text = text.strip(" \t\n\r")
        try:
            value, end = scan(text, 0)
        except StopIteration:
            raise ValueError("not JSON") from None
        if end != len(text):
            raise ValueError("more than one JSON value")
        return value

    return parse


def _quoter() -> Callable[[str], str]:
    try:
        from _json import encode_basestring_ascii
    except ImportError:
        from json import dumps

        return dumps
    quote: Callable[[str], str] = encode_basestring_ascii
    return quote


class _Settings:
    """The settings of a json.JSONDecoder that the scanner reads, with their default values."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


_parse = _parser()
_quote = _quoter()


def decoded(text: bytes) -> dict[str, Any]:
    """Returns the JSON object in a text; raises ValueError for anything else, including invalid UTF-8."""
    value = _parse(text.decode())
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def encoded(members: Mapping[str, Any]) -> bytes:
    """Serializes an object, without the members that are None.

    The result is ASCII, so that no character, not even NUL, can truncate it. Values of other types than strings,
    numbers, booleans, sequences and dictionaries raise TypeError.
    """
    given = (f"{_quote(name)}:{_text(each)}" for name, each in members.items() if each is not None)
    return f"{{{','.join(given)}}}".encode()


def _text(value: object) -> str:
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return f"[{','.join(map(_text, value))}]"
    if isinstance(value, dict):
        return encoded(value).decode()
    raise TypeError(f"a value of type {type(value).__name__} cannot be sent to the library")
