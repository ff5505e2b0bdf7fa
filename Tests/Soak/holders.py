# SPDX-License-Identifier: MIT
"""Finds the worker that holds a credential's lock, with the kernel's information about its descriptors."""

from __future__ import annotations

import os
import time
from pathlib import Path

from workers import Worker, WorkerPool


def find_holder(worker_pool: WorkerPool, store: Path, seconds: float) -> Worker | None:
    """Returns the worker that holds a lock on a lock file, as soon as there is one."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for worker in worker_pool.workers:
            if holds(worker.process.pid, store):
                return worker
    return None


def holds(process: int, store: Path) -> bool:
    """Whether a process holds a lock on a lock file of a store (proc_pid_fdinfo(5))."""
    descriptors = f"/proc/{process}/fd"
    try:
        for name in os.listdir(descriptors):
            target = os.readlink(f"{descriptors}/{name}")
            if not target.startswith(str(store)) or not target.endswith(".lock"):
                continue
            with open(f"/proc/{process}/fdinfo/{name}") as file:
                if any(line.startswith("lock:") and "WRITE" in line for line in file):
                    return True
    except OSError:
        # A descriptor was closed meanwhile, or the process has ended.
        return False
    return False
