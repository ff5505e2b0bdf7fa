# SPDX-License-Identifier: MIT
"""Owners of the library's objects: each ends its object when nobody can use it any more.

A call holds a reference to the owner while it runs, so that reference counting alone keeps the promise of the
header that an object is not freed under a call, with no lock, whichever thread closes it.
"""

from __future__ import annotations

from ctypes import byref, c_void_p, sizeof

from ._calls import ask
from ._native import Host, LogCallback, StoreKeyCallback, library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ApplicationHandle(c_void_p):
    """A tessera_application, together with the callbacks that it calls."""

    def __init__(
        self,
        configuration: bytes,
        log: Any,  # noqa: ANN401 - a ctypes callback or None
        store_key: Any,  # noqa: ANN401 - the same
    ) -> None:
        """Make the application; raises a TesseraError if the configuration is not accepted."""
        super().__init__()
        native = library()
        self._end = native.tessera_application_free
        self._host = Host(
            sizeof(Host), log or LogCallback(), None, store_key or StoreKeyCallback(), None
        )
        host = byref(self._host) if log or store_key else None
        ask(native.tessera_application_create, configuration, host, byref(self))

    def __del__(self) -> None:
        """End the application; what it stored stays."""
        if self:
            self._end(self)


class Part:
    """A part of an application: calls that need the library's object."""

    def _open(self) -> ApplicationHandle:
        """The object; raises InvalidRequest where the application was closed."""
        raise NotImplementedError


class CancellationHandle(c_void_p):
    """A tessera_cancellation."""

    def __init__(self) -> None:
        """Make a cancellation."""
        native = library()
        self._end = native.tessera_cancellation_free
        super().__init__(native.tessera_cancellation_create())
        if not self:
            raise MemoryError("The Tessera library ran out of memory.")

    def __del__(self) -> None:
        """End the cancellation."""
        if self:
            self._end(self)


class CallsHandle(c_void_p):
    """A tessera_calls."""

    def __init__(self) -> None:
        """Make a group of calls; raises a TesseraError if there is no descriptor left."""
        super().__init__()
        native = library()
        self._end = native.tessera_calls_free
        ask(native.tessera_calls_create, byref(self))

    def __del__(self) -> None:
        """Cancel the calls and end the group."""
        if self:
            self._end(self)
