# SPDX-License-Identifier: MIT
"""Waiting so that Ctrl-C is heard.

Python runs signal handlers in the main thread and only between its own instructions, so a long call into C
would hold back Ctrl-C until it ends. A call that may wait is therefore made on a helper thread when the main
thread asks for it; the main thread runs the callbacks that the helper hands over, and hears signals at once.
The helper lives as long as the call. On other threads, which never run signal handlers, nothing of this
happens: the call is made where it is.
"""

from __future__ import annotations

import _thread
from types import BuiltinFunctionType

from ._callbacks import queues

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from queue import SimpleQueue
    from typing import Any

    Answer = tuple[int, bytes]
    # A callback to run here, or what the call came to: its answer or its exception, in a tuple of one.
    Events = SimpleQueue[Any]

ATTENTION = 0.5
"""Seconds between looks for a signal that the system delivered to another thread than the main one."""

PATIENCE = 2.0
"""Seconds for a cancelled call to end. The library promises 100 ms; a busy machine may take longer."""


def interruptibly(work: Callable[[], Answer], cancel: Callable[[], None]) -> Answer:
    """Make a call that may wait; an exception in the meantime cancels it and is raised when it has ended."""
    if not _hears_signals():
        return work()
    # Imported here, because a cached token needs neither: together they take a millisecond of start.
    from queue import SimpleQueue

    events: Events = SimpleQueue()
    helped = False
    try:
        helped = _start(lambda: _help(work, events))
        outcome = _attend(events) if helped else None
    except BaseException:
        cancel()
        if helped:
            _attend_end(events)
        raise
    if outcome is None:
        return work()
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _hears_signals() -> bool:
    # A library such as gevent replaces this function to make threads that are none; a call on one of them
    # would stop all the others, so the call is made here.
    if not isinstance(_thread.start_new_thread, BuiltinFunctionType):
        return False
    import threading

    return threading.current_thread() is threading.main_thread()


def _start(function: Callable[[], None]) -> bool:
    try:
        _thread.start_new_thread(function, ())
    except RuntimeError:  # No more threads here, or the interpreter is about to end.
        return False
    return True


def _help(work: Callable[[], Answer], events: Events) -> None:
    own = _thread.get_ident()
    queues[own] = events
    outcome: Answer | BaseException
    try:
        outcome = work()
    except BaseException as error:
        outcome = error
    finally:
        del queues[own]
    events.put((outcome,))


def _attend(events: Events) -> Answer | BaseException:
    from queue import Empty

    while True:
        try:
            event = events.get(timeout=ATTENTION)
        except Empty:
            continue
        if isinstance(event, tuple):
            outcome: Answer | BaseException = event[0]
            return outcome
        event()


def _attend_end(events: Events) -> None:
    from queue import Empty

    try:
        while not isinstance(events.get(timeout=PATIENCE), tuple):
            pass
    except Empty:
        pass
