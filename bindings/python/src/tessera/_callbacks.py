# SPDX-License-Identifier: MIT
"""Functions of the program that the library calls: on which thread they run, and where their exceptions go.

ctypes prints an exception that a callback raises and drops it. Here it is kept until the call of the library
has ended, and then comes out of that call, so that neither a mistake nor a Ctrl-C is lost.
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

    from ._mailbox import Mailbox

raised: dict[int, BaseException] = {}
"""Exceptions of callbacks, by the thread whose call they will come out of. Empty nearly always."""

mailboxes: dict[int, Mailbox] = {}
"""For each thread that works for another one, where it hands callbacks over; see _waiting.py."""

# A child has one thread; later threads may get the identifiers of threads of the parent.
register_at_fork(after_in_child=raised.clear)
register_at_fork(after_in_child=mailboxes.clear)


def hand_over(function: Callable[[], object]) -> None:
    """Run a function of the program on the thread that made the call, at once or as soon as it can."""
    mailbox = mailboxes.get(get_ident())
    if mailbox is None:
        function()
    else:
        mailbox.put(function)


def keep(error: BaseException) -> None:
    """Keep an exception for `raise_kept`; the first one of a call counts.

    On a thread of the library's own, which has no call of Python below it, Python's hook for such cases gets it.
    """
    if sys._getframe(1).f_back is not None:
        raised.setdefault(get_ident(), error)
        return

    def lose() -> None:
        raise error

    # ctypes passes an exception of a callback to sys.unraisablehook.
    CFUNCTYPE(None)(lose)()


def raise_kept() -> None:
    """Raise what a callback of the call that just ended on this thread has raised."""
    error = raised.pop(get_ident(), None)
    if error is not None:
        raise error


def log_callback(log: Callable[[int, str], object]) -> Any:  # noqa: ANN401 - ctypes has no public type for it
    """The C function that hands lines of the log to `log`; whoever passes it on must keep it alive."""

    def line(_context: int | None, level: int, message: bytes) -> None:
        text = message.decode("utf-8", "replace")
        try:
            hand_over(lambda: log(level, text))
        except BaseException as error:
            keep(error)

    return LogCallback(line)
