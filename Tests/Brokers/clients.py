# SPDX-License-Identifier: MIT
"""Clients of the broker: the Python binding in this process, a program in C, and the command line in Swift."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tessera_identity
from broker_account import AUTHORITY, CLIENT
from desktop import ROOT, Desktop, check

from configurations import nested

LIBRARY = Path(os.environ.get("TESSERA_STAGE", ROOT / "build")) / "lib/libtessera.so"
os.environ["TESSERA_LIBRARY"] = str(LIBRARY)

CLI = Path(os.environ.get("TESSERA_CLI", ROOT / "build/swift-release/release/tessera-cli"))
SCOPES = ["User.Read"]


@dataclass
class DesktopUser:
    """A user of a desktop, with a store."""

    desktop: Desktop
    c_program: Path
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def store(self) -> Path:
        """The directory of the store."""
        return self.desktop.folder / "store"

    def configuration(self, **members: Any) -> dict[str, Any]:
        """Returns a configuration that prefers the broker."""
        own = {
            "client_id": CLIENT, "authority": AUTHORITY, "broker": "prefer", "store_directory": str(self.store),
            "storage_policy": "allow_plaintext",
        }  # fmt: skip
        return {**own, **self.settings, **members}

    def application(self, **members: Any) -> tessera_identity.PublicClientApplication:
        """Returns an application in this process that uses the bus of this desktop."""
        os.environ.update(self.desktop.environment())
        configuration = self.configuration(**members)
        return tessera_identity.PublicClientApplication(configuration.pop("client_id"), **configuration)

    def c(self, call: str, request: dict[str, Any], stop: int | None = None, **members: Any) -> dict[str, Any]:
        """Returns the output of the program in C."""
        words = [str(self.c_program), json.dumps(nested(self.configuration(**members))), call, json.dumps(request)]
        words += [] if stop is None else [str(stop)]
        done = subprocess.run(
            words, env=self.desktop.environment(), capture_output=True, text=True, timeout=100, check=True
        )
        check(done.stderr == "", "C returns", done.stderr)
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def cli(self, *words: str, broker: str = "prefer") -> tuple[int, dict[str, Any]]:
        """Returns the exit status and the output of the command."""
        options = [
            "--json", "--client-id", CLIENT, "--authority", AUTHORITY, "--store-directory", str(self.store),
            "--storage-policy", "allow_plaintext", "--broker", broker,
        ]  # fmt: skip
        done = subprocess.run(
            [str(CLI), *words, *options], env=self.desktop.environment(), capture_output=True, text=True,
            timeout=100, check=False,
        )  # fmt: skip
        text = done.stdout or done.stderr
        check(text.startswith("{"), "the command prints", text)
        return done.returncode, json.loads(text)


def error_of(call: Callable[[], object]) -> tessera_identity.TesseraError:
    """Returns the error that a call raises."""
    try:
        answer = call()
    except tessera_identity.TesseraError as error:
        return error
    check(False, "no error, but", answer)
    raise AssertionError


def reason_of(error: tessera_identity.TesseraError) -> str:
    """Returns the reason for skipping the broker."""
    words = [cause.code for cause in error.causes if cause.domain == "broker" and cause.code]
    return str(words[0]) if words else ""


def later(seconds: float, act: Callable[[], object]) -> threading.Timer:
    """Calls a function on another thread after a delay."""
    timer = threading.Timer(seconds, act)
    timer.start()
    return timer
