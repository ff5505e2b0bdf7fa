# SPDX-License-Identifier: MIT
"""Removes the network of a program: its sockets, or all interfaces."""

from __future__ import annotations

import ctypes
import os
import platform
import struct

_libc = ctypes.CDLL(None, use_errno=True)

# linux/audit.h, and the number of socket(2).
_MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _KILL_PROCESS = 0x7FFF0000, 0x80000000
_AF_UNIX = 1
_CLONE_NEWNET = 0x40000000


class _Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def no_sockets() -> None:
    """Makes the kernel kill this program when it opens a socket other than a local one (seccomp(2))."""
    architecture, socket = _MACHINES[platform.machine()]
    steps = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 0, 5, architecture),
        (_LOAD, 0, 0, 0),
        (_EQUAL, 0, 3, socket),
        (_LOAD, 0, 0, 16),
        (_EQUAL, 1, 0, _AF_UNIX),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_RETURN, 0, 0, _ALLOW),
    ]
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    program = _Program(len(steps), code)
    if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or _libc.prctl(
        _PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "no seccomp filter")


def cut_off() -> None:
    """Moves this program into a network namespace without any active interface, even loopback (unshare(2))."""
    if _libc.unshare(_CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "no network namespace")


def has_namespaces() -> bool:
    """Whether `cut_off` works here."""
    child = os.fork()
    if child == 0:
        os._exit(0 if _libc.unshare(_CLONE_NEWNET) == 0 else 1)
    return os.waitpid(child, 0)[1] == 0
