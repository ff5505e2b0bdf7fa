# SPDX-License-Identifier: MIT
"""Calls that do not block: begun here, made by the library's own threads, heard of through one descriptor."""

from __future__ import annotations

from ctypes import byref, c_int32, c_int64
from os import getpid

from ._calls import call
from ._handles import CallsHandle
from ._native import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from ._handles import ApplicationHandle

    # The function of the C interface, without the common prefix.
    Kind = Literal[
        "acquire_token_silent", "acquire_token_by_device_code", "acquire_token_interactive",
        "sign_in_begin", "sign_in_complete",
    ]  # fmt: skip
    # The number of a call, whether this is a prompt instead of its result, the status and the document.
    News = tuple[int, bool, int, bytes]

PROMPT = 1
"""TESSERA_PROMPT of the header."""


class CallGroup:
    """Calls under way, of this process alone, and one descriptor that is readable while there is news."""

    __slots__ = ("__weakref__", "_handle", "process")

    def __init__(self) -> None:
        """Make a group; raises RetryLater (`too_many_open_files`)."""
        self._handle = CallsHandle()
        self.process = getpid()

    def fileno(self) -> int:
        """The descriptor."""
        return int(library().tessera_calls_descriptor(self._handle))

    def begin(
        self, kind: Kind, application: ApplicationHandle, request: bytes
    ) -> tuple[int, int, bytes]:
        """Begin a call: its number, 0 if it has ended, and the status and document of one that has."""
        number = c_int64()
        function = getattr(library(), f"tessera_calls_{kind}")
        status, answer = call(function, self._handle, application, request, byref(number))
        return number.value, status, answer

    def next(self) -> News | None:
        """The oldest news; None if there is none."""
        number, kind = c_int64(), c_int32()
        function = library().tessera_calls_next
        status, answer = call(function, self._handle, 0, byref(number), byref(kind))
        if number.value == 0:
            return None
        return number.value, kind.value == PROMPT, status, answer

    def cancel(self, number: int) -> None:
        """Cancel a call."""
        library().tessera_calls_cancel(self._handle, number)
