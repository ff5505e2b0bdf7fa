# SPDX-License-Identifier: MIT
"""The calls of one asyncio event loop: one file descriptor for all of them, without Python threads."""

from __future__ import annotations

import asyncio
import inspect
from os import getpid
from weakref import WeakKeyDictionary, ref

from ._calls import CallGroup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ._calls import ApplicationHandle, Kind

    Response = tuple[int, bytes]
    Prompt = Callable[[bytes], object]


class LoopCalls:
    """The calls for which one event loop waits.

    A reference to pending calls keeps the event loop alive. Only the loop itself may therefore hold one, which it
    does while it watches the descriptor. An abandoned loop is then freed together with its pending calls.
    """

    def __init__(self) -> None:
        """Creates an empty set of calls."""
        self._group = CallGroup()
        self._pending: dict[int, tuple[asyncio.Future[Response], Prompt | None]] = {}
        self._prompt_tasks: set[asyncio.Future[object]] = set()

    @property
    def belongs_to_process(self) -> bool:
        """Whether the calls belong to this process; a forked child creates its own."""
        return self._group.process == getpid()

    def retain(self, loop: asyncio.AbstractEventLoop) -> None:
        """Keeps this object for the next call, as long as the loop exists."""
        _loops[loop] = lambda: self

    async def call(
        self, kind: Kind, handle: ApplicationHandle, request: bytes, prompt: Prompt | None = None
    ) -> Response:
        """Makes a call and returns its response; cancelling the task cancels the call."""
        number, status, document = self._group.begin(kind, handle, request)
        if number == 0:
            return status, document
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Response] = loop.create_future()
        if not self._pending:
            loop.add_reader(self._group.fileno(), self._read_events)
            _loops[loop] = ref(self)
        self._pending[number] = (future, prompt)
        try:
            return await future
        finally:
            if number in self._pending:
                self._group.cancel(number)
                self._remove(number)

    def _read_events(self) -> None:
        while (event := self._group.next()) is not None:
            self._deliver(*event)

    def _deliver(self, number: int, is_prompt: bool, status: int, document: bytes) -> None:  # noqa: FBT001
        future, prompt = self._pending.get(number, (None, None))
        if future is None:
            return
        if not is_prompt:
            self._remove(number)
            if not future.done():
                future.set_result((status, document))
        elif prompt is not None and not future.done():
            self._run_prompt(future, prompt, document)

    def _run_prompt(
        self, future: asyncio.Future[Response], prompt: Prompt, document: bytes
    ) -> None:
        try:
            result = prompt(document)
        except (Exception, asyncio.CancelledError) as error:
            _fail(future, error)
            return
        if not inspect.isawaitable(result):
            return
        task = asyncio.ensure_future(result)
        self._prompt_tasks.add(task)

        def end(task: asyncio.Future[object]) -> None:
            self._prompt_tasks.discard(task)
            error = asyncio.CancelledError() if task.cancelled() else task.exception()
            if error is not None:
                _fail(future, error)

        task.add_done_callback(end)

    def _remove(self, number: int) -> None:
        future, _ = self._pending.pop(number)
        if not self._pending:
            loop = future.get_loop()
            self.retain(loop)
            loop.remove_reader(self._group.fileno())


def _fail(future: asyncio.Future[Response], error: BaseException) -> None:
    """Ends a call with the exception of its prompt, unless it has already ended."""
    if future.done():
        return
    if isinstance(error, asyncio.CancelledError):
        future.cancel()
    else:
        future.set_exception(error)


_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, Callable[[], LoopCalls | None]] = WeakKeyDictionary()
"""The calls of each loop: referenced here while none is pending, and by the loop otherwise."""


def running_loop_calls() -> LoopCalls:
    """Returns the calls of the running event loop."""
    loop = asyncio.get_running_loop()
    calls = _loops[loop]() if loop in _loops else None
    if calls is None or not calls.belongs_to_process:
        calls = LoopCalls()
        calls.retain(loop)
    return calls


async def call_async(
    kind: Kind,
    handle: ApplicationHandle,
    request: bytes,
    prompt: Prompt | None = None,
) -> Response:
    """Makes a call without blocking the event loop; cancelling the task cancels the call."""
    return await running_loop_calls().call(kind, handle, request, prompt)
