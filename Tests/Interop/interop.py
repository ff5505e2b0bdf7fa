# SPDX-License-Identifier: MIT
"""Lets Tessera and the real libraries of others share sign-ins.

usage: interop.py [WORD]...   (the rows whose names have a word; Tests/Interop/run gets the peers first)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bindings/python/src")]
os.environ.setdefault("TESSERA_LIBRARY", str(ROOT / "build/lib/libtessera.so.0"))


def told(name: str, row: Callable[[], Any]) -> bool:
    """Tell a row, and print how it ended, with its figures if it has some."""
    try:
        figures = row()
    except Exception as problem:  # noqa: BLE001 - whatever it is, the other rows are told
        print(f"failed   {name}: {type(problem).__name__}: {problem}", flush=True)
        return False
    print(f"passed   {name}{f': {figures}' if figures else ''}", flush=True)
    return True


def main(words: list[str]) -> int:
    """Tell the rows."""
    if words[:1] == ["--skipped"]:
        print(f"skipped  all rows: {words[1]}\n0 passed, 0 failed; all rows were skipped: {words[1]}")
        return 0
    from azure_sdk import AZURE

    # Nothing of whoever runs this: no keyring, no key, no proxy.
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
    os.environ["XDG_STATE_HOME"] = str(ROOT / "build/interop/state")
    chosen = [name for name in AZURE if not words or any(word in name for word in words)]
    results = [told(name, lambda name=name: AZURE[name](None)) for name in chosen]  # type: ignore[misc]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
