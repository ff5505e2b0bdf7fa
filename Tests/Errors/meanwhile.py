# SPDX-License-Identifier: MIT
"""Actions of other programs and of the system on a store during a call."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clients import Client

# Locks all credentials (docs/store.md), like a program that hangs in a refresh.
CREDENTIALS = """
import fcntl, os, sys
file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
fcntl.lockf(file, fcntl.LOCK_EX)
print(flush=True)
sys.stdin.read()
"""
# Locks the database, like a program that hangs in a commit.
DATABASE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print(flush=True)
sys.stdin.read()
"""


@contextmanager
def meanwhile(kind: str | None, store: Path, client: Client) -> Iterator[int | None]:
    """Runs an action during a call; yields the ID of its process, if it has one."""
    if kind == "credential_held":
        with _program(CREDENTIALS, store / "default.lock") as process:
            yield process
    elif kind == "database_held":
        with _program(DATABASE, store / "default.db") as process:
            yield process
    elif kind == "no_room":
        limits = resource.prlimit(client.process_id, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        try:
            yield None
        finally:
            resource.prlimit(client.process_id, resource.RLIMIT_FSIZE, limits)
    elif kind == "no_library":
        libraries = store.with_name("libraries")
        libraries.mkdir()
        for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
            (libraries / name).write_text("this is no library")
        with client.surrounded(LD_LIBRARY_PATH=str(libraries)):
            yield None
    else:
        yield None


@contextmanager
def _program(text: str, path: Path) -> Iterator[int]:
    """Runs a program that holds a lock until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", text, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "\n"
    try:
        yield process.pid
    finally:
        process.communicate()
