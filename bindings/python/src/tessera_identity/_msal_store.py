# SPDX-License-Identifier: MIT
"""Detection of changes of a store by the metadata of its files."""

from __future__ import annotations

import os
from threading import Lock
from time import time_ns
from typing import TYPE_CHECKING, Any

from ._application import PublicClientApplication

if TYPE_CHECKING:
    from collections.abc import Mapping

# The client ID of an application without sign-ins, which reads and writes the records of all applications.
_NULL_CLIENT_ID = "00000000-0000-0000-0000-000000000000"

# The resolution of file timestamps: a system tick, or more than one second on some file systems.
_FINE_RESOLUTION, _COARSE_RESOLUTION = 30_000_000, 2_500_000_000


class WatchedStore:
    """An application that uses a store, with a snapshot of the metadata of the store's files."""

    def __init__(
        self, application: PublicClientApplication | None, configuration: Mapping[str, Any]
    ) -> None:
        """Uses the application, or creates one for the store of a configuration."""
        if application is not None and configuration:
            raise ValueError("pass either an application or a configuration, not both")
        self.application = application or PublicClientApplication(_NULL_CLIENT_ID, **configuration)
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
