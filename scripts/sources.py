# SPDX-License-Identifier: MIT
"""The source files of the repository, their code without comments and literals, and their functions."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("Sources", "Tests", "Benchmarks", "bindings", "examples", "include", "scripts")
KINDS = (".swift", ".c", ".h", ".py", "")
# The folder of the programs, which are not part of the library.
PROGRAMS = "Programs"
# Modules without access to the clock, the disk and the network.
PURE = ("TesseraWire", "TesseraCache", "TesseraEngine")
FUNCTION_START = re.compile(
    r"^\s*(?:[\w@()]+\s+)*(?:func\s+\S|init[?(<]|deinit\s*\{|subscript[(<])"
)
# String literals and comments, which may contain braces or keywords.
NO_CODE = re.compile(r'"(?:\\.|[^"\\])*"|//.*')
# A line with a reason in this form is an exception: // allowed: <reason>
ALLOWED = re.compile(r"//\s*allowed: \S")


@dataclass(frozen=True)
class Function:
    """A Swift function: its first line, its length and its text."""

    line: int
    length: int
    head: str


@dataclass(frozen=True)
class Source:
    """A file of the repository."""

    path: Path

    @property
    def name(self) -> str:
        """The path in the repository."""
        return str(self.path.relative_to(ROOT))

    @property
    def module(self) -> str:
        """The target of the file, or the folder of the programs; empty outside of Sources."""
        parts = self.path.relative_to(ROOT).parts
        return parts[1] if parts[0] == "Sources" else ""

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the file."""
        return self.path.read_text(errors="replace").splitlines()

    @property
    def code(self) -> Iterator[tuple[int, str, str]]:
        """Yields the number, the code and the text of each line that is not an exception."""
        for number, line in enumerate(self.lines, 1):
            if not ALLOWED.search(line):
                yield number, NO_CODE.sub('""', line), line

    @property
    def functions(self) -> Iterator[Function]:
        """Yields the Swift functions with a body."""
        for start, line in enumerate(self.lines):
            if not FUNCTION_START.match(line) or (length := self._length(start)) is None:
                continue
            yield Function(start + 1, length, "\n".join(self.lines[start : start + length]))

    def _length(self, start: int) -> int | None:
        """Returns the length of the function at a line; None for a protocol requirement."""
        depth, opened = 0, False
        indent = len(self.lines[start]) - len(self.lines[start].lstrip())
        for end in range(start, len(self.lines)):
            code = NO_CODE.sub("", self.lines[end])
            depth += code.count("{") - code.count("}")
            opened = opened or "{" in code
            if opened and depth <= 0:
                return end - start + 1
            if not opened and end > start and len(code) - len(code.lstrip()) < indent:
                return None
        return None


def sources() -> list[Source]:
    """Returns the source files that the repository knows."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *FOLDERS],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    paths = [ROOT / name for name in listed]
    return [Source(path) for path in paths if path.suffix in KINDS and path.is_file()]
