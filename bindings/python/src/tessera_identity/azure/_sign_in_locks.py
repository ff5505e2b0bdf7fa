# SPDX-License-Identifier: MIT
"""Locks that allow one sign-in of a credential at a time, for threads and for tasks."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from ._credential_base import TokenRequest


class ThreadSignInLock:
    """The sign-in lock of threads."""

    def __init__(self) -> None:
        """Creates an unlocked lock."""
        self._lock = Lock()

    @contextmanager
    def hold(self, request: TokenRequest) -> Iterator[bool]:
        """Holds the lock during the block; yields whether the caller had to wait for it.

        Raises:
            Cancelled: The deadline of the call passed first (`deadline_exceeded`).
        """
        has_waited = not self._lock.acquire(blocking=False)
        if has_waited:
            left = request.seconds_left()
            if not self._lock.acquire(timeout=-1 if left is None else left):
                raise request.timeout_error()
        try:
            yield has_waited
        finally:
            self._lock.release()


class _LoopLock:
    """The lock of an event loop, and the number of tasks that hold it or wait for it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class TaskSignInLock:
    """The sign-in locks of tasks, one for each event loop."""

    def __init__(self) -> None:
        """Creates no locks yet."""
        self._locks: dict[asyncio.AbstractEventLoop, _LoopLock] = {}

    @asynccontextmanager
    async def hold(self, request: TokenRequest) -> AsyncIterator[bool]:
        """Holds the lock of the event loop during the block; yields whether the task had to wait for it.

        Raises:
            Cancelled: The deadline of the call passed first (`deadline_exceeded`).
        """
        loop = asyncio.get_running_loop()
        entry = self._locks.setdefault(loop, _LoopLock())
        has_waited = entry.users > 0
        entry.users += 1
        try:
            if not await _acquired(entry.lock, request.seconds_left()):
                raise request.timeout_error()
            try:
                yield has_waited
            finally:
                entry.lock.release()
        finally:
            entry.users -= 1
            if entry.users == 0:
                del self._locks[loop]


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
