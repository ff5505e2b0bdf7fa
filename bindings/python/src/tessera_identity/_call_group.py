# SPDX-License-Identifier: MIT
"""Non-blocking calls, executed by threads of the library and reported through one file descriptor."""

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
    # The number of the call, whether the event is a prompt, the status and the document.
    Event = tuple[int, bool, int, bytes]

PROMPT = 1
"""TESSERA_EVENT_PROMPT of the header."""


class CallGroup:
    """The calls in progress of this process, and a file descriptor that is readable while events are pending."""

    __slots__ = ("__weakref__", "_handle", "process")

    def __init__(self) -> None:
        """Creates a group; raises RetryLater (`too_many_open_files`)."""
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
        function = getattr(library(), f"tessera_calls_{kind}")
        status, response = call(function, self._handle, application, request, byref(number))
        return number.value, status, response

    def next(self) -> Event | None:
        """Returns the oldest event; None if there is none."""
        number, kind = c_int64(), c_int32()
        function = library().tessera_call_group_next_event
        status, response = call(function, self._handle, 0, byref(number), byref(kind))
        if number.value == 0:
            return None
        return number.value, kind.value == PROMPT, status, response

    def cancel(self, number: int) -> None:
        """Cancels a call."""
        library().tessera_call_group_cancel(self._handle, number)
