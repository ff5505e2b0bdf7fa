# SPDX-License-Identifier: MIT
"""Blocking calls that can be interrupted with Ctrl-C.

Python runs signal handlers on the main thread, and only between its own instructions. A long call into C would
therefore delay Ctrl-C. A call from the main thread that may wait is made on a helper thread, while the main thread
runs callbacks from the helper and handles signals at once. The helper thread ends with the call. Other threads
never run signal handlers, so they make the call directly.

Libraries such as gevent replace Python's threads with cooperative ones that share one system thread. Then a thread
of the library makes the call, and only the calling cooperative thread waits.
"""

from __future__ import annotations

import _thread
import sys
from _weakref import ref
from types import BuiltinFunctionType

from ._call_group import CallGroup
from ._callbacks import mailboxes
from ._message_queue import Mailbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ._call_group import Kind
    from ._handles import ApplicationHandle

    Answer = tuple[int, bytes]

PATIENCE = 2.0
"""The time in seconds for a cancelled call to end. It normally takes 100 ms, on a busy machine longer."""


def interruptibly(work: Callable[[], Answer], cancel: Callable[[], None]) -> Answer:
    """Makes a call that may wait; an exception in the meantime cancels the call and is raised at its end."""
    if not _hears_signals():
        return work()
    # Receives callbacks to run here, and finally a tuple with the response of the call or its exception.
    mailbox = Mailbox()
    helped = False

    def helper() -> None:
        _help(work, mailbox)

    mailbox.writer = ref(helper)
    try:
        helped = _start(helper)
        # Now only the thread references it. If it is freed without a result, there will be none.
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
    """Makes a call that may wait, without blocking the cooperative threads that share the system thread."""
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

    # These are the replaced functions, which let other cooperative threads run. Some libraries lack one.
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        poll.poll()
    else:
        select.select([descriptor], [], [])


def shares_a_thread() -> bool:
    """Returns whether Python's threads were replaced with cooperative ones that share a system thread."""
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
    except RuntimeError:  # The thread limit is reached, or the interpreter is shutting down.
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
