# SPDX-License-Identifier: MIT
"""A credential for the clients of the Azure SDK for Python."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from tessera import Cancelled, SignInRequired, TesseraError

from ._errors import translated
from ._identity import Identity
from ._tokens import access_token, access_token_info

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType

    from azure.core.credentials import AccessToken, AccessTokenInfo, TokenRequestOptions

    from tessera import Account, DeviceCodePrompt, SignInPrompt, TokenResult


class TesseraCredential:
    """Tokens from Tessera's store for the Azure SDK: a `TokenCredential`, and it `SupportsTokenInfo`.

    Any number of threads and clients may use one credential. Tokens come from the store, and are refreshed,
    without a person. Where only a person can continue, the function that was given for that is used, or the call
    fails, so that a `ChainedTokenCredential` goes on.

    Errors are Tessera's (see `tessera.TesseraError`), and at the same time `ClientAuthenticationError` of
    azure-core; if nobody has signed in, or nothing could be tried, also `CredentialUnavailableError` of
    azure-identity.
    """

    def __init__(
        self,
        client_id: str,
        *,
        account: Account | str | None = None,
        username: str | None = None,
        interactive: Callable[[SignInPrompt], object] | None = None,
        device_code: Callable[[DeviceCodePrompt], object] | None = None,
        additionally_allowed_tenants: Iterable[str] = (),
        timeout: float | None = None,
        **configuration: Any,  # noqa: ANN401 - those of PublicClientApplication
    ) -> None:
        """Make a credential. No file is opened and no server is asked.

        Args:
            client_id: The application's identifier, as the provider registered it.
            account: Whose tokens: the account, or its home account id.
            username: Whose tokens: what the person signs in with. Without this and `account`, those of the only
                person who has signed in to the application. The choice is made once, for the credential's life.
            interactive: Signs in in a browser when only a person can continue; it is told the address of the page,
                as `prompt` of `PublicClientApplication.acquire_token_interactive`.
            device_code: Signs in on another device, in place of that; it shows the code, as `prompt` of
                `PublicClientApplication.acquire_token_by_device_code`.
            additionally_allowed_tenants: Tenants, besides the configured one, that a resource may ask for; `*` for
                all. Without any, all are allowed if the configured one is `common` or `organizations`.
            timeout: Seconds after which a call gives up.
            **configuration: All else that `PublicClientApplication` takes, such as `authority` and `group`.

        Raises:
            ConfigurationProblem: A value cannot work.
        """
        if interactive is not None and device_code is not None:
            raise ValueError("give interactive or device_code, not both")
        allowed = additionally_allowed_tenants
        self._identity = Identity(client_id, account, username, allowed, configuration)
        self._interactive = interactive
        self._device_code = device_code
        self._timeout = timeout
        # One page at a time, however many threads need one.
        self._signing_in = Lock()

    def get_token(
        self,
        *scopes: str,
        claims: str | None = None,
        tenant_id: str | None = None,
        enable_cae: bool = False,
        **_kwargs: Any,  # noqa: ANN401 - whatever the SDK adds
    ) -> AccessToken:
        """A token for scopes. Clients of the Azure SDK call this.

        Args:
            scopes: What the token is for, such as `https://storage.azure.com/.default`.
            claims: The claims of a resource's challenge; then a new token is asked for.
            tenant_id: Another tenant than the configured one, if it is allowed.
            enable_cae: Whether the token may be long-lived and end early (continuous access evaluation): the
                caller handles claims challenges.

        Raises:
            TesseraError: As `PublicClientApplication.acquire_token_silent`, also an error of the Azure SDK.
            ValueError: There are no scopes, or the tenant cannot be one.
        """
        return access_token(self._acquire(scopes, claims, tenant_id, enable_cae=enable_cae))

    def get_token_info(
        self, *scopes: str, options: TokenRequestOptions | None = None
    ) -> AccessTokenInfo:
        """A token with its type, and when it should be renewed. Clients of the Azure SDK call this.

        Args:
            scopes: What the token is for.
            options: `claims`, `tenant_id` and `enable_cae`, as for `get_token`; others are ignored.

        Raises:
            TesseraError: As `get_token`.
            ValueError: As `get_token`.
        """
        given = options or {}
        result = self._acquire(
            scopes,
            given.get("claims"),
            given.get("tenant_id"),
            enable_cae=bool(given.get("enable_cae")),
        )
        return access_token_info(result)

    def close(self) -> None:
        """End the credential; what it stored stays."""
        self._identity.close()

    def __enter__(self) -> TesseraCredential:
        """The credential itself; it is closed at the end of the `with` block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        """Close the credential."""
        self.close()

    def _acquire(
        self,
        scopes: tuple[str, ...],
        claims: str | None,
        tenant_id: str | None,
        *,
        enable_cae: bool,
    ) -> TokenResult:
        if not scopes:
            raise ValueError("a token needs at least one scope")
        try:
            authority = self._identity.authority(tenant_id)
            try:
                return self._silent(scopes, claims, authority, enable_cae=enable_cae)
            except SignInRequired as error:
                if self._interactive is None and self._device_code is None:
                    raise
                wanted = error.claims or claims
            return self._with_a_person(scopes, wanted, authority, enable_cae=enable_cae)
        except TesseraError as error:
            raise translated(error, scopes) from error.__cause__

    def _silent(
        self,
        scopes: tuple[str, ...],
        claims: str | None,
        authority: str | None,
        *,
        enable_cae: bool,
    ) -> TokenResult:
        application = self._identity.application(enable_cae=enable_cae)
        return application.acquire_token_silent(
            scopes,
            account=self._identity.person(application),
            authority=authority,
            claims=claims,
            timeout=self._timeout,
        )

    def _with_a_person(
        self,
        scopes: tuple[str, ...],
        claims: str | None,
        authority: str | None,
        *,
        enable_cae: bool,
    ) -> TokenResult:
        is_first = self._signing_in.acquire(blocking=False)
        if not is_first and not self._signing_in.acquire(timeout=self._timeout or -1):
            raise Cancelled(
                "Another thread waited for the person all the time.",
                {"code": "deadline_exceeded", "remedy": "cancelled"},
            )
        try:
            if not is_first:
                # Somebody has signed in meanwhile, it seems.
                try:
                    return self._silent(scopes, claims, authority, enable_cae=enable_cae)
                except SignInRequired as error:
                    claims = error.claims or claims
            return self._signed_in(scopes, claims, authority, enable_cae=enable_cae)
        finally:
            self._signing_in.release()

    def _signed_in(
        self,
        scopes: tuple[str, ...],
        claims: str | None,
        authority: str | None,
        *,
        enable_cae: bool,
    ) -> TokenResult:
        application = self._identity.application(enable_cae=enable_cae)
        if self._device_code is not None:
            result = application.acquire_token_by_device_code(
                scopes,
                prompt=self._device_code,
                authority=authority,
                claims=claims,
                timeout=self._timeout,
            )
        else:
            result = application.acquire_token_interactive(
                scopes,
                prompt=self._interactive,
                account=self._identity.known_person,
                login_hint=self._identity.username,
                authority=authority,
                claims=claims,
                timeout=self._timeout,
            )
        self._identity.signed_in(result)
        return result
