# SPDX-License-Identifier: MIT
"""The report of a sign-out."""

from __future__ import annotations

from ._accounts import Account
from ._errors import nested_error
from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ._errors import TesseraError


class LeftoverToken(Value):
    """A record that remains after a sign-out.

    Attributes:
        kind: The kind: `other_application`, `family_refresh_token`, `handed_out_access_tokens`,
            `unrevoked_refresh_tokens`, `browser_session`, `set_aside_store` or `other_group`; see
            docs/c-interface.md.
        client_id: The application that has the token, if there is one.
        expires_on: The expiry time in seconds since 1970, if known.
        path: The file that contains it, if there is one.
    """

    _required = ("kind",)
    _optional = ("client_id", "expires_on", "path")
    __slots__ = ("client_id", "expires_on", "kind", "path")

    kind: str
    client_id: str | None
    expires_on: int | None
    path: str | None


class Revocation(Value):
    """The result of the revocation of a refresh token.

    Attributes:
        client_id: The application to which the token was issued.
        revoked: Whether the token was revoked.
        error: The error of the revocation; None if it succeeded.
    """

    _required = ("client_id", "revoked")
    _optional = ("error",)
    __slots__ = ("client_id", "error", "revoked")

    client_id: str
    revoked: bool
    error: TesseraError | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object."""
        super().__init__(document)
        error = document.get("error")
        assign(self, "error", None if error is None else nested_error(error))


class SignOutReport(Value):
    """The report of a sign-out. The data on this machine was removed, even if requests to the provider failed.

    Attributes:
        scope: The scope: `application`, `every_application` or `machine`.
        accounts: The accounts that were signed out; for `machine`, those that this application knew.
        removed: The numbers of removed `accounts`, `access_tokens`, `refresh_tokens` and `id_tokens`.
        remaining: The records that remain.
        revocations: The results of the revocations, one for each refresh token.
        end_session_url: The URL at which a browser ends its session; None if not requested or not supported by the
            provider. It contains the ID token of the account (`id_token_hint`): do not log it. `repr()` of the
            report does not show it.
        broker: The result of the identity broker, if requested: the number of `removed` accounts, and the `error`
            (a JSON object) if it failed.
        warnings: Warnings about requests that failed.
    """

    _required = ("scope", "removed")
    _hidden = frozenset({"end_session_url"})
    _optional = ("accounts", "remaining", "revocations", "end_session_url", "broker", "warnings")
    __slots__ = (
        "accounts", "broker", "end_session_url", "remaining", "removed", "revocations", "scope", "warnings",
    )  # fmt: skip

    scope: str
    removed: dict[str, int]
    accounts: tuple[Account, ...]
    remaining: tuple[LeftoverToken, ...]
    revocations: tuple[Revocation, ...]
    end_session_url: str | None
    broker: dict[str, Any] | None
    warnings: tuple[str, ...]

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object `SignOutReport`."""
        super().__init__(document)
        lists = {"accounts": Account, "remaining": LeftoverToken, "revocations": Revocation}
        for name, kind in lists.items():
            assign(self, name, tuple(kind(each) for each in document.get(name) or ()))
        assign(self, "warnings", tuple(document.get("warnings") or ()))
