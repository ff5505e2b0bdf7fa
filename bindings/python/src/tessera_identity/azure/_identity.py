# SPDX-License-Identifier: MIT
"""The common state of the two credentials: the applications, the account and the allowed tenants."""

from __future__ import annotations

import string
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tessera_identity import (
    Account,
    ConfigurationProblem,
    InvalidRequest,
    PublicClientApplication,
    SignInRequired,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tessera_identity import TokenResult

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
        except ConfigurationProblem as error:
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
                raise InvalidRequest("The credential is closed.", {"code": "missing_parameter"})
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
            SignInRequired: No account is signed in, or not the requested one.
            InvalidRequest: Several accounts are signed in (`ambiguous_account`).
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
            raise SignInRequired(
                "No account is signed in to this application: sign in.",
                {"code": "account_not_found", "remedy": "sign_in"},
            )
        names = ", ".join(each.username or each.home_account_id for each in accounts)
        raise InvalidRequest(
            f"Several accounts are signed in ({names}): choose one with account= or username=.",
            {
                "code": "ambiguous_account",
                "remedy": "fix_request",
                "accounts": [dict(each._document) for each in accounts],
            },
        )

    def signed_in(self, result: TokenResult) -> None:
        """Sets the account that has just signed in; raises SignInRequired if it is not the requested one."""
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
            raise SignInRequired(
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
            ConfigurationProblem: The tenant is not allowed.
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
            raise ConfigurationProblem(
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
