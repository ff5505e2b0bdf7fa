# SPDX-License-Identifier: MIT
"""The workers: started, controlled, read, killed, and stopped at the end."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build/soak"
LIBRARY = ROOT / "build/lib/libtessera.so"
KINDS = {
    "swift": [str(ROOT / "build/swift-release/release/tessera-soak")],
    "c": [str(BUILD / "worker")],
    "python": [sys.executable, str(Path(__file__).parent / "worker.py")],
}
# The soak tests themselves use the same Tessera package as the workers in Python.
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bindings/python/src")]
os.environ["TESSERA_LIBRARY"] = str(LIBRARY)

from configurations import nested  # noqa: E402

TIMEOUT = 120.0
"""The seconds after which a worker without a result has hung."""


class Trouble(Exception):
    """A soak test cannot continue, or a process hangs; the message is shown to the user."""


def version(token: str) -> int:
    """Returns the number that the provider gave an access token; later ones have higher numbers."""
    try:
        payload = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        return int(claims["jti"].split("-")[0])
    except (IndexError, KeyError, ValueError):
        raise Trouble(f"no access token of the provider: {token[:80]!r}") from None


@dataclass
class Answer:
    """The output of a worker about one call, or of a reader about equal reads."""

    start: int
    end: int
    kind: str
    """`cached`, `fetched` (and persisted), `unkept`, `listed`, `refused` or `died`."""
    text: str

    @property
    def version(self) -> int:
        """The number of the token."""
        return version(self.text.split(" ")[0])


@dataclass
class Worker:
    """A worker process."""

    kind: str
    process: subprocess.Popen[bytes]
    note: Any = None
    """Data of the soak test about the worker."""
    answers: list[Answer] = field(default_factory=list)
    """The results that were not taken yet."""
    times: list[str] = field(default_factory=list)
    """The lines about the durations of reads."""
    is_ready: bool = False
    has_ended: bool = False
    open_commands: int = 0
    rest: bytes = b""

    def send_command(self, verb: str, count: int, request: dict[str, Any], at: int = 0) -> None:
        """Sends a command."""
        line = f"{verb} {at} {count} {json.dumps(request)}\n"
        self.open_commands += 1
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            # The worker has died, which the end of its output shows.
            pass

    def take(self) -> list[Answer]:
        """Returns the results since the last call."""
        taken, self.answers = self.answers, []
        return taken

    def kill(self) -> None:
        """Kills the worker at any instruction (SIGKILL)."""
        self.process.send_signal(signal.SIGKILL)

    def read_output(self) -> None:
        """Reads its output."""
        assert self.process.stdout is not None
        try:
            data = os.read(self.process.stdout.fileno(), 1 << 20)
        except BlockingIOError:
            return
        self.has_ended = not data
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self._note(line.decode(errors="replace"))

    def _note(self, line: str) -> None:
        if line == "ready":
            self.is_ready = True
        elif line == "done":
            self.open_commands -= 1
        elif line.startswith("times "):
            self.times.append(line[6:])
        else:
            start, end, kind, text = [*line.split(" ", 3), ""][:4]
            self.answers.append(Answer(int(start), int(end), kind, text))


class WorkerPool:
    """All workers of a soak test; a context manager that stops all of them."""

    def __init__(self, home: Path) -> None:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.workers: list[Worker] = []
        self._selector = selectors.DefaultSelector()
        # Use no settings of the user: no data directory, no bus, no proxy.
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8",
            "TESSERA_LIBRARY": str(LIBRARY), "PYTHONPATH": str(ROOT / "bindings/python/src"),
            "SWIFT_BACKTRACE": "enable=no",
        }  # fmt: skip

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in list(self.workers):
            self.remove(worker)

    def start(
        self,
        kind: str,
        configuration: dict[str, Any],
        *,
        environment: dict[str, str] | None = None,
        prepare: Callable[[], None] | None = None,
    ) -> Worker:
        """Starts a worker; it is not ready yet."""
        text = json.dumps(nested(configuration) if kind == "c" else configuration)
        process = subprocess.Popen(
            [*KINDS[kind], text],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**self.environment, **(environment or {})}, preexec_fn=prepare,
        )  # fmt: skip
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        worker = Worker(kind, process)
        self._selector.register(process.stdout, selectors.EVENT_READ, worker)
        self.workers.append(worker)
        return worker

    def listen(self, seconds: float) -> None:
        """Reads the output of workers until there is some, or until a timeout."""
        for key, _ in self._selector.select(max(seconds, 0)):
            worker: Worker = key.data
            worker.read_output()
            if worker.has_ended:
                self._selector.unregister(key.fileobj)

    def wait(self, condition: Callable[[], bool], what: str, limit_seconds: float = TIMEOUT) -> None:
        """Reads the output until a condition holds."""
        end = time.monotonic() + limit_seconds
        while not condition():
            if time.monotonic() > end:
                raise Trouble(f"{what} took more than {limit_seconds:.0f} seconds")
            self.listen(0.1)

    def wait_until_ready(self, *workers: Worker) -> None:
        """Reads the output until workers accept commands."""
        chosen = workers or tuple(self.workers)
        self.wait(lambda: all(each.is_ready or each.has_ended for each in chosen), "the start")

    def wait_until_done(self, *workers: Worker, limit_seconds: float = TIMEOUT) -> None:
        """Reads the output until workers have executed all commands, or died."""
        chosen = workers or tuple(self.workers)
        self.wait(
            lambda: all(each.open_commands <= 0 or each.has_ended for each in chosen),
            "the commands of the workers", limit_seconds,
        )  # fmt: skip

    def remove(self, worker: Worker) -> None:
        """Kills a worker, reads its last output, and removes it."""
        worker.kill()
        while not worker.has_ended:
            self.listen(0.1)
        worker.process.wait()
        for stream in (worker.process.stdin, worker.process.stdout):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        self.workers.remove(worker)
