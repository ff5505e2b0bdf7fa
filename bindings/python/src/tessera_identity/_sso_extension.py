# SPDX-License-Identifier: MIT
"""Requests to and responses of the single sign-on extension of Apple systems, for applications that send them."""

from __future__ import annotations

from ._calls import ApplicationPart, call_cancellable, create_value, parse_response
from ._json_text import encoded
from ._native import library
from ._requests import mapping, milliseconds, several
from ._results import TokenResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ._calls import Cancellation
    from ._values import Account


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
