# SPDX-License-Identifier: MIT
"""Owners of the library's objects. Each frees its object when it is no longer referenced.

A running call holds a reference to the owner. Reference counting therefore guarantees, without a lock, that an
object is not freed during a call, even if another thread closes it.
"""

from __future__ import annotations

from ctypes import addressof, byref, c_void_p, sizeof
from operator import methodcaller

from ._calls import call_json
from ._native import Host, LogCallback, StoreKeyCallback, library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _native_tools() -> tuple[Any, Any]:
    """Returns `partial`, and a function that makes a method of a callable, both written in C where possible.

    Importing functools would more than double the import time.
    """
    try:
        from _functools import (  # type: ignore[import-not-found]
            _lru_cache_wrapper,
            partial,
        )
    except ImportError:  # Another Python implementation.
        from functools import lru_cache, partial

        return partial, lru_cache(maxsize=0)
    size, is_typed = 0, False
    return partial, lambda function: _lru_cache_wrapper(function, size, is_typed, tuple)


partial, method_of = _native_tools()


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
    ) -> None:
        """Creates the application; raises a TesseraError if the configuration is invalid."""
        native = library()
        super().__init__(native.tessera_application_free)
        self._host = Host(
            sizeof(Host), None, log or LogCallback(), store_key or StoreKeyCallback()
        )
        host = byref(self._host) if log or store_key else None
        call_json(native.tessera_application_create, configuration, host, byref(self))


class ApplicationPart:
    """The base class of the parts of an application, which use its handle."""

    def _open(self) -> ApplicationHandle:
        """Returns the handle; raises InvalidRequestError if the application is closed."""
        raise NotImplementedError


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
