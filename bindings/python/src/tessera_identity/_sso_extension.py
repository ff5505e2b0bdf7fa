# SPDX-License-Identifier: MIT
"""Requests to and responses of the single sign-on extension of Apple systems, for applications that send them."""

from __future__ import annotations

from ._arguments import mapping, several
from ._calls import ApplicationPart, call_cancellable, call_json, create_value, parse_response
from ._json_text import encoded
from ._native import library
from ._results import TokenResult
from ._silent import milliseconds
from ._values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ._accounts import Account
    from ._calls import Cancellation


class SSOExtensionOperation(Value):
    """A request to the extension, in the form of Apple's classes. `repr()` does not show its options.

    Attributes:
        operation: The `requestedOperation` of an `ASAuthorizationSingleSignOnRequest`.
        options: The query items of its `authorizationOptions`, by name.
    """

    _required = ("operation", "options")
    _hidden = frozenset({"options"})
    __slots__ = _required

    operation: str
    options: dict[str, str]


class SSOExtensionAnswer(Value):
    """An unverified response of the extension. `repr()` shows no credentials.

    docs/brokers.md describes the members of the dictionaries. Attributes that the type of response does not have
    are None.

    Attributes:
        operation: The operation of the request.
        type: The type of the response (`operation_response_type`).
        succeeded: Whether the operation succeeded.
        device: The properties of the device and the broker.
        app_version: The version of the broker application.
        received_on: The time when the extension received the request, in seconds since 1970.
        answered_on: The time when the extension sent the response, in seconds since 1970.
        accounts: The accounts of the broker.
        account: The account of the device.
        cookies: The header fields that sign a browser in: `people` and `devices`.
        tokens: The description of the tokens; `store_sso_extension_tokens` validates and returns them.
        passkey_assertion: The passkey signature, in hexadecimal digits.
        passkey_credential: The passkey of the broker, in hexadecimal digits.
        browser_answer: The response to a page's message.
        contracts: The methods of page messages that the broker supports.
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
    """Creates a request to the extension. Nothing is sent.

    Args:
        operation: The name of the operation, such as `login` or `refresh`; docs/brokers.md lists all operations.
        broker_key: The application's key for its broker: 32 bytes in base64url.
        without_broker_key: True for a macOS application without a broker key.
        members: The other members of "SSOExtensionRequest" in docs/brokers.md, such as `authority` and `scopes`.

    Raises:
        InvalidRequestError: A required member is missing (`missing_parameter`) or invalid.
    """
    request = {
        "operation": operation,
        "broker_key": broker_key,
        "without_broker_key": without_broker_key,
        **members,
    }
    return create_value(
        SSOExtensionOperation, call_json(library().tessera_sso_extension_request, encoded(request))
    )


def sso_extension_response(headers: Mapping[str, str]) -> SSOExtensionAnswer:
    """Parses a response of the extension. Nothing is sent or stored.

    Args:
        headers: The `allHeaderFields` of the `authenticatedResponse`.

    Raises:
        SignInRequiredError: The response is invalid (`sso_extension_failed`), or contains an error of the server.
        ConfigurationError: The response contains an error of the server, such as `protection_policy_required`.
    """
    return create_value(SSOExtensionAnswer, _outcome({"headers": mapping(headers)}))


def sso_extension_error(
    domain: str,
    code: int,
    *,
    message: str | None = None,
    details: Mapping[str, str] | None = None,
    underlying: Mapping[str, object] | None = None,
) -> None:
    """Raises the error that corresponds to an `NSError` of the extension.

    Args:
        domain: The `domain` of the error.
        code: The `code` of the error.
        message: The `localizedDescription` of the error.
        details: The members of `userInfo` that are strings.
        underlying: The `NSUnderlyingErrorKey`, as a dictionary with `domain`, `code`, `message` and `details`.

    Raises:
        SignInRequiredError: `interaction_required`: send a `login` request. `sso_extension_failed`: sign in with a
            browser. Or an error of the server or the broker.
        ConfigurationError: `protection_policy_required`, or another error of the server.
        CancelledError: The user closed the page (`access_denied`).
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
    return call_json(library().tessera_sso_extension_response, encoded(request))


class SSOExtensionTokens(ApplicationPart):
    """The method of an application that stores tokens of the extension."""

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
        """Validates the tokens in a response of the extension, and stores them.

        The issuer, application, tenant, nonce, account and scopes must match the request. On a shared device, the
        access token is returned but not stored.

        Args:
            headers: The `allHeaderFields` of the `authenticatedResponse`.
            scopes: The requested scopes.
            authority: The requested authority, if it differs from the application's.
            account: The requested account, or its home account ID.
            accept_other_account: Whether tokens of another account than `account` are accepted.
            nonce: The nonce of the request, if it had one.
            claims: The claims challenge of the request; older tokens are then removed.
            timeout: The timeout in seconds. The call then raises `CancelledError` (`deadline_exceeded`).
            correlation_id: The correlation ID of the request.
            cancellation: Cancels the call from another thread.

        Returns:
            The access token with its account, scopes and expiry time.

        Raises:
            SignInRequiredError: The tokens belong to a different account (`account_mismatch`), the response is
                invalid, or it contains an error of the server.
            ConfigurationError: The tokens belong to another authority or application, or the response contains
                an error of the server.
            RetryLaterError: The network, the server or the store is unavailable.
        """
        request = encoded({
            "headers": mapping(headers), "scopes": several(scopes, "scopes"), "authority": authority,
            "home_account_id": account if account is None or isinstance(account, str)
            else account.home_account_id,
            "accept_other_account": accept_other_account, "nonce": nonce, "claims": claims,
            "timeout_milliseconds": milliseconds(timeout), "correlation_id": correlation_id,
        })  # fmt: skip
        function = library().tessera_application_store_sso_extension_response
        response = call_cancellable(function, self._open(), request, cancellation=cancellation)
        return create_value(TokenResult, parse_response(*response))
