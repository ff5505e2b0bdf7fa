# SPDX-License-Identifier: MIT
"""What became of the accounts of another store."""

from __future__ import annotations

from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal


class CopiedAccount(Value):
    """A person in another store.

    Attributes:
        home_account_id: The identifier.
        environment: The host of the cloud, or the issuer without ``https://``.
        username: What the person signs in with; empty if the store does not say.
        outcome: `copied`, or `already_here`: everything was here, as new or newer.
        record_count: How many of its records were new here or newer.
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
    """What another store held, and what was copied.

    Attributes:
        dry_run: Whether nothing was stored, because only a report was asked for.
        accounts: What became of each account.
        record_count: How many records were new here or newer, those that belong to nobody among them.
    """

    _required = ("dry_run", "record_count")
    _optional = ("accounts",)
    __slots__ = ("accounts", "dry_run", "record_count")

    dry_run: bool
    accounts: tuple[CopiedAccount, ...]
    record_count: int

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Take the members of the JSON object `CopyReport`."""
        super().__init__(document)
        accounts = tuple(CopiedAccount(each) for each in document.get("accounts") or ())
        assign(self, "accounts", accounts)
