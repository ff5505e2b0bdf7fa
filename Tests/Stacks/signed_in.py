# SPDX-License-Identifier: MIT
"""Calls on small stacks: each in a separate process, with the store of a signed-in user."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from encrypted import EncryptedFront

from configurations import nested
from provider import Provider
from timeouts import answering

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "build/tests-stacks"
KIB = 1024
LARGE = 1024 * KIB
ENVIRONMENT = {
    **{key: value for key, value in os.environ.items() if key != "BROWSER"},
    "CI": "1",
    "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    "LD_LIBRARY_PATH": str(ROOT / "build/lib"),
    "SWIFT_BACKTRACE": "enable=no",
    "XDG_STATE_HOME": str(OUTPUT / "state"),
}


class Failed(Exception):
    """A call crashed, or differed from its documentation."""


@dataclass
class Outcome:
    """The result of one call in a separate process."""

    used: int
    """Bytes of the stack that were written."""
    status: int
    document: dict[str, Any]

    @property
    def code(self) -> str:
        """The error code; empty after a success."""
        return str(self.document.get("error", {}).get("code", ""))


@dataclass
class Session:
    """A store with a signed-in user."""

    provider: Provider
    front: EncryptedFront
    directory: Path
    options: dict[str, object] = field(default_factory=dict)
    account: dict[str, object] = field(default_factory=dict)

    @property
    def configuration(self) -> str:
        """Returns the configuration of the application."""
        return json.dumps(nested({
            "client_id": "app", "authority": self.provider.entra_authority, "authority_type": "entra",
            "ca_file": str(self.front.ca_file), "store_directory": str(self.directory),
            "key_sources": ["key_file"], "redirect_uri": "http://localhost", **self.options,
        }))  # fmt: skip

    def call(
        self, name: str, request: object = None, *, kind: str = "thread", size: int = LARGE,
        data: str | None = None,
    ) -> Outcome:
        """Makes one call in a new process."""
        text = request if isinstance(request, str) else json.dumps(request or {})
        words = [str(OUTPUT / "stacks"), kind, str(size), name, self.configuration, text]
        words += [data] if data is not None else []
        last = ""
        if kind == "main":
            words = ["prlimit", f"--stack={size}:{size}", *words]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
            assert process.stdout is not None
            with answering(process):
                for line in process.stdout:
                    if line.startswith("prompt "):
                        self._follow(json.loads(line.split(" ", 1)[1]))
                    else:
                        last = line
        if process.returncode != 0:
            raise Failed(f"{name} on a {kind} of {size // KIB} KiB ended with {process.returncode}")
        used, status, response = last.split(" ", 2)
        return Outcome(int(used), int(status), dict(json.loads(response.strip() or "{}")))

    def _follow(self, prompt: dict[str, Any]) -> None:
        """Follows the prompt for the user."""
        if "user_code" in prompt:
            self.provider.approve(prompt["user_code"])
            return
        address = urlsplit(self.visited(prompt["url"]))
        assert address.hostname is not None
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
        connection.request("GET", f"{address.path or '/'}?{address.query}")
        connection.getresponse()
        connection.close()

    def visited(self, url: str) -> str:
        """Returns the redirect after the user has signed in on a page, which is fetched without TLS."""
        origin = self.provider.control.removesuffix("/_control")
        return self.provider.visit(url.replace(self.front.origin, origin, 1))

    def begun(self) -> dict[str, object]:
        """Returns the request that completes a sign-in whose redirect has arrived."""
        begun = self.call("sign_in_begin", {"scopes": ["read"]}).document
        return {"state": begun["state"], "url": self.visited(str(begun["url"]))}

    def sign_in(self) -> Session:
        """Signs the user in on a large stack."""
        self.account = dict(self.call("sign_in_complete", self.begun()).document["account"])
        return self

    @property
    def user(self) -> dict[str, object]:
        """Returns the member of a request that selects the account."""
        return {"home_account_id": self.account["home_account_id"]}

    @property
    def forced(self) -> dict[str, object]:
        """Returns a silent request that redeems the refresh token."""
        return {**self.user, "scopes": ["read"], "force_refresh": True}

    def still_signed_in(self) -> None:
        """Fails unless the stored refresh token works."""
        again = self.call("silent", self.forced)
        if again.status != 0:
            raise Failed(f"the refresh token was lost: {again.document}")
