# SPDX-License-Identifier: MIT
"""Accounts: people who have signed in, with a profile for each tenant they were seen in."""

from __future__ import annotations

from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class TenantProfile(Value):
    """A person in one tenant (MSAL: MSALTenantProfile).

    Attributes:
        tenant_id: The tenant; empty for a provider without tenants.
        local_account_id: The person's identifier in that tenant (`oid`, or `sub` without one).
        is_home_tenant: Whether it is the person's own tenant; False where they are a guest.
        username: The name the person has in that tenant, as of the last sign-in there.
        claims: The claims of that tenant's ID token; None unless `claims=True` asked for them.
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
    """A person who has signed in (MSAL: MSALAccount).

    Attributes:
        home_account_id: What stays the same across tenants; pass it, or the account, to later calls.
        environment: The host of the cloud; for a plain OpenID Connect provider the issuer without ``https://``.
        username: The name the person signs in with. For display and search: it may change.
        name: The person's name, for display.
        claims: The claims of the home tenant's ID token; None unless `claims=True` asked for them, and for a
            person who was seen as a guest only.
        tenant_profiles: The tenants in which the person was seen, home tenant first.
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
        """Take the members of the JSON object `Account`."""
        super().__init__(document)
        profiles = document.get("tenant_profiles") or ()
        assign(self, "tenant_profiles", tuple(TenantProfile(each) for each in profiles))


class CurrentAccount(Value):
    """Who uses a program that is for one person at a time (MSAL: single-account mode).

    Attributes:
        account: The one account that has signed in; None if nobody has.
        previous_account: Who it was at the last such call, of whatever process of the program; None if nobody was,
            or it never asked. Of an account that is gone only identifier, environment and username are left.
    """

    _required = ("account", "previous_account")
    __slots__ = ("account", "previous_account")

    account: Account | None
    previous_account: Account | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Take the members of the result of `tessera_get_current_account`."""
        super().__init__(document)
        for name in self.__slots__:
            given = document.get(name)
            assign(self, name, None if given is None else Account(given))

    def __hash__(self) -> int:
        """Equal values have equal accounts."""
        return hash((self.account, self.previous_account))


def names_of(account: Account | str | None) -> tuple[str | None, str | None]:
    """The home account id of an account, and its environment if it is known."""
    if account is None or isinstance(account, str):
        return account, None
    return account.home_account_id, account.environment


def only_name_of(account: Account | str | None) -> str | None:
    """The name of an account that has no identifier yet, since only the cache of an older library has it."""
    if account is None or isinstance(account, str) or account.home_account_id:
        return None
    return account.username
