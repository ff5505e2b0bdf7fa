# SPDX-License-Identifier: MIT
"""Errors of a credential: Tessera's, and at the same time those that users of the Azure SDK catch.

| Tessera | Azure, where it is installed |
|---|---|
| `SignInRequired` | `azure.identity.AuthenticationRequiredError`, a `CredentialUnavailableError` |
| nothing tried: several accounts, a store that cannot be used, no library | `CredentialUnavailableError` |
| everything else | `azure.core.exceptions.ClientAuthenticationError` |

A `ChainedTokenCredential` goes on to its next credential for the first two, and ends with the third. Without
azure-identity in the process nobody can ask for its classes; without azure-core an error is Tessera's alone.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tessera import SignInRequired, StorageProblem, TesseraError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_NOTHING_TRIED = frozenset(("ambiguous_account", "library_missing"))
"""Codes of errors that say that no sign-in was tried, besides those of a whole class."""

_classes: dict[tuple[type, type], type[TesseraError]] = {}
"""The classes that were made, by the two that each of them is."""


@contextmanager
def errors_of_the_sdk(scopes: Sequence[str]) -> Iterator[None]:
    """Raises the errors of the block as users of the Azure SDK expect them."""
    try:
        yield
    except TesseraError as error:
        raise translated(error, scopes) from error.__cause__


def translated(error: TesseraError, scopes: Sequence[str]) -> TesseraError:
    """An error as users of the Azure SDK expect it; the same one where there is no Azure SDK."""
    made = _made(type(error), error.message, error.details, scopes)
    if made is None:
        return error
    made.result = error.result
    return made


def _made(
    kind: type[TesseraError], message: str, details: Mapping[str, Any], scopes: Sequence[str]
) -> TesseraError | None:
    base = _base(kind, details.get("code"))
    if base is None:
        return None
    if (kind, base) not in _classes:
        _classes[kind, base] = _both(kind, base)
    made = _classes[kind, base](message, details)
    # Read by azure.identity.AuthenticationRequiredError, besides `claims`.
    vars(made)["_scopes"] = tuple(scopes)
    return made


def _base(kind: type[TesseraError], code: str | None) -> type[Exception] | None:
    """What the error is to the Azure SDK; None if the SDK is not in the process."""
    core: Any = sys.modules.get("azure.core.exceptions")
    identity: Any = sys.modules.get("azure.identity")
    name = "ClientAuthenticationError"
    if identity is not None and issubclass(kind, SignInRequired):
        core, name = identity, "AuthenticationRequiredError"
    elif identity is not None and (issubclass(kind, StorageProblem) or code in _NOTHING_TRIED):
        core, name = identity, "CredentialUnavailableError"
    base: type[Exception] | None = getattr(core, name, None)
    return base


def _both(kind: type[TesseraError], base: type[Exception]) -> type[TesseraError]:
    """The class of errors that are both."""

    def make(self: Any, message: str = "", details: Mapping[str, Any] | None = None) -> None:  # noqa: ANN401
        if base.__name__ == "AuthenticationRequiredError":
            base.__init__(self, (), message or None)
        else:
            base.__init__(self, message)
        TesseraError.__init__(self, message, details)

    def pickled(self: Any) -> tuple[Any, tuple[Any, ...]]:  # noqa: ANN401
        return _again, (kind, self.message, self.details, self._scopes)

    return type(
        kind.__name__,
        (base, kind),
        {
            "__init__": make,
            "__str__": TesseraError.__str__,
            "__repr__": TesseraError.__repr__,
            "__reduce__": pickled,
            "__doc__": kind.__doc__,
            "__module__": kind.__module__,
            # A property in tessera, an attribute in azure-core.
            "claims": None,
        },
    )


def _again(
    kind: type[TesseraError], message: str, details: Mapping[str, Any], scopes: Sequence[str]
) -> TesseraError:
    """The error in another process, which may have no Azure SDK."""
    return _made(kind, message, details, scopes) or kind(message, details)
