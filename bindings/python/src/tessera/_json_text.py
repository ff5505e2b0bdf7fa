# SPDX-License-Identifier: MIT
"""JSON text: requests out, answers in.

The module json is a thin layer of Python over two C functions, but it imports re and with it enum, functools
and collections: 3 to 7 ms of a program's start, more than everything else here together. This uses the two C
functions directly where they are there, and json where they are not.
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
    ):  # Another Python implementation, or a version with other private functions of json.
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
    """What a json.JSONDecoder tells the scanner; nothing here differs from its defaults."""

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
    """The object in a text; ValueError if it is not UTF-8, not JSON or not an object."""
    value = _parse(text.decode())
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def encoded(members: Mapping[str, Any]) -> bytes:
    """An object with the members that are not None.

    It is ASCII, so that no character, not even NUL, can end it early. Anything but text, numbers, truth values,
    sequences and dictionaries of them is a TypeError.
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
