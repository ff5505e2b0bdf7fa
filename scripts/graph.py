# SPDX-License-Identifier: MIT
"""A local stand-in for Microsoft Graph: serves the profile of a user to requests with a valid access token."""

from __future__ import annotations

import base64
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

RESOURCE = "https://graph.microsoft.com"
ME = f"{RESOURCE}/v1.0/me"
"""The address that the pages call."""
PROFILE = {"displayName": "Alice", "userPrincipalName": "alice@contoso.com"}


def claims(token: str) -> dict[str, Any]:
    """Returns the claims of a JWT; empty if it is not a JWT."""
    try:
        _, payload, _ = token.split(".")
        return dict(json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))))
    except ValueError:
        return {}


def is_valid(token: str) -> bool:
    """Whether a token is for Microsoft Graph, has the scope `User.Read` and has not expired."""
    found = claims(token)
    scopes = str(found.get("scp", "")).split()
    return found.get("aud") == RESOURCE and "User.Read" in scopes and found.get("exp", 0) > time.time()


class _Handler(BaseHTTPRequestHandler):
    """Responds to `GET /v1.0/me`."""

    def do_GET(self) -> None:
        """Sends the profile, or status 401 without a valid token."""
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        found = self.path == "/v1.0/me"
        allowed = scheme == "Bearer" and is_valid(token)
        if found and allowed:
            self.server.tokens.append(token)  # type: ignore[attr-defined]
        body = json.dumps(PROFILE if found and allowed else {"error": "unauthorized"}).encode()
        self.send_response(404 if not found else 200 if allowed else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Logs nothing."""


class Graph:
    """A running stand-in; a context manager that stops it."""

    def __init__(self) -> None:
        """Starts the stand-in on a free port."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self.tokens: list[str] = []
        """The access tokens of the requests that got the profile."""
        self._server.tokens = self.tokens  # type: ignore[attr-defined]
        self.me = f"http://127.0.0.1:{self._server.server_port}/v1.0/me"
        """The address in place of `ME`."""
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Graph:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
