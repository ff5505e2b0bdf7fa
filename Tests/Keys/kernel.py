# SPDX-License-Identifier: MIT
"""Access to the kernel's keyring from outside of the library, and processes that may not use it."""

from __future__ import annotations

import ctypes
import os
import platform
import sqlite3
import struct
from pathlib import Path

from common import Skipped, check

# add_key, request_key, keyctl (asm/unistd_64.h and asm-generic/unistd.h).
CALLS = {"x86_64": (248, 249, 250), "aarch64": (217, 218, 219)}
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
USER_KEYRING = -4
UNLINK, SEARCH, READ, SETPERM = 9, 10, 11, 5
_libc = ctypes.CDLL(None, use_errno=True)


def _call(number: int, *arguments: object) -> int:
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return int(_libc.syscall(ctypes.c_long(number), *words))


def _numbers() -> tuple[int, int, int]:
    machine = platform.machine()
    if machine not in CALLS:
        raise Skipped(f"the numbers of the system calls of {machine} are not known here")
    return CALLS[machine]


class KernelKey:
    """The key of a store in the keyring of this user."""

    def __init__(self, store: Path) -> None:
        """Finds the key by its name for the store."""
        with sqlite3.connect(f"file:{store}/default.db?mode=ro", uri=True) as database:
            (name,) = database.execute("SELECT name FROM seal ORDER BY id DESC").fetchone()
        self._add, _, self._control = _numbers()
        self._name = b"tessera:" + (name if isinstance(name, bytes) else str(name).encode())
        self._bytes = ctypes.create_string_buffer(32)
        count = _call(self._control, READ, self._id(), self._bytes, 32)
        check(count == 32, "the kernel has", count, "bytes")

    def _id(self) -> int:
        number = _call(self._control, SEARCH, USER_KEYRING, b"user", self._name, 0)
        check(number > 0, "the kernel has no key", self._name)
        return number

    def clear(self) -> None:
        """Removes the key, like a restart of the machine."""
        check(_call(self._control, UNLINK, self._id(), USER_KEYRING) == 0, "unlink failed")

    def restore(self) -> None:
        """Adds the key again."""
        number = _call(self._add, b"user", self._name, self._bytes, 32, USER_KEYRING)
        check(number > 0, "add_key failed")
        _call(self._control, SETPERM, number, 0x3F0B0000)


def keyring_must_work() -> None:
    """Skips the test if the kernel has no keyring for this process."""
    add, _, control = _numbers()
    number = _call(add, b"user", b"tessera:test", b"x", 1, USER_KEYRING)
    if number < 0:
        raise Skipped(f"no keyring of the kernel here: {os.strerror(ctypes.get_errno())}")
    _call(control, UNLINK, number, USER_KEYRING)


def block() -> None:
    """Lets the system calls of the keyring fail in this process with EPERM, like containers (seccomp)."""
    calls = _numbers()
    program = [(0x20, 0, 0, 4), (0x15, 0, len(calls) + 1, ARCHITECTURES[platform.machine()])]
    program.append((0x20, 0, 0, 0))
    for index, call in enumerate(calls):
        program.append((0x15, len(calls) - index, 0, call))
    program += [(0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050000 | 1)]
    code = b"".join(struct.pack("HBBI", *each) for each in program)
    memory = ctypes.create_string_buffer(code)
    header = struct.pack("HxxxxxxP", len(program), ctypes.addressof(memory))
    check(_libc.prctl(38, 1, 0, 0, 0) == 0, "PR_SET_NO_NEW_PRIVS failed")
    check(_libc.prctl(22, 2, ctypes.c_char_p(header), 0, 0) == 0, "PR_SET_SECCOMP failed")
