# SPDX-License-Identifier: MIT
"""Sign-ins: with a device code, in a browser, and on pages that the application shows."""

from __future__ import annotations

from ._calls import ApplicationPart, call_blocking, call_with_prompt, create_value, parse_response
from ._json_text import encoded
from ._requests import (
    begin_request,
    browser_request,
    check_prompts,
    completion,
    device_code_request,
    page_request,
    write_prompt,
)
from ._results import BegunSignIn, DeviceCodePrompt, SignInPrompt, TokenResult
from ._unsupported import unsupported_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Literal, NoReturn

    from ._calls import Cancellation
    from ._requests import PagePrompt
    from ._values import Account


class SignInCalls(ApplicationPart):
    """The methods of an application that sign a user in."""

    def acquire_token_by_device_code(
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
        cancellation: Cancellation | None = None,
        explain: bool = False,
        **_unsupported: NoReturn,
    ) -> TokenResult:
        """Signs a user in on another device: shows a code and waits until the user has entered it (RFC 8628).

        Args:
            scopes: The requested scopes, such as `["User.Read"]`.
            prompt_callback: The function that shows the code; by default on standard error. It is called once, on
                the calling thread. On the main thread, the library polls in the meantime; on other threads, it
                polls after the function has returned. An exception of the function ends the call, which raises it.
            authority: The authority to use instead of the application's.
            claims: The `claims` value of the error that made this sign-in necessary.
            extra_token_parameters: Additional form fields for token requests. They override the fields configured
                for the application.
            extra_query_parameters: Additional query parameters for the endpoints, with the same precedence.
            timeout: The timeout in seconds; by default the lifetime of the code. The call then raises
                `CancelledError` (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            cancellation: Cancels the call from another thread.
            explain: Whether to set `explanation` with timings in the result.

        Returns:
            The access token with its account, scopes and expiry time.

        Raises:
            SignInRequiredError: The code expired before the user entered it (`code_expired`): start again.
            RetryLaterError: The network or the server is unavailable.
            ConfigurationError: The server rejected the application or has no device code flow, or the
                application has `broker="require"` (`flow_unsupported`).
            CancelledError: The call was cancelled or timed out, or the user declined (`access_denied`).
            TypeError: `prompt_callback` is not a function.
        """
        if _positional or _unsupported:
            raise unsupported_arguments("acquire_token_by_device_code", _positional, _unsupported)
        request = device_code_request(
            scopes, prompt_callback, authority=authority, claims=claims,
            extra_token_parameters=extra_token_parameters,
            extra_query_parameters=extra_query_parameters, timeout=timeout,
            correlation_id=correlation_id, explain=explain,
        )  # fmt: skip
        return create_value(TokenResult, parse_response(*call_with_prompt(
            "acquire_token_by_device_code", self._open(), request, prompt_type=DeviceCodePrompt,
            prompt=prompt_callback, cancellation=cancellation,
        )))  # fmt: skip

    def acquire_token_interactive(
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
        cancellation: Cancellation | None = None,
        **_unsupported: NoReturn,
    ) -> TokenResult:
        """Signs a user in with a browser. The user always sees a page, unless `silent_first` succeeds.

        Call `acquire_token_silent` first. If it raises `SignInRequiredError`, call this method with the `claims`
        of the error. `silent_first=True` does both.

        Args:
            scopes: The requested scopes, such as `["User.Read"]`.
            prompt: The `prompt` parameter of the page; by default the provider decides.
            prompt_callback: The function that receives the URL of the page, on the calling thread, before the
                browser is opened. If no browser can be opened, it must show the URL, as the default does on
                standard error. With None, the call then fails at once. An exception of the function ends the call,
                which raises it.
            silent_first: Whether to try a silent call first, for `account` or for the only account that matches
                `login_hint`. The page is opened only if that fails with `SignInRequiredError`.
            account: The account that must sign in, or its home account ID.
            accept_other_account: Whether another account than `account` may sign in.
            extra_scopes_to_consent: Additional scopes for consent, for later tokens of other resources.
            authority: The authority to use instead of the application's.
            login_hint: The user name to fill in on the page.
            domain_hint: The domain of the user's organization.
            ui_locales: The preferred languages of the page, such as `de en`.
            claims: The `claims` value of the error that made this sign-in necessary.
            extra_query_parameters: Additional query parameters for the page.
            extra_token_parameters: Additional form fields for the token request. They override the fields
                configured for the application.
            response_mode: How the response is returned: in a URL, or in a posted form.
            browser: Whether to open the user's browser: if one is available (`automatic`), always (`open`) or
                never (`show`).
            webview_type: Where to show the page: in the user's browser, or in a window of the program
                `tessera-webview` (docs/webview.md).
            prefers_ephemeral_web_browser_session: Whether an embedded web view starts without cookies and stores
                none; by default it does.
            webview_program: The absolute path of `tessera-webview`; by default the installed one.
            success_page: The HTML page after a successful sign-in, instead of the library's.
            failure_page: The HTML page after a failed sign-in.
            answer_descriptor: A file descriptor, such as `sys.stdin.fileno()`, from which the redirect URL pasted
                by the user is read.
            timeout: The timeout in seconds; by default one hour. The call then raises `CancelledError`
                (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            cancellation: Cancels the call from another thread.

        Returns:
            The access token with its account, scopes and expiry time.

        Raises:
            CancelledError: The user declined (`access_denied`), or the call was cancelled or timed out.
            ConfigurationError: No browser (`browser_unavailable`) or web view (`webview_unavailable`) is
                available, the port is taken, or no application handles the scheme of `redirect_uri`
                (`redirect_scheme_not_registered`).
            InvalidRequestError: Another interactive call of this application is in progress
                (`interaction_in_progress`).
            SignInRequiredError: The user signed in with a different account (`account_mismatch`), or the provider
                requires another sign-in.
            TypeError: `prompt` is a function, or `prompt_callback` is not one.
        """
        if _positional or _unsupported:
            raise unsupported_arguments("acquire_token_interactive", _positional, _unsupported)
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
        }  # fmt: skip
        return create_value(TokenResult, parse_response(*call_with_prompt(
            "acquire_token_interactive", self._open(), request, prompt_type=SignInPrompt,
            prompt=prompt_callback, cancellation=cancellation,
        )))  # fmt: skip

    def begin_sign_in(
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
        cancellation: Cancellation | None = None,
        **_unsupported: NoReturn,
    ) -> BegunSignIn:
        """Begins a sign-in with the authorization code flow and PKCE. Opens nothing.

        Open the returned URL, and keep the state.

        Args:
            scopes: The requested scopes, such as `["User.Read"]`.
            account: The account that must sign in, or its home account ID.
            accept_other_account: Whether another account than `account` may sign in.
            extra_scopes_to_consent: Additional scopes for consent, for later tokens of other resources.
            authority: The authority to use instead of the application's.
            login_hint: The user name to fill in on the page.
            domain_hint: The domain of the user's organization.
            ui_locales: The preferred languages of the page, such as `de en`.
            prompt: The `prompt` parameter of the page; by default the provider decides.
            claims: The `claims` value of the error that made this sign-in necessary.
            extra_query_parameters: Additional query parameters for the page.
            extra_token_parameters: Additional form fields for the token request that completes the sign-in.
            response_mode: How the response is returned: in a URL, or in a posted form.
            delivery: Where the redirect is received: `host` if the application observes the navigation of its
                page, `system` if the system opens `redirect_uri`, whose scheme must then be registered.
            source_application: The only application that may open the redirect URI.
            authenticator: The options for a sign-in with Microsoft Authenticator instead of a page (on Apple
                systems): the members of `AuthenticatorOptions` in docs/c-interface.md; `{}` for none. Open `url`,
                and complete the sign-in with the URL that Authenticator opens.
            lifetime_seconds: The time within which the sign-in must be completed; by default one hour.
            timeout: The timeout in seconds. The call then raises `CancelledError` (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            cancellation: Cancels the call from another thread.

        Returns:
            The URL to open, and the state for `complete_sign_in`.

        Raises:
            RetryLaterError: The network, the server or the store is unavailable.
            ConfigurationError: The provider has no authorization endpoint, or the application has
                `broker="require"` and no `authenticator` (`flow_unsupported`). Or the scheme is not registered for
                the delivery by the system (`redirect_scheme_not_registered`). With `authenticator`, also: a broker
                would reject the redirect URI (`invalid_redirect_uri`), or Info.plist lacks a scheme.
        """
        if _positional or _unsupported:
            raise unsupported_arguments("begin_sign_in", _positional, _unsupported)
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
        }  # fmt: skip
        response = call_blocking(
            "begin_sign_in", self._open(), encoded(request), cancellation=cancellation
        )
        return create_value(BegunSignIn, parse_response(*response))

    def complete_sign_in(
        self,
        state: str,
        *,
        url: str | None = None,
        form: str | None = None,
        source_application: str | None = None,
        timeout: float | None = None,
        cancellation: Cancellation | None = None,
    ) -> TokenResult:
        """Completes a pending sign-in, once, in this or another process that shares the store.

        A response to another sign-in and a server that is unavailable leave the sign-in pending.

        Args:
            state: The `state` of `begin_sign_in`.
            url: The complete URL that was opened at the redirect URI. Pass either this or `form`.
            form: The body that was posted to the redirect URI.
            source_application: The application that opened the redirect URI, if the system reports it.
            timeout: The timeout in seconds. The call then raises `CancelledError` (`deadline_exceeded`).
            cancellation: Cancels the call from another thread.

        Returns:
            The access token with its account, scopes and expiry time.

        Raises:
            InvalidRequestError: The response does not belong to this sign-in (`state_mismatch`): ignore it. Or
                another application began the sign-in (`invalid_sign_in_state`).
            SignInRequiredError: The sign-in was already completed (`sign_in_used`), took too long
                (`sign_in_expired`, `code_expired`), its key is not in the store (`sign_in_lost`), or the user
                signed in with a different account (`account_mismatch`). Or the device must be registered first
                (`workplace_join_required`, with `app_link`). Or the response of Authenticator is damaged
                (`broker_response_corrupted` and similar codes), or contains an error.
            RetryLaterError: The network, the server or the store is unavailable. The same response can be passed
                again.
            ConfigurationError: The application has `broker="require"`, and the sign-in used a page
                (`flow_unsupported`).
            CancelledError: The user declined (`access_denied`), or the call was cancelled or timed out.
        """
        request = completion(
            state, url=url, form=form, source_application=source_application, timeout=timeout
        )
        response = call_blocking(
            "complete_sign_in", self._open(), request, cancellation=cancellation
        )
        return create_value(TokenResult, parse_response(*response))
