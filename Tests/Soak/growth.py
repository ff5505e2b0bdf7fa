# SPDX-License-Identifier: MIT
"""Commits tokens with a lifetime of a minute for hours, and reads one repeatedly: nothing may grow."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from credentials import sign_in
from setting import Outcome, Setting, table
from workers import KINDS, Worker, WorkerPool

from provider import Provider
from timeouts import lines

CALLS_PER_TOKEN = 10
"""The number of silent calls for each token of the first part."""
PAGE = os.sysconf("SC_PAGESIZE")
MEGABYTE = 1_000_000
GROWTH = MEGABYTE
"""The allowed growth of memory in bytes."""


def memory(process: int) -> int:
    """Returns the private memory of a process in bytes, without file-backed pages."""
    _, resident, shared, *_ = Path(f"/proc/{process}/statm").read_text().split()
    return (int(resident) - int(shared)) * PAGE


def grow(setting: Setting) -> tuple[list[int], list[int]]:
    """Commits a number of tokens. Returns the sizes of the store's files, and of the program's memory."""
    store = setting.home / "growing"
    files: list[int] = []
    memories: list[int] = []
    command = [*KINDS["swift"], "grow", str(store), str(setting.runs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        for line in lines(writer, 600):
            if line.strip() == "done":
                break
            files.append(sum(path.stat().st_size for path in store.iterdir()))
            memories.append(memory(writer.pid))
            setting.say(f"{line.strip()} tokens, {files[-1]} bytes, memory {memories[-1]}")
    if writer.returncode != 0:
        files.append(1 << 62)
    return files, memories


def ascent(values: list[int]) -> int:
    """Returns the largest increase of the second half over the first."""
    middle = len(values) // 2
    return max(values[middle:]) - max(values[:middle])


def ask(worker: Worker, worker_pool: WorkerPool, calls: int) -> int:
    """Lets a worker make a number of reads. Returns its memory."""
    worker.send_command("read", calls, worker.note.request())
    worker_pool.wait_until_done(worker, limit_seconds=1800)
    return memory(worker.process.pid)


def read(setting: Setting) -> dict[str, int]:
    """Reads one token very often in each language. Returns the growth of memory after the first tenth."""
    calls = setting.runs * CALLS_PER_TOKEN
    grown: dict[str, int] = {}
    with Provider() as provider, WorkerPool(setting.home) as worker_pool:
        credential = sign_in(provider, setting.home / "read", "entra", "alice@contoso.com")
        for kind in KINDS:
            worker = worker_pool.start(kind, credential.configuration)
            worker.note = credential
            worker_pool.wait_until_ready(worker)
            before = ask(worker, worker_pool, calls // 10)
            grown[kind] = ask(worker, worker_pool, calls - calls // 10) - before
            worker_pool.remove(worker)
    return grown


def soak(setting: Setting) -> Outcome:
    """Runs both parts and returns the results."""
    files, memories = grow(setting)
    grown = read(setting)
    calls = setting.runs * CALLS_PER_TOKEN
    higher, more = ascent(files), ascent(memories)
    table(
        {
            "tokens committed, each for a minute": setting.runs,
            "most bytes in files": max(files),
            "more in the second half than before": higher,
            "most bytes of memory": max(memories),
            "more of it in the second half than before": more,
            **{f"memory that {calls} calls cost, {kind}": size for kind, size in grown.items()},
        }
    )
    steady = higher <= max(files) // 10 and more <= GROWTH
    flat = all(size <= GROWTH for size in grown.values())
    return Outcome(
        steady and flat,
        f"{setting.runs} tokens of a minute: files at most {max(files) / MEGABYTE:.1f} MB, "
        f"{higher / MEGABYTE:+.1f} in the second half, memory {more / MEGABYTE:+.1f} MB; {calls} calls: memory "
        f"{max(grown.values()) / MEGABYTE:+.2f} MB at most",
    )
