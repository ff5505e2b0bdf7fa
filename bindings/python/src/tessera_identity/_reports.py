# SPDX-License-Identifier: MIT
"""The reports of copies, migrations and sign-outs."""

from __future__ import annotations

from ._accounts import Account
from ._errors import nested_error
from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal

    from ._errors import TesseraError


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


class LeftoverToken(Value):
    """A record that remains after a sign-out.

    Attributes:
        kind: The kind: `other_application`, `family_refresh_token`, `handed_out_access_tokens`,
            `unrevoked_refresh_tokens`, `browser_session`, `set_aside_store` or `other_group`; see
            docs/c-interface.md.
        client_id: The application that has the token, if there is one.
        expires_on: The expiry time in seconds since 1970, if known.
        path: The file that contains it, if there is one.
    """

    _required = ("kind",)
    _optional = ("client_id", "expires_on", "path")
    __slots__ = ("client_id", "expires_on", "kind", "path")

    kind: str
    client_id: str | None
    expires_on: int | None
    path: str | None


class Revocation(Value):
    """The result of the revocation of a refresh token.

    Attributes:
        client_id: The application to which the token was issued.
        revoked: Whether the token was revoked.
        error: The error of the revocation; None if it succeeded.
    """

    _required = ("client_id", "revoked")
    _optional = ("error",)
    __slots__ = ("client_id", "error", "revoked")

    client_id: str
    revoked: bool
    error: TesseraError | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object."""
        super().__init__(document)
        error = document.get("error")
        assign(self, "error", None if error is None else nested_error(error))


class SignOutReport(Value):
    """The report of a sign-out. The data on this machine was removed, even if requests to the provider failed.

    Attributes:
        scope: The scope: `application`, `every_application` or `machine`.
        accounts: The accounts that were signed out; for `machine`, those that this application knew.
        removed: The numbers of removed `accounts`, `access_tokens`, `refresh_tokens` and `id_tokens`.
        remaining: The records that remain.
        revocations: The results of the revocations, one for each refresh token.
        end_session_url: The URL at which a browser ends its session; None if not requested or not supported by the
            provider. It contains the ID token of the account (`id_token_hint`): do not log it. `repr()` of the
            report does not show it.
        broker: The result of the identity broker, if requested: the number of `removed` accounts, and the `error`
            (a JSON object) if it failed.
        warnings: Warnings about requests that failed.
    """

    _required = ("scope", "removed")
    _hidden = frozenset({"end_session_url"})
    _optional = ("accounts", "remaining", "revocations", "end_session_url", "broker", "warnings")
    __slots__ = (
        "accounts", "broker", "end_session_url", "remaining", "removed", "revocations", "scope", "warnings",
    )  # fmt: skip

    scope: str
    removed: dict[str, int]
    accounts: tuple[Account, ...]
    remaining: tuple[LeftoverToken, ...]
    revocations: tuple[Revocation, ...]
    end_session_url: str | None
    broker: dict[str, Any] | None
    warnings: tuple[str, ...]

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object `SignOutReport`."""
        super().__init__(document)
        lists = {"accounts": Account, "remaining": LeftoverToken, "revocations": Revocation}
        for name, kind in lists.items():
            assign(self, name, tuple(kind(each) for each in document.get(name) or ()))
        assign(self, "warnings", tuple(document.get("warnings") or ()))
