# SPDX-License-Identifier: MIT
"""What the identity broker of this machine does besides giving tokens."""

from __future__ import annotations

from ._arguments import several
from ._calls import opened
from ._handles import Part
from ._json_text import encoded
from ._native import library
from ._stopping import stoppable
from ._store_calls import waiting
from ._values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ._cancellation import Cancellation


class BrokerAccount(Value):
    """An account that the identity broker has; it need not have signed in to the application.

    Attributes:
        home_account_id: The identifier that stays with the person, for `acquire_token_silent(account=…)`.
        local_account_id: The object id in the tenant of the entry.
        environment: The host of the cloud.
        tenant_id: The tenant of the entry.
        username: What the person signs in with.
        name: The person's name.
        given_name: The person's given name.
        family_name: The person's family name.
    """

    _required = ("home_account_id",)
    _optional = (
        "local_account_id", "environment", "tenant_id", "username", "name", "given_name", "family_name",
    )  # fmt: skip
    __slots__ = (*_required, *_optional)

    home_account_id: str
    local_account_id: str | None
    environment: str | None
    tenant_id: str | None
    username: str | None
    name: str | None
    given_name: str | None
    family_name: str | None


class BrokerCookie(Value):
    """A cookie for the provider's pages; whoever has its content is signed in. Printing does not show that.

    Attributes:
        name: Its name, such as `x-ms-RefreshTokenCredential`.
        content: Its content.
    """

    _required = ("name", "content")
    _hidden = frozenset({"content"})
    __slots__ = _required

    name: str
    content: str


class BrokerCalls(Part):
    """The part of an application that asks the broker in so many words, whatever `broker` was set to.

    All calls can raise `ConfigurationProblem` (`broker_unavailable`: there is no session bus, no broker, no
    library for D-Bus, or its version cannot do it), `RetryLater` (`broker_unresponsive`: it did not answer, or not
    with an answer), and what the broker itself says: `RetryLater` (`network_failed`, `server_unavailable`),
    `SignInRequired` (`interaction_required`, `account_not_found`, `account_mismatch`, `device_required`),
    `InvalidRequest` (`request_rejected`), `ConfigurationProblem` (`client_rejected`, `invalid_authority`),
    `Cancelled` (`access_denied`). `causes` of the error has the reason in a word, or the broker's number.
    """

    def broker_version(
        self,
        *,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> str:
        """The version of the broker, which says that there is one.

        Args:
            authority: The authority, whose cloud says which redirect URI is named; None for the application's.
            timeout: Seconds after which the call gives up; None for ten (signatures thirty, cookies forty).
            correlation_id: An id for the broker's log; otherwise a new one.
            cancellation: A way to stop the call from another thread.
        """
        request = _request(
            authority=authority, timeout=timeout, correlation_id=correlation_id
        )
        return str(self._ask("tessera_broker_version", request, cancellation)["version"])

    def broker_accounts(
        self,
        *,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> tuple[BrokerAccount, ...]:
        """The accounts that the broker has for this application, whether or not they have signed in to it.

        Args:
            authority: As for `broker_version`, like all others.
            timeout: As for `broker_version`.
            correlation_id: As for `broker_version`.
            cancellation: As for `broker_version`.
        """
        request = _request(
            authority=authority, timeout=timeout, correlation_id=correlation_id
        )
        answer = self._ask("tessera_broker_accounts", request, cancellation)
        return tuple(BrokerAccount(each) for each in answer["accounts"])

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
        """The cookies that sign a browser in as an account of the broker.

        Send them to that page alone, and write them nowhere: they are as good as the person's password.

        Args:
            account: The account, or its home account id.
            sso_url: The address of the sign-in page, with the `sso_nonce` that the page gave.
            scopes: What the browser asks for; None for Graph.
            authority: As for `broker_version`, like all others.
            timeout: As for `broker_version`.
            correlation_id: As for `broker_version`.
            cancellation: As for `broker_version`.

        Raises:
            InvalidRequest: `sso_url` is no page of the authority's cloud.
            SignInRequired: The broker does not have the account (`account_not_found`).
        """
        request = {
            "home_account_id": _home(account), "sso_url": sso_url,
            "scopes": several(scopes, "scopes"),
            **_request(authority=authority, timeout=timeout, correlation_id=correlation_id),
        }  # fmt: skip
        answer = self._ask("tessera_broker_sso_cookie", request, cancellation)
        return tuple(BrokerCookie(each) for each in answer["cookies"])

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
        """A signature for a request to a resource with a key of the broker's (proof of possession).

        Args:
            account: The account, or its home account id.
            http_method: The method of the request, such as `GET`.
            url: The address of the request; its host and path are signed.
            nonce: The nonce of the resource.
            client_claims: Further claims, as JSON text.
            key_id: The key; None lets the broker choose.
            authority: As for `broker_version`, like all others.
            timeout: As for `broker_version`.
            correlation_id: As for `broker_version`.
            cancellation: As for `broker_version`.

        Raises:
            InvalidRequest: `url` has no host, or something to be signed is empty (`invalid_member`).
        """
        request = {
            "home_account_id": _home(account), "http_method": http_method, "url": url,
            "nonce": nonce, "client_claims": client_claims, "key_id": key_id,
            **_request(authority=authority, timeout=timeout, correlation_id=correlation_id),
        }  # fmt: skip
        answer = self._ask("tessera_broker_signed_http_request", request, cancellation)
        return str(answer["signed_http_request"])

    def _ask(
        self, name: str, request: dict[str, object], cancellation: Cancellation | None
    ) -> dict[str, Any]:
        handle, function = self._open(), getattr(library(), name)
        return opened(*stoppable(function, handle, encoded(request), cancellation=cancellation))


def _request(
    *, authority: str | None, timeout: float | None, correlation_id: str | None
) -> dict[str, object]:
    return {"authority": authority, "correlation_id": correlation_id, **waiting(timeout)}


def _home(account: BrokerAccount | str) -> str:
    return account if isinstance(account, str) else account.home_account_id
