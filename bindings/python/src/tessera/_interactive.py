# SPDX-License-Identifier: MIT
"""Signing in in a browser: the call that opens the provider's page and waits for its answer."""

from __future__ import annotations

from ._accounts import names_of, only_name_of
from ._arguments import mapping, several
from ._calls import made, opened
from ._handles import Part
from ._results import SignInPrompt, TokenResult
from ._silent import milliseconds
from ._stopping import prompted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Literal

    from ._accounts import Account
    from ._cancellation import Cancellation


class InteractiveTokens(Part):
    """The part of an application that needs a browser."""

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
        """Sign a person in on the provider's page, in a browser. Always shows the person something.

        Call `acquire_token_silent` first, and this when it raises `SignInRequired`, with its `claims`; or say
        `silent_first=True`, which is both.

        Args:
            scopes: What the token is for, such as `["User.Read"]`.
            prompt: Is told the address of the page, on the calling thread: before the browser is opened, and to
                show it where there is none. Without it the call fails at once where there is none. An exception
                that it raises stops the call and comes out of it.
            silent_first: Whether to ask for a token without the person first, of `account` or of the only account
                that fits `login_hint`, and to open the page only if that fails with `SignInRequired`.
            account: Who is to sign in: the account, or its home account id.
            accept_other_account: Whether somebody else may sign in than `account`.
            extra_scopes_to_consent: Scopes to consent to now, for tokens of other resources later.
            authority: Another authority than the application's.
            login_hint: The name to fill in on the page.
            domain_hint: The domain of the person's organization.
            page_prompt: What the page is to ask; otherwise what the provider thinks right.
            claims: The `claims` of the error that made this sign-in necessary.
            extra_query_parameters: Fields that are added to the address of the page.
            extra_token_parameters: Fields that are added to the body of the request for the tokens; they win over
                the configuration's.
            response_mode: How the answer comes back: in an address, or in a form that is posted.
            browser: Whether the user's browser is opened: if there is one, in any case, or never.
            webview_type: Where the page is shown: in the user's browser, or in a window of its own by the program
                `tessera-webview` (docs/webview.md).
            prefers_ephemeral_web_browser_session: Whether an embedded web view begins without cookies and keeps
                none; otherwise it does.
            webview_program: The whole path of `tessera-webview`; otherwise where it was installed.
            success_page: The page (HTML) after a sign-in, instead of the library's own.
            failure_page: The page (HTML) after one that failed.
            answer_descriptor: A descriptor, such as `sys.stdin.fileno()`, into which the person may paste the
                address at which the browser ended.
            timeout: Seconds after which the call gives up with `Cancelled` (`deadline_exceeded`); otherwise an
                hour.
            correlation_id: An id for the server's logs; otherwise a new one.
            cancellation: A way to stop the call from another thread.

        Raises:
            Cancelled: The person declined (`access_denied`), it was cancelled, or the timeout passed.
            ConfigurationProblem: There is no browser (`browser_unavailable`) or no web view
                (`webview_unavailable`), the port is taken, or no program opens the scheme of `redirect_uri`
                (`redirect_scheme_not_registered`).
            InvalidRequest: Another call of this application waits for the person (`interaction_in_progress`).
            SignInRequired: Somebody else signed in (`account_mismatch`), or the provider wants more.
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
        return made(TokenResult, opened(*prompted(
            "acquire_token_interactive", self._open(), request, shows=SignInPrompt, prompt=prompt,
            cancellation=cancellation,
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
    """What all requests to sign in on a page have in common."""
    home, _ = names_of(account)
    name = only_name_of(account)
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
    """Raise TypeError for a prompt that is not a function, such as MSAL's argument of that name."""
    if isinstance(prompt, str):
        raise TypeError(
            "prompt must be a function that shows a SignInPrompt; "
            f"to choose what the page asks, pass page_prompt={prompt!r}"
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
    """What requests have that open the page in a browser."""
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
