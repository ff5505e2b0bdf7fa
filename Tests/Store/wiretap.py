# SPDX-License-Identifier: MIT
"""A proxy that passes requests on to the local provider, and remembers every secret that went by."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SECRETS = ("access_token", "refresh_token", "id_token", "device_code")


class Wiretap:
    """A running proxy on this machine; a context manager that ends it."""

    def __init__(self) -> None:
        tap = self
        self.secrets: dict[str, set[str]] = {name: set() for name in (*SECRETS, "user_code")}

        class Handler(_Handler):
            def keep(self, members: dict[str, Any]) -> None:
                for name, found in tap.secrets.items():
                    value = members.get(name)
                    # What is shorter is no secret, but a test's idea of a wrong answer.
                    if isinstance(value, str) and len(value) > 8:
                        found.add(value)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Wiretap:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def all(self) -> set[str]:
        """Every secret that went by, user codes excepted: people are meant to see them."""
        return set().union(*(self.secrets[name] for name in SECRETS))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def keep(self, members: dict[str, Any]) -> None:
        raise NotImplementedError

    def do_GET(self) -> None:
        self._pass_on()

    def do_POST(self) -> None:
        self._pass_on()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: this proxy knows secrets."""

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.keep(dict(urllib.parse.parse_qsl(body.decode())))
        address = urllib.parse.urlsplit(self.path)
        connection = http.client.HTTPConnection(address.netloc, timeout=30)
        headers = {
            name: value for name, value in self.headers.items()
            if name.lower() not in ("host", "proxy-connection", "connection", "content-length")
        }  # fmt: skip
        path = address.path + (f"?{address.query}" if address.query else "")
        connection.request(self.command, path, body or None, headers)
        answer = connection.getresponse()
        content = answer.read()
        try:
            members = json.loads(content)
            self.keep(members if isinstance(members, dict) else {})
        except ValueError:
            pass
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        # Whoever asked may have given up by now.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(content)
