# SPDX-License-Identifier: MIT
"""A browser session at the provider, limited to the needs of the tests: cookies, JSON, no redirects."""

from __future__ import annotations

import json
import socket
import ssl
from http.client import HTTPSConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from pathlib import Path

    from tessera_identity import TokenResult


class ProviderProblem(Exception):
    """The provider did not respond as expected."""


class _LocalConnection(HTTPSConnection):
    """A connection to this machine, regardless of the host in the address."""

    def __init__(self, origin: str, trust: ssl.SSLContext) -> None:
        super().__init__(urlsplit(origin).netloc, context=trust, timeout=10)
        self._trust = trust

    def connect(self) -> None:
        """Connects, and verifies the certificate for the host of the address."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        self.sock = self._trust.wrap_socket(plain, server_hostname=self.host)


class Session:
    """The requests of one user to one provider."""

    def __init__(self, origin: str, ca_file: Path) -> None:
        self._origin = origin
        self._trust = ssl.create_default_context(cafile=str(ca_file))
        # Not http.cookiejar, which rejects the domain "localhost".
        self._cookies: dict[str, str] = {}

    def call(self, method: str, path: str, body: object = None) -> Any:
        """Returns the JSON response of the provider; None for an empty response."""
        status, text, _ = self._send(method, path, body)
        if status != 200:
            raise ProviderProblem(f"{method} {path} was answered with {status}: {text[:500]}")
        return json.loads(text) if text else None

    def log_in(self, username: str, password: str) -> None:
        """Logs in; the provider sets a cookie."""
        self.call("POST", "/api/auth/", {"username": username, "password": password})

    def redirection(self, address: str) -> str:
        """Returns the redirect of the provider for an address."""
        if not address.startswith(self._origin + "/"):
            raise ProviderProblem(f"{address} is not at {self._origin}")
        status, _, location = self._send("GET", address[len(self._origin) :])
        if status != 302:
            raise ProviderProblem(f"{address} was answered with {status}, not with a redirection")
        return location

    def opens(self, path: str, token: TokenResult) -> bool:
        """Whether an access token is accepted for a path."""
        authorization = f"{token.token_type} {token.access_token}"
        return self._send("GET", path, Authorization=authorization)[0] == 200

    def _send(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> tuple[int, str, str]:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection = _LocalConnection(self._origin, self._trust)
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, path, content, headers)
            response = connection.getresponse()
            text = response.read().decode(errors="replace")
        finally:
            connection.close()
        for cookie in response.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        return response.status, text, response.headers.get("Location") or ""
