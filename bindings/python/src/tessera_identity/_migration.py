# SPDX-License-Identifier: MIT
"""Results of migrations from older libraries, and sign-ins exported for them."""

from __future__ import annotations

from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class MigratedAccount(Value):
    """An account of one application in the cache of an older library.

    Attributes:
        username: The user name; empty if the cache does not contain it.
        environment: The host of the authority.
        client_id: The application; `foci-` and a number for tokens of a family.
        outcome: `migrated`, `already_migrated`, `already_signed_in` (the application already has a
            sign-in for the account; the imported token is used if the server rejects that sign-in) or
            `not_migrated`.
        home_account_id: The home account ID if the cache contains it; otherwise known after the first token.
        reason: The reason for `not_migrated`: `no_refresh_token`, `refused`, `retired`, `unknown_person`,
            `unknown_authority` (an authority that this application does not trust, such as ADFS),
            `too_many_tokens` or `name_only`; otherwise None.
        advice: The advice for the user.
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
    """The contents of the cache of an older library, and the migrated records.

    Attributes:
        format: The detected format, such as `adal_python`.
        dry_run: Whether it is the report of a dry run, in which nothing was stored.
        accounts: The result for each account.
        record_count: The number of records of the unified schema that were migrated or already present; in a dry
            run, the number that would be migrated. Their accounts are in `accounts`.
        preserved: The numbers of entries that are not migrated because only their owner can use them, by kind.
        damaged: The entries that could not be read, each with `code`, `message` and the zero-based index `entry`,
            which is absent for the whole cache.
        further_damaged: The number of further entries that could not be read.
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
        """Reads the members of the JSON object `MigrationReport`."""
        super().__init__(document)
        accounts = tuple(MigratedAccount(each) for each in document.get("accounts") or ())
        assign(self, "accounts", accounts)
        assign(self, "damaged", tuple(document.get("damaged") or ()))


class ExportedSignIns(Value):
    """Sign-ins in the format of an older library. They contain refresh tokens.

    Attributes:
        format: `apple_keychain` or `adal_macos`.
        account_count: The number of exported accounts; the cache of ADAL for macOS contains only accounts with a
            user name.
        access_groups: The keychain access groups of iOS and macOS in which ADAL and MSAL search.
        items: The keychain items, each with `account`, `service`, `generic` (Base64), `type` and `value` (Base64).
        data: The cache of ADAL for macOS with the accounts; None for a keychain.
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
        """Reads the members of the JSON object `ExportedSignIns`."""
        # Imported on demand, because it would delay the start of programs that export nothing.
        from base64 import b64decode

        super().__init__(document)
        assign(self, "access_groups", tuple(document.get("access_groups") or ()))
        assign(self, "items", tuple(document.get("items") or ()))
        data = document.get("data")
        assign(self, "data", None if data is None else b64decode(data))
