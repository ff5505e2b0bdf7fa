# SPDX-License-Identifier: MIT
"""The credential for asynchronous clients of the Azure SDK for Python: `TesseraCredential`."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from tessera_identity import SignInRequiredError
from tessera_identity.aio import nonblocking_view

from ._credential_base import CredentialBase, get_token_arguments, require_all_scopes
from ._sdk import access_token, access_token_info, sdk_errors

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable
    from types import TracebackType

    from azure.core.credentials import AccessToken, AccessTokenInfo, TokenRequestOptions

    from tessera_identity import Account, TokenResult

    from ._credential_base import TokenRequest

__all__ = ["TesseraCredential"]


class _LoopLock:
    """The lock of an event loop, and the number of tasks that hold it or wait for it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class _TaskSignInLock:
    """The sign-in locks of tasks, one for each event loop."""

    def __init__(self) -> None:
        """Creates no locks yet."""
        self._locks: dict[asyncio.AbstractEventLoop, _LoopLock] = {}

    @asynccontextmanager
    async def hold(self, request: TokenRequest) -> AsyncIterator[bool]:
        """Holds the lock of the event loop during the block; yields whether the task had to wait for it.

        Raises:
            CancelledError: The deadline of the call passed first (`deadline_exceeded`).
        """
        loop = asyncio.get_running_loop()
        entry = self._locks.setdefault(loop, _LoopLock())
        has_waited = entry.users > 0
        entry.users += 1
        try:
            if not await _acquired(entry.lock, request.seconds_left()):
                raise request.timeout_error()
            try:
                yield has_waited
            finally:
                entry.lock.release()
        finally:
            entry.users -= 1
            if entry.users == 0:
                del self._locks[loop]


async def _acquired(lock: asyncio.Lock, seconds: float | None) -> bool:
    """Returns whether a lock was acquired in time. A cancelled task never holds the lock."""
    acquiring = asyncio.ensure_future(lock.acquire())
    try:
        await asyncio.wait((acquiring,), timeout=seconds)
    except asyncio.CancelledError:
        if not acquiring.cancel():
            lock.release()
        raise
    return not acquiring.cancel()


class TesseraCredential(CredentialBase):
    """A credential for asyncio on Tessera's store: an `AsyncTokenCredential`, also `AsyncSupportsTokenInfo`.

    Its arguments are those of `tessera_identity.azure.TesseraCredential`; `interactive` and `device_code` may be
    coroutine functions. The object is safe to use from multiple tasks and event loops. A cached token is returned
    without suspending the task, and waiting for a server or a user does not block the event loop.
    """

    _lock_type = _TaskSignInLock

    async def get_token(
        self,
        *scopes: str,
        claims: str | None = None,
        tenant_id: str | None = None,
        enable_cae: bool = False,
        **_kwargs: Any,  # noqa: ANN401 - other arguments of the SDK
    ) -> AccessToken:
        """Acquires an access token. The clients of the Azure SDK call this method.

        Args:
            scopes: The requested scopes, such as `https://storage.azure.com/.default`.
            claims: The claims challenge of a resource; a new token is then requested.
            tenant_id: Another tenant than the configured one, if it is allowed.
            enable_cae: Whether the token may be long-lived and be revoked early (continuous access evaluation).
                The caller then handles claims challenges.

        Returns:
            The access token and its expiry time.

        Raises:
            TesseraError: See `PublicClientApplication.acquire_token_silent`; it is also an error of the Azure SDK.
            ValueError: No scopes were passed, or the tenant is invalid.
        """
        return access_token(
            await self._acquire(scopes, claims=claims, tenant_id=tenant_id, enable_cae=enable_cae)
        )

    async def get_token_info(
        self, *scopes: str, options: TokenRequestOptions | None = None
    ) -> AccessTokenInfo:
        """Acquires an access token with its type and refresh time. The clients of the Azure SDK call this method.

        Args:
            scopes: The requested scopes.
            options: `claims`, `tenant_id` and `enable_cae`; see `get_token`. Other options are ignored.

        Raises:
            TesseraError: See `get_token`.
            ValueError: See `get_token`.
        """
        return access_token_info(await self._acquire(scopes, **get_token_arguments(options)))

    async def authenticate(
        self,
        *,
        scopes: Iterable[str],
        claims: str | None = None,
        tenant_id: str | None = None,
        **_kwargs: Any,  # noqa: ANN401 - other arguments of the SDK
    ) -> Account:
        """Signs the user in, as in azure-identity; later calls of this credential use the account.

        Without `interactive` and `device_code`, the browser is opened and the URL is written to standard error.

        Args:
            scopes: The requested scopes, such as `scopes` of an `AuthenticationRequiredError`.
            claims: The claims challenge, such as `claims` of that error.
            tenant_id: Another tenant than the configured one, if it is allowed.

        Returns:
            The account.

        Raises:
            TesseraError: See `PublicClientApplication.acquire_token_interactive`; also an error of the Azure SDK.
            ValueError: No scopes were passed, or the tenant is invalid.
        """
        requested = tuple(scopes)
        with sdk_errors(requested):
            request = self._token_request(requested, claims=claims, tenant_id=tenant_id)
            return (await self._sign_in(request)).account

    async def close(self) -> None:
        """Closes the credential; stored data is kept."""
        self._identity.close()

    async def __aenter__(self) -> TesseraCredential:
        """Returns the credential, which is closed at the end of the `async with` block."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        """Closes the credential."""
        await self.close()

    async def _acquire(self, scopes: tuple[str, ...], **options: Any) -> TokenResult:  # noqa: ANN401
        with sdk_errors(scopes):
            request = self._token_request(scopes, **options)
            try:
                return await self._silent(request)
            except SignInRequiredError as error:
                request = self._sign_in_request(error, request)
            return await self._sign_in(request)

    async def _silent(self, request: TokenRequest) -> TokenResult:
        application = self._application(request)
        return require_all_scopes(
            await nonblocking_view(application).acquire_token_silent(
                request.scopes, **self._silent_arguments(application, request)
            )
        )

    async def _sign_in(self, request: TokenRequest) -> TokenResult:
        async with self._sign_in_lock.hold(request) as has_waited:
            if has_waited:
                # Another call has probably signed the user in.
                try:
                    return await self._silent(request)
                except SignInRequiredError as error:
                    request = request._replace(claims=error.claims or request.claims)
            application = nonblocking_view(self._application(request))
            arguments = self._sign_in_arguments(request)
            if self._device_code is not None:
                result = await application.acquire_token_by_device_code(request.scopes, **arguments)
            else:
                result = await application.acquire_token_interactive(request.scopes, **arguments)
            self._identity.signed_in(result)
            return require_all_scopes(result)
