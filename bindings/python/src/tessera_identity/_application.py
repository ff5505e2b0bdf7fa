# SPDX-License-Identifier: MIT
"""The public client application."""

from __future__ import annotations

from ctypes import byref, c_char_p
from time import time

from ._account_calls import AccountCalls
from ._broker import BrokerCalls
from ._calls import (
    MOST_DETAILED,
    ApplicationHandle,
    ApplicationPart,
    key_callback,
    log_callback,
    pending,
    raise_pending,
)
from ._errors import InvalidRequestError
from ._json_text import encoded
from ._native import library
from ._requests import filled, key_text, mapping, path, several, thousandfold
from ._sign_ins import SignInCalls
from ._silent import SilentTokens
from ._sso_extension import SSOExtensionTokens
from ._store_calls import StoreCalls
from ._unsupported import unsupported_arguments, unsupported_method
from ._values import Account, identifiers_of, username_without_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from logging import Logger, LoggerAdapter
    from os import PathLike
    from types import TracebackType
    from typing import Literal, NoReturn

    from ._calls import Cancellation
    from ._options import Configuration, UserMessages
    from ._results import KeySource, StoragePolicy, TokenResult

    Cloud = Literal["public", "china", "germany", "us_government", "france", "delos", "gov_sg"]
    Audience = Literal[
        "AzureADandPersonalMicrosoftAccount", "AzureADMultipleOrgs", "AzureADMyOrg",
        "PersonalMicrosoftAccount",
    ]  # fmt: skip


class ApplicationBase(ApplicationPart):
    """The constructor and the state of an application, with blocking or with coroutine methods."""

    def __init__(
        self,
        client_id: str,
        *_positional: NoReturn,
        redirect_uri: str | None = None,
        authority: str | None = None,
        cloud: Cloud | None = None,
        audience: Audience | None = None,
        tenant: str | None = None,
        authority_type: Literal["entra", "b2c", "ciam", "adfs", "openid"] | None = None,
        multiple_clouds: bool | None = None,
        bundle_id: str | None = None,
        registered_schemes: Iterable[str] | None = None,
        known_authorities: Iterable[str] | None = None,
        extra_token_parameters: Mapping[str, str] | None = None,
        extra_query_parameters: Mapping[str, str] | None = None,
        slice: str | None = None,  # noqa: A002 - the name of the service
        dc: str | None = None,
        group: str | None = None,
        store: Literal["sqlite", "msal_file", "memory"] | None = None,
        store_directory: str | PathLike[str] | None = None,
        msal_cache: str | PathLike[str] | None = None,
        storage_policy: StoragePolicy | None = None,
        key_sources: Iterable[KeySource] | None = None,
        store_key: bytes | bytearray | Callable[[], bytes] | None = None,
        store_limit_megabytes: int | None = None,
        proxy: str | None = None,
        no_proxy: str | None = None,
        ca_file: str | PathLike[str] | None = None,
        instance_discovery: bool | None = None,
        expiry_margin_seconds: int | None = None,
        network_timeout_seconds: int | None = None,
        proactive_refresh_timeout_milliseconds: int | None = None,
        extended_lifetime: bool | None = None,
        request_refresh_token: bool | None = None,
        offline_access_prompt: Literal["consent"] | None = None,
        client_capabilities: Iterable[str] | None = None,
        intune_enrollment_ids: Mapping[str, object] | None = None,
        intune_mam_resource: Mapping[str, str] | None = None,
        server_telemetry: bool | None = None,
        broker: Literal["never", "prefer", "require"] | None = None,
        user_messages: UserMessages | None = None,
        log: Callable[[int, str], object] | Logger | LoggerAdapter[Logger] | None = None,
        log_level: int | None = None,
        log_pii: bool | None = None,
        **_unsupported: NoReturn,
    ) -> None:
        """Creates an application. No file is opened and no request is sent.

        None selects the default of the library; see "Configuration" in docs/c-interface.md.

        Args:
            client_id: The client ID of the app registration.
            redirect_uri: The registered redirect URI of browser sign-ins; by default `msauth.[bundle id]://auth`,
                or `http://localhost` without `bundle_id`.
            authority: The authority: an https URL with the tenant, or an OpenID Connect issuer.
            cloud: Instead of `authority`: the cloud of an Entra authority; by default the public cloud.
            audience: Instead of `authority`: the supported account types, as in the app registration.
            tenant: Instead of `authority`: the ID or a domain of the tenant, for the audience `AzureADMyOrg`.
            authority_type: The type of the authority, if its URL does not determine it; see docs/authorities.md.
            multiple_clouds: Whether users of other Microsoft clouds may sign in, at their own cloud.
            bundle_id: The bundle ID of the application, such as `com.example.mail`.
            registered_schemes: The URI schemes that are registered for the application, if it knows them. By
                default, the desktop entries are searched if the system delivers the redirect.
            known_authorities: Authorities that the application trusts; no instance discovery is sent for their
                hosts.
            extra_token_parameters: Additional form fields for all token requests.
            extra_query_parameters: Additional query parameters for the authorization and token endpoints.
            slice: The slice of the service, for tests of the service.
            dc: The data center of the service, for tests of the service.
            group: The group; applications with the same group share accounts and tokens.
            store: `sqlite`, shared with other applications; `msal_file`, a file shared with MSAL libraries; or
                `memory`, discarded with this object.
            store_directory: The directory of the store.
            msal_cache: The cache file of other libraries to use as the store: `azure_cli`, `azure_identity`,
                `azure_identity_cae`, `azure_powershell`, `azure_powershell_cae` or the path of a file. It implies
                `store="msal_file"`; see docs/store.md.
            storage_policy: The required protection of the store; see docs/protection.md.
            key_sources: Where to store the encryption key of a new store, in order of preference. With
                `store_key`: the other key sources whose stores are trusted; none by default.
            store_key: The encryption key of the store (32 bytes), or a function that returns it. The function is
                called by the first call that needs the key, possibly on a helper thread, and must not use the
                application. That call raises any exception of the function.
            store_limit_megabytes: The size of the store above which access tokens are evicted, earliest expiry
                first.
            proxy: The proxy for all requests; by default the usual environment variables apply.
            no_proxy: Hosts to which requests are sent without the proxy, separated by commas.
            ca_file: A file with trusted certificates that replaces those of the system.
            instance_discovery: Whether requests about unknown clouds may be sent to Microsoft.
            expiry_margin_seconds: How long before its expiry a token is refreshed.
            network_timeout_seconds: The timeout of one request to a server.
            proactive_refresh_timeout_milliseconds: The timeout of the refresh of a token that is still valid.
            extended_lifetime: Whether an expired token may be returned during an outage, as long as the server
                permits it.
            request_refresh_token: Whether sign-ins request a refresh token; see docs/interactive.md.
            offline_access_prompt: `consent` requests consent to the refresh token at each sign-in; not for
                Microsoft's authorities.
            client_capabilities: The client capabilities, such as `["CP1"]` for claims challenges. Tokens for
                different capabilities are stored separately.
            intune_enrollment_ids: The enrollments in Intune app protection, as returned by the Intune library.
            intune_mam_resource: The Intune resource of each cloud; the tokens are then stored separately.
            server_telemetry: Whether token requests contain telemetry about earlier calls, like those of other
                MSAL libraries; see docs/authorities.md. Cached tokens are then returned more slowly.
            broker: Whether to use the identity broker of this machine; by default `never`. With `require`, device
                codes and `begin_sign_in` are rejected. See docs/brokers.md.
            user_messages: Texts for users that replace those of the library, by code, such as
                `{"signed_in_title": "Angemeldet"}`; docs/c-interface.md lists the codes.
            log: The logger that receives the log messages, by default `tessera_identity` of `logging`. Or a
                function that receives each message as (level, message), on the thread of the call. The levels are
                1 (error), 2 (warning), 3 (information) and 4 (detail). Messages contain no tokens. The call raises
                any exception of the function.
            log_level: The most detailed level that is passed to `log`; by default 4 for a logger, and 3 for a
                function.
            log_pii: Whether log messages may contain personal data, such as user names and paths.

        Raises:
            ConfigurationError: A value is invalid, or the library is not installed (`library_missing`).
        """
        if _positional or _unsupported:
            raise unsupported_arguments("PublicClientApplication", _positional, _unsupported)
        configuration: Configuration = {
            "client_id": client_id,
            "redirect_uri": redirect_uri,
            "authority": authority, "cloud": cloud, "audience": audience, "tenant": tenant,
            "authority_type": authority_type,
            "multiple_clouds": multiple_clouds,
            "bundle_id": bundle_id,
            "known_authorities": several(known_authorities, "known_authorities"),
            "client_capabilities": several(client_capabilities, "client_capabilities"),
            "broker": broker, "log_level": log_level, "log_pii": log_pii,
            "store": {
                "kind": store, "group": group, "directory": path(store_directory),
                "policy": storage_policy,
                "key_sources": several(key_sources, "key_sources"),
                "key": key_text(store_key),
                "limit_megabytes": store_limit_megabytes,
                "msal_cache": path(msal_cache),
            },
            "network": {
                "proxy": proxy, "no_proxy": no_proxy, "ca_file": path(ca_file),
                "timeout_milliseconds": thousandfold(network_timeout_seconds),
                "proactive_refresh_timeout_milliseconds": proactive_refresh_timeout_milliseconds,
            },
            "tokens": {
                "expiry_margin_seconds": expiry_margin_seconds,
                "extended_lifetime": extended_lifetime,
                "request_refresh_token": request_refresh_token,
                "offline_access_prompt": offline_access_prompt,
                "instance_discovery": instance_discovery,
            },
            "intune": {
                "enrollment_ids": mapping(intune_enrollment_ids),
                "mam_resource": mapping(intune_mam_resource),
            },
            "user_messages": user_messages,
            "advanced": {
                "slice": slice, "dc": dc, "server_telemetry": server_telemetry,
                "extra_token_parameters": mapping(extra_token_parameters),
                "extra_query_parameters": mapping(extra_query_parameters),
                "registered_schemes": several(registered_schemes, "registered_schemes"),
            },
        }  # fmt: skip
        if log_level is None and not callable(log):
            configuration["log_level"] = MOST_DETAILED
        key = key_callback(store_key)
        self._handle: ApplicationHandle | None = ApplicationHandle(
            encoded(filled(configuration)), log_callback(log), key
        )
        self._description = {
            "client_id": client_id,
            "authority": authority, "cloud": cloud, "audience": audience, "tenant": tenant,
            "group": "default" if group is None else group,
        }  # fmt: skip
        self._tokens = SilentTokens(expiry_margin_seconds)
        # Attributes for the fast path of a cached token, which saves lookups.
        self._cached = self._tokens.cached
        self._silent = library().tessera_application_acquire_token_silent
        self._free = library().tessera_string_free

    def _open(self) -> ApplicationHandle:
        handle = self._handle
        if handle is None:
            raise InvalidRequestError("The application is closed.", {"code": "missing_parameter"})
        return handle

    if not TYPE_CHECKING:  # Type checkers would accept every name.

        def __getattr__(self, name: str) -> object:
            """Raises AttributeError, with the counterpart of a method of MSAL or azure-identity."""
            raise unsupported_method(type(self).__name__, name)

    def _close(self) -> None:
        self._handle = None
        self._tokens.clear()

    def __repr__(self) -> str:
        """Returns the client ID, the authority and the group."""
        members = [f"{name}={value!r}" for name, value in self._description.items() if value is not None]
        state = " (closed)" if self._handle is None else ""
        return f"{type(self).__name__}({', '.join(members)}){state}"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "PublicClientApplication cannot be pickled: create another one with the same arguments"
        )


class PublicClientApplication(
    ApplicationBase, AccountCalls, StoreCalls, SignInCalls, SSOExtensionTokens, BrokerCalls
):
    """An OAuth 2.0 public client, such as a desktop or command-line application (RFC 6749 section 2.1).

    The object is safe to use from multiple threads, and in a child process after `os.fork()`. Use it as a context
    manager, or call `close()`. `tessera_identity.aio.PublicClientApplication` has coroutine methods.

    Every method can raise `InvalidRequestError` (invalid arguments) and `StorageError` (the token store cannot be
    used). Ctrl-C interrupts a blocking call within one second; see `acquire_token_silent`.

    Example:
        with PublicClientApplication("your-client-id") as app:
            account = app.get_accounts()[0]
            token = app.acquire_token_silent(["User.Read"], account=account)
    """

    def acquire_token_silent(
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
        cancellation: Cancellation | None = None,
        explain: bool = False,
        for_application: bool = False,
        **_unsupported: NoReturn,
    ) -> TokenResult:
        """Acquires an access token without user interaction, from the cache or with a refresh token.

        Call this method before any interactive one. It returns the same result object until the cached token
        changes.

        On the main thread, a call that may wait for a server runs on a helper thread. Ctrl-C and other
        signals are therefore handled at once, and an exception from a signal handler cancels the call. On
        other threads, no helper thread is used.

        Args:
            scopes: The requested scopes, such as `["User.Read"]`.
            account: The account, or its home account ID. Prefer the account: two providers may use the same
                ID. None is for the only account, unless `for_application` is set. A user name raises
                `InvalidRequestError`: look it up with `get_account(username=...)`.
            authority: The authority to use instead of the application's, for a token of another tenant.
            force_refresh: Request a new token even if the cached one is valid.
            claims: The `claims` value of an error or of a resource's claims challenge, unmodified.
            extra_token_parameters: Additional form fields for token requests. They override the fields
                configured for the application.
            extra_query_parameters: Additional query parameters for token requests, with the same precedence.
            timeout: The timeout in seconds. The call then raises `CancelledError` (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            cancellation: Cancels the call from another thread.
            explain: Whether to set `explanation` in the result. The call then always reads the store.
            for_application: Request the app-only token that MSAL stored in a shared cache (`msal_cache`). Pass
                `account=None`. The token is never requested from a server.

        Returns:
            The access token with its account, scopes and expiry time. If the server declined scopes, they are in
            `declined_scopes`.

        Raises:
            SignInRequiredError: The user must sign in interactively. Pass on the error's `claims`.
            RetryLaterError: The network, the server or the store is unavailable; see `retry_after`.
            ConfigurationError: The server rejected the application or its scopes.
            CancelledError: The call was cancelled or timed out.
        """
        if _positional or _unsupported:
            raise unsupported_arguments("acquire_token_silent", _positional, _unsupported)
        if isinstance(scopes, str):
            raise TypeError("scopes must be a list or another iterable of strings, not one string")
        home: str | None
        environment: str | None
        if isinstance(account, Account):
            home, environment = account.home_account_id, account.environment
        else:
            home, environment = identifiers_of(account)
        name = None if home else username_without_id(account)
        key = (home, tuple(scopes), authority, claims, timeout, environment, name)
        extras = None
        if extra_token_parameters is not None or extra_query_parameters is not None:
            extras = (mapping(extra_token_parameters), mapping(extra_query_parameters))
        elif claims is None and not (force_refresh or explain or for_application or correlation_id):
            cached = self._cached.get(key)
            if cached is not None and time() < cached[0]:
                # `call` and `SilentTokens.result_for`, inlined for cached tokens.
                handle = self._handle
                stop = None if cancellation is None else cancellation._handle
                buffer = c_char_p()
                try:
                    status = self._silent(handle, cached[1], stop, byref(buffer))
                    response = buffer.value
                finally:
                    self._free(buffer)
                if pending:
                    raise_pending()
                if status == 0 and response == cached[2]:
                    return cached[3]
                if response is not None:
                    return self._tokens.result_for(key, status, response)
        return self._tokens.acquire(
            self._open(), key, cancellation=cancellation, correlation_id=correlation_id,
            force_refresh=force_refresh, explain=explain, for_application=for_application,
            extras=extras,
        )  # fmt: skip

    def close(self) -> None:
        """Closes the application. Calls in progress are completed first; stored data is kept."""
        self._close()

    def __enter__(self) -> PublicClientApplication:
        """Returns the application, which is closed at the end of the `with` block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Closes the application."""
        self.close()
