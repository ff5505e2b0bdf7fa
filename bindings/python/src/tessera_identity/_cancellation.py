# SPDX-License-Identifier: MIT
"""Cancellation of calls from another thread."""

from __future__ import annotations

from ._handles import CancellationHandle
from ._native import library


class Cancellation:
    """Cancels all calls to which it was passed, including later ones.

    A cancelled call raises `Cancelled` with the code `cancelled` within 100 ms. A call that ends with
    KeyboardInterrupt or with an exception of its prompt cancels its cancellation.
    """

    __slots__ = ("__weakref__", "_handle")

    def __init__(self) -> None:
        """Creates a cancellation that is not cancelled."""
        self._handle = CancellationHandle()

    def cancel(self) -> None:
        """Cancels the calls. Safe on any thread, in signal handlers, and if called repeatedly."""
        library().tessera_cancellation_cancel(self._handle)
