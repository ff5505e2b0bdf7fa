# SPDX-License-Identifier: MIT
"""The programs that are measured: started, pinned to one core, asked for one number at a time."""

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
"""What is measured has one core for itself, if there is another one for everything else."""

ENVIRONMENT = {
    **os.environ,
    "TESSERA_LIBRARY": str(LIBRARY),
    # The key of the sealed stores lies in a file there.
    "XDG_STATE_HOME": str(BUILD / "state"),
    "PYTHONPATH": str(ROOT / "bindings/python/src"),
    # An installed package has its bytecode.
    "PYTHONPYCACHEPREFIX": str(BUILD / "bytecode"),
    "PYTHONDONTWRITEBYTECODE": "",
}


class Program:
    """A running contestant; a context manager that ends it."""

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

    def ask(self, *words: object) -> float:
        """The program's answer to a command."""
        self.send(*words)
        return self.answer()

    def send(self, *words: object) -> None:
        """Give the program a command, whose answer is to be read later."""
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(map(str, words)) + "\n")

    def answer(self) -> float:
        """The answer to the command before."""
        return float(self._read())

    @property
    def memory(self) -> int:
        """Bytes of memory that the program has now."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        return 0

    def _read(self, expected: str | None = None) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line or expected not in (None, line):
            raise SystemExit(f"{self._process.args!r} ended: {line}")
        return line


def contestant(name: str, workload: Workload, store: Workload | None = None) -> Program:
    """A contestant over the store of a workload, or over another store with its requests."""
    requests = STORE / f"{workload.name}.requests"
    if name == "swift":
        group = (store or workload).name
        return Program(SWIFT, "hit", STORE, group, CLIENT, AUTHORITY, requests)
    if name == "c":
        return Program(BUILD / "contestant", configuration(store or workload), requests)
    kind = "tessera" if name == "python" else name
    program = ROOT / "Benchmarks/Python/contestant.py"
    return Program(sys.executable, program, kind, STORE, workload.name, requests)


def two_threads(workload: Workload) -> Program:
    """The C contestant on as many cores as there are."""
    requests = STORE / f"{workload.name}.requests"
    return Program(BUILD / "contestant", configuration(workload), requests, pinned=False)


def writer(workload: Workload) -> Program:
    """Another process that writes to the store of a workload."""
    return Program(SWIFT, "write", STORE, workload.name, CLIENT, AUTHORITY)


def list_floor(workload: Workload) -> Program:
    """A program that reads and opens the rows of a list, and does nothing else."""
    return Program(SWIFT, "floor", STORE, workload.name, CLIENT, AUTHORITY)


def configuration(workload: Workload, **others: str) -> str:
    """The configuration of an application over the store of a workload, with other members."""
    return json.dumps(
        {
            "client_id": CLIENT, "authority": AUTHORITY, "group": workload.name,
            "store_directory": str(STORE), **others,
        }
    )  # fmt: skip
