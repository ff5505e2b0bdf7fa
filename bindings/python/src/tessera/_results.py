# SPDX-License-Identifier: MIT
"""Results: a token with what is known about it, and the code that a person enters on another device."""

from __future__ import annotations

from ._accounts import Account
from ._errors import error_inside
from ._explain import BrokerVisit, Explanation
from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal

    from ._errors import TesseraError


class TokenResult(Value):
    """A token for the scopes that were asked for, and where it came from (MSAL: MSALResult).

    Printing it does not show the tokens. Pickling it does write them: it is meant for another process of the
    same program, not for a file.

    Attributes:
        access_token: The token to send to the resource; its content is the resource's business (RFC 6749 1.4).
        token_type: How to send it, such as `Bearer` (RFC 6749 7.1).
        expires_on: When it ends, in seconds since 1970.
        extended_expires_on: Until when it may be used while the server is down, in seconds since 1970.
        refresh_on: When the server wants it renewed, in seconds since 1970.
        scopes: The scopes it covers, which may be more than were asked for.
        id_token: The ID token that came with it, for programs that hand it on.
        id_token_claims: What the ID token says about the person (OpenID Connect Core 2).
        account: The person.
        tenant_id: The tenant that issued the token; empty for a provider without tenants.
        authority: The authority that issued the token.
        source: `cache`, `network` or `broker`.
        persisted: False if the store could not be written: another program will not see this sign-in.
        browser_reason: Why the browser was opened, or was not, if the person has just signed in in one: a word in
            docs/interactive.md.
        brokers: What became of asking identity brokers for it; empty for a cached token.
        extended_lifetime: True if it has ended, and serves only because the server is down and allows that.
        refresh_error: Why a renewal failed that was due but not yet necessary; the token is good.
        warnings: What else the program's author should know.
        explanation: Why it is this token, and what took how long, if that was asked for.
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
        """Take the members of the JSON object `TokenResult`."""
        super().__init__(document)
        for name in ("scopes", "warnings"):
            assign(self, name, tuple(document.get(name) or ()))
        assign(self, "account", Account(document["account"]))
        assign(self, "brokers", tuple(BrokerVisit(each) for each in document.get("brokers") or ()))
        assign(self, "extended_lifetime", bool(document.get("extended_lifetime")))
        failure = document.get("refresh_error")
        assign(self, "refresh_error", error_inside(failure) if failure else None)
        explanation = document.get("explanation")
        assign(self, "explanation", Explanation(explanation) if explanation else None)

    @property
    def authorization_header(self) -> str:
        """The value of the `Authorization` header of a request to the resource, such as `Bearer eyJ0…`."""
        # Some servers return the type in lower case; resources expect the spelling of RFC 6750.
        scheme = "Bearer" if self.token_type.lower() == "bearer" else self.token_type
        return f"{scheme} {self.access_token}"


class DeviceCodePrompt(Value):
    """What to show to a person who signs in on another device (RFC 8628 section 3.2).

    Attributes:
        user_code: What the person enters.
        verification_uri: Where the person enters it.
        verification_uri_complete: The same with the code filled in, for a QR code, if the server has it.
        message: A sentence that says both; show it if you have nothing better.
        expires_on: When the code ends, in seconds since 1970.
        interval_seconds: How often the server is asked whether the person is done.
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
    """What a program is told while a person signs in in a browser.

    Attributes:
        url: The address of the provider's page, good for one sign-in.
        opens_browser: Whether a browser is opened with it; if not, show the address.
        reason: Why it is opened, or why not: one of the words in docs/interactive.md.
        redirect_uri: What the address at which the browser ends begins with.
        problem: What went wrong since the program was told the last time.
    """

    _required = ("url", "opens_browser")
    _optional = ("reason", "redirect_uri", "problem")
    __slots__ = ("opens_browser", "problem", "reason", "redirect_uri", "url")

    url: str
    opens_browser: bool
    reason: str | None
    redirect_uri: str | None
    problem: str | None
