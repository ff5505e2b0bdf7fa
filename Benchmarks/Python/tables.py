# SPDX-License-Identifier: MIT
"""The figures as text tables, with ratios of MSAL Python to Tessera."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Row = dict[str, Any]

NAMES = {
    "swift": "Swift", "c": "C", "c-cancellation": "C, cancellation", "c-group": "C, group",
    "python": "Python", "cpp": "C++", "go": "Go", "node": "Node.js",
    "rust": "Rust", "java": "Java", "ruby": "Ruby",
    "msal": "MSAL memory", "msal-file": "MSAL file", "dict": "dict", "ctypes": "ctypes", "jna": "JNA",
    "napi": "N-API", "ruby-call": "Ruby call", "rows": "its rows alone",
}  # fmt: skip
TITLES = {
    "hit": "Cached token, µs a call",
    "miss": "No such account, µs a call",
    "miss-p99": "No such account, µs that one call in a hundred exceeds",
    "after-write-other-account": "First token after another process stored a token of another account, µs",
    "after-write-same": "First token after another process stored another token of the same account, µs",
    "after-write-token": "First token after another process replaced this token, µs",
    "after-write-warm": "The same, replaced by the same process just before, µs",
    "first-use": "First use of a token in a process, best window, µs",
    "accounts-first": "First list of the accounts of a process, µs",
    "accounts-after-write": "First list of the accounts after another process wrote, µs",
    "accounts-after-sign-in": "First list of the accounts after another process signed a user in, µs",
    "accounts": "List of the accounts again, µs a call",
}


def tables(rows: Sequence[Row]) -> str:
    """Returns all tables."""
    parts = [table(TITLES[kind], [row for row in rows if row["row"] == kind]) for kind in TITLES]
    return "\n\n".join(part for part in [*parts, *others(rows)] if part)


def table(title: str, rows: Sequence[Row]) -> str:
    """Returns a table of the rows of one kind, with ratios to MSAL Python."""
    if not rows:
        return ""
    names = [name for name in NAMES if any(name in row["times"] for row in rows)]
    head = ["layout", "tokens", "asked", "distinct", *(NAMES[name] for name in names)]
    lines = [[*head, "MSAL memory / Python", "MSAL file / Python"]]
    bound = [name for name in ("cpp", "go", "node", "rust", "java", "ruby") if name in names]
    lines[0] += [f"{NAMES[name]} / C" for name in bound]
    for row in rows:
        times = row["times"]
        place = [row["layout"], row["tokens"], row["asked"], row.get("distinct", "")]
        ratios = [ratio(times, rival) for rival in ("msal", "msal-file")]
        lines.append([*place, *(number(times.get(name)) for name in names), *ratios])
        lines[-1] += [f"{number(times[name] / times['c'])} x" if name in times else "" for name in bound]
    return f"{title}\n\n{aligned(lines)}"


def others(rows: Iterable[Row]) -> list[str]:
    """Returns the tables of rows that do not compare contestants."""
    texts = []
    for row in rows:
        if row["row"] == "floor":
            texts.append(pairs("Floor in C, µs", row["times"]))
        elif row["row"] == "commit":
            times = row["times"]
            share = times["swift"] / times["sqlite"]
            title = f"One sign-in's commit, µs ({row['tokens']} tokens in the store)"
            texts.append(pairs(title, {**times, "swift / sqlite": share}))
        elif row["row"] == "starts":
            title = f"New process, ms ({row['tokens']} tokens in the store)"
            texts.append(pairs(title, row["milliseconds"]))
            texts.append(pairs("The quickest of them, ms", row["best"]))
            texts.append(pairs("Of the processor, ms", row["processor"]))
        elif row["row"] == "loads":
            texts.append(pairs("Loading a library, ms", row["milliseconds"]))
            texts.append(pairs("The quickest of them, ms", row["best"]))
        elif row["row"] == "threads":
            rates = {f"{count} thread(s), calls/s": rate for count, rate in row["rates"].items()}
            ratios = {
                "ratio": row["ratio"], "ratio by processor time": row["by_processor"],
                "ratio of two programs": row["apart"],
            }  # fmt: skip
            texts.append(pairs("Threads in C", {**rates, **ratios}))
        elif row["row"] == "size":
            sizes = {"libtessera.so": row["library"], "the same, packed relocations": row["packed"]}
            texts.append(pairs("Size, bytes", sizes))
        elif "bytes_per_token" in row:
            title = f"Memory of a remembered token, bytes ({row['layout']}, {row['tokens']})"
            own = {"the answer itself": row["answer_bytes"]}
            texts.append(pairs(title, {**row["bytes_per_token"], **own}))
            texts.append(pairs("What one first call in a hundred exceeds, µs", row["first_p99"]))
        elif row["row"] == "unused":
            title = f"Memory for one call in a store of 1 and of {row['tokens']} tokens, bytes"
            texts.append(pairs(title, row["bytes"]))
            title = f"Memory above a bare program after one token of {row['tokens']} tokens, bytes"
            texts.append(pairs(title, row["above_bare"]))
            texts.append(pairs("The same without pages of files, bytes", row["own_above_bare"]))
        elif row["row"] == "first-use":
            title = f"First use of a token ({row['asked']}), p99 of the best window, µs"
            texts.append(pairs(title, row["slowest"]))
            texts.append(pairs("The median after 50,000 others, µs", row["remembered"]))
    return texts


def pairs(title: str, values: dict[str, float]) -> str:
    """Returns a table of names and values."""
    return f"{title}\n\n{aligned([[name, number(value)] for name, value in values.items()])}"


def ratio(times: dict[str, float], rival: str) -> str:
    """Returns the ratio of MSAL Python's time to that of Tessera's Python binding."""
    if rival not in times or "python" not in times:
        return ""
    return f"{number(times[rival] / times['python'])} x"


def number(value: float | None) -> str:
    """Formats a number with three significant digits."""
    if value is None:
        return ""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def aligned(lines: Sequence[Sequence[object]]) -> str:
    """Aligns columns: the first to the left, the others to the right."""
    texts = [[str(cell) for cell in line] for line in lines]
    widths = [max(len(line[column]) for line in texts) for column in range(len(texts[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in texts
    )
