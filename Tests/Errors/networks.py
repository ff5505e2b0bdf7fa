# SPDX-License-Identifier: MIT
"""Local servers that simulate faulty servers and networks."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RESET = struct.pack("ii", 1, 0)


def answer(status: str, body: bytes = b"", *headers: str) -> bytes:
    """Returns the bytes of a response."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


PAGE = b"<html>Sign in to the network</html>"
# The response of each kind of network; None keeps the connection open without a response.
ANSWERS: dict[str, bytes | None] = {
    "silence": None,
    "closed": b"",
    "garbage": b"\x00\x01\x02 this is no HTTP\r\n\r\n",
    "truncated": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"issuer\":",
    "page": answer("200 OK", PAGE, "Content-Type: text/html"),
    "redirect": answer("302 Found", b"", "Location: http://portal.example/"),
    "empty": answer("200 OK"),
    "list": answer("200 OK", b"[]", "Content-Type: application/json"),
    "no_endpoints": answer("200 OK", b"{\"a\":1}", "Content-Type: application/json"),
    "too_large": answer("200 OK", b" " * (17 << 20)),
    "not_found": answer("404 Not Found", PAGE),
    "forbidden": answer("403 Forbidden", PAGE),
    "bad_gateway": answer("502 Bad Gateway", PAGE),
    "unavailable": answer("503 Service Unavailable", b"", "Retry-After: 17"),
    "too_many": answer("429 Too Many Requests", b"", "Retry-After: 40"),
    "request_timeout": answer("408 Request Timeout"),
    "bad_encoding": answer("200 OK", b"nonsense", "Content-Encoding: gzip"),
}


class Server:
    """A server that sends the same response on every connection."""

    def __init__(self, kind: str, certificate: Path | None = None) -> None:
        self._kind = kind
        self._context: ssl.SSLContext | None = None
        if certificate is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._held: list[socket.socket] = []
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with contextlib.suppress(OSError):
                self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        if self._context is not None:
            with self._context.wrap_socket(connection, server_side=True) as secured:
                secured.recv(65536)
            return
        connection.recv(65536)
        if self._kind == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            connection.close()
        elif (text := ANSWERS[self._kind]) is None:
            self._held.append(connection)
        else:
            connection.sendall(text)
            connection.close()

    def close(self) -> None:
        """Stops listening, and closes waiting connections."""
        # A thread that waits in accept() keeps the socket open.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._held:
            connection.close()


def self_signed(folder: Path) -> Path:
    """Creates a self-signed certificate with its key."""
    both = folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", both, "-out", folder / "public.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    both.write_bytes(both.read_bytes() + (folder / "public.pem").read_bytes())
    return both


@contextlib.contextmanager
def network(kind: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Yields the configuration members for a network of a kind."""
    if kind == "no_such_name":
        yield {"authority": "https://no-such-name.invalid", "authority_type": "openid"}
        return
    secured = kind in ("untrusted", "missing_ca_file")
    server = Server("page" if kind in ("refused", "no_tls") else kind, self_signed(folder) if secured else None)
    scheme = "https" if secured or kind == "no_tls" else "http"
    if kind == "refused":
        server.close()
    try:
        members = {"authority": f"{scheme}://127.0.0.1:{server.port}", "authority_type": "openid"}
        if kind == "missing_ca_file":
            members["ca_file"] = str(folder / "none.pem")
        yield members
    finally:
        server.close()
