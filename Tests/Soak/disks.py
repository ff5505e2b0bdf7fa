# SPDX-License-Identifier: MIT
"""A small disk to fill and to make read-only, and another user with unwritable files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from workers import LIBRARY, WorkerPool

NOBODY = 65534
"""A user without root privileges."""


@contextmanager
def small_disk(place: Path, worker_pool: WorkerPool) -> Iterator[Path]:
    """Mounts a file system of 2 MB, which requires root. Its programs are stopped before it is removed."""
    place.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m,mode=0700", "tmpfs", str(place)]
    if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
        raise PermissionError("a file system cannot be mounted here")
    try:
        yield place
    finally:
        for worker in list(worker_pool.workers):
            worker_pool.remove(worker)
        subprocess.run(["umount", "-l", str(place)], check=True)


@contextmanager
def fill_disk(place: Path) -> Iterator[None]:
    """Fills the disk to the last byte."""
    filler = place / "filler"
    descriptor = os.open(filler, os.O_WRONLY | os.O_CREAT, 0o600)
    for size in (65536, 1):
        try:
            while os.write(descriptor, bytes(size)):
                pass
        except OSError:
            continue
    os.close(descriptor)
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def read_only(place: Path) -> Iterator[None]:
    """Mounts the file system read-only."""
    subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
    try:
        yield
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(place)], check=True)


@contextmanager
def no_rights(home: Path, store: Path) -> Iterator[None]:
    """Gives the home to another user, and makes the store unwritable."""
    give(home, NOBODY)
    for path in [*store.iterdir(), store]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        yield
    finally:
        for path in [store, *store.iterdir()]:
            path.chmod(0o700 if path.is_dir() else 0o600)
        give(home, os.getuid())


def give(home: Path, user: int) -> None:
    """Makes a user the owner of all files in a directory."""
    for directory, _, files in os.walk(home):
        for path in [directory, *(os.path.join(directory, file) for file in files)]:
            os.chown(path, user, user)


def drop_privileges() -> None:
    """Drops all privileges, before a program begins."""
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def can_start(command: list[str], prepare: Callable[[], None]) -> bool:
    """Whether a program can be started, and can read its files, as another user."""
    try:
        reader = ["cat", str(LIBRARY), *command]
        return subprocess.run(reader, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              preexec_fn=prepare).returncode == 0  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return False
