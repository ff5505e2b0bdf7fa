# SPDX-License-Identifier: MIT
"""Tests the cache shared by Tessera and other libraries; docs/interop.md has the figures.

usage: interop.py [WORD]...   (rows with a word in their names; Tests/Interop/run installs the peers first)
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / name) for name in ("scripts", "bindings/python/src", "Tests/Soak")]
os.environ.setdefault("TESSERA_LIBRARY", str(ROOT / "build/lib/libtessera.so"))

from timeouts import at_most  # noqa: E402


@at_most(3600)
def run_row(name: str, row: Callable[[], Any]) -> bool:
    """Runs a row, and prints the result with its figures, if any."""
    try:
        figures = row()
    except Exception as problem:  # noqa: BLE001 - the other rows run after any error
        print(f"failed   {name}: {type(problem).__name__}: {problem}", flush=True)
        return False
    print(f"passed   {name}{f': {figures}' if figures else ''}", flush=True)
    return True


def in_one_world(chosen: Callable[[str], bool]) -> Iterator[bool]:
    """Runs the rows that need authorities, with an empty file for each."""
    from copies import COPIES
    from golden import GOLDEN
    from items import ITEMS
    from known import KNOWN
    from rows import ROWS
    from world import World

    every = {**ROWS, **KNOWN, **ITEMS, **GOLDEN, **COPIES}
    rows = {name: row for name, row in every.items() if chosen(name)}
    if not rows:
        return
    with tempfile.TemporaryDirectory() as folder, World(Path(folder)) as world:
        for name, row in rows.items():
            world.clear()
            yield run_row(name, lambda row=row: row(world))  # type: ignore[misc]


def alone(chosen: Callable[[str], bool]) -> Iterator[bool]:
    """Runs the rows that need only a folder."""
    from azure_sdk import AZURE
    from crowd import CROWDS
    from failures import FAILURES
    from left_locks import LEFT_LOCKS
    from stopped import STOPPED

    for name, row in {**AZURE, **FAILURES, **LEFT_LOCKS, **STOPPED, **CROWDS}.items():
        if chosen(name):
            with tempfile.TemporaryDirectory() as folder:
                yield run_row(name, lambda row=row, folder=folder: row(Path(folder)))  # type: ignore[misc]


def main(words: list[str]) -> int:
    """Runs the rows."""
    if words[:1] == ["--skipped"]:
        print(
            f"skipped  all rows: {words[1]}\n0 passed, 0 failed; all rows were skipped: {words[1]}"
        )
        return 0
    # Use no settings of the user: no keyring, no key, no proxy.
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
    os.environ["XDG_STATE_HOME"] = str(ROOT / "build/interop/state")

    def chosen(name: str) -> bool:
        return not words or any(word in name for word in words)

    results = [*in_one_world(chosen), *alone(chosen)]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
