# SPDX-License-Identifier: MIT
"""Waits until an access token can no longer be used."""

from __future__ import annotations

import time


def wait_until_over(expires_on: float) -> None:
    """Waits until no cache returns a token with this expiry time.

    Times are whole seconds, and a token's age counts from its arrival: it may be returned for almost two
    seconds more.
    """
    while time.time() < expires_on + 2:
        time.sleep(0.01)
