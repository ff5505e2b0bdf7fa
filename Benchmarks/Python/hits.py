# SPDX-License-Identifier: MIT
"""Rows about running programs: hits, misses, accounts, calls after a write, threads."""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice

from programs import BUILD, STORE, Program, contestant, row_floor, two_threads, writer
from workload import Workload

TESSERA = ("swift", "c", "python")
TYPED = ("cpp", "go", "node", "rust", "java", "ruby")
"""Bindings with typed results, measured beside C for a cached token only. Each call also reads the token."""
FORMS = ("cancellation", "group")
"""The forms of a call in C that are measured beside the plain one: with a cancellation, and of a call group."""
MSAL = ("msal", "msal-file")
FLOORS = ("dict", "ctypes", "jna", "napi", "ruby-call")
ROUNDS = 5
SECONDS = 0.05
"""The duration of one measurement. With all rounds, each contestant is measured for 0.25 seconds."""
MOST_DISTINCT = 1000
WINDOW = 200
"""The number of first calls from which a median or a percentile is calculated."""
REMEMBERED = 50_000
"""The number of cached responses after which first calls are measured again."""

Row = dict[str, object]
Times = dict[str, float]


def alternate(programs: dict[str, Program], *command: object) -> Times:
    """Returns the medians of all programs in microseconds. In each round, every program is measured once."""
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, program in programs.items():
            times[name].append(program.execute(*command) / 1000)
    return medians(times)


def medians(times: dict[str, list[float]]) -> Times:
    """Returns the median of each list."""
    return {name: statistics.median(each) for name, each in times.items()}


def rows_of(workload: Workload) -> Iterator[Row]:
    """Measures the rows of one store."""
    place: Row = {"layout": workload.layout, "tokens": workload.tokens, "asked": workload.asked}
    rivals = MSAL if workload.has_rivals else ()
    with ExitStack() as stack:
        programs = {
            name: stack.enter_context(contestant(name, workload))
            for name in TESSERA + TYPED + rivals + FLOORS
        }
        libraries = {name: programs[name] for name in TESSERA + rivals}
        for count in sorted({1, min(workload.tokens, MOST_DISTINCT)}):
            for name in TESSERA + TYPED:
                programs[name].execute("warm", count)
            times = alternate(programs, "hit", count, SECONDS)
            for form in FORMS:
                times[f"c-{form}"] = alternate({"c": programs["c"]}, f"hit-{form}", count, SECONDS)["c"]
            yield {"row": "hit", **place, "distinct": count, "times": times}
        if workload.asked == "subset":
            for kind in ("miss", "miss-p99"):
                yield {"row": kind, **place, "times": alternate(libraries, kind, SECONDS)}
            for written in ("other-account", "same", "token"):
                measured = after_write(workload, libraries, written=written)
                yield {"row": f"after-write-{written}", **place, **measured}
            times = replaced(workload, libraries["swift"])
            yield {"row": "after-write-warm", **place, "times": times}
        if workload.asked == "subset" and workload.layout == "users":
            listed: Row = {**place, "accounts": workload.users}
            yield {"row": "accounts-first", **listed, "times": first_lists(workload)}
            measured = after_write(workload, libraries, command="list")
            yield {"row": "accounts-after-write", **listed, **measured}
            measured = after_write(workload, libraries, written="person", command="list")
            yield {"row": "accounts-after-sign-in", **listed, **measured}
            times = alternate(libraries, "accounts", SECONDS)
            yield {"row": "accounts", **listed, "times": times}
    if workload.asked == "subset" and workload.tokens > MOST_DISTINCT:
        yield {"row": "hit", **place, "distinct": min(workload.tokens, 100_000), **many(workload)}
    if workload.layout == "users" and workload.tokens >= 2 * REMEMBERED:
        yield {"row": "first-use", **place, **first_uses(workload)}


def after_write(
    workload: Workload, libraries: dict[str, Program], *, written: str = "other-account",
    command: str = "once",
) -> Row:  # fmt: skip
    """Measures the first call after another process wrote: for a token, or for the account list.

    The written record is a token of another account, another token of the same account, or the requested token.
    Alternatively, an account signs in, and signs out the next time. The file of MSAL Python is touched instead,
    because MSAL Python reads it again in any case.
    """
    samples = 21 if workload.tokens <= MOST_DISTINCT or written == "token" else 5
    times: dict[str, list[float]] = {name: [] for name in libraries if name != "msal"}
    requests = list(islice(workload.requests(), 10))
    with writer(workload) as other:
        for number in range(samples * 5):
            request = requests[number % len(requests)]
            for name, each in times.items():
                if name not in TESSERA and number >= (21 if workload.tokens <= MOST_DISTINCT else 5):
                    continue
                if name not in TESSERA:
                    os.utime(STORE / f"{workload.name}.json")
                elif written == "same":
                    other.execute("write", request["home_account_id"])
                elif written == "token":
                    other.execute("write", request["home_account_id"], request["scopes"][0])
                elif written == "person":
                    other.execute("person")
                else:
                    other.execute("write")
                words = (command,) if command == "list" else (command, number % len(requests))
                each.append(libraries[name].execute(*words) / 1000)
    slowest = {name: sorted(each)[len(each) * 99 // 100] for name, each in times.items()}
    return {"times": medians(times), "slowest": slowest}


def replaced(workload: Workload, program: Program) -> Times:
    """Measures the first call after the same process replaced the token, with warm processor caches."""
    count = min(workload.tokens, 10)
    return {
        "swift": statistics.median(program.execute("replaced", n % count) / 1000 for n in range(101))
    }


def first_lists(workload: Workload) -> Times:
    """Measures the first account list of a process after its first token, and its floor."""
    times: dict[str, list[float]] = {name: [] for name in (*TESSERA, "rows")}
    for _ in range(ROUNDS):
        for name, each in times.items():
            start = row_floor(workload) if name == "rows" else contestant(name, workload)
            with start as program:
                program.execute("warm", 1)
                each.append(program.execute("list") / 1000)
    return medians(times)


def first_uses(workload: Workload) -> Row:
    """Measures calls for tokens that the process uses for the first time, and the floor of reading their rows.

    Other processes slow down some windows. The result is the best window of each program. The programs alternate.
    """
    times: dict[str, list[float]] = {name: [] for name in (*TESSERA, "rows")}
    slowest: dict[str, list[float]] = {name: [] for name in times}
    later: dict[str, list[float]] = {name: [] for name in TESSERA}
    with ExitStack() as stack:
        programs = {name: stack.enter_context(contestant(name, workload)) for name in TESSERA}
        programs["rows"] = stack.enter_context(row_floor(workload))
        for program in programs.values():
            program.execute("warm", 1)
        first = 1
        for _ in range(2 * ROUNDS):
            for name, program in programs.items():
                times[name].append(program.execute("first-median", first, WINDOW) / 1000)
                slowest[name].append(program.execute("first-p99", first + WINDOW, WINDOW) / 1000)
            first += 2 * WINDOW
        for name in TESSERA:
            programs[name].execute("warm", REMEMBERED)
        for number in range(2 * ROUNDS):
            for name, each in later.items():
                start = REMEMBERED + first + number * WINDOW
                each.append(programs[name].execute("first-median", start, WINDOW) / 1000)
    for name in MSAL if workload.has_rivals else ():
        with contestant(name, workload) as program:
            times[name] = [program.execute("first-median", 1, ROUNDS) / 1000]
    return {
        "times": {name: min(each) for name, each in times.items()},
        "slowest": {name: min(each) for name, each in slowest.items()},
        "remembered": {name: min(each) for name, each in later.items()},
    }


def many(workload: Workload) -> Row:
    """Measures many tokens in random order, their first calls, and their memory."""
    count = min(workload.tokens, 100_000)
    times: Times = {}
    memory: Times = {}
    first: Times = {}
    slowest: Times = {}
    for name in TESSERA:
        with contestant(name, workload) as program:
            program.execute("warm", 1)
            before = program.memory
            slowest[name] = program.execute("first", count) / 1000
            memory[name] = (program.memory - before) / count
            first[name] = program.execute("warm", count) / count / 1000
            times[name] = program.execute("hit", count, 1) / 1000
            if name == "c":
                size = program.execute("bytes")
    return {
        "times": times, "bytes_per_token": memory, "answer_bytes": size, "first_p99": slowest,
        "again": first,
    }  # fmt: skip


def unused(small: Workload, large: Workload) -> Row:
    """Measures the memory of a process that used one token of a large store, compared with a small store."""
    sizes: Times = {}
    with Program(BUILD / "floor", "-", STORE / f"{small.name}.requests") as bare:
        bare_size, bare_own = bare.memory, bare.own_memory
    for name in ("swift", "c"):
        for key, workload in ((f"{name}, small", small), (f"{name}, large", large)):
            with contestant(name, small, store=workload) as program:
                before = program.memory
                program.execute("miss", SECONDS)
                sizes[key] = program.memory - before
    whole: Times = {}
    own: Times = {}
    for name in ("swift", "c"):
        with contestant(name, small, store=large) as program:
            program.execute("warm", 1)
            whole[name] = program.memory - bare_size
            own[name] = program.own_memory - bare_own
    return {
        "row": "unused", "tokens": large.tokens, "bytes": sizes, "above_bare": whole, "own_above_bare": own,
    }  # fmt: skip


def threads(workload: Workload) -> Row:
    """Measures calls per second with one thread and with two, on one application.

    Two programs with one thread each share no state, so their rate is the maximum of the machine.
    If other processes use the second core, calls per second of processor time still show whether two threads
    block each other.
    """
    rates: dict[int, list[float]] = {1: [], 2: []}
    costs: dict[int, list[float]] = {1: [], 2: []}
    apart: list[float] = []
    distinct = min(workload.tokens, 10)
    with two_threads(workload) as program, two_threads(workload) as other:
        for each_program in (program, other):
            each_program.execute("warm", distinct)
            each_program.execute("hit", distinct, SECONDS)
        for _ in range(ROUNDS):
            other.send("threads", 1, 0.3)
            apart.append(program.execute("threads", 1, 0.3) + other.read_result())
            for count, each in rates.items():
                each.append(program.execute("threads", count, 0.3))
                costs[count].append(program.execute("threads-cost", count, 0.1))
    best = {str(count): max(each) for count, each in rates.items()}
    share = max(costs[2]) / max(costs[1])
    return {
        "row": "threads",
        "rates": best,
        "ratio": best["2"] / best["1"],
        "by_processor": 2 * share,
        "apart": max(apart) / best["1"],
    }


def floors() -> Row:
    """Measures the minimum costs of any library: copying a response, and a commit."""
    with Program(BUILD / "floor", STORE / "floor.db") as program:
        times = {
            name: program.execute(name, SECONDS * ROUNDS) / 1000 for name in ("copy", "copy-and-wipe")
        }
    return {"row": "floor", "times": times}


def commits(workload: Workload) -> Row:
    """Measures the durable commit of one sign-in, encrypted, and the same rows with SQLite alone."""
    with Program(BUILD / "floor", STORE / "floor.db") as bare, writer(workload) as tessera:
        times: dict[str, list[float]] = {"sqlite": [], "swift": []}
        tessera.execute("sign-in", 0.1)
        for _ in range(2 * ROUNDS):
            times["sqlite"].append(bare.execute("commit", 0.2) / 1000)
            times["swift"].append(tessera.execute("sign-in", 0.2) / 1000)
    return {"row": "commit", "tokens": workload.tokens, "times": medians(times)}
