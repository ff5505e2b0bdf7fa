# SPDX-License-Identifier: MIT
"""Locks that allow one sign-in of a credential at a time, for threads and for tasks."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from ._credential_base import Wanted


class ThreadTurns:
    """The sign-in lock of threads."""

    def __init__(self) -> None:
        """Creates an unlocked lock."""
        self._lock = Lock()

    @contextmanager
    def turn(self, wanted: Wanted) -> Iterator[bool]:
        """Holds the lock during the block; yields whether the caller had to wait for it.

        Raises:
            Cancelled: The deadline of the call passed first (`deadline_exceeded`).
        """
        is_late = not self._lock.acquire(blocking=False)
        if is_late:
            left = wanted.seconds_left()
            if not self._lock.acquire(timeout=-1 if left is None else left):
                raise wanted.over()
        try:
            yield is_late
        finally:
            self._lock.release()


class _Line:
    """The lock of an event loop, and the number of tasks that hold it or wait for it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.length = 0


class TaskTurns:
    """The sign-in locks of tasks, one for each event loop."""

    def __init__(self) -> None:
        """Creates no locks yet."""
        self._lines: dict[asyncio.AbstractEventLoop, _Line] = {}

    @asynccontextmanager
    async def turn(self, wanted: Wanted) -> AsyncIterator[bool]:
        """Holds the lock of the event loop during the block; yields whether the task had to wait for it.

        Raises:
            Cancelled: The deadline of the call passed first (`deadline_exceeded`).
        """
        loop = asyncio.get_running_loop()
        line = self._lines.setdefault(loop, _Line())
        is_late = line.length > 0
        line.length += 1
        try:
            if not await _acquired(line.lock, wanted.seconds_left()):
                raise wanted.over()
            try:
                yield is_late
            finally:
                line.lock.release()
        finally:
            line.length -= 1
            if line.length == 0:
                del self._lines[loop]


async def _acquired(lock: asyncio.Lock, seconds: float | None) -> bool:
    """Returns whether a lock was acquired in time. A cancelled task never holds the lock."""
    acquiring = asyncio.ensure_future(lock.acquire())
    try:
        await asyncio.wait((acquiring,), timeout=seconds)
    except asyncio.CancelledError:
        if not acquiring.cancel():
            lock.release()
        raise
    return not acquiring.cancel()
