# SPDX-License-Identifier: MIT
"""Services on this machine: the base of all, a Git server, and an API server of Kubernetes."""

from __future__ import annotations

import base64
import json
import os
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self


def token_of(header: str | None) -> tuple[str, str, str] | None:
    """Returns the scheme, the user name and the token of an Authorization header; None if it has none."""
    scheme, _, value = (header or "").partition(" ")
    if scheme == "Basic":
        username, _, token = base64.b64decode(value).decode().partition(":")
        return scheme, username, token
    return (scheme, "", value) if scheme == "Bearer" else None


def claims_of(token: str) -> dict[str, Any]:
    """Returns the claims of a token."""
    part = token.split(".")[1]
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return found


class Handler(BaseHTTPRequestHandler):
    """Responds to requests, and prints nothing."""

    protocol_version = "HTTP/1.1"

    def body(self) -> bytes:
        """Returns the body of the request."""
        if self.headers.get("Transfer-Encoding") == "chunked":
            raise ValueError("the request is too long")
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def send(self, status: int, content: bytes, *headers: tuple[str, str]) -> None:
        """Sends a response."""
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_arguments: object) -> None:
        """Prints nothing."""


class Server:
    """An HTTP server on this machine; a context manager that stops it."""

    def __init__(self, handler: type[Handler], certificate: Path | None = None) -> None:
        """Starts the server, with TLS if there is a certificate."""

        class Listener(ThreadingHTTPServer):
            request_queue_size = 64
            daemon_threads = True

        self._server = Listener(("127.0.0.1", 0), handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.host = f"127.0.0.1:{self._server.server_address[1]}"
        self.url = f"http{'s' if certificate else ''}://{self.host}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class Service(Server):
    """An HTTP server that requires a token."""

    def __init__(self, certificate: Path | None = None) -> None:
        """Starts the server."""
        self.received: list[tuple[str, str, str]] = []
        """The scheme, the user name and the token of each request that had one."""
        self.refuses = False
        service = self

        class Guarded(Handler):
            def _serve(self) -> None:
                body = self.body()
                found = token_of(self.headers.get("Authorization"))
                if found:
                    service.received.append(found)
                if found and not service.refuses:
                    status, headers, content = service.respond(self, body)
                    return self.send(status, content, *headers)
                challenges = ('Bearer realm="https://elsewhere.example/x"', 'Basic realm="git"')
                return self.send(401, b"", *(("WWW-Authenticate", each) for each in challenges))

            do_GET = do_HEAD = do_POST = _serve  # noqa: N815

        super().__init__(Guarded, certificate)

    def respond(
        self, request: BaseHTTPRequestHandler, body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Returns the status, the headers and the body of a response."""
        raise NotImplementedError


class GitServer(Service):
    """A server with one repository."""

    def __init__(self, folder: Path) -> None:
        """Creates the repository with one commit."""
        self._folder = folder
        repository = folder / "repository.git"
        git = ["git", "-c", "user.name=Alice", "-c", "user.email=alice@contoso.com"]
        subprocess.run([*git, "init", "-q", "--bare", "-b", "main", repository], check=True)
        tree = subprocess.run(
            [*git, "-C", repository, "mktree"], input=b"", capture_output=True, check=True
        ).stdout.decode().strip()  # fmt: skip
        commit = subprocess.run(
            [*git, "-C", repository, "commit-tree", "-m", "First", tree], capture_output=True, check=True
        ).stdout.decode().strip()  # fmt: skip
        subprocess.run([*git, "-C", repository, "update-ref", "refs/heads/main", commit], check=True)
        super().__init__()

    def respond(
        self, request: BaseHTTPRequestHandler, body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Runs the program of Git for servers."""
        path, _, query = request.path.partition("?")
        done = subprocess.run(
            ["git", "http-backend"], input=body, capture_output=True, check=True,
            env=os.environ | {
                "GIT_PROJECT_ROOT": str(self._folder), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
                "QUERY_STRING": query, "REQUEST_METHOD": request.command, "REMOTE_USER": "alice",
                "CONTENT_TYPE": request.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
                "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
            },
        )  # fmt: skip
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = [tuple(line.split(": ", 1)) for line in head.decode().split("\r\n")]
        status = next((int(value.split()[0]) for name, value in headers if name == "Status"), 200)
        return status, [(name, value) for name, value in headers if name != "Status"], content


class ClusterServer(Service):
    """An API server that has only its version."""

    def respond(
        self, request: BaseHTTPRequestHandler, body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Returns the version."""
        content = json.dumps({"major": "1", "minor": "32", "gitVersion": "v1.32.0"}).encode()
        return 200, [("Content-Type", "application/json")], content


def certificate(folder: Path) -> Path:
    """Creates a certificate for 127.0.0.1 and localhost."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
         "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder
