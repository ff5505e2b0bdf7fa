# SPDX-License-Identifier: MIT
"""A store of Tessera's, and whether somebody has written to it, told by its files."""

from __future__ import annotations

import os
from threading import Lock
from time import time_ns
from typing import TYPE_CHECKING, Any

from ._application import PublicClientApplication

if TYPE_CHECKING:
    from collections.abc import Mapping

# The client ID of an application without accounts of its own, which reads and writes for all applications.
_NOBODY = "00000000-0000-0000-0000-000000000000"

# The resolution of file times: a system tick, or a second and more on some file systems.
_TICK, _SECONDS = 30_000_000, 2_500_000_000


class WatchedStore:
    """An application with the store, and what its files were like when it was read."""

    def __init__(
        self, application: PublicClientApplication | None, configuration: Mapping[str, Any]
    ) -> None:
        """Take an application, or make one for a store that a configuration names."""
        if application is not None and configuration:
            raise ValueError("give an application or the configuration of one, not both")
        self.application = application or PublicClientApplication(_NOBODY, **configuration)
        self._lock = Lock()
        self._path: str | None = None

    @property
    def path(self) -> str | None:
        """The database; None for a store that has none."""
        with self._lock:
            if self._path is None:
                self._path = self.application.store_info().path
            return self._path

    def stamp(self) -> object:
        """What the files of the store are like; None if that does not tell, or will not tell the next change.

        Every commit changes the log or the file beside it. A change that follows another one within a tick of the
        clock leaves no trace in the times, so that files that were changed just now tell nothing (as in git).
        """
        path = self.path
        if path is None:
            return None
        parts: list[tuple[int, ...]] = []
        now = time_ns()
        for name in (path, path + "-wal", path.removesuffix(".db") + ".fresh"):
            try:
                found = os.stat(name)  # noqa: PTH116 - a Path object would be created each time
            except FileNotFoundError:
                parts.append(())
                continue
            time = found.st_mtime_ns
            if now - time < (_TICK if time % 1_000_000_000 else _SECONDS):
                return None
            parts.append((found.st_ino, found.st_size, time, found.st_ctime_ns))
        return tuple(parts) if any(parts) else None
