# SPDX-License-Identifier: MIT
"""The fenced code blocks of the pages, as they stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent

from provider import ROOT

_FENCE = re.compile(r"^([ ]*)```(\S*)[ ]*$")


@dataclass(frozen=True)
class Block:
    """A code block of a page."""

    page: str
    """Its path from the top of the repository."""
    line: int
    """The number of the line that opens it."""
    language: str
    number: int
    """Which one of its language it is on the page, from 1."""
    text: str

    @property
    def key(self) -> str:
        """What settings.py calls it."""
        return f"{self.page} {self.language} {self.number}"

    @property
    def name(self) -> str:
        """Its name in the output."""
        return f"{self.page}:{self.line} ({self.language or 'no language'})"


def pages() -> list[str]:
    """Returns the paths of the pages."""
    found = ["README.md", "bindings/python/README.md"]
    return found + sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))


def blocks() -> list[Block]:
    """Every block of every page."""
    return [block for page in pages() for block in _blocks_of(page)]


def _blocks_of(page: str) -> Iterator[Block]:
    """The blocks of a page; one that nothing closes goes on to its end."""
    counts: dict[str, int] = {}
    opened, language, lines = 0, "", list[str]()
    for number, line in enumerate([*(ROOT / page).read_text().splitlines(), "```"], 1):
        fence = _FENCE.match(line)
        if opened and fence and not fence.group(2):
            counts[language] = counts.get(language, 0) + 1
            yield Block(page, opened, language, counts[language], dedent("\n".join(lines)) + "\n")
            opened = 0
        elif opened:
            lines.append(line)
        elif fence:
            opened, language, lines = number, fence.group(2), []
