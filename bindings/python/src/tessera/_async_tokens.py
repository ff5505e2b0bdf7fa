# SPDX-License-Identifier: MIT
"""Tokens for asyncio: the calls of an application that may have to wait, as coroutines."""

from __future__ import annotations

from ._accounts import names_of, only_name_of
from ._arguments import mapping, strings
from ._calls import made, opened
from ._handles import Part
from ._json_text import encoded
from ._results import DeviceCodePrompt, TokenResult
from ._sign_in_calls import device_code_request
from ._silent import silent_request
from ._stopping import awaited, teller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ._accounts import Account


class AsyncTokens(Part):
    """The part of an application that asks for tokens without blocking an event loop."""

    async def acquire_token_silent_async(
        self,
        scopes: Iterable[str],
        *,
        account: Account | str | None,
        authority: str | None = None,
        force_refresh: bool = False,
        claims: str | None = None,
        extra_token_parameters: Mapping[str, str] | None = None,
        extra_query_parameters: Mapping[str, str] | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        explain: bool = False,
        for_application: bool = False,
    ) -> TokenResult:
        """As `acquire_token_silent`, without blocking the event loop; a cached token is there at once.

        Any number of tasks may wait: for all of them a loop watches one descriptor, and the library has at most
        16 threads of its own. Cancelling the task cancels the call. `log` and `store_key` of the application may
        be called on the library's threads.

        Args:
            scopes: As for `acquire_token_silent`, like all others.
            account: The account, or its home account id; None raises `SignInRequired`.
            authority: Another authority than the application's, to get a token of another tenant.
            force_refresh: Ask the server even if the cache has a token.
            claims: The `claims` of an error or of a resource's challenge, as they came.
            extra_token_parameters: Fields that are added to the body if a server is asked.
            extra_query_parameters: Fields that are added to the query likewise.
            timeout: Seconds after which the call gives up with `Cancelled` (`deadline_exceeded`).
            correlation_id: An id for the server's logs; otherwise a new one.
            explain: Whether the result has an `explanation`.
            for_application: Whether the token of the application itself is wanted.

        Raises:
            TesseraError: As `acquire_token_silent`; also `RetryLater` (`too_many_open_files`, `too_many_threads`).
        """
        wanted = strings(scopes, "scopes")
        home, place = names_of(account)
        key = (home, wanted, authority, claims, timeout, place, only_name_of(account))
        request = silent_request(
            key, correlation_id=correlation_id, force_refresh=force_refresh, explain=explain,
            for_application=for_application,
            extras=(mapping(extra_token_parameters), mapping(extra_query_parameters)),
        )  # fmt: skip
        answer = await awaited("acquire_token_silent", self._open(), request)
        return made(TokenResult, opened(*answer))

    async def acquire_token_by_device_code_async(
        self,
        scopes: Iterable[str],
        *,
        prompt: Callable[[DeviceCodePrompt], object],
        authority: str | None = None,
        claims: str | None = None,
        extra_token_parameters: Mapping[str, str] | None = None,
        extra_query_parameters: Mapping[str, str] | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        explain: bool = False,
    ) -> TokenResult:
        """As `acquire_token_by_device_code`, without blocking the event loop.

        Cancelling the task ends the call. An application has at most 64 of them under way; others wait for one
        to end.

        Args:
            scopes: As for `acquire_token_by_device_code`, like all others.
            prompt: Shows the code. Called on the event loop; it may be a coroutine function. An exception that it
                raises stops the flow and comes out of this call.
            authority: Another authority than the application's.
            claims: The `claims` of the error that made this sign-in necessary.
            extra_token_parameters: Fields that are added to the body of token requests.
            extra_query_parameters: Fields that are added to the query of the endpoints.
            timeout: Seconds after which the call gives up with `Cancelled` (`deadline_exceeded`).
            correlation_id: An id for the server's logs; otherwise a new one.
            explain: Whether the result has an `explanation`: what took how long.

        Raises:
            TesseraError: As `acquire_token_by_device_code`; also
                `RetryLater` (`too_many_open_files`, `too_many_threads`).
        """
        request = encoded(device_code_request(
            scopes, prompt, authority=authority, claims=claims,
            extra_token_parameters=extra_token_parameters,
            extra_query_parameters=extra_query_parameters, timeout=timeout,
            correlation_id=correlation_id, explain=explain,
        ))  # fmt: skip
        tell = teller(DeviceCodePrompt, prompt)
        answer = await awaited("acquire_token_by_device_code", self._open(), request, tell)
        return made(TokenResult, opened(*answer))
