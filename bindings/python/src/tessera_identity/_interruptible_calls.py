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
from ._callbacks import queues
from ._message_queue import MessageQueue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ._call_group import Kind
    from ._handles import ApplicationHandle

    Response = tuple[int, bytes]

CANCELLATION_TIMEOUT = 2.0
"""The time in seconds for a cancelled call to end. It normally takes 100 ms, on a busy machine longer."""


def run_interruptibly(work: Callable[[], Response], cancel: Callable[[], None]) -> Response:
    """Makes a call that may wait; an exception in the meantime cancels the call and is raised at its end."""
    if not runs_signal_handlers():
        return work()
    # Receives callbacks to run here, and finally a tuple with the response of the call or its exception.
    queue = MessageQueue()
    is_started = False

    def helper() -> None:
        _run_on_helper(work, queue)

    queue.writer = ref(helper)
    try:
        is_started = _start_thread(helper)
        # Now only the thread references it. If it is freed without a result, there will be none.
        del helper
        outcome = _wait_for_outcome(queue) if is_started else None
    except BaseException:
        cancel()
        if is_started:
            _wait_for_end(queue)
        raise
    if outcome is None:
        return work()
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def call_cooperatively(
    kind: Kind,
    handle: ApplicationHandle,
    request: bytes,
    prompt: Callable[[bytes], object] | None = None,
) -> Response:
    """Makes a call that may wait, without blocking the cooperative threads that share the system thread."""
    group = CallGroup()
    number, status, response = group.begin(kind, handle, request)
    try:
        while number != 0:
            _wait_until_readable(group.fileno())
            while (event := group.next()) is not None:
                _, is_prompt, status, response = event
                if not is_prompt:
                    number = 0
                elif prompt is not None:
                    prompt(response)
    finally:
        if number != 0:
            group.cancel(number)
    return status, response


def _wait_until_readable(descriptor: int) -> None:
    import select

    # These are the replaced functions, which let other cooperative threads run. Some libraries lack one.
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        poll.poll()
    else:
        select.select([descriptor], [], [])


def uses_cooperative_threads() -> bool:
    """Returns whether Python's threads were replaced with cooperative ones that share a system thread."""
    return not isinstance(_thread.start_new_thread, BuiltinFunctionType)


def runs_signal_handlers() -> bool:
    """Returns whether signal handlers run on this thread: the main thread, unless threads are cooperative."""
    if uses_cooperative_threads():
        return False
    # A program that has not imported threading has only the main thread.
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


def _start_thread(function: Callable[[], None]) -> bool:
    try:
        _thread.start_new_thread(function, ())
    except RuntimeError:  # The thread limit is reached, or the interpreter is shutting down.
        return False
    return True


def _run_on_helper(work: Callable[[], Response], queue: MessageQueue) -> None:
    thread_id = _thread.get_ident()
    queues[thread_id] = queue
    outcome: Response | BaseException
    try:
        outcome = work()
    except BaseException as error:  # raised again by the calling thread
        outcome = error
    finally:
        del queues[thread_id]
    queue.put((outcome,))


def _wait_for_outcome(queue: MessageQueue) -> Response | BaseException:
    while True:
        message = queue.get()
        if isinstance(message, tuple):
            outcome: Response | BaseException = message[0]
            return outcome
        message()


def _wait_for_end(queue: MessageQueue) -> None:
    try:
        while not isinstance(queue.get(CANCELLATION_TIMEOUT), tuple):
            pass
    except TimeoutError:
        pass
