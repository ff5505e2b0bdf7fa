# SPDX-License-Identifier: MIT
"""Builds and starts the examples of all languages with common options."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from provider import ROOT
from timeouts import answering

RELEASE = ROOT / "build/swift-release/release"
EXAMPLES = ROOT / "build/examples-c"
STAGE = ROOT / "build/stage"
LANGUAGES = ("C", "Python", "Swift")
PROGRAMS = (
    "sign_in", "sign_in_browser", "get_token", "explain", "accounts", "broker_accounts", "migrate", "sign_out",
)  # fmt: skip
# The output of an example with --json.
Token = dict[str, Any]
# The pages shown to the approving user.
Shown = TypeVar("Shown")
ENVIRONMENT = {
    **os.environ,
    # Do not use the keyring and the key files of the current user.
    "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    "XDG_STATE_HOME": str(ROOT / "build/state"),
    "PKG_CONFIG_PATH": str(STAGE / "lib/pkgconfig"),
    "LD_LIBRARY_PATH": str(STAGE / "lib"),
    "PYTHONPATH": str(ROOT / "bindings/python/src"),
    "TESSERA_LIBRARY": str(STAGE / "lib/libtessera.so"),
}


class Mismatch(Exception):
    """A step of the demonstration failed; the message is shown to the user."""


def expect(condition: bool, otherwise: str) -> None:
    """Raises `Mismatch` unless a condition holds."""
    if not condition:
        raise Mismatch(otherwise)


def build(swift: Sequence[str] = PROGRAMS) -> None:
    """Builds the library, the provider and the examples in C and Swift. Quick if they are up to date."""
    log = ROOT / "build/log/demo-build"
    log.parent.mkdir(parents=True, exist_ok=True)
    EXAMPLES.mkdir(parents=True, exist_ok=True)
    steps: list[list[str]] = [
        # The provider first: its own sources are compiled while the modules of both wait for each other.
        ["scripts/build-release", "tessera-provider", "tessera-c", *swift],
        ["scripts/install", str(STAGE), "library"],
        ["make", "-C", "examples/c", f"OUTPUT={EXAMPLES}"],
    ]
    with log.open("w") as output:
        for step in steps:
            done = subprocess.run(
                step, cwd=ROOT, env=ENVIRONMENT, stdout=output, stderr=subprocess.STDOUT
            )
            if done.returncode != 0:
                tail = "\n".join(log.read_text(errors="replace").splitlines()[-30:])
                raise Mismatch(f"{' '.join(step)} failed; the end of {log}:\n{tail}")


def command(language: str, name: str) -> list[str]:
    """Returns the command that starts an example."""
    if language == "C":
        return [str(EXAMPLES / name)]
    if language == "Python":
        return [sys.executable, str(ROOT / f"examples/python/{name}.py")]
    return [str(RELEASE / name)]


class Desk:
    """The examples of all languages, with common options."""

    client_id = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"

    def __init__(
        self, authority: str, *, kind: str, store: str, scope: str = "User.Read",
        others: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Prepares programs for an authority of a kind, which share a store.

        Args:
            authority: The authority.
            kind: Its `authority_type`.
            store: The directory of the store.
            scope: The requested scope.
            others: Additional options; they override the ones above.
        """
        self._options = [
            "--client-id", self.client_id, "--scope", scope, "--authority", authority,
            "--authority-type", kind, "--store-directory", store, "--json", *others,
        ]  # fmt: skip
        self._started: list[subprocess.Popen[str]] = []
        self.signed_in: Token = {}

    def start(
        self, language: str, name: str, *options: str, under: Sequence[str] = (),
        complains: bool = True,
    ) -> subprocess.Popen[str]:  # fmt: skip
        """Starts an example, optionally under another program, with or without its standard error."""
        process = subprocess.Popen(
            [*under, *command(language, name), *self._options, *options], env=ENVIRONMENT,
            text=True, stdout=subprocess.PIPE, stderr=None if complains else subprocess.DEVNULL,
        )  # fmt: skip
        self._started.append(process)
        return process

    def close(self) -> None:
        """Stops programs that still run after a failure."""
        for process in self._started:
            process.kill()
            process.wait()

    def sign_in(
        self, language: str, approve: Callable[[str, str, str], Shown], username: str, *options: str
    ) -> tuple[str, Shown]:
        """Signs in with an example, and approves as the user.

        Returns the instruction that the example prints and the pages that the user sees. `approve` receives
        the address, the code and the user name.
        """
        process = self.start(language, "sign_in", *options)
        assert process.stdout is not None
        with answering(process, 120):
            line = process.stdout.readline()
        expect(line != "", "sign_in showed no code")
        prompt = json.loads(line)
        address, code = prompt["verification_uri"], prompt["user_code"]
        seen_pages = approve(address, code, username)
        self.signed_in = self.result(process)
        seen = self.signed_in["username"]
        expect(seen == username, f"{seen} is signed in, not {username}")
        return f"open {address} and enter {code}", seen_pages

    def result(self, process: subprocess.Popen[str]) -> Token:
        """Returns the last line that an example prints."""
        output, _ = process.communicate(timeout=120)
        expect(process.returncode == 0, f"{process.args!r} ended with {process.returncode}")
        return dict(json.loads(output.splitlines()[-1]))
