# SPDX-License-Identifier: MIT
"""Waits until an access token is of no use any more."""

from __future__ import annotations

import time


def wait_until_over(expires_on: float) -> None:
    """Wait until nobody hands a token out any more that ends at a time.

    Times are whole seconds, and a token's age counts from when it came: it may serve for almost two seconds more.
    """
    while time.time() < expires_on + 2:
        time.sleep(0.01)
