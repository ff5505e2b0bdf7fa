# SPDX-License-Identifier: MIT
"""The hand-written lines of the bindings: without comments, blank lines, generated code, tests and adapters."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from budgets import Counted
from sources import ROOT

# `shared` is the code that the packages for Go, Node.js and Ruby have copies of.
NAMES = ("cpp", "go", "java", "node", "ruby", "rust", "shared")
KINDS = (".c", ".h", ".hpp", ".go", ".java", ".js", ".mjs", ".rb", ".rs")
LIMIT = 1050
GENERATED = re.compile(r"\bgenerated from ", re.IGNORECASE)
COPIES = ("tessera.h", "loader.h")
TEST = re.compile(r"(?:^|/)tests?/|_test\.go$")
# Modules for packages of the ecosystem, such as the Azure SDK.
ADAPTER = re.compile(r"azure|^(?:azcore|oauth2)/|/(?:faraday|googleauth)\.rb$")
# A line without code, where a line comment has replaced each block comment.
EMPTY = re.compile(r"\s*(?://.*)?")
EMPTY_IN_RUBY = re.compile(r"\s*(?:#.*)?")


def lines_of_code(path: Path, text: str) -> int:
    """Counts the lines with code."""
    if path.suffix == ".rb":
        return sum(not EMPTY_IN_RUBY.fullmatch(line) for line in text.splitlines())
    text = re.sub(r"/\*.*?\*/", "//", text, flags=re.DOTALL)
    return sum(not EMPTY.fullmatch(line) for line in text.splitlines())


def files(name: str) -> Iterator[Path]:
    """Yields the hand-written files of a binding."""
    folder = ROOT / "bindings" / name
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "."],
        cwd=folder, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    for each in listed:
        path = folder / each
        if path.suffix not in KINDS or TEST.search(each) or ADAPTER.search(each) or not path.is_file():
            continue
        if name == "shared" or path.name not in COPIES and not GENERATED.search(path.read_text()[:400]):
            yield path


def counted() -> list[Counted]:
    """Returns the lines of each binding."""
    return [
        Counted(name, sum(lines_of_code(path, path.read_text()) for path in files(name)), f"bindings/{name}")
        for name in NAMES
    ]
