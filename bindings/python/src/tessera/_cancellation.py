# SPDX-License-Identifier: MIT
"""Cancellation: a way to stop a call from another thread."""

from __future__ import annotations

from ._handles import CancellationHandle
from ._native import library


class Cancellation:
    """Stops every call that it was given to, now and later.

    A call that is stopped raises `Cancelled` with the code `cancelled` within 100 ms. A call that ends with
    KeyboardInterrupt, or with an exception of its prompt, has cancelled its cancellation.
    """

    __slots__ = ("__weakref__", "_handle")

    def __init__(self) -> None:
        """Make a cancellation that has not been cancelled."""
        self._handle = CancellationHandle()

    def cancel(self) -> None:
        """Stop the calls. Any thread, any number of times, also in a signal handler."""
        library().tessera_cancellation_cancel(self._handle)
