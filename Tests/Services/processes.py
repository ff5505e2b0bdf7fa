# SPDX-License-Identifier: MIT
"""Several processes that request the same token at the same time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from timeouts import answering

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

WORKER = Path(__file__).parent / "worker.py"


class Processes:
    """Running workers; a context manager that ends them."""

    def __init__(self, configuration: dict[str, Any], threads: Iterable[int]) -> None:
        """Starts a process for each number of threads and waits until it is ready."""
        self._running = [
            subprocess.Popen(
                [sys.executable, str(WORKER), str(count)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )
            for count in threads
        ]  # fmt: skip
        self._send(configuration)
        for process in self._running:
            assert self._line(process) == "ready\n", "a worker did not start"

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._running:
            if error is not None:
                process.kill()
            process.communicate(timeout=60)

    def call(self, **request: Any) -> list[list[Any]]:
        """Sends a request to all processes; returns a row for each thread."""
        self._send(request)
        return [row for process in self._running for row in json.loads(self._line(process))]

    def _send(self, document: dict[str, Any]) -> None:
        for process in self._running:
            assert process.stdin is not None
            process.stdin.write(json.dumps(document) + "\n")
        for process in self._running:
            assert process.stdin is not None
            process.stdin.flush()

    @staticmethod
    def _line(process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        with answering(process, 120):
            return process.stdout.readline()
