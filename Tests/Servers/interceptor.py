# SPDX-License-Identifier: MIT
"""An intercepting proxy, as used by companies: it presents certificates of its own authority."""

from __future__ import annotations

import selectors
import socket
import ssl
from typing import TYPE_CHECKING

import tunnels

from certificates import make_certificates

if TYPE_CHECKING:
    from pathlib import Path

AUTHORITY = "Interception Root of Example Ltd"


class Interceptor:
    """A proxy on a free local port that resolves every host to this machine; a context manager that stops it."""

    def __init__(self, directory: Path, provider_ca: Path) -> None:
        directory.mkdir()
        certificates = make_certificates(directory, AUTHORITY)
        self.ca_file = certificates.ca_file
        self.connects: list[str] = []
        """The CONNECT requests of clients."""
        self.read: list[str] = []
        """The first lines of the requests that it read."""
        self._shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._shown.load_cert_chain(certificates.server_file, certificates.server_key)
        self._onward = ssl.create_default_context(cafile=str(provider_ca))
        self._listener = tunnels.listener(self._attend)
        self.address = tunnels.address(self._listener)

    def __enter__(self) -> Interceptor:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _attend(self, client: socket.socket, wish: str) -> None:
        self.connects.append(wish)
        host, port = wish.split()[1].rsplit(":", 1)
        with (
            self._shown.wrap_socket(client, server_side=True) as inner,
            socket.create_connection(("127.0.0.1", int(port)), tunnels.SECONDS) as plain,
            self._onward.wrap_socket(plain, server_hostname=host) as outer,
        ):
            self._relay(inner, outer)

    def _relay(self, inner: ssl.SSLSocket, outer: ssl.SSLSocket) -> None:
        other = {inner: outer, outer: inner}
        with selectors.DefaultSelector() as waiting:
            for one in other:
                waiting.register(one, selectors.EVENT_READ, one)
            while True:
                for key, _ in waiting.select(tunnels.SECONDS):
                    end: ssl.SSLSocket = key.data
                    chunk = _received(end)
                    if chunk is None:
                        continue
                    if not chunk:
                        return
                    if end is inner:
                        self.read.append(chunk.split(b"\r\n", 1)[0].decode(errors="replace"))
                    other[end].sendall(chunk)


def _received(end: ssl.SSLSocket) -> bytes | None:
    """Returns the received data; None for a record of TLS itself, such as a session ticket.

    Such a record may be the last one.
    """
    end.settimeout(0)
    try:
        chunk = end.recv(1 << 16)
        # A descriptor is not readable for data that TLS has already buffered.
        return chunk + (end.recv(end.pending()) if end.pending() else b"")
    except ssl.SSLWantReadError:
        return None
    finally:
        end.settimeout(tunnels.SECONDS)
