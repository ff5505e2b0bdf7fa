# SPDX-License-Identifier: MIT
"""The results of calls that acquire tokens or list accounts, and the prompts of sign-ins."""

from __future__ import annotations

from time import time

from ._errors import nested_error
from ._json_text import decoded
from ._values import Account, LazyValue, Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
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


class TokenResult(LazyValue):
    """An access token with its account, scopes and origin (MSAL: MSALResult).

    `repr()` does not show the tokens. `to_dict()` and a pickle contain them: use these for another process of the
    same application, not for a file or a log.

    Attributes:
        access_token: The access token for the resource. Its content is opaque to the client (RFC 6749 1.4).
        token_type: The token type, such as `Bearer` (RFC 6749 7.1).
        expires_on: The expiry time, in seconds since 1970.
        extended_expires_on: The end of the extended lifetime for outages, in seconds since 1970.
        refresh_on: The time from which the server recommends a refresh, in seconds since 1970.
        scopes: The granted scopes, which may be more than requested.
        declined_scopes: The requested scopes that the server did not grant; empty if the token covers all of them.
            The token is stored and can be used for `scopes`. Sign in interactively to ask for the declined ones.
        id_token: The ID token of the response, for applications that forward it.
        id_token_claims: The claims of the ID token (OpenID Connect Core 2).
        account: The account.
        tenant_id: The tenant that issued the token; empty for a provider without tenants.
        authority: The authority that issued the token.
        source: `cache`, `network` or `broker`.
        persisted: False if the token could not be stored, so that other processes do not see this sign-in.
        browser_reason: The reason for which a browser was opened or not, after a browser sign-in;
            docs/interactive.md lists the values.
        brokers: The results of requests to identity brokers; empty for a cached token.
        extended_lifetime: True if the token has expired and is returned only because of an outage, as the server
            permits.
        refresh_error: The error of a proactive refresh that failed; the token is still valid.
        warnings: Warnings for developers.
        explanation: The explanation with timings, if requested.
    """

    _required = (
        "access_token",
        "token_type",
        "expires_on",
        "scopes",
        "account",
        "source",
    )
    _optional = (
        "extended_expires_on",
        "refresh_on",
        "declined_scopes",
        "id_token",
        "id_token_claims",
        "tenant_id",
        "authority",
        "persisted",
        "browser_reason",
        "brokers",
        "extended_lifetime",
        "refresh_error",
        "warnings",
        "explanation",
    )
    _hidden = frozenset({"access_token", "id_token", "id_token_claims"})
    __slots__ = (
        "access_token",
        "account",
        "authority",
        "brokers",
        "browser_reason",
        "declined_scopes",
        "expires_on",
        "explanation",
        "extended_expires_on",
        "extended_lifetime",
        "id_token",
        "id_token_claims",
        "persisted",
        "refresh_error",
        "refresh_on",
        "scopes",
        "source",
        "tenant_id",
        "token_type",
        "warnings",
    )

    access_token: str
    token_type: str
    expires_on: int
    extended_expires_on: int | None
    refresh_on: int | None
    scopes: tuple[str, ...]
    declined_scopes: tuple[str, ...]
    id_token: str | None
    id_token_claims: Mapping[str, Any] | None
    account: Account
    tenant_id: str
    authority: str
    source: Literal["cache", "network", "broker"]
    persisted: bool
    browser_reason: str | None
    brokers: tuple[BrokerVisit, ...]
    extended_lifetime: bool
    refresh_error: TesseraError | None
    warnings: tuple[Any, ...]
    explanation: Explanation | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object `TokenResult`."""
        super().__init__(document)
        # Checks the required members of the account.
        assign(self, "account", Account(document["account"]))

    def _member(self, name: str) -> Any:  # noqa: ANN401 - any value
        value = self._document.get(name)
        if name in ("scopes", "declined_scopes", "warnings"):
            return tuple(value or ())
        if name == "brokers":
            return tuple(BrokerVisit(each) for each in value or ())
        if name == "extended_lifetime":
            return bool(value)
        if name == "refresh_error":
            return nested_error(value) if value else None
        if name == "explanation":
            return Explanation(value) if value else None
        return value

    @property
    def expires_in(self) -> int:
        """The remaining lifetime in seconds; 0 after the expiry time."""
        return max(0, int(self.expires_on - time()))

    @property
    def expires_at(self) -> datetime:
        """The expiry time as an aware `datetime`, in UTC."""
        # Importing datetime takes a millisecond.
        from datetime import datetime, timezone

        return datetime.fromtimestamp(self.expires_on, timezone.utc)

    @property
    def authorization_header(self) -> str:
        """The value of the `Authorization` header of a request to the resource, such as `Bearer eyJ0…`."""
        # Some servers return the type in lower case, but resources expect the scheme of RFC 6750.
        scheme = "Bearer" if self.token_type.lower() == "bearer" else self.token_type
        return f"{scheme} {self.access_token}"

    def __repr__(self) -> str:
        """Returns the account, the scopes, the expiry time and the origin of the token, without the token."""
        shown: dict[str, object] = {
            "username": self.account.username or self.account.home_account_id,
            "scopes": self.scopes,
            "declined_scopes": self.declined_scopes or None,
            "expires_at": f"{self.expires_at:%Y-%m-%dT%H:%M:%SZ}",
            "source": self.source,
            "authority": self.authority or None,
            "persisted": False if self.persisted is False else None,
            "extended_lifetime": self.extended_lifetime or None,
            "refresh_error": self.refresh_error and self.refresh_error.code,
            "warnings": self.warnings or None,
        }
        members = [f"{name}={value!r}" for name, value in shown.items() if value is not None]
        return f"{type(self).__name__}(access_token=<redacted>, {', '.join(members)})"


class DeviceCodePrompt(Value):
    """The instructions for a sign-in on another device (RFC 8628 section 3.2).

    Attributes:
        user_code: The code that the user enters.
        verification_uri: The URL at which the user enters the code.
        verification_uri_complete: The URL that contains the code, for a QR code, if the server returned one.
        message: A sentence with the URL and the code, for display.
        expires_on: The expiry time of the code, in seconds since 1970.
        interval_seconds: The polling interval.
    """

    _required = ("user_code", "verification_uri")
    _optional = ("verification_uri_complete", "message", "expires_on", "interval_seconds")
    __slots__ = (
        "expires_on",
        "interval_seconds",
        "message",
        "user_code",
        "verification_uri",
        "verification_uri_complete",
    )

    user_code: str
    verification_uri: str
    verification_uri_complete: str | None
    message: str
    expires_on: int
    interval_seconds: int


class SignInPrompt(Value):
    """The status of a browser sign-in, for the application.

    Attributes:
        url: The URL of the sign-in page, valid for one sign-in.
        opens_browser: Whether a browser is opened; if not, show the URL to the user.
        reason: The reason for opening a browser or not; docs/interactive.md lists the values.
        redirect_uri: The beginning of the URL at which the browser ends.
        problem: The problem since the previous prompt, if there is one.
    """

    _required = ("url", "opens_browser")
    _optional = ("reason", "redirect_uri", "problem")
    __slots__ = ("opens_browser", "problem", "reason", "redirect_uri", "url")

    url: str
    opens_browser: bool
    reason: str | None
    redirect_uri: str | None
    problem: str | None


class SignInSession(Value):
    """A pending sign-in. `repr()` shows neither the URL nor the state.

    Attributes:
        url: The URL of the sign-in page, for a browser or a web view.
        state: The opaque, encrypted state for `complete_sign_in`, valid for one sign-in.
        expires_on: The time until which the sign-in can be completed, in seconds since 1970.
        redirect_uri: The redirect URI that receives the response.
    """

    _required = ("url", "state", "expires_on", "redirect_uri")
    _hidden = frozenset({"url", "state"})
    __slots__ = ("expires_on", "redirect_uri", "state", "url")

    url: str
    state: str
    expires_on: int
    redirect_uri: str


_START = b'{"accounts":['
_END = b"]}"
_ACCOUNT = b'{"home_account_id":'
_NEXT = b"," + _ACCOUNT


class AccountList:
    """A response of the library with all accounts, of which each is parsed at its first use.

    After a sign-in or a sign-out, most accounts of a long list are unchanged. Their objects are reused.

    The library writes no white space, and the identifier of an account first. No string contains the beginning of
    an account, because quotation marks in strings are escaped.
    """

    __slots__ = ("accounts", "response")

    def __init__(self, response: bytes, older: AccountList | None = None) -> None:
        """Creates the list of a response.

        Args:
            response: The response of the library.
            older: The previous list, whose accounts are reused as far as they are unchanged.

        Raises:
            ValueError: The response is not in the form in which the library writes a long list. Parse it as JSON.
        """
        if not response.startswith(_START + _ACCOUNT) or not response.endswith(_END):
            raise ValueError("not a list of accounts")
        self.response = response
        if older is None:
            self.accounts = _parsed_later(response[len(_START) : -len(_END)])
            return
        before = older.response
        # The changed accounts are those between a common beginning and a common end, both of whole accounts.
        comma = before.rfind(_NEXT, 0, _common_beginning(before, response))
        start = len(_START) if comma < 0 else comma + 1
        end = before.find(_NEXT, len(before) - _common_end(before, response, start))
        end = len(before) - len(_END) if end < 0 else end
        first = 0 if comma < 0 else before.count(_NEXT, 0, comma + len(_NEXT))
        last = before.count(_NEXT, end)
        changed = response[start : len(response) - (len(before) - end)]
        self.accounts = (
            *older.accounts[:first],
            *_parsed_later(changed),
            *older.accounts[len(older.accounts) - last :],
        )


def _parsed_later(texts: bytes) -> tuple[Account, ...]:
    """Returns the accounts in a part of a list."""
    if not texts:
        return ()
    return tuple([Account.parsed_later(_parse, text) for text in texts[len(_ACCOUNT) :].split(_NEXT)])


def _parse(text: bytes) -> dict[str, Any]:
    """Parses the text of an account after its beginning, which all accounts share."""
    return decoded(_ACCOUNT + text)


def _common_beginning(one: bytes, other: bytes) -> int:
    """Returns the number of equal bytes at the beginning of two texts."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(one: bytes, other: bytes, start: int) -> int:
    """Returns the number of equal bytes at the end of two texts, without those before a start."""
    low, high = 0, min(len(one), len(other)) - start
    while low < high:
        middle = (low + high + 1) // 2
        end = len(one) - low
        if one.startswith(other[len(other) - middle : len(other) - low], end - (middle - low)):
            low = middle
        else:
            high = middle - 1
    return low
