# SPDX-License-Identifier: MIT
"""Signing in on a page that the program shows itself: begun in one process, completed in any with the store."""

from __future__ import annotations

from ._calls import made, opened
from ._handles import Part
from ._interactive import page_request
from ._json_text import encoded
from ._results import TokenResult
from ._silent import milliseconds
from ._stopping import answer_of
from ._values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Literal

    from ._accounts import Account
    from ._cancellation import Cancellation


class BegunSignIn(Value):
    """A sign-in that waits for its answer. Printing it does not show its state.

    Attributes:
        url: The address of the provider's page, for a browser or a web view.
        state: What `complete_sign_in` needs: opaque, sealed with a key of the store, good for one sign-in.
        expires_on: Until when it is good, in seconds since 1970.
        redirect_uri: Where the answer will come.
    """

    _required = ("url", "state", "expires_on", "redirect_uri")
    _hidden = frozenset({"url", "state"})
    __slots__ = ("expires_on", "redirect_uri", "state", "url")

    url: str
    state: str
    expires_on: int
    redirect_uri: str


class HostDrivenSignIns(Part):
    """The part of an application that signs people in on a page that the program shows itself."""

    def begin_sign_in(
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
        cancellation: Cancellation | None = None,
    ) -> BegunSignIn:
        """Begin a sign-in (authorization code with PKCE): open the page yourself, keep the state. Opens nothing.

        Args:
            scopes: What the token is for, such as `["User.Read"]`.
            account: Who is to sign in: the account, or its home account id.
            accept_other_account: Whether somebody else may sign in than `account`.
            extra_scopes_to_consent: Scopes to consent to now, for tokens of other resources later.
            authority: Another authority than the application's.
            login_hint: The name to fill in on the page.
            domain_hint: The domain of the person's organization.
            page_prompt: What the page is to ask; otherwise what the provider thinks right.
            claims: The `claims` of the error that made this sign-in necessary.
            extra_query_parameters: Fields that are added to the address of the page.
            extra_token_parameters: Fields that are added to the body of the request that completes it.
            response_mode: How the answer comes back: in an address, or in a form that is posted.
            delivery: Who brings the answer: the program, which sees itself where its page goes, or the system,
                which opens `redirect_uri`. Then its scheme must be registered.
            source_application: The program that will open the redirect URI, if only that one may.
            authenticator: What to tell Microsoft Authenticator, if that is to sign the person in instead of a page
                (a host on one of Apple's systems): the members of `AuthenticatorOptions` of docs/c-interface.md;
                `{}` for nothing besides the request. Open `url`, and complete with the address that answers.
            lifetime_seconds: How long the sign-in may take; otherwise an hour.
            timeout: Seconds after which the call gives up with `Cancelled` (`deadline_exceeded`).
            correlation_id: An id for the server's logs; otherwise a new one.
            cancellation: A way to stop the call from another thread.

        Raises:
            RetryLater: The network, the server or the store is busy.
            ConfigurationProblem: The provider has no page to sign in at, or the application has
                `broker="require"` and no `authenticator` was named (`flow_unsupported`), or the system is to bring
                the answer and the scheme is not registered (`redirect_scheme_not_registered`). With
                `authenticator`, also: a broker would not answer to the redirect URI (`invalid_redirect_uri`), or
                Info.plist lacks a scheme.
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
        answer = answer_of(
            "sign_in_begin", self._open(), encoded(request), cancellation=cancellation
        )
        return made(BegunSignIn, opened(*answer))

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
        """Complete a sign-in that was begun, here or in another process that shares the store; once.

        What is not the answer to this sign-in leaves it waiting, and so does a server that could not be asked.

        Args:
            state: The `state` of `begin_sign_in`.
            url: The whole address that was opened at the redirect URI; this or `form`.
            form: The body that was posted there.
            source_application: The program that opened the redirect URI, where the system tells.
            timeout: Seconds after which the call gives up with `Cancelled` (`deadline_exceeded`).
            cancellation: A way to stop the call from another thread.

        Raises:
            InvalidRequest: It is the answer to another sign-in, or to none (`state_mismatch`): ignore it. Or
                another application has begun the sign-in (`invalid_sign_in_state`).
            SignInRequired: It was completed before (`sign_in_used`), took too long (`sign_in_expired`,
                `code_expired`), the store does not have its key (`sign_in_lost`), or another user signed in than
                `account` (`account_mismatch`). The page wants the device registered first
                (`workplace_join_required`, with `app_link`). The answer of Authenticator is damaged
                (`broker_response_corrupted` and its like), or says why there is no token.
            RetryLater: The network, the server or the store is busy: the same answer may be good later.
            ConfigurationProblem: The application has `broker="require"`, and this was a page (`flow_unsupported`).
            Cancelled: The person declined (`access_denied`), it was cancelled, or the timeout passed.
        """
        request = completion(
            state, url=url, form=form, source_application=source_application, timeout=timeout
        )
        answer = answer_of("sign_in_complete", self._open(), request, cancellation=cancellation)
        return made(TokenResult, opened(*answer))


def begin_request(
    *,
    delivery: str | None,
    source_application: str | None,
    lifetime_seconds: int | None,
    authenticator: Mapping[str, object] | None,
) -> dict[str, Any]:
    """What requests have whose page the program shows."""
    return {
        "delivery": delivery,
        "source_application": source_application,
        "lifetime_seconds": lifetime_seconds,
        "authenticator": None if authenticator is None else dict(authenticator),
    }


def completion(
    state: str,
    *,
    url: str | None,
    form: str | None,
    source_application: str | None,
    timeout: float | None,
) -> bytes:
    """The request that completes a sign-in."""
    return encoded({
        "state": state, "url": url, "form": form, "source_application": source_application,
        "timeout_milliseconds": milliseconds(timeout),
    })  # fmt: skip
