# SPDX-License-Identifier: MIT
"""Measures the import of older libraries' caches, compared with SQLite storing as many rows.

usage: Benchmarks/Python/migration.py [USERS]...   (default: 1000, 10000 and 50000)
"""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BATCH = 500
ROW = b"x" * 1700
"""About the size of an imported account in the store."""


def floor(folder: str, users: int) -> float:
    """Returns the seconds that SQLite needs for as many rows, equally durable and in as many commits."""
    store = sqlite3.connect(Path(folder, "floor.db"), isolation_level=None)
    store.executescript(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE record (key INTEGER PRIMARY KEY, body BLOB NOT NULL);"
    )
    began = time.perf_counter()
    for start in range(0, users, BATCH):
        store.execute("BEGIN IMMEDIATE")
        rows = [(hash(str(user)), ROW) for user in range(start, min(start + BATCH, users))]
        store.executemany("INSERT OR REPLACE INTO record VALUES (?, ?)", rows)
        store.execute("COMMIT")
    return time.perf_counter() - began


def memory() -> float:
    """Returns the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(path: str, folder: str) -> None:
    """Imports a cache in this process, and prints seconds, accounts and megabytes beyond the file size."""
    sys.path.insert(0, str(ROOT / "bindings/python/src"))
    import tessera_identity

    with tessera_identity.PublicClientApplication("app", store_directory=folder) as application:
        application.store_info()
        before = memory()
        began = time.perf_counter()
        report = application.migrate(path)
        seconds = time.perf_counter() - began
    extra = memory() - before - Path(path).stat().st_size / (1 << 20)
    migrated = sum(each.outcome == "migrated" for each in report.accounts)
    print(seconds, migrated, max(extra, 0))


def main(sizes: list[int]) -> int:
    """Prints a table."""
    environment = {
        "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        "TESSERA_LIBRARY": str(ROOT / "build/lib/libtessera.so"), **os.environ,
    }  # fmt: skip
    print("| accounts | format | seconds | SQLite alone | ratio | beyond the file, MB |")
    print("|---|---|---|---|---|---|")
    for users in sizes:
        for name in ("adal_python", "adal_dotnet"):
            with tempfile.TemporaryDirectory() as folder:
                environment["XDG_STATE_HOME"] = folder
                subprocess.run([sys.executable, HERE / "older_caches.py", folder, str(users)], check=True)
                run = subprocess.run(
                    [sys.executable, __file__, "--in", f"{folder}/{name}", f"{folder}/store"],
                    env=environment, check=True, capture_output=True, text=True,
                )  # fmt: skip
                seconds, migrated, extra = (float(word) for word in run.stdout.split())
                if migrated != users:
                    print(f"{migrated:.0f} of {users} were taken over", file=sys.stderr)
                    return 1
                alone = floor(folder, users)
            print(
                f"| {users:,} | `{name}` | {seconds:.2f} | {alone:.2f} | {seconds / alone:.1f} | {extra:.0f} |",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--in"]:
        measured(*sys.argv[2:4])
    else:
        sys.exit(main([int(word) for word in sys.argv[1:]] or [1000, 10_000, 50_000]))
