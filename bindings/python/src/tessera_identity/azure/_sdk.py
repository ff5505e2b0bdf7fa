# SPDX-License-Identifier: MIT
"""The token types and the error classes of the Azure SDK, or equivalent ones if it is not installed.

| Tessera | Azure SDK, if installed |
|---|---|
| `SignInRequiredError` | `azure.identity.AuthenticationRequiredError`, a `CredentialUnavailableError` |
| no sign-in tried: several accounts, an unusable store, no library | `CredentialUnavailableError` |
| other errors | `azure.core.exceptions.ClientAuthenticationError` |

A `ChainedTokenCredential` continues with its next credential for the first two, and ends with the third. The
classes of azure-identity and azure-core are used only if these modules are loaded; otherwise an error is only a
`TesseraError`.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from tessera_identity import SignInRequiredError, StorageError, TesseraError

__all__ = ["AccessToken", "AccessTokenInfo", "access_token", "access_token_info", "sdk_errors"]

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from azure.core.credentials import AccessToken, AccessTokenInfo

    from tessera_identity import TokenResult
else:
    try:
        from azure.core.credentials import AccessToken
    except ImportError:

        class AccessToken(NamedTuple):
            """An access token, like azure.core.credentials.AccessToken.

            Attributes:
                token: The access token.
                expires_on: The expiry time, in seconds since 1970.
            """

            token: str
            expires_on: int

            def __repr__(self) -> str:
                """Returns a description without the token."""
                return f"AccessToken(token=<redacted>, expires_on={self.expires_on})"

    try:
        # Since azure-core 1.31.
        from azure.core.credentials import AccessTokenInfo
    except ImportError:

        class AccessTokenInfo(NamedTuple):
            """An access token with its type and refresh time, like azure.core.credentials.AccessTokenInfo.

            Attributes:
                token: The access token.
                expires_on: The expiry time, in seconds since 1970.
                token_type: The token type, such as `Bearer`.
                refresh_on: The recommended refresh time, in seconds since 1970; None if the server returned none.
            """

            token: str
            expires_on: int
            token_type: str = "Bearer"  # noqa: S105 - not a password
            refresh_on: int | None = None

            def __repr__(self) -> str:
                """Returns a description without the token."""
                return f"AccessTokenInfo(token=<redacted>, expires_on={self.expires_on})"


def access_token(result: TokenResult) -> AccessToken:
    """Converts a result for `get_token`."""
    return AccessToken(result.access_token, result.expires_on)


def access_token_info(result: TokenResult) -> AccessTokenInfo:
    """Converts a result for `get_token_info`."""
    return AccessTokenInfo(
        result.access_token,
        result.expires_on,
        token_type=result.token_type,
        refresh_on=result.refresh_on,
    )


_UNATTEMPTED_CODES = frozenset(("ambiguous_account", "library_missing"))
"""The codes of errors without an attempted sign-in, besides those of a whole class."""

_classes: dict[tuple[type, type], type[TesseraError]] = {}
"""The created classes, by their two base classes."""


@contextmanager
def sdk_errors(scopes: Sequence[str]) -> Iterator[None]:
    """Raises errors of the block as instances of the error classes of the Azure SDK."""
    try:
        yield
    except TesseraError as error:
        raise sdk_error(error, scopes) from error.__cause__


def sdk_error(error: TesseraError, scopes: Sequence[str]) -> TesseraError:
    """Returns an error that is also an error of the Azure SDK; the same one without the SDK."""
    return _convert(type(error), error.message, error.details, scopes) or error


def _convert(
    kind: type[TesseraError], message: str, details: Mapping[str, Any], scopes: Sequence[str]
) -> TesseraError | None:
    base = _sdk_class(kind, details.get("code"))
    if base is None:
        return None
    if (kind, base) not in _classes:
        _classes[kind, base] = _combined_class(kind, base)
    converted = _classes[kind, base](message, details)
    # An attribute of azure.identity.AuthenticationRequiredError, in addition to `claims`.
    vars(converted)["_scopes"] = tuple(scopes)
    return converted


def _sdk_class(kind: type[TesseraError], code: str | None) -> type[Exception] | None:
    """Returns the corresponding error class of the Azure SDK; None if the SDK is not loaded."""
    core: Any = sys.modules.get("azure.core.exceptions")
    identity: Any = sys.modules.get("azure.identity")
    name = "ClientAuthenticationError"
    if identity is not None and issubclass(kind, SignInRequiredError):
        core, name = identity, "AuthenticationRequiredError"
    elif identity is not None and (issubclass(kind, StorageError) or code in _UNATTEMPTED_CODES):
        core, name = identity, "CredentialUnavailableError"
    base: type[Exception] | None = getattr(core, name, None)
    return base


def _combined_class(kind: type[TesseraError], base: type[Exception]) -> type[TesseraError]:
    """Returns a subclass of both error classes."""

    def init(self: Any, message: str = "", details: Mapping[str, Any] | None = None) -> None:  # noqa: ANN401
        if base.__name__ == "AuthenticationRequiredError":
            base.__init__(self, (), message or None)
        else:
            base.__init__(self, message)
        TesseraError.__init__(self, message, details)

    def reduce(self: Any) -> tuple[Any, tuple[Any, ...]]:  # noqa: ANN401
        return _unpickle, (kind, self.message, self.details, self._scopes)

    return type(
        kind.__name__,
        (base, kind),
        {
            "__init__": init,
            "__str__": TesseraError.__str__,
            "__repr__": TesseraError.__repr__,
            "__reduce__": reduce,
            "__doc__": kind.__doc__,
            "__module__": kind.__module__,
            # A property in the SDK, an attribute here.
            "claims": None,
        },
    )


def _unpickle(
    kind: type[TesseraError], message: str, details: Mapping[str, Any], scopes: Sequence[str]
) -> TesseraError:
    """Creates the error from its pickle, possibly in a process without the Azure SDK."""
    return _convert(kind, message, details, scopes) or kind(message, details)
