# SPDX-License-Identifier: MIT
"""The calls of an application about accounts: they look into the store; only a sign-out may ask a server."""

from __future__ import annotations

from ._accounts import Account, CurrentAccount, names_of, only_name_of
from ._arguments import strings
from ._calls import ask, call, made, opened
from ._explain import Explanation
from ._json_text import encoded
from ._native import library
from ._signing_out import SignOutReport
from ._silent import default_scope, silent_request
from ._stopping import stoppable
from ._store_calls import StoreCalls, waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from ._cancellation import Cancellation
    from ._handles import ApplicationHandle
    from ._results import TokenResult
    from ._silent import SilentTokens


class AccountCalls(StoreCalls):
    """The part of an application that lists, finds and forgets accounts."""

    # The application's cached tokens.
    _tokens: SilentTokens

    def __init__(self, handle: ApplicationHandle) -> None:
        """Take over an application of the library."""
        super().__init__(handle)
        # The latest account list, and the response from which it was made.
        self._listed: tuple[bytes | None, tuple[Account, ...]] = (None, ())

    def get_accounts(
        self,
        *,
        home_account_id: str | None = None,
        username: str | None = None,
        local_account_id: str | None = None,
        environment: str | None = None,
        signed_in_only: bool = True,
        claims: bool = False,
        timeout: float | None = None,
    ) -> tuple[Account, ...]:
        """The accounts for which the store holds a sign-in that this application can use. Asks no server.

        What is None is left open.

        Args:
            home_account_id: The identifier that stays the same; without regard to case at Entra only.
            username: The name the person has in any tenant, whatever its case.
            local_account_id: The person's identifier in a tenant.
            environment: The account's `environment`, or another host of the same cloud.
            signed_in_only: False for also those who signed out, and accounts of other applications.
            claims: True for also the claims of their ID tokens, which takes longer.
            timeout: Seconds to wait at most while another process holds the store; ten without it. Then the call
                gives up with `RetryLater` (`store_busy`).

        Raises:
            SignInRequired: The store is damaged (`cache_damaged`); one that is missing or empty gives no accounts.
            StorageProblem: The store cannot be read, or its key cannot be had (`key_unavailable`).
        """
        request = _question(
            home_account_id=home_account_id, username=username, local_account_id=local_account_id,
            environment=environment, signed_in_only=signed_in_only, claims=claims, timeout=timeout,
        )  # fmt: skip
        is_plain = all(value is None for value in request.values())
        function = library().tessera_get_accounts
        status, answer = call(function, self._open(), None if is_plain else encoded(request))
        listed = self._listed
        if status == 0 and answer == listed[0]:
            return listed[1]
        document = opened(status, answer)
        accounts = tuple(made(Account, each) for each in document.get("accounts") or ())
        if is_plain:
            self._listed = (answer, accounts)
        return accounts

    def get_account(
        self,
        *,
        home_account_id: str | None = None,
        username: str | None = None,
        local_account_id: str | None = None,
        environment: str | None = None,
        signed_in_only: bool = True,
        claims: bool = False,
        timeout: float | None = None,
    ) -> Account:
        """Find one account, by exactly one of its names. Asks no server and never guesses.

        Args:
            home_account_id: The identifier that stays the same.
            username: The name the person has in any tenant, whatever its case.
            local_account_id: The person's identifier in a tenant.
            environment: The account's `environment`, for a name that several providers use.
            signed_in_only: As for `get_accounts`.
            claims: As for `get_accounts`.
            timeout: As for `get_accounts`.

        Raises:
            SignInRequired: There is no such account (`account_not_found`).
            InvalidRequest: Several accounts fit (`ambiguous_account`): `accounts` of the error has them.
        """
        request = _question(
            home_account_id=home_account_id, username=username, local_account_id=local_account_id,
            environment=environment, signed_in_only=signed_in_only, claims=claims, timeout=timeout,
        )  # fmt: skip
        document = ask(library().tessera_get_account, self._open(), encoded(request))
        return made(Account, document.get("account") or {})

    def get_current_account(self, *, timeout: float | None = None) -> CurrentAccount:
        """Who uses a program that is for one person at a time, and who did at the last such call. Asks no server.

        Who it is now is remembered in the store, for every process of the program. Another person than before says
        that the program must forget what it keeps of that one.

        Args:
            timeout: As for `get_accounts`.

        Raises:
            InvalidRequest: Several have signed in (`ambiguous_account`): `accounts` of the error has them.
        """
        request = encoded(waiting(timeout))
        document = ask(library().tessera_get_current_account, self._open(), request)
        return made(CurrentAccount, document)

    def remove_account(self, account: Account | str, *, timeout: float | None = None) -> bool:
        """Forget an account: its tokens for this application, everywhere on this machine.

        Asks no server, so it works without a network; the person stays signed in to other applications.

        Args:
            account: The account, or its home account id.
            timeout: As for `get_accounts`; when the call gives up, nothing was removed.

        Returns:
            False if nothing was there.
        """
        home, place = names_of(account)
        request = encoded({
            "home_account_id": home, "username": only_name_of(account), "environment": place,
            **waiting(timeout),
        })  # fmt: skip
        document = ask(library().tessera_remove_account, self._open(), request)
        self._tokens.forget()
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
        """A token as ADAL's `acquireTokenSilentWithResource:clientId:redirectUri:userId:` got it.

        Client id and redirect URI are the application's. An account that only the cache of ADAL has is found as
        well, and has an identifier afterwards.

        Args:
            resource: What the token is for, such as `https://graph.microsoft.com`.
            user_id: What the person signs in with (ADAL: `userId`), whatever its case.
            authority: As for `acquire_token_silent`, like all others.
            timeout: Seconds after which the call gives up with `Cancelled` (`deadline_exceeded`).
            correlation_id: An id for the server's logs; otherwise a new one.
            cancellation: A way to stop the call from another thread.

        Raises:
            InvalidRequest: Several people have the name (`ambiguous_account`); `accounts` has them all.
            TesseraError: Otherwise as `acquire_token_silent`.
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
        """What `acquire_token_silent` would do with the same arguments now, and why: a dry run.

        Asks no server and redeems nothing. Every token that the store has of the account is listed, with why it
        would be used or not; what would end the call itself is in `error`, and not raised.

        Args:
            scopes: As for `acquire_token_silent`, like all others.
            account: The account, or its home account id.
            authority: Another authority than the application's.
            force_refresh: As if a new token were wanted in any case.
            claims: As if a resource had sent this challenge.
            timeout: As for `get_accounts`.
        """
        wanted = strings(scopes, "scopes")
        home, place = names_of(account)
        key = (home, wanted, authority, claims, timeout, place, only_name_of(account))
        request = silent_request(key, force_refresh=force_refresh)
        return made(Explanation, ask(library().tessera_explain, self._open(), request))

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
        """Sign somebody out, and say what went and what stays where.

        What lies on this machine goes first, in one commit, and whatever the network does; then the provider is
        asked for what is wanted of it. What it does not do is in the report, and not raised.

        Args:
            account: The account, or its home account id; not wanted for the scope `machine`.
            scope: `application`: the others keep their tokens. `every_application`: all that share the store.
                `machine`: every account of every application; the store is emptied.
            revoke_tokens: Whether the provider is asked to revoke the refresh tokens (RFC 7009).
            end_session: Whether the address is wanted at which a browser ends its session.
            post_logout_redirect_uri: Where the browser goes after that; the provider must know it.
            from_broker: Whether the identity broker of this machine forgets the account for this application too;
                for `machine` every account that it has for it.
            authority: The authority that is asked; None for the application's.
            timeout: Seconds after which the call gives up asking the provider.
            correlation_id: An id for the provider's logs; otherwise a new one.
            cancellation: A way to stop asking the provider from another thread.

        Raises:
            RetryLater: Another process holds the store (`store_busy`); nothing was removed.
        """
        home, place = names_of(account)
        request = encoded({
            "home_account_id": home, "username": only_name_of(account), "environment": place,
            "scope": scope,
            "revoke_tokens": True if revoke_tokens else None,
            "end_session": True if end_session else None,
            "post_logout_redirect_uri": post_logout_redirect_uri,
            "from_broker": True if from_broker else None, "authority": authority,
            "correlation_id": correlation_id, **waiting(timeout),
        })  # fmt: skip
        function = library().tessera_sign_out
        answer = stoppable(function, self._open(), request, cancellation=cancellation)
        self._tokens.forget()
        return made(SignOutReport, opened(*answer))


def _question(
    *,
    home_account_id: str | None,
    username: str | None,
    local_account_id: str | None,
    environment: str | None,
    signed_in_only: bool,
    claims: bool,
    timeout: float | None,
) -> dict[str, object]:
    """Which accounts are wanted. What is as usual is None: the plain list is answered faster."""
    return {
        "home_account_id": home_account_id,
        "username": username,
        "local_account_id": local_account_id,
        "environment": environment,
        "signed_in_only": None if signed_in_only else False,
        "claims": True if claims else None,
        **waiting(timeout),
    }
