# SPDX-License-Identifier: MIT
"""Commits tokens with a lifetime of a minute for hours, and reads one repeatedly: nothing may grow."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from credentials import sign_in
from setting import Outcome, Setting, table
from workers import KINDS, ThreadPool, Worker

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


def ask(worker: Worker, crew: ThreadPool, calls: int) -> int:
    """Lets a worker make a number of reads. Returns its memory."""
    worker.tell("read", calls, worker.note.request())
    crew.wait_until_done(worker, patience=1800)
    return memory(worker.process.pid)


def read(setting: Setting) -> dict[str, int]:
    """Reads one token very often in each language. Returns the growth of memory after the first tenth."""
    calls = setting.runs * CALLS_PER_TOKEN
    grown: dict[str, int] = {}
    with Provider() as provider, ThreadPool(setting.home) as crew:
        credential = sign_in(provider, setting.home / "read", "entra", "alice@contoso.com")
        for kind in KINDS:
            worker = crew.start(kind, credential.configuration)
            worker.note = credential
            crew.wait_until_ready(worker)
            before = ask(worker, crew, calls // 10)
            grown[kind] = ask(worker, crew, calls - calls // 10) - before
            crew.remove(worker)
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
