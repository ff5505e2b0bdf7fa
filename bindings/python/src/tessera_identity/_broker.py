# SPDX-License-Identifier: MIT
"""Direct calls to the identity broker of this machine."""

from __future__ import annotations

from ._calls import ApplicationPart, call_cancellable, parse_response
from ._json_text import encoded
from ._native import library
from ._requests import several, timeout_member
from ._results import BrokerAccount, BrokerCookie

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ._calls import Cancellation


class BrokerCalls(ApplicationPart):
    """The methods of an application that call the identity broker directly, regardless of its `broker` setting.

    All methods can raise `ConfigurationError` (`broker_unavailable`: no session bus, broker or D-Bus library, or
    the version of the broker does not support the request) and `RetryLaterError` (`broker_unresponsive`: no
    response or an invalid one). They also raise the errors of the broker: `RetryLaterError` (`network_failed`,
    `server_unavailable`), `SignInRequiredError` (`interaction_required`, `account_not_found`, `account_mismatch`,
    `device_required`), `InvalidRequestError` (`request_rejected`), `ConfigurationError` (`client_rejected`,
    `invalid_authority`) and `CancelledError` (`access_denied`). `causes` of the error has the reason or the
    broker's error number.
    """

    def broker_version(
        self,
        *,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> str:
        """Returns the version of the broker. It can be used to detect a broker.

        Args:
            authority: The authority; its cloud determines the redirect URI. None for the application's.
            timeout: The timeout in seconds; by default 10, for signatures 30 and for cookies 40.
            correlation_id: The correlation ID for the broker's log; by default a new one.
            cancellation: Cancels the call from another thread.
        """
        request = _request(
            authority=authority, timeout=timeout, correlation_id=correlation_id
        )
        return str(self._call("tessera_application_get_broker_version", request, cancellation)["version"])

    def broker_accounts(
        self,
        *,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> tuple[BrokerAccount, ...]:
        """Returns the accounts that the broker has for this application, also those not signed in to it.

        Args:
            authority: See `broker_version`.
            timeout: See `broker_version`.
            correlation_id: See `broker_version`.
            cancellation: See `broker_version`.
        """
        request = _request(
            authority=authority, timeout=timeout, correlation_id=correlation_id
        )
        response = self._call("tessera_application_get_broker_accounts", request, cancellation)
        return tuple(BrokerAccount(each) for each in response["accounts"])

    def broker_sso_cookie(
        self,
        account: BrokerAccount | str,
        sso_url: str,
        *,
        scopes: Iterable[str] | None = None,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> tuple[BrokerCookie, ...]:
        """Returns the cookies that sign a browser in with an account of the broker.

        The cookies are equivalent to the user's password. Send them only to that page, and do not store them.

        Args:
            account: The account, or its home account ID.
            sso_url: The URL of the sign-in page, with the `sso_nonce` from the page.
            scopes: The scopes that the browser requests; None for Microsoft Graph.
            authority: See `broker_version`.
            timeout: See `broker_version`.
            correlation_id: See `broker_version`.
            cancellation: See `broker_version`.

        Raises:
            InvalidRequestError: `sso_url` is not a page of the authority's cloud.
            SignInRequiredError: The broker does not have the account (`account_not_found`).
        """
        request = {
            "home_account_id": _home_account_id(account), "sso_url": sso_url,
            "scopes": several(scopes, "scopes"),
            **_request(authority=authority, timeout=timeout, correlation_id=correlation_id),
        }  # fmt: skip
        response = self._call("tessera_application_get_broker_sso_cookie", request, cancellation)
        return tuple(BrokerCookie(each) for each in response["cookies"])

    def broker_signed_http_request(
        self,
        account: BrokerAccount | str,
        http_method: str,
        url: str,
        *,
        nonce: str | None = None,
        client_claims: str | None = None,
        key_id: str | None = None,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> str:
        """Returns a signature of a request to a resource with a key of the broker (proof of possession).

        Args:
            account: The account, or its home account ID.
            http_method: The HTTP method, such as `GET`.
            url: The URL of the request; its host and path are signed.
            nonce: The nonce of the resource.
            client_claims: Additional claims, as JSON text.
            key_id: The ID of the key; None for a key chosen by the broker.
            authority: See `broker_version`.
            timeout: See `broker_version`.
            correlation_id: See `broker_version`.
            cancellation: See `broker_version`.

        Raises:
            InvalidRequestError: `url` has no host, or a value to sign is empty (`invalid_member`).
        """
        request = {
            "home_account_id": _home_account_id(account), "http_method": http_method, "url": url,
            "nonce": nonce, "client_claims": client_claims, "key_id": key_id,
            **_request(authority=authority, timeout=timeout, correlation_id=correlation_id),
        }  # fmt: skip
        response = self._call("tessera_application_get_broker_signed_http_request", request, cancellation)
        return str(response["signed_http_request"])

    def _call(
        self, name: str, request: dict[str, object], cancellation: Cancellation | None
    ) -> dict[str, Any]:
        handle, function = self._open(), getattr(library(), name)
        response = call_cancellable(function, handle, encoded(request), cancellation=cancellation)
        return parse_response(*response)


def _request(
    *, authority: str | None, timeout: float | None, correlation_id: str | None
) -> dict[str, object]:
    return {"authority": authority, "correlation_id": correlation_id, **timeout_member(timeout)}


def _home_account_id(account: BrokerAccount | str) -> str:
    return account if isinstance(account, str) else account.home_account_id
