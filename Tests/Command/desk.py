# SPDX-License-Identifier: MIT
"""A temporary store, and the command `tessera` that uses it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from provider import Provider

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(os.environ.get("TESSERA_COMMAND", ROOT / "build/swift-release/release/tessera-cli"))
CLIENT = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"
OTHER = "11111111-5d0b-4b53-9a54-2f9a7e2f4d10"
ALICE, BOB = "alice@contoso.com", "bob@contoso.com"
# The variables that select a browser or state that there is none, or change the output. No test inherits them.
NOT_OURS = {
    "BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "CI", "TF_BUILD", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY",
    "NO_COLOR",
}  # fmt: skip
for each in NOT_OURS:
    os.environ.pop(each, None)


class Desk:
    """A temporary store, and the command that uses it."""

    def __init__(self, provider: Provider, folder: Path, *, openid: bool = False) -> None:
        """Sets the options of the application."""
        self.provider = provider
        self.folder = folder
        kind = "openid" if openid else "entra"
        authority = provider.oidc_issuer if openid else provider.entra_authority
        self.options = [
            "--client-id", CLIENT, "--authority", authority, "--authority-type", kind,
            "--store-directory", str(folder / "store"), "--key-source", "key_file", "--json",
        ]  # fmt: skip
        self.environment = dict(os.environ) | {
            "XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config"),
            "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        }  # fmt: skip

    def run(self, name: str, *words: str) -> tuple[int, dict[str, Any]]:
        """Returns the exit status of a subcommand and the document that it printed."""
        done = subprocess.run(
            [COMMAND, *name.split(), *self.options, *words], env=self.environment, capture_output=True,
            text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.stdout, done.stderr
        return done.returncode, json.loads(done.stdout)

    def copy(self, *words: str) -> tuple[int, dict[str, Any]]:
        """Returns the exit status of a copy and its report.

        The command has no client ID, because the group is shared.
        """
        place = self.options[self.options.index("--store-directory"):]
        done = subprocess.run(
            [COMMAND, "store", "copy", *place, *words], env=self.environment, capture_output=True, text=True,
            timeout=60, check=False,
        )  # fmt: skip
        return done.returncode, json.loads(done.stdout or "{}")

    def good(self, name: str, *words: str) -> dict[str, Any]:
        """Returns the document of a subcommand that must succeed."""
        status, document = self.run(name, *words)
        assert status == 0, document
        return document

    def failure(self, name: str, *words: str) -> tuple[int, str]:
        """Returns the exit status of a subcommand that must fail, and its error code."""
        status, document = self.run(name, *words)
        return status, document["error"]["code"]

    def sign_in(self, username: str, *words: str) -> dict[str, Any]:
        """Signs a user in and returns the account."""
        with subprocess.Popen(
            [COMMAND, "login", *self.options, "--device-code", "--scope", "User.Read", *words],
            env=self.environment,
            stdout=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            assert process.stdout
            prompt = json.loads(process.stdout.readline())
            self.provider.approve(prompt["user_code"], username)
            account: dict[str, Any] = json.loads(process.stdout.readline())["account"]
        assert process.returncode == 0
        return account
