# SPDX-License-Identifier: MIT
"""A token cache for MSAL Python on Tessera's store, shared with all applications that use the store.

    import msal
    from tessera_identity.msal import TesseraTokenCache

    app = msal.PublicClientApplication("client-id", token_cache=TesseraTokenCache())

An application with a `msal_extensions.PersistedTokenCache` passes a `TesseraPersistence` to it instead.
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from copy import deepcopy
from json import dumps, loads
from threading import Lock
from time import time, time_ns
from typing import TYPE_CHECKING, Any

from ._application import PublicClientApplication
from ._errors import RetryLaterError, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from threading import RLock

    _Document = dict[str, Any]
    _Changed = dict[str, dict[str, Any]]
    """The changed entries before the change, by section and key."""

    class SerializableTokenCache:
        """The members of MSAL's class, which has no types."""

        has_state_changed: bool
        key_makers: dict[str, Callable[..., str]]
        _cache: dict[str, dict[str, dict[str, Any]]]
        _lock: RLock

        def search(
            self, credential_type: str, *args: Any, **kwargs: Any  # noqa: ANN401 - the signature of MSAL
        ) -> Iterator[dict[str, Any]]:
            """Returns the matching entries."""

        def add(self, event: dict[str, Any], **kwargs: Any) -> None:  # noqa: ANN401 - the signature of MSAL
            """Stores the response of a server."""

        def modify(
            self,
            credential_type: str,
            old_entry: dict[str, Any],
            new_key_value_pairs: dict[str, Any] | None = None,
        ) -> None:
            """Stores or removes an entry."""

        def remove_at(self, at_item: dict[str, Any]) -> None:
            """Removes an access token."""

        def remove_rt(self, rt_item: dict[str, Any]) -> None:
            """Removes a refresh token."""

        def remove_idt(self, idt_item: dict[str, Any]) -> None:
            """Removes an ID token."""

        def remove_account(self, account_item: dict[str, Any]) -> None:
            """Removes an account."""

        def serialize(self) -> str:
            """Returns the cache as JSON."""

        def deserialize(self, state: str | None) -> None:
            """Replaces the cache."""

else:
    try:
        from msal import SerializableTokenCache
    except ImportError as import_error:
        raise ImportError("tessera_identity.msal requires MSAL Python: pip install msal") from import_error

__all__ = ["TesseraPersistence", "TesseraTokenCache"]

# The client ID of an application without sign-ins, which reads and writes the records of all applications.
_NULL_CLIENT_ID = "00000000-0000-0000-0000-000000000000"

# The resolution of file timestamps: a system tick, or more than one second on some file systems.
_FINE_RESOLUTION, _COARSE_RESOLUTION = 30_000_000, 2_500_000_000


class _WatchedStore:
    """An application that uses a store, with a snapshot of the metadata of the store's files."""

    def __init__(
        self, application: PublicClientApplication | None, configuration: Mapping[str, Any]
    ) -> None:
        """Uses the application, or creates one for the store of a configuration."""
        if application is not None and configuration:
            raise ValueError("pass either an application or a configuration, not both")
        self.application: PublicClientApplication = application or PublicClientApplication(
            _NULL_CLIENT_ID, **configuration
        )
        self._lock = Lock()
        self._path: str | None = None

    @property
    def path(self) -> str | None:
        """The path of the database; None for a store without one."""
        with self._lock:
            if self._path is None:
                self._path = self.application.store_info().path
            return self._path

    def stamp(self) -> object:
        """Returns the metadata of the store's files; None if it cannot be used to detect the next change.

        Every commit changes the write-ahead log or the change counter file. A change within one clock tick of
        another one does not change the timestamps, so the metadata of recently changed files is not used (like in
        git).
        """
        path = self.path
        if path is None:
            return None
        parts: list[tuple[int, ...]] = []
        now = time_ns()
        for name in (path, path + "-wal", path.removesuffix(".db") + ".fresh"):
            try:
                found = os.stat(name)  # noqa: PTH116 - avoids creating a Path object
            except FileNotFoundError:
                parts.append(())
                continue
            time = found.st_mtime_ns
            if now - time < (_FINE_RESOLUTION if time % 1_000_000_000 else _COARSE_RESOLUTION):
                return None
            parts.append((found.st_ino, found.st_size, time, found.st_ctime_ns))
        return tuple(parts) if any(parts) else None


_BATCH_LIMIT = 400_000
"""The approximate number of characters of changes per request, which may have at most 1 MiB."""


class TesseraPersistence:
    """A `BasePersistence` of msal-extensions on Tessera's store, for `msal_extensions.PersistedTokenCache`.

    `save` writes only the differences from the text that was last loaded or saved, so that concurrent changes of
    other processes are kept. Each cache needs its own persistence.

    Attributes:
        is_encrypted: Whether the encryption key of the store is not stored in a file.
    """

    def __init__(
        self,
        application: PublicClientApplication | None = None,
        **configuration: Any,  # noqa: ANN401 - the arguments of PublicClientApplication
    ) -> None:
        """Creates a persistence on a store, and the directory of the store.

        Args:
            application: An application that uses the store.
            **configuration: Without `application`: the store, such as `group` and `store_directory`.
        """
        self._store = _WatchedStore(application, configuration)
        self._lock = Lock()
        self._text: str | None = None
        self._stamp: object = None
        self._loaded_on = 0.0
        self.is_encrypted: bool = self._store.application.store_info().protection == "encrypted"
        directory = os.path.dirname(self.get_location())  # noqa: PTH120
        if directory:
            # msal-extensions would create the directory with access for other users.
            os.makedirs(directory, 0o700, exist_ok=True)  # noqa: PTH103

    def load(self) -> str:
        """Returns the document; raises `PersistenceNotFound` of msal-extensions for an empty store."""
        with self._lock:
            stamp = self._store.stamp()
            text = self._store.application.read_cache()
            self._text, self._stamp, self._loaded_on = text, stamp, time()
        if not loads(text):
            raise self._not_found()
        return text

    def save(self, content: str) -> None:
        """Stores the changes; raises `InvalidRequestError` for a text that is not a cache document."""
        with self._lock:
            before = loads(self._text) if self._text else {}
            # Even if the write fails, the store or the cache then differs from the loaded text.
            self._stamp = None
            for older, newer in _batches(before, loads(content)):
                self._store.application.write_cache(dumps(older), dumps(newer))
            self._text = content

    def time_last_modified(self) -> float:
        """Returns the time of the last `load` if the store has not changed since; otherwise a later time."""
        with self._lock:
            if self._stamp is not None and self._stamp == self._store.stamp():
                return self._loaded_on
        # A cache compares it with the time of its last load or save.
        return time() + 1

    def get_location(self) -> str:
        """Returns the path of the database; a cache creates its lock file next to it."""
        return self._store.path or "tessera"

    def _not_found(self) -> OSError:
        try:
            from msal_extensions.persistence import PersistenceNotFound
        except ImportError:
            return FileNotFoundError(errno.ENOENT, "The store is empty", self.get_location())
        error: OSError = PersistenceNotFound(
            message="The store is empty", location=self.get_location()
        )
        return error


def _batches(before: _Document, after: _Document) -> Iterator[tuple[_Document, _Document]]:
    """Yields the differences of two documents, as pairs of documents that are small enough for a request."""
    pair: tuple[_Document, _Document] = ({}, {})
    size = 0
    for section, key, entries in _differences(before, after):
        for document, entry in zip(pair, entries):
            if entry is None:
                continue
            if key is None:
                document[section] = entry
            else:
                document.setdefault(section, {})[key] = entry
            size += len(dumps(entry))
        if size > _BATCH_LIMIT:
            yield pair
            pair, size = ({}, {}), 0
    if pair != ({}, {}):
        yield pair


def _differences(
    before: _Document, after: _Document
) -> Iterator[tuple[str, str | None, tuple[Any, Any]]]:
    """Yields each changed entry: the section, the key if the section has keys, and the old and the new entry."""
    for section in {**before, **after}:
        old, new = before.get(section), after.get(section)
        if not isinstance(old, (dict, type(None))) or not isinstance(new, (dict, type(None))):
            if old != new:
                yield section, None, (old, new)
            continue
        for key in {**(old or {}), **(new or {})}:
            entries = ((old or {}).get(key), (new or {}).get(key))
            if entries[0] != entries[1]:
                yield section, key, entries


def _register() -> None:
    """Registers the class as a `BasePersistence` if msal-extensions is installed."""
    try:
        from msal_extensions.persistence import BasePersistence
    except ImportError:
        return
    BasePersistence.register(TesseraPersistence)


_register()


class TesseraTokenCache(SerializableTokenCache):
    """A token cache for MSAL Python on Tessera's store.

    Changes of a process are visible to the next call of every other one. Concurrent changes are merged, without a
    lock file. A sign-in is one commit. The object is safe to use from multiple threads.

    `has_state_changed` is True after a change until `serialize()` or `deserialize()`, as in MSAL. The store
    already contains the change.

    The methods can raise Tessera's `StorageError` and `RetryLaterError` (`store_busy`).
    """

    def __init__(
        self,
        application: PublicClientApplication | None = None,
        **configuration: Any,  # noqa: ANN401 - the arguments of PublicClientApplication
    ) -> None:
        """Creates a cache on a store. No file is opened.

        Args:
            application: An application that uses the store; it is not closed.
            **configuration: Without `application`: the store, such as `group` and `store_directory`; see
                `PublicClientApplication`.
        """
        super().__init__()
        self._store = _WatchedStore(application, configuration)
        self._stamp: object = None
        # The changes of the commit in progress; None if there is none.
        self._changed: _Changed | None = None

    def search(self, credential_type: str, *args: Any, **kwargs: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401
        """Returns the matching entries, for MSAL Python.

        Expired access tokens are removed after the last entry, as in MSAL, in one commit.
        """
        self._refresh()
        return self._found(super().search(credential_type, *args, **kwargs))

    def _found(self, entries: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        end: dict[str, Any] = {}
        while True:
            # MSAL removes expired entries before the iteration ends.
            with self._lock, self._one_commit(is_needed=False):
                entry = next(entries, end)
            if entry is end:
                return
            yield entry

    def add(self, event: dict[str, Any], **kwargs: Any) -> None:  # noqa: ANN401 - the signature of MSAL
        """Stores the response of a server, in one commit."""
        with self._lock:
            self._refresh()
            with self._one_commit():
                super().add(event, **kwargs)

    def modify(
        self,
        credential_type: str,
        old_entry: dict[str, Any],
        new_key_value_pairs: dict[str, Any] | None = None,
    ) -> None:
        """Stores or removes an entry.

        A token is removed only if it is the one that the caller read, not a newer one of another process.
        """
        with self._lock:
            self._refresh()
            entries = self._cache.setdefault(credential_type, {})
            key = self.key_makers[credential_type](**old_entry)
            before = entries.get(key)
            if not new_key_value_pairs and before != old_entry:
                # Other libraries use different keys.
                key = next((each for each in entries if entries[each] == old_entry), key)
                before = old_entry
            with self._one_commit() as changed:
                changed.setdefault(credential_type, {}).setdefault(key, deepcopy(before))
                super().modify(credential_type, old_entry, new_key_value_pairs)
                if not new_key_value_pairs:
                    entries.pop(key, None)

    @contextmanager
    def _one_commit(self, *, is_needed: bool = True) -> Iterator[_Changed]:
        """Stores the changes of the block in one commit at its end; a nested block uses the outer commit.

        Args:
            is_needed: Whether to raise an error if the changes could not be stored.
        """
        if self._changed is not None:
            yield self._changed
            return
        self._changed = {}
        try:
            yield self._changed
            if self._changed:
                self._write(self._changed)
        except (StorageError, RetryLaterError):
            if is_needed:
                raise
        finally:
            if self._changed:
                # Other processes may have changed the entries. After an error, the copy matches no stored state.
                self._stamp = None
            self._changed = None

    def _refresh(self) -> None:
        """Reads the store if it has changed."""
        with self._lock:
            if self._changed is not None or (
                self._stamp is not None and self._stamp == self._store.stamp()
            ):
                return
            stamp, self._stamp = self._store.stamp(), None
            self._cache = loads(self._store.application.read_cache())
            self._stamp = stamp

    def _write(self, changed: _Changed) -> None:
        """Stores the changes. Concurrent changes of other processes are kept, and read by the next call."""
        before = {
            kind: {key: entry for key, entry in entries.items() if entry is not None}
            for kind, entries in changed.items()
        }
        after = {
            kind: {key: self._cache[kind][key] for key in entries if key in self._cache.get(kind, {})}
            for kind, entries in changed.items()
        }
        if before != after:
            self._store.application.write_cache(dumps(before), dumps(after))
