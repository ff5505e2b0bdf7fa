# SPDX-License-Identifier: MIT
"""Finds the source files that each kind of call enters, with valgrind and the debug information."""

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

from issuer import USERNAME, Issuer  # noqa: E402
from workload import AUTHORITY, CLIENT, Workload, fill_tessera  # noqa: E402

DEBUG = ROOT / ".build/debug"
LIBRARY = "libtessera-c.so"
WORKLOAD = Workload("users", 10, "equal")
HITS = ("first_hit", "next_hit")
REFRESH, DEVICE_CODE, BROWSER, IMPORT = "refresh", "device_code", "browser", "import"
NO_DISCOVERY = {"instance_discovery": False}
# A browser without a window: it follows redirects.
OPENER = "#!/bin/sh\nexec curl --silent --location --output /dev/null \"$1\"\n"
# SQLite calls the functions of its VFS.
OF_SQLITE = "CTesseraStore/"


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
    built = folder / "calls"
    run("strip", "-g", "-o", folder / LIBRARY, DEBUG / LIBRARY)
    source = Path(__file__).with_name("calls.c")
    run("cc", "-std=c99", f"-I{ROOT}/include", source, "-o", built, folder / LIBRARY)
    opener = folder / "opener"
    opener.write_text(OPENER)
    opener.chmod(0o700)
    return built


def traced(folder: Path, call: str, *command: str | Path) -> set[str]:
    """Runs a program and returns the functions that ran in one of its calls."""
    environment = {
        "LD_LIBRARY_PATH": str(folder), "XDG_STATE_HOME": str(folder / "state"),
        "DBUS_SESSION_BUS_ADDRESS": "disabled:", "BROWSER": str(folder / "opener"),
    }  # fmt: skip
    trace = folder / call
    run(
        "valgrind", "--tool=callgrind", "--collect-atstart=no", f"--toggle-collect={call}",
        f"--callgrind-out-file={trace}", *command, **environment,
    )  # fmt: skip
    # Only the first mention of a function has its name, as a caller or as a callee.
    return set(re.findall(r"^c?fn=\(\d+\) ([^\s']+)", trace.read_text(), re.M))


def cache(authority: str) -> str:
    """Returns a cache of ADAL for Python with one refresh token."""
    entry = {
        "tokenType": "Bearer", "refreshToken": "refresh-token", "resource": "read", "userId": USERNAME,
        "isMRRT": True, "_clientId": CLIENT, "_authority": authority,
    }  # fmt: skip
    return json.dumps([entry])


def functions(folder: Path, calls: Path) -> Iterator[tuple[str, set[str]]]:
    """Yields each call with the functions that ran in it."""
    environment = {
        **os.environ, "XDG_STATE_HOME": str(folder / "state"), "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    }  # fmt: skip
    fill_tessera(WORKLOAD, DEBUG / "tessera-bench", folder / "store", environment)
    store = {"group": WORKLOAD.name, "directory": str(folder / "store")}
    settings = {"client_id": CLIENT, "authority": AUTHORITY, "store": store}
    repeated, other, *_ = (json.dumps(request) for request in WORKLOAD.requests())
    for call in HITS:
        yield call, traced(folder, call, calls, "hits", json.dumps(settings), repeated, other)
    with Issuer(CLIENT) as issuer:
        common = f"{issuer.url}/common"
        openid = {"client_id": CLIENT, "authority": issuer.url}
        entra = {**openid, "authority": common, "authority_type": "entra", "tokens": NO_DISCOVERY}
        request = json.dumps({"scopes": ["read"]})
        calls_with_requests = (
            (DEVICE_CODE, openid, ["refresh", request]),
            (REFRESH, openid, ["refresh", request]),
            (BROWSER, openid, ["browser", request]),
            (IMPORT, entra, ["import", request, cache(common)]),
        )
        for call, members, (kind, *rest) in calls_with_requests:
            configuration = json.dumps({**members, "store": {**store, "group": call}})
            yield call, traced(folder, call, calls, kind, configuration, *rest)


def function_addresses() -> dict[str, str]:
    """Returns the address of each function of the library."""
    listed = run("nm", "--defined-only", DEBUG / LIBRARY).splitlines()
    return {name: address for address, _, name in (line.split(maxsplit=2) for line in listed)}


def files(names: set[str], addresses: dict[str, str]) -> set[str]:
    """Returns the files in Sources that define functions, without those that SQLite calls."""
    known = sorted(f"0x{addresses[name]}" for name in names if name in addresses)
    found = run(
        "llvm-symbolizer", f"--obj={DEBUG / LIBRARY}", "--functions=none", "--no-inlines", *known
    )
    entered = re.findall(rf"^{re.escape(str(ROOT))}/Sources/(.*?):\d+:\d+$", found, re.M)
    return {name for name in entered if not name.startswith(OF_SQLITE)}


def files_of_calls() -> dict[str, set[str]]:
    """Returns the files that each call enters."""
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        (folder / "store").mkdir(mode=0o700)
        addresses = function_addresses()
        return {
            call: files(names, addresses) for call, names in functions(folder, program(folder))
        }


if __name__ == "__main__":
    for call, names in files_of_calls().items():
        print(f"{call}: {len(names)} files", *sorted(names), sep="\n  ")
