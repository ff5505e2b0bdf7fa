# SPDX-License-Identifier: MIT
"""Children of fork(): what they do, and that they end."""

from __future__ import annotations

import faulthandler
import os
import signal
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 100
"""How long a child may take; then it says where it waits, and ends by SIGALRM."""


def fork(work: Callable[[], object]) -> int:
    """A child that does something, and ends with 0 unless that raises or is false."""
    child = os.fork()
    if child == 0:
        good = False
        try:
            # No thread watches it: some children are to have none.
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            faulthandler.register(signal.SIGALRM, chain=True)
            signal.alarm(SECONDS)
            good = work() is not False
        except BaseException:
            traceback.print_exc()
        os._exit(0 if good else 1)
    return child


def states_of(*children: int) -> list[int]:
    """With what children have ended; below 0 for a signal."""
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def holds(work: Callable[[], object]) -> bool:
    """Whether a child does something well."""
    return states_of(fork(work)) == [0]
