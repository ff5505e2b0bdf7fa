# SPDX-License-Identifier: MIT
"""The application for asyncio: `PublicClientApplication` with coroutine methods of the same names.

    import tessera_identity.aio

    async with tessera_identity.aio.PublicClientApplication("client-id") as application:
        account = await application.get_account(username="alice@contoso.com")
        token = await application.acquire_token_silent(["User.Read"], account=account)

Values, exceptions and functions are those of `tessera_identity`.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from typing import TYPE_CHECKING, Any

from ._application import ApplicationBase, ConfidentialBase
from ._application import PublicClientApplication as Blocking
from ._calls import Cancellation, create_value, nonblocking_request, parse_response, prompt_handler
from ._json_text import encoded
from ._loop_calls import call_async
from ._requests import (
    begin_request,
    browser_request,
    check_prompts,
    client_request,
    completion,
    device_code_request,
    mapping,
    page_request,
    silent_request,
    strings,
    write_prompt,
)
from ._results import DeviceCodePrompt, SignInPrompt, SignInSession, TokenResult
from ._unsupported import options_of, trace_of
from ._values import identifiers_of, username_without_id

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Mapping
    from types import TracebackType
    from typing import Literal, NoReturn, TypeVar

    from typing_extensions import Concatenate, ParamSpec, Unpack

    from ._reports import MetricsSnapshot
    from ._requests import CallIdentifiers, PagePrompt, TraceContext
    from ._values import Account

    Parameters = ParamSpec("Parameters")
    Result = TypeVar("Result")
    BlockingMethod = Callable[Concatenate[Blocking, Parameters], Result]
    CoroutineMethod = Callable[
        Concatenate["PublicClientApplication", Parameters], Coroutine[Any, Any, Result]
    ]

__all__ = ["ConfidentialClientApplication", "PublicClientApplication"]


def _in_thread(
    method: BlockingMethod[Parameters, Result],
) -> Callable[[Callable[..., None]], CoroutineMethod[Parameters, Result]]:
    """Replaces a placeholder with a coroutine method that runs a blocking one on a thread of the executor."""
    is_cancellable = "cancellation" in inspect.signature(method).parameters

    async def call(
        self: PublicClientApplication, /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Result:
        if not is_cancellable:
            return await asyncio.to_thread(method, self._blocking(), *args, **kwargs)
        stop = kwargs.get("cancellation") or Cancellation()
        assert isinstance(stop, Cancellation)  # noqa: S101 - for type checkers
        kwargs["cancellation"] = stop
        try:
            return await asyncio.to_thread(method, self._blocking(), *args, **kwargs)
        except asyncio.CancelledError:
            stop.cancel()
            raise

    functools.update_wrapper(call, method)
    return lambda _placeholder: call


class PublicClientApplication(ApplicationBase):
    """An OAuth 2.0 public client for asyncio. Its methods do not block the event loop.

    The constructor, and the arguments and results of all methods are those of
    `tessera_identity.PublicClientApplication`. Use the object as an asynchronous context manager, or call
    `close()`. It is safe to use from multiple tasks and event loops, and in a child process after `os.fork()`.

    Cancelling a task ends its call. Calls that wait for a server or a user need no thread of Python: the event
    loop watches one file descriptor for all of them. Methods that only read or change the store, sign-outs and
    requests to a broker run on threads of the executor of the event loop.
    """

    async def acquire_token_silent(
        self,
        scopes: Iterable[str],
        *_positional: NoReturn,
        account: Account | str | None = None,
        authority: str | None = None,
        force_refresh: bool = False,
        claims: str | None = None,
        extra_token_parameters: Mapping[str, str] | None = None,
        extra_query_parameters: Mapping[str, str] | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        explain: bool = False,
        for_application: bool = False,
        **trace: Unpack[TraceContext],
    ) -> TokenResult:
        """Acquires a token like the blocking method, without blocking the event loop.

        A cached token is returned without suspending the task. Any number of tasks may wait: the event loop
        watches one file descriptor for all of them, and the library uses at most 16 threads. Cancelling the task
        cancels the call. `log` and `store_key` of the application may be called on threads of the library.

        Args:
            scopes: The requested scopes, such as `["User.Read"]`.
            account: The account, or its home account ID; None for the only account.
            authority: The authority to use instead of the application's, for a token of another tenant.
            force_refresh: Request a new token even if the cached one is valid.
            claims: The `claims` value of an error or of a resource's claims challenge, unmodified.
            extra_token_parameters: Additional form fields for token requests.
            extra_query_parameters: Additional query parameters for token requests.
            timeout: The timeout in seconds. The call then raises `CancelledError` (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            explain: Whether to set `explanation` in the result.
            for_application: Request the app-only token; see `acquire_token_silent`.
            **trace: `traceparent` and `tracestate` of the call's span (W3C Trace Context level 1), which are sent
                to the provider unchanged; see docs/metrics.md.

        Raises:
            TesseraError: See `acquire_token_silent`; also `RetryLaterError` (`too_many_open_files`,
                `too_many_threads`).
        """
        span = trace_of("acquire_token_silent", _positional, trace) if _positional or trace else None
        requested = strings(scopes, "scopes")
        home, environment = identifiers_of(account)
        username = username_without_id(account)
        key = (home, requested, authority, claims, timeout, environment, username)
        request = silent_request(
            key, correlation_id=correlation_id, force_refresh=force_refresh, explain=explain,
            for_application=for_application,
            extras=(
                mapping(extra_token_parameters, "extra_token_parameters"),
                mapping(extra_query_parameters, "extra_query_parameters"),
                span or {},
            ),
        )  # fmt: skip
        response = await call_async("acquire_token_silent", self._open(), request)
        return create_value(TokenResult, parse_response(*response))

    async def acquire_token_by_device_code(
        self,
        scopes: Iterable[str],
        *_positional: NoReturn,
        prompt_callback: Callable[[DeviceCodePrompt], object] = write_prompt,
        authority: str | None = None,
        claims: str | None = None,
        extra_token_parameters: Mapping[str, str] | None = None,
        extra_query_parameters: Mapping[str, str] | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        explain: bool = False,
        **trace: Unpack[TraceContext],
    ) -> TokenResult:
        """Signs a user in like `acquire_token_by_device_code`, without blocking the event loop.

        Cancelling the task ends the call. An application runs at most 64 of these calls at a time; further calls
        wait.

        Args:
            scopes: The requested scopes, such as `["User.Read"]`.
            prompt_callback: The function that shows the code; by default on standard error. It is called on the
                event loop, and may be a coroutine function. An exception of the function ends the call, which
                raises it.
            authority: The authority to use instead of the application's.
            claims: The `claims` value of the error that made this sign-in necessary.
            extra_token_parameters: Additional form fields for token requests.
            extra_query_parameters: Additional query parameters for the endpoints.
            timeout: The timeout in seconds. The call then raises `CancelledError` (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            explain: Whether to set `explanation` with timings in the result.
            **trace: `traceparent` and `tracestate` of the call's span (W3C Trace Context level 1), which are sent
                to the provider unchanged; see docs/metrics.md.

        Raises:
            TesseraError: See `acquire_token_by_device_code`; also
                `RetryLaterError` (`too_many_open_files`, `too_many_threads`).
        """
        span = trace_of("acquire_token_by_device_code", _positional, trace)
        request = encoded({
            **device_code_request(
                scopes, prompt_callback, authority=authority, claims=claims,
                extra_token_parameters=extra_token_parameters,
                extra_query_parameters=extra_query_parameters, timeout=timeout,
                correlation_id=correlation_id, explain=explain,
            ),
            **span,
        })  # fmt: skip
        handler = prompt_handler(DeviceCodePrompt, prompt_callback)
        response = await call_async("acquire_token_by_device_code", self._open(), request, handler)
        return create_value(TokenResult, parse_response(*response))

    async def acquire_token_interactive(
        self,
        scopes: Iterable[str],
        *_positional: NoReturn,
        prompt: PagePrompt | None = None,
        prompt_callback: Callable[[SignInPrompt], object] | None = write_prompt,
        silent_first: bool | None = None,
        account: Account | str | None = None,
        accept_other_account: bool | None = None,
        extra_scopes_to_consent: Iterable[str] | None = None,
        authority: str | None = None,
        login_hint: str | None = None,
        domain_hint: str | None = None,
        ui_locales: str | None = None,
        claims: str | None = None,
        extra_query_parameters: Mapping[str, str] | None = None,
        extra_token_parameters: Mapping[str, str] | None = None,
        response_mode: Literal["query", "form_post"] | None = None,
        browser: Literal["automatic", "open", "show"] | None = None,
        webview_type: Literal["default", "embedded"] | None = None,
        prefers_ephemeral_web_browser_session: bool | None = None,
        webview_program: str | None = None,
        success_page: str | None = None,
        failure_page: str | None = None,
        answer_descriptor: int | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        **trace: Unpack[TraceContext],
    ) -> TokenResult:
        """Signs a user in like `acquire_token_interactive`, without blocking the event loop.

        Cancelling the task ends the call, and closes the listener for the redirect within 100 ms. The arguments
        are those of `acquire_token_interactive`. `prompt_callback` is called on the event loop, and may be a
        coroutine function.

        Raises:
            TesseraError: See `acquire_token_interactive`; also
                `RetryLaterError` (`too_many_open_files`, `too_many_threads`).
        """
        span = trace_of("acquire_token_interactive", _positional, trace)
        check_prompts(prompt, prompt_callback)
        request = {
            **page_request(
                scopes, account=account, accept_other_account=accept_other_account,
                extra_scopes_to_consent=extra_scopes_to_consent, authority=authority,
                login_hint=login_hint, domain_hint=domain_hint, ui_locales=ui_locales, prompt=prompt,
                claims=claims, extra_query_parameters=extra_query_parameters,
                extra_token_parameters=extra_token_parameters, response_mode=response_mode,
                timeout=timeout, correlation_id=correlation_id,
            ),
            **browser_request(
                silent_first=silent_first, browser=browser, webview_type=webview_type,
                prefers_ephemeral_web_browser_session=prefers_ephemeral_web_browser_session,
                webview_program=webview_program, success_page=success_page, failure_page=failure_page,
                answer_descriptor=answer_descriptor,
            ),
            **span,
        }  # fmt: skip

        response = await call_async(
            "acquire_token_interactive", self._open(), nonblocking_request(request, prompt_callback),
            prompt_handler(SignInPrompt, prompt_callback),
        )  # fmt: skip
        return create_value(TokenResult, parse_response(*response))

    async def begin_sign_in(
        self,
        scopes: Iterable[str],
        *_positional: NoReturn,
        account: Account | str | None = None,
        accept_other_account: bool | None = None,
        extra_scopes_to_consent: Iterable[str] | None = None,
        authority: str | None = None,
        login_hint: str | None = None,
        domain_hint: str | None = None,
        ui_locales: str | None = None,
        prompt: PagePrompt | None = None,
        claims: str | None = None,
        extra_query_parameters: Mapping[str, str] | None = None,
        extra_token_parameters: Mapping[str, str] | None = None,
        response_mode: Literal["query", "form_post"] | None = None,
        delivery: Literal["host", "system"] | None = None,
        source_application: str | None = None,
        authenticator: Mapping[str, object] | None = None,
        lifetime_seconds: int | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        **trace: Unpack[TraceContext],
    ) -> SignInSession:
        """Begins a sign-in like `begin_sign_in`, without blocking the event loop.

        Cancelling the task ends the call.

        Raises:
            TesseraError: See `begin_sign_in`; also `RetryLaterError` (`too_many_open_files`, `too_many_threads`).
        """
        span = trace_of("begin_sign_in", _positional, trace)
        check_prompts(prompt, None)
        request = {
            **page_request(
                scopes, account=account, accept_other_account=accept_other_account,
                extra_scopes_to_consent=extra_scopes_to_consent, authority=authority,
                login_hint=login_hint, domain_hint=domain_hint, ui_locales=ui_locales, prompt=prompt,
                claims=claims, extra_query_parameters=extra_query_parameters,
                extra_token_parameters=extra_token_parameters, response_mode=response_mode,
                timeout=timeout, correlation_id=correlation_id,
            ),
            **begin_request(
                delivery=delivery, source_application=source_application,
                lifetime_seconds=lifetime_seconds, authenticator=authenticator,
            ),
            **span,
        }  # fmt: skip
        response = await call_async("begin_sign_in", self._open(), encoded(request))
        return create_value(SignInSession, parse_response(*response))

    async def complete_sign_in(
        self,
        state: str,
        *,
        url: str | None = None,
        form: str | None = None,
        source_application: str | None = None,
        timeout: float | None = None,
    ) -> TokenResult:
        """Completes a sign-in like `complete_sign_in`, without blocking the event loop.

        Cancelling the task ends the call.

        Raises:
            TesseraError: See `complete_sign_in`; also `RetryLaterError` (`too_many_open_files`,
                `too_many_threads`).
        """
        request = completion(
            state, url=url, form=form, source_application=source_application, timeout=timeout
        )
        response = await call_async("complete_sign_in", self._open(), request)
        return create_value(TokenResult, parse_response(*response))

    @_in_thread(Blocking.acquire_token_silent_with_resource)
    def acquire_token_silent_with_resource(self) -> None:
        """See `PublicClientApplication.acquire_token_silent_with_resource`."""

    @_in_thread(Blocking.broker_accounts)
    def broker_accounts(self) -> None:
        """See `PublicClientApplication.broker_accounts`."""

    @_in_thread(Blocking.broker_signed_http_request)
    def broker_signed_http_request(self) -> None:
        """See `PublicClientApplication.broker_signed_http_request`."""

    @_in_thread(Blocking.broker_sso_cookie)
    def broker_sso_cookie(self) -> None:
        """See `PublicClientApplication.broker_sso_cookie`."""

    @_in_thread(Blocking.broker_version)
    def broker_version(self) -> None:
        """See `PublicClientApplication.broker_version`."""

    @_in_thread(Blocking.copy_from)
    def copy_from(self) -> None:
        """See `PublicClientApplication.copy_from`."""

    @_in_thread(Blocking.explain)
    def explain(self) -> None:
        """See `PublicClientApplication.explain`."""

    @_in_thread(Blocking.export_sign_ins)
    def export_sign_ins(self) -> None:
        """See `PublicClientApplication.export_sign_ins`."""

    @_in_thread(Blocking.get_account)
    def get_account(self) -> None:
        """See `PublicClientApplication.get_account`."""

    @_in_thread(Blocking.get_accounts)
    def get_accounts(self) -> None:
        """See `PublicClientApplication.get_accounts`."""

    @_in_thread(Blocking.get_current_account)
    def get_current_account(self) -> None:
        """See `PublicClientApplication.get_current_account`."""

    async def metrics(self) -> MetricsSnapshot:
        """See `PublicClientApplication.metrics`."""
        return self._blocking().metrics()

    @_in_thread(Blocking.migrate)
    def migrate(self) -> None:
        """See `PublicClientApplication.migrate`."""

    @_in_thread(Blocking.read_cache)
    def read_cache(self) -> None:
        """See `PublicClientApplication.read_cache`."""

    @_in_thread(Blocking.remove_account)
    def remove_account(self) -> None:
        """See `PublicClientApplication.remove_account`."""

    @_in_thread(Blocking.rotate_store_key)
    def rotate_store_key(self) -> None:
        """See `PublicClientApplication.rotate_store_key`."""

    @_in_thread(Blocking.sign_out)
    def sign_out(self) -> None:
        """See `PublicClientApplication.sign_out`."""

    @_in_thread(Blocking.store_info)
    def store_info(self) -> None:
        """See `PublicClientApplication.store_info`."""

    @_in_thread(Blocking.store_sso_extension_tokens)
    def store_sso_extension_tokens(self) -> None:
        """See `PublicClientApplication.store_sso_extension_tokens`."""

    @_in_thread(Blocking.write_cache)
    def write_cache(self) -> None:
        """See `PublicClientApplication.write_cache`."""

    async def close(self) -> None:
        """Closes the application. Calls in progress are completed first; stored data is kept."""
        self._close()

    async def __aenter__(self) -> PublicClientApplication:
        """Returns the application, which is closed at the end of the `async with` block."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Closes the application."""
        self._close()

    def _blocking(self) -> Blocking:
        """Returns an application with blocking methods and the same handle."""
        view = object.__new__(Blocking)
        vars(view).update(vars(self))
        return view


class ConfidentialClientApplication(ConfidentialBase, PublicClientApplication):
    """An OAuth 2.0 confidential client for asyncio. Its methods do not block the event loop.

    The constructor, and the arguments and results of all methods are those of
    `tessera_identity.ConfidentialClientApplication`.
    """

    async def __aenter__(self) -> ConfidentialClientApplication:
        """Returns the application, which is closed at the end of the `async with` block."""
        return self

    async def acquire_token_for_client(
        self,
        scopes: Iterable[str],
        *,
        tenant: str | None = None,
        claims: str | None = None,
        force_refresh: bool = False,
        token_sha256_to_refresh: str | None = None,
        timeout: float | None = None,
        **identifiers: Unpack[CallIdentifiers],
    ) -> TokenResult:
        """Acquires a token of the application like the blocking method, without blocking the event loop.

        A cached token is returned without suspending the task. Cancelling the task cancels the call.

        Args:
            scopes: The requested scopes; at Entra, the `/.default` scope of one resource.
            tenant: The ID or a domain of a tenant other than that of the application; Entra only.
            claims: The claims challenge of a resource, unmodified.
            force_refresh: Request a new token even if the cached one is valid.
            token_sha256_to_refresh: The SHA-256 of a token that a resource rejected, in hexadecimal digits.
            timeout: The timeout in seconds. The call then raises `CancelledError` (`deadline_exceeded`).
            **identifiers: `correlation_id`, sent to the server, by default a new one; and `traceparent` and
                `tracestate` of the call's span; see docs/metrics.md.

        Raises:
            TesseraError: See `acquire_token_for_client`; also `RetryLaterError` (`too_many_open_files`,
                `too_many_threads`).
        """
        names = ("correlation_id", "traceparent", "tracestate")
        given = options_of("acquire_token_for_client", (), identifiers, *names)
        requested = strings(scopes, "scopes")
        if not (claims or force_refresh or token_sha256_to_refresh or given):
            result = self._client_tokens.stored(self._open(), requested, tenant, None)
            if result is not None:
                return result
        request = client_request(
            requested, tenant, timeout=timeout, claims=claims, force_refresh=force_refresh,
            token_sha256_to_refresh=token_sha256_to_refresh, identifiers=given,
        )  # fmt: skip
        response = await call_async("acquire_token_for_client", self._open(), request)
        return create_value(TokenResult, parse_response(*response))


def nonblocking_view(application: Blocking) -> PublicClientApplication:
    """Returns an application for asyncio with the handle of another one; closing one does not close the other."""
    view = object.__new__(PublicClientApplication)
    vars(view).update(vars(application))
    return view
