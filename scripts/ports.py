# SPDX-License-Identifier: MIT
"""Ports for servers of tests that need a fixed one."""

from __future__ import annotations

import random
import socket

# Below the range from which the system takes ports for other programs and connections.
RANGE = range(20_000, 32_000)


def free_port() -> int:
    """Returns a free port, which no other program gets by chance until the server is started."""
    while True:
        port = random.choice(RANGE)
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
