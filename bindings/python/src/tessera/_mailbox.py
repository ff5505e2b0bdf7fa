# SPDX-License-Identifier: MIT
"""A mailbox from one thread to another, whose reader hears signals while it waits."""

from __future__ import annotations

from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

ATTENTION = 0.5
"""Seconds between looks for a signal that the system delivered to another thread than the reader's."""


class Mailbox:
    """Messages from exactly one writer to exactly one reader.

    It does what queue.SimpleQueue does, without the millisecond that the modules queue and threading would
    add to the first token of a program.
    """

    __slots__ = ("_bell", "_messages", "writer")

    def __init__(self) -> None:
        """Make an empty mailbox."""
        self.writer: Callable[[], object] = object
        """Returns None when nobody is left who would write."""
        self._messages: list[Any] = []
        # Locked means empty. Signals interrupt waiting for a lock (PEP 475 and lock.acquire).
        self._bell = allocate_lock()
        self._bell.acquire()

    def put(self, message: object) -> None:
        """Add a message. There is one writer, so nobody else rings between the look and the ring."""
        self._messages.append(message)
        if self._bell.locked():
            self._bell.release()

    def get(self, timeout: float | None = None) -> Any:  # noqa: ANN401 - any value
        """Take the oldest message; wait for one, for ever or for some seconds.

        Raises:
            TimeoutError: There was none in that time.
            MemoryError: There will be none: the thread that writes had no memory to run in.
        """
        while not self._messages:
            is_over = self.writer() is None
            if is_over and not self._messages:
                raise MemoryError("The thread of a call had no memory.")
            rang = self._bell.acquire(timeout=ATTENTION if timeout is None else timeout)
            if not rang and timeout is not None:
                raise TimeoutError
        return self._messages.pop(0)
