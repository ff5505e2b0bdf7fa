# SPDX-License-Identifier: MIT
"""The same call in C, Python and Swift: each program responds with a status and a document."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from compiling import compiled  # noqa: E402
from configurations import nested  # noqa: E402
from timeouts import answering  # noqa: E402

LIBRARY = Path(os.environ.get("TESSERA_LIBRARY", ROOT / "build/lib/libtessera.so"))
SWIFT = Path(os.environ.get("TESSERA_ERRORS", ROOT / "build/swift-release/release/tessera-errors"))

Answer = tuple[int, dict[str, Any]]
Approve = Callable[[str], None]


class Client:
    """A program that makes one call for each line of its input."""

    def __init__(self, name: str, command: list[str | Path], folder: Path) -> None:
        """Starts the program with a separate folder for the keys of stores."""
        self.name = name
        self.keys = folder / "state"
        self._command = command
        self._start({})

    def _start(self, environment: dict[str, str]) -> None:
        own = {
            "XDG_STATE_HOME": str(self.keys), "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            "TESSERA_LIBRARY": str(LIBRARY),
        }  # fmt: skip
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            env=os.environ | own | environment,
        )  # fmt: skip

    @property
    def process_id(self) -> int:
        """The process ID."""
        return self._process.pid

    @contextmanager
    def surrounded(self, **environment: str) -> Iterator[None]:
        """Restarts the program in another environment for a while."""
        self.close()
        self._start(environment)
        try:
            yield
        finally:
            self.close()
            self._start({})

    def call(self, function: str, configuration: object, request: object, approve: Approve) -> Answer:
        """Makes a call; a string is passed on unmodified."""
        assert self._process.stdin and self._process.stdout
        if self.name == "C" and isinstance(configuration, dict):
            configuration = nested(configuration)
        texts = [each if isinstance(each, str) else json.dumps(each) for each in (configuration, request)]
        self._process.stdin.write("\t".join((function, *texts)) + "\n")
        while True:
            with answering(self._process, 120):
                first, _, rest = self._process.stdout.readline().partition("\t")
            if first != "prompt":
                return int(first), json.loads(rest)
            approve(json.loads(rest)["user_code"])

    def close(self) -> None:
        """Stops the program."""
        with answering(self._process, 120):
            self._process.communicate()


def in_c(folder: Path) -> Client:
    """Starts the program in C."""
    program = compiled(HERE / "situations.c", "-g", to=folder / "situations", library=LIBRARY)
    return Client("C", [program], folder)


def in_python(folder: Path) -> Client:
    """Starts the program in Python."""
    return Client("Python", [sys.executable, HERE / "situations.py"], folder)


def in_swift(folder: Path) -> Client:
    """Starts the program in Swift."""
    return Client("Swift", [SWIFT], folder)
