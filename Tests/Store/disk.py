# SPDX-License-Identifier: MIT
"""The possible contents of a disk after a power loss: replays the operations that recorder.c recorded.

Synced data exists. Of later writes, any sectors may exist, in any order, and the rest is old or zero. Names
follow a journal: names that were created, renamed or removed since the sync of their directory exist up to
some point.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SECTOR = 512


class Operation(NamedTuple):
    """One line of the record."""

    name: str
    inode: int
    data: bytes
    number: int
    path: str


def operations(record: Path) -> list[Operation]:
    """Returns the operations of a program, in order."""
    return list(_read(record.read_bytes()))


def _read(text: bytes) -> Iterator[Operation]:
    place = 0
    while place < len(text):
        end = text.index(b"\n", place)
        name, inode, length, number, path = text[place:end].split(b" ", 4)
        place = end + 1 + int(length)
        yield Operation(
            name.decode(), int(inode), text[end + 1 : place], int(number), path.decode()
        )


class _File:
    """One inode: its durable content, and the later operations."""

    def __init__(self) -> None:
        self.safe = bytearray()
        self.waiting: list[Operation] = []

    def sync(self) -> None:
        for operation in self.waiting:
            _apply(self.safe, operation)
        self.waiting = []

    def left(self, chance: random.Random, share: float) -> bytes:
        """Returns the content if a share of the unsynced sectors was written."""
        data = bytearray(self.safe)
        for operation in self.waiting:
            if operation.name != "write":
                if chance.random() < share:
                    _apply(data, operation)
                continue
            for piece in _sectors(operation):
                if chance.random() < share:
                    _apply(data, piece)
        return bytes(data)


def _sectors(operation: Operation) -> Iterator[Operation]:
    start = operation.number
    end = start + len(operation.data)
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        first = start - operation.number
        yield operation._replace(data=operation.data[first : first + stop - start], number=start)
        start = stop


def _apply(data: bytearray, operation: Operation) -> None:
    if operation.name == "truncate":
        data[operation.number :] = bytes(max(0, operation.number - len(data)))
    elif operation.name == "extend":
        data += bytes(max(0, operation.number - len(data)))
    else:
        data += bytes(max(0, operation.number - len(data)))
        data[operation.number : operation.number + len(operation.data)] = operation.data


class Disk:
    """The files below a root after some operations."""

    def __init__(self, root: str) -> None:
        """Starts with an empty root, which is durable."""
        self._files: dict[int, _File] = {}
        self._names: dict[str, int] = {}
        self._directories: set[str] = {root}
        self._waiting: list[Operation] = []

    def do(self, operation: Operation) -> None:
        """Applies one operation."""
        if operation.name in ("create", "mkdir", "unlink", "rename", "link"):
            self._waiting.append(operation)
            if operation.name == "create":
                self._files[operation.inode] = _File()
        elif operation.name == "sync":
            self._sync(operation)
        elif operation.inode in self._files:
            self._files[operation.inode].waiting.append(operation)

    def _sync(self, operation: Operation) -> None:
        if operation.inode in self._files:
            self._files[operation.inode].sync()
            return
        # The journal has one order: everything before the last change of that directory exists as well.
        last = max(
            (i for i, each in enumerate(self._waiting)
             if operation.path in (_parent(each.path), _parent(each.data.decode()))),
            default=-1,
        )  # fmt: skip
        for each in self._waiting[: last + 1]:
            self._change(each, self._names, self._directories)
        del self._waiting[: last + 1]

    def write(self, target: Path, root: str, chance: random.Random) -> None:
        """Writes the content after a power loss at this point into a directory."""
        share = chance.choice((0.0, 1.0, chance.random()))
        names, directories = dict(self._names), set(self._directories)
        for operation in self._waiting[: round(len(self._waiting) * share)]:
            self._change(operation, names, directories)
        for path in sorted(directories):
            (target / _below(path, root)).mkdir(mode=0o700, exist_ok=True)
        for path, inode in names.items():
            if _parent(path) not in directories:
                continue
            file = target / _below(path, root)
            content = self._files.get(inode, _File())
            file.write_bytes(content.left(chance, chance.choice((0.0, 1.0, share))))
            file.chmod(0o600)

    @staticmethod
    def _change(operation: Operation, names: dict[str, int], directories: set[str]) -> None:
        path, other = operation.path, operation.data.decode()
        if operation.name == "create":
            names[path] = operation.inode
        elif operation.name == "mkdir":
            directories.add(path)
        elif operation.name == "unlink":
            names.pop(path, None)
            directories.discard(path)
        elif operation.name == "rename" and path in names:
            names[other] = names.pop(path)
        elif operation.name == "link" and path in names:
            names[other] = names[path]


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _below(path: str, root: str) -> str:
    return path[len(root) :].lstrip("/")
