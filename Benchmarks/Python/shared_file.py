# SPDX-License-Identifier: MIT
"""Rows about the shared MSAL cache file: Tessera and msal-extensions with the same entries."""

from __future__ import annotations

import json
import os
import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

from hits import SECONDS, alternate, medians
from msal_cache import write_msal
from programs import BUILD, ROOT, STORE, SWIFT, Program
from tables import aligned, number
from workload import AUTHORITY, CACHED, CLIENT, Workload, write_requests

SIZES = (10, 1000, 10_000)
OURS = ("swift", "c", "python")
RIVAL = "msal-file"
FLOOR = "floor"
SAMPLES = 15
TITLES = {
    "shared-hit": "Cached token, the file unchanged, µs",
    "shared-after-write": "First token after another program stored another token in the file, µs",
    "shared-after-replacement": "First token after another program stored this token, µs",
    "shared-write": "One token stored, µs",
}

Row = dict[str, Any]
Times = dict[str, float]


def file_of(workload: Workload, name: str) -> Path:
    """Returns the file of a contestant. Each has its own, so that none waits for another's lock."""
    return STORE / f"{workload.name}.{name}.shared.json"


def requests_of(workload: Workload) -> Path:
    """Returns the requests file. It differs from that of the other rows, which marks their store as filled."""
    return STORE / f"{workload.name}.shared.requests"


def contestant(name: str, workload: Workload) -> Program:
    """Starts a contestant with its file."""
    file = file_of(workload, name)
    requests = requests_of(workload)
    if name == "swift":
        return Program(SWIFT, "hit", file, "shared", CLIENT, AUTHORITY, requests)
    if name == "c":
        store = {"kind": "msal_file", "msal_cache": str(file)}
        members = {"client_id": CLIENT, "authority": AUTHORITY, "store": store}
        return Program(BUILD / "contestant", json.dumps(members), requests)
    kind = "tessera-shared" if name == "python" else name
    program = ROOT / "Benchmarks/Python/contestant.py"
    return Program(sys.executable, program, kind, STORE, file.stem, requests)


def rows() -> Iterator[Row]:
    """Measures all rows."""
    for size in SIZES:
        for asked in ("equal", "subset"):
            workload = Workload("users", size, asked)
            yield from rows_of(workload)


def rows_of(workload: Workload) -> Iterator[Row]:
    """Measures the rows of one size. Writes, and calls after them, are measured for typical scopes only."""
    place: Row = {"layout": workload.layout, "tokens": workload.tokens, "asked": workload.asked}
    names = (*OURS, RIVAL)
    for name in names:
        write_msal(workload, file_of(workload, name))
        file_of(workload, name).chmod(0o600)
    write_requests(workload, requests_of(workload))
    with ExitStack() as stack:
        programs = {name: stack.enter_context(contestant(name, workload)) for name in names}
        count = min(workload.tokens, 1000)
        for name in names:
            # msal-extensions has no response cache, and each call takes long with a large file.
            programs[name].execute("warm", 1 if name == RIVAL else count)
        times = alternate(programs, "hit", count, SECONDS)
        yield {"row": "shared-hit", **place, "times": times}
        if workload.asked == "subset":
            for row, very in (("shared-after-write", False), ("shared-after-replacement", True)):
                yield {"row": row, **place, "times": after_write(workload, programs, very=very)}
            yield {"row": "shared-write", **place, "times": writes(workload, programs)}


def after_write(workload: Workload, programs: dict[str, Program], *, very: bool) -> Times:
    """Measures the first call after another process stored the requested token, or a different one.

    The floor is the time to read such a file.
    """
    requests = list(islice(workload.requests(), 10))
    write_msal(workload, file_of(workload, FLOOR))
    with Program(BUILD / "floor", "read", file_of(workload, FLOOR)) as floor:
        asked = {**programs, FLOOR: floor}
        times: dict[str, list[float]] = {name: [] for name in asked}
        for turn in range(SAMPLES if workload.tokens > 1000 else 10 * SAMPLES):
            # The other stored tokens are never requested.
            number = turn % 5
            stored = requests[number if very else number + 5]
            for name, program in asked.items():
                store(file_of(workload, name), stored, CACHED + 1 + turn)
                times[name].append(program.execute("once", number) / 1000)
        return medians(times)


def store(file: Path, request: dict[str, Any], time: int) -> None:
    """Replaces a file with a copy in which the token of a request has a new time."""
    home, scope = (re.escape(text) for text in (request["home_account_id"], request["scopes"][0]))
    token = rf'"home_account_id": "{home}"[^}}]*"target": "{scope}[^}}]*"cached_at": "'
    old = file.read_bytes()
    new = re.sub(rf'({token})\d+'.encode(), rb"\g<1>%d" % time, old, count=1)
    assert new != old
    replace(file, new)


def replace(file: Path, content: bytes) -> None:
    """Replaces a file durably and atomically."""
    new = file.with_suffix(".new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.write(descriptor, content)
    os.fsync(descriptor)
    os.close(descriptor)
    os.replace(new, file)
    directory = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(directory)
    os.close(directory)


def writes(workload: Workload, programs: dict[str, Program]) -> dict[str, float]:
    """Measures storing a token with each library, and replacing a file durably without a cache."""
    times: dict[str, list[float]] = {name: [] for name in ("swift", RIVAL, FLOOR)}
    file = file_of(workload, FLOOR)
    content = file_of(workload, "swift").read_bytes()
    for turn in range(SAMPLES):
        for name in ("swift", RIVAL):
            times[name].append(programs[name].execute("write", turn) / 1000)
        begin = time.perf_counter()
        replace(file, content)
        times[FLOOR].append((time.perf_counter() - begin) * 1e6)
    return {name: statistics.median(each) for name, each in times.items()}


def lines_of(measured: Sequence[Row], kind: str) -> list[list[str]]:
    """Returns the rows of one kind as table cells, with the ratio of msal-extensions to Tessera."""
    names = (*OURS, RIVAL, *((FLOOR,) if kind != "shared-hit" else ()))
    heads = ("Swift", "C", "Python", "msal-extensions", "floor")[: len(names)]
    lines = [["entries", "request", *heads, "ratio"]]
    for row in measured:
        if row["row"] == kind:
            cells = [number(row["times"].get(name)) or "–" for name in names]
            lines.append([f"{row['tokens']:,}", row["asked"], *cells, f"{ratio(row):.1f} x"])
    return lines


def tables(measured: Sequence[Row]) -> str:
    """Returns the figures as text tables."""
    return "\n\n".join(
        f"{title}\n\n{aligned(lines_of(measured, kind))}" for kind, title in TITLES.items()
    )


def ratio(row: Row) -> float:
    """Returns the ratio of msal-extensions' time to that of Tessera in Swift."""
    return float(row["times"][RIVAL] / row["times"]["swift"])
