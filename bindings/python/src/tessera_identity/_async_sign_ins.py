# SPDX-License-Identifier: MIT
"""The interactive sign-ins of an application as coroutines."""

from __future__ import annotations

from ._calls import create_value, parse_response
from ._cancellable_calls import call_async, nonblocking_request, prompt_handler
from ._handles import ApplicationPart
from ._interactive import browser_request, checked_prompt, page_request
from ._json_text import encoded
from ._results import SignInPrompt, TokenResult
from ._sign_in import BegunSignIn, begin_request, completion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Literal

    from ._accounts import Account


class AsyncSignIns(ApplicationPart):
    """The interactive sign-in methods of an application that do not block an event loop."""

    async def acquire_token_interactive_async(
        self,
        scopes: Iterable[str],
        *,
        prompt: Callable[[SignInPrompt], object] | None = None,
        silent_first: bool | None = None,
        account: Account | str | None = None,
        accept_other_account: bool | None = None,
        extra_scopes_to_consent: Iterable[str] | None = None,
        authority: str | None = None,
        login_hint: str | None = None,
        domain_hint: str | None = None,
        page_prompt: Literal["select_account", "login", "consent", "create", "none"] | None = None,
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
    ) -> TokenResult:
        """Signs a user in like `acquire_token_interactive`, without blocking the event loop.

        Cancelling the task ends the call, and closes the listener for the redirect within 100 ms. The arguments
        are those of `acquire_token_interactive`. `prompt` is called on the event loop, and may be a coroutine
        function.

        Raises:
            TesseraError: See `acquire_token_interactive`; also
                `RetryLater` (`too_many_open_files`, `too_many_threads`).
        """
        checked_prompt(prompt)
        request = {
            **page_request(
                scopes, account=account, accept_other_account=accept_other_account,
                extra_scopes_to_consent=extra_scopes_to_consent, authority=authority,
                login_hint=login_hint, domain_hint=domain_hint, page_prompt=page_prompt, claims=claims,
                extra_query_parameters=extra_query_parameters,
                extra_token_parameters=extra_token_parameters, response_mode=response_mode,
                timeout=timeout, correlation_id=correlation_id,
            ),
            **browser_request(
                silent_first=silent_first, browser=browser, webview_type=webview_type,
                prefers_ephemeral_web_browser_session=prefers_ephemeral_web_browser_session,
                webview_program=webview_program, success_page=success_page, failure_page=failure_page,
                answer_descriptor=answer_descriptor,
            ),
        }  # fmt: skip

        response = await call_async(
            "acquire_token_interactive", self._open(), nonblocking_request(request, prompt),
            prompt_handler(SignInPrompt, prompt),
        )  # fmt: skip
        return create_value(TokenResult, parse_response(*response))

    async def begin_sign_in_async(
        self,
        scopes: Iterable[str],
        *,
        account: Account | str | None = None,
        accept_other_account: bool | None = None,
        extra_scopes_to_consent: Iterable[str] | None = None,
        authority: str | None = None,
        login_hint: str | None = None,
        domain_hint: str | None = None,
        page_prompt: Literal["select_account", "login", "consent", "create", "none"] | None = None,
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
    ) -> BegunSignIn:
        """Begins a sign-in like `begin_sign_in`, without blocking the event loop.

        Cancelling the task ends the call.

        Raises:
            TesseraError: See `begin_sign_in`; also `RetryLater` (`too_many_open_files`, `too_many_threads`).
        """
        request = {
            **page_request(
                scopes, account=account, accept_other_account=accept_other_account,
                extra_scopes_to_consent=extra_scopes_to_consent, authority=authority,
                login_hint=login_hint, domain_hint=domain_hint, page_prompt=page_prompt, claims=claims,
                extra_query_parameters=extra_query_parameters,
                extra_token_parameters=extra_token_parameters, response_mode=response_mode,
                timeout=timeout, correlation_id=correlation_id,
            ),
            **begin_request(
                delivery=delivery, source_application=source_application,
                lifetime_seconds=lifetime_seconds, authenticator=authenticator,
            ),
        }  # fmt: skip
        response = await call_async("sign_in_begin", self._open(), encoded(request))
        return create_value(BegunSignIn, parse_response(*response))

    async def complete_sign_in_async(
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
            TesseraError: See `complete_sign_in`; also `RetryLater` (`too_many_open_files`, `too_many_threads`).
        """
        request = completion(
            state, url=url, form=form, source_application=source_application, timeout=timeout
        )
        response = await call_async("sign_in_complete", self._open(), request)
        return create_value(TokenResult, parse_response(*response))
