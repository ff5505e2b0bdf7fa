# SPDX-License-Identifier: MIT
"""Tessera's store in the place of a file of msal-extensions."""

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

    from tessera import PublicClientApplication

    Document = dict[str, Any]

_LARGEST = 400_000
"""About how many characters of changes are written at once: a request has at most a mebibyte."""


class TesseraPersistence:
    """What `msal_extensions.PersistedTokenCache` takes for a file: a `BasePersistence` of msal-extensions.

    `save` writes what is another than in the text that was loaded or saved last, so that what other programs
    stored meanwhile stays. Give each cache a persistence of its own.

    Attributes:
        is_encrypted: Whether the key of the store is kept apart from the disk.
    """

    def __init__(
        self,
        application: PublicClientApplication | None = None,
        **configuration: Any,  # noqa: ANN401 - the options of PublicClientApplication
    ) -> None:
        """A persistence on a store; its directory is made.

        Args:
            application: An application of Tessera with the store.
            **configuration: Without one: where the store is, such as `group` and `store_directory`.
        """
        self._store = WatchedStore(application, configuration)
        self._lock = Lock()
        self._text: str | None = None
        self._stamp: object = None
        self._loaded_on = 0.0
        self.is_encrypted = self._store.application.store_info().protection == "encrypted"
        directory = os.path.dirname(self.get_location())  # noqa: PTH120
        if directory:
            # Create the directory first: another program might create one that others can read.
            os.makedirs(directory, 0o700, exist_ok=True)  # noqa: PTH103

    def load(self) -> str:
        """The document; raises `PersistenceNotFound` of msal-extensions for an empty store."""
        with self._lock:
            stamp = self._store.stamp()
            text = self._store.application.read_cache()
            self._text, self._stamp, self._loaded_on = text, stamp, time()
        if not loads(text):
            raise self._not_found()
        return text

    def save(self, content: str) -> None:
        """Store what is another than before; raises `InvalidRequest` for a text that is no cache."""
        with self._lock:
            before = loads(self._text) if self._text else {}
            # Whatever the outcome, the stored cache may differ from the loaded one.
            self._stamp = None
            for older, newer in _pieces(before, loads(content)):
                self._store.application.write_cache(dumps(older), dumps(newer))
            self._text = content

    def time_last_modified(self) -> float:
        """When the store was changed: the time of the last `load` if nobody has changed it since, else now."""
        with self._lock:
            if self._stamp is not None and self._stamp == self._store.stamp():
                return self._loaded_on
        # A cache compares it with the time of its last load or save.
        return time() + 1

    def get_location(self) -> str:
        """The database; a cache makes its lock file beside it."""
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


def _pieces(before: Document, after: Document) -> Iterator[tuple[Document, Document]]:
    """What differs between two documents, as documents that are small enough for a request."""
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
        if size > _LARGEST:
            yield pair
            pair, size = ({}, {}), 0
    if pair != ({}, {}):
        yield pair


def _differences(
    before: Document, after: Document
) -> Iterator[tuple[str, str | None, tuple[Any, Any]]]:
    """Each place whose entry is another one: section, key if the section has keys, what was and what is there."""
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
    """Be a `BasePersistence` where msal-extensions is installed."""
    try:
        from msal_extensions.persistence import BasePersistence
    except ImportError:
        return
    BasePersistence.register(TesseraPersistence)


_register()
