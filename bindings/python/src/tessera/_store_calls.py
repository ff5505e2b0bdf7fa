# SPDX-License-Identifier: MIT
"""The calls of an application about its store, which ask no server."""

from __future__ import annotations

import os

from ._accounts import names_of
from ._calls import ask, made
from ._copying import CopyReport
from ._errors import InvalidRequest
from ._json_text import encoded
from ._migration import ExportedSignIns, MigrationReport
from ._native import library
from ._silent import milliseconds
from ._store import StoreInfo, key_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from ._accounts import Account
    from ._handles import ApplicationHandle


class StoreCalls:
    """The part of an application that describes the store, and gives it a new key."""

    def __init__(self, handle: ApplicationHandle) -> None:
        """Take over an application of the library."""
        self._handle: ApplicationHandle | None = handle

    def store_info(self, *, timeout: float | None = None) -> StoreInfo:
        """What the store is like, what protects it, what was tried for its key and why that failed.

        Makes and changes nothing. What is wrong is in `problem`, and not raised.

        Args:
            timeout: Seconds to wait at most while another process holds the store; ten without it. When they have
                passed, `state` is `busy`.
        """
        request = encoded(waiting(timeout))
        return made(StoreInfo, ask(library().tessera_store_info, self._open(), request))

    def rotate_store_key(
        self, new_key: bytes | bytearray | None = None, *, timeout: float | None = None
    ) -> bool:
        """Give the store a new key, and seal every record with it: all of them or none.

        Programs that have the store open go on, unless they keep the key themselves.

        Args:
            new_key: The new key, 32 bytes; required where the store was sealed with `store_key`, and refused
                without `store_key`. A store that was sealed otherwise gets `store_key` if it is left out.
            timeout: Seconds that the call may take at most.

        Returns:
            False if there is no store that could be sealed, or if it stays in clear.

        Raises:
            InvalidRequest: The new key is missing (`missing_parameter`), not wanted, or the old one.
            StorageProblem: The old key cannot be had (`key_unavailable`), or the new one would protect less
                (`encryption_unavailable`). Nothing was changed.
        """
        request = encoded({"new_store_key": key_text(new_key), **waiting(timeout)})
        document = ask(library().tessera_store_rotate_key, self._open(), request)
        return bool(document.get("rotated"))

    def migrate(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        data: bytes | None = None,
        place: Literal["azure_cli"] | None = None,
        format: str | None = None,  # noqa: A002 - the parameter name of the report
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> MigrationReport:
        """Take over the sign-ins in the cache of an older library, such as ADAL; the cache itself stays as it is.

        Asks no server: the refresh tokens are stored, for every application that they are of, and redeemed by the
        first silent call for their account. Doing it again changes nothing.

        Args:
            path: The file that the older library wrote.
            data: Its content, in place of a path.
            place: Where a program kept its own, in place of a path: `azure_cli` for `accessTokens.json` of the
                Azure CLI before 2.30, in `AZURE_CONFIG_DIR` or `~/.azure`.
            format: The format, if it is not to be recognised: `adal_apple_item`, `adal_macos`, `apple_keychain`,
                `msal_macos`, `adal_dotnet`, `msal_dotnet`, `adal_python`, `azure_cli` or `adal_node`.
            dry_run: Whether only the report is wanted.
            timeout: Seconds to wait at most, at each look at it, while another process holds the store; ten
                without it.

        Raises:
            InvalidRequest: It is no such cache, or the file cannot be read (`legacy_cache_invalid`).
            StorageProblem: The store cannot be written; some accounts may have been stored already.
        """
        request = encoded({
            "path": None if path is None else os.fspath(path), "place": place, "format": format,
            "dry_run": True if dry_run else None, **waiting(timeout),
        })  # fmt: skip
        size = 0 if data is None else len(data)
        function = library().tessera_migrate
        return made(MigrationReport, ask(function, self._open(), request, data, size))

    def export_sign_ins(
        self,
        format: Literal["apple_keychain", "adal_macos"],  # noqa: A002 - the member name of the document
        *,
        data: bytes | None = None,
        account: Account | str | None = None,
        timeout: float | None = None,
    ) -> ExportedSignIns:
        """What this application signed in, as programs find it that still use ADAL 2.7 or later, by `userId`.

        Asks no server and changes nothing. The result holds refresh tokens: put it only where the older library
        looks, and where nobody else can read it.

        Args:
            format: `apple_keychain` for items of a keychain; `adal_macos` for the cache of ADAL for macOS.
            data: That cache as it is now; whatever else is in it stays.
            account: The account, or its home account id; None for all.
            timeout: Seconds to wait at most while another process holds the store; ten without it.

        Raises:
            SignInRequired: Nobody is signed in (`account_not_found`).
            InvalidRequest: The cache cannot be read (`legacy_cache_invalid`), and must not be written over.
        """
        home = names_of(account)[0]
        request = encoded({"format": format, "home_account_id": home, **waiting(timeout)})
        size = 0 if data is None else len(data)
        function = library().tessera_export_sign_ins
        return made(ExportedSignIns, ask(function, self._open(), request, data, size))

    def read_cache(self, *, timeout: float | None = None) -> str:
        """The whole store as the JSON document that MSAL libraries keep, for every account and application.

        Asks no server and changes nothing. It holds tokens. Entries are spelled as MSAL Python spells them; what
        Tessera remembers for itself is not among them. `tessera.msal` has a token cache for MSAL made of it.

        Args:
            timeout: Seconds to wait at most while another process holds the store; ten without it.
        """
        request = encoded(waiting(timeout))
        return str(ask(library().tessera_cache_read, self._open(), request)["cache"])

    def write_cache(
        self, before: str, after: str, *, timeout: float | None = None
    ) -> tuple[int, int]:
        """Write what another library changed in that document, in one commit.

        What others stored meanwhile stays: an entry is stored unless a newer one is there, and removed if it is
        the same token still; refresh tokens and accounts go in any case, since that is how others sign out.

        Args:
            before: The document as it was.
            after: The document as it is to be. Entries that are the same in both may be left out of both.
            timeout: As for `read_cache`.

        Returns:
            How many entries were new or others than before, and how many were gone.

        Raises:
            InvalidRequest: A text is no such document (`invalid_member`). Nothing was changed.
        """
        request = encoded({"before": before, "after": after, **waiting(timeout)})
        report = ask(library().tessera_cache_write, self._open(), request)
        return report["stored"], report["removed"]

    def copy_from(
        self,
        other: StoreCalls,
        *,
        account: Account | str | None = None,
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> CopyReport:
        """Copy the accounts and tokens of another application's store into the store of this one.

        Asks no server. All applications that share the stores are meant, not these two alone. Of two tokens for
        the same place the newer one counts, and nothing is deleted; doing it again changes nothing.

        Args:
            other: An application with the other store: another group, another directory or another kind of store.
            account: The one account, or its home account id; None for all.
            dry_run: Whether only the report is wanted.
            timeout: Seconds to wait at most, at each look at a store, while another process holds it; ten without
                it.

        Raises:
            StorageProblem: One of the stores cannot be used; some records may have been stored already.
        """
        request = encoded({
            "home_account_id": names_of(account)[0], "dry_run": True if dry_run else None,
            **waiting(timeout),
        })  # fmt: skip
        function = library().tessera_copy
        return made(CopyReport, ask(function, self._open(), other._open(), request))

    def _open(self) -> ApplicationHandle:
        handle = self._handle
        if handle is None:
            raise InvalidRequest("The application is closed.", {"code": "missing_parameter"})
        return handle


def waiting(seconds: float | None) -> dict[str, int | None]:
    """The member of a request that says how long it may wait."""
    return {"timeout_milliseconds": milliseconds(seconds)}
