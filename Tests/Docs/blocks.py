# SPDX-License-Identifier: MIT
"""The fenced code blocks of the pages, unmodified."""

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
    """The path relative to the root of the repository."""
    line: int
    """The line number of the opening fence."""
    language: str
    number: int
    """The number among the blocks of its language on the page, from 1."""
    text: str

    @property
    def key(self) -> str:
        """The key in settings.py."""
        return f"{self.page} {self.language} {self.number}"

    @property
    def name(self) -> str:
        """The name in the output."""
        return f"{self.page}:{self.line} ({self.language or 'no language'})"


def pages() -> list[str]:
    """Returns the paths of the pages."""
    found = ["README.md", "bindings/python/README.md"]
    folders = (ROOT / "docs", *ROOT.glob("Sources/*/*.docc"))
    return found + sorted(str(path.relative_to(ROOT)) for folder in folders for path in folder.rglob("*.md"))


def blocks() -> list[Block]:
    """Returns every block of every page."""
    return [block for page in pages() for block in _blocks_of(page)]


def _blocks_of(page: str) -> Iterator[Block]:
    """Yields the blocks of a page; an unclosed one extends to the end."""
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
