# SPDX-License-Identifier: MIT
"""What the proxies of the tests have in common: a thread for each client, and the tunnel that it asks for."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

SECONDS = 30
"""How long a client may say nothing."""


def listener(attend: Callable[[socket.socket, str], None]) -> socket.socket:
    """A proxy on a free port of this machine; closing it lets go of the port.

    Args:
        attend: Is given each client whose tunnel stands, and the line in which it asked for it (RFC 9110 section
            9.3.6), on a thread of the client's own. A connection that breaks ends it.
    """
    listening = socket.create_server(("127.0.0.1", 0), backlog=256)
    threading.Thread(target=_serve, args=(listening, attend), daemon=True).start()
    return listening


def address(listening: socket.socket) -> str:
    """The address of a proxy."""
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


def _serve(listening: socket.socket, attend: Callable[[socket.socket, str], None]) -> None:
    with suppress(OSError):
        while True:
            client, _ = listening.accept()
            threading.Thread(target=_grant, args=(client, attend), daemon=True).start()


def _grant(client: socket.socket, attend: Callable[[socket.socket, str], None]) -> None:
    with client, suppress(OSError, ValueError):
        client.settimeout(SECONDS)
        head = b""
        while b"\r\n\r\n" not in head:
            piece = client.recv(4096)
            if not piece:
                return
            head += piece
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        attend(client, head.split(b"\r\n", 1)[0].decode())
