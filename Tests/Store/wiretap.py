# SPDX-License-Identifier: MIT
"""A proxy that passes requests on to the local provider, and remembers every secret that went by.

It is a process of its own, so that whoever counts their threads and descriptors counts none of its. Each line of
its input is answered with a line of what it knows; at the end of its input it ends.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import subprocess
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SECRETS = ("access_token", "refresh_token", "id_token", "device_code")
seen: dict[str, set[str]] = {name: set() for name in (*SECRETS, "user_code")}


class Wiretap:
    """A running proxy on this machine; a context manager that ends it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip
        self.address = str(self._line())

    def __enter__(self) -> Wiretap:
        return self

    def __exit__(self, *_: object) -> None:
        # A child that a test left behind may still have its input open.
        self._process.terminate()
        self._process.communicate()

    def all(self) -> set[str]:
        """Every secret that went by, user codes excepted: people are meant to see them."""
        secrets = self._secrets()
        return {each for name in SECRETS for each in secrets[name]}

    def user_codes(self) -> set[str]:
        """What people were shown, and entered."""
        return set(self._secrets()["user_code"])

    def _secrets(self) -> dict[str, list[str]]:
        assert self._process.stdin is not None
        print(file=self._process.stdin, flush=True)
        found: dict[str, list[str]] = self._line()
        return found

    def _line(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def do_GET(self) -> None:
        self._pass_on()

    def do_POST(self) -> None:
        self._pass_on()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: this proxy knows secrets."""

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        keep(dict(urllib.parse.parse_qsl(body.decode())))
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
            keep(members if isinstance(members, dict) else {})
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


def keep(members: dict[str, Any]) -> None:
    """Remember the secrets among the fields of a message."""
    for name, found in seen.items():
        value = members.get(name)
        # What is shorter is no secret, but a test's idea of a wrong answer.
        if isinstance(value, str) and len(value) > 8:
            found.add(value)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: who asked, or who was asked, has gone."""


def main() -> None:
    """Serve, and say what was seen whenever asked."""
    server = _Server(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps(f"http://127.0.0.1:{server.server_address[1]}"), flush=True)
    for _ in sys.stdin:
        # A copy in one step: other threads may add to it.
        print(json.dumps({name: list(found) for name, found in seen.items()}), flush=True)


if __name__ == "__main__":
    main()
