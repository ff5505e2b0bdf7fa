# SPDX-License-Identifier: MIT
"""A credential on Tessera's store for the clients of the Azure SDK for Python.

    from azure.storage.blob import BlobServiceClient
    from tessera_identity.azure import TesseraCredential

    credential = TesseraCredential("client-id", authority="https://…/tenant", username="alice@contoso.com")
    client = BlobServiceClient("https://account.blob.core.windows.net", credential=credential)

The module does not require the SDK, and uses its types if it is installed. `tessera_identity.azure.aio` has the
credential for asynchronous clients.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any

from tessera_identity import SignInRequiredError

from ._credential_base import CredentialBase, get_token_arguments, require_all_scopes
from ._sdk import AccessToken, AccessTokenInfo, access_token, access_token_info, sdk_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from azure.core.credentials import TokenRequestOptions

    from tessera_identity import Account, TokenResult

    from ._credential_base import TokenRequest

__all__ = ["AccessToken", "AccessTokenInfo", "TesseraCredential"]


class _ThreadSignInLock:
    """The sign-in lock of threads."""

    def __init__(self) -> None:
        """Creates an unlocked lock."""
        self._lock = Lock()

    @contextmanager
    def hold(self, request: TokenRequest) -> Iterator[bool]:
        """Holds the lock during the block; yields whether the caller had to wait for it.

        Raises:
            CancelledError: The deadline of the call passed first (`deadline_exceeded`).
        """
        has_waited = not self._lock.acquire(blocking=False)
        if has_waited:
            left = request.seconds_left()
            if not self._lock.acquire(timeout=-1 if left is None else left):
                raise request.timeout_error()
        try:
            yield has_waited
        finally:
            self._lock.release()


class TesseraCredential(CredentialBase):
    """A credential of the Azure SDK on Tessera's store: a `TokenCredential`, also `SupportsTokenInfo`.

    The object is safe to use from multiple threads and clients. Tokens are returned from the store and refreshed
    without user interaction. If interaction is required, the credential uses `interactive` or `device_code`.
    Without them, the call fails, so that a `ChainedTokenCredential` continues.

    Errors are instances of `tessera_identity.TesseraError` and of `ClientAuthenticationError` of azure-core. If no
    account is signed in, or no sign-in could be tried, they are also instances of `CredentialUnavailableError` of
    azure-identity.
    """

    _lock_type = _ThreadSignInLock

    def get_token(
        self,
        *scopes: str,
        claims: str | None = None,
        tenant_id: str | None = None,
        enable_cae: bool = False,
        **_kwargs: Any,  # noqa: ANN401 - other arguments of the SDK
    ) -> AccessToken:
        """Acquires an access token. The clients of the Azure SDK call this method.

        Args:
            scopes: The requested scopes, such as `https://storage.azure.com/.default`.
            claims: The claims challenge of a resource; a new token is then requested.
            tenant_id: Another tenant than the configured one, if it is allowed.
            enable_cae: Whether the token may be long-lived and be revoked early (continuous access evaluation).
                The caller then handles claims challenges.

        Returns:
            The access token and its expiry time.

        Raises:
            TesseraError: See `PublicClientApplication.acquire_token_silent`; it is also an error of the Azure SDK.
            ValueError: No scopes were passed, or the tenant is invalid.
        """
        return access_token(
            self._acquire(scopes, claims=claims, tenant_id=tenant_id, enable_cae=enable_cae)
        )

    def get_token_info(
        self, *scopes: str, options: TokenRequestOptions | None = None
    ) -> AccessTokenInfo:
        """Acquires an access token with its type and refresh time. The clients of the Azure SDK call this method.

        Args:
            scopes: The requested scopes.
            options: `claims`, `tenant_id` and `enable_cae`; see `get_token`. Other options are ignored.

        Raises:
            TesseraError: See `get_token`.
            ValueError: See `get_token`.
        """
        return access_token_info(self._acquire(scopes, **get_token_arguments(options)))

    def authenticate(
        self,
        *,
        scopes: Iterable[str],
        claims: str | None = None,
        tenant_id: str | None = None,
        **_kwargs: Any,  # noqa: ANN401 - other arguments of the SDK
    ) -> Account:
        """Signs the user in, as in azure-identity; later calls of this credential use the account.

        Without `interactive` and `device_code`, the browser is opened and the URL is written to standard error.

        Args:
            scopes: The requested scopes, such as `scopes` of an `AuthenticationRequiredError`.
            claims: The claims challenge, such as `claims` of that error.
            tenant_id: Another tenant than the configured one, if it is allowed.

        Returns:
            The account.

        Raises:
            TesseraError: See `PublicClientApplication.acquire_token_interactive`; also an error of the Azure SDK.
            ValueError: No scopes were passed, or the tenant is invalid.
        """
        requested = tuple(scopes)
        with sdk_errors(requested):
            request = self._token_request(requested, claims=claims, tenant_id=tenant_id)
            return self._sign_in(request).account

    def close(self) -> None:
        """Closes the credential; stored data is kept."""
        self._identity.close()

    def __enter__(self) -> TesseraCredential:
        """Returns the credential, which is closed at the end of the `with` block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        """Closes the credential."""
        self.close()

    def _acquire(self, scopes: tuple[str, ...], **options: Any) -> TokenResult:  # noqa: ANN401
        with sdk_errors(scopes):
            request = self._token_request(scopes, **options)
            try:
                return self._silent(request)
            except SignInRequiredError as error:
                request = self._sign_in_request(error, request)
            return self._sign_in(request)

    def _silent(self, request: TokenRequest) -> TokenResult:
        application = self._application(request)
        return require_all_scopes(
            application.acquire_token_silent(
                request.scopes, **self._silent_arguments(application, request)
            )
        )

    def _sign_in(self, request: TokenRequest) -> TokenResult:
        with self._sign_in_lock.hold(request) as has_waited:
            if has_waited:
                # Another call has probably signed the user in.
                try:
                    return self._silent(request)
                except SignInRequiredError as error:
                    request = request._replace(claims=error.claims or request.claims)
            application, arguments = self._application(request), self._sign_in_arguments(request)
            if self._device_code is not None:
                result = application.acquire_token_by_device_code(request.scopes, **arguments)
            else:
                result = application.acquire_token_interactive(request.scopes, **arguments)
            self._identity.signed_in(result)
            return require_all_scopes(result)
