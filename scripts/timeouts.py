# SPDX-License-Identifier: MIT
"""Time limits for tests and for the programs that they start."""

from __future__ import annotations

import faulthandler
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
# The interval for cleanup after a timeout, which may block as well.
CLEANUP_SECONDS = 30
# The extra seconds before the process ends if its main thread handles no signal, because it is in a C function.
BLOCKED_SECONDS = 120


class Overdue(Exception):
    """A wait timed out; the message is shown to the user."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises Overdue in a body that takes longer, and again every 30 seconds until cleanup has finished.

    Use it on the main thread only, and not nested. If that thread handles no signals, the process ends and
    writes the stack of each thread to standard error.
    """

    def overdue(_number: int, frame: FrameType | None) -> None:
        raise Overdue(f"timed out after {seconds:.0f} seconds at {_location(frame)}")

    before = signal.signal(signal.SIGALRM, overdue)
    signal.setitimer(signal.ITIMER_REAL, seconds, CLEANUP_SECONDS)
    # Not faulthandler's own thread: a forked child with such a thread would wait for its parent's.
    try:
        with _later(seconds + BLOCKED_SECONDS, _end):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def answering(process: subprocess.Popen[str], seconds: float = 60) -> Iterator[None]:
    """Kills a program if its expected output takes longer, and raises Overdue. Use it on any thread."""
    is_overdue = threading.Event()

    def kill() -> None:
        is_overdue.set()
        process.kill()

    with _later(seconds, kill):
        yield
    if is_overdue.is_set():
        raise Overdue(f"{_name(process)} printed nothing for {seconds:.0f} seconds and was killed")


def until(
    holds: Callable[[], object], *, otherwise: str, seconds: float = 60, pause: float = 0.01
) -> None:
    """Waits until a condition holds. Otherwise raises Overdue with the text `otherwise`."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise Overdue(f"{otherwise} after {seconds:.0f} seconds")
        time.sleep(pause)


def lines(process: subprocess.Popen[str], seconds: float = 60) -> Iterator[str]:
    """Yields the lines that a program prints until it ends. Kills it and raises Overdue if a line takes longer."""
    assert process.stdout is not None
    while True:
        with answering(process, seconds):
            line = process.stdout.readline()
        if not line:
            return
        yield line


@contextmanager
def _later(seconds: float, act: Callable[[], None]) -> Iterator[None]:
    """Calls a function on another thread, unless the body has ended by then."""
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _end() -> None:
    os.write(2, b"threads that still wait:\n")
    faulthandler.dump_traceback(2, all_threads=True)
    os._exit(1)


def _name(process: subprocess.Popen[str]) -> str:
    words = process.args
    return str(words[0] if isinstance(words, (list, tuple)) else words)


def _location(frame: FrameType | None) -> str:
    """Returns the innermost line of the tests or of their helpers that waits."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if ROOT in path.parents and "build" not in path.relative_to(ROOT).parts:
            return f"{path.relative_to(ROOT)}:{frame.f_lineno}"
        frame = frame.f_back
    return "a line outside of the repository"
