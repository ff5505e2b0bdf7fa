# SPDX-License-Identifier: MIT
"""What the two credentials have in common: the applications, the person, and the authority of a tenant."""

from __future__ import annotations

import string
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tessera import (
    Account,
    ConfigurationProblem,
    InvalidRequest,
    PublicClientApplication,
    SignInRequired,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tessera import TokenResult

CAPABILITY = "CP1"
"""What a program declares that handles claims challenges (continuous access evaluation)."""

_OF_AUDIENCES = {
    "AzureADandPersonalMicrosoftAccount": "common",
    "AzureADMultipleOrgs": "organizations",
    "PersonalMicrosoftAccount": "consumers",
}
"""The tenants that stand for those who may sign in."""

_HOSTS = {
    "public": "login.microsoftonline.com",
    "china": "login.partner.microsoftonline.cn",
    "us_government": "login.microsoftonline.us",
    "germany": "login.microsoftonline.de",
    "france": "login.sovcloud-identity.fr",
    "delos": "login.sovcloud-identity.de",
    "gov_sg": "login.sovcloud-identity.sg",
}
_IN_TENANT_NAMES = frozenset(string.ascii_letters + string.digits + "-.")


class Identity:
    """Who a credential gets tokens for, and with which applications.

    The person is chosen once: a client that was made for one person must not go on as another one.
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
        """Make the application; one that handles claims challenges is made when it is first asked for."""
        if account is not None and username is not None:
            raise ValueError("give the account or its username, not both")
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
            # Without Tessera, the credential can still be created as part of a chain.
            if error.code != "library_missing":
                raise

    def application(self, *, enable_cae: bool) -> PublicClientApplication:
        """The application for tokens that end early when the resource says so, or for others.

        Tokens for other capabilities are other tokens, so that there are two.
        """
        known = self._applications.get(enable_cae)
        if known is not None:
            return known
        with self._lock:
            if self._is_closed:
                raise InvalidRequest("The credential is closed.", {"code": "missing_parameter"})
            if enable_cae not in self._applications:
                self._applications[enable_cae] = self._made(enable_cae=enable_cae)
            return self._applications[enable_cae]

    def _made(self, *, enable_cae: bool) -> PublicClientApplication:
        configuration = dict(self._configuration)
        capabilities = tuple(configuration.get("client_capabilities") or ())
        if enable_cae and CAPABILITY not in capabilities:
            configuration["client_capabilities"] = (*capabilities, CAPABILITY)
        return PublicClientApplication(self._client_id, **configuration)

    def close(self) -> None:
        """Close the applications."""
        with self._lock:
            self._is_closed = True
            applications = list(self._applications.values())
            self._applications.clear()
        for each in applications:
            each.close()

    @property
    def known_person(self) -> Account | str | None:
        """The person, if one was given or chosen."""
        return self._account

    def chosen(self, account: Account | str | None) -> None:
        """Take the account that was given or chosen before."""
        self._account = account

    def person(self, application: PublicClientApplication) -> Account | str:
        """The person: the one that was given, or else the only one that has signed in.

        Raises:
            SignInRequired: Nobody has, or not the one that was named.
            InvalidRequest: Several have (`ambiguous_account`).
        """
        if self._account is None:
            self._account = self._chosen(application)
        return self._account

    def _chosen(self, application: PublicClientApplication) -> Account:
        if self.username is not None:
            return application.get_account(username=self.username)
        accounts = application.get_accounts()
        if len(accounts) == 1:
            return accounts[0]
        if not accounts:
            raise SignInRequired(
                "Nobody has signed in to this application.",
                {"code": "account_not_found", "remedy": "sign_in"},
            )
        names = ", ".join(each.username or each.home_account_id for each in accounts)
        raise InvalidRequest(
            f"Several people have signed in ({names}): say which with account= or username=.",
            {
                "code": "ambiguous_account",
                "remedy": "fix_request",
                "accounts": [dict(each._document) for each in accounts],
            },
        )

    def signed_in(self, result: TokenResult) -> None:
        """Take the person who has just signed in; raises SignInRequired if it is somebody else."""
        account = result.account
        known = self._account
        if known is None:
            names = [account.username, *(each.username for each in account.tenant_profiles)]
            is_wanted = self.username is None or self.username.casefold() in [
                name.casefold() for name in names if name
            ]
        else:
            wanted = known.home_account_id if isinstance(known, Account) else known
            is_wanted = not wanted or wanted.casefold() == account.home_account_id.casefold()
        if not is_wanted:
            raise SignInRequired(
                f"{account.username or 'Somebody else'} has signed in, and not who was asked for.",
                {"code": "account_mismatch", "remedy": "sign_in", "username": account.username},
            )
        self._account = account

    def authority(self, tenant_id: str | None) -> str | None:
        """The authority of a tenant; None for the configured one.

        A resource says which tenant a client shall ask: only tenants that are allowed get tokens (azure-identity:
        `additionally_allowed_tenants`; without any, all are where the configured one is `organizations`, which is
        what its credentials have if none is configured). An authority without tenants, such as ADFS, stays what
        it is.

        Raises:
            ValueError: It cannot be a tenant.
            ConfigurationProblem: The tenant is not allowed.
        """
        if tenant_id is None:
            return None
        if not tenant_id or not _IN_TENANT_NAMES.issuperset(tenant_id):
            raise ValueError("a tenant id has letters, digits, dots and hyphens only")
        place, tenant = self._place()
        if place is None or tenant_id == tenant:
            return None
        is_any = "*" in self._allowed or (not self._allowed and tenant in ("", "organizations"))
        if not is_any and tenant_id not in self._allowed:
            raise ConfigurationProblem(
                f"The credential is for the tenant {tenant or 'common'}, and not for {tenant_id}: name that "
                'one in additionally_allowed_tenants, or "*" for all.',
                {"code": "invalid_configuration", "remedy": "fix_configuration"},
            )
        return f"{place}/{tenant_id}"

    def _place(self) -> tuple[str | None, str]:
        """Where the tenants of the authority are, and which one is configured, or none.

        The first is None for an authority that has no tenants.
        """
        settings = self._configuration
        authority = settings.get("authority")
        if settings.get("authority_type") not in (None, "entra"):
            return None, ""
        if authority is None:
            tenant = settings.get("tenant") or _OF_AUDIENCES.get(settings.get("audience") or "", "")
            host = _HOSTS.get(settings.get("cloud") or "public", _HOSTS["public"])
            return f"https://{host}", tenant
        parts = urlsplit(authority)
        path = [each for each in parts.path.split("/") if each]
        is_b2c = ".b2clogin." in f".{parts.netloc}" or ".ciamlogin." in f".{parts.netloc}"
        if len(path) > 1 or is_b2c or [each.lower() for each in path] == ["adfs"]:
            return None, ""
        return f"{parts.scheme}://{parts.netloc}", path[0] if path else ""
