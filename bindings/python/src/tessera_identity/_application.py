# SPDX-License-Identifier: MIT
"""The applications: public and confidential clients.

Its silent calls use a cache of serialized requests and parsed results. The library reads the store in every call.
The binding never decides whether a token is valid; it saves only its own work. Each request is serialized once. As
long as the library returns the same bytes, the same result object is returned.
"""

from __future__ import annotations

import os
from ctypes import byref, c_char_p
from time import time

from ._calls import (
    MOST_DETAILED,
    ApplicationHandle,
    call,
    call_blocking,
    call_cancellable,
    call_json,
    call_with_prompt,
    create_value,
    key_callback,
    log_callback,
    observe_callback,
    parse_response,
    pending,
    raise_pending,
)
from ._errors import InvalidRequestError, TesseraError
from ._json_text import encoded
from ._native import library
from ._requests import (
    account_query,
    begin_request,
    browser_request,
    check_prompts,
    client_request,
    completion,
    default_scope,
    device_code_request,
    filled,
    json_text,
    key_text,
    mapping,
    milliseconds,
    page_request,
    path,
    several,
    silent_request,
    strings,
    thousandfold,
    timeout_member,
    write_prompt,
)
from ._results import (
    AccountList,
    DeviceCodePrompt,
    Explanation,
    SignInPrompt,
    SignInSession,
    TokenResult,
)
from ._unsupported import options_of, trace_of, unsupported_arguments, unsupported_method
from ._values import Account, CurrentAccount, identifiers_of, username_without_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from logging import Logger, LoggerAdapter
    from os import PathLike
    from types import TracebackType
    from typing import Any, Literal, NoReturn

    from typing_extensions import Unpack

    from ._calls import Cancellation
    from ._options import ClientCredential, Configuration, UserMessages
    from ._reports import (
        BrokerAccount,
        BrokerCookie,
        CopyReport,
        ExportedSignIns,
        KeySource,
        MetricsSnapshot,
        MigrationReport,
        SignOutReport,
        StoragePolicy,
        StoreInfo,
    )
    from ._requests import (
        ApplicationOptions,
        CallIdentifiers,
        Extras,
        Key,
        PagePrompt,
        TraceContext,
    )

    # The time until which the call needs no server, in seconds since 1970; the request; the response; the result.
    CachedResult = tuple[float, bytes, bytes, TokenResult]
    Cloud = Literal["public", "china", "germany", "us_government", "france", "delos", "gov_sg"]
    Audience = Literal[
        "AzureADandPersonalMicrosoftAccount", "AzureADMultipleOrgs", "AzureADMyOrg",
        "PersonalMicrosoftAccount",
    ]  # fmt: skip

CACHE_LIMIT = 10_000
"""The maximum number of cached requests and results of an application; the oldest are evicted."""

UNFINISHED = frozenset({"refresh_error", "brokers", "warnings"})
"""The members of a result if its call may have ended early because of the timeout."""

SIGN_IN_REQUIRED = 1
"""TESSERA_STATUS_SIGN_IN of the header."""

DEFAULT_MARGIN = 300
"""The default expiry margin in seconds, as in MSAL."""


class SilentTokens:
    """The requests of one application with their latest responses and results."""

    __slots__ = ("_margin", "cached")

    def __init__(self, margin: float | None) -> None:
        """Creates an empty cache."""
        self.cached: dict[Key, CachedResult] = {}
        self._margin = DEFAULT_MARGIN if margin is None else margin

    def clear(self) -> None:
        """Clears the cache, so that the next responses are parsed again."""
        self.cached.clear()

    def acquire(
        self,
        handle: ApplicationHandle,
        key: Key,
        *,
        cancellation: Cancellation | None,
        correlation_id: str | None,
        force_refresh: bool,
        explain: bool,
        for_application: bool = False,
        extras: Extras | None = None,
    ) -> TokenResult:
        """Makes a call that may wait for a server, or that has no cached request."""
        if not (force_refresh or explain or for_application) and key[3] is None:
            request = stored_request(key, correlation_id=correlation_id, extras=extras)
            function = library().tessera_application_acquire_token_silent
            response = call(function, handle, request, cancellation and cancellation._handle)
            is_usual = correlation_id is None and extras is None
            result = self.finished_result(key, request if is_usual else stored_request(key), *response)
            if result is not None:
                return result
        request = silent_request(
            key, correlation_id=correlation_id, force_refresh=force_refresh, explain=explain,
            for_application=for_application, extras=extras,
        )  # fmt: skip
        response = call_blocking("acquire_token_silent", handle, request, cancellation=cancellation)
        if explain or for_application:
            return create_value(TokenResult, parse_response(*response))
        result = self._result(key, *response)
        is_finished = UNFINISHED.isdisjoint(result._document)
        request = stored_request(key) if is_finished else silent_request(key, force_refresh=False)
        return self._cached(key, request, response[1], result)

    def finished_result(
        self, key: Key, request: bytes, status: int, response: bytes | None
    ) -> TokenResult | None:
        """Returns the result of a `stored_request`; None if the call needs time for a server or a lock.

        A refresh, a broker or an unsaved change may need time that the call did not have.

        Args:
            key: The key of the result.
            request: The `stored_request` of the key, which is cached with the result.
            status: The status of the call.
            response: Its response; None if memory is exhausted.
        """
        if response is None or not (status == 0 or is_final(status, response)):
            return None
        result = self._result(key, status, response)
        if not UNFINISHED.isdisjoint(result._document):
            return None
        return self._cached(key, request, response, result)

    def _result(self, key: Key, status: int, response: bytes) -> TokenResult:
        """Returns the cached result of the same response, or a new one."""
        cached = self.cached.get(key)
        if cached is not None and status == 0 and response == cached[2]:
            return cached[3]
        try:
            return create_value(TokenResult, parse_response(status, response))
        except TesseraError:
            self._evict(key)
            raise

    def _cached(self, key: Key, request: bytes, response: bytes, result: TokenResult) -> TokenResult:
        """Caches a result with its request, and returns it."""
        if result.declined_scopes:
            # Not cached: the next call may get all scopes.
            self._evict(key)
            return result
        until = min(result.expires_on - self._margin, result.refresh_on or result.expires_on)
        cached_results = self.cached
        cached_results[key] = (until, request, response, result)
        if len(cached_results) > CACHE_LIMIT:
            # Evict a tenth at a time, because a dictionary skips all deleted entries to find its oldest key.
            for old in list(cached_results)[: max(CACHE_LIMIT // 10, 1)]:
                cached_results.pop(old, None)
        return result

    def _evict(self, key: Key) -> None:
        self.cached.pop(key, None)


def stored_request(
    key: Key, *, correlation_id: str | None = None, extras: Extras | None = None
) -> bytes:
    """Serializes the request for a valid token of the store.

    With a timeout of 0, the library sends no request and waits for no lock. Any thread can therefore make the call
    itself, also the main thread and the one that cooperative threads share. Starting a helper thread takes as long
    as the call, and far longer while other processes are busy.
    """
    return silent_request(
        (*key[:4], 0, *key[5:]), force_refresh=False, correlation_id=correlation_id, extras=extras
    )


def is_final(status: int, response: bytes) -> bool:
    """Returns whether a call with a timeout of 0 has the error of one with enough time.

    Without causes, `interaction_required` means that no request may be sent, however much time is left.
    """
    is_required = status == SIGN_IN_REQUIRED and b'"code":"interaction_required"' in response
    return is_required and b'"causes"' not in response


class ApplicationBase:
    """The constructor and the state of an application, with blocking or with coroutine methods."""

    # The members of the configuration that only a confidential client has, during its creation.
    _credential: Configuration = {}  # noqa: RUF012 - never changed

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
        **options: Unpack[ApplicationOptions],
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
            **options: `observe`: a function that receives each change of a metric as (name, value, tags), on the
                thread of the call; see docs/metrics.md. It must not use the application. The call raises any
                exception of the function.

        Raises:
            ConfigurationError: A value is invalid, or the library is not installed (`library_missing`).
        """
        options_of("PublicClientApplication", _positional, options, "observe")
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
                "kind": store, "group": group, "directory": path(store_directory, "store_directory"),
                "policy": storage_policy,
                "key_sources": several(key_sources, "key_sources"),
                "key": key_text(store_key),
                "limit_megabytes": store_limit_megabytes,
                "msal_cache": path(msal_cache, "msal_cache"),
            },
            "network": {
                "proxy": proxy, "no_proxy": no_proxy, "ca_file": path(ca_file, "ca_file"),
                "timeout_milliseconds": thousandfold(network_timeout_seconds, "network_timeout_seconds"),
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
                "enrollment_ids": mapping(intune_enrollment_ids, "intune_enrollment_ids"),
                "mam_resource": mapping(intune_mam_resource, "intune_mam_resource"),
            },
            "user_messages": user_messages,
            "advanced": {
                "slice": slice, "dc": dc, "server_telemetry": server_telemetry,
                "extra_token_parameters": mapping(extra_token_parameters, "extra_token_parameters"),
                "extra_query_parameters": mapping(extra_query_parameters, "extra_query_parameters"),
                "registered_schemes": several(registered_schemes, "registered_schemes"),
            },
        }  # fmt: skip
        configuration.update(self._credential)
        if log_level is None and not callable(log):
            configuration["log_level"] = MOST_DETAILED
        key = key_callback(store_key)
        observe = observe_callback(options.get("observe"))
        self._handle: ApplicationHandle | None = ApplicationHandle(
            encoded(filled(configuration)), log_callback(log), key, observe
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


class PublicClientApplication(ApplicationBase):
    """An OAuth 2.0 public client, such as a desktop or command-line application (RFC 6749 section 2.1).

    The object is safe to use from multiple threads, and in a child process after `os.fork()`. Use it as a context
    manager, or call `close()`. `tessera_identity.aio.PublicClientApplication` has coroutine methods.

    Every method can raise `InvalidRequestError` (invalid arguments) and `StorageError` (the token store cannot be
    used). Ctrl-C interrupts a blocking call within one second; see `acquire_token_silent`.

    The methods `broker_...` call the identity broker directly, regardless of the `broker` setting. They can raise
    `ConfigurationError` (`broker_unavailable`: no session bus, broker or D-Bus library, or the version of the
    broker does not support the request) and `RetryLaterError` (`broker_unresponsive`: no response or an invalid
    one). They also raise the errors of the broker: `RetryLaterError` (`network_failed`, `server_unavailable`),
    `SignInRequiredError` (`interaction_required`, `account_not_found`, `account_mismatch`, `device_required`),
    `InvalidRequestError` (`request_rejected`), `ConfigurationError` (`client_rejected`, `invalid_authority`) and
    `CancelledError` (`access_denied`). `causes` of the error has the reason or the broker's error number.

    Example:
        with PublicClientApplication("your-client-id") as app:
            account = app.get_accounts()[0]
            token = app.acquire_token_silent(["User.Read"], account=account)
    """

    # The accounts of the latest unrestricted call.
    _latest_list: AccountList | None = None

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
        **trace: Unpack[TraceContext],
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
            **trace: `traceparent` and `tracestate` of the call's span (W3C Trace Context level 1), which are sent
                to the provider unchanged; see docs/metrics.md.

        Returns:
            The access token with its account, scopes and expiry time. If the server declined scopes, they are in
            `declined_scopes`.

        Raises:
            SignInRequiredError: The user must sign in interactively. Pass on the error's `claims`.
            RetryLaterError: The network, the server or the store is unavailable; see `retry_after`.
            ConfigurationError: The server rejected the application or its scopes.
            CancelledError: The call was cancelled or timed out.
        """
        span = trace_of("acquire_token_silent", _positional, trace) if _positional or trace else None
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
        if span or extra_token_parameters is not None or extra_query_parameters is not None:
            extras = (
                mapping(extra_token_parameters, "extra_token_parameters"),
                mapping(extra_query_parameters, "extra_query_parameters"),
                span or {},
            )
        elif claims is None and not (force_refresh or explain or for_application or correlation_id):
            cached = self._cached.get(key)
            if cached is not None and time() < cached[0]:
                # `call` and `SilentTokens.finished_result`, inlined for cached tokens.
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
                result = self._tokens.finished_result(key, cached[1], status, response)
                if result is not None:
                    return result
        return self._tokens.acquire(
            self._open(), key, cancellation=cancellation, correlation_id=correlation_id,
            force_refresh=force_refresh, explain=explain, for_application=for_application,
            extras=extras,
        )  # fmt: skip

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
        **trace: Unpack[TraceContext],
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
            **trace: `traceparent` and `tracestate` of the call's span (W3C Trace Context level 1), which are sent
                to the provider unchanged; see docs/metrics.md.

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
        span = trace_of("acquire_token_by_device_code", _positional, trace)
        request = {
            **device_code_request(
                scopes, prompt_callback, authority=authority, claims=claims,
                extra_token_parameters=extra_token_parameters,
                extra_query_parameters=extra_query_parameters, timeout=timeout,
                correlation_id=correlation_id, explain=explain,
            ),
            **span,
        }  # fmt: skip
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
        **trace: Unpack[TraceContext],
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
            **trace: `traceparent` and `tracestate` of the call's span (W3C Trace Context level 1), which are sent
                to the provider unchanged; see docs/metrics.md.

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
        **trace: Unpack[TraceContext],
    ) -> SignInSession:
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
            **trace: `traceparent` and `tracestate` of the call's span (W3C Trace Context level 1), which are sent
                to the provider unchanged; see docs/metrics.md.

        Returns:
            The URL to open, and the state for `complete_sign_in`.

        Raises:
            RetryLaterError: The network, the server or the store is unavailable.
            ConfigurationError: The provider has no authorization endpoint, or the application has
                `broker="require"` and no `authenticator` (`flow_unsupported`). Or the scheme is not registered for
                the delivery by the system (`redirect_scheme_not_registered`). With `authenticator`, also: a broker
                would reject the redirect URI (`invalid_redirect_uri`), or Info.plist lacks a scheme.
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
        response = call_blocking(
            "begin_sign_in", self._open(), encoded(request), cancellation=cancellation
        )
        return create_value(SignInSession, parse_response(*response))

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

    def get_accounts(
        self,
        /,
        *_positional: NoReturn,
        home_account_id: str | None = None,
        username: str | None = None,
        local_account_id: str | None = None,
        environment: str | None = None,
        signed_in_only: bool = True,
        claims: bool = False,
        timeout: float | None = None,
        **_unsupported: NoReturn,
    ) -> tuple[Account, ...]:
        """Returns the accounts for which the store contains a sign-in that this application can use.

        No server request is sent. Arguments that are None do not restrict the result.

        Args:
            home_account_id: The home account ID; case-insensitive for Entra accounts only.
            username: The user name in any tenant, case-insensitive.
            local_account_id: The account ID in one tenant.
            environment: The account's `environment`, or another host of the same cloud.
            signed_in_only: Pass False to include signed-out accounts, and accounts of other applications.
            claims: Pass True to include the claims of the ID tokens, which takes longer.
            timeout: The timeout in seconds while another process holds the store; 10 by default. The call then
                raises `RetryLaterError` (`store_busy`).

        Returns:
            The accounts; empty if the store does not exist or is empty.

        Raises:
            SignInRequiredError: The store is damaged (`cache_damaged`).
            StorageError: The store cannot be read, or its key is not available (`key_unavailable`).
        """
        if _positional or _unsupported:
            raise unsupported_arguments("get_accounts", _positional, _unsupported)
        request = account_query(
            home_account_id=home_account_id, username=username, local_account_id=local_account_id,
            environment=environment, signed_in_only=signed_in_only, claims=claims, timeout=timeout,
        )  # fmt: skip
        is_plain = all(value is None for value in request.values())
        function = library().tessera_application_get_accounts
        status, response = call(function, self._open(), None if is_plain else encoded(request), None)
        latest = self._latest_list
        if latest is not None and status == 0 and response == latest.response:
            return latest.accounts
        if is_plain and status == 0:
            try:
                latest = AccountList(response, latest)
            except ValueError:
                pass  # Parsed as any JSON text.
            else:
                self._latest_list = latest
                return latest.accounts
        document = parse_response(status, response)
        return tuple(create_value(Account, each) for each in document.get("accounts") or ())

    def get_account(
        self,
        /,
        *_positional: NoReturn,
        home_account_id: str | None = None,
        username: str | None = None,
        local_account_id: str | None = None,
        environment: str | None = None,
        signed_in_only: bool = True,
        claims: bool = False,
        timeout: float | None = None,
        **_unsupported: NoReturn,
    ) -> Account:
        """Returns the account that matches one identifier; pass exactly one of the first three.

        No server request is sent. The method never chooses between several accounts.

        Args:
            home_account_id: The home account ID.
            username: The user name in any tenant, case-insensitive.
            local_account_id: The account ID in one tenant.
            environment: The account's `environment`, for a user name that several providers use.
            signed_in_only: See `get_accounts`.
            claims: See `get_accounts`.
            timeout: See `get_accounts`.

        Raises:
            SignInRequiredError: No account matches (`account_not_found`).
            InvalidRequestError: Several accounts match (`ambiguous_account`); they are in `accounts` of the error.
        """
        if _positional or _unsupported:
            raise unsupported_arguments("get_account", _positional, _unsupported)
        request = account_query(
            home_account_id=home_account_id, username=username, local_account_id=local_account_id,
            environment=environment, signed_in_only=signed_in_only, claims=claims, timeout=timeout,
        )  # fmt: skip
        function = library().tessera_application_get_account
        document = call_json(function, self._open(), encoded(request), None)
        return create_value(Account, document.get("account") or {})

    def get_current_account(self, *, timeout: float | None = None) -> CurrentAccount:
        """Returns the current account of a single-account application, and the previous one. Sends no request.

        The store records the current account for all processes of the application. If it differs from the previous
        account, the application must discard the data of the previous user.

        Args:
            timeout: See `get_accounts`.

        Raises:
            InvalidRequestError: Several accounts are signed in (`ambiguous_account`); see `accounts` of the error.
        """
        request = encoded(timeout_member(timeout))
        document = call_json(library().tessera_application_get_current_account, self._open(), request, None)
        return create_value(CurrentAccount, document)

    def remove_account(self, account: Account | str, *, timeout: float | None = None) -> bool:
        """Removes an account's tokens for this application from the store.

        No server request is sent, so it works offline. The user stays signed in to other applications.

        Args:
            account: The account, or its home account ID.
            timeout: See `get_accounts`. If the call times out, nothing was removed.

        Returns:
            False if the store had no tokens of the account.
        """
        home, environment = identifiers_of(account)
        request = encoded({
            "home_account_id": home, "username": username_without_id(account),
            "environment": environment, **timeout_member(timeout),
        })  # fmt: skip
        document = call_json(library().tessera_application_remove_account, self._open(), request, None)
        self._tokens.clear()
        return bool(document.get("removed"))

    def acquire_token_silent_with_resource(
        self,
        resource: str,
        user_id: str,
        *,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> TokenResult:
        """Acquires an access token like ADAL's `acquireTokenSilentWithResource:clientId:redirectUri:userId:`.

        The client ID and the redirect URI are those of the application. Accounts that exist only in a migrated
        ADAL cache are found too; they have a home account ID afterwards.

        Args:
            resource: The resource, such as `https://graph.microsoft.com`.
            user_id: The user name (ADAL: `userId`), case-insensitive.
            authority: The authority to use instead of the application's.
            timeout: The timeout in seconds. The call then raises `CancelledError` (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            cancellation: Cancels the call from another thread.

        Returns:
            The access token with its account, scopes and expiry time.

        Raises:
            InvalidRequestError: Several accounts have the user name (`ambiguous_account`); they are in `accounts`
                of the error.
            TesseraError: See `acquire_token_silent`.
        """
        key = ("", (default_scope(resource),), authority, None, timeout, None, user_id)
        return self._tokens.acquire(
            self._open(), key, cancellation=cancellation, correlation_id=correlation_id,
            force_refresh=False, explain=False,
        )  # fmt: skip

    def explain(
        self,
        scopes: Iterable[str],
        *,
        account: Account | str,
        authority: str | None = None,
        force_refresh: bool = False,
        claims: str | None = None,
        timeout: float | None = None,
    ) -> Explanation:
        """Explains what `acquire_token_silent` would do with the same arguments: a dry run.

        No request is sent and no token is redeemed. The result lists all tokens of the account in the store, with
        the reasons why each would be used or not. An error that would end the call is in `error` and is not
        raised.

        Args:
            scopes: The requested scopes, such as `["User.Read"]`.
            account: The account, or its home account ID.
            authority: The authority to use instead of the application's.
            force_refresh: Explain a call with `force_refresh`.
            claims: Explain a call with this claims challenge.
            timeout: See `get_accounts`.
        """
        requested = strings(scopes, "scopes")
        home, environment = identifiers_of(account)
        username = username_without_id(account)
        key = (home, requested, authority, claims, timeout, environment, username)
        request = silent_request(key, force_refresh=force_refresh)
        document = call_json(library().tessera_application_explain, self._open(), request, None)
        return create_value(Explanation, document)

    def sign_out(
        self,
        account: Account | str | None = None,
        *,
        scope: Literal["application", "every_application", "machine"] = "application",
        revoke_tokens: bool = False,
        end_session: bool = False,
        post_logout_redirect_uri: str | None = None,
        from_broker: bool = False,
        authority: str | None = None,
        timeout: float | None = None,
        cancellation: Cancellation | None = None,
        **identifiers: Unpack[CallIdentifiers],
    ) -> SignOutReport:
        """Signs an account out, and reports what was removed and what remains.

        The data on this machine is removed first, in one commit, independently of the network. Then the requested
        requests are sent to the provider. Their failures are in the report and are not raised.

        Args:
            account: The account, or its home account ID; must be None for the scope `machine`.
            scope: `application` keeps the tokens of other applications. `every_application` removes those of all
                applications that share the store. `machine` removes all accounts of all applications and empties
                the store.
            revoke_tokens: Whether to revoke the refresh tokens at the provider (RFC 7009).
            end_session: Whether to return the URL at which a browser ends its session.
            post_logout_redirect_uri: The URI to which the browser is redirected afterwards; it must be registered.
            from_broker: Whether to remove the account from the identity broker for this application too; for
                `machine`, all accounts that the broker has for it.
            authority: The authority to use instead of the application's.
            timeout: The timeout in seconds for the requests to the provider.
            cancellation: Cancels the requests to the provider from another thread.
            **identifiers: `correlation_id`, sent to the server, by default a new one; and `traceparent` and
                `tracestate` of the call's span; see docs/metrics.md.

        Returns:
            The removed and the remaining records, and the results of the requests.

        Raises:
            RetryLaterError: Another process holds the store (`store_busy`); nothing was removed.
        """
        from ._reports import SignOutReport

        names = ("correlation_id", "traceparent", "tracestate")
        given = options_of("sign_out", (), identifiers, *names)
        home, environment = identifiers_of(account)
        request = encoded({
            "home_account_id": home, "username": username_without_id(account),
            "environment": environment, "scope": scope,
            "revoke_tokens": True if revoke_tokens else None,
            "end_session": True if end_session else None,
            "post_logout_redirect_uri": post_logout_redirect_uri,
            "from_broker": True if from_broker else None, "authority": authority,
            **timeout_member(timeout), **given,
        })  # fmt: skip
        function = library().tessera_application_sign_out
        response = call_cancellable(function, self._open(), request, cancellation=cancellation)
        self._tokens.clear()
        return create_value(SignOutReport, parse_response(*response))

    def store_sso_extension_tokens(
        self,
        headers: Mapping[str, str],
        scopes: Iterable[str],
        *,
        authority: str | None = None,
        account: Account | str | None = None,
        accept_other_account: bool | None = None,
        nonce: str | None = None,
        claims: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> TokenResult:
        """Validates the tokens in a response of the extension, and stores them.

        The issuer, application, tenant, nonce, account and scopes must match the request. On a shared device, the
        access token is returned but not stored.

        Args:
            headers: The `allHeaderFields` of the `authenticatedResponse`.
            scopes: The requested scopes.
            authority: The requested authority, if it differs from the application's.
            account: The requested account, or its home account ID.
            accept_other_account: Whether tokens of another account than `account` are accepted.
            nonce: The nonce of the request, if it had one.
            claims: The claims challenge of the request; older tokens are then removed.
            timeout: The timeout in seconds. The call then raises `CancelledError` (`deadline_exceeded`).
            correlation_id: The correlation ID of the request.
            cancellation: Cancels the call from another thread.

        Returns:
            The access token with its account, scopes and expiry time.

        Raises:
            SignInRequiredError: The tokens belong to a different account (`account_mismatch`), the response is
                invalid, or it contains an error of the server.
            ConfigurationError: The tokens belong to another authority or application, or the response contains
                an error of the server.
            RetryLaterError: The network, the server or the store is unavailable.
        """
        request = encoded({
            "headers": mapping(headers, "headers"), "scopes": several(scopes, "scopes"), "authority": authority,
            "home_account_id": account if account is None or isinstance(account, str)
            else account.home_account_id,
            "accept_other_account": accept_other_account, "nonce": nonce, "claims": json_text(claims, "claims"),
            "timeout_milliseconds": milliseconds(timeout), "correlation_id": correlation_id,
        })  # fmt: skip
        function = library().tessera_application_store_sso_extension_response
        response = call_cancellable(function, self._open(), request, cancellation=cancellation)
        return create_value(TokenResult, parse_response(*response))

    def store_info(self, *, timeout: float | None = None) -> StoreInfo:
        """Returns the state and the protection of the store, and the key sources that failed, with the reasons.

        Nothing is created or changed. An error is in `problem` and is not raised.

        Args:
            timeout: The timeout in seconds while another process holds the store; 10 by default. When it has
                passed, `state` is `busy`.
        """
        from ._reports import StoreInfo

        request = encoded(timeout_member(timeout))
        document = call_json(library().tessera_application_get_store_info, self._open(), request, None)
        return create_value(StoreInfo, document)

    def metrics(self) -> MetricsSnapshot:
        """Returns the metrics of this application since its creation; see docs/metrics.md.

        The store is not read. Each process has its own metrics.
        """
        document = call_json(library().tessera_application_metrics, self._open())
        from ._reports import MetricsSnapshot

        return create_value(MetricsSnapshot, document)

    def rotate_store_key(
        self, new_key: bytes | bytearray | None = None, *, timeout: float | None = None
    ) -> bool:
        """Replaces the encryption key of the store, and encrypts all records with the new key, in one transaction.

        Other processes continue to use the store, unless they provide the key themselves.

        Args:
            new_key: The new key (32 bytes). It is required if the store is encrypted with `store_key`, and
                rejected if `store_key` is not configured. If it is omitted for a store with another key source,
                the store is encrypted with `store_key`.
            timeout: The timeout of the call in seconds.

        Returns:
            False if there is no store to encrypt, or if it stays unencrypted.

        Raises:
            InvalidRequestError: The new key is missing (`missing_parameter`), not accepted, or equal to the old
                one.
            StorageError: The old key is not available (`key_unavailable`), or the new one would protect less
                (`encryption_unavailable`). Nothing was changed.
        """
        request = encoded({"new_store_key": key_text(new_key), **timeout_member(timeout)})
        document = call_json(library().tessera_application_rotate_store_key, self._open(), request, None)
        return bool(document.get("rotated"))

    def migrate(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        data: bytes | None = None,
        place: Literal["azure_cli"] | None = None,
        format: str | None = None,  # noqa: A002 - the name in the report
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> MigrationReport:
        """Migrates the sign-ins in the cache of an older library, such as ADAL. The cache itself is not changed.

        No request is sent: the refresh tokens are stored for all applications in the cache, and redeemed by the
        first silent call for the account. The migration is idempotent.

        Args:
            path: The file that the older library wrote.
            data: The content of the cache, instead of a path.
            place: A known location, instead of a path: `azure_cli` for `accessTokens.json` of the Azure CLI before
                2.30, in `AZURE_CONFIG_DIR` or `~/.azure`.
            format: The format, if it cannot be detected: `adal_apple_item`, `adal_macos`, `apple_keychain`,
                `msal_macos`, `adal_dotnet`, `msal_dotnet`, `adal_python`, `azure_cli` or `adal_node`.
            dry_run: Whether to return only the report, without storing anything.
            timeout: The timeout in seconds of the call; by default 10 for each access to a store that another
                process holds.

        Raises:
            InvalidRequestError: The data is not a supported cache, or the file cannot be read
                (`legacy_cache_invalid`).
            StorageError: The store cannot be written; some accounts may already be stored.
        """
        from ._reports import MigrationReport

        if isinstance(path, (bytes, bytearray)):
            raise TypeError("path must be the path of a file; pass the content of a cache as data=")
        request = encoded({
            "path": None if path is None else os.fspath(path), "place": place, "format": format,
            "dry_run": True if dry_run else None, **timeout_member(timeout),
        })  # fmt: skip
        size = 0 if data is None else len(data)
        function = library().tessera_application_migrate
        return create_value(MigrationReport, call_json(function, self._open(), request, data, size, None))

    def export_sign_ins(
        self,
        format: Literal["apple_keychain", "adal_macos"],  # noqa: A002 - the name in the document
        *,
        data: bytes | None = None,
        account: Account | str | None = None,
        timeout: float | None = None,
    ) -> ExportedSignIns:
        """Exports the sign-ins of this application for programs that still use ADAL 2.7 or later, by `userId`.

        No request is sent and nothing is changed. The result contains refresh tokens: write it only where the
        older library reads it, and where no other user can.

        Args:
            format: `apple_keychain` for keychain items; `adal_macos` for the cache of ADAL for macOS.
            data: The existing cache of ADAL for macOS; its other entries are kept.
            account: The account, or its home account ID; None for all.
            timeout: The timeout in seconds while another process holds the store; 10 by default.

        Raises:
            SignInRequiredError: No account is signed in (`account_not_found`).
            InvalidRequestError: The existing cache cannot be read (`legacy_cache_invalid`), and must not be
                overwritten.
        """
        from ._reports import ExportedSignIns

        home = identifiers_of(account)[0]
        request = encoded({"format": format, "home_account_id": home, **timeout_member(timeout)})
        size = 0 if data is None else len(data)
        function = library().tessera_application_export_sign_ins
        return create_value(ExportedSignIns, call_json(function, self._open(), request, data, size, None))

    def read_cache(self, *, timeout: float | None = None) -> str:
        """Returns the store as the JSON document of MSAL libraries, with all accounts and applications.

        No request is sent and nothing is changed. The document contains tokens. Its entries have the format of
        MSAL Python; records that only Tessera uses are omitted. `tessera_identity.msal` provides a token cache for
        MSAL on it.

        Args:
            timeout: The timeout in seconds while another process holds the store; 10 by default.
        """
        request = encoded(timeout_member(timeout))
        return str(call_json(library().tessera_application_read_cache, self._open(), request, None)["cache"])

    def write_cache(
        self, before: str, after: str, *, timeout: float | None = None
    ) -> tuple[int, int]:
        """Writes the changes that another library made to the document, in one commit.

        Concurrent changes of other processes are kept. An entry is stored unless a newer one exists, and removed
        if it is still the same token. Refresh tokens and accounts are always removed, because other libraries sign
        out that way.

        Args:
            before: The document before the changes.
            after: The document after the changes. Unchanged entries may be omitted in both.
            timeout: See `read_cache`.

        Returns:
            The number of entries that were added or changed, and the number that were removed.

        Raises:
            InvalidRequestError: A text is not a valid document (`invalid_member`). Nothing was changed.
        """
        request = encoded({"before": before, "after": after, **timeout_member(timeout)})
        report = call_json(library().tessera_application_write_cache, self._open(), request, None)
        return report["stored"], report["removed"]

    def copy_from(
        self,
        other: ApplicationBase,
        *,
        account: Account | str | None = None,
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> CopyReport:
        """Copies the accounts and tokens of another application's store into the store of this one.

        No request is sent. The records of all applications that share the stores are copied. The newer of two
        tokens with the same key wins, and nothing is deleted. The operation is idempotent.

        Args:
            other: An application that uses the other store, in another group, directory or kind of store.
            account: The account to copy, or its home account ID; None for all.
            dry_run: Whether to return only the report, without storing anything.
            timeout: The timeout in seconds of the call; by default 10 for each access to a store that another
                process holds.

        Raises:
            StorageError: One of the stores cannot be used; some records may already be stored.
        """
        from ._reports import CopyReport

        request = encoded({
            "home_account_id": identifiers_of(account)[0], "dry_run": True if dry_run else None,
            **timeout_member(timeout),
        })  # fmt: skip
        function = library().tessera_application_copy_sign_ins
        return create_value(CopyReport, call_json(function, self._open(), other._open(), request, None))

    def broker_version(
        self,
        *,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> str:
        """Returns the version of the broker. It can be used to detect a broker.

        Args:
            authority: The authority; its cloud determines the redirect URI. None for the application's.
            timeout: The timeout in seconds; by default 10, for signatures 30 and for cookies 40.
            correlation_id: The correlation ID for the broker's log; by default a new one.
            cancellation: Cancels the call from another thread.
        """
        request = _broker_request(
            authority=authority, timeout=timeout, correlation_id=correlation_id
        )
        return str(self._call_broker("tessera_application_get_broker_version", request, cancellation)["version"])

    def broker_accounts(
        self,
        *,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> tuple[BrokerAccount, ...]:
        """Returns the accounts that the broker has for this application, also those not signed in to it.

        Args:
            authority: See `broker_version`.
            timeout: See `broker_version`.
            correlation_id: See `broker_version`.
            cancellation: See `broker_version`.
        """
        from ._reports import BrokerAccount

        request = _broker_request(
            authority=authority, timeout=timeout, correlation_id=correlation_id
        )
        response = self._call_broker("tessera_application_get_broker_accounts", request, cancellation)
        return tuple(BrokerAccount(each) for each in response["accounts"])

    def broker_sso_cookie(
        self,
        account: BrokerAccount | str,
        sso_url: str,
        *,
        scopes: Iterable[str] | None = None,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> tuple[BrokerCookie, ...]:
        """Returns the cookies that sign a browser in with an account of the broker.

        The cookies are equivalent to the user's password. Send them only to that page, and do not store them.

        Args:
            account: The account, or its home account ID.
            sso_url: The URL of the sign-in page, with the `sso_nonce` from the page.
            scopes: The scopes that the browser requests; None for Microsoft Graph.
            authority: See `broker_version`.
            timeout: See `broker_version`.
            correlation_id: See `broker_version`.
            cancellation: See `broker_version`.

        Raises:
            InvalidRequestError: `sso_url` is not a page of the authority's cloud.
            SignInRequiredError: The broker does not have the account (`account_not_found`).
        """
        from ._reports import BrokerCookie

        request = {
            "home_account_id": _home_account_id(account), "sso_url": sso_url,
            "scopes": several(scopes, "scopes"),
            **_broker_request(authority=authority, timeout=timeout, correlation_id=correlation_id),
        }  # fmt: skip
        response = self._call_broker("tessera_application_get_broker_sso_cookie", request, cancellation)
        return tuple(BrokerCookie(each) for each in response["cookies"])

    def broker_signed_http_request(
        self,
        account: BrokerAccount | str,
        http_method: str,
        url: str,
        *,
        nonce: str | None = None,
        client_claims: str | None = None,
        key_id: str | None = None,
        authority: str | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> str:
        """Returns a signature of a request to a resource with a key of the broker (proof of possession).

        Args:
            account: The account, or its home account ID.
            http_method: The HTTP method, such as `GET`.
            url: The URL of the request; its host and path are signed.
            nonce: The nonce of the resource.
            client_claims: Additional claims, as JSON text.
            key_id: The ID of the key; None for a key chosen by the broker.
            authority: See `broker_version`.
            timeout: See `broker_version`.
            correlation_id: See `broker_version`.
            cancellation: See `broker_version`.

        Raises:
            InvalidRequestError: `url` has no host, or a value to sign is empty (`invalid_member`).
        """
        request = {
            "home_account_id": _home_account_id(account), "http_method": http_method, "url": url,
            "nonce": nonce, "client_claims": json_text(client_claims, "client_claims"), "key_id": key_id,
            **_broker_request(authority=authority, timeout=timeout, correlation_id=correlation_id),
        }  # fmt: skip
        response = self._call_broker("tessera_application_get_broker_signed_http_request", request, cancellation)
        return str(response["signed_http_request"])

    def _call_broker(
        self, name: str, request: dict[str, object], cancellation: Cancellation | None
    ) -> dict[str, Any]:
        handle, function = self._open(), getattr(library(), name)
        response = call_cancellable(function, handle, encoded(request), cancellation=cancellation)
        return parse_response(*response)

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


def _broker_request(
    *, authority: str | None, timeout: float | None, correlation_id: str | None
) -> dict[str, object]:
    return {"authority": authority, "correlation_id": correlation_id, **timeout_member(timeout)}


def _home_account_id(account: BrokerAccount | str) -> str:
    return account if isinstance(account, str) else account.home_account_id


class ClientTokens:
    """The requests of one confidential client for its own tokens, with their latest responses and results."""

    __slots__ = ("_cached",)

    def __init__(self) -> None:
        """Creates an empty cache."""
        self._cached: dict[tuple[tuple[str, ...], str | None], tuple[bytes, bytes, TokenResult]] = {}

    def stored(
        self,
        handle: ApplicationHandle,
        scopes: tuple[str, ...],
        tenant: str | None,
        cancellation: Cancellation | None,
    ) -> TokenResult | None:
        """Returns the valid token of the store; None if the call needs time for a server or a lock.

        The same result object is returned as long as the library returns the same bytes.
        """
        key = (scopes, tenant)
        cached = self._cached.get(key)
        request = cached[0] if cached else client_request(scopes, tenant, timeout=0)
        function = library().tessera_application_acquire_token_for_client
        status, response = call(function, handle, request, cancellation and cancellation._handle)
        if status != 0:
            return None
        if cached is not None and response == cached[1]:
            return cached[2]
        result = create_value(TokenResult, parse_response(status, response))
        if not UNFINISHED.isdisjoint(result._document):
            return None
        self._cached[key] = (request, response, result)
        if len(self._cached) > CACHE_LIMIT:
            for old in list(self._cached)[: CACHE_LIMIT // 10]:
                self._cached.pop(old, None)
        return result


class ConfidentialBase(ApplicationBase):
    """The constructor and the state of a confidential client."""

    def __init__(self, client_id: str, credential: ClientCredential, **options: Any) -> None:  # noqa: ANN401
        """Creates a confidential client. No file is opened and no request is sent.

        Args:
            client_id: The client ID of the app registration.
            credential: The credential, such as `{"secret_file": "/run/secrets/client"}`; see docs/services.md.
            options: `authentication_method` and `assertion_audience`, and the arguments of
                `PublicClientApplication`.

        Raises:
            ConfigurationError: A value is invalid, or the library is not installed (`library_missing`).
        """
        if not any(credential.values()):
            raise InvalidRequestError(
                "credential is empty: set secret_file, certificate_file or another member.",
                {"code": "invalid_member"},
            )
        self._credential = {
            "credential": credential,
            "authentication_method": options.pop("authentication_method", None),
            "assertion_audience": options.pop("assertion_audience", None),
        }
        try:
            super().__init__(client_id, **options)
        finally:
            del self._credential
        self._client_tokens = ClientTokens()


class ConfidentialClientApplication(ConfidentialBase, PublicClientApplication):
    """An OAuth 2.0 confidential client, such as a daemon or a web application (RFC 6749 section 2.1).

    It authenticates with a credential. `acquire_token_for_client` returns tokens of the application itself. The
    methods for users are those of `PublicClientApplication`; their requests are authenticated too.

    Example:
        with ConfidentialClientApplication(
            "your-client-id", {"secret_file": "/run/secrets/client"}, tenant="contoso.com"
        ) as app:
            token = app.acquire_token_for_client(["https://graph.microsoft.com/.default"])
    """

    def __enter__(self) -> ConfidentialClientApplication:
        """Returns the application, which is closed at the end of the `with` block."""
        return self

    def acquire_token_for_client(
        self,
        scopes: Iterable[str],
        *,
        tenant: str | None = None,
        claims: str | None = None,
        force_refresh: bool = False,
        token_sha256_to_refresh: str | None = None,
        timeout: float | None = None,
        cancellation: Cancellation | None = None,
        **identifiers: Unpack[CallIdentifiers],
    ) -> TokenResult:
        """Acquires a token of the application itself, from the cache or with its credential.

        This is the client credentials grant (RFC 6749 section 4.4). Call the method for each use of the token.
        However many threads and processes call it, one request is sent for each tenant and scope. The same result
        object is returned until the cached token changes.

        Args:
            scopes: The requested scopes; at Entra, the `/.default` scope of one resource.
            tenant: The ID or a domain of a tenant other than that of the application; Entra only.
            claims: The claims challenge of a resource, unmodified. The cached token is then not used, unless
                `token_sha256_to_refresh` identifies the rejected one.
            force_refresh: Request a new token even if the cached one is valid.
            token_sha256_to_refresh: The SHA-256 of a token that a resource rejected, in hexadecimal digits. A
                newer token is used.
            timeout: The timeout in seconds. The call then raises `CancelledError` (`deadline_exceeded`).
            cancellation: Cancels the call from another thread.
            **identifiers: `correlation_id`, sent to the server, by default a new one; and `traceparent` and
                `tracestate` of the call's span; see docs/metrics.md.

        Raises:
            RetryLaterError: The network, the server or the store is unavailable; see `retry_after`.
            ConfigurationError: The server rejected the application, its credential or its scopes
                (`client_rejected`), or the credential cannot be read or used (`invalid_configuration`).
            CancelledError: The call was cancelled or timed out.
        """
        names = ("correlation_id", "traceparent", "tracestate")
        given = options_of("acquire_token_for_client", (), identifiers, *names)
        requested = strings(scopes, "scopes")
        if not (claims or force_refresh or token_sha256_to_refresh or given):
            result = self._client_tokens.stored(self._open(), requested, tenant, cancellation)
            if result is not None:
                return result
        request = client_request(
            requested, tenant, timeout=timeout, claims=claims, force_refresh=force_refresh,
            token_sha256_to_refresh=token_sha256_to_refresh, identifiers=given,
        )  # fmt: skip
        response = call_blocking(
            "acquire_token_for_client", self._open(), request, cancellation=cancellation
        )
        return create_value(TokenResult, parse_response(*response))
