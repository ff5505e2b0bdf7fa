# SPDX-License-Identifier: MIT
"""The common part of the key tests: programs in C and Python that use a store, and their reports."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from configurations import nested  # noqa: E402
from provider import Provider  # noqa: E402

LIBRARY = ROOT / "build/lib/libtessera.so"
CLI = ROOT / "build/swift-release/release/tessera-cli"
CLIENT = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"
SCOPES = ["User.Read"]
NO_BUS = "disabled:"


class Failed(Exception):
    """A test failed; the message contains the observed values."""


class Skipped(Exception):
    """A test cannot run here; the message is the reason."""


class KeyringCrashed(Exception):
    """The real keyring crashed; the message contains its last output."""


def check(holds: bool, *what: object) -> None:
    """Fails unless a condition holds."""
    if not holds:
        raise Failed(" ".join(str(each) for each in what))


@dataclass
class Outcome:
    """The result of a program."""

    answer: dict[str, Any]
    log: str
    seconds: float

    @property
    def code(self) -> str:
        """The code of the error; empty for a result."""
        return str(self.answer.get("error", {}).get("code", ""))

    @property
    def message(self) -> str:
        """The message of the error."""
        return str(self.answer.get("error", {}).get("message", ""))


@dataclass
class DesktopUser:
    """A user of the machine: a home, a store, a session, and programs that run in it."""

    provider: Provider
    home: Path
    compiled: Path
    settings: dict[str, Any] = field(default_factory=dict)
    bus: str = NO_BUS
    key: int | None = None
    prepare: Callable[[], None] | None = None
    """Runs in the new process before its program."""
    wrapper: tuple[str, ...] = ()
    account: str = ""
    waited: list[float] = field(default_factory=list)

    @property
    def store(self) -> Path:
        """The directory of the store."""
        return self.home / "store"

    def environment(self) -> dict[str, str]:
        """Returns the environment of a program."""
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "LC_ALL": "C.UTF-8",
            "XDG_STATE_HOME": str(self.home / "state"), "DBUS_SESSION_BUS_ADDRESS": self.bus,
            "TESSERA_LIBRARY": str(LIBRARY), "LD_LIBRARY_PATH": str(LIBRARY.parent),
            "PYTHONPATH": str(ROOT / "bindings/python/src"), "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip

    def run(self, language: str, command: str, request: dict[str, Any]) -> Outcome:
        """Runs a program with one command; sign-ins are approved at once."""
        configuration = {
            "client_id": CLIENT, "authority": self.provider.entra_authority,
            "authority_type": "entra", "store_directory": str(self.store), **self.settings,
        }  # fmt: skip
        program = [sys.executable, str(HERE / "program.py")]
        words = [*self.wrapper, *(program if language == "Python" else [str(self.compiled)])]
        words += [json.dumps(nested(configuration) if language != "Python" else configuration), command]
        words += [json.dumps(request)]
        words += [] if self.key is None else [str(self.key)]
        start = time.monotonic()
        process = subprocess.Popen(
            words, env=self.environment(), text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, preexec_fn=self.prepare,
        )  # fmt: skip
        assert process.stdout is not None
        first = process.stdout.readline() if command == "sign_in" else ""
        if "user_code" in first:
            self.provider.approve(json.loads(first)["user_code"])
            first = ""
        output, log = process.communicate(timeout=120)
        seconds = time.monotonic() - start
        lines = (first + output).splitlines()
        check(process.returncode == 0 and bool(lines), language, "ended with", process.returncode, log)
        return Outcome(json.loads(lines[-1])["answer"], log, seconds)

    def sign_in(self, language: str = "Python", **request: Any) -> Outcome:
        """Signs in with a device code."""
        outcome = self.run(language, "sign_in", {"scopes": SCOPES, **request})
        if "account" in outcome.answer:
            self.account = outcome.answer["account"]["home_account_id"]
        return outcome

    def silent(self, language: str, **request: Any) -> Outcome:
        """Gets a token silently."""
        members = {"home_account_id": self.account, "scopes": SCOPES, **request}
        return self.run(language, "silent", members)

    def info(self, language: str = "C") -> dict[str, Any]:
        """Returns the report of the store."""
        return self.run(language, "info", {}).answer

    def image(self) -> dict[str, str]:
        """Returns the contents of the store directory, without the log that SQLite may merge."""
        return {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.store.glob("*"))
            if path.name == "default.db" or not path.name.startswith("default.")
        }

    def has_token(self, **request: Any) -> None:
        """Checks that both languages get a token and that the account is still signed in."""
        for language in ("C", "Python"):
            outcome = self.silent(language, **request)
            check("access_token" in outcome.answer, language, outcome.answer)
            check(outcome.answer["access_token"] not in outcome.log, "the log has the token")

    def fails_with(self, code: str, *words: str, within: float = 5, **request: Any) -> None:
        """Checks that both languages get an error with a remedy in time, and that no file changes."""
        before = self.image()
        for language in ("C", "Python"):
            outcome = self.silent(language, **request)
            check(outcome.code == code, language, "expected", code, "and got", outcome.answer)
            for word in words:
                check(word in outcome.message, f"no {word!r} in", outcome.message)
            check(outcome.seconds < within, language, "took", outcome.seconds)
            self.waited.append(outcome.seconds)
        check(self.image() == before, "the store was changed")

    def reports(self, **expected: Any) -> dict[str, Any]:
        """Checks that C and Python report the same, expected state of the store. Returns the report."""
        info, other = self.info("C"), self.info("Python")
        check(info == other, "C returns", info, "and Python", other)
        for name, value in expected.items():
            check(info.get(name) == value, name, "is", info.get(name), "not", value)
        return info
