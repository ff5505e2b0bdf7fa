# SPDX-License-Identifier: MIT
"""The lists of files in docs/architecture.md that calls enter, generated from traces of the calls."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from sources import ROOT

PAGE = ROOT / "docs/architecture.md"
MARKER = re.compile(r"<!-- made from a trace: (\S+) -->\n(.*?)<!-- end -->", re.S)
ROW = re.compile(r"^\| `([\w/]+)` \| (.+) \|$", re.M)
NAME = re.compile(r"`([\w+.]+)`")
# From the entry points down.
MODULES = (
    "TesseraC", "Tessera", "TesseraApple", "TesseraBroker", "TesseraLegacy", "TesseraMSALFile", "TesseraServices",
    "TesseraEngine", "TesseraPlatform", "TesseraCache", "TesseraWire", "CTesseraStore", "CTesseraSystem",
    "CTesseraCipher",
)  # fmt: skip

Files = dict[str, set[str]]
"""The files in Sources that each call enters."""


def order(folder: str) -> tuple[int, str]:
    """Returns the place of a folder in a list; unknown modules come last."""
    module = folder.partition("/")[0]
    return MODULES.index(module) if module in MODULES else len(MODULES), folder


def listed(files: set[str]) -> Iterator[str]:
    """Yields the lines of a list, one row for each folder."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(files):
        folder, _, file = name.rpartition("/")
        found[folder].append(f"`{file}`")
    yield f"{len(files)} files:\n"
    yield "| folder | files |\n|---|---|"
    for folder in sorted(found, key=order):
        yield f"| `{folder}` | {', '.join(found[folder])} |"


def page(text: str, files: Files) -> str:
    """Returns the page with new lists."""

    def generated(match: re.Match[str]) -> str:
        lines = listed(files[match[1]])
        return "\n".join([f"<!-- made from a trace: {match[1]} -->\n", *lines, "\n<!-- end -->"])

    return MARKER.sub(generated, text)


def faults(text: str, files: Files, slack: int) -> Iterator[str]:
    """Yields the calls without a list, and the lists that differ from the trace by more than a few files."""
    lists = {
        call: {f"{folder}/{name}" for folder, names in ROW.findall(rows) for name in NAME.findall(names)}
        for call, rows in MARKER.findall(text)
    }
    for call, entered in sorted(files.items()):
        differences = sorted(entered ^ lists.get(call, set()))
        if len(differences) > slack:
            yield f"{PAGE.name}: {call}: {', '.join(differences)}: run scripts/check-structure --built --write"
