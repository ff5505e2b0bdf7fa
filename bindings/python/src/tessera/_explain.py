# SPDX-License-Identifier: MIT
"""Explanations: what a silent call would do, or did, and why, with every token that it could use."""

from __future__ import annotations

from ._errors import error_inside
from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal

    from ._errors import TesseraError


class TokenCandidate(Value):
    """A token of the store that a call could use; the token itself is not in it.

    Attributes:
        credential_type: Its kind, such as `AccessToken` or `RefreshToken`.
        role: `used`, `fallback` (used if what comes first fails) or `not_used`.
        obstacles: Why it is not used, or not first, such as `expired`; docs/explain.md lists them.
        client_id: The application it was issued to.
        family_id: The family of applications that may redeem it.
        environment: The cloud or the issuer.
        tenant_id: The tenant of an access token; None for a refresh token, which serves all of them.
        scopes: What an access token covers.
        missing_scopes: The scopes that were asked for and that an access token lacks.
        cached_on: When it was received, in seconds since 1970.
        expires_on: When it ends, in seconds since 1970.
        refresh_on: When the server wants it renewed, in seconds since 1970.
    """

    _required = ("credential_type", "role", "client_id", "environment")
    _optional = (
        "obstacles",
        "family_id",
        "tenant_id",
        "scopes",
        "missing_scopes",
        "cached_on",
        "expires_on",
        "refresh_on",
    )
    __slots__ = (*_required, *_optional)

    credential_type: str
    role: Literal["used", "fallback", "not_used"]
    obstacles: tuple[str, ...]
    client_id: str
    family_id: str | None
    environment: str
    tenant_id: str | None
    scopes: tuple[str, ...]
    missing_scopes: tuple[str, ...]
    cached_on: int | None
    expires_on: int | None
    refresh_on: int | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Take the members of the JSON object `TokenCandidate`."""
        super().__init__(document)
        for name in ("obstacles", "scopes", "missing_scopes"):
            assign(self, name, tuple(document.get(name) or ()))


class BrokerVisit(Value):
    """What became of asking an identity broker for a token.

    Attributes:
        broker: Which one, such as `linux`.
        outcome: `used`, or `skipped`: the call went on without it.
        reason: Why it was skipped, such as `broker_not_running`; docs/brokers.md lists the words.
        message: The same for a developer.
    """

    _required = ("broker", "outcome")
    _optional = ("reason", "message")
    __slots__ = (*_required, *_optional)

    broker: str
    outcome: Literal["used", "skipped"]
    reason: str | None
    message: str | None


class Explanation(Value):
    """What a silent call would do, or did, and why; see docs/explain.md. It holds no token.

    Attributes:
        decision: `use` a cached token, `broker`: ask the identity broker, `refresh`, `pause` because the same
            request failed a moment ago, or `sign_in`; `signed_in` for a sign-in that is over.
        reason: `valid` for a token that is used, the occasion of a refresh, `device_code` after a sign-in, or the
            code of the error otherwise.
        message: A sentence that says so.
        home_account_id: The account that was asked for.
        authority: The authority that was asked for.
        tenant_id: The tenant to which it leads for this account; None if nobody knows it yet.
        environments: The hosts or the issuer under which tokens are looked for.
        scopes: The scopes that were asked for.
        candidates: Every access token and refresh token of the account, those that are used first.
        error: What the call would raise without asking anybody, or why it falls back.
        brokers: What became of asking identity brokers; empty in a dry run.
        store: Where the tokens are kept: `sqlite`, `msal_file` or `memory`.
        read_microseconds: How long it took to read the store and to decide.
        network_microseconds: How long servers were asked; None in a dry run.
        total_microseconds: How long the whole call took; None in a dry run.
    """

    _required = ("decision", "reason", "home_account_id")
    _optional = (
        "message",
        "authority",
        "tenant_id",
        "environments",
        "scopes",
        "candidates",
        "error",
        "brokers",
        "store",
        "read_microseconds",
        "network_microseconds",
        "total_microseconds",
    )
    __slots__ = (*_required, *_optional)

    decision: Literal["use", "broker", "refresh", "pause", "sign_in", "signed_in"]
    reason: str
    message: str
    home_account_id: str
    authority: str
    tenant_id: str | None
    environments: tuple[str, ...]
    scopes: tuple[str, ...]
    candidates: tuple[TokenCandidate, ...]
    error: TesseraError | None
    brokers: tuple[BrokerVisit, ...]
    store: Literal["sqlite", "msal_file", "memory"]
    read_microseconds: int
    network_microseconds: int | None
    total_microseconds: int | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Take the members of the JSON object `Explanation`."""
        super().__init__(document)
        for name in ("environments", "scopes"):
            assign(self, name, tuple(document.get(name) or ()))
        candidates = document.get("candidates") or ()
        assign(self, "candidates", tuple(TokenCandidate(each) for each in candidates))
        assign(self, "brokers", tuple(BrokerVisit(each) for each in document.get("brokers") or ()))
        problem = document.get("error")
        assign(self, "error", error_inside(problem) if problem else None)
