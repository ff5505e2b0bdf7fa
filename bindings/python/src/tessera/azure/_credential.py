# SPDX-License-Identifier: MIT
"""A credential for the clients of the Azure SDK for Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tessera import SignInRequired

from ._asking import Asking, asked_for
from ._errors import errors_of_the_sdk
from ._tokens import access_token, access_token_info
from ._turns import ThreadTurns

if TYPE_CHECKING:
    from types import TracebackType

    from azure.core.credentials import AccessToken, AccessTokenInfo, TokenRequestOptions

    from tessera import TokenResult

    from ._asking import Wanted


class TesseraCredential(Asking):
    """Tokens from Tessera's store for the Azure SDK: a `TokenCredential`, and it `SupportsTokenInfo`.

    Any number of threads and clients may use one credential. Tokens come from the store, and are refreshed,
    without a person. Where only a person can continue, the function that was given for that is used, or the call
    fails, so that a `ChainedTokenCredential` goes on.

    Errors are Tessera's (see `tessera.TesseraError`), and at the same time `ClientAuthenticationError` of
    azure-core; if nobody has signed in, or nothing could be tried, also `CredentialUnavailableError` of
    azure-identity.
    """

    _turns = ThreadTurns

    def get_token(
        self,
        *scopes: str,
        claims: str | None = None,
        tenant_id: str | None = None,
        enable_cae: bool = False,
        **_kwargs: Any,  # noqa: ANN401 - additional arguments of the SDK
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
        return access_token(
            self._acquire(scopes, claims=claims, tenant_id=tenant_id, enable_cae=enable_cae)
        )

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
        return access_token_info(self._acquire(scopes, **asked_for(options)))

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

    def _acquire(self, scopes: tuple[str, ...], **options: Any) -> TokenResult:  # noqa: ANN401
        with errors_of_the_sdk(scopes):
            wanted = self._wanted(scopes, **options)
            try:
                return self._silent(wanted)
            except SignInRequired as error:
                wanted = self._for_a_person(error, wanted)
            return self._with_a_person(wanted)

    def _silent(self, wanted: Wanted) -> TokenResult:
        application = self._application(wanted)
        return application.acquire_token_silent(
            wanted.scopes, **self._silently(application, wanted)
        )

    def _with_a_person(self, wanted: Wanted) -> TokenResult:
        with self._signing_in.turn(wanted) as is_late:
            if is_late:
                # Another thread or process has apparently signed in.
                try:
                    return self._silent(wanted)
                except SignInRequired as error:
                    wanted = self._for_a_person(error, wanted)
            application, arguments = self._application(wanted), self._by_a_person(wanted)
            if self._device_code is not None:
                result = application.acquire_token_by_device_code(wanted.scopes, **arguments)
            else:
                result = application.acquire_token_interactive(wanted.scopes, **arguments)
            self._identity.signed_in(result)
            return result
