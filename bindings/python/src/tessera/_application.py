# SPDX-License-Identifier: MIT
"""The application: a program that signs people in and asks for tokens in their name."""

from __future__ import annotations

from ctypes import byref, c_char_p
from time import time

from ._accounts import names_of, only_name_of
from ._arguments import mapping, path, several
from ._async_sign_ins import AsyncSignIns
from ._async_tokens import AsyncTokens
from ._broker import BrokerCalls
from ._callbacks import log_callback, raise_kept, raised
from ._handles import ApplicationHandle
from ._interactive import InteractiveTokens
from ._json_text import encoded
from ._native import library
from ._sign_in import HostDrivenSignIns
from ._sign_in_calls import SignInCalls
from ._silent import SilentTokens
from ._sso_extension import SSOExtensionTokens
from ._store import key_callback, key_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike
    from types import TracebackType
    from typing import Literal, NoReturn

    from ._accounts import Account
    from ._cancellation import Cancellation
    from ._results import TokenResult
    from ._store import KeySource, StoragePolicy

    Cloud = Literal["public", "china", "germany", "us_government", "france", "delos", "gov_sg"]
    Audience = Literal[
        "AzureADandPersonalMicrosoftAccount", "AzureADMultipleOrgs", "AzureADMyOrg",
        "PersonalMicrosoftAccount",
    ]  # fmt: skip


class PublicClientApplication(
    SignInCalls, AsyncTokens, AsyncSignIns, HostDrivenSignIns, InteractiveTokens, SSOExtensionTokens,
    BrokerCalls,
):  # fmt: skip
    """A program without a secret of its own, such as a command-line tool (RFC 6749 section 2.1).

    Any number of threads may use one application. All its calls can raise `InvalidRequest` (the arguments are
    wrong) and `StorageProblem` (the token store cannot be used). After `fork()` the child may go on using it.

    Ctrl-C ends a waiting call within a second: see `acquire_token_silent`.
    """

    def __init__(
        self,
        client_id: str,
        *,
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
        slice: str | None = None,  # noqa: A002 - the parameter name of the service
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
        log: Callable[[int, str], object] | None = None,
        log_level: int | None = None,
    ) -> None:
        """Make an application. No file is opened and no server is asked.

        What is None has the library's default; "Configuration" in docs/c-interface.md says which.

        Args:
            client_id: The application's identifier, as the provider registered it.
            redirect_uri: Where the answer of a sign-in in a browser comes to, as it is registered; otherwise
                `msauth.[bundle id]://auth`, or `http://localhost` without `bundle_id`.
            authority: Who signs people in: an https address with the tenant, or an OpenID Connect issuer.
            cloud: In place of `authority`: the cloud of an Entra authority; otherwise the public one.
            audience: In place of `authority`: who may sign in, as the registration says it.
            tenant: In place of `authority`: the id or a domain of the tenant, for the audience `AzureADMyOrg`.
            authority_type: What the authority is, where its address does not tell; see docs/authorities.md.
            multiple_clouds: Whether people of other Microsoft clouds may sign in, each at their own cloud.
            bundle_id: The program's identifier, such as `com.example.mail`.
            registered_schemes: The schemes that are registered for the program, where it knows. Otherwise the
                desktop's entries are looked at where the system has to bring the answer.
            known_authorities: Authorities that the program vouches for: Microsoft is not asked about their hosts.
            extra_token_parameters: Fields that are added to the body of every token request.
            extra_query_parameters: Fields that are added to the query of endpoints that give codes and tokens.
            slice: The slice of the service that is asked, for tests of the service.
            dc: The data center of the service that is asked, likewise.
            group: Programs that name the same group share one sign-in.
            store: `sqlite`, shared with other programs; `msal_file`, a file that every MSAL shares; or `memory`,
                gone with this object.
            store_directory: The directory of the store.
            msal_cache: The cache file of other libraries that is the store: `azure_cli`, `azure_identity`,
                `azure_identity_cae`, `azure_powershell`, `azure_powershell_cae` or the path of a file. It means
                `store="msal_file"`; see docs/store.md.
            storage_policy: How much protection the store must have; see docs/protection.md.
            key_sources: Who may keep the key of a new store, in the order in which they are tried. With
                `store_key`: whose stores are believed besides, and nobody's unless it is given.
            store_key: The key of the store, 32 bytes, if the program keeps it itself; or a function that gives
                it. The function is called by the first call that needs the key, perhaps on a helper thread, and
                must not use the application. An exception that it raises comes out of that call.
            store_limit_megabytes: The size of the store from which access tokens make room, those that end first.
            proxy: The proxy for all requests; otherwise the usual environment variables decide.
            no_proxy: Hosts that are reached without the proxy, separated by commas.
            ca_file: A file with the certificates to trust instead of the system's.
            instance_discovery: Whether Microsoft may be asked about a cloud that is not known.
            expiry_margin_seconds: How long before its end a token is renewed.
            network_timeout_seconds: How long one request to a server may take.
            proactive_refresh_timeout_milliseconds: How long to wait for a newer token than a valid one.
            extended_lifetime: Whether a token may be handed out after its end while the server is down, as long as
                the server allows.
            request_refresh_token: Whether sign-ins request a refresh token; see docs/interactive.md.
            offline_access_prompt: `consent` asks for consent to it at each sign-in; not at Microsoft's.
            client_capabilities: What the program can do with an answer of a resource, such as `["CP1"]`: it
                handles claims challenges. Tokens for other capabilities are other tokens.
            intune_enrollment_ids: The enrolments in Intune's app protection, as Intune's library gives them.
            intune_mam_resource: The resource of Intune's service by cloud; tokens are kept apart then.
            server_telemetry: Whether token requests tell Entra of earlier calls, as those of other MSALs do; see
                docs/authorities.md. Cached tokens then take longer.
            broker: Whether the identity broker of this machine gives tokens and signs people in; otherwise
                `never`. `require` refuses device codes, and pages of `begin_sign_in`. See docs/brokers.md.
            log: Gets each line of the log as (level, message), on the thread of the call that logs. Level is
                1 error, 2 warning, 3 information, 4 detail; lines hold no token. An exception that it raises
                comes out of that call.
            log_level: The most detailed level that `log` gets.

        Raises:
            ConfigurationProblem: A value cannot work, or the library is not there (`library_missing`).
        """
        configuration = {
            "client_id": client_id,
            "redirect_uri": redirect_uri,
            "authority": authority, "cloud": cloud, "audience": audience, "tenant": tenant,
            "authority_type": authority_type,
            "multiple_clouds": multiple_clouds,
            "bundle_id": bundle_id,
            "registered_schemes": several(registered_schemes, "registered_schemes"),
            "known_authorities": several(known_authorities, "known_authorities"),
            "extra_token_parameters": mapping(extra_token_parameters),
            "extra_query_parameters": mapping(extra_query_parameters),
            "slice": slice, "dc": dc, "group": group, "store": store,
            "store_directory": path(store_directory),
            "msal_cache": path(msal_cache),
            "storage_policy": storage_policy,
            "key_sources": several(key_sources, "key_sources"),
            "store_key": key_text(store_key),
            "store_limit_megabytes": store_limit_megabytes,
            "proxy": proxy, "no_proxy": no_proxy, "ca_file": path(ca_file),
            "instance_discovery": instance_discovery,
            "expiry_margin_seconds": expiry_margin_seconds,
            "network_timeout_seconds": network_timeout_seconds,
            "proactive_refresh_timeout_milliseconds": proactive_refresh_timeout_milliseconds,
            "extended_lifetime": extended_lifetime,
            "request_refresh_token": request_refresh_token, "offline_access_prompt": offline_access_prompt,
            "client_capabilities": several(client_capabilities, "client_capabilities"),
            "intune_enrollment_ids": mapping(intune_enrollment_ids),
            "intune_mam_resource": mapping(intune_mam_resource),
            "server_telemetry": server_telemetry, "broker": broker, "log_level": log_level,
        }  # fmt: skip
        callback = log_callback(log) if log is not None else None
        key = key_callback(store_key)
        super().__init__(ApplicationHandle(encoded(configuration), callback, key))
        self._tokens = SilentTokens(expiry_margin_seconds)
        # For the inlined cache lookup in `acquire_token_silent`.
        self._known = self._tokens.known
        self._silent = library().tessera_acquire_token_silent
        self._free = library().tessera_string_free

    def acquire_token_silent(
        self,
        scopes: Iterable[str],
        *,
        account: Account | str | None,
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
    ) -> TokenResult:
        """A token without asking the user: from the cache, or with a refresh token. Call this first.

        As long as the store has the same token, the same result object is returned.

        In the main thread a call that may wait for a server is made by a helper thread, so that Ctrl-C and
        other signals are heard meanwhile; the cancellation is then cancelled. Other threads get no helper.

        Args:
            scopes: What the token is for, such as `["User.Read"]`.
            account: The account, or its home account id; None raises `SignInRequired`. With the account, it is
                never taken for one of another provider that has the same identifier. A user name raises
                `InvalidRequest`: get the account with `get_account(username=...)`.
            authority: Another authority than the application's, to get a token of another tenant.
            force_refresh: Ask the server even if the cache has a token.
            claims: The `claims` of an error or of a resource's challenge, as they came.
            extra_token_parameters: Fields that are added to the body if a server is asked; they win over the
                configuration's.
            extra_query_parameters: Fields that are added to the query likewise.
            timeout: Seconds after which the call gives up with `Cancelled` (`deadline_exceeded`).
            correlation_id: An id for the server's logs; otherwise a new one.
            cancellation: A way to stop the call from another thread.
            explain: Whether the result has an `explanation`; then the call looks into the store in any case.
            for_application: With None for the account, the token of the application itself, which MSAL stored in
                the cache that it shares (`msal_cache`); it is never asked of a server.

        Raises:
            SignInRequired: Only the user can continue: sign in, passing on `claims` of the error.
            RetryLater: The network, the server or the store is busy; see `retry_after`.
            ConfigurationProblem: The server does not accept the application or its scopes.
            Cancelled: It was cancelled, or the timeout passed.
        """
        if isinstance(scopes, str):
            raise TypeError("scopes must be several strings, such as a list, not one string")
        home, place = names_of(account)
        name = None if home else only_name_of(account)
        key = (home, tuple(scopes), authority, claims, timeout, place, name)
        extras = None
        if extra_token_parameters is not None or extra_query_parameters is not None:
            extras = (mapping(extra_token_parameters), mapping(extra_query_parameters))
        elif claims is None and not (force_refresh or explain or for_application or correlation_id):
            known = self._known.get(key)
            if known is not None and time() < known[0]:
                # `call` and `answered`, inlined: the only code path of a cache hit.
                handle = self._handle
                stop = None if cancellation is None else cancellation._handle
                response = c_char_p()
                try:
                    status = self._silent(handle, known[1], stop, byref(response))
                    answer = response.value
                finally:
                    self._free(response)
                if raised:
                    raise_kept()
                if status == 0 and answer == known[2]:
                    return known[3]
                if answer is not None:
                    return self._tokens.answered(key, status, answer)
        return self._tokens.acquire(
            self._open(), key, cancellation=cancellation, correlation_id=correlation_id,
            force_refresh=force_refresh, explain=explain, for_application=for_application,
            extras=extras,
        )  # fmt: skip

    def close(self) -> None:
        """End the application; what it stored stays. Calls that are under way come to their end first."""
        self._handle = None
        self._tokens.forget()

    def __reduce__(self) -> NoReturn:
        raise TypeError("cannot be pickled: create another one from the same arguments")

    def __enter__(self) -> PublicClientApplication:
        """The application itself; it is closed at the end of the `with` block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the application."""
        self.close()
