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

    from ._message_queue import Mailbox

raised: dict[int, BaseException] = {}
"""Pending exceptions of callbacks, by the thread whose call will raise them. Usually empty."""

mailboxes: dict[int, Mailbox] = {}
"""The mailbox of each helper thread, through which it passes callbacks to its caller."""

# A forked child has one thread. Threads that it starts later may get the identifiers of the parent's threads.
register_at_fork(after_in_child=raised.clear)
register_at_fork(after_in_child=mailboxes.clear)


def hand_over(function: Callable[[], object]) -> None:
    """Runs a function of the application on the thread that made the call, now or as soon as possible."""
    mailbox = mailboxes.get(get_ident())
    if mailbox is None:
        function()
    else:
        mailbox.put(function)


def keep(error: BaseException) -> None:
    """Keeps an exception for `raise_kept`; only the first one of a call is kept.

    On a thread of the library, which has no Python caller, the exception is passed to `sys.unraisablehook`.
    """
    if sys._getframe(1).f_back is not None:
        raised.setdefault(get_ident(), error)
        return

    def lose() -> None:
        raise error

    # ctypes passes an exception of a callback to sys.unraisablehook.
    CFUNCTYPE(None)(lose)()


def raise_kept() -> None:
    """Raises the exception of a callback of the call that has just returned on this thread, if there is one."""
    error = raised.pop(get_ident(), None)
    if error is not None:
        raise error


def log_callback(log: Callable[[int, str], object]) -> Any:  # noqa: ANN401 - ctypes has no name for it
    """Returns the C function that passes log messages to `log`. The caller must keep a reference to it."""

    def line(_context: int | None, level: int, message: bytes) -> None:
        text = message.decode("utf-8", "replace")
        try:
            hand_over(lambda: log(level, text))
        except BaseException as error:
            keep(error)

    return LogCallback(line)
