# SPDX-License-Identifier: MIT
"""A queue between two threads. The reader handles signals while it waits."""

from __future__ import annotations

from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SIGNAL_CHECK_INTERVAL = 0.5
"""Seconds between checks for a signal that the system delivered to another thread than the reader's."""


class MessageQueue:
    """A queue with exactly one writer and one reader.

    It works like queue.SimpleQueue, without the modules queue and threading, which would add a millisecond to the
    first token of a program.
    """

    __slots__ = ("_empty_lock", "_messages", "writer")

    def __init__(self) -> None:
        """Creates an empty queue."""
        self.writer: Callable[[], object] = object
        """Returns None when the writer no longer exists."""
        self._messages: list[Any] = []
        # Locked while there is no new message. Signals interrupt waiting for a lock (PEP 475, lock.acquire).
        self._empty_lock = allocate_lock()
        self._empty_lock.acquire()

    def put(self, message: object) -> None:
        """Adds a message. There is only one writer, so no other thread releases the lock after the check."""
        self._messages.append(message)
        if self._empty_lock.locked():
            self._empty_lock.release()

    def get(self, timeout: float | None = None) -> Any:  # noqa: ANN401 - any message
        """Removes the oldest message, blocking without a limit or for some seconds.

        Raises:
            TimeoutError: No message arrived in time.
            MemoryError: No message will arrive: the writing thread ran out of memory.
        """
        while not self._messages:
            has_ended = self.writer() is None
            if has_ended and not self._messages:
                raise MemoryError("The helper thread of the call ran out of memory.")
            seconds = SIGNAL_CHECK_INTERVAL if timeout is None else timeout
            is_acquired = self._empty_lock.acquire(timeout=seconds)
            if not is_acquired and timeout is not None:
                raise TimeoutError
        return self._messages.pop(0)
