# SPDX-License-Identifier: MIT
"""Handing an address that this program was opened with to the program that waits for it."""

from __future__ import annotations

from ._calls import opened
from ._native import library
from ._stopping import stoppable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._cancellation import Cancellation


def hand_over_url(url: str, *, cancellation: Cancellation | None = None) -> None:
    """Hand an address that this program was opened with to the sign-in of the same user that waits for it.

    This is what a program does that is registered for the scheme of a redirect URI, and what `tessera handle-url`
    does. The address is offered to the one `acquire_token_interactive` that waits for its `state`, in whatever
    program of this user; others go on waiting. Gives up after ten seconds.

    Args:
        url: The whole address.
        cancellation: A way to stop the call from another thread.

    Raises:
        RetryLater: The process has no file descriptor left (`too_many_open_files`).
        InvalidRequest: No sign-in waits for it (`state_mismatch`). Nothing was spent: a sign-in that was begun
            with `begin_sign_in` can still be completed with it.
        Cancelled: It was cancelled, or whoever waits did not answer (`deadline_exceeded`).
    """
    # A NUL would truncate the URL.
    text = url.encode("utf-8", "surrogatepass").replace(b"\0", b"\xff")
    function = library().tessera_hand_over_url
    opened(*stoppable(function, text, cancellation=cancellation))
