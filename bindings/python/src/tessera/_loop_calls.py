# SPDX-License-Identifier: MIT
"""Calls of one event loop of asyncio: one descriptor for all of them, and no thread of Python's."""

from __future__ import annotations

import asyncio
import inspect
from os import getpid
from weakref import WeakKeyDictionary

from ._call_group import CallGroup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ._call_group import Kind
    from ._handles import ApplicationHandle

    Answer = tuple[int, bytes]
    Prompt = Callable[[bytes], object]


class LoopCalls:
    """The calls that one event loop waits for."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wait for nothing yet."""
        self._group = CallGroup()
        # The loop keeps this object as long as it watches the descriptor; the other way round would be a circle.
        self._watch = loop.add_reader
        self._unwatch = loop.remove_reader
        self._waiting: dict[int, tuple[asyncio.Future[Answer], Prompt | None]] = {}
        self._shown: set[asyncio.Future[object]] = set()

    @property
    def is_ours(self) -> bool:
        """Whether the calls are of this process; a child of a fork makes its own."""
        return self._group.process == getpid()

    async def answer(
        self, kind: Kind, handle: ApplicationHandle, request: bytes, prompt: Prompt | None = None
    ) -> Answer:
        """Make a call; cancelling the task cancels it."""
        number, status, document = self._group.begin(kind, handle, request)
        if number == 0:
            return status, document
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        if not self._waiting:
            self._watch(self._group.fileno(), self._hear)
        self._waiting[number] = (future, prompt)
        try:
            return await future
        finally:
            if number in self._waiting:
                self._forget(number)
                self._group.cancel(number)

    def _hear(self) -> None:
        while (news := self._group.next()) is not None:
            self._deliver(*news)

    def _deliver(self, number: int, is_prompt: bool, status: int, document: bytes) -> None:  # noqa: FBT001
        future, prompt = self._waiting.get(number, (None, None))
        if future is None:
            return
        if not is_prompt:
            self._forget(number)
            if not future.done():
                future.set_result((status, document))
        elif prompt is not None:
            self._show(future, prompt, document)

    def _show(self, future: asyncio.Future[Answer], prompt: Prompt, document: bytes) -> None:
        try:
            shown = prompt(document)
        except Exception as error:
            future.set_exception(error)
            return
        if not inspect.isawaitable(shown):
            return
        task = asyncio.ensure_future(shown)
        self._shown.add(task)

        def end(task: asyncio.Future[object]) -> None:
            self._shown.discard(task)
            if not task.cancelled() and (error := task.exception()) and not future.done():
                future.set_exception(error)

        task.add_done_callback(end)

    def _forget(self, number: int) -> None:
        del self._waiting[number]
        if not self._waiting:
            self._unwatch(self._group.fileno())


_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopCalls] = WeakKeyDictionary()


def calls_of_this_loop() -> LoopCalls:
    """The calls of the loop that runs."""
    loop = asyncio.get_running_loop()
    known = _loops.get(loop)
    if known is None or not known.is_ours:
        known = _loops[loop] = LoopCalls(loop)
    return known
