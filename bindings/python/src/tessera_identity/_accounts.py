# SPDX-License-Identifier: MIT
"""Accounts of users, with a profile for each tenant."""

from __future__ import annotations

from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class TenantProfile(Value):
    """A user in one tenant (MSAL: MSALTenantProfile).

    Attributes:
        tenant_id: The tenant ID; empty for a provider without tenants.
        local_account_id: The account ID in the tenant (`oid`, or `sub` if there is no `oid`).
        is_home_tenant: Whether it is the home tenant; False if the user is a guest.
        username: The user name in the tenant, as of the last sign-in to it.
        claims: The claims of the ID token of the tenant; None unless requested with `claims=True`.
    """

    _required = ("local_account_id", "tenant_id", "is_home_tenant")
    _optional = ("username", "claims")
    __slots__ = ("claims", "is_home_tenant", "local_account_id", "tenant_id", "username")

    tenant_id: str
    local_account_id: str
    is_home_tenant: bool
    username: str | None
    claims: dict[str, Any] | None


class Account(Value):
    """The account of a user (MSAL: MSALAccount).

    Attributes:
        home_account_id: The account ID that is the same in all tenants. Pass it, or the account, to other calls.
        environment: The host of the cloud; for a plain OpenID Connect provider, the issuer without ``https://``.
        username: The user name, for display and search. It may change.
        name: The user's full name, for display.
        claims: The claims of the ID token of the home tenant; None unless requested with `claims=True`, and for a
            user with sign-ins as a guest only.
        tenant_profiles: The tenants in which the user has signed in, with the home tenant first.
    """

    _required = ("home_account_id", "environment")
    _optional = ("username", "name", "claims", "tenant_profiles")
    __slots__ = ("claims", "environment", "home_account_id", "name", "tenant_profiles", "username")

    home_account_id: str
    environment: str
    username: str | None
    name: str | None
    claims: dict[str, Any] | None
    tenant_profiles: tuple[TenantProfile, ...]

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object `Account`."""
        super().__init__(document)
        profiles = document.get("tenant_profiles") or ()
        assign(self, "tenant_profiles", tuple(TenantProfile(each) for each in profiles))


class CurrentAccount(Value):
    """The current account of a single-account application (MSAL: single-account mode).

    Attributes:
        account: The only signed-in account; None if no account is signed in.
        previous_account: The account returned by the previous call in any process of the application; None if
            there was none. For a removed account, only the ID, the environment and the user name are set.
    """

    _required = ("account", "previous_account")
    __slots__ = ("account", "previous_account")

    account: Account | None
    previous_account: Account | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the result of `tessera_application_get_current_account`."""
        super().__init__(document)
        for name in self.__slots__:
            given = document.get(name)
            assign(self, name, None if given is None else Account(given))

    def __hash__(self) -> int:
        """Returns a hash of the two accounts, so that equal values have equal hashes."""
        return hash((self.account, self.previous_account))


def identifiers_of(account: Account | str | None) -> tuple[str | None, str | None]:
    """Returns the home account ID of an account, and its environment if it is known."""
    if account is None or isinstance(account, str):
        return account, None
    return account.home_account_id, account.environment


def username_without_id(account: Account | str | None) -> str | None:
    """Returns the user name of an account without a home account ID, as in a migrated cache; None for others."""
    if account is None or isinstance(account, str) or account.home_account_id:
        return None
    return account.username
