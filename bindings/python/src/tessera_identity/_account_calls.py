# SPDX-License-Identifier: MIT
"""The account methods of an application. They read the store; only a sign-out can send requests."""

from __future__ import annotations

from ._calls import ApplicationPart, call, call_cancellable, call_json, create_value, parse_response
from ._json_text import encoded
from ._native import library
from ._requests import account_query, default_scope, silent_request, strings, timeout_member
from ._results import Explanation, SignOutReport
from ._unsupported import unsupported_arguments
from ._values import Account, CurrentAccount, identifiers_of, username_without_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal, NoReturn

    from ._calls import Cancellation
    from ._results import TokenResult
    from ._silent import SilentTokens


class AccountCalls(ApplicationPart):
    """The methods of an application that list, find, explain and sign out accounts."""

    # The results of earlier silent calls.
    _tokens: SilentTokens
    # The response of the latest unrestricted call, and the accounts parsed from it.
    _latest_list: tuple[bytes | None, tuple[Account, ...]] = (None, ())

    def get_accounts(
        self,
        /,
        *_positional: NoReturn,
        home_account_id: str | None = None,
        username: str | None = None,
        local_account_id: str | None = None,
        environment: str | None = None,
        signed_in_only: bool = True,
        claims: bool = False,
        timeout: float | None = None,
        **_unsupported: NoReturn,
    ) -> tuple[Account, ...]:
        """Returns the accounts for which the store contains a sign-in that this application can use.

        No server request is sent. Arguments that are None do not restrict the result.

        Args:
            home_account_id: The home account ID; case-insensitive for Entra accounts only.
            username: The user name in any tenant, case-insensitive.
            local_account_id: The account ID in one tenant.
            environment: The account's `environment`, or another host of the same cloud.
            signed_in_only: Pass False to include signed-out accounts, and accounts of other applications.
            claims: Pass True to include the claims of the ID tokens, which takes longer.
            timeout: The timeout in seconds while another process holds the store; 10 by default. The call then
                raises `RetryLaterError` (`store_busy`).

        Returns:
            The accounts; empty if the store does not exist or is empty.

        Raises:
            SignInRequiredError: The store is damaged (`cache_damaged`).
            StorageError: The store cannot be read, or its key is not available (`key_unavailable`).
        """
        if _positional or _unsupported:
            raise unsupported_arguments("get_accounts", _positional, _unsupported)
        request = account_query(
            home_account_id=home_account_id, username=username, local_account_id=local_account_id,
            environment=environment, signed_in_only=signed_in_only, claims=claims, timeout=timeout,
        )  # fmt: skip
        is_plain = all(value is None for value in request.values())
        function = library().tessera_application_get_accounts
        status, response = call(function, self._open(), None if is_plain else encoded(request), None)
        latest = self._latest_list
        if status == 0 and response == latest[0]:
            return latest[1]
        document = parse_response(status, response)
        accounts = tuple(create_value(Account, each) for each in document.get("accounts") or ())
        if is_plain:
            self._latest_list = (response, accounts)
        return accounts

    def get_account(
        self,
        /,
        *_positional: NoReturn,
        home_account_id: str | None = None,
        username: str | None = None,
        local_account_id: str | None = None,
        environment: str | None = None,
        signed_in_only: bool = True,
        claims: bool = False,
        timeout: float | None = None,
        **_unsupported: NoReturn,
    ) -> Account:
        """Returns the account that matches one identifier; pass exactly one of the first three.

        No server request is sent. The method never chooses between several accounts.

        Args:
            home_account_id: The home account ID.
            username: The user name in any tenant, case-insensitive.
            local_account_id: The account ID in one tenant.
            environment: The account's `environment`, for a user name that several providers use.
            signed_in_only: See `get_accounts`.
            claims: See `get_accounts`.
            timeout: See `get_accounts`.

        Raises:
            SignInRequiredError: No account matches (`account_not_found`).
            InvalidRequestError: Several accounts match (`ambiguous_account`); they are in `accounts` of the error.
        """
        if _positional or _unsupported:
            raise unsupported_arguments("get_account", _positional, _unsupported)
        request = account_query(
            home_account_id=home_account_id, username=username, local_account_id=local_account_id,
            environment=environment, signed_in_only=signed_in_only, claims=claims, timeout=timeout,
        )  # fmt: skip
        function = library().tessera_application_get_account
        document = call_json(function, self._open(), encoded(request), None)
        return create_value(Account, document.get("account") or {})

    def get_current_account(self, *, timeout: float | None = None) -> CurrentAccount:
        """Returns the current account of a single-account application, and the previous one. Sends no request.

        The store records the current account for all processes of the application. If it differs from the previous
        account, the application must discard the data of the previous user.

        Args:
            timeout: See `get_accounts`.

        Raises:
            InvalidRequestError: Several accounts are signed in (`ambiguous_account`); see `accounts` of the error.
        """
        request = encoded(timeout_member(timeout))
        document = call_json(library().tessera_application_get_current_account, self._open(), request, None)
        return create_value(CurrentAccount, document)

    def remove_account(self, account: Account | str, *, timeout: float | None = None) -> bool:
        """Removes an account's tokens for this application from the store.

        No server request is sent, so it works offline. The user stays signed in to other applications.

        Args:
            account: The account, or its home account ID.
            timeout: See `get_accounts`. If the call times out, nothing was removed.

        Returns:
            False if the store had no tokens of the account.
        """
        home, environment = identifiers_of(account)
        request = encoded({
            "home_account_id": home, "username": username_without_id(account),
            "environment": environment, **timeout_member(timeout),
        })  # fmt: skip
        document = call_json(library().tessera_application_remove_account, self._open(), request, None)
        self._tokens.clear()
        return bool(document.get("removed"))

    def acquire_token_silent_with_resource(
        self,
        resource: str,
        user_id: str,
        *,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> TokenResult:
        """Acquires an access token like ADAL's `acquireTokenSilentWithResource:clientId:redirectUri:userId:`.

        The client ID and the redirect URI are those of the application. Accounts that exist only in a migrated
        ADAL cache are found too; they have a home account ID afterwards.

        Args:
            resource: The resource, such as `https://graph.microsoft.com`.
            user_id: The user name (ADAL: `userId`), case-insensitive.
            authority: The authority to use instead of the application's.
            timeout: The timeout in seconds. The call then raises `CancelledError` (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            cancellation: Cancels the call from another thread.

        Returns:
            The access token with its account, scopes and expiry time.

        Raises:
            InvalidRequestError: Several accounts have the user name (`ambiguous_account`); they are in `accounts`
                of the error.
            TesseraError: See `acquire_token_silent`.
        """
        key = ("", (default_scope(resource),), authority, None, timeout, None, user_id)
        return self._tokens.acquire(
            self._open(), key, cancellation=cancellation, correlation_id=correlation_id,
            force_refresh=False, explain=False,
        )  # fmt: skip

    def explain(
        self,
        scopes: Iterable[str],
        *,
        account: Account | str,
        authority: str | None = None,
        force_refresh: bool = False,
        claims: str | None = None,
        timeout: float | None = None,
    ) -> Explanation:
        """Explains what `acquire_token_silent` would do with the same arguments: a dry run.

        No request is sent and no token is redeemed. The result lists all tokens of the account in the store, with
        the reasons why each would be used or not. An error that would end the call is in `error` and is not
        raised.

        Args:
            scopes: The requested scopes, such as `["User.Read"]`.
            account: The account, or its home account ID.
            authority: The authority to use instead of the application's.
            force_refresh: Explain a call with `force_refresh`.
            claims: Explain a call with this claims challenge.
            timeout: See `get_accounts`.
        """
        requested = strings(scopes, "scopes")
        home, environment = identifiers_of(account)
        username = username_without_id(account)
        key = (home, requested, authority, claims, timeout, environment, username)
        request = silent_request(key, force_refresh=force_refresh)
        document = call_json(library().tessera_application_explain, self._open(), request, None)
        return create_value(Explanation, document)

    def sign_out(
        self,
        account: Account | str | None = None,
        *,
        scope: Literal["application", "every_application", "machine"] = "application",
        revoke_tokens: bool = False,
        end_session: bool = False,
        post_logout_redirect_uri: str | None = None,
        from_broker: bool = False,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> SignOutReport:
        """Signs an account out, and reports what was removed and what remains.

        The data on this machine is removed first, in one commit, independently of the network. Then the requested
        requests are sent to the provider. Their failures are in the report and are not raised.

        Args:
            account: The account, or its home account ID; must be None for the scope `machine`.
            scope: `application` keeps the tokens of other applications. `every_application` removes those of all
                applications that share the store. `machine` removes all accounts of all applications and empties
                the store.
            revoke_tokens: Whether to revoke the refresh tokens at the provider (RFC 7009).
            end_session: Whether to return the URL at which a browser ends its session.
            post_logout_redirect_uri: The URI to which the browser is redirected afterwards; it must be registered.
            from_broker: Whether to remove the account from the identity broker for this application too; for
                `machine`, all accounts that the broker has for it.
            authority: The authority to use instead of the application's.
            timeout: The timeout in seconds for the requests to the provider.
            correlation_id: The correlation ID sent to the server; by default a new one.
            cancellation: Cancels the requests to the provider from another thread.

        Returns:
            The removed and the remaining records, and the results of the requests.

        Raises:
            RetryLaterError: Another process holds the store (`store_busy`); nothing was removed.
        """
        home, environment = identifiers_of(account)
        request = encoded({
            "home_account_id": home, "username": username_without_id(account),
            "environment": environment, "scope": scope,
            "revoke_tokens": True if revoke_tokens else None,
            "end_session": True if end_session else None,
            "post_logout_redirect_uri": post_logout_redirect_uri,
            "from_broker": True if from_broker else None, "authority": authority,
            "correlation_id": correlation_id, **timeout_member(timeout),
        })  # fmt: skip
        function = library().tessera_application_sign_out
        response = call_cancellable(function, self._open(), request, cancellation=cancellation)
        self._tokens.clear()
        return create_value(SignOutReport, parse_response(*response))
