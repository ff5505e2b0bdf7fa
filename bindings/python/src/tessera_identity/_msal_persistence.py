# SPDX-License-Identifier: MIT
"""A persistence of msal-extensions on Tessera's store."""

from __future__ import annotations

import errno
import os
from json import dumps, loads
from threading import Lock
from time import time
from typing import TYPE_CHECKING, Any

from ._msal_store import WatchedStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tessera_identity import PublicClientApplication

    Document = dict[str, Any]

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
        self._store = WatchedStore(application, configuration)
        self._lock = Lock()
        self._text: str | None = None
        self._stamp: object = None
        self._loaded_on = 0.0
        self.is_encrypted = self._store.application.store_info().protection == "encrypted"
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
        """Stores the changes; raises `InvalidRequest` for a text that is not a cache document."""
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


def _batches(before: Document, after: Document) -> Iterator[tuple[Document, Document]]:
    """Yields the differences of two documents, as pairs of documents that are small enough for a request."""
    pair: tuple[Document, Document] = ({}, {})
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
    before: Document, after: Document
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
