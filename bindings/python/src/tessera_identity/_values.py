# SPDX-License-Identifier: MIT
"""The base class of immutable, comparable values that are created from a JSON object."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, NoReturn

assign = object.__setattr__
"""Sets an attribute of a value in its initializer."""


class Value:
    """An immutable value created from one JSON object.

    Dataclasses would provide the same, but importing their module takes 6 ms.

    Values are equal if their objects are equal. They can be pickled and copied, and `repr()` shows no secrets.
    Members that a later version of the library adds are in `extra`.
    """

    __slots__ = ("_document",)

    _required: ClassVar[tuple[str, ...]] = ()
    _optional: ClassVar[tuple[str, ...]] = ()
    _hidden: ClassVar[frozenset[str]] = frozenset()
    _document: Mapping[str, Any]

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of a JSON object; raises KeyError if a required one is missing."""
        assign(self, "_document", document)
        for name in self._required:
            assign(self, name, document[name])
        for name in self._optional:
            assign(self, name, document.get(name))

    @property
    def extra(self) -> dict[str, Any]:
        """The members that this version of the package does not know, unmodified."""
        known = self._required + self._optional
        return {name: value for name, value in self._document.items() if name not in known}

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Value):
            return NotImplemented
        return self._document == other._document

    def __hash__(self) -> int:
        # The first required member distinguishes most values; equality compares all members.
        return hash((type(self), self._document[self._required[0]]))

    def __reduce__(self) -> tuple[type[Value], tuple[dict[str, Any]]]:
        return type(self), (dict(self._document),)

    def __repr__(self) -> str:
        shown = []
        for name in self._required + self._optional:
            value = getattr(self, name)
            if value is not None:
                text = "<redacted>" if name in self._hidden else repr(value)
                shown.append(f"{name}={text}")
        return f"{type(self).__name__}({', '.join(shown)})"
