# SPDX-License-Identifier: MIT
"""Conversion of arguments for requests."""

from __future__ import annotations

from os import fspath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike
    from typing import Any, TypeVar

    Text = TypeVar("Text", bound=str)


def several(values: Iterable[Text] | None, name: str) -> tuple[Text, ...] | None:
    """Returns the strings as a tuple; None for None."""
    return None if values is None else strings(values, name)


def strings(values: Iterable[Text], name: str) -> tuple[Text, ...]:
    """Returns the strings as a tuple; raises TypeError for a single string, which would be split."""
    if isinstance(values, str):
        raise TypeError(f"{name} must be a list or another iterable of strings, not one string")
    return tuple(values)


def path(path: str | PathLike[str] | None) -> str | None:
    """Returns a path as a string; None for None."""
    return None if path is None else fspath(path)


def mapping(values: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Returns a copy of a mapping; None for None."""
    return None if values is None else dict(values)


def filled(members: Mapping[str, object]) -> dict[str, object]:
    """Returns the members without nested objects that have no values."""
    return {
        name: value
        for name, value in members.items()
        if not isinstance(value, dict) or any(each is not None for each in value.values())
    }


def thousandfold(seconds: int | None) -> int | None:
    """Returns seconds in milliseconds; a value that is not an integer unchanged, for the library to reject."""
    return seconds * 1000 if isinstance(seconds, int) else seconds
