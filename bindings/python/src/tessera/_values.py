# SPDX-License-Identifier: MIT
"""The base of the values that the library hands out: made from a JSON object, immutable, comparable."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, NoReturn

assign = object.__setattr__
"""Sets an attribute of a value while it is being made."""


class Value:
    """A value made from one JSON object.

    Dataclasses would do the same, but their module alone takes 6 ms of a program's start.

    Values are equal when they were made from equal objects, can be pickled and copied, and do not show secrets
    when they are printed. What a later library adds to the object is in `extra`.
    """

    __slots__ = ("_document",)

    _required: ClassVar[tuple[str, ...]] = ()
    _optional: ClassVar[tuple[str, ...]] = ()
    _hidden: ClassVar[frozenset[str]] = frozenset()
    _document: Mapping[str, Any]

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Take the members of a JSON object; a required one that is missing is a KeyError."""
        assign(self, "_document", document)
        for name in self._required:
            assign(self, name, document[name])
        for name in self._optional:
            assign(self, name, document.get(name))

    @property
    def extra(self) -> dict[str, Any]:
        """Members that this version of the binding does not know, as they came."""
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
        # The first required member is sufficient for a hash; equality compares all members.
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
