# SPDX-License-Identifier: MIT
"""Owners of the library's objects. Each frees its object when it is no longer referenced.

A running call holds a reference to the owner. Reference counting therefore guarantees, without a lock, that an
object is not freed during a call, even if another thread closes it.
"""

from __future__ import annotations

from ctypes import byref, c_void_p, sizeof

from ._calls import call_json
from ._native import Host, LogCallback, StoreKeyCallback, library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ApplicationHandle(c_void_p):
    """A tessera_application with its callbacks."""

    def __init__(
        self,
        configuration: bytes,
        log: Any,  # noqa: ANN401 - a ctypes callback or None
        store_key: Any,  # noqa: ANN401 - the same
    ) -> None:
        """Creates the application; raises a TesseraError if the configuration is invalid."""
        super().__init__()
        native = library()
        self._free = native.tessera_application_free
        self._host = Host(
            sizeof(Host), log or LogCallback(), None, store_key or StoreKeyCallback(), None
        )
        host = byref(self._host) if log or store_key else None
        call_json(native.tessera_application_create, configuration, host, byref(self))

    def __del__(self) -> None:
        """Frees the application; stored data is kept."""
        if self:
            self._free(self)


class ApplicationPart:
    """The base class of the parts of an application, which use its handle."""

    def _open(self) -> ApplicationHandle:
        """Returns the handle; raises InvalidRequest if the application is closed."""
        raise NotImplementedError


class CancellationHandle(c_void_p):
    """A tessera_cancellation."""

    def __init__(self) -> None:
        """Creates a cancellation."""
        native = library()
        self._free = native.tessera_cancellation_free
        super().__init__(native.tessera_cancellation_create())
        if not self:
            raise MemoryError("The Tessera library ran out of memory.")

    def __del__(self) -> None:
        """Frees the cancellation."""
        if self:
            self._free(self)


class CallsHandle(c_void_p):
    """A tessera_call_group."""

    def __init__(self) -> None:
        """Creates a group of calls; raises a TesseraError if no file descriptor is free."""
        super().__init__()
        native = library()
        self._free = native.tessera_call_group_free
        call_json(native.tessera_call_group_create, byref(self))

    def __del__(self) -> None:
        """Cancels the calls and frees the group."""
        if self:
            self._free(self)
