# SPDX-License-Identifier: MIT
"""Callbacks of the library to functions of the application: their threads and exceptions.

ctypes prints and drops an exception of a callback. This module keeps it until the call of the library returns, and
then raises it from that call, so that neither an error nor a Ctrl-C is lost.
"""

from __future__ import annotations

import sys
from _thread import get_ident
from ctypes import CFUNCTYPE
from os import register_at_fork

from ._native import LogCallback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._message_queue import MessageQueue

pending: dict[int, BaseException] = {}
"""Pending exceptions of callbacks, by the thread of the call that will raise them. Usually empty."""

queues: dict[int, MessageQueue] = {}
"""The queue of each helper thread, through which it passes callbacks to its caller."""

# A forked child has one thread. Threads that it starts later may get the identifiers of the parent's threads.
register_at_fork(after_in_child=pending.clear)
register_at_fork(after_in_child=queues.clear)


def run_on_caller(function: Callable[[], object]) -> None:
    """Runs a function of the application on the thread that made the call, now or as soon as possible."""
    queue = queues.get(get_ident())
    if queue is None:
        function()
    else:
        queue.put(function)


def store_exception(error: BaseException) -> None:
    """Stores an exception for `raise_pending`; only the first one of a call is stored.

    On a thread of the library, which has no Python caller, the exception is passed to `sys.unraisablehook`.
    """
    if sys._getframe(1).f_back is not None:
        pending.setdefault(get_ident(), error)
        return

    def report() -> None:
        raise error

    # ctypes passes an exception of a callback to sys.unraisablehook.
    CFUNCTYPE(None)(report)()


def raise_pending() -> None:
    """Raises the exception of a callback of the call that has just returned on this thread, if there is one."""
    error = pending.pop(get_ident(), None)
    if error is not None:
        raise error


def log_callback(log: Callable[[int, str], object]) -> Any:  # noqa: ANN401 - ctypes has no name for it
    """Returns the C function that passes log messages to `log`. The caller must keep a reference to it."""

    def write(_context: int | None, level: int, message: bytes) -> None:
        text = message.decode("utf-8", "replace")
        try:
            run_on_caller(lambda: log(level, text))
        except BaseException as error:
            store_exception(error)

    return LogCallback(write)
