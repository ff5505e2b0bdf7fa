# SPDX-License-Identifier: MIT
"""Children of fork(): their functions, and their exit."""

from __future__ import annotations

import faulthandler
import os
import signal
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 100
"""The time limit of a child; then it prints its stack, and ends by SIGALRM."""


def fork(work: Callable[[], object]) -> int:
    """Forks a child that calls a function, and exits with 0 unless the function raises or returns false."""
    child = os.fork()
    if child == 0:
        good = False
        try:
            # No watchdog thread: some children must have no threads.
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            faulthandler.register(signal.SIGALRM, chain=True)
            signal.alarm(SECONDS)
            good = work() is not False
        except BaseException:
            traceback.print_exc()
        os._exit(0 if good else 1)
    return child


def states_of(*children: int) -> list[int]:
    """Returns the exit statuses of children; negative for a signal."""
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def succeeds_in_child(work: Callable[[], object]) -> bool:
    """Whether a function succeeds in a child."""
    return states_of(fork(work)) == [0]
