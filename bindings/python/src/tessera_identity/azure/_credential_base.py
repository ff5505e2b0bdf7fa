# SPDX-License-Identifier: MIT
"""The common base of the two credentials: their arguments and state, and the steps of a token request.

The credentials differ only in how a step waits.
"""

from __future__ import annotations

import string
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple
from urllib.parse import urlsplit

from tessera_identity import (
    Account,
    CancelledError,
    ConfigurationError,
    InvalidRequestError,
    PublicClientApplication,
    SignInRequiredError,
)
from tessera_identity._requests import milliseconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from azure.core.credentials import TokenRequestOptions

    from tessera_identity import DeviceCodePrompt, SignInPrompt, TokenResult


class TokenRequest(NamedTuple):
    """A token request of the SDK.

    Attributes:
        scopes: The requested scopes.
        claims: The claims challenge.
        authority: The authority; None for the configured one.
        enable_cae: Whether the token may be revoked before it expires (continuous access evaluation).
        ends_at: The deadline by `time.monotonic`; None for none.
    """

    scopes: tuple[str, ...]
    claims: str | None
    authority: str | None
    enable_cae: bool
    ends_at: float | None

    def seconds_left(self) -> float | None:
        """Returns the time until the deadline; 0 after it, when a call still returns cached tokens."""
        return None if self.ends_at is None else max(0.0, self.ends_at - monotonic())

    def timeout_error(self) -> CancelledError:
        """Returns the error for a call that has exceeded its deadline."""
        return CancelledError(
            "The call timed out while another sign-in of this credential was in progress.",
            {"code": "deadline_exceeded", "remedy": "cancelled"},
        )


CAPABILITY = "CP1"
"""The client capability for claims challenges (continuous access evaluation)."""

_AUDIENCE_TENANTS = {
    "AzureADandPersonalMicrosoftAccount": "common",
    "AzureADMultipleOrgs": "organizations",
    "PersonalMicrosoftAccount": "consumers",
}
"""The tenants of the sign-in audiences."""

_HOSTS = {
    "public": "login.microsoftonline.com",
    "china": "login.partner.microsoftonline.cn",
    "us_government": "login.microsoftonline.us",
    "germany": "login.microsoftonline.de",
    "france": "login.sovcloud-identity.fr",
    "delos": "login.sovcloud-identity.de",
    "gov_sg": "login.sovcloud-identity.sg",
}
_TENANT_CHARACTERS = frozenset(string.ascii_letters + string.digits + "-.")


class Identity:
    """The account of a credential and its applications.

    The account is selected once, so that a client never continues with another account.
    """

    def __init__(
        self,
        client_id: str,
        *,
        account: Account | str | None,
        username: str | None,
        additionally_allowed_tenants: Iterable[str],
        configuration: Mapping[str, Any],
    ) -> None:
        """Creates the application; the one for claims challenges is created when it is first needed."""
        if account is not None and username is not None:
            raise ValueError("pass either account or username, not both")
        self.username = username
        self._client_id = client_id
        self._configuration = dict(configuration)
        self._account = account
        self._allowed = frozenset(additionally_allowed_tenants)
        self._applications: dict[bool, PublicClientApplication] = {}
        self._is_closed = False
        self._lock = Lock()
        try:
            self.application(enable_cae=False)
        except ConfigurationError as error:
            # A chain of credentials can then be created on a machine without the Tessera library.
            if error.code != "library_missing":
                raise

    def application(self, *, enable_cae: bool) -> PublicClientApplication:
        """Returns the application for tokens with continuous access evaluation, or the one for other tokens.

        Tokens for different client capabilities are stored separately, so there are two applications.
        """
        known = self._applications.get(enable_cae)
        if known is not None:
            return known
        with self._lock:
            if self._is_closed:
                raise InvalidRequestError("The credential is closed.", {"code": "missing_parameter"})
            if enable_cae not in self._applications:
                self._applications[enable_cae] = self._create_application(enable_cae=enable_cae)
            return self._applications[enable_cae]

    def _create_application(self, *, enable_cae: bool) -> PublicClientApplication:
        configuration = dict(self._configuration)
        capabilities = tuple(configuration.get("client_capabilities") or ())
        if enable_cae and CAPABILITY not in capabilities:
            configuration["client_capabilities"] = (*capabilities, CAPABILITY)
        return PublicClientApplication(self._client_id, **configuration)

    def close(self) -> None:
        """Closes the applications."""
        with self._lock:
            self._is_closed = True
            applications = list(self._applications.values())
            self._applications.clear()
        for each in applications:
            each.close()

    @property
    def known_account(self) -> Account | str | None:
        """The account, if one was passed or selected."""
        return self._account

    def set_account(self, account: Account | str | None) -> None:
        """Sets the account that was passed or selected before."""
        self._account = account

    def account(self, application: PublicClientApplication) -> Account | str:
        """Returns the account that was passed, or the only signed-in account.

        Raises:
            SignInRequiredError: No account is signed in, or not the requested one.
            InvalidRequestError: Several accounts are signed in (`ambiguous_account`).
        """
        if self._account is None:
            self._account = self._select_account(application)
        return self._account

    def _select_account(self, application: PublicClientApplication) -> Account:
        if self.username is not None:
            return application.get_account(username=self.username)
        accounts = application.get_accounts()
        if len(accounts) == 1:
            return accounts[0]
        if not accounts:
            raise SignInRequiredError(
                "No account is signed in to this application: sign in.",
                {"code": "account_not_found", "remedy": "sign_in"},
            )
        names = ", ".join(each.username or each.home_account_id for each in accounts)
        raise InvalidRequestError(
            f"Several accounts are signed in ({names}): choose one with account= or username=.",
            {
                "code": "ambiguous_account",
                "remedy": "fix_request",
                "accounts": [dict(each._document) for each in accounts],
            },
        )

    def signed_in(self, result: TokenResult) -> None:
        """Sets the account that has just signed in; raises SignInRequiredError if it is not the requested one."""
        account = result.account
        known = self._account
        if known is None:
            names = [account.username, *(each.username for each in account.tenant_profiles)]
            is_requested = self.username is None or self.username.casefold() in [
                name.casefold() for name in names if name
            ]
        else:
            requested = known.home_account_id if isinstance(known, Account) else known
            signed_in = account.home_account_id
            is_requested = not requested or requested.casefold() == signed_in.casefold()
        if not is_requested:
            raise SignInRequiredError(
                f"{account.username or 'A different account'} signed in instead of the requested account: "
                "sign in with the requested account.",
                {"code": "account_mismatch", "remedy": "sign_in", "username": account.username},
            )
        self._account = account

    def authority(self, tenant_id: str | None) -> str | None:
        """Returns the authority of a tenant; None for the configured one.

        A resource can request a token of another tenant. Tokens are returned for allowed tenants only
        (azure-identity: `additionally_allowed_tenants`; if it is empty, all tenants are allowed if the configured
        one is `organizations`, the default of its credentials). An authority without tenants, such as ADFS, is not
        changed.

        Raises:
            ValueError: The tenant ID is invalid.
            ConfigurationError: The tenant is not allowed.
        """
        if tenant_id is None:
            return None
        if not tenant_id or not _TENANT_CHARACTERS.issuperset(tenant_id):
            raise ValueError("tenant_id must contain only letters, digits, dots and hyphens")
        base, tenant = self._split_authority()
        if base is None or tenant_id == tenant:
            return None
        allows_any = "*" in self._allowed or (not self._allowed and tenant in ("", "organizations"))
        if not allows_any and tenant_id not in self._allowed:
            raise ConfigurationError(
                f"The credential does not allow the tenant {tenant_id}, only {tenant or 'common'}: add it to "
                'additionally_allowed_tenants, or "*" for all tenants.',
                {"code": "invalid_configuration", "remedy": "fix_configuration"},
            )
        return f"{base}/{tenant_id}"

    def _split_authority(self) -> tuple[str | None, str]:
        """Returns the address of the authority without the tenant, and the configured tenant, or "".

        The address is None for an authority without tenants.
        """
        settings = self._configuration
        authority = settings.get("authority")
        if settings.get("authority_type") not in (None, "entra"):
            return None, ""
        if authority is None:
            audience = settings.get("audience") or ""
            tenant = settings.get("tenant") or _AUDIENCE_TENANTS.get(audience, "")
            host = _HOSTS.get(settings.get("cloud") or "public", _HOSTS["public"])
            return f"https://{host}", tenant
        parts = urlsplit(authority)
        path = [each for each in parts.path.split("/") if each]
        is_b2c = ".b2clogin." in f".{parts.netloc}" or ".ciamlogin." in f".{parts.netloc}"
        if len(path) > 1 or is_b2c or [each.lower() for each in path] == ["adfs"]:
            return None, ""
        return f"{parts.scheme}://{parts.netloc}", path[0] if path else ""


class CredentialBase:
    """The base of the credentials, without the methods of the SDK."""

    _lock_type: ClassVar[type]
    """The class of the lock that allows one sign-in at a time."""

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
        **configuration: Any,  # noqa: ANN401 - the arguments of PublicClientApplication
    ) -> None:
        """Creates a credential. No file is opened and no request is sent.

        Args:
            client_id: The client ID of the app registration.
            account: The account, or its home account ID.
            username: The user name of the account. Without `username` and `account`, the credential uses the only
                signed-in account of the application. The account is selected once and then does not change.
            interactive: Enables sign-ins with a browser if user interaction is required. The function receives the
                URL of the page, like `prompt_callback` of `PublicClientApplication.acquire_token_interactive`.
            device_code: Enables sign-ins on another device instead. The function shows the code, like
                `prompt_callback` of `PublicClientApplication.acquire_token_by_device_code`.
            additionally_allowed_tenants: The tenants, besides the configured one, that a resource may request; `*`
                for all. If it is empty, all tenants are allowed if the configured tenant is `organizations` or
                none is configured.
            timeout: The timeout of a call in seconds, including the time for a sign-in.
            **configuration: Other arguments of `PublicClientApplication`, such as `authority` and `group`.

        Raises:
            ConfigurationError: A value is invalid.
            ValueError: The timeout is invalid; or both `interactive` and `device_code`, or both `account` and
                `username` are passed.
        """
        if interactive is not None and device_code is not None:
            raise ValueError("pass either interactive or device_code, not both")
        milliseconds(timeout)
        self._arguments = {
            "client_id": client_id, "username": username, "interactive": interactive, "device_code": device_code,
            "additionally_allowed_tenants": tuple(additionally_allowed_tenants), "timeout": timeout,
            **configuration,
        }  # fmt: skip
        additionally_allowed_tenants = self._arguments["additionally_allowed_tenants"]
        self._identity = Identity(
            client_id, account=account, username=username,
            additionally_allowed_tenants=additionally_allowed_tenants, configuration=configuration,
        )  # fmt: skip
        self._interactive = interactive
        self._device_code = device_code
        self._timeout = timeout
        self._sign_in_lock: Any = self._lock_type()

    def __getstate__(self) -> dict[str, Any]:
        """Returns the arguments and the selected account for pickle, without tokens.

        Raises:
            TypeError: An argument is a function or contains a secret.
        """
        kind = type(self).__name__
        for name, value in self._arguments.items():
            if callable(value):
                raise TypeError(
                    f"{kind} cannot be pickled: {name} is a function of this process; "
                    "create the credential where it is used"
                )
        if self._arguments.get("store_key") is not None:
            raise TypeError(
                f"{kind} cannot be pickled: store_key is a secret; create the credential where it is used"
            )
        if "@" in (self._arguments.get("proxy") or ""):
            raise TypeError(
                f"{kind} cannot be pickled: proxy contains a password; create the credential where it is used"
            )
        return {**self._arguments, "account": self._identity.known_account}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Creates the credential from its pickle; no file is opened and no request is sent."""
        arguments = dict(state)
        # Both are set after the account of a user name was selected, but the constructor accepts only one.
        account = arguments.pop("account")
        self.__init__(**arguments)  # type: ignore[misc]
        self._identity.set_account(account)

    def _token_request(
        self,
        scopes: tuple[str, ...],
        *,
        claims: str | None = None,
        tenant_id: str | None = None,
        enable_cae: bool = False,
    ) -> TokenRequest:
        if not scopes:
            raise ValueError("scopes is empty: pass at least one scope")
        ends_at = None if self._timeout is None else monotonic() + self._timeout
        return TokenRequest(
            scopes, claims=claims, authority=self._identity.authority(tenant_id),
            enable_cae=enable_cae, ends_at=ends_at,
        )  # fmt: skip

    def _application(self, request: TokenRequest) -> PublicClientApplication:
        return self._identity.application(enable_cae=request.enable_cae)

    def _silent_arguments(
        self, application: PublicClientApplication, request: TokenRequest
    ) -> dict[str, Any]:
        """Returns the arguments of a silent call."""
        return {
            "account": self._identity.account(application),
            "authority": request.authority,
            "claims": request.claims,
            "timeout": request.seconds_left(),
        }

    def _sign_in_arguments(self, request: TokenRequest) -> dict[str, Any]:
        """Returns the arguments of a sign-in: with a device code if it is enabled, otherwise with a browser."""
        arguments = {
            "authority": request.authority,
            "claims": request.claims,
            "timeout": request.seconds_left(),
        }
        if self._device_code is not None:
            return {**arguments, "prompt_callback": self._device_code}
        return {
            **arguments,
            "prompt_callback": self._interactive,
            "account": self._identity.known_account,
            "login_hint": self._identity.username,
        }

    def _sign_in_request(self, error: SignInRequiredError, request: TokenRequest) -> TokenRequest:
        """Returns the request of a sign-in; raises the error if no sign-in is enabled."""
        if self._interactive is None and self._device_code is None:
            raise error
        return request._replace(claims=error.claims or request.claims)


_RESERVED = ("openid", "profile", "offline_access")
"""The scopes that `granted_scopes` of an error leaves out."""


def require_all_scopes(result: TokenResult) -> TokenResult:
    """Returns a result that covers all requested scopes; an access token of the SDK cannot name the others.

    Raises:
        SignInRequiredError: The server declined some of them (`server_declined_scopes`).
    """
    if not result.declined_scopes:
        return result
    declined = " ".join(result.declined_scopes)
    raise SignInRequiredError(
        f"The server granted fewer scopes than requested; it declined: {declined}. Sign in and consent.",
        {
            "remedy": "sign_in",
            "code": "server_declined_scopes",
            "granted_scopes": [each for each in result.scopes if each not in _RESERVED],
            "declined_scopes": list(result.declined_scopes),
        },
    )


def get_token_arguments(given: TokenRequestOptions | None) -> dict[str, Any]:
    """Converts the options of `get_token_info` to arguments of `get_token`; other options are ignored."""
    known = given or {}
    return {
        "claims": known.get("claims"),
        "tenant_id": known.get("tenant_id"),
        "enable_cae": bool(known.get("enable_cae")),
    }
