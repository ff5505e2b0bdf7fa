# SPDX-License-Identifier: MIT
"""tessera-webview without the library: a request to its input, lines of its output."""

from __future__ import annotations

import select
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

SECONDS = 90


class Helper:
    """A running web view; a context manager that stops it like the library, and expects its end."""

    def __init__(self, program: Path, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )

    def __enter__(self) -> Helper:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise
        finally:
            self._process.stdout.close()

    def ask(
        self, page: str, redirect: str, session: str = "ephemeral",
        others: Mapping[str, object] | None = None,
    ) -> None:  # fmt: skip
        """Sends a request to show a page, with optional fields."""
        fields = {"page": page, "redirect": redirect, "session": session, **(others or {})}
        lines = [f"{name} {value}" for name, value in fields.items()]
        self.write("\n".join(["tessera-webview 1", *lines, "", ""]))

    def write(self, text: str) -> None:
        """Writes to its input; an empty text closes it."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text.encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        if not text:
            self._process.stdin.close()

    def line(self) -> str:
        """Returns the next line of its output."""
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], SECONDS)[0]:
            raise TimeoutError(f"the web view printed nothing for {SECONDS} s")
        return self._process.stdout.readline().decode().rstrip("\n")
