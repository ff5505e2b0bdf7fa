# SPDX-License-Identifier: MIT
"""The measured programs: started, pinned to one core, and controlled by commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType

from workload import AUTHORITY, CLIENT, Workload

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build/bench"
STORE = BUILD / "store"
SWIFT = ROOT / "build/swift-release/release/tessera-bench"
LIBRARY = ROOT / "build/lib/libtessera.so"
CORES = os.sched_getaffinity(0)
CORE = max(CORES)
"""Measured programs have this core to themselves if there is another one for all other processes."""

ENVIRONMENT = {
    **os.environ,
    "TESSERA_LIBRARY": str(LIBRARY),
    # The directory of the key file of encrypted stores.
    "XDG_STATE_HOME": str(BUILD / "state"),
    "PYTHONPATH": str(ROOT / "bindings/python/src"),
    # An installed package includes its bytecode.
    "PYTHONPYCACHEPREFIX": str(BUILD / "bytecode"),
    "PYTHONDONTWRITEBYTECODE": "",
}


class Program:
    """A running contestant. As a context manager, it ends the process."""

    def __init__(self, *command: str | Path, pinned: bool = True) -> None:
        self._process = subprocess.Popen(
            [str(word) for word in command], env=ENVIRONMENT, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        os.sched_setaffinity(self._process.pid, {CORE} if pinned else CORES)
        self._read("ready")

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def execute(self, *words: object) -> float:
        """Sends a command and returns its result."""
        self.send(*words)
        return self.read_result()

    def send(self, *words: object) -> None:
        """Sends a command. Its result must be read later."""
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(map(str, words)) + "\n")

    def read_result(self) -> float:
        """Reads the result of the previous command."""
        return float(self._read())

    @property
    def memory(self) -> int:
        """The current memory of the program, in bytes, with the pages of files that it used."""
        return self._status("VmRSS:")

    @property
    def own_memory(self) -> int:
        """The current memory that the program shares with no other process and no file, in bytes."""
        return self._status("RssAnon:")

    def _status(self, name: str) -> int:
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1]) * 1024
        return 0

    def _read(self, expected: str | None = None) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line or expected not in (None, line):
            raise SystemExit(f"{self._process.args!r} ended: {line}")
        return line


def output_of(*command: str | Path) -> str:
    """Runs a program on the core for measurements, and returns its output."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {CORE})
    try:
        return subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True, check=True).stdout
    finally:
        os.sched_setaffinity(0, before)


def contestant(name: str, workload: Workload, store: Workload | None = None) -> Program:
    """Starts a contestant with the store of a workload, or with another store but the same requests."""
    requests = STORE / f"{workload.name}.requests"
    group = (store or workload).name
    if name == "swift":
        return Program(SWIFT, "hit", STORE, group, CLIENT, AUTHORITY, requests)
    if name == "c":
        return Program(BUILD / "contestant", configuration(store or workload), requests)
    if name in ("cpp", "go", "rust"):
        return Program(BUILD / f"contestant-{name}", CLIENT, AUTHORITY, STORE, group, requests)
    if name in ("java", "jna"):
        classes = f"/usr/share/java/jna.jar:{BUILD / 'java'}"
        return Program("java", "-cp", classes, "Contestant", name, CLIENT, AUTHORITY, STORE, group, requests)
    if name in ("node", "napi"):
        script = BUILD / "contestant.mjs"
        return Program("node", script, name, CLIENT, AUTHORITY, STORE, group, requests)
    if name in ("ruby", "ruby-call"):
        folders = (f"-I{BUILD / 'ruby'}", f"-I{ROOT / 'bindings/ruby/lib'}")
        program = ROOT / "Benchmarks/Ruby/contestant.rb"
        return Program("ruby", *folders, program, name, CLIENT, AUTHORITY, STORE, group, requests)
    kind = "tessera" if name == "python" else name
    program = ROOT / "Benchmarks/Python/contestant.py"
    return Program(sys.executable, program, kind, STORE, workload.name, requests)


def two_threads(workload: Workload) -> Program:
    """Starts the C contestant on all available cores."""
    requests = STORE / f"{workload.name}.requests"
    return Program(BUILD / "contestant", configuration(workload), requests, pinned=False)


def writer(workload: Workload) -> Program:
    """Starts another process that writes to the store of a workload."""
    return Program(SWIFT, "write", STORE, workload.name, CLIENT, AUTHORITY)


def row_floor(workload: Workload) -> Program:
    """Starts a program that only reads and decrypts the rows of an account list or of a first call."""
    requests = STORE / f"{workload.name}.requests"
    return Program(SWIFT, "floor", STORE, workload.name, CLIENT, AUTHORITY, requests)


def configuration(workload: Workload, **others: str) -> str:
    """Returns the configuration of an application with the store of a workload and further members."""
    return json.dumps(
        {
            "client_id": CLIENT, "authority": AUTHORITY,
            "store": {"group": workload.name, "directory": str(STORE)}, **others,
        }
    )  # fmt: skip
