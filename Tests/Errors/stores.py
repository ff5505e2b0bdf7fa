# SPDX-License-Identifier: MIT
"""Stores in the states that programs meet: missing, damaged, of another user, without their key."""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path

GROUP = "default"


def _database(store: Path) -> Path:
    return store / f"{GROUP}.db"


def _missing(store: Path, keys: Path) -> None:
    for path in store.iterdir():
        path.unlink()


def _garbage(store: Path, keys: Path) -> None:
    _plain(store)
    _database(store).write_bytes(b"this is no database\n" * 1000)


def _plain(store: Path) -> None:
    """Removes the log and the other files of a database."""
    with sqlite3.connect(_database(store)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    for path in store.iterdir():
        if path != _database(store):
            path.unlink()


def _cut(store: Path, keys: Path) -> None:
    _plain(store)
    os.truncate(_database(store), 5000)


def _too_new(store: Path, keys: Path) -> None:
    _plain(store)
    with _database(store).open("r+b") as file:
        size = int.from_bytes(file.read(18)[16:18], "big")
        file.seek(0)
        page = bytearray(file.read(size))
        page[60:64] = (900_000).to_bytes(4, "big")  # user_version
        struct.pack_into("<II", page, size - 8, *_sum(page[:-8]))
        file.seek(0)
        file.write(page)


def _sum(page: bytearray) -> tuple[int, int]:
    """Returns the checksum of a first page without the counters of its header (docs/store.md)."""
    one, two = 1, 0
    for start, end in ((24, 28), (40, 44), (92, 100)):
        page[start:end] = bytes(end - start)
    for place in range(0, len(page), 8):
        first, second = struct.unpack_from("<II", page, place)
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def _of_another_program(store: Path, keys: Path) -> None:
    _missing(store, keys)
    with sqlite3.connect(_database(store)) as connection:
        connection.execute("PRAGMA application_id = 1234")
        connection.execute("CREATE TABLE recipe (name TEXT)")
    connection.close()
    _database(store).chmod(0o600)


def _symbolic_link(store: Path, keys: Path) -> None:
    elsewhere = store.with_name("elsewhere")
    store.rename(elsewhere)
    store.symlink_to(elsewhere)


def _linked_database(store: Path, keys: Path) -> None:
    _plain(store)
    elsewhere = store.with_name("elsewhere.db")
    _database(store).rename(elsewhere)
    _database(store).symlink_to(elsewhere)


def _writable_by_others(store: Path, keys: Path) -> None:
    store.chmod(0o777)


def _database_writable_by_others(store: Path, keys: Path) -> None:
    _database(store).chmod(0o666)


def _of_somebody_else(store: Path, keys: Path) -> None:
    os.chown(store, 65534, 65534)


def _a_file(store: Path, keys: Path) -> None:
    _missing(store, keys)
    store.rmdir()
    store.write_text("this is no directory")


def _database_is_a_directory(store: Path, keys: Path) -> None:
    _missing(store, keys)
    _database(store).mkdir()


def _key_gone(store: Path, keys: Path) -> None:
    for path in list(keys.rglob("*")):
        if path.is_file():
            path.unlink()


def _other_key(store: Path, keys: Path) -> None:
    for path in keys.rglob("*"):
        if path.is_file():
            path.write_bytes(bytes(each ^ 1 for each in path.read_bytes()))


def _nothing(store: Path, keys: Path) -> None:
    """Leaves a store unchanged after a sign-in."""


STATES: dict[str, Callable[[Path, Path], None]] = {
    "good": _nothing,
    "plain": lambda store, _: _plain(store),
    "missing": _missing,
    "garbage": _garbage,
    "cut": _cut,
    "too_new": _too_new,
    "of_another_program": _of_another_program,
    "symbolic_link": _symbolic_link,
    "linked_database": _linked_database,
    "writable_by_others": _writable_by_others,
    "database_writable_by_others": _database_writable_by_others,
    "of_somebody_else": _of_somebody_else,
    "a_file": _a_file,
    "database_is_a_directory": _database_is_a_directory,
    "key_gone": _key_gone,
    "other_key": _other_key,
}
