# SPDX-License-Identifier: MIT
"""Tessera's sign-ins for the asynchronous clients of the Azure SDK for Python: `TesseraCredential`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tessera import SignInRequired, TesseraError

from ._errors import translated
from ._identity import Identity
from ._tokens import access_token, access_token_info

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType

    from azure.core.credentials import AccessToken, AccessTokenInfo, TokenRequestOptions

    from tessera import Account, DeviceCodePrompt, SignInPrompt, TokenResult

__all__ = ["TesseraCredential"]


class TesseraCredential:
    """Tokens from Tessera's store for asyncio: an `AsyncTokenCredential`, and it `AsyncSupportsTokenInfo`.

    As `tessera.azure.TesseraCredential`. Any number of tasks, of any event loops, may use one; a cached token is
    there at once, and nothing that waits for a server or a person blocks a loop.
    """

    def __init__(
        self,
        client_id: str,
        *,
        account: Account | str | None = None,
        username: str | None = None,
        interactive: Callable[[SignInPrompt], object] | None = None,
        device_code: Callable[[DeviceCodePrompt], object] | None = None,
        additionally_allowed_tenants: Iterable[str] = (),
        timeout: float | None = None,
        **configuration: Any,  # noqa: ANN401 - those of PublicClientApplication
    ) -> None:
        """Make a credential. No file is opened and no server is asked.

        Args:
            client_id: The application's identifier, as the provider registered it.
            account: Whose tokens, as for `tessera.azure.TesseraCredential`, like all others.
            username: What the person signs in with.
            interactive: Signs in in a browser; it may be a coroutine function.
            device_code: Signs in on another device; it may be a coroutine function.
            additionally_allowed_tenants: Tenants that a resource may ask for; `*` for all.
            timeout: Seconds after which a call of the library gives up.
            **configuration: All else that `PublicClientApplication` takes, such as `authority` and `group`.

        Raises:
            ConfigurationProblem: A value cannot work.
        """
        if interactive is not None and device_code is not None:
            raise ValueError("give interactive or device_code, not both")
        allowed = additionally_allowed_tenants
        self._identity = Identity(client_id, account, username, allowed, configuration)
        self._interactive = interactive
        self._device_code = device_code
        self._timeout = timeout
        # One page at a time, however many tasks of a loop need one.
        self._signing_in: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = (
            WeakKeyDictionary()
        )

    async def get_token(
        self,
        *scopes: str,
        claims: str | None = None,
        tenant_id: str | None = None,
        enable_cae: bool = False,
        **_kwargs: Any,  # noqa: ANN401 - whatever the SDK adds
    ) -> AccessToken:
        """A token for scopes. Clients of the Azure SDK call this.

        Args:
            scopes: What the token is for, such as `https://storage.azure.com/.default`.
            claims: The claims of a resource's challenge; then a new token is asked for.
            tenant_id: Another tenant than the configured one, if it is allowed.
            enable_cae: Whether the token may be long-lived and end early: the caller handles claims challenges.

        Raises:
            TesseraError: As `PublicClientApplication.acquire_token_silent`, also an error of the Azure SDK.
            ValueError: There are no scopes, or the tenant cannot be one.
        """
        return access_token(await self._acquire(scopes, claims, tenant_id, enable_cae=enable_cae))

    async def get_token_info(
        self, *scopes: str, options: TokenRequestOptions | None = None
    ) -> AccessTokenInfo:
        """A token with its type, and when it should be renewed. Clients of the Azure SDK call this.

        Args:
            scopes: What the token is for.
            options: `claims`, `tenant_id` and `enable_cae`, as for `get_token`; others are ignored.

        Raises:
            TesseraError: As `get_token`.
            ValueError: As `get_token`.
        """
        given = options or {}
        result = await self._acquire(
            scopes,
            given.get("claims"),
            given.get("tenant_id"),
            enable_cae=bool(given.get("enable_cae")),
        )
        return access_token_info(result)

    async def close(self) -> None:
        """End the credential; what it stored stays."""
        self._identity.close()

    async def __aenter__(self) -> TesseraCredential:
        """The credential itself; it is closed at the end of the `async with` block."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        """Close the credential."""
        await self.close()

    async def _acquire(
        self,
        scopes: tuple[str, ...],
        claims: str | None,
        tenant_id: str | None,
        *,
        enable_cae: bool,
    ) -> TokenResult:
        if not scopes:
            raise ValueError("a token needs at least one scope")
        try:
            authority = self._identity.authority(tenant_id)
            try:
                return await self._silent(scopes, claims, authority, enable_cae=enable_cae)
            except SignInRequired as error:
                if self._interactive is None and self._device_code is None:
                    raise
                wanted = error.claims or claims
            return await self._with_a_person(scopes, wanted, authority, enable_cae=enable_cae)
        except TesseraError as error:
            raise translated(error, scopes) from error.__cause__

    async def _silent(
        self,
        scopes: tuple[str, ...],
        claims: str | None,
        authority: str | None,
        *,
        enable_cae: bool,
    ) -> TokenResult:
        application = self._identity.application(enable_cae=enable_cae)
        return await application.acquire_token_silent_async(
            scopes,
            account=self._identity.person(application),
            authority=authority,
            claims=claims,
            timeout=self._timeout,
        )

    async def _with_a_person(
        self,
        scopes: tuple[str, ...],
        claims: str | None,
        authority: str | None,
        *,
        enable_cae: bool,
    ) -> TokenResult:
        lock = self._signing_in.setdefault(asyncio.get_running_loop(), asyncio.Lock())
        is_first = not lock.locked()
        async with lock:
            if not is_first:
                # Somebody has signed in meanwhile, it seems.
                try:
                    return await self._silent(scopes, claims, authority, enable_cae=enable_cae)
                except SignInRequired as error:
                    claims = error.claims or claims
            return await self._signed_in(scopes, claims, authority, enable_cae=enable_cae)

    async def _signed_in(
        self,
        scopes: tuple[str, ...],
        claims: str | None,
        authority: str | None,
        *,
        enable_cae: bool,
    ) -> TokenResult:
        application = self._identity.application(enable_cae=enable_cae)
        if self._device_code is not None:
            result = await application.acquire_token_by_device_code_async(
                scopes,
                prompt=self._device_code,
                authority=authority,
                claims=claims,
                timeout=self._timeout,
            )
        else:
            result = await application.acquire_token_interactive_async(
                scopes,
                prompt=self._interactive,
                account=self._identity.known_person,
                login_hint=self._identity.username,
                authority=authority,
                claims=claims,
                timeout=self._timeout,
            )
        self._identity.signed_in(result)
        return result
