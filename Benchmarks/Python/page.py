#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the figures of the latest run, build/bench.json, into docs/performance.md.

usage: page.py   (after `make bench`, on an otherwise idle machine)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import shared_file
from programs import ROOT
from tables import NAMES, TITLES, number
from targets import TARGETS, passes

PAGE = ROOT / "docs/performance.md"
SHORT_START, SHORT_END = "## In short\n", "## Measuring\n"
START, END = "### Targets\n", "## Interpretation\n"
SHARED_START, SHARED_END = "### Figures of the shared file\n", "### Interpretation of the shared file\n"
MEASURED = re.compile(r"^Measured on.*$", re.MULTILINE)
COLUMNS = ("swift", "c", "python", "cpp", "go", "node", "rust", "java", "ruby", "msal", "msal-file", "rows")

SHORT_ROWS = (
    ("a token that it requested before", "hit", "msal"),
    ("a token that it requests for the first time", "first-use", "msal-file"),
    ("a token that another process has just replaced", "after-write-token", "msal-file"),
    ("all accounts, after another process signed a user in", "accounts-after-sign-in", "msal-file"),
)
"""The rows of the short table, with the form of MSAL Python that sees other processes where needed."""
SHORT_STARTS = (
    "C: first token", "Python: import and first token", "MSAL Python: import and first token",
)  # fmt: skip
"""The processes of the short table: in C, in Python, and with MSAL Python."""

SHORT_NOTE = """The requested scopes are some of the granted ones, as in nearly every program. Other processes
change the store only in the rows that name one; MSAL Python then has its cache in the file of msal-extensions,
without encryption. Tessera encrypts its store.
"""

Row = dict[str, Any]


def short(rows: Sequence[Row]) -> str:
    """Returns the first table of the page, for the largest store that was measured with MSAL Python as well."""
    starts_row = next(row for row in rows if row["row"] == "starts")
    size = starts_row["tokens"]
    lines = []
    for title, kind, rival in SHORT_ROWS:
        # Without a number of different requests, the row has the same one again and again.
        lines += [
            [title, *(duration(row["times"][name]) for name in ("c", "python", rival))]
            for row in rows
            if row["row"] == kind and (row["layout"], row["tokens"], row["asked"]) == ("users", size, "subset")
            and row.get("distinct", 1) == 1
        ]  # fmt: skip
    times_of_starts = (duration(1000 * starts_row["best"][name]) for name in SHORT_STARTS)
    lines.append(["its first token, from the start of the process", *times_of_starts])
    head = [f"a program waits for, {size:,} tokens in the store", "in C", "in Python", "with MSAL Python"]
    return f"{SHORT_START}\n{markdown(head, lines)}\n{SHORT_NOTE}\n"


def duration(microseconds: float) -> str:
    """Returns a duration with the unit in which it has one to three digits before the point."""
    for unit, factor in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= factor:
            return f"{number(microseconds / factor)} {unit}"
    return f"{number(microseconds)} µs"


def figures(rows: Sequence[Row]) -> str:
    """Returns all tables as Markdown."""
    parts = [START, "The worst of all sizes.\n", targets(rows)]
    for kind, title in TITLES.items():
        chosen = [row for row in rows if row["row"] == kind]
        if chosen:
            parts += [f"### {title}\n", times(chosen)]
    parts += ["### One sign-in stored durably, encrypted, µs\n", commits(rows)]
    parts += ["### From the start of a process to its end, ms\n", starts(rows)]
    parts += ["### Other\n", markdown(["", ""], others(rows))]
    return "\n".join(parts) + "\n"


def targets(rows: Sequence[Row]) -> str:
    """Returns a table of figures and targets."""
    lines = []
    for target in TARGETS:
        value = target.measure(rows)
        sign = "≥" if target.is_least else "≤"
        verdict = "not measured" if value is None else "pass" if passes(target, value) else "**miss**"
        lines.append([target.name, f"{sign} {target.limit:g}", number(value), verdict])
    return markdown(["figure", "target", "measured", ""], lines)


def times(rows: Sequence[Row]) -> str:
    """Returns a table of the rows of one kind."""
    names = [name for name in COLUMNS if any(name in row["times"] for row in rows)]
    has_distinct = any("distinct" in row for row in rows)
    head = ["store", "tokens", "request", *(["distinct"] if has_distinct else [])]
    lines = []
    for row in rows:
        place = [row["layout"], f"{row['tokens']:,}", row["asked"]]
        if has_distinct:
            place.append(f"{row['distinct']:,}")
        lines.append(place + [number(row["times"].get(name)) or "–" for name in names])
    return markdown([*head, *(NAMES[name] for name in names)], lines)


def commits(rows: Sequence[Row]) -> str:
    """Returns a table of the commits of a sign-in, compared with SQLite alone."""
    lines = []
    for row in rows:
        if row["row"] == "commit":
            tessera, bare = row["times"]["swift"], row["times"]["sqlite"]
            lines.append([f"{row['tokens']:,}", *map(number, (tessera, bare, tessera / bare))])
    return markdown(["tokens in the store", "Tessera", "SQLite, four rows of 2 KB", "ratio"], lines)


def starts(rows: Sequence[Row]) -> str:
    """Returns a table of the new processes."""
    row = next(row for row in rows if row["row"] == "starts")
    lines = [
        [name, number(median), number(row["best"][name]), number(row["processor"][name])]
        for name, median in row["milliseconds"].items()
    ]
    heads = [f"program, {row['tokens']:,} tokens in the store", "median", "minimum", "processor time"]
    return markdown(heads, lines)


def others(rows: Sequence[Row]) -> Iterable[list[str]]:
    """Returns the rows for floors, threads, memory and library size."""
    for row in rows:
        if row["row"] == "floor":
            for name, value in row["times"].items():
                yield [f"Floor in C: {name}, µs", number(value)]
        elif row["row"] == "loads":
            for name, value in row["milliseconds"].items():
                yield [f"Loading {name}, ms", number(value)]
        elif row["row"] == "threads":
            yield ["Two threads on one application in C, relative to one thread", f"{number(row['ratio'])} x"]
            yield ["The same, by processor time", f"{number(row['by_processor'])} x"]
            yield ["Two independent programs, relative to one", f"{number(row['apart'])} x"]
        elif "bytes_per_token" in row:
            place = f"{row['layout']}, {row['tokens']:,} tokens"
            for name, value in row["bytes_per_token"].items():
                yield [f"Memory of a used token, {NAMES[name]} ({place}), bytes", number(value)]
            yield [f"Its response ({place}), bytes", number(row["answer_bytes"])]
        elif row["row"] == "unused":
            for name, value in row["bytes"].items():
                yield [f"Memory for the first call, {name} store ({row['tokens']:,}), bytes", number(value)]
            for name, value in row["above_bare"].items():
                place = f"a store of {row['tokens']:,}, {NAMES[name]}"
                yield [f"Memory of a process with one token of {place}, above a bare one, bytes", number(value)]
                own = number(row["own_above_bare"][name])
                yield [f"The same without pages of files, {NAMES[name]}, bytes", own]
        elif row["row"] == "first-use":
            for name, value in row["slowest"].items():
                yield [f"First use of a token ({row['asked']}), p99, {NAMES[name]}, µs", number(value)]
        elif row["row"] == "size":
            yield ["`libtessera.so`, including the Swift runtime and SQLite, MB", number(row["library"] / 1e6)]
            yield ["The same with packed relocations, MB", number(row["packed"] / 1e6)]


def markdown(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Returns a table. All columns except the first contain numbers."""
    rule = ["---", *("--:" for _ in head[1:])]
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, rule, *lines])


def shared_figures(rows: Sequence[Row]) -> str:
    """Returns the tables of the shared MSAL cache file."""
    parts = [SHARED_START, "Measured on\n"]
    for kind, title in shared_file.TITLES.items():
        head, *lines = shared_file.lines_of(rows, kind)
        parts += [f"#### {title}\n", markdown(head, lines)]
    return "\n".join(parts) + "\n"


def between(text: str, *, start: str, end: str, new: str) -> str:
    """Replaces the text between two headings."""
    return text[: text.index(start)] + new + text[text.index(end) :]


def main() -> None:
    """Replaces the figures in the page."""
    run = json.loads((ROOT / "build/bench.json").read_text())
    rows = run["rows"]
    text = between(PAGE.read_text(), start=SHORT_START, end=SHORT_END, new=short(rows))
    text = between(text, start=START, end=END, new=figures(rows))
    text = between(text, start=SHARED_START, end=SHARED_END, new=shared_figures(rows))
    PAGE.write_text(MEASURED.sub(f"Measured on {run['day']} in one run: {run['machine']}.", text))


if __name__ == "__main__":
    main()
