# SPDX-License-Identifier: MIT
"""Sign-in on a page shown by the application: begun in one process, completed in any process with the store."""

from __future__ import annotations

from ._calls import create_value, parse_response
from ._cancellable_calls import call_blocking
from ._handles import ApplicationPart
from ._interactive import page_request
from ._json_text import encoded
from ._results import TokenResult
from ._silent import milliseconds
from ._values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Literal

    from ._accounts import Account
    from ._cancellation import Cancellation


class BegunSignIn(Value):
    """A pending sign-in. `repr()` shows neither the URL nor the state.

    Attributes:
        url: The URL of the sign-in page, for a browser or a web view.
        state: The opaque, encrypted state for `complete_sign_in`, valid for one sign-in.
        expires_on: The time until which the sign-in can be completed, in seconds since 1970.
        redirect_uri: The redirect URI that receives the response.
    """

    _required = ("url", "state", "expires_on", "redirect_uri")
    _hidden = frozenset({"url", "state"})
    __slots__ = ("expires_on", "redirect_uri", "state", "url")

    url: str
    state: str
    expires_on: int
    redirect_uri: str


class HostDrivenSignIns(ApplicationPart):
    """The methods of an application for sign-ins on a page that the application shows itself."""

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
            page_prompt: The `prompt` parameter of the page; by default the provider decides.
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
            timeout: The timeout in seconds. The call then raises `Cancelled` (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            cancellation: Cancels the call from another thread.

        Returns:
            The URL to open, and the state for `complete_sign_in`.

        Raises:
            RetryLater: The network, the server or the store is unavailable.
            ConfigurationProblem: The provider has no authorization endpoint, or the application has
                `broker="require"` and no `authenticator` (`flow_unsupported`). Or the scheme is not registered for
                the delivery by the system (`redirect_scheme_not_registered`). With `authenticator`, also: a broker
                would reject the redirect URI (`invalid_redirect_uri`), or Info.plist lacks a scheme.
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
        response = call_blocking(
            "sign_in_begin", self._open(), encoded(request), cancellation=cancellation
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
            timeout: The timeout in seconds. The call then raises `Cancelled` (`deadline_exceeded`).
            cancellation: Cancels the call from another thread.

        Returns:
            The access token with its account, scopes and expiry time.

        Raises:
            InvalidRequest: The response does not belong to this sign-in (`state_mismatch`): ignore it. Or another
                application began the sign-in (`invalid_sign_in_state`).
            SignInRequired: The sign-in was already completed (`sign_in_used`), took too long (`sign_in_expired`,
                `code_expired`), its key is not in the store (`sign_in_lost`), or the user signed in with a
                different account (`account_mismatch`). Or the device must be registered first
                (`workplace_join_required`, with `app_link`). Or the response of Authenticator is damaged
                (`broker_response_corrupted` and similar codes), or contains an error.
            RetryLater: The network, the server or the store is unavailable. The same response can be passed again.
            ConfigurationProblem: The application has `broker="require"`, and the sign-in used a page
                (`flow_unsupported`).
            Cancelled: The user declined (`access_denied`), or the call was cancelled or timed out.
        """
        request = completion(
            state, url=url, form=form, source_application=source_application, timeout=timeout
        )
        response = call_blocking(
            "sign_in_complete", self._open(), request, cancellation=cancellation
        )
        return create_value(TokenResult, parse_response(*response))


def begin_request(
    *,
    delivery: str | None,
    source_application: str | None,
    lifetime_seconds: int | None,
    authenticator: Mapping[str, object] | None,
) -> dict[str, Any]:
    """Returns the members of requests for a page that the application shows."""
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
    """Returns the request that completes a sign-in."""
    return encoded({
        "state": state, "url": url, "form": form, "source_application": source_application,
        "timeout_milliseconds": milliseconds(timeout),
    })  # fmt: skip
