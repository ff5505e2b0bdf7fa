# SPDX-License-Identifier: MIT
"""The store methods of an application, which send no requests."""

from __future__ import annotations

import os

from ._calls import ApplicationPart, call_json, create_value
from ._json_text import encoded
from ._native import library
from ._requests import key_text, timeout_member
from ._results import CopyReport, ExportedSignIns, MigrationReport, StoreInfo
from ._values import identifiers_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from ._values import Account


class StoreCalls(ApplicationPart):
    """The methods of an application that describe, convert and copy its store."""

    def store_info(self, *, timeout: float | None = None) -> StoreInfo:
        """Returns the state and the protection of the store, and the key sources that failed, with the reasons.

        Nothing is created or changed. An error is in `problem` and is not raised.

        Args:
            timeout: The timeout in seconds while another process holds the store; 10 by default. When it has
                passed, `state` is `busy`.
        """
        request = encoded(timeout_member(timeout))
        document = call_json(library().tessera_application_get_store_info, self._open(), request, None)
        return create_value(StoreInfo, document)

    def rotate_store_key(
        self, new_key: bytes | bytearray | None = None, *, timeout: float | None = None
    ) -> bool:
        """Replaces the encryption key of the store, and encrypts all records with the new key, in one transaction.

        Other processes continue to use the store, unless they provide the key themselves.

        Args:
            new_key: The new key (32 bytes). It is required if the store is encrypted with `store_key`, and
                rejected if `store_key` is not configured. If it is omitted for a store with another key source,
                the store is encrypted with `store_key`.
            timeout: The timeout of the call in seconds.

        Returns:
            False if there is no store to encrypt, or if it stays unencrypted.

        Raises:
            InvalidRequestError: The new key is missing (`missing_parameter`), not accepted, or equal to the old
                one.
            StorageError: The old key is not available (`key_unavailable`), or the new one would protect less
                (`encryption_unavailable`). Nothing was changed.
        """
        request = encoded({"new_store_key": key_text(new_key), **timeout_member(timeout)})
        document = call_json(library().tessera_application_rotate_store_key, self._open(), request, None)
        return bool(document.get("rotated"))

    def migrate(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        data: bytes | None = None,
        place: Literal["azure_cli"] | None = None,
        format: str | None = None,  # noqa: A002 - the name in the report
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> MigrationReport:
        """Migrates the sign-ins in the cache of an older library, such as ADAL. The cache itself is not changed.

        No request is sent: the refresh tokens are stored for all applications in the cache, and redeemed by the
        first silent call for the account. The migration is idempotent.

        Args:
            path: The file that the older library wrote.
            data: The content of the cache, instead of a path.
            place: A known location, instead of a path: `azure_cli` for `accessTokens.json` of the Azure CLI before
                2.30, in `AZURE_CONFIG_DIR` or `~/.azure`.
            format: The format, if it cannot be detected: `adal_apple_item`, `adal_macos`, `apple_keychain`,
                `msal_macos`, `adal_dotnet`, `msal_dotnet`, `adal_python`, `azure_cli` or `adal_node`.
            dry_run: Whether to return only the report, without storing anything.
            timeout: The timeout in seconds of the call; by default 10 for each access to a store that another
                process holds.

        Raises:
            InvalidRequestError: The data is not a supported cache, or the file cannot be read
                (`legacy_cache_invalid`).
            StorageError: The store cannot be written; some accounts may already be stored.
        """
        request = encoded({
            "path": None if path is None else os.fspath(path), "place": place, "format": format,
            "dry_run": True if dry_run else None, **timeout_member(timeout),
        })  # fmt: skip
        size = 0 if data is None else len(data)
        function = library().tessera_application_migrate
        return create_value(MigrationReport, call_json(function, self._open(), request, data, size, None))

    def export_sign_ins(
        self,
        format: Literal["apple_keychain", "adal_macos"],  # noqa: A002 - the name in the document
        *,
        data: bytes | None = None,
        account: Account | str | None = None,
        timeout: float | None = None,
    ) -> ExportedSignIns:
        """Exports the sign-ins of this application for programs that still use ADAL 2.7 or later, by `userId`.

        No request is sent and nothing is changed. The result contains refresh tokens: write it only where the
        older library reads it, and where no other user can.

        Args:
            format: `apple_keychain` for keychain items; `adal_macos` for the cache of ADAL for macOS.
            data: The existing cache of ADAL for macOS; its other entries are kept.
            account: The account, or its home account ID; None for all.
            timeout: The timeout in seconds while another process holds the store; 10 by default.

        Raises:
            SignInRequiredError: No account is signed in (`account_not_found`).
            InvalidRequestError: The existing cache cannot be read (`legacy_cache_invalid`), and must not be
                overwritten.
        """
        home = identifiers_of(account)[0]
        request = encoded({"format": format, "home_account_id": home, **timeout_member(timeout)})
        size = 0 if data is None else len(data)
        function = library().tessera_application_export_sign_ins
        return create_value(ExportedSignIns, call_json(function, self._open(), request, data, size, None))

    def read_cache(self, *, timeout: float | None = None) -> str:
        """Returns the store as the JSON document of MSAL libraries, with all accounts and applications.

        No request is sent and nothing is changed. The document contains tokens. Its entries have the format of
        MSAL Python; records that only Tessera uses are omitted. `tessera_identity.msal` provides a token cache for
        MSAL on it.

        Args:
            timeout: The timeout in seconds while another process holds the store; 10 by default.
        """
        request = encoded(timeout_member(timeout))
        return str(call_json(library().tessera_application_read_cache, self._open(), request, None)["cache"])

    def write_cache(
        self, before: str, after: str, *, timeout: float | None = None
    ) -> tuple[int, int]:
        """Writes the changes that another library made to the document, in one commit.

        Concurrent changes of other processes are kept. An entry is stored unless a newer one exists, and removed
        if it is still the same token. Refresh tokens and accounts are always removed, because other libraries sign
        out that way.

        Args:
            before: The document before the changes.
            after: The document after the changes. Unchanged entries may be omitted in both.
            timeout: See `read_cache`.

        Returns:
            The number of entries that were added or changed, and the number that were removed.

        Raises:
            InvalidRequestError: A text is not a valid document (`invalid_member`). Nothing was changed.
        """
        request = encoded({"before": before, "after": after, **timeout_member(timeout)})
        report = call_json(library().tessera_application_write_cache, self._open(), request, None)
        return report["stored"], report["removed"]

    def copy_from(
        self,
        other: ApplicationPart,
        *,
        account: Account | str | None = None,
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> CopyReport:
        """Copies the accounts and tokens of another application's store into the store of this one.

        No request is sent. The records of all applications that share the stores are copied. The newer of two
        tokens with the same key wins, and nothing is deleted. The operation is idempotent.

        Args:
            other: An application that uses the other store, in another group, directory or kind of store.
            account: The account to copy, or its home account ID; None for all.
            dry_run: Whether to return only the report, without storing anything.
            timeout: The timeout in seconds of the call; by default 10 for each access to a store that another
                process holds.

        Raises:
            StorageError: One of the stores cannot be used; some records may already be stored.
        """
        request = encoded({
            "home_account_id": identifiers_of(account)[0], "dry_run": True if dry_run else None,
            **timeout_member(timeout),
        })  # fmt: skip
        function = library().tessera_application_copy_sign_ins
        return create_value(CopyReport, call_json(function, self._open(), other._open(), request, None))
