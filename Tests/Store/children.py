# SPDX-License-Identifier: MIT
"""Runs functions in separate processes: a crash or a hang is a result like any other."""

from __future__ import annotations

import json
import os
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from selectors import EVENT_READ, DefaultSelector
from typing import Any, NamedTuple


class Ended(NamedTuple):
    """The result of a child."""

    value: Any
    """The returned value; None if the function did not return."""
    trouble: str | None
    """A crash with its signal, a hang, or an exception; None if the function returned."""


class _Child:
    def __init__(self, job: Any, function: Callable[[Any], Any], seconds: float) -> None:
        self.job = job
        self.deadline = time.monotonic() + seconds
        self.output, end = os.pipe()
        self.text = b""
        self.process = os.fork()
        if self.process == 0:
            os.close(self.output)
            _run(function, job, end)
        os.close(end)

    def ended(self) -> Ended:
        """Waits for the end of the child, which has closed its pipe."""
        os.close(self.output)
        _, status = os.waitpid(self.process, 0)
        if os.WIFSIGNALED(status):
            return Ended(None, f"ended by {signal.Signals(os.WTERMSIG(status)).name}")
        if not self.text:
            return Ended(None, f"ended with status {os.waitstatus_to_exitcode(status)}")
        document = json.loads(self.text)
        return Ended(document.get("value"), document.get("trouble"))

    def killed(self) -> Ended:
        """Kills the child, which exceeded its time limit."""
        os.kill(self.process, signal.SIGKILL)
        os.close(self.output)
        os.waitpid(self.process, 0)
        return Ended(None, "hung")


def _run(function: Callable[[Any], Any], job: Any, end: int) -> None:
    document: dict[str, Any]
    try:
        document = {"value": function(job)}
    except BaseException:
        document = {"trouble": traceback.format_exc()}
    text = json.dumps(document).encode()
    while text:
        text = text[os.write(end, text) :]
    # Nothing of the parent may be flushed or removed here.
    os._exit(0)


def run_all(
    function: Callable[[Any], Any], jobs: Iterable[Any], at_once: int, seconds: float
) -> Iterator[tuple[Any, Ended]]:
    """Runs a function for each job in a separate child, and yields the results in order of completion.

    The parent must not have used the library: a child could inherit locks that are never released.
    """
    waiting = iter(jobs)
    running: dict[int, _Child] = {}
    with DefaultSelector() as selector:
        while True:
            while len(running) < at_once and (job := next(waiting, None)) is not None:
                child = _Child(job, function, seconds)
                running[child.output] = child
                selector.register(child.output, EVENT_READ)
            if not running:
                return
            for output in _finished(selector, running):
                child = running.pop(output)
                selector.unregister(output)
                late = time.monotonic() > child.deadline and not child.text
                yield child.job, child.killed() if late else child.ended()


def _finished(selector: DefaultSelector, running: dict[int, _Child]) -> list[int]:
    """Returns the descriptors of children that have ended or timed out."""
    finished = []
    for key, _ in selector.select(0.5):
        piece = os.read(key.fd, 65536)
        running[key.fd].text += piece
        if not piece:
            finished.append(key.fd)
    now = time.monotonic()
    return finished or [fd for fd, child in running.items() if now > child.deadline]


def run_one(function: Callable[[Any], Any], job: Any, seconds: float = 120) -> Any:
    """Returns the result of a function in a separate child; raises if it does not return."""
    for _, ended in run_all(function, [job], 1, seconds):
        if ended.trouble:
            raise RuntimeError(ended.trouble)
        return ended.value
    return None
