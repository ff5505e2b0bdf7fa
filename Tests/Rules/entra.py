# SPDX-License-Identifier: MIT
"""A server with Entra's protocol and configurable responses, which records every request."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl

UID = "9f4880d8-80ba-4c40-97bc-f7a23c703084"
UTID = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"


@dataclass
class SignedInUser:
    """The signed-in user, and the server's data about them."""

    uid: str = UID
    utid: str = UTID
    tid: str = UTID
    oid: str = UID
    upn: str = "upn@test.com"
    client_info: str | None = None
    """Overrides the value made of uid and utid."""


@dataclass
class Seen:
    """A token request."""

    path: str
    headers: dict[str, str]
    body: str

    @property
    def form(self) -> dict[str, str]:
        """Returns its fields."""
        return dict(parse_qsl(self.body, keep_blank_values=True))


@dataclass
class Answer:
    """The response to a token request, instead of tokens."""

    status: int
    body: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)


def encoded(claims: dict[str, Any]) -> str:
    """Returns a JSON object in the encoding of JWTs and client_info."""
    return base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()


class Entra:
    """The server; its members set the issued tokens for all requests."""

    def __init__(self) -> None:
        self.reset()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:  # noqa: N802 - the name that http.server wants
                self._answer(owner._document(self.path, self.headers["Host"]))

            def do_POST(self) -> None:  # noqa: N802
                body = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
                self._answer(owner._posted(Seen(self.path, dict(self.headers), body)))

            def _answer(self, answer: Answer) -> None:
                body = json.dumps(answer.body).encode()
                self.send_response(answer.status)
                for name, value in {**answer.headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Logs nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"

    def reset(self) -> None:
        """Clears the recorded requests, and restores the default tokens."""
        self.account = SignedInUser()
        self.seen: list[Seen] = []
        self.answers: list[Answer] = []
        # The poll of a device code does not repeat the scopes.
        self._asked = ""
        self.members: dict[str, Any] = {}
        """Members of every token response; None removes one."""
        self.claims: dict[str, Any] = {}
        """Additional claims of every ID token."""

    @contextmanager
    def running(self) -> Iterator[Entra]:
        """Serves until the end of a block."""
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()

    def refreshes(self) -> list[Seen]:
        """Returns the requests with a refresh token."""
        return [seen for seen in self.seen if seen.form.get("grant_type") == "refresh_token"]

    def _document(self, path: str, host: str) -> Answer:
        tenant = path.split("/")[1]
        base = f"{self.origin}/{tenant}"
        if "discovery/instance" in path:
            names = {"preferred_network": host, "preferred_cache": host, "aliases": [host]}
            return Answer(200, {"tenant_discovery_endpoint": base, "metadata": [names]})
        issued = "{tenantid}" if tenant in ("common", "organizations", "consumers") else tenant
        return Answer(200, {
            "issuer": f"{self.origin}/{issued}/v2.0", "token_endpoint": f"{base}/oauth2/v2.0/token",
            "authorization_endpoint": f"{base}/oauth2/v2.0/authorize",
            "device_authorization_endpoint": f"{base}/oauth2/v2.0/devicecode", "jwks_uri": f"{base}/keys",
        })  # fmt: skip

    def _posted(self, seen: Seen) -> Answer:
        if seen.path.endswith("/devicecode"):
            self._asked = seen.form["scope"]
            return Answer(200, {
                "device_code": "device", "user_code": "CODE", "verification_uri": self.origin,
                "expires_in": 60, "interval": 1,
            })  # fmt: skip
        self.seen.append(seen)
        if self.answers:
            return self.answers.pop(0)
        return Answer(200, self._tokens(seen))

    def _tokens(self, seen: Seen) -> dict[str, Any]:
        account, now, number = self.account, int(time.time()), len(self.seen)
        claims = {
            "iss": f"{self.origin}/{account.tid}/v2.0", "aud": seen.form["client_id"], "sub": account.oid,
            "iat": now, "nbf": now, "exp": now + 3600, "oid": account.oid, "tid": account.tid,
            "preferred_username": account.upn, "ver": "2.0", **self.claims,
        }  # fmt: skip
        header = encoded({"alg": "RS256", "typ": "JWT", "kid": "1"})
        body = {
            "token_type": "Bearer", "expires_in": 3600, "scope": seen.form.get("scope", self._asked),
            "access_token": f"access-{number}", "refresh_token": f"refresh-{number}",
            "id_token": f"{header}.{encoded(claims)}.c2ln",
            "client_info": account.client_info or encoded({"uid": account.uid, "utid": account.utid}),
            **self.members,
        }  # fmt: skip
        return {name: value for name, value in body.items() if value is not None}
