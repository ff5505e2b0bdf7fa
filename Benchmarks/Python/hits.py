# SPDX-License-Identifier: MIT
"""Rows about running programs: hits, misses, accounts, calls after a write, threads."""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator
from contextlib import ExitStack

from programs import BUILD, STORE, Program, contestant, two_threads, writer
from workload import Workload

TESSERA = ("swift", "c", "python")
MSAL = ("msal", "msal-file")
FLOORS = ("dict", "ctypes")
ROUNDS = 5
SECONDS = 0.05
"""One turn of a contestant; with its rounds it is measured for a quarter of a second in a row."""
MOST_DISTINCT = 1000

Row = dict[str, object]
Times = dict[str, float]


def turn_about(programs: dict[str, Program], *command: object) -> Times:
    """The medians of all programs, in microseconds; each has its turn in each round."""
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, program in programs.items():
            times[name].append(program.ask(*command) / 1000)
    return medians(times)


def medians(times: dict[str, list[float]]) -> Times:
    """The median of each list."""
    return {name: statistics.median(each) for name, each in times.items()}


def rows_of(workload: Workload) -> Iterator[Row]:
    """The rows of one store."""
    place: Row = {"layout": workload.layout, "tokens": workload.tokens, "asked": workload.asked}
    with ExitStack() as stack:
        programs = {
            name: stack.enter_context(contestant(name, workload))
            for name in TESSERA + MSAL + FLOORS
        }
        libraries = {name: programs[name] for name in TESSERA + MSAL}
        for count in sorted({1, min(workload.tokens, MOST_DISTINCT)}):
            for name in TESSERA:
                programs[name].ask("warm", count)
            times = turn_about(programs, "hit", count, SECONDS)
            yield {"row": "hit", **place, "distinct": count, "times": times}
        if workload.asked == "subset":
            times = turn_about(libraries, "miss", SECONDS)
            yield {"row": "miss", **place, "times": times}
            yield {"row": "after-write", **place, "times": after_write(workload, libraries)}
        if workload.asked == "subset" and workload.layout == "users":
            listed: Row = {**place, "accounts": workload.users}
            times = turn_about(libraries, "accounts", SECONDS)
            yield {"row": "accounts", **listed, "times": times}
            times = after_write(workload, libraries, lists=True)
            yield {"row": "accounts-after-write", **listed, "times": times}
        if workload.asked == "subset" and workload.tokens > MOST_DISTINCT:
            yield {"row": "hit", **place, "distinct": workload.tokens, **everything(workload)}


def after_write(workload: Workload, libraries: dict[str, Program], *, lists: bool = False) -> Times:
    """The first call after another process wrote: for a token, or for the list of the accounts.

    The file of MSAL Python is touched instead of written: it reads it again just the same.
    """
    samples = 21 if workload.tokens <= MOST_DISTINCT else 5
    times: dict[str, list[float]] = {name: [] for name in libraries if name != "msal"}
    with writer(workload) as other:
        for number in range(samples):
            for name, each in times.items():
                if name in TESSERA:
                    other.ask("write")
                else:
                    os.utime(STORE / f"{workload.name}.json")
                command = ("list",) if lists else ("once", number % min(workload.tokens, 10))
                each.append(libraries[name].ask(*command) / 1000)
    return medians(times)


def everything(workload: Workload) -> Row:
    """All tokens in random order, and the memory that each of them takes."""
    times: Times = {}
    memory: Times = {}
    first: Times = {}
    for name in TESSERA:
        with contestant(name, workload) as program:
            program.ask("warm", 1)
            before = program.memory
            first[name] = program.ask("warm", workload.tokens) / workload.tokens / 1000
            memory[name] = (program.memory - before) / workload.tokens
            times[name] = program.ask("hit", workload.tokens, 1) / 1000
    return {"times": times, "bytes_per_token": memory, "first_times": first}


def threads(workload: Workload) -> Row:
    """Calls a second with one thread and with two, over one application.

    Where other programs take the second core away, calls in a second of processor time still tell
    whether two threads hinder each other.
    """
    rates: dict[int, list[float]] = {1: [], 2: []}
    costs: dict[int, list[float]] = {1: [], 2: []}
    with two_threads(workload) as program:
        program.ask("warm", 10)
        program.ask("hit", 10, SECONDS)
        for _ in range(ROUNDS):
            for count, each in rates.items():
                each.append(program.ask("threads", count, 0.3))
                costs[count].append(program.ask("threads-cost", count, 0.1))
    best = {str(count): max(each) for count, each in rates.items()}
    share = max(costs[2]) / max(costs[1])
    return {
        "row": "threads",
        "rates": best,
        "ratio": best["2"] / best["1"],
        "by_processor": 2 * share,
    }


def floors() -> Row:
    """What no library can do without: a copy of an answer, and a commit."""
    with Program(BUILD / "floor", STORE / "floor.db") as program:
        times = {
            name: program.ask(name, SECONDS * ROUNDS) / 1000 for name in ("copy", "copy-and-wipe")
        }
    return {"row": "floor", "times": times}


def commits(workload: Workload) -> Row:
    """One sign-in's durable commit beside SQLite alone."""
    with Program(BUILD / "floor", STORE / "floor.db") as bare, writer(workload) as tessera:
        times: dict[str, list[float]] = {"sqlite": [], "swift": []}
        for _ in range(ROUNDS):
            times["sqlite"].append(bare.ask("commit", 0.2) / 1000)
            times["swift"].append(tessera.ask("sign-in", 0.2) / 1000)
    return {"row": "commit", "times": medians(times)}
