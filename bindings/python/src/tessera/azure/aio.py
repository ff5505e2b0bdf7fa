# SPDX-License-Identifier: MIT
"""Tessera's sign-ins for the asynchronous clients of the Azure SDK for Python: `TesseraCredential`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tessera import SignInRequired

from ._asking import Asking, asked_for
from ._errors import errors_of_the_sdk
from ._tokens import access_token, access_token_info
from ._turns import TaskTurns

if TYPE_CHECKING:
    from types import TracebackType

    from azure.core.credentials import AccessToken, AccessTokenInfo, TokenRequestOptions

    from tessera import TokenResult

    from ._asking import Wanted

__all__ = ["TesseraCredential"]


class TesseraCredential(Asking):
    """Tokens from Tessera's store for asyncio: an `AsyncTokenCredential`, and it `AsyncSupportsTokenInfo`.

    As `tessera.azure.TesseraCredential`, and made of the same; `interactive` and `device_code` may be coroutine
    functions. Any number of tasks, of any event loops, may use one; a cached token is there at once, and nothing
    that waits for a server or a person blocks a loop.
    """

    _turns = TaskTurns

    async def get_token(
        self,
        *scopes: str,
        claims: str | None = None,
        tenant_id: str | None = None,
        enable_cae: bool = False,
        **_kwargs: Any,  # noqa: ANN401 - additional arguments of the SDK
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
        return access_token(
            await self._acquire(scopes, claims=claims, tenant_id=tenant_id, enable_cae=enable_cae)
        )

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
        return access_token_info(await self._acquire(scopes, **asked_for(options)))

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

    async def _acquire(self, scopes: tuple[str, ...], **options: Any) -> TokenResult:  # noqa: ANN401
        with errors_of_the_sdk(scopes):
            wanted = self._wanted(scopes, **options)
            try:
                return await self._silent(wanted)
            except SignInRequired as error:
                wanted = self._for_a_person(error, wanted)
            return await self._with_a_person(wanted)

    async def _silent(self, wanted: Wanted) -> TokenResult:
        application = self._application(wanted)
        return await application.acquire_token_silent_async(
            wanted.scopes, **self._silently(application, wanted)
        )

    async def _with_a_person(self, wanted: Wanted) -> TokenResult:
        async with self._signing_in.turn(wanted) as is_late:
            if is_late:
                # Another thread or process has apparently signed in.
                try:
                    return await self._silent(wanted)
                except SignInRequired as error:
                    wanted = self._for_a_person(error, wanted)
            application, arguments = self._application(wanted), self._by_a_person(wanted)
            if self._device_code is not None:
                result = await application.acquire_token_by_device_code_async(
                    wanted.scopes, **arguments
                )
            else:
                result = await application.acquire_token_interactive_async(
                    wanted.scopes, **arguments
                )
            self._identity.signed_in(result)
            return result
