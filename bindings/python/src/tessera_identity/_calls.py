# SPDX-License-Identifier: MIT
"""Calls of the library: their results, exceptions, callbacks and cancellation, and the objects that they use.

A callback of the library calls a function of the application. ctypes prints and drops an exception of a callback.
This module keeps it until the call of the library returns, and then raises it from that call, so that neither an
error nor a Ctrl-C is lost.

The owner of an object of the library frees it when the owner is no longer referenced. A running call holds a
reference to the owner. Reference counting therefore guarantees, without a lock, that an object is not freed during
a call, even if another thread closes it.

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
from _thread import get_ident
from _weakref import ref
from ctypes import CFUNCTYPE, addressof, byref, c_char_p, c_int64, c_void_p, memmove, sizeof
from os import getpid, register_at_fork
from types import BuiltinFunctionType

from ._errors import InternalError, error_for
from ._json_text import decoded, encoded
from ._native import (
    Event,
    Host,
    LogCallback,
    ObserveCallback,
    PromptCallback,
    StoreKeyCallback,
    library,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from logging import Logger, LoggerAdapter
    from typing import Any, Literal, TypeVar, Union

    from ._values import Observe, Value

    Log = Union[Callable[[int, str], object], Logger, LoggerAdapter[Logger]]
    ValueType = TypeVar("ValueType", bound=Value)
    # The function of the C interface, without the common prefix.
    Kind = Literal[
        "acquire_token_silent", "acquire_token_by_device_code", "acquire_token_interactive",
        "begin_sign_in", "complete_sign_in", "acquire_token_for_client",
    ]  # fmt: skip
    # The number of the call, whether the event is a prompt, the status and the document.
    CallEvent = tuple[int, bool, int, bytes]
    Response = tuple[int, bytes]
    Prompt = TypeVar("Prompt", bound=Value)

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


def observe_callback(observe: Observe | None) -> Any:  # noqa: ANN401 - a ctypes callback or None
    """Returns the C function that passes changes of metrics to `observe`; None for None.

    Raises:
        TypeError: `observe` is not a function.
    """
    if observe is None:
        return None
    if not callable(observe):
        raise TypeError("observe must be a function of a name, a value and a dictionary of tags")
    pass_on = observe

    def write(_context: int | None, name: bytes, value: int, tags: bytes) -> None:
        text, named = name.decode(), decoded(tags)
        try:
            run_on_caller(lambda: pass_on(text, value, named))
        except BaseException as error:
            store_exception(error)

    return ObserveCallback(write)


def key_callback(key: bytes | bytearray | Callable[[], bytes] | None) -> Any:  # noqa: ANN401 - a ctypes callback
    """Returns the C function that obtains the key from the application's function; None for other keys.

    It runs on the thread of the library's call, possibly a helper thread, because the library waits for the key.

    Raises:
        TypeError: The key is neither bytes nor a function.
    """
    if key is None or isinstance(key, (bytes, bytearray)):
        return None
    if not callable(key):
        raise TypeError(f"store_key must be bytes or a function, not {type(key).__name__}")
    function = key

    def write_key(_context: int | None, target: int, size: int) -> int:
        try:
            value = function()
            if not isinstance(value, (bytes, bytearray)):
                raise TypeError(f"store_key must return bytes, not {type(value).__name__}")
            if len(value) != size:
                raise ValueError(f"store_key must return {size} bytes, not {len(value)}")
            memmove(target, bytes(value), size)
        except BaseException as error:
            store_exception(error)
            return 1
        return 0

    return StoreKeyCallback(write_key)


def call(function: Any, *arguments: Any) -> tuple[int, bytes]:  # noqa: ANN401 - the arguments of the C function
    """Calls a function that writes a response; returns its status and a copy of the response.

    Raises:
        MemoryError: The function wrote no response, which means that memory is exhausted.
        BaseException: The exception of a callback during the call.
    """
    buffer = c_char_p()
    try:
        status: int = function(*arguments, byref(buffer))
        response = buffer.value
    finally:
        library().tessera_string_free(buffer)
    if pending:
        raise_pending()
    if response is None:
        raise MemoryError("The Tessera library ran out of memory.")
    return status, response


def parse_response(status: int, response: bytes) -> dict[str, Any]:
    """Returns the JSON object of a response; raises the TesseraError of its status.

    A token with declined scopes is a result, although its status requires a sign-in.
    """
    try:
        document = decoded(response)
    except ValueError as error:
        raise _unexpected(f"The response of the library cannot be parsed: {error}.") from None
    if status != 0 and ("error" in document or "declined_scopes" not in document):
        raise error_for(status, document)
    return document


def call_json(function: Any, *arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - as for `call`
    """Calls a function and parses its response."""
    return parse_response(*call(function, *arguments))


def create_value(kind: type[ValueType], document: Mapping[str, Any]) -> ValueType:
    """Creates a value of a class from its JSON object."""
    try:
        return kind(document)
    except (KeyError, TypeError) as error:
        raise _unexpected(f"The response of the library is not a valid {kind.__name__}: {error}.") from None


def _unexpected(message: str) -> InternalError:
    return InternalError(message, {"code": "internal_error"})


def _native_tools() -> tuple[Any, Any, Any]:
    """Returns `partial`, `methodcaller`, and a function that makes a method of a callable, in C if possible.

    Importing functools would more than double the import time, and operator would add half a millisecond.
    """
    try:
        from _functools import (  # type: ignore[import-not-found]
            _lru_cache_wrapper,
            partial,
        )
        from _operator import methodcaller
    except ImportError:  # Another Python implementation.
        from functools import lru_cache, partial
        from operator import methodcaller

        return partial, methodcaller, lru_cache(maxsize=0)
    size, is_typed = 0, False
    return partial, methodcaller, lambda function: _lru_cache_wrapper(function, size, is_typed, tuple)


partial, methodcaller, method_of = _native_tools()


class Handle(c_void_p):
    """A pointer to an object of the library, which is freed with the handle."""

    def __init__(self, free: Callable[[c_void_p], None]) -> None:
        """Creates a handle without an object.

        Args:
            free: The function of the library that frees the object. It accepts NULL.
        """
        super().__init__()
        # The argument shares the memory of this handle, but does not keep the handle alive.
        self._free = partial(free, c_void_p.from_address(addressof(self)))

    # Python runs signal handlers only when it starts or continues a function that is written in Python. A Ctrl-C
    # in such a `__del__` would be printed and lost, and the object would not be freed. These objects are written
    # in C: the wrapper of `lru_cache` binds the handle like a method, and `methodcaller` calls its `_free`.
    __del__ = method_of(methodcaller("_free"))


class ApplicationHandle(Handle):
    """A tessera_application with its callbacks."""

    def __init__(
        self,
        configuration: bytes,
        log: Any,  # noqa: ANN401 - a ctypes callback or None
        store_key: Any,  # noqa: ANN401 - the same
        observe: Any = None,  # noqa: ANN401 - the same
    ) -> None:
        """Creates the application; raises a TesseraError if the configuration is invalid."""
        native = library()
        super().__init__(native.tessera_application_free)
        self._host = Host(
            sizeof(Host), None, log or LogCallback(), store_key or StoreKeyCallback(),
            observe=observe or ObserveCallback(),
        )  # fmt: skip
        host = byref(self._host) if log or store_key or observe else None
        call_json(native.tessera_application_create, configuration, host, byref(self))


class CancellationHandle(Handle):
    """A tessera_cancellation."""

    def __init__(self) -> None:
        """Creates a cancellation."""
        native = library()
        super().__init__(native.tessera_cancellation_free)
        self.value = native.tessera_cancellation_create()
        if not self:
            raise MemoryError("The Tessera library ran out of memory.")


class CallsHandle(Handle):
    """A tessera_call_group. Freeing it cancels its calls."""

    def __init__(self) -> None:
        """Creates a group of calls; raises a TesseraError if no file descriptor is free."""
        native = library()
        super().__init__(native.tessera_call_group_free)
        call_json(native.tessera_call_group_create, byref(self))


class Cancellation:
    """Cancels all calls to which it was passed, including later ones.

    A cancelled call raises `CancelledError` with the code `cancelled` within 100 ms. A token response that has
    begun is still received and stored, for at most five seconds. A call that ends with KeyboardInterrupt or with
    an exception of its prompt cancels its cancellation.
    """

    __slots__ = ("__weakref__", "_handle")

    def __init__(self) -> None:
        """Creates a cancellation that is not cancelled."""
        self._handle = CancellationHandle()

    def cancel(self) -> None:
        """Cancels the calls. Safe on any thread, in signal handlers, and if called repeatedly."""
        library().tessera_cancellation_cancel(self._handle)


PROMPT = 2
"""TESSERA_EVENT_PROMPT of the header."""


class CallGroup:
    """The calls in progress of this process, and a file descriptor that is readable while events are pending."""

    __slots__ = ("__weakref__", "_handle", "process")

    def __init__(self) -> None:
        """Creates a group; raises RetryLaterError (`too_many_open_files`)."""
        self._handle = CallsHandle()
        self.process = getpid()

    def fileno(self) -> int:
        """Returns the file descriptor."""
        return int(library().tessera_call_group_descriptor(self._handle))

    def begin(
        self, kind: Kind, application: ApplicationHandle, request: bytes
    ) -> tuple[int, int, bytes]:
        """Begins a call; returns its number, or 0 with the status and the document if it has already finished."""
        number = c_int64()
        function = getattr(library(), f"tessera_call_group_{kind}")
        status, response = call(function, self._handle, application, request, None, byref(number))
        return number.value, status, response

    def next(self) -> CallEvent | None:
        """Returns the oldest event; None if there is none."""
        event = Event(sizeof(Event))
        buffer = c_char_p.from_buffer(event, Event.response.offset)
        library().tessera_call_group_next_event(self._handle, 0, byref(event))
        response = buffer.value
        library().tessera_string_free(buffer)
        if event.call == 0:
            return None
        if response is None:
            raise MemoryError("The Tessera library ran out of memory.")
        return event.call, event.kind == PROMPT, event.status, response

    def cancel(self, number: int) -> None:
        """Cancels a call."""
        library().tessera_call_group_cancel(self._handle, number)


SIGNAL_CHECK_INTERVAL = 0.5
"""Seconds between checks for a signal that the system delivered to another thread than the reader's."""


class MessageQueue:
    """A queue with exactly one writer and one reader.

    It works like queue.SimpleQueue, without the modules queue and threading, which would add a millisecond to the
    first token of a program.
    """

    __slots__ = ("_empty_lock", "_messages", "writer")

    def __init__(self) -> None:
        """Creates an empty queue."""
        self.writer: Callable[[], object] = object
        """Returns None when the writer no longer exists."""
        self._messages: list[Any] = []
        # Locked while there is no new message. Signals interrupt waiting for a lock (PEP 475, lock.acquire).
        self._empty_lock = _thread.allocate_lock()
        self._empty_lock.acquire()

    def put(self, message: object) -> None:
        """Adds a message. There is only one writer, so no other thread releases the lock after the check."""
        self._messages.append(message)
        if self._empty_lock.locked():
            self._empty_lock.release()

    def get(self, timeout: float | None = None) -> Any:  # noqa: ANN401 - any message
        """Removes the oldest message, blocking without a limit or for some seconds.

        Raises:
            TimeoutError: No message arrived in time.
            MemoryError: No message will arrive: the writing thread ran out of memory.
        """
        while not self._messages:
            has_ended = self.writer() is None
            if has_ended and not self._messages:
                raise MemoryError("The helper thread of the call ran out of memory.")
            seconds = SIGNAL_CHECK_INTERVAL if timeout is None else timeout
            is_acquired = self._empty_lock.acquire(timeout=seconds)
            if not is_acquired and timeout is not None:
                raise TimeoutError
        return self._messages.pop(0)


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


def call_cancellable(
    function: Callable[..., int],
    *arguments: Any,  # noqa: ANN401 - the arguments of the C function before its cancellation
    cancellation: Cancellation | None,
) -> Response:
    """Makes a blocking call without a non-blocking form; its last argument is the cancellation."""
    stop = cancellation or Cancellation()
    return run_interruptibly(lambda: call(function, *arguments, stop._handle), stop.cancel)


def call_blocking(
    kind: Kind, handle: ApplicationHandle, request: bytes, *, cancellation: Cancellation | None
) -> Response:
    """Makes a call and waits for its response, without blocking other cooperative threads."""
    if cancellation is None and uses_cooperative_threads():
        return call_cooperatively(kind, handle, request)
    function = getattr(library(), f"tessera_application_{kind}")
    return call_cancellable(function, handle, request, cancellation=cancellation)


def call_with_prompt(
    kind: Kind,
    handle: ApplicationHandle,
    request: Mapping[str, Any],
    *,
    prompt_type: type[Prompt],
    prompt: Callable[[Prompt], object] | None,
    cancellation: Cancellation | None,
) -> Response:
    """Makes a call with a prompt. An exception of the prompt cancels the call, which raises it."""
    if cancellation is None and uses_cooperative_threads():
        return call_cooperatively(
            kind, handle, nonblocking_request(request, prompt), prompt_handler(prompt_type, prompt)
        )
    stop = cancellation or Cancellation()

    def show(_context: int | None, text: bytes) -> None:
        try:
            value = create_value(prompt_type, decoded(text))
            run_on_caller(lambda: None if prompt is None else prompt(value))
        except BaseException as error:
            store_exception(error)
            stop.cancel()

    callback = PromptCallback() if prompt is None else PromptCallback(show)
    function = getattr(library(), f"tessera_application_{kind}")
    return call_cancellable(function, handle, encoded(request), callback, None, cancellation=stop)


def prompt_handler(
    prompt_type: type[Prompt], prompt: Callable[[Prompt], object] | None
) -> Callable[[bytes], object]:
    """Returns a function that parses a prompt document and passes it to the prompt, if there is one."""
    return lambda text: None if prompt is None else prompt(create_value(prompt_type, decoded(text)))


def nonblocking_request(request: Mapping[str, Any], prompt: object) -> bytes:
    """Returns the request of a non-blocking call, which receives the URL of the page even without a prompt."""
    return encoded({**request, "shows_address": None if prompt is not None else False})
