# SPDX-License-Identifier: MIT
"""The example programs, run like users do: each one in a separate process."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from registration import CLIENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ROOT = Path(__file__).resolve().parents[2]
C_PROGRAMS = ROOT / "build/servers/bin"
SWIFT_PROGRAMS = ROOT / "build/swift-release/release"


@dataclass(frozen=True)
class Outcome:
    """The result of a program: 0 or the number of the error's class, its last line as JSON, its standard error."""

    status: int
    answer: dict[str, Any]
    complaint: str


@dataclass(frozen=True)
class Programs:
    """The examples of one language with their common options."""

    command: Callable[[str], list[str]]
    authority: str
    store: Path
    ca_file: Path | None

    def run(self, name: str, *options: str) -> Outcome:
        """Runs an example to its end."""
        with self.start(name, *options) as process:
            return outcome(process)

    def sign_in(self, approve: Callable[[str, str], object]) -> Outcome:
        """Runs sign_in; `approve` gets the address and the code that it shows."""
        with self.start("sign_in") as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            if line:
                prompt = json.loads(line)
                try:
                    approve(prompt["verification_uri"], prompt["user_code"])
                except BaseException:
                    process.kill()
                    raise
            return outcome(process)

    def start(self, name: str, *options: str) -> subprocess.Popen[str]:
        """Starts an example."""
        fixed = {"--client-id": CLIENT, "--scope": "api.read", "--authority": self.authority}
        fixed["--store-directory"] = str(self.store)
        if self.ca_file is not None:
            fixed["--ca-file"] = str(self.ca_file)
        arguments = [word for option in fixed.items() for word in option]
        return subprocess.Popen(
            [*self.command(name), *arguments, *options, "--json"],
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


def outcome(process: subprocess.Popen[str]) -> Outcome:
    """Returns the result of an example."""
    output, complaint = process.communicate(timeout=60)
    # The tokens of this provider are JWTs, which all begin like this.
    assert "eyJ" not in output + complaint, "a program shows a token"
    lines = output.splitlines()
    return Outcome(process.returncode, json.loads(lines[-1]) if lines else {}, complaint)


def run_at_once(several: Iterable[Programs], name: str) -> list[Outcome]:
    """Runs an example several times concurrently."""
    started = [each.start(name) for each in several]
    return [outcome(process) for process in started]


def python(name: str) -> list[str]:
    """Returns the command of a Python example."""
    return [sys.executable, str(ROOT / f"examples/python/{name}.py")]


def c(name: str) -> list[str]:
    """Returns the command of a C example."""
    return [str(C_PROGRAMS / name)]


def swift(name: str) -> list[str]:
    """Returns the command of a Swift example."""
    return [str(SWIFT_PROGRAMS / name)]


LANGUAGES = (python, c, swift)
