#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The protocol of the credential locks, implemented from docs/store.md only.

usage: Tests/Locks/peer.py DIRECTORY GROUP ACCOUNT COUNT LOG   (acquires the lock COUNT times; brackets in LOG)
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path

OFD_GETLK, OFD_SETLK = 36, 37
FLOCK = "hhqqi4x"
WHOLE_PROCESS = 1 << (22 + 13)


def _lock(command: int, file: int, *, kind: int, start: int, length: int = 1) -> tuple[int, ...]:
    """Makes one call of fcntl(2) with a struct flock; raises OSError if another process holds the lock."""
    answer = fcntl.fcntl(file, command, struct.pack(FLOCK, kind, os.SEEK_SET, start, length, 0))
    return struct.unpack(FLOCK, answer)


def _started(process: int) -> tuple[str, int] | None:
    """Returns the state of a process, and the last 13 bits of its start time; None if it does not exist."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return fields[0], int(fields[19]) & 8191


class CredentialLock:
    """The lock of one credential, for one process with one thread."""

    def __init__(self, directory: Path, group: str, name: str) -> None:
        """Opens both files; the first stays open as long as the process lives."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self.locks = os.open(directory / f"{group}.lock", flags, 0o600)
        self.turns = os.open(directory / f"{group}.turn", flags, 0o600)
        number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
        self.byte = number & ((1 << 62) - 1)
        place = (self.byte & ((1 << 26) - 1)) << 35
        state = _started(os.getpid())
        own = os.getpid() << 13 | (state[1] if state else 0)
        self.turn, self.mark, self.use = place | own, 1 << 61 | place | own, 2 << 61 | own
        self.marks = 1 << 61 | place

    def _marked(self, start: int, end: int) -> bool:
        """Whether a live process has left a mark."""
        if start >= end:
            return False
        length = end - start
        kind, _, found, *_ = _lock(
            OFD_GETLK, self.turns, kind=fcntl.F_WRLCK, start=start, length=length
        )
        if kind == fcntl.F_UNLCK or not start <= found < end:
            return False
        state = _started(found >> 13 & ((1 << 22) - 1))
        if state and state[0] not in "ZX" and state[1] == found & 8191:
            return True
        return self._marked(start, found) or self._marked(found + 1, end)

    def _try(self) -> bool:
        try:
            _lock(OFD_SETLK, self.turns, kind=fcntl.F_WRLCK, start=self.turn)
            _lock(OFD_SETLK, self.turns, kind=fcntl.F_RDLCK, start=self.use)
            _lock(fcntl.F_SETLK, self.locks, kind=fcntl.F_WRLCK, start=self.byte)
            if not self._marked(self.marks, self.marks + WHOLE_PROCESS):
                _lock(OFD_SETLK, self.turns, kind=fcntl.F_WRLCK, start=self.mark)
                return True
        except (BlockingIOError, PermissionError):
            pass
        self._give_back()
        return False

    def _give_back(self) -> None:
        _lock(OFD_SETLK, self.turns, kind=fcntl.F_UNLCK, start=self.mark)
        _lock(fcntl.F_SETLK, self.locks, kind=fcntl.F_UNLCK, start=self.byte)
        _lock(OFD_SETLK, self.turns, kind=fcntl.F_UNLCK, start=0, length=0)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Holds the lock."""
        pause = 0.0005
        while not self._try():
            time.sleep(pause)
            pause = min(pause * 2, 0.02)
        try:
            yield
        finally:
            self._give_back()


def main() -> None:
    """Acquires the lock many times."""
    directory, group, account, count, log = sys.argv[1:]
    lock = CredentialLock(Path(directory), group, f"issuer.example\nclient\n{account}")
    brackets = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for _ in range(int(count)):
        with lock.held():
            os.write(brackets, f"[{os.getpid()}\n".encode())
            os.sched_yield()
            os.write(brackets, f"]{os.getpid()}\n".encode())
        # Otherwise no other process would find it free.
        time.sleep(0.0003)


if __name__ == "__main__":
    main()
