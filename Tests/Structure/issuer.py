# SPDX-License-Identifier: MIT
"""A local OpenID provider whose access tokens expire at once, so that each request refreshes."""

from __future__ import annotations

import base64
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


def jwt(claims: dict[str, Any]) -> str:
    """Returns a JWT with an invalid signature."""
    parts = [json.dumps(each).encode() for each in ({"alg": "RS256", "typ": "JWT"}, claims)]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in [*parts, b"signature"])


class _Handler(BaseHTTPRequestHandler):
    """Responds to discovery, device authorization and token requests."""

    server: Issuer

    def do_GET(self) -> None:
        """Sends the OpenID configuration."""
        self._send(self.server.configuration)

    def do_POST(self) -> None:
        """Sends a device authorization or tokens."""
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self._send(self.server.device if self.path == "/device" else self.server.tokens)

    def _send(self, document: dict[str, Any]) -> None:
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Logs nothing."""


class Issuer(ThreadingHTTPServer):
    """A running provider; a context manager that stops it."""

    daemon_threads = True

    def __init__(self, client: str) -> None:
        """Starts the provider on a free port."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.client = client
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def configuration(self) -> dict[str, Any]:
        """The OpenID configuration."""
        endpoints = {"token_endpoint": "token", "device_authorization_endpoint": "device"}
        addresses = {name: f"{self.url}/{path}" for name, path in endpoints.items()}
        return {"issuer": self.url, "authorization_endpoint": f"{self.url}/authorize", **addresses}

    @property
    def device(self) -> dict[str, Any]:
        """A device authorization, which is approved at the first poll."""
        return {
            "device_code": "device-code", "user_code": "CODE", "verification_uri": f"{self.url}/approve",
            "expires_in": 900, "interval": 1,
        }  # fmt: skip

    @property
    def tokens(self) -> dict[str, Any]:
        """A token response."""
        now = int(time.time())
        claims = {"iss": self.url, "aud": self.client, "sub": "alice", "iat": now, "exp": now + 3600}
        return {
            "token_type": "Bearer", "access_token": "access-token", "expires_in": 0, "scope": "read",
            "refresh_token": "refresh-token", "id_token": jwt(claims),
        }  # fmt: skip

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown()
        self.server_close()
