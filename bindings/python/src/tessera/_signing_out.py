# SPDX-License-Identifier: MIT
"""What a sign-out removed, and what stays where."""

from __future__ import annotations

from ._accounts import Account
from ._errors import error_inside
from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ._errors import TesseraError


class LeftoverToken(Value):
    """Something that stays after a sign-out.

    Attributes:
        kind: What it is: `other_application`, `family_refresh_token`, `handed_out_access_tokens`,
            `unrevoked_refresh_tokens`, `browser_session`, `set_aside_store` or `other_group`; docs/c-interface.md
            says more.
        client_id: The application that keeps it, if it is one.
        expires_on: Until when, in seconds since 1970, if that is known.
        path: The file it lies in, if it is one.
    """

    _required = ("kind",)
    _optional = ("client_id", "expires_on", "path")
    __slots__ = ("client_id", "expires_on", "kind", "path")

    kind: str
    client_id: str | None
    expires_on: int | None
    path: str | None


class Revocation(Value):
    """What the provider said to the revocation of a refresh token.

    Attributes:
        client_id: The application that the token was issued to.
        revoked: Whether it is worthless now.
        error: Why not; None if it is.
    """

    _required = ("client_id", "revoked")
    _optional = ("error",)
    __slots__ = ("client_id", "error", "revoked")

    client_id: str
    revoked: bool
    error: TesseraError | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Take the members of the JSON object."""
        super().__init__(document)
        error = document.get("error")
        assign(self, "error", None if error is None else error_inside(error))


class SignOutReport(Value):
    """What became of a sign-out; what is on this machine is gone, whatever the provider said.

    Attributes:
        scope: Of what: `application`, `every_application` or `machine`.
        accounts: Who; for `machine` those whom this application knew.
        removed: How many `accounts`, `access_tokens`, `refresh_tokens` and `id_tokens` were removed.
        remaining: What stays, and where.
        revocations: One for each refresh token that was to be revoked.
        end_session_url: The address at which a browser ends its session; None unless it was asked for and the
            provider has one. It contains the ID token of the account (`id_token_hint`): do not log it. The
            `repr()` of the report leaves it out.
        broker: What the identity broker did, if it was asked: how many accounts it has `removed`, and perhaps the
            `error` (a JSON object) that kept it from more.
        warnings: What wants attention although the account is gone.
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
        """Take the members of the JSON object `SignOutReport`."""
        super().__init__(document)
        lists = {"accounts": Account, "remaining": LeftoverToken, "revocations": Revocation}
        for name, kind in lists.items():
            assign(self, name, tuple(kind(each) for each in document.get(name) or ()))
        assign(self, "warnings", tuple(document.get("warnings") or ()))
