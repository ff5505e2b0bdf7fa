# SPDX-License-Identifier: MIT
"""Waiting so that Ctrl-C is heard.

Python runs signal handlers in the main thread and only between its own instructions, so a long call into C
would hold back Ctrl-C until it ends. A call that may wait is therefore made on a helper thread when the main
thread asks for it; the main thread runs the callbacks that the helper hands over, and hears signals at once.
The helper lives as long as the call. On other threads, which never run signal handlers, nothing of this
happens: the call is made where it is.

Where a library such as gevent has replaced Python's threads by its own, which share one of the system's, a call
is made by the Tessera library's threads, and only the one that asks waits for it.
"""

from __future__ import annotations

import _thread
import sys
from _weakref import ref
from types import BuiltinFunctionType

from ._call_group import CallGroup
from ._callbacks import mailboxes
from ._mailbox import Mailbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ._call_group import Kind
    from ._handles import ApplicationHandle

    Answer = tuple[int, bytes]

PATIENCE = 2.0
"""Seconds for a cancelled call to end. The library promises 100 ms; a busy machine may take longer."""


def interruptibly(work: Callable[[], Answer], cancel: Callable[[], None]) -> Answer:
    """Make a call that may wait; an exception in the meantime cancels it and is raised when it has ended."""
    if not _hears_signals():
        return work()
    # Callbacks to run here, and finally a tuple with the result of the call, or its exception.
    mailbox = Mailbox()
    helped = False

    def helper() -> None:
        _help(work, mailbox)

    mailbox.writer = ref(helper)
    try:
        helped = _start(helper)
        # From here on, only the thread holds the reference: if it is deleted without a result, there will be
        # none.
        del helper
        outcome = _attend(mailbox) if helped else None
    except BaseException:
        cancel()
        if helped:
            _attend_end(mailbox)
        raise
    if outcome is None:
        return work()
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def cooperatively(
    kind: Kind,
    handle: ApplicationHandle,
    request: bytes,
    prompt: Callable[[bytes], object] | None = None,
) -> Answer:
    """Make a call that may wait, without stopping the threads that share this one of the system's."""
    group = CallGroup()
    number, status, answer = group.begin(kind, handle, request)
    try:
        while number != 0:
            _wait_until_readable(group.fileno())
            while (news := group.next()) is not None:
                _, is_prompt, status, answer = news
                if not is_prompt:
                    number = 0
                elif prompt is not None:
                    prompt(answer)
    finally:
        if number != 0:
            group.cancel(number)
    return status, answer


def _wait_until_readable(descriptor: int) -> None:
    import select

    # gevent replaces these functions so that other greenlets run; not every such library has both.
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        poll.poll()
    else:
        select.select([descriptor], [], [])


def shares_a_thread() -> bool:
    """Whether Python's threads were replaced by some that share one of the system's."""
    return not isinstance(_thread.start_new_thread, BuiltinFunctionType)


def _hears_signals() -> bool:
    if shares_a_thread():
        return False
    # A program that has not imported threading has only the main thread.
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


def _start(function: Callable[[], None]) -> bool:
    try:
        _thread.start_new_thread(function, ())
    except RuntimeError:  # No more threads here, or the interpreter is about to exit.
        return False
    return True


def _help(work: Callable[[], Answer], mailbox: Mailbox) -> None:
    own = _thread.get_ident()
    mailboxes[own] = mailbox
    outcome: Answer | BaseException
    try:
        outcome = work()
    except BaseException as error:  # raised again by the calling thread
        outcome = error
    finally:
        del mailboxes[own]
    mailbox.put((outcome,))


def _attend(mailbox: Mailbox) -> Answer | BaseException:
    while True:
        message = mailbox.get()
        if isinstance(message, tuple):
            outcome: Answer | BaseException = message[0]
            return outcome
        message()


def _attend_end(mailbox: Mailbox) -> None:
    try:
        while not isinstance(mailbox.get(PATIENCE), tuple):
            pass
    except TimeoutError:
        pass
