# SPDX-License-Identifier: MIT
"""What became of each account in the cache of an older library, and what such a library finds of ours."""

from __future__ import annotations

from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class MigratedAccount(Value):
    """A person at an application, in the cache of an older library.

    Attributes:
        username: What the person signs in with; empty if the cache does not say.
        environment: The host of the authority.
        client_id: The application; `foci-` and a number for what a family shares.
        outcome: `migrated`, `already_migrated`, `already_signed_in` (the item's client has a sign-in of this
            cache for it, and its token is kept for when that is refused) or `not_migrated`.
        home_account_id: The identifier, if the cache has one; otherwise it is known after the first token.
        reason: Why not: `no_refresh_token`, `refused`, `retired`, `unknown_person`, `unknown_authority` (none
            that this application knows, such as an ADFS), `too_many_tokens` or `name_only`; else None.
        advice: What to do about that, for a person.
    """

    _required = ("username", "environment", "client_id", "outcome")
    _optional = ("home_account_id", "reason", "advice")
    __slots__ = (
        "advice", "client_id", "environment", "home_account_id", "outcome", "reason", "username",
    )  # fmt: skip

    username: str
    environment: str
    client_id: str
    outcome: str
    home_account_id: str | None
    reason: str | None
    advice: str | None


class MigrationReport(Value):
    """What the cache of an older library held, and what was taken over.

    Attributes:
        format: The format that was read, such as `adal_python`.
        dry_run: Whether nothing was stored, because only a report was asked for.
        accounts: What became of each account.
        record_count: How many records of the unified schema lay beside them and were taken over, or were there
            already; of a dry run, how many would be. Whose they are is in `accounts`.
        preserved: How much stays where it is because it is nobody's to act on, by kind.
        damaged: What could not be read: each with `code` and `message`, and `entry` (counted from 0) unless it is
            the whole cache.
        further_damaged: How many more could not be read.
    """

    _required = ("format", "dry_run", "record_count", "preserved", "further_damaged")
    _optional = ("accounts", "damaged")
    __slots__ = (
        "accounts", "damaged", "dry_run", "format", "further_damaged", "preserved", "record_count",
    )  # fmt: skip

    format: str
    dry_run: bool
    accounts: tuple[MigratedAccount, ...]
    record_count: int
    preserved: dict[str, int]
    damaged: tuple[dict[str, Any], ...]
    further_damaged: int

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Take the members of the JSON object `MigrationReport`."""
        super().__init__(document)
        accounts = tuple(MigratedAccount(each) for each in document.get("accounts") or ())
        assign(self, "accounts", accounts)
        assign(self, "damaged", tuple(document.get("damaged") or ()))


class ExportedSignIns(Value):
    """Sign-ins as an older library finds them. They hold refresh tokens.

    Attributes:
        format: `apple_keychain` or `adal_macos`.
        account_count: How many accounts are in it; the cache of ADAL for macOS has only people with a name.
        access_groups: Where ADAL and MSAL look in a keychain: the access groups of iOS and of macOS.
        items: The items of a keychain, each with `account`, `service`, `generic` (Base64), `type` and `value`
            (Base64).
        data: The cache of ADAL for macOS with the accounts in it; None for a keychain.
    """

    _required = ("format", "account_count")
    _optional = ("access_groups", "items", "data")
    _hidden = frozenset(("items", "data"))
    __slots__ = ("access_groups", "account_count", "data", "format", "items")

    format: str
    account_count: int
    access_groups: tuple[str, ...]
    items: tuple[dict[str, Any], ...]
    data: bytes | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Take the members of the JSON object `ExportedSignIns`."""
        # Imported here, because most programs export nothing and start faster without it.
        from base64 import b64decode

        super().__init__(document)
        assign(self, "access_groups", tuple(document.get("access_groups") or ()))
        assign(self, "items", tuple(document.get("items") or ()))
        data = document.get("data")
        assign(self, "data", None if data is None else b64decode(data))
