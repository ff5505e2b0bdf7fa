# SPDX-License-Identifier: MIT
"""Finds the source files that a cache hit calls, with valgrind and the debug information."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks/Python"))

from workload import AUTHORITY, CLIENT, Workload, fill_tessera  # noqa: E402

DEBUG = ROOT / ".build/debug"
LIBRARY = "libtessera-c.so"
WORKLOAD = Workload("users", 10, "equal")
CALLS = ("first_hit", "next_hit")


def run(*command: str | Path, **environment: str) -> str:
    """Runs a command and returns its output; exits if it fails."""
    done = subprocess.run(
        [str(word) for word in command], env={**os.environ, **environment}, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=1800,
    )  # fmt: skip
    if done.returncode != 0:
        raise SystemExit(f"{command[0]} ended with {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def program(folder: Path) -> Path:
    """Builds the program, with a copy of the library without the debug information that valgrind cannot read."""
    built = folder / "hit"
    run("strip", "-g", "-o", folder / LIBRARY, DEBUG / LIBRARY)
    source = Path(__file__).with_name("hit.c")
    run("cc", "-std=c99", f"-I{ROOT}/include", source, "-o", built, folder / LIBRARY)
    return built


def functions(folder: Path, hit: Path) -> Iterator[tuple[str, set[str]]]:
    """Yields each call with the functions that ran in it."""
    environment = {
        "LD_LIBRARY_PATH": str(folder), "XDG_STATE_HOME": str(folder / "state"),
        "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    }  # fmt: skip
    fill_tessera(WORKLOAD, DEBUG / "tessera-bench", folder / "store", {**os.environ, **environment})
    settings = {
        "client_id": CLIENT, "authority": AUTHORITY,
        "store": {"group": WORKLOAD.name, "directory": str(folder / "store")},
    }  # fmt: skip
    repeated, other, *_ = (json.dumps(request) for request in WORKLOAD.requests())
    for call in CALLS:
        trace = folder / call
        run(
            "valgrind", "--tool=callgrind", "--collect-atstart=no", f"--toggle-collect={call}",
            f"--callgrind-out-file={trace}", hit, json.dumps(settings), repeated, other,
            **environment,
        )  # fmt: skip
        names = re.findall(r"^fn=\(\d+\) ([^\s']+)", trace.read_text(), re.M)
        yield call, set(names)


def function_addresses() -> dict[str, str]:
    """Returns the address of each function of the library."""
    listed = run("nm", "--defined-only", DEBUG / LIBRARY).splitlines()
    return {name: address for address, _, name in (line.split(maxsplit=2) for line in listed)}


def files(names: set[str], addresses: dict[str, str]) -> set[str]:
    """Returns the files in Sources that define functions."""
    known = sorted(f"0x{addresses[name]}" for name in names if name in addresses)
    found = run(
        "llvm-symbolizer", f"--obj={DEBUG / LIBRARY}", "--functions=none", "--no-inlines", *known
    )
    return set(re.findall(rf"^{re.escape(str(ROOT))}/Sources/(.*?):\d+:\d+$", found, re.M))


def files_of_calls() -> dict[str, set[str]]:
    """Returns the files that each call runs through."""
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        (folder / "store").mkdir(mode=0o700)
        addresses = function_addresses()
        return {
            call: files(names, addresses) for call, names in functions(folder, program(folder))
        }
