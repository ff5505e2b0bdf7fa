# SPDX-License-Identifier: MIT
"""Delivery of a redirect URL to the application that waits for it."""

from __future__ import annotations

from ._calls import parse_response
from ._cancellable_calls import call_cancellable
from ._native import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._cancellation import Cancellation


def hand_over_url(url: str, *, cancellation: Cancellation | None = None) -> None:
    """Delivers the redirect URL with which this program was opened to the waiting sign-in of the same user.

    A program that is registered for the scheme of a redirect URI calls this function, like `tessera handle-url`.
    The URL is delivered to the `acquire_token_interactive` call with the same `state`, in any process of this
    user. Other sign-ins remain pending. The call times out after 10 seconds.

    Args:
        url: The complete URL.
        cancellation: Cancels the call from another thread.

    Raises:
        RetryLater: The process has no free file descriptor (`too_many_open_files`).
        InvalidRequest: No sign-in waits for the URL (`state_mismatch`). It was not redeemed: a sign-in that was
            begun with `begin_sign_in` can still be completed with it.
        Cancelled: The call was cancelled, or the waiting process did not respond (`deadline_exceeded`).
    """
    # C would ignore the text after a NUL.
    text = url.encode("utf-8", "surrogatepass").replace(b"\0", b"\xff")
    function = library().tessera_library_hand_over_url
    parse_response(*call_cancellable(function, text, cancellation=cancellation))
