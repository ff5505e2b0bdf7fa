# SPDX-License-Identifier: MIT
"""Tests of the readers: damaged and malicious caches, and archives compared with Python's reader.

Environment: MUTATIONS=10000 (of each file), MEGABYTES=32 (of each malicious cache).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import tessera_identity
from archives import check, rewritten
from floods import FLOODS

from examples import ENVIRONMENT, RELEASE, Mismatch, expect
from provider import ROOT

READER = RELEASE / "tessera-older-caches"
SAMPLES = ROOT / "Tests/Vectors/legacy-archives"
MUTATIONS = int(os.environ.get("MUTATIONS", "10000"))
MEGABYTES = int(os.environ.get("MEGABYTES", "32"))
# A damaged cache has a few thousand bytes; with more, a read of one second would seem to hang.
SLOWEST_MUTATION = 2000
MUTATED_MEMORY = 64


def read(*arguments: str, timeout: float) -> list[list[str]]:
    """Runs the reader and returns its lines, split into columns."""
    try:
        ended = subprocess.run(
            [READER, *arguments], capture_output=True, text=True, timeout=timeout,
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no"},
        )  # fmt: skip
    except subprocess.TimeoutExpired as problem:
        raise Mismatch(f"{' '.join(arguments)} took more than {timeout} s") from problem
    expect(ended.returncode == 0, f"{' '.join(arguments)} ended with {ended.returncode}: {ended.stderr[-500:]}")
    return [line.split("\t") for line in ended.stdout.splitlines()]


def mutations() -> str:
    """Damages each genuine and generated cache: it is read or rejected, quickly and with little memory."""
    rows = read("mutations", str(MUTATIONS), timeout=600)
    files = {path.name for path in SAMPLES.iterdir()}
    expect({row[0] for row in rows} == files, f"not all were damaged: {files - {row[0] for row in rows}}")
    for name, count, readable, slowest, memory in rows:
        expect(int(count) == MUTATIONS, f"{name} was damaged {count} times")
        expect(int(readable) > 0, f"{name}: nothing was left of any")
        expect(int(slowest) < SLOWEST_MUTATION, f"{name}: one took {slowest} ms")
        expect(int(memory) < MUTATED_MEMORY, f"{name}: {memory} MB")
    return f"{len(rows) * MUTATIONS} mutations of {len(rows)} caches"


def hostile() -> str:
    """Reads malicious caches: time and memory must be proportional to the size."""
    names = [row[0] for row in read("hostile", timeout=60)]
    slowest = 0
    for name in names:
        [[_, milliseconds, memory, outcome]] = read("hostile", name, str(MEGABYTES), timeout=300)
        # A value of an item has at most 32 MB, and exists in a few forms for a moment.
        expect(int(memory) < 2 * MEGABYTES + 160, f"{name}: {memory} MB; {outcome}")
        # Processor time; little compared to anything with superlinear growth.
        expect(int(milliseconds) < 4000 + 60 * MEGABYTES, f"{name}: {milliseconds} ms; {outcome}")
        slowest = max(slowest, int(milliseconds))
    expect(len(names) > 30, f"only {len(names)} hostile caches")
    return f"{len(names)} hostile caches of {MEGABYTES} MB, {slowest} ms at most"


def floods() -> str:
    """Imports malicious caches: the stored data of an account is not read for each token."""
    slowest = 0
    for name in FLOODS:
        with tempfile.TemporaryDirectory() as folder:
            program = [sys.executable, str(Path(__file__).with_name("floods.py")), name, str(MEGABYTES), folder]
            try:
                ended = subprocess.run(program, capture_output=True, text=True, timeout=900, env=ENVIRONMENT)
            except subprocess.TimeoutExpired as problem:
                raise Mismatch(f"{name} took more than 900 s") from problem
        expect(ended.returncode == 0, f"{name}: {ended.stderr[-500:]}")
        milliseconds, memory, moved, all_accounts = map(int, ended.stdout.split())
        found = f"{milliseconds} ms, {memory} MB, {moved} MB read and written, {all_accounts} accounts"
        # The report has a Python object for each account; the bytes exist twice.
        expect(memory < 8 * MEGABYTES + 160, f"{name}: {found}")
        # Each of many accounts is a row of the store, with index pages.
        expect(name == "accounts" or moved < 60 * MEGABYTES + 200, f"{name}: {found}")
        expect(all_accounts > 0, f"{name}: {found}")
        slowest = max(slowest, milliseconds)
    return f"{len(FLOODS)} floods of {MEGABYTES} MB taken over, {slowest} ms at most"


def archives() -> str:
    """Lets Python's reader of property lists read our archives and write them again."""
    with tempfile.TemporaryDirectory() as folder:
        log = ROOT / "build/log/archives"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("w") as output:
            subprocess.run(
                ["swift", "test", "--filter", "KeyedArchiveTests|MacOSCacheTests"], cwd=ROOT, stdout=output,
                stderr=subprocess.STDOUT, env={**os.environ, "TESSERA_ARCHIVES": folder},
            )  # fmt: skip
        paths = sorted(Path(folder).iterdir())
        expect(len(paths) > 5, f"the tests archived {len(paths)} things; see {log}")
        faults = check(paths)
    expect(not faults, "; ".join(faults))
    again = sorted(SAMPLES.glob("*.bplist"))
    with tessera_identity.PublicClientApplication("someone", storage_policy="memory_only") as application:
        for path in again:
            data = path.read_bytes()
            ours, theirs = (application.migrate(data=each, dry_run=True) for each in (data, rewritten(data)))
            expect(ours == theirs, f"{path.name}: another report once Python had archived it")
    return f"{len(paths)} archives read by Python, {len(again)} read that Python wrote"


def codes() -> str:
    """Compares the codes of damage in the sources with the table in docs/coming-from-adal.md."""
    sources = (ROOT / "Sources/TesseraLegacy").rglob("*.swift")
    text = "\n".join(path.read_text() for path in sources)
    said = set(re.findall(r'LegacyCacheError\(\s*(?:entry: [\w.]+,\s*)?"(\w+)"', text))
    said |= set(re.findall(r'self\.init\(\s*(?:entry: [\w.]+,\s*)?"(\w+)"', text))
    page = (ROOT / "docs/coming-from-adal.md").read_text()
    table = page.split("### Unreadable entries")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    told = [code for row in rows for code in re.findall(r"`(\w+)`", row) if code != "code"]
    expect(len(told) == len(set(told)), "a code is explained twice")
    expect(said == set(told), f"only in the sources: {said - set(told)}; only in the page: {set(told) - said}")
    return f"{len(said)} codes of damage are explained"


PROOFS: dict[str, Callable[[], str]] = {
    "mutations": mutations, "hostile caches": hostile, "floods": floods,
    "archives": archives, "codes": codes,
}  # fmt: skip
