# SPDX-License-Identifier: MIT
"""Arguments of the program, as requests have them."""

from __future__ import annotations

from os import fspath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike
    from typing import Any


def several(values: Iterable[str] | None, name: str) -> tuple[str, ...] | None:
    """Several strings, or None."""
    return None if values is None else strings(values, name)


def strings(values: Iterable[str], name: str) -> tuple[str, ...]:
    """Several strings; one alone is a mistake that would be taken for its letters."""
    if isinstance(values, str):
        raise TypeError(f"{name} must be several strings, such as a list, not one string")
    return tuple(values)


def path(path: str | PathLike[str] | None) -> str | None:
    """A path as text."""
    return None if path is None else fspath(path)


def mapping(values: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Names and their values."""
    return None if values is None else dict(values)
