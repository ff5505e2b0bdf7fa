# SPDX-License-Identifier: MIT
"""The driver of a runtime: a process that performs one command for each line of its standard input."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

from examples import expect
from timeouts import answering


class Skipped(Exception):
    """The runtime cannot have a case; the message is the reason."""


class Driver:
    """A running driver; a context manager that kills it."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], is_sanitized: bool) -> None:
        self.is_sanitized = is_sanitized
        """Whether AddressSanitizer keeps freed memory."""
        self.result: dict[str, Any] = {}
        """The result of the last command."""
        self._process = subprocess.Popen(
            command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> Driver:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()

    def send(self, command: Mapping[str, Any]) -> None:
        """Sends a command."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command, separators=(",", ":")) + "\n")
        self._process.stdin.flush()

    def prompts(self) -> Iterator[dict[str, Any]]:
        """Yields the prompts of the command, and then sets its result."""
        assert self._process.stdout is not None
        while True:
            with answering(self._process, 500):
                line = self._process.stdout.readline()
            expect(line != "", f"the driver ended with {self._process.poll()}")
            document = json.loads(line)
            if "skipped" in document:
                raise Skipped(document["skipped"])
            if "user_code" not in document:
                self.result = document
                return
            yield document

    def interrupt(self) -> None:
        """Sends the signal of Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    def close(self) -> None:
        """Ends the input, and checks that the driver exits without a crash."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        with answering(self._process, 60):
            status = self._process.wait()
        expect(status == 0, f"the driver ended with {status}")
