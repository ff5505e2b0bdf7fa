# SPDX-License-Identifier: MIT
"""The single sign-on extension of Apple systems: its requests and answers, for a program that sends them."""

from __future__ import annotations

from ._arguments import mapping, several
from ._calls import ask, made, opened
from ._handles import Part
from ._json_text import encoded
from ._native import library
from ._results import TokenResult
from ._silent import milliseconds
from ._stopping import stoppable
from ._values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ._accounts import Account
    from ._cancellation import Cancellation


class SSOExtensionOperation(Value):
    """A request to the extension, as Apple's classes take it. Printing it does not show its options.

    Attributes:
        operation: `requestedOperation` of an `ASAuthorizationSingleSignOnRequest`.
        options: The query items of its `authorizationOptions`, by name.
    """

    _required = ("operation", "options")
    _hidden = frozenset({"options"})
    __slots__ = _required

    operation: str
    options: dict[str, str]


class SSOExtensionAnswer(Value):
    """An answer of the extension. Nobody has checked it; printing it shows nothing that signs in.

    docs/brokers.md has the members of the dictionaries. Those that an answer of its type does not have are None.

    Attributes:
        operation: The operation that it answers.
        type: The kind of the answer (`operation_response_type`).
        succeeded: Whether the operation succeeded.
        device: What the device and the broker are like.
        app_version: The version of the broker's program.
        received_on: When the extension got the request, in seconds since 1970.
        answered_on: When it made the answer, in seconds since 1970.
        accounts: The accounts that the broker knows.
        account: The account of the device.
        cookies: Header fields that sign a browser in: `people` and `devices`.
        tokens: What tokens are for; `store_sso_extension_tokens` checks them and hands them out.
        passkey_assertion: What a passkey signed, in hexadecimal digits.
        passkey_credential: Which passkey the broker has, in hexadecimal digits.
        browser_answer: The answer to a page's message.
        contracts: The methods of pages' messages that the broker knows.
    """

    _required = ("operation", "type", "succeeded", "device")
    _optional = (
        "app_version", "received_on", "answered_on", "accounts", "account", "cookies", "tokens",
        "passkey_assertion", "passkey_credential", "browser_answer", "contracts",
    )  # fmt: skip
    _hidden = frozenset({"cookies", "browser_answer"})
    __slots__ = _required + _optional

    operation: str
    type: str
    succeeded: bool
    device: dict[str, Any]
    app_version: str | None
    received_on: int | None
    answered_on: int | None
    accounts: list[dict[str, Any]] | None
    account: dict[str, Any] | None
    cookies: dict[str, Any] | None
    tokens: dict[str, Any] | None
    passkey_assertion: dict[str, str] | None
    passkey_credential: dict[str, str] | None
    browser_answer: dict[str, Any] | None
    contracts: list[str] | None


def sso_extension_request(
    operation: str,
    *,
    broker_key: str | None = None,
    without_broker_key: bool | None = None,
    **members: object,
) -> SSOExtensionOperation:
    """Make a request to the extension. Nobody is asked.

    Args:
        operation: The name of the operation, such as `login` or `refresh`; docs/brokers.md lists them.
        broker_key: The program's key for its broker: 32 bytes in base64url.
        without_broker_key: True for a program on macOS that has none.
        members: The other members of "SSOExtensionRequest" in docs/brokers.md, such as `authority` and `scopes`.

    Raises:
        InvalidRequest: Something is missing that the extension must have (`missing_parameter`), or is wrong.
    """
    request = {
        "operation": operation,
        "broker_key": broker_key,
        "without_broker_key": without_broker_key,
        **members,
    }
    return made(
        SSOExtensionOperation, ask(library().tessera_sso_extension_request, encoded(request))
    )


def sso_extension_response(headers: Mapping[str, str]) -> SSOExtensionAnswer:
    """Read an answer of the extension. Nobody is asked, and nothing is stored.

    Args:
        headers: `allHeaderFields` of the `authenticatedResponse`.

    Raises:
        SignInRequired: It is no answer of the extension (`sso_extension_failed`), or a server's refusal.
        ConfigurationProblem: A server's refusal, such as `protection_policy_required`.
    """
    return made(SSOExtensionAnswer, _outcome({"headers": mapping(headers)}))


def sso_extension_error(
    domain: str,
    code: int,
    *,
    message: str | None = None,
    details: Mapping[str, str] | None = None,
    underlying: Mapping[str, object] | None = None,
) -> None:
    """Raise what an `NSError` of the extension means.

    Args:
        domain: Its `domain`.
        code: Its `code`.
        message: Its `localizedDescription`.
        details: The members of its `userInfo` that are strings.
        underlying: Its `NSUnderlyingErrorKey`, as a dictionary with `domain`, `code`, `message` and `details`.

    Raises:
        SignInRequired: `interaction_required`: ask again with `login`. `sso_extension_failed`: sign in on a page.
            Or what a server wants of the person, or the broker failed with.
        ConfigurationProblem: `protection_policy_required`, or another refusal.
        Cancelled: The person closed the page (`access_denied`).
    """
    error = {
        "domain": domain,
        "code": code,
        "message": message,
        "details": mapping(details),
        "underlying": None if underlying is None else dict(underlying),
    }
    _outcome({"error": {name: value for name, value in error.items() if value is not None}})


def _outcome(request: dict[str, Any]) -> dict[str, Any]:
    return ask(library().tessera_sso_extension_response, encoded(request))


class SSOExtensionTokens(Part):
    """The part of an application that keeps what the extension answered."""

    def store_sso_extension_tokens(
        self,
        headers: Mapping[str, str],
        scopes: Iterable[str],
        *,
        authority: str | None = None,
        account: Account | str | None = None,
        accept_other_account: bool | None = None,
        nonce: str | None = None,
        claims: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> TokenResult:
        """Check the tokens of an answer of the extension, and store them like any others.

        Issuer, application, tenant, nonce, account and scopes must be those that were asked for. On a shared
        device, the access token is handed out and not stored.

        Args:
            headers: `allHeaderFields` of the `authenticatedResponse`.
            scopes: What was asked for.
            authority: The authority that was asked, if another than the application's.
            account: Who was asked for: the account, or its home account id.
            accept_other_account: Whether somebody else's tokens are welcome.
            nonce: The nonce that was sent, if one was.
            claims: The claims challenge that was passed on: older tokens are then forgotten.
            timeout: Seconds after which the call gives up with `Cancelled` (`deadline_exceeded`).
            correlation_id: The id that was sent along.
            cancellation: A way to stop the call from another thread.

        Raises:
            SignInRequired: Somebody else's tokens (`account_mismatch`), fewer scopes (`server_declined_scopes`,
                with the token in `result`), no answer of the extension, or a server's refusal.
            ConfigurationProblem: Tokens of another authority or application, or a server's refusal.
            RetryLater: The network, the server or the store is busy.
        """
        request = encoded({
            "headers": mapping(headers), "scopes": several(scopes, "scopes"), "authority": authority,
            "home_account_id": account if account is None or isinstance(account, str)
            else account.home_account_id,
            "accept_other_account": accept_other_account, "nonce": nonce, "claims": claims,
            "timeout_milliseconds": milliseconds(timeout), "correlation_id": correlation_id,
        })  # fmt: skip
        function = library().tessera_sso_extension_store
        answer = stoppable(function, self._open(), request, cancellation=cancellation)
        return made(TokenResult, opened(*answer))
