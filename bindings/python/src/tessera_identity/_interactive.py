# SPDX-License-Identifier: MIT
"""Sign-in with a browser: the method that opens the sign-in page and waits for the redirect."""

from __future__ import annotations

from ._accounts import identifiers_of, username_without_id
from ._arguments import mapping, several
from ._calls import create_value, parse_response
from ._cancellable_calls import call_with_prompt
from ._handles import ApplicationPart
from ._results import SignInPrompt, TokenResult
from ._silent import milliseconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Literal

    from ._accounts import Account
    from ._cancellation import Cancellation


class InteractiveTokens(ApplicationPart):
    """The sign-in method of an application that needs a browser."""

    def acquire_token_interactive(
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
        cancellation: Cancellation | None = None,
    ) -> TokenResult:
        """Signs a user in with a browser. The user always sees a page, unless `silent_first` succeeds.

        Call `acquire_token_silent` first. If it raises `SignInRequired`, call this method with the `claims` of the
        error. `silent_first=True` does both.

        Args:
            scopes: The requested scopes, such as `["User.Read"]`.
            prompt: The function that receives the URL of the page, on the calling thread, before the browser is
                opened. If no browser can be opened, it must show the URL; without `prompt`, the call then fails at
                once. An exception of the function ends the call, which raises it.
            silent_first: Whether to try a silent call first, for `account` or for the only account that matches
                `login_hint`. The page is opened only if that fails with `SignInRequired`.
            account: The account that must sign in, or its home account ID.
            accept_other_account: Whether another account than `account` may sign in.
            extra_scopes_to_consent: Additional scopes for consent, for later tokens of other resources.
            authority: The authority to use instead of the application's.
            login_hint: The user name to fill in on the page.
            domain_hint: The domain of the user's organization.
            page_prompt: The `prompt` parameter of the page; by default the provider decides.
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
            timeout: The timeout in seconds; by default one hour. The call then raises `Cancelled`
                (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            cancellation: Cancels the call from another thread.

        Returns:
            The access token with its account, scopes and expiry time.

        Raises:
            Cancelled: The user declined (`access_denied`), or the call was cancelled or timed out.
            ConfigurationProblem: No browser (`browser_unavailable`) or web view (`webview_unavailable`) is
                available, the port is taken, or no application handles the scheme of `redirect_uri`
                (`redirect_scheme_not_registered`).
            InvalidRequest: Another interactive call of this application is in progress
                (`interaction_in_progress`).
            SignInRequired: The user signed in with a different account (`account_mismatch`), or the provider
                requires another sign-in.
            TypeError: `prompt` is not a function.
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
        return create_value(TokenResult, parse_response(*call_with_prompt(
            "acquire_token_interactive", self._open(), request, prompt_type=SignInPrompt,
            prompt=prompt, cancellation=cancellation,
        )))  # fmt: skip


def page_request(
    scopes: Iterable[str],
    *,
    account: Account | str | None,
    accept_other_account: bool | None,
    extra_scopes_to_consent: Iterable[str] | None,
    authority: str | None,
    login_hint: str | None,
    domain_hint: str | None,
    page_prompt: str | None,
    claims: str | None,
    extra_query_parameters: Mapping[str, str] | None,
    extra_token_parameters: Mapping[str, str] | None,
    response_mode: str | None,
    timeout: float | None,
    correlation_id: str | None,
) -> dict[str, Any]:
    """Returns the common members of all requests for a sign-in on a page."""
    home, _ = identifiers_of(account)
    name = username_without_id(account)
    return {
        "scopes": several(scopes, "scopes"),
        "home_account_id": None if name else home,
        "accept_other_account": accept_other_account,
        "extra_scopes_to_consent": several(extra_scopes_to_consent, "extra_scopes_to_consent"),
        "authority": authority,
        "login_hint": login_hint or name,
        "domain_hint": domain_hint,
        "prompt": page_prompt,
        "claims": claims,
        "extra_query_parameters": mapping(extra_query_parameters),
        "extra_token_parameters": mapping(extra_token_parameters),
        "response_mode": response_mode,
        "timeout_milliseconds": milliseconds(timeout),
        "correlation_id": correlation_id,
    }


def checked_prompt(prompt: object) -> None:
    """Raises TypeError for a prompt that is not a function, such as MSAL's string argument `prompt`."""
    if isinstance(prompt, str):
        raise TypeError(
            "prompt must be a function that shows a SignInPrompt; "
            f"to set the prompt parameter of the page, pass page_prompt={prompt!r}"
        )
    if prompt is not None and not callable(prompt):
        raise TypeError("prompt must be a function that shows a SignInPrompt")


def browser_request(
    *,
    silent_first: bool | None,
    browser: str | None,
    webview_type: str | None,
    prefers_ephemeral_web_browser_session: bool | None,
    webview_program: str | None,
    success_page: str | None,
    failure_page: str | None,
    answer_descriptor: int | None,
) -> dict[str, Any]:
    """Returns the members of requests that open the page in a browser."""
    return {
        "silent_first": silent_first,
        "browser": browser,
        "webview_type": webview_type,
        "prefers_ephemeral_web_browser_session": prefers_ephemeral_web_browser_session,
        "webview_program": webview_program,
        "success_page": success_page,
        "failure_page": failure_page,
        "answer_descriptor": answer_descriptor,
    }
