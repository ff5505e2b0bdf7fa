# SPDX-License-Identifier: MIT
"""Ends what waits for ever: a test, and a program that a test has started; then it says how long, and where."""

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
# For what clears up after a test, which may wait as well.
AGAIN_SECONDS = 30
# Until the process ends whose main thread hears no signal, since it is inside of a function in C.
DEAF_SECONDS = 120


class Overdue(Exception):
    """What was waited for did not come in time; the message is for people."""


@contextmanager
def at_most(seconds: float, *, stderr: int = 2) -> Iterator[None]:
    """Raise Overdue in what takes longer, and once more each half minute until it has cleared up.

    For the main thread, and not one inside another. Where that thread hears nothing, the process ends, and says on
    the descriptor `stderr` what each thread does.
    """

    def overdue(_number: int, frame: FrameType | None) -> None:
        raise Overdue(f"it took more than {seconds:.0f} seconds, and waits at {_place(frame)}")

    before = signal.signal(signal.SIGALRM, overdue)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)
    # Not faulthandler's own thread: a child of fork() that has one of its own as well would wait for its parent's.
    try:
        with _later(seconds + DEAF_SECONDS, lambda: _end(stderr)):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def answering(process: subprocess.Popen[str], seconds: float = 60) -> Iterator[None]:
    """Kill a program that takes longer to say what its caller waits for, and raise Overdue; for any thread."""
    is_overdue = threading.Event()

    def kill() -> None:
        is_overdue.set()
        process.kill()

    with _later(seconds, kill):
        yield
    if is_overdue.is_set():
        raise Overdue(f"{_name(process)} said nothing for {seconds:.0f} seconds, and was killed")


def until(
    holds: Callable[[], object], *, otherwise: str, seconds: float = 60, pause: float = 0.01
) -> None:
    """Wait until something holds; raises Overdue, which says what happened otherwise."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise Overdue(f"{otherwise} after {seconds:.0f} seconds")
        time.sleep(pause)


def leave(*, stderr: int = 2) -> None:
    """End the process soon, also if a thread of a test that was overdue still waits."""
    _timer(DEAF_SECONDS, lambda: _end(stderr))


def lines(process: subprocess.Popen[str], seconds: float = 60) -> Iterator[str]:
    """The lines that a program prints, until it ends; killed, and Overdue, where the next one takes longer."""
    assert process.stdout is not None
    while True:
        with answering(process, seconds):
            line = process.stdout.readline()
        if not line:
            return
        yield line


@contextmanager
def _later(seconds: float, act: Callable[[], None]) -> Iterator[None]:
    """Do something on another thread, unless the body has ended by then."""
    timer = _timer(seconds, act)
    try:
        yield
    finally:
        timer.cancel()


def _timer(seconds: float, act: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
    return timer


def _end(stderr: int) -> None:
    os.write(stderr, b"what the tests still wait for:\n")
    faulthandler.dump_traceback(stderr, all_threads=True)
    os._exit(1)


def _name(process: subprocess.Popen[str]) -> str:
    words = process.args
    return str(words[0] if isinstance(words, (list, tuple)) else words)


def _place(frame: FrameType | None) -> str:
    """The line of ours that waits, as far as it is one of a test or of what tests use."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if ROOT in path.parents and "build" not in path.relative_to(ROOT).parts:
            return f"{path.relative_to(ROOT)}:{frame.f_lineno}"
        frame = frame.f_back
    return "a line of somebody else's"
