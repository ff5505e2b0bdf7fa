#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the speed of two builds of the library: a cache hit, the first use of a token, a start and a write.

usage: compare.py BASE [CONTESTANT]   (BASE is another libtessera.so; it is compared with build/lib/libtessera.so)

If BASE has another C interface, CONTESTANT is the program build/bench/contestant of its version.

Each round measures both builds and a second copy of BASE in turn. A figure counts as slower if its median differs
from BASE's by more than 3 percent and by more than the two copies of BASE differ. Ends with status 1 in that case.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import programs
from msal_cache import msal_documents
from starts import milliseconds
from workload import AUTHORITY, CLIENT, Workload, write_requests

from configurations import accepted_by

ROUNDS = int(os.environ.get("ROUNDS", "0")) or 12
"""The number of alternating rounds. Each gives one figure per build."""
WORKLOAD = Workload("users", 2000, "subset")
"""200 users with ten resources each."""
DIRECTORY = programs.BUILD / "compare"
CONTESTANT = programs.BUILD / "contestant"
TOLERANCE = 0.03
"""The relative difference that is within the noise of any machine."""

Figures = dict[str, list[float]]


def main() -> None:
    """Measures, prints a table, and exits with status 1 if a figure is slower."""
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    base = Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) == 3 else CONTESTANT)
    builds = prepare({"base": base, "base again": base, "new": (programs.LIBRARY, CONTESTANT)})
    figures: dict[str, Figures] = {name: {} for name in builds}
    names = list(builds)
    for round_number in range(ROUNDS):
        # Each round starts with a different build, so that none is always measured first.
        first = round_number % len(names)
        for name in names[first:] + names[:first]:
            for figure, value in measure(builds[name], round_number).items():
                figures[name].setdefault(figure, []).append(value)
    sys.exit(1 if report(figures) else 0)


def prepare(sources: dict[str, tuple[Path, Path]]) -> dict[str, Path]:
    """Copies each library and its contestant to a directory with a store that the library itself fills."""
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    DIRECTORY.mkdir(parents=True, mode=0o700)
    write_requests(WORKLOAD, DIRECTORY / "requests")
    with (DIRECTORY / "fill").open("w") as file:
        for document in msal_documents(WORKLOAD):
            print(json.dumps({"before": "", "after": json.dumps(document)}), file=file)
    builds = {}
    for name, (library, contestant) in sources.items():
        build = DIRECTORY / name.replace(" ", "-")
        build.mkdir(mode=0o700)
        shutil.copy(library, build / soname(library))
        shutil.copy(contestant, build / "contestant")
        builds[name] = build
        with loading(build):
            milliseconds([build / "contestant", configuration(build), DIRECTORY / "fill", "fill"])
    return builds


def soname(library: Path) -> str:
    """Returns the file name under which programs load a library; it has the version of the binary interface."""
    listed = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True).stdout
    [name] = re.findall(r"\(SONAME\).*\[(.*)\]", listed)
    return str(name)


def configuration(build: Path) -> str:
    """Returns the configuration of an application on the store of a build."""
    members = {"group": WORKLOAD.name, "store_directory": str(build / "store")}
    [library] = build.glob("libtessera.so.*")
    accepted = accepted_by(library, {"client_id": CLIENT, "authority": AUTHORITY, **members})
    return json.dumps(accepted)


@contextmanager
def loading(build: Path) -> Iterator[None]:
    """Makes programs load the library of a build, with its key next to its store."""
    own = {"LD_LIBRARY_PATH": str(build), "XDG_STATE_HOME": str(build / "state")}
    before = dict(programs.ENVIRONMENT)
    programs.ENVIRONMENT.update(own)
    try:
        yield
    finally:
        programs.ENVIRONMENT.clear()
        programs.ENVIRONMENT.update(before)


def measure(build: Path, round_number: int) -> dict[str, float]:
    """Measures all figures of a build, each in its own processes."""
    request = json.dumps(next(WORKLOAD.requests()))
    figures: dict[str, float] = {}
    with loading(build):
        with programs.Program(build / "contestant", configuration(build), DIRECTORY / "requests") as program:
            program.execute("warm", 1)
            figures["first use of a token, µs"] = program.execute("warm", WORKLOAD.tokens) / WORKLOAD.tokens / 1000
            program.execute("hit", 10, 0.1)
            figures["cache hit, µs"] = program.execute("hit", 10, 0.4) / 1000
        with programs.Program(build / "contestant", configuration(build), DIRECTORY / "requests") as program:
            program.execute("write", 100 * round_number)
            writes = [program.execute("write", 100 * round_number + each) for each in range(1, 41)]
            figures["write, µs"] = statistics.median(writes) / 1000
        command: list[str | Path] = [build / "contestant", configuration(build), request, "cold"]
        starts = [milliseconds(command) for _ in range(11)]
        figures["start up to the first token, ms"] = statistics.median(whole for whole, _ in starts)
        figures["the same, processor time, ms"] = statistics.median(own for _, own in starts)
    return figures


def report(figures: dict[str, Figures]) -> bool:
    """Prints the medians; returns whether a figure is slower."""
    slower: list[str] = []
    rows: list[list[Any]] = [["figure", "base", "base again", "new", "new / base", "verdict"]]
    for name in figures["base"]:
        medians = {build: statistics.median(values[name]) for build, values in figures.items()}
        base = statistics.mean([medians["base"], medians["base again"]])
        noise = abs(medians["base"] - medians["base again"]) / base
        ratio = medians["new"] / base
        is_slower = ratio - 1 > max(TOLERANCE, noise)
        slower += [name] * is_slower
        texts = [f"{medians[build]:.3f}" for build in ("base", "base again", "new")]
        rows.append([name, *texts, f"{ratio:.3f}", "slower" if is_slower else "not slower"])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    return bool(slower)


if __name__ == "__main__":
    main()
