# SPDX-License-Identifier: MIT
"""The token methods of an application as coroutines."""

from __future__ import annotations

from ._accounts import identifiers_of, username_without_id
from ._arguments import mapping, strings
from ._calls import create_value, parse_response
from ._cancellable_calls import call_async, prompt_handler
from ._handles import ApplicationPart
from ._json_text import encoded
from ._results import DeviceCodePrompt, TokenResult
from ._sign_in_calls import device_code_request
from ._silent import silent_request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ._accounts import Account


class AsyncTokens(ApplicationPart):
    """The token methods of an application that do not block an event loop."""

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
        """Acquires a token like `acquire_token_silent`, without blocking the event loop.

        A cached token is returned without suspending the task. Any number of tasks may wait: the event loop
        watches one file descriptor for all of them, and the library uses at most 16 threads. Cancelling the task
        cancels the call. `log` and `store_key` of the application may be called on threads of the library.

        Args:
            scopes: The requested scopes, such as `["User.Read"]`.
            account: The account, or its home account ID; None raises `SignInRequired`.
            authority: The authority to use instead of the application's, for a token of another tenant.
            force_refresh: Request a new token even if the cached one is valid.
            claims: The `claims` value of an error or of a resource's claims challenge, unmodified.
            extra_token_parameters: Additional form fields for token requests.
            extra_query_parameters: Additional query parameters for token requests.
            timeout: The timeout in seconds. The call then raises `Cancelled` (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            explain: Whether to set `explanation` in the result.
            for_application: Request the app-only token; see `acquire_token_silent`.

        Raises:
            TesseraError: See `acquire_token_silent`; also `RetryLater` (`too_many_open_files`,
                `too_many_threads`).
        """
        requested = strings(scopes, "scopes")
        home, environment = identifiers_of(account)
        username = username_without_id(account)
        key = (home, requested, authority, claims, timeout, environment, username)
        request = silent_request(
            key, correlation_id=correlation_id, force_refresh=force_refresh, explain=explain,
            for_application=for_application,
            extras=(mapping(extra_token_parameters), mapping(extra_query_parameters)),
        )  # fmt: skip
        response = await call_async("acquire_token_silent", self._open(), request)
        return create_value(TokenResult, parse_response(*response))

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
        """Signs a user in like `acquire_token_by_device_code`, without blocking the event loop.

        Cancelling the task ends the call. An application runs at most 64 of these calls at a time; further calls
        wait.

        Args:
            scopes: The requested scopes, such as `["User.Read"]`.
            prompt: The function that shows the code. It is called on the event loop, and may be a coroutine
                function. An exception of the function ends the call, which raises it.
            authority: The authority to use instead of the application's.
            claims: The `claims` value of the error that made this sign-in necessary.
            extra_token_parameters: Additional form fields for token requests.
            extra_query_parameters: Additional query parameters for the endpoints.
            timeout: The timeout in seconds. The call then raises `Cancelled` (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            explain: Whether to set `explanation` with timings in the result.

        Raises:
            TesseraError: See `acquire_token_by_device_code`; also
                `RetryLater` (`too_many_open_files`, `too_many_threads`).
        """
        request = encoded(device_code_request(
            scopes, prompt, authority=authority, claims=claims,
            extra_token_parameters=extra_token_parameters,
            extra_query_parameters=extra_query_parameters, timeout=timeout,
            correlation_id=correlation_id, explain=explain,
        ))  # fmt: skip
        handler = prompt_handler(DeviceCodePrompt, prompt)
        response = await call_async("acquire_token_by_device_code", self._open(), request, handler)
        return create_value(TokenResult, parse_response(*response))
