# SPDX-License-Identifier: MIT
"""The targets of the figures, as minimum or maximum, to detect regressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from starts import BROKER
from tables import aligned, number

Row = dict[str, Any]
Measure = Callable[[Sequence[Row]], float | None]


LEAST_UNUSED = 100_000
"""The minimum store size at which one byte per token exceeds the pages that SQLite caches."""


class Target(NamedTuple):
    """A figure with its limit."""

    name: str
    limit: float
    measure: Measure
    """Returns the worst figure in the rows; None if it was not measured."""
    is_least: bool = False
    """Whether the limit is a minimum."""


def worst(kind: str, contestant: str, **members: object) -> Measure:
    """Measures the largest time of a contestant in the rows of a kind."""

    def measure(rows: Sequence[Row]) -> float | None:
        return largest(
            row["times"].get(contestant)
            for row in rows
            if row["row"] == kind and all(row.get(key) == each for key, each in members.items())
        )

    return measure


def hit(contestant: str) -> Measure:
    """Measures the slowest hit with up to 1,000 different requests in turn."""

    def measure(rows: Sequence[Row]) -> float | None:
        chosen = [row for row in rows if row["row"] == "hit" and row["distinct"] <= 1000]
        return largest(row["times"].get(contestant) for row in chosen)

    return measure


def random_hit(contestant: str) -> Measure:
    """Measures the slowest hit in random order over more than 1,000 tokens."""

    def measure(rows: Sequence[Row]) -> float | None:
        chosen = [row for row in rows if row["row"] == "hit" and row["distinct"] > 1000]
        return largest(row["times"].get(contestant) for row in chosen)

    return measure


def listing(kind: str, contestant: str) -> Measure:
    """Measures the list of 10,000 accounts."""
    return worst(kind, contestant, accounts=10_000)


def share_of_rows(contestant: str) -> Measure:
    """Measures the first list of 10,000 accounts as a multiple of reading and decrypting its rows."""
    return lambda rows: largest(
        row["times"][contestant] / row["times"]["rows"]
        for row in rows
        if row["row"] == "accounts-first" and row["accounts"] == 10_000
    )


def slowest(kind: str, contestant: str) -> Measure:
    """Measures the 99th percentile in the rows of a kind."""
    return lambda rows: largest(
        row["slowest"].get(contestant) for row in rows if row["row"] == kind
    )


def share_of_commit(rows: Sequence[Row]) -> float | None:
    """Measures the slowest commit as a multiple of SQLite alone."""
    chosen = [row["times"] for row in rows if row["row"] == "commit"]
    return largest(times["swift"] / times["sqlite"] for times in chosen)


def growth_of_commit(rows: Sequence[Row]) -> float | None:
    """Measures a commit to the largest store as a multiple of one to the smallest."""
    shares = [
        row["times"]["swift"] / row["times"]["sqlite"] for row in rows if row["row"] == "commit"
    ]
    return shares[-1] / shares[0] if len(shares) > 1 else None


def first_call(contestant: str) -> Measure:
    """Measures the 99th percentile of first calls for a token."""
    return lambda rows: largest(row["first_p99"][contestant] for row in rows if "first_p99" in row)


def times_rows(contestant: str, kind: str = "times") -> Measure:
    """Measures first calls for a token as a multiple of reading and decrypting its rows."""
    return lambda rows: largest(
        row[kind][contestant] / row["times"]["rows"] for row in rows if row["row"] == "first-use"
    )


def growth_of_first_use(contestant: str) -> Measure:
    """Measures first calls after many others, relative to the first ones."""
    return lambda rows: largest(
        row["remembered"][contestant] / row["times"][contestant]
        for row in rows
        if row["row"] == "first-use"
    )


def above_bare(contestant: str, kind: str = "above_bare") -> Measure:
    """Measures the memory of a process that used one token of a large store, above a bare program, in MB."""
    return lambda rows: largest(
        row[kind][contestant] / 1e6
        for row in rows
        if row["row"] == "unused" and row["tokens"] >= LEAST_UNUSED
    )


def memory(contestant: str) -> Measure:
    """Measures the memory of a used token as a multiple of its response size."""
    return lambda rows: largest(
        row["bytes_per_token"][contestant] / row["answer_bytes"]
        for row in rows
        if "bytes_per_token" in row
    )


def unused(contestant: str) -> Measure:
    """Measures the memory for each unused token, in bytes.

    Small stores are excluded: the pages that SQLite caches for a deeper tree take tens of kilobytes at any size,
    and would be counted as memory of tokens.
    """
    return lambda rows: largest(
        (row["bytes"][f"{contestant}, large"] - row["bytes"][f"{contestant}, small"])
        / row["tokens"]
        for row in rows
        if row["row"] == "unused" and row["tokens"] >= LEAST_UNUSED
    )


def start(name: str, floor: str | None = None) -> Measure:
    """Measures the fastest new process, minus that of a floor. Other processes share the machine."""
    return lambda rows: largest(
        row["best"][name] - (row["best"][floor] if floor else 0)
        for row in rows
        if row["row"] == "starts"
    )


def times_start(name: str, floor: str) -> Measure:
    """Measures the fastest new process as a multiple of that of a floor."""
    return lambda rows: largest(
        row["best"][name] / row["best"][floor] for row in rows if row["row"] == "starts"
    )


def share_of_libcurl(name: str) -> Measure:
    """Measures the fastest loading of a library as a multiple of that of libcurl."""
    return lambda rows: largest(
        row["best"][name] / row["best"]["libcurl.so.4"]
        for row in rows
        if row["row"] == "loads" and name in row["best"]
    )


def megabytes(name: str) -> Measure:
    """Measures the size of a library."""
    return lambda rows: largest(row[name] / 1e6 for row in rows if row["row"] == "size")


def share_of_start(name: str, other: str) -> Measure:
    """Measures the processor time of a new process relative to another. A busy machine affects it little."""
    return lambda rows: largest(
        row["processor"][name] / row["processor"][other] for row in rows if row["row"] == "starts"
    )


def largest(values: Iterable[float | None]) -> float | None:
    """Returns the largest available value, or None."""
    return max((value for value in values if value is not None), default=None)


def of_both(name: str, limit: float, measure: Callable[[str], Measure]) -> list[Target]:
    """Returns a target for Swift and for C."""
    return [
        Target(f"{name}, Swift", limit, measure("swift")),
        Target(f"{name}, C", limit, measure("c")),
    ]


def two_threads(rows: Sequence[Row]) -> float | None:
    """Measures two threads as a multiple of one, by processor time if other processes use the second core."""
    return largest(
        max(row["ratio"], row["by_processor"]) for row in rows if row["row"] == "threads"
    )


def lead(kind: str) -> Measure:
    """Measures the minimum ratio of msal-extensions to Tessera with the shared MSAL cache file."""
    return lambda rows: min(
        (row["times"]["msal-file"] / row["times"]["swift"] for row in rows if row["row"] == kind),
        default=None,
    )


TARGETS = (
    Target("a hit, µs, Swift", 0.5, hit("swift")),
    Target("a hit, µs, C", 1, hit("c")),
    *of_both("a hit, 100,000 requests in random order, µs", 1, random_hit),
    Target("a hit, one request repeated, µs, C", 0.3, worst("hit", "c", distinct=1)),
    Target("the same with a cancellation", 0.4, worst("hit", "c-cancellation", distinct=1)),
    Target("the same in a call group", 0.5, worst("hit", "c-group", distinct=1)),
    Target("a hit, µs, Python", 4, hit("python")),
    Target("a typed result, one request repeated, µs, C++", 0.5, worst("hit", "cpp", distinct=1)),
    Target("a typed result, one request repeated, µs, Rust", 0.5, worst("hit", "rust", distinct=1)),
    Target("a typed result, one request repeated, µs, Node.js", 1.5, worst("hit", "node", distinct=1)),
    Target("a typed result, one request repeated, µs, Go", 3, worst("hit", "go", distinct=1)),
    Target("a typed result, one request repeated, µs, Java", 4, worst("hit", "java", distinct=1)),
    Target("a typed result, one request repeated, µs, Ruby", 6, worst("hit", "ruby", distinct=1)),
    Target("two threads on one application, relative to one thread, C", 1.7, two_threads, is_least=True),
    *of_both(
        "first hit after a commit for another account, µs", 20,
        lambda name: worst("after-write-other-account", name),
    ),
    *of_both(
        "first hit after a commit for the same account, µs", 20,
        lambda name: worst("after-write-same", name),
    ),
    *of_both(
        "first call after a commit of that token, p99, µs", 1000,
        lambda name: slowest("after-write-token", name),
    ),
    *of_both("no such account, p99, µs", 1000, lambda name: worst("miss-p99", name)),
    Target("no such account, p99, µs, Python", 1000, worst("miss-p99", "python")),
    *of_both("first call for a token, p99, µs", 1000, first_call),
    Target("first use of a token, relative to reading its rows, C", 2.5, times_rows("c")),
    Target("the same, p99 of the best window", 6, times_rows("c", "slowest")),
    Target("first use of a token, relative to reading its rows, Python", 4.5, times_rows("python")),
    *of_both("first use after 50,000 others, relative to the first ones", 1.2, growth_of_first_use),
    Target("an encrypted sign-in on disk, relative to a commit of SQLite alone", 2, share_of_commit),
    Target("the same in the largest store, relative to the smallest", 1.25, growth_of_commit),
    Target("size of the library, MB", 13.5, megabytes("library")),
    Target("the same with packed relocations, MB", 12.7, megabytes("packed")),
    Target("loading the library, relative to libcurl", 0.25, share_of_libcurl("libtessera.so")),
    Target(
        "the same with packed relocations, relative to libcurl", 0.2,
        share_of_libcurl("libtessera.so, packed relocations"),
    ),
    Target(
        "start to first token in C, relative to a bare program", 3,
        times_start("C: first token", "C: nothing"),
    ),
    Target(
        "the same with a preferred broker, relative to one without", 1.05,
        share_of_start(BROKER, "C: first token"),
    ),
    Target(
        "start to first token, ms above bare Python", 9,
        start("Python: import and first token", "Python: nothing"),
    ),
    *of_both("first list of 10,000 accounts, relative to reading its rows", 3, share_of_rows),
    *of_both(
        "list of 10,000 accounts after another process wrote, µs", 500,
        lambda name: listing("accounts-after-write", name),
    ),
    *of_both(
        "list of 10,000 accounts after a sign-in in another process, µs", 500,
        lambda name: listing("accounts-after-sign-in", name),
    ),
    Target(
        "list of 10,000 accounts after a sign-in in another process, µs, Python", 5000,
        listing("accounts-after-sign-in", "python"),
    ),
    *of_both("list of 10,000 accounts again, µs", 500, lambda name: listing("accounts", name)),
    Target(
        "a hit in an unchanged shared file, times as fast as msal-extensions", 10,
        lead("shared-hit"), is_least=True,
    ),
    Target(
        "the same after another program wrote the file, times as fast", 3,
        lead("shared-after-write"), is_least=True,
    ),
    Target("a token stored in the shared file, times as fast", 3, lead("shared-write"), is_least=True),
    *of_both("memory of a used token, relative to its response", 1.15, memory),
    *of_both("memory of an unused token, bytes", 1, unused),
    *of_both("a process with one token of the largest store, MB above a bare one", 6, above_bare),
    *of_both(
        "the same without pages of files, MB", 2, lambda name: above_bare(name, "own_above_bare"),
    ),
)  # fmt: skip


def passes(target: Target, value: float) -> bool:
    """Returns whether a figure meets its target."""
    return value >= target.limit if target.is_least else value <= target.limit


def verdicts(rows: Sequence[Row]) -> tuple[bool, str]:
    """Returns whether all measured figures meet their targets, and a table of them."""
    lines: list[list[str]] = [["target", "limit", "measured", ""]]
    met = True
    for target in TARGETS:
        value = target.measure(rows)
        sign = ">=" if target.is_least else "<="
        is_met = value is None or passes(target, value)
        verdict = "not measured" if value is None else "pass" if is_met else "MISS"
        met = met and is_met
        lines.append([target.name, f"{sign} {target.limit:g}", number(value), verdict])
    return met, f"Targets (the worst of all sizes)\n\n{aligned(lines)}"
