# SPDX-License-Identifier: MIT
"""The base class of immutable, comparable values that are created from a JSON object."""

from __future__ import annotations

from ._unsupported import unsupported_key, unsupported_member

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

    def to_dict(self) -> dict[str, Any]:
        """Returns a copy of the JSON object, with `snake_case` names, for `json.dumps`.

        It contains the secrets that `repr()` does not show, such as the tokens of a `TokenResult`.
        """
        copied: dict[str, Any] = _copied(self._document)
        return copied

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")

    if not TYPE_CHECKING:  # Type checkers would accept every name.

        def __getattr__(self, name: str) -> object:
            """Raises AttributeError, with the counterpart of a member of a dictionary of MSAL."""
            raise unsupported_member(type(self).__name__, name)

        def __getitem__(self, name: object) -> object:
            """Raises TypeError: a value is not a dictionary."""
            raise unsupported_key(type(self).__name__, name)

        def __contains__(self, name: object) -> bool:
            """Raises TypeError: a value is not a dictionary."""
            raise unsupported_key(type(self).__name__, name)

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


def _copied(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return {name: _copied(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_copied(element) for element in value]
    return value
