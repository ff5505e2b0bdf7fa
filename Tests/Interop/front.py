# SPDX-License-Identifier: MIT
"""The network of both libraries: authorities under their real names, served by the local provider."""

from __future__ import annotations

import datetime
import socket
import ssl
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

import tunnels

YEARS = datetime.timedelta(days=7300)
"""The age of the certificates, for programs with a clock that is set back."""
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def forwarded(address: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
    """Returns the status and the body of a response, including errors."""
    try:
        with _opener.open(urllib.request.Request(address, body, headers), timeout=30) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.read()


class Front:
    """A proxy that presents its own certificates for every host, and forwards requests to providers.

    It counts the requests, so that a test can detect them.
    """

    def __init__(self, folder: Path, providers: dict[str, str]) -> None:
        """Starts a proxy on a free local port.

        Args:
            folder: The folder for its certificates.
            providers: The addresses of the providers by host.
        """
        self.ca_file = folder / "ca.pem"
        self.requests: list[str] = []
        """The method and the address of every request."""
        self._providers = providers
        self._shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._shown.load_cert_chain(_certificates(folder, list(providers)))
        self._listener = tunnels.listener(self._attend)
        self.address = tunnels.address(self._listener)

    def close(self) -> None:
        """Closes the port."""
        self._listener.close()

    def asked(
        self, method: str, url: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[int, bytes]:
        """Returns the response of the provider for a host."""
        self.requests.append(f"{method} {url}")
        parts = urllib.parse.urlsplit(url)
        address = url.replace(f"https://{parts.netloc}", self._providers[parts.netloc], 1)
        passed = ("content-type", "accept")
        return forwarded(
            address, body, {name: headers[name] for name in headers if name.lower() in passed}
        )

    def _attend(self, client: socket.socket, wish: str) -> None:
        host = wish.split()[1].rsplit(":", 1)[0]
        with self._shown.wrap_socket(client, server_side=True) as inner:
            _handler(
                lambda *request: self.asked(request[0], f"https://{host}{request[1]}", *request[2:])
            )(inner, ("127.0.0.1", 0), None)


def _handler(answered: Callable[..., tuple[int, bytes]]) -> Any:
    """Returns a handler that reads the requests of one connection and responds to them."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

        def _answer(self, body: bytes | None) -> None:
            status, answer = answered(self.command, self.path, body, dict(self.headers))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Logs nothing."""

    return Handler


def _certificates(folder: Path, hosts: list[str]) -> Path:
    """Creates a self-signed certificate for hosts. Returns the file with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Interoperability test")])
    now = datetime.datetime.now(datetime.timezone.utc)
    names = [x509.DNSName(host) for host in hosts]
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - YEARS)
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName(names), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    shown = made.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "ca.pem").write_bytes(shown)
    (folder / "server.pem").write_bytes(secret + shown)
    return folder / "server.pem"
