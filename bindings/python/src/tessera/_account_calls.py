# SPDX-License-Identifier: MIT
"""The calls of an application about accounts and the store: they look into the store and ask no server."""

from __future__ import annotations

from ._accounts import Account
from ._calls import ask, call, made, opened
from ._errors import InvalidRequest
from ._explain import Explanation
from ._json_text import encoded
from ._native import library
from ._silent import milliseconds, silent_request
from ._store import StoreInfo, key_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._handles import ApplicationHandle
    from ._silent import Key, Known


class AccountCalls:
    """The part of an application that lists, finds and forgets accounts, and describes the store."""

    # What the application keeps at hand of cached tokens.
    _known: dict[Key, Known]

    def __init__(self, handle: ApplicationHandle) -> None:
        """Take over an application of the library."""
        self._handle: ApplicationHandle | None = handle
        # The latest list of accounts, and the answer that it was made from.
        self._listed: tuple[bytes | None, tuple[Account, ...]] = (None, ())

    def get_accounts(self, *, timeout: float | None = None) -> tuple[Account, ...]:
        """The accounts for which the store holds a sign-in that this application can use. Asks no server.

        Args:
            timeout: Seconds to wait at most while another process holds the store; ten without it. Then the call
                gives up with `RetryLater` (`store_busy`).
        """
        request = None if timeout is None else encoded(_timeout(timeout))
        status, answer = call(library().tessera_get_accounts, self._open(), request)
        listed = self._listed
        if status == 0 and answer == listed[0]:
            return listed[1]
        document = opened(status, answer)
        accounts = tuple(made(Account, each) for each in document.get("accounts") or ())
        self._listed = (answer, accounts)
        return accounts

    def get_account(
        self,
        *,
        home_account_id: str | None = None,
        username: str | None = None,
        environment: str | None = None,
        timeout: float | None = None,
    ) -> Account:
        """Find one account, by exactly one of its names. Asks no server and never guesses.

        Args:
            home_account_id: The identifier that stays the same.
            username: The name the person signs in with, whatever its case.
            environment: The account's `environment`, for a name that several providers use.
            timeout: As for `get_accounts`.

        Raises:
            SignInRequired: There is no such account (`account_not_found`).
            InvalidRequest: Several accounts fit (`ambiguous_account`): `accounts` of the error has them.
        """
        names = {"home_account_id": home_account_id, "username": username}
        request = encoded({**names, "environment": environment, **_timeout(timeout)})
        document = ask(library().tessera_get_account, self._open(), request)
        return made(Account, document.get("account") or {})

    def remove_account(self, account: Account | str, *, timeout: float | None = None) -> bool:
        """Forget an account: its tokens for this application, everywhere on this machine.

        Asks no server, so it works without a network; the person stays signed in to other applications.

        Args:
            account: The account, or its home account id.
            timeout: As for `get_accounts`; when the call gives up, nothing was removed.

        Returns:
            False if nothing was there.
        """
        if isinstance(account, str):
            names = {"home_account_id": account}
        else:
            names = {"home_account_id": account.home_account_id, "environment": account.environment}
        request = encoded({**names, **_timeout(timeout)})
        document = ask(library().tessera_remove_account, self._open(), request)
        self._known.clear()
        return bool(document.get("removed"))

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
        if isinstance(scopes, str):
            raise TypeError("scopes must be several strings, such as a list, not one string")
        name = account if isinstance(account, str) else account.home_account_id
        request = silent_request(
            (name, tuple(scopes), authority, claims, timeout), None, force_refresh=force_refresh
        )
        return made(Explanation, ask(library().tessera_explain, self._open(), request))

    def store_info(self, *, timeout: float | None = None) -> StoreInfo:
        """What the store is like, what protects it, what was tried for its key and why that failed.

        Makes and changes nothing. What is wrong is in `problem`, and not raised.

        Args:
            timeout: As for `get_accounts`; when it has passed, `state` is `busy`.
        """
        request = encoded(_timeout(timeout))
        return made(StoreInfo, ask(library().tessera_store_info, self._open(), request))

    def rotate_store_key(
        self, new_key: bytes | bytearray | None = None, *, timeout: float | None = None
    ) -> bool:
        """Give the store a new key, and seal every record with it: all of them or none.

        Programs that have the store open go on, unless they keep the key themselves.

        Args:
            new_key: The new key, 32 bytes, if the program keeps it itself; wanted then, and refused otherwise.
            timeout: As for `get_accounts`, for all that the call does.

        Returns:
            False if there is no store that could be sealed, or if it stays in clear.

        Raises:
            InvalidRequest: The new key is missing, not wanted, or the old one.
            StorageProblem: The old key cannot be had (`key_unavailable`), or the new one would protect less
                (`encryption_unavailable`). Nothing was changed.
        """
        request = encoded({"new_store_key": key_text(new_key), **_timeout(timeout)})
        document = ask(library().tessera_store_rotate_key, self._open(), request)
        return bool(document.get("rotated"))

    def _open(self) -> ApplicationHandle:
        handle = self._handle
        if handle is None:
            raise InvalidRequest("The application is closed.", {"code": "missing_parameter"})
        return handle


def _timeout(seconds: float | None) -> dict[str, int | None]:
    return {"timeout_milliseconds": milliseconds(seconds)}
