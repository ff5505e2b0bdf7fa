# SPDX-License-Identifier: MIT
"""Creates the fixtures with the library of the base commit; started by Tests/Compatibility/make.

usage: fixtures.py LIBRARY COMMIT
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "scripts"), str(HERE.parent / "Interop")]

from authorities import Authorities  # noqa: E402
from normal import normal  # noqa: E402
from scenario import Scenario, read  # noqa: E402
from stores import Store  # noqa: E402

FIXTURES = HERE / "fixtures"
KINDS = ("sqlite", "msal_file")


def made(library: Path, commit: str, kind: str) -> dict[str, Any]:
    """Writes a store, copies it to the fixtures, reads and changes it; returns the results of all calls."""
    with (
        tempfile.TemporaryDirectory() as name,
        contextlib.closing(Authorities(Path(name))) as front,
    ):
        folder = Path(name, "user")
        folder.mkdir()
        store = Store(library, folder, kind, front)
        written = Scenario(store)
        begun = written.write()
        results = {"commit": commit, "made_on": int(time.time()), "begun": begun}
        results |= {"written": normal(written.results), "requests": normal(front.seen)}
        shutil.copytree(
            folder, FIXTURES / kind, ignore=shutil.ignore_patterns("*-shm", "adal.json")
        )
        results["read"] = normal(read(Store(library, folder, kind)))
        store.restore(FIXTURES / kind)
        front.reset()
        proceeded = Scenario(store)
        proceeded.proceed(begun)
        return {
            **results,
            "proceeded": normal(proceeded.results),
            "later_requests": normal(front.seen),
        }


def lines(results: dict[str, Any]) -> str:
    """Returns JSON with one line for each call and request."""
    parts = []
    for name, value in results.items():
        items = ",\n".join(map(json.dumps, value)) if isinstance(value, list) else ""
        parts.append(f"{json.dumps(name)}: " + (f"[\n{items}\n]" if items else json.dumps(value)))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> int:
    """Replaces the fixtures."""
    shutil.rmtree(FIXTURES, ignore_errors=True)
    FIXTURES.mkdir()
    for kind in KINDS:
        results = made(Path(sys.argv[1]).resolve(), sys.argv[2], kind)
        (FIXTURES / f"{kind}.json").write_text(lines(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
