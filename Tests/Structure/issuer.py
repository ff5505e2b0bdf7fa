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
from urllib.parse import parse_qs, urlencode, urlsplit

USERNAME = "alice@example.com"
USER, TENANT = "00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000b1"


def encoded(document: dict[str, Any]) -> str:
    """Returns a document in base64url."""
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


def jwt(claims: dict[str, Any]) -> str:
    """Returns a JWT with an invalid signature."""
    return f"{encoded({'alg': 'RS256', 'typ': 'JWT'})}.{encoded(claims)}.c2lnbmF0dXJl"


class _Handler(BaseHTTPRequestHandler):
    """Responds to discovery, authorization and token requests."""

    server: Issuer

    def do_GET(self) -> None:
        """Sends the OpenID configuration, or approves an authorization request."""
        address = urlsplit(self.path)
        if address.path != "/authorize":
            self._send(self.server.configuration(entra="/v2.0/" in address.path))
            return
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        self.server.nonce = query.get("nonce")
        self.send_response(302)
        response = urlencode({"code": "code", "state": query["state"]})
        self.send_header("Location", f"{query['redirect_uri']}?{response}")
        self.send_header("Content-Length", "0")
        self.end_headers()

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
        self.nonce: str | None = None
        self.issuer = ""
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def configuration(self, entra: bool) -> dict[str, Any]:
        """Returns the OpenID configuration, and issues tokens as this kind of provider."""
        names = {"authorization": "authorize", "token": "token", "device_authorization": "device"}
        endpoints = {f"{name}_endpoint": f"{self.url}/{path}" for name, path in names.items()}
        self.issuer = f"{self.url}/{TENANT}/v2.0" if entra else self.url
        return {"issuer": f"{self.url}/{{tenantid}}/v2.0" if entra else self.url, **endpoints}

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
        claims = {
            "iss": self.issuer, "aud": self.client, "sub": "alice", "preferred_username": USERNAME,
            "oid": USER, "tid": TENANT, "ver": "2.0",
            "iat": now, "exp": now + 3600, **({"nonce": self.nonce} if self.nonce else {}),
        }  # fmt: skip
        return {
            "token_type": "Bearer", "access_token": "access-token", "expires_in": 0, "scope": "read",
            "refresh_token": "refresh-token", "id_token": jwt(claims),
            "client_info": encoded({"uid": USER, "utid": TENANT}),
        }  # fmt: skip

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown()
        self.server_close()
