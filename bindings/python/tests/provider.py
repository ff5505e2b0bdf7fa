# SPDX-License-Identifier: MIT
"""The local identity provider: start it, and tell it what the person and the server do."""

from __future__ import annotations

import json
import subprocess
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

# The provider is on this machine; a proxy of the environment is not for it.


class _NoRedirects(HTTPRedirectHandler):
    """Where an answer leads to is for the application."""

    def redirect_request(self, *_arguments: object) -> None:
        """Follow nothing."""


_opener = build_opener(ProxyHandler({}), _NoRedirects)


class Provider:
    """A running tessera-provider; stop it at the end."""

    def __init__(self, program: str) -> None:
        self._process = subprocess.Popen(
            [program, "--port", "0", "--interval", "1"], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        ready = json.loads(self._process.stdout.readline())
        self.entra_authority: str = ready["entra_authority"]
        self.oidc_issuer: str = ready["oidc_issuer"]
        kinds = ("entra", "b2c", "ciam", "adfs")
        self.authorities: dict[str, str] = {kind: ready[f"{kind}_authority"] for kind in kinds}
        """An authority of each kind, by its `authority_type`; plain issuers have `openid`."""
        self.authorities["openid"] = self.oidc_issuer
        self._control: str = ready["control"]

    def command(self, name: str, **members: object) -> None:
        """Send a command, such as `outage` or `recover`."""
        body = json.dumps(members).encode()
        headers = {"Content-Type": "application/json"}
        with _opener.open(Request(f"{self._control}/{name}", body, headers), timeout=10):
            pass

    def approve(self, user_code: str, username: str = "alice@contoso.com") -> None:
        """Enter a code and sign in as a person."""
        self.command("approve", user_code=user_code, username=username)

    def visit(
        self, page: str, username: str = "alice@contoso.com", decision: str = "approve"
    ) -> str:
        """Sign in as a person at a page that a sign-in has begun, and return the address that it leads to."""
        form = urlencode({"username": username, "decision": decision}).encode()
        try:
            with _opener.open(Request(page, form), timeout=10) as response:
                raise AssertionError(response.read().decode())
        except HTTPError as answer:
            if answer.code != 303:
                raise
            return str(answer.headers["Location"])

    def count(self, name: str) -> Any:
        """A counter of the provider, such as `requests`."""
        with _opener.open(f"{self._control}/state", timeout=10) as response:
            return json.load(response)["counts"][name]

    def stop(self) -> None:
        """End the provider."""
        self._process.terminate()
        self._process.wait(timeout=10)
        if self._process.stdout is not None:
            self._process.stdout.close()
