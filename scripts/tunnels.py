# SPDX-License-Identifier: MIT
"""The common part of the test proxies: a thread for each client, and the requested tunnel."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

SECONDS = 30
"""The receive timeout of a client in seconds."""


def listener(handle: Callable[[socket.socket, str], None]) -> socket.socket:
    """Starts a proxy on a free local port. Close the socket to stop it.

    Args:
        handle: Called for each client after its tunnel is open, with the request line of CONNECT (RFC 9110
        section 9.3.6), on the client's own thread. A broken connection ends it.
    """
    listening = socket.create_server(("127.0.0.1", 0), backlog=256)
    threading.Thread(target=_serve, args=(listening, handle), daemon=True).start()
    return listening


def address(listening: socket.socket) -> str:
    """Returns the address of a proxy."""
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


def _serve(listening: socket.socket, handle: Callable[[socket.socket, str], None]) -> None:
    with suppress(OSError):
        while True:
            client, _ = listening.accept()
            threading.Thread(target=_open_tunnel, args=(client, handle), daemon=True).start()


def _open_tunnel(client: socket.socket, handle: Callable[[socket.socket, str], None]) -> None:
    with client, suppress(OSError, ValueError):
        client.settimeout(SECONDS)
        head = b""
        while b"\r\n\r\n" not in head:
            chunk = client.recv(4096)
            if not chunk:
                return
            head += chunk
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        handle(client, head.split(b"\r\n", 1)[0].decode())
