# SPDX-License-Identifier: MIT
"""A TLS server in front of a local provider: calls use as much stack as with a real provider."""

from __future__ import annotations

import select
import socket
import ssl
import threading
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from certificates import Certificates


class EncryptedFront:
    """Terminates TLS on a free port of this machine and forwards the bytes; a context manager that stops it."""

    def __init__(self, certificates: Certificates) -> None:
        self.ca_file = certificates.ca_file
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificates.server_file, certificates.server_key)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.origin = f"https://localhost:{self._listener.getsockname()[1]}"
        self._target = ("127.0.0.1", 0)

    def forward(self, address: str) -> None:
        """Starts to accept connections, for the server at an address."""
        self._target = ("127.0.0.1", urlsplit(address).port or 80)
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> EncryptedFront:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with (
            suppress(OSError),
            self._context.wrap_socket(client, server_side=True) as outer,
            socket.create_connection(self._target) as inner,
        ):
            while True:
                ready = [outer] if outer.pending() else select.select([outer, inner], [], [], 60)[0]
                if not ready or not all(self._moved(each, inner if each is outer else outer) for each in ready):
                    return

    @staticmethod
    def _moved(source: socket.socket, target: socket.socket) -> bool:
        """Forwards the available data; false at the end of the connection."""
        data = source.recv(65536)
        target.sendall(data)
        return bool(data)
