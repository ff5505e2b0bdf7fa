#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures Tessera and MSAL Python in one run; docs/performance.md explains the figures.

usage: bench.py [TOKENS...]   (numbers of tokens in the stores; by default 1 to 1000000)
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import hits
import shared_file
import starts
from machine import day, machine
from msal_cache import write_msal
from programs import CORE, ENVIRONMENT, ROOT, STORE, SWIFT, writer
from tables import tables
from targets import verdicts
from workload import LARGEST_OF_RIVALS, Workload, fill_tessera, write_requests

DEFAULT_SIZES = (1, 1000, 100_000, 1_000_000)


def workloads(sizes: list[int]) -> list[Workload]:
    """Returns the stores to measure."""
    large = [Workload("users", size, "subset") for size in sizes if size > LARGEST_OF_RIVALS]
    sizes = [size for size in sizes if size <= LARGEST_OF_RIVALS]
    users = [Workload("users", size, asked) for size in sizes for asked in ("equal", "subset")]
    return users + [Workload("one-user", size, "subset") for size in sizes if size > 1] + large


def prepare(workload: Workload) -> None:
    """Fills the stores of a workload, unless an earlier run did."""
    done = STORE / f"{workload.name}.requests"
    if done.exists() and (STORE / f"{workload.name}.db").exists():
        return
    print_progress(f"filling {workload.name}")
    fill_tessera(workload, SWIFT, STORE, ENVIRONMENT)
    if workload.has_rivals:
        write_msal(workload, STORE / f"{workload.name}.json")
    write_requests(workload, done)


def measure(sizes: list[int]) -> list[dict[str, Any]]:
    """Measures all rows."""
    rows: list[dict[str, Any]] = []
    for workload in workloads(sizes):
        prepare(workload)
        # Another version may have filled the store: the first commit records its change counter segment.
        with writer(workload) as one:
            one.execute("write")
        print_progress(f"measuring {workload.name}")
        rows += hits.rows_of(workload)
    users = [Workload("users", size, "subset") for size in sizes]
    usual = max((each for each in users if each.has_rivals), key=lambda each: each.tokens)
    print_progress("measuring floors, commits, threads and new processes")
    rows += [hits.floors(), hits.threads(usual), *(hits.commits(each) for each in users)]
    rows += [hits.unused(users[0], users[-1])]
    rows += [starts.starts(usual), starts.loads(), starts.sizes()]
    print_progress("measuring the file that all MSALs share")
    return rows + list(shared_file.rows())


def sizes_of(words: list[str]) -> list[int]:
    """Parses the sizes of a command line in ascending order. Ends the program if one is invalid."""
    wrong = [word for word in words if not word.isascii() or not word.isdecimal() or int(word) < 1]
    if wrong:
        raise SystemExit(f"bench: {wrong[0]!r} is no number of tokens: give whole numbers from 1 on")
    sizes = sorted({int(word) for word in words})
    if sizes and sizes[0] > LARGEST_OF_RIVALS:
        raise SystemExit(
            f"bench: MSAL Python is measured up to {LARGEST_OF_RIVALS} tokens: give such a size as well"
        )
    return sizes


def print_progress(text: str) -> None:
    """Prints the progress to standard error."""
    print(f"bench: {text}", file=sys.stderr, flush=True)


def main() -> None:
    """Measures, prints, and writes build/bench.json."""
    sizes = sizes_of(sys.argv[1:]) or list(DEFAULT_SIZES)
    STORE.mkdir(mode=0o700, parents=True, exist_ok=True)
    # This process waits while others are measured. It does so on another core.
    others = os.sched_getaffinity(0) - {CORE}
    if others:
        os.sched_setaffinity(0, others)
    document: dict[str, Any] = {"day": day(), "machine": machine(STORE)}
    rows = measure(sizes)
    met, text = verdicts(rows)
    document |= {"rows": rows, "targets_met": met}
    (ROOT / "build/bench.json").write_text(json.dumps(document, indent=2) + "\n")
    print(tables(rows), shared_file.tables(rows), text, sep="\n\n")
    if os.environ.get("STRICT", "0") not in ("", "0") and not met:
        sys.exit(1)


if __name__ == "__main__":
    main()
