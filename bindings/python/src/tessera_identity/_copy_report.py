# SPDX-License-Identifier: MIT
"""The result of copying accounts from another store."""

from __future__ import annotations

from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal


class CopiedAccount(Value):
    """An account of the other store.

    Attributes:
        home_account_id: The home account ID.
        environment: The host of the cloud, or the issuer without ``https://``.
        username: The user name; empty if the store does not contain it.
        outcome: `copied`; or `already_here` if this store already had the same or newer records.
        record_count: The number of records that were added or updated.
    """

    _required = ("home_account_id", "environment", "outcome", "record_count")
    _optional = ("username",)
    __slots__ = ("environment", "home_account_id", "outcome", "record_count", "username")

    home_account_id: str
    environment: str
    username: str | None
    outcome: Literal["copied", "already_here"]
    record_count: int


class CopyReport(Value):
    """The accounts of another store and the numbers of copied records.

    Attributes:
        dry_run: Whether it is the report of a dry run, in which nothing was stored.
        accounts: The result for each account.
        record_count: The number of records that were added or updated, including those without an account.
    """

    _required = ("dry_run", "record_count")
    _optional = ("accounts",)
    __slots__ = ("accounts", "dry_run", "record_count")

    dry_run: bool
    accounts: tuple[CopiedAccount, ...]
    record_count: int

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object `CopyReport`."""
        super().__init__(document)
        accounts = tuple(CopiedAccount(each) for each in document.get("accounts") or ())
        assign(self, "accounts", accounts)
