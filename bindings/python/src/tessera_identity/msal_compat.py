# SPDX-License-Identifier: MIT
"""MSAL Python's `PublicClientApplication` on Tessera, for programs that were written for MSAL.

    import tessera_identity.msal_compat as msal

    app = msal.PublicClientApplication("client-id", authority="https://login.microsoftonline.com/common")

The methods have MSAL's arguments, and return its dictionaries, or None. MSAL itself is not required. Sign-ins are
stored in Tessera's store, so the token caches of MSAL are accepted and not used.
"""

from __future__ import annotations

import threading
import time
import uuid
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urlsplit

from . import _application
from ._calls import Cancellation
from ._errors import CancelledError, SignInRequiredError, TesseraError
from ._requests import write_prompt
from ._unsupported import unsupported_name
from ._values import Account

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ._requests import PagePrompt
    from ._results import DeviceCodePrompt, SignInPrompt, TokenResult

__all__ = ["Prompt", "PublicClientApplication", "SerializableTokenCache", "TokenCache"]

_TOKEN_SOURCES = {"cache": "cache", "network": "identity_provider", "broker": "broker"}
_ERRORS = {"code_expired": "expired_token", "cancelled": "access_denied"}
_POLLING_INTERVAL = 0.1


class Prompt:
    """The values of `prompt`, as in MSAL."""

    NONE: PagePrompt = "none"
    LOGIN: PagePrompt = "login"
    CONSENT: PagePrompt = "consent"
    SELECT_ACCOUNT: PagePrompt = "select_account"
    CREATE: PagePrompt = "create"


class TokenCache:
    """A token cache of MSAL, which is not used: the store has the tokens."""


class SerializableTokenCache(TokenCache):
    """A serializable token cache of MSAL, which is not used: the store has the tokens of all processes.

    Attributes:
        has_state_changed: False, so that a program never writes a file with tokens.
    """

    has_state_changed: bool = False

    def deserialize(self, state: str | None) -> None:
        """Does nothing. docs/interop.md describes how to copy the sign-ins of an MSAL cache to the store."""

    def serialize(self) -> str:
        """Returns an empty cache."""
        return "{}"


class PublicClientApplication:
    """An application with the methods of `msal.PublicClientApplication`.

    Errors of the server are dictionaries with `error` and `error_description`, as in MSAL. Where MSAL raises an
    exception of its own or of requests, the methods raise a `tessera_identity.TesseraError`.
    """

    def __init__(
        self,
        client_id: str,
        client_credential: None = None,
        authority: str | None = None,
        validate_authority: bool = True,  # noqa: FBT001, FBT002 - the signature of MSAL
        token_cache: TokenCache | None = None,
        *,
        oidc_authority: str | None = None,
        instance_discovery: bool | None = None,
        client_capabilities: Sequence[str] | None = None,
        verify: bool | str = True,
        proxies: Mapping[str, str] | None = None,
        timeout: float | None = None,
        app_name: str | None = None,
        app_version: str | None = None,
        enable_broker_on_linux: bool | None = None,
        enable_broker_on_windows: bool | None = None,
        enable_broker_on_mac: bool | None = None,
        enable_broker_on_wsl: bool | None = None,
        enable_pii_log: bool | None = None,
        **configuration: Any,  # noqa: ANN401 - the arguments of tessera_identity.PublicClientApplication
    ) -> None:
        """Creates an application. No file is opened and no request is sent.

        Args:
            client_id: The client ID of the app registration.
            client_credential: Must be None.
            authority: The URL of the authority.
            validate_authority: Pass False to trust the authority without instance discovery.
            token_cache: Is accepted and not used; `group` and `store_directory` select the store.
            oidc_authority: An OpenID Connect issuer, instead of `authority`.
            instance_discovery: Whether requests about unknown clouds may be sent to Microsoft.
            client_capabilities: The client capabilities, such as `["CP1"]`.
            verify: The path of a file with trusted certificates. False raises ValueError.
            proxies: The proxy for `https`.
            timeout: The timeout of one request to a server.
            app_name: Is not sent.
            app_version: Is not sent.
            enable_broker_on_linux: Whether to use the identity broker of this machine.
            enable_broker_on_windows: Has no effect.
            enable_broker_on_mac: Has no effect.
            enable_broker_on_wsl: Has no effect.
            enable_pii_log: Whether log messages may contain personal data.
            **configuration: Arguments of `tessera_identity.PublicClientApplication`, such as `group`.

        Raises:
            ValueError: There is a client credential, or `verify` is False.
            ConfigurationError: A value is invalid.
        """
        if client_credential is not None:
            raise ValueError("a public client has no client_credential")
        if verify is False:
            raise ValueError("certificates are always verified: pass the path of a certificate file as verify=")
        given: dict[str, Any] = {
            "authority": oidc_authority or authority,
            "authority_type": "openid" if oidc_authority else None,
            "instance_discovery": instance_discovery if validate_authority else False,
            "client_capabilities": client_capabilities,
            "ca_file": verify if isinstance(verify, str) else None,
            "proxy": (proxies or {}).get("https"),
            "network_timeout_seconds": timeout and int(timeout),
            "broker": "prefer" if enable_broker_on_linux else None,
            "log_pii": enable_pii_log,
        }
        self.client_id: str = client_id
        self.token_cache: TokenCache = TokenCache() if token_cache is None else token_cache
        self._configuration = {
            **{name: value for name, value in given.items() if value is not None}, **configuration,
        }  # fmt: skip
        self._application = _application.PublicClientApplication(client_id, **self._configuration)
        # The applications with another redirect URI.
        self._redirecting: dict[str, _application.PublicClientApplication] = {}
        self._device_flows: dict[str, _DeviceFlow] = {}

    def get_accounts(self, username: str | None = None) -> list[dict[str, Any]]:
        """Returns the signed-in accounts as dictionaries.

        Args:
            username: The user name of the accounts, case-insensitive.
        """
        return [_account_dictionary(each) for each in self._application.get_accounts(username=username)]

    def remove_account(self, account: Mapping[str, Any]) -> None:
        """Signs an account out of this application.

        Args:
            account: A dictionary of `get_accounts`.
        """
        self._application.remove_account(_account(account))

    def acquire_token_silent(
        self,
        scopes: Sequence[str],
        account: Mapping[str, Any] | None,
        authority: str | None = None,
        force_refresh: bool = False,  # noqa: FBT001, FBT002 - the signature of MSAL
        claims_challenge: str | None = None,
        **kwargs: Any,  # noqa: ANN401 - the signature of MSAL
    ) -> dict[str, Any] | None:
        """Returns a token from the cache or with a refresh token, or None.

        Args:
            scopes: The requested scopes.
            account: A dictionary of `get_accounts`; None returns None.
            authority: The authority to use instead of the application's.
            force_refresh: Request a new token even if the cached one is valid.
            claims_challenge: The claims challenge of a resource.
            **kwargs: `data`: additional form fields.
        """
        result = self.acquire_token_silent_with_error(
            scopes, account, authority, force_refresh, claims_challenge, **kwargs
        )
        return result if result and "error" not in result else None

    def acquire_token_silent_with_error(
        self,
        scopes: Sequence[str],
        account: Mapping[str, Any] | None,
        authority: str | None = None,
        force_refresh: bool = False,  # noqa: FBT001, FBT002 - the signature of MSAL
        claims_challenge: str | None = None,
        **kwargs: Any,  # noqa: ANN401 - the signature of MSAL
    ) -> dict[str, Any] | None:
        """Returns a token like `acquire_token_silent`, or the error of the server as a dictionary.

        Args:
            scopes: The requested scopes.
            account: A dictionary of `get_accounts`; None returns None.
            authority: The authority to use instead of the application's.
            force_refresh: Request a new token even if the cached one is valid.
            claims_challenge: The claims challenge of a resource.
            **kwargs: `data`: additional form fields.
        """
        if account is None:
            return None
        try:
            return _token_dictionary(self._application.acquire_token_silent(
                scopes, account=_account(account), authority=authority, force_refresh=force_refresh,
                claims=claims_challenge, extra_token_parameters=_fields(kwargs),
            ))  # fmt: skip
        except TesseraError as error:
            if isinstance(error, SignInRequiredError) and not error.oauth_error:
                return None
            return _error_dictionary(error)

    def acquire_token_interactive(
        self,
        scopes: Sequence[str],
        prompt: PagePrompt | None = None,
        login_hint: str | None = None,
        domain_hint: str | None = None,
        claims_challenge: str | None = None,
        timeout: float | None = None,
        port: int | None = None,
        extra_scopes_to_consent: Sequence[str] | None = None,
        max_age: int | None = None,
        parent_window_handle: object = None,
        on_before_launching_ui: Callable[..., object] | None = None,
        **kwargs: Any,  # noqa: ANN401 - the signature of MSAL
    ) -> dict[str, Any]:
        """Signs a user in with a browser; returns the token or the error as a dictionary.

        Args:
            scopes: The requested scopes.
            prompt: The `prompt` parameter of the page.
            login_hint: The user name to fill in on the page.
            domain_hint: The domain of the user's organization.
            claims_challenge: The claims challenge of a resource.
            timeout: The timeout in seconds.
            port: The port of the redirect URI `http://localhost`.
            extra_scopes_to_consent: Additional scopes for consent.
            max_age: The maximum age of the user's authentication, in seconds.
            parent_window_handle: Has no effect.
            on_before_launching_ui: The function that is called before the browser is opened, with `ui="browser"`.
            **kwargs: `success_template`, `error_template`: the pages after the sign-in. `data`: additional form
                fields.
        """

        def show(shown: SignInPrompt) -> None:
            if on_before_launching_ui is not None:
                on_before_launching_ui(ui="browser")
            write_prompt(shown)

        application = self._with_redirect(f"http://localhost:{port}" if port else None)
        return self._dictionary(lambda: application.acquire_token_interactive(
            scopes, prompt=prompt, prompt_callback=show, login_hint=login_hint, domain_hint=domain_hint,
            claims=claims_challenge, timeout=timeout, extra_scopes_to_consent=extra_scopes_to_consent,
            extra_query_parameters=_maximum_age(max_age), extra_token_parameters=_fields(kwargs),
            success_page=kwargs.get("success_template"), failure_page=kwargs.get("error_template"),
        ))  # fmt: skip

    def initiate_device_flow(
        self,
        scopes: Sequence[str] | None = None,
        *,
        claims_challenge: str | None = None,
        **kwargs: Any,  # noqa: ANN401 - the signature of MSAL
    ) -> dict[str, Any]:
        """Requests a device code; returns it with a `message` for the user, or the error as a dictionary.

        The sign-in is then polled for on a thread, until the code expires.

        Args:
            scopes: The requested scopes.
            claims_challenge: The claims challenge of a resource.
            **kwargs: Is accepted and not used.
        """
        pending = _DeviceFlow()
        pending.start(lambda: self._application.acquire_token_by_device_code(
            scopes or (), prompt_callback=pending.show, claims=claims_challenge,
            cancellation=pending.cancellation,
        ))  # fmt: skip
        prompt = pending.wait_for_prompt()
        if prompt is None:
            return self._dictionary(pending.result)
        identifier = str(uuid.uuid4())
        self._device_flows[identifier] = pending
        return {
            "user_code": prompt.user_code,
            "device_code": identifier,
            "verification_uri": prompt.verification_uri,
            "expires_in": max(0, int(prompt.expires_on - time.time())),
            "expires_at": prompt.expires_on,
            "interval": prompt.interval_seconds,
            "message": prompt.message,
        }

    def acquire_token_by_device_flow(
        self,
        flow: Mapping[str, Any],
        claims_challenge: str | None = None,
        exit_condition: Callable[[Mapping[str, Any]], object] | None = None,
        **kwargs: Any,  # noqa: ANN401 - the signature of MSAL
    ) -> dict[str, Any]:
        """Waits until the user has entered the device code; returns the token or the error as a dictionary.

        Args:
            flow: The dictionary of `initiate_device_flow`. Setting its `expires_at` to 0 ends the call.
            claims_challenge: Must be None: pass it to `initiate_device_flow`.
            exit_condition: The function that ends the call while the sign-in is pending, if it returns true. It
                receives the flow.
            **kwargs: Is accepted and not used.

        Raises:
            ValueError: The flow was not begun by this application, has ended, or there is a `claims_challenge`.
        """
        if claims_challenge is not None:
            raise ValueError("pass claims_challenge to initiate_device_flow")
        pending = self._device_flows.get(flow["device_code"])
        if pending is None:
            raise ValueError("the flow was not begun by this application, or has ended")
        try:
            while not pending.has_ended.wait(_POLLING_INTERVAL):
                if flow.get("expires_at", 0) < time.time():
                    pending.cancellation.cancel()
                elif exit_condition is not None and exit_condition(flow):
                    return {"error": "authorization_pending", "error_description": "The sign-in is pending."}
        except BaseException:
            pending.cancellation.cancel()
            raise
        del self._device_flows[flow["device_code"]]
        return self._dictionary(pending.result)

    def initiate_auth_code_flow(
        self,
        scopes: Sequence[str],
        redirect_uri: str | None = None,
        state: None = None,
        prompt: PagePrompt | None = None,
        login_hint: str | None = None,
        domain_hint: str | None = None,
        claims_challenge: str | None = None,
        max_age: int | None = None,
        response_mode: str | None = None,
    ) -> dict[str, Any]:
        """Begins a sign-in on a page that the program shows; returns its address as `auth_uri`.

        Args:
            scopes: The requested scopes.
            redirect_uri: The redirect URI of the program.
            state: Must be None: a random state is always used.
            prompt: The `prompt` parameter of the page.
            login_hint: The user name to fill in on the page.
            domain_hint: The domain of the user's organization.
            claims_challenge: The claims challenge of a resource.
            max_age: The maximum age of the user's authentication, in seconds.
            response_mode: `query` or `form_post`.

        Raises:
            ValueError: There is a `state`.
        """
        if state is not None:
            raise ValueError("state must be None: the library creates it")
        mode: Any = response_mode
        begun = self._with_redirect(redirect_uri).begin_sign_in(
            scopes, prompt=prompt, login_hint=login_hint, domain_hint=domain_hint, claims=claims_challenge,
            extra_query_parameters=_maximum_age(max_age), response_mode=mode,
        )  # fmt: skip
        return {
            "auth_uri": begun.url,
            "redirect_uri": begun.redirect_uri,
            "scope": list(scopes),
            "state": parse_qs(urlsplit(begun.url).query).get("state", [""])[0],
            "sign_in": begun.state,
            "application": redirect_uri,
        }

    def acquire_token_by_auth_code_flow(
        self,
        auth_code_flow: Mapping[str, Any],
        auth_response: Mapping[str, str],
        scopes: Sequence[str] | None = None,
        **kwargs: Any,  # noqa: ANN401 - the signature of MSAL
    ) -> dict[str, Any]:
        """Completes a sign-in; returns the token or the error as a dictionary.

        Args:
            auth_code_flow: The dictionary of `initiate_auth_code_flow`.
            auth_response: The query parameters of the redirect URI, as a dictionary.
            scopes: Is not used: the token has the scopes of `initiate_auth_code_flow`.
            **kwargs: Is accepted and not used.

        Raises:
            ValueError: The response has another state.
        """
        if auth_response.get("state") != auth_code_flow["state"]:
            raise ValueError("the state of the response is not the state of the flow")
        application = self._with_redirect(auth_code_flow["application"])
        url = f"{auth_code_flow['redirect_uri']}?{urlencode(auth_response)}"
        return self._dictionary(
            lambda: application.complete_sign_in(auth_code_flow["sign_in"], url=url)
        )

    def acquire_token_by_refresh_token(self, refresh_token: str, scopes: Sequence[str]) -> dict[str, Any]:
        """Raises NotImplementedError: copy the sign-ins of other libraries instead."""
        raise NotImplementedError(
            "refresh tokens of other libraries are not redeemed: copy their sign-ins with copy_from() or "
            "migrate() of tessera_identity.PublicClientApplication"
        )

    def acquire_token_by_username_password(
        self, username: str, password: str, scopes: Sequence[str]
    ) -> dict[str, Any]:
        """Raises NotImplementedError: use a browser or a device code."""
        raise NotImplementedError(
            "user names with passwords are not supported: use acquire_token_interactive"
        )

    def is_pop_supported(self) -> bool:
        """Returns False: tokens are bearer tokens."""
        return False

    def _with_redirect(self, uri: str | None) -> _application.PublicClientApplication:
        """Returns the application with a redirect URI; the usual one for None."""
        if uri is None:
            return self._application
        if uri not in self._redirecting:
            configuration = {**self._configuration, "redirect_uri": uri}
            self._redirecting[uri] = _application.PublicClientApplication(self.client_id, **configuration)
        return self._redirecting[uri]

    @staticmethod
    def _dictionary(call: Callable[[], TokenResult]) -> dict[str, Any]:
        try:
            return _token_dictionary(call())
        except TesseraError as error:
            return _error_dictionary(error)


class _DeviceFlow:
    """A sign-in with a device code on a thread."""

    def __init__(self) -> None:
        self.cancellation = Cancellation()
        self.has_ended = threading.Event()
        self._is_shown = threading.Event()
        self._prompt: DeviceCodePrompt | None = None
        self._outcome: TokenResult | BaseException | None = None

    def start(self, sign_in: Callable[[], TokenResult]) -> None:
        """Starts the thread."""

        def run() -> None:
            try:
                self._outcome = sign_in()
            except BaseException as error:  # raised by `result`
                self._outcome = error
            self.has_ended.set()
            self._is_shown.set()

        threading.Thread(target=run, daemon=True).start()

    def show(self, prompt: DeviceCodePrompt) -> None:
        """Stores the device code for `wait_for_prompt`."""
        self._prompt = prompt
        self._is_shown.set()

    def wait_for_prompt(self) -> DeviceCodePrompt | None:
        """Returns the device code; None if the request failed."""
        try:
            self._is_shown.wait()
        except BaseException:
            self.cancellation.cancel()
            raise
        return self._prompt

    def result(self) -> TokenResult:
        """Returns the token, or raises the error, after the thread has ended."""
        if isinstance(self._outcome, BaseException):
            raise self._outcome
        assert self._outcome is not None  # noqa: S101 - the thread has ended
        return self._outcome


def _account(account: Mapping[str, Any]) -> Account:
    return Account({name: account.get(name) for name in ("home_account_id", "environment", "username")})


def _account_dictionary(account: Account) -> dict[str, Any]:
    profile = account.tenant_profiles[0] if account.tenant_profiles else None
    return {
        "home_account_id": account.home_account_id,
        "environment": account.environment,
        "username": account.username or "",
        "local_account_id": profile and profile.local_account_id,
        "realm": profile and profile.tenant_id,
    }


def _token_dictionary(result: TokenResult) -> dict[str, Any]:
    members: dict[str, Any] = {
        "access_token": result.access_token,
        "token_type": result.token_type,
        "expires_in": result.expires_in,
        "scope": " ".join(result.scopes),
        "token_source": _TOKEN_SOURCES.get(result.source, result.source),
        "ext_expires_in": result.extended_expires_on and int(result.extended_expires_on - time.time()),
        "refresh_on": result.refresh_on,
        "id_token": result.id_token,
        "id_token_claims": result.id_token_claims and dict(result.id_token_claims),
    }
    return {name: value for name, value in members.items() if value is not None}


def _error_dictionary(error: TesseraError) -> dict[str, Any]:
    """Returns the dictionary of an error; raises the error where MSAL raises an exception."""
    if not error.oauth_error and not isinstance(error, (SignInRequiredError, CancelledError)):
        raise error
    members = {
        "error": error.oauth_error or _ERRORS.get(error.code, error.code),
        "error_description": error.message,
        "suberror": error.suberror,
        "error_codes": list(error.server_codes) or None,
        "correlation_id": error.correlation_id,
        "trace_id": error.trace_id,
        "claims": error.claims,
    }
    return {name: value for name, value in members.items() if value is not None}


def _fields(kwargs: Mapping[str, Any]) -> dict[str, str] | None:
    """Returns the additional form fields of a call, without empty values."""
    if kwargs.get("auth_scheme") is not None:
        raise ValueError("auth_scheme is not supported: tokens are bearer tokens")
    fields = {name: value for name, value in (kwargs.get("data") or {}).items() if value}
    return fields or None


def _maximum_age(seconds: int | None) -> dict[str, str] | None:
    return None if seconds is None else {"max_age": str(seconds)}


if not TYPE_CHECKING:  # Type checkers would accept every name.

    def __getattr__(name: str) -> object:
        """Raises AttributeError, with the counterpart of a name of MSAL."""
        if name == "ConfidentialClientApplication":
            raise AttributeError(
                f"module {__name__!r} has no attribute {name!r}: use tessera_identity.{name}, with other arguments"
            )
        raise unsupported_name(name, module=__name__)
