# SPDX-License-Identifier: MIT
"""One sign-in at a time, however many threads or tasks need one: whose turn it is, and who waits for it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from ._asking import Wanted


class ThreadTurns:
    """The turns of threads."""

    def __init__(self) -> None:
        """Nobody has it."""
        self._lock = Lock()

    @contextmanager
    def turn(self, wanted: Wanted) -> Iterator[bool]:
        """The turn while the block lasts, and whether it had to be waited for.

        Raises:
            Cancelled: The call was over before (`deadline_exceeded`).
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
    """The tasks of a loop that wait, and the one that does not."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.length = 0


class TaskTurns:
    """The turns of tasks, in each event loop for itself."""

    def __init__(self) -> None:
        """Nobody has it."""
        self._lines: dict[asyncio.AbstractEventLoop, _Line] = {}

    @asynccontextmanager
    async def turn(self, wanted: Wanted) -> AsyncIterator[bool]:
        """The turn while the block lasts, and whether it had to be waited for; as for threads."""
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
    """Whether a lock was to be had in time. Who is cancelled does not have it, even if it came at that moment."""
    acquiring = asyncio.ensure_future(lock.acquire())
    try:
        await asyncio.wait((acquiring,), timeout=seconds)
    except asyncio.CancelledError:
        if not acquiring.cancel():
            lock.release()
        raise
    return not acquiring.cancel()
