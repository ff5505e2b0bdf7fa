# SPDX-License-Identifier: MIT
"""Rows about new processes: from their start to their first token, in milliseconds."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from programs import BUILD, CORE, ENVIRONMENT, LIBRARY, ROOT, STORE, configuration, output_of
from workload import AUTHORITY, CLIENT, Workload

SAMPLES = 21
BROKER = "C: first token, a broker preferred"
"""The broker is contacted only for tokens that are not in the store."""
PACKED = BUILD / "packed/libtessera.so"
"""The library with packed relocations, which need glibc 2.36 or newer."""
LOADED: dict[str, str | Path] = {
    "libtessera.so": LIBRARY, "libtessera.so, packed relocations": PACKED, "libcurl.so.4": "libcurl.so.4",
}  # fmt: skip
"""The libraries whose loading is compared."""

TESSERA_TOKEN = """
import tessera_identity
application = tessera_identity.PublicClientApplication(
    {client!r}, authority={authority!r}, group={group!r}, store_directory={store!r})
application.acquire_token_silent({scopes!r}, account={account!r})
"""

MSAL_TOKEN = """
import sys
sys.path.insert(0, {programs!r})
from pathlib import Path
from msal_cache import application_of
application = application_of(Path({path!r}), in_file=True)
account = application.get_accounts()[0]
assert application.acquire_token_silent({scopes!r}, account)
"""


def starts(workload: Workload) -> dict[str, object]:
    """Measures new processes from start to exit, alternating between the commands."""
    request = next(workload.requests())
    values = {
        "client": CLIENT, "authority": AUTHORITY, "group": workload.name, "store": str(STORE),
        "scopes": request["scopes"], "account": request["home_account_id"],
        "programs": str(ROOT / "Benchmarks/Python"), "path": str(STORE / f"{workload.name}.json"),
    }  # fmt: skip
    python = [sys.executable, "-c"]
    commands: dict[str, Sequence[str | Path]] = {
        "C: nothing": [BUILD / "floor"],
        "C: first token": [
            BUILD / "contestant", configuration(workload), json.dumps(request), "cold",
        ],
        BROKER: [
            BUILD / "contestant", configuration(workload, broker="prefer"), json.dumps(request), "cold",
        ],
        "Python: nothing": [*python, "pass"],
        "Python: import tessera_identity": [*python, "import tessera_identity"],
        "Python: import and first token": [*python, TESSERA_TOKEN.format(**values)],
        "MSAL Python: import": [*python, "import msal"],
        "MSAL Python: import and first token": [*python, MSAL_TOKEN.format(**values)],
    }  # fmt: skip
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(SAMPLES):
        for name, command in commands.items():
            times[name].append(milliseconds(command))
    row: dict[str, object] = {"row": "starts", "tokens": workload.tokens}
    row["milliseconds"] = {name: statistics.median(whole for whole, _ in each) for name, each in times.items()}
    row["best"] = {name: min(whole for whole, _ in each) for name, each in times.items()}
    row["processor"] = {name: statistics.median(own for _, own in each) for name, each in times.items()}
    return row


def loads() -> dict[str, object]:
    """Measures dlopen() in new processes, alternating between the libraries."""
    libraries = dict(LOADED)
    if (os.confstr("CS_GNU_LIBC_VERSION") or "") < "glibc 2.36":
        del libraries["libtessera.so, packed relocations"]
    times: dict[str, list[float]] = {name: [] for name in libraries}
    for _ in range(SAMPLES):
        for name, library in libraries.items():
            times[name].append(float(output_of(BUILD / "load", library)) / 1e6)
    return {
        "row": "loads",
        "milliseconds": {name: statistics.median(each) for name, each in times.items()},
        "best": {name: min(each) for name, each in times.items()},
    }


def milliseconds(command: Sequence[str | Path]) -> tuple[float, float]:
    """Returns the wall-clock and processor time of a program, run on the core for measurements."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {CORE})
    try:
        start = perf_counter()
        program = subprocess.Popen([str(word) for word in command], env=ENVIRONMENT)
        _, status, usage = os.wait4(program.pid, 0)
        end = perf_counter()
    finally:
        os.sched_setaffinity(0, before)
    program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode:
        raise SystemExit(f"{command!r} ended with {program.returncode}")
    return (end - start) * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def sizes() -> dict[str, object]:
    """Returns the sizes of the library in bytes."""
    return {"row": "size", "library": LIBRARY.stat().st_size, "packed": PACKED.stat().st_size}
