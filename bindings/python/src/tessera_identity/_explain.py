# SPDX-License-Identifier: MIT
"""Explanations of silent calls: the decision, its reason and all candidate tokens."""

from __future__ import annotations

from ._errors import nested_error
from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal

    from ._errors import TesseraError


class TokenCandidate(Value):
    """A token of the store that a call could use, without the token itself.

    Attributes:
        credential_type: The credential type, such as `AccessToken` or `RefreshToken`.
        role: `used`, `fallback` (used if the preferred one fails) or `not_used`.
        obstacles: The reasons for which it is not used, or not preferred, such as `expired`; see docs/explain.md.
        client_id: The application to which it was issued.
        family_id: The family of applications that may redeem it.
        environment: The cloud or the issuer.
        tenant_id: The tenant of an access token; None for a refresh token, which is valid for all tenants.
        scopes: The scopes of an access token.
        missing_scopes: The requested scopes that an access token does not cover.
        cached_on: The time when it was received, in seconds since 1970.
        expires_on: The expiry time, in seconds since 1970.
        refresh_on: The time from which the server recommends a refresh, in seconds since 1970.
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
        """Reads the members of the JSON object `TokenCandidate`."""
        super().__init__(document)
        for name in ("obstacles", "scopes", "missing_scopes"):
            assign(self, name, tuple(document.get(name) or ()))


class BrokerVisit(Value):
    """The result of a token request to an identity broker.

    Attributes:
        broker: The broker, such as `linux`.
        outcome: `used`; or `skipped` if the call continued without it.
        reason: The reason for `skipped`, such as `broker_not_running`; docs/brokers.md lists all reasons.
        message: A description of the reason for developers.
    """

    _required = ("broker", "outcome")
    _optional = ("reason", "message")
    __slots__ = (*_required, *_optional)

    broker: str
    outcome: Literal["used", "skipped"]
    reason: str | None
    message: str | None


class Explanation(Value):
    """The explanation of a silent call: its decision and the reason; see docs/explain.md. It contains no token.

    Attributes:
        decision: `use` a cached token, `broker` for a request to the identity broker, `refresh`, `pause` because
            the same request failed recently, or `sign_in`; `signed_in` after a sign-in.
        reason: `valid` for a cached token, the reason of a refresh, `device_code` after a sign-in, or otherwise
            the code of the error.
        message: A sentence that describes the decision.
        home_account_id: The requested account.
        authority: The requested authority.
        tenant_id: The tenant of the authority for this account; None if it is not known yet.
        environments: The hosts or the issuer that are searched for tokens.
        scopes: The requested scopes.
        candidates: All access tokens and refresh tokens of the account, in order of preference.
        error: The error that the call would raise without a request, or the reason for which it uses a fallback.
        brokers: The results of requests to identity brokers; empty in a dry run.
        store: The kind of token store: `sqlite`, `msal_file` or `memory`.
        read_microseconds: The time to read the store and to decide.
        network_microseconds: The total time of requests to servers; None in a dry run.
        total_microseconds: The total time of the call; None in a dry run.
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
        """Reads the members of the JSON object `Explanation`."""
        super().__init__(document)
        for name in ("environments", "scopes"):
            assign(self, name, tuple(document.get(name) or ()))
        candidates = document.get("candidates") or ()
        assign(self, "candidates", tuple(TokenCandidate(each) for each in candidates))
        assign(self, "brokers", tuple(BrokerVisit(each) for each in document.get("brokers") or ()))
        problem = document.get("error")
        assign(self, "error", nested_error(problem) if problem else None)
