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
    from logging import Logger, LoggerAdapter
    from typing import Any, Union

    from ._interruptible_calls import MessageQueue

    Log = Union[Callable[[int, str], object], Logger, LoggerAdapter[Logger]]

pending: dict[int, BaseException] = {}
"""Pending exceptions of callbacks, by the thread of the call that will raise them. Usually empty."""

LOGGER = "tessera_identity"
"""The name of the default logger."""

MOST_DETAILED = 4
"""The level of the log of which all messages are passed to a logger, which then selects them itself."""

_LEVELS = {1: 40, 2: 30, 3: 20, 4: 10}
"""The level of logging (ERROR, WARNING, INFO, DEBUG) for each level of the library."""

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


def log_callback(log: Log | None) -> Any:  # noqa: ANN401 - ctypes has no name for it
    """Returns the C function that passes log messages to `log`. The caller must keep a reference to it.

    Raises:
        TypeError: `log` is neither a function nor a logger.
    """
    pass_on = _log_function(log)

    def write(_context: int | None, level: int, message: bytes) -> None:
        text = message.decode("utf-8", "replace")
        try:
            run_on_caller(lambda: pass_on(level, text))
        except BaseException as error:
            store_exception(error)

    return LogCallback(write)


def _log_function(log: Log | None) -> Callable[[int, str], object]:
    if log is None:
        return _write_to_default_logger
    if callable(log):
        return log
    if not callable(getattr(log, "log", None)):
        raise TypeError("log must be a function of a level and a message, or a logging.Logger")
    return lambda level, message: log.log(_LEVELS.get(level, _LEVELS[MOST_DETAILED]), message)


def _write_to_default_logger(level: int, message: str) -> None:
    # Importing logging takes milliseconds. A program that has not imported it has not configured it either.
    if "logging" not in sys.modules:
        return
    import logging

    logger = logging.getLogger(LOGGER)
    if not logger.handlers:
        # Without it, logging would write warnings to standard error if the program has not configured a handler.
        logger.addHandler(logging.NullHandler())
    logger.log(_LEVELS.get(level, _LEVELS[MOST_DETAILED]), message)
