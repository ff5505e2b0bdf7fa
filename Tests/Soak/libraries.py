# SPDX-License-Identifier: MIT
"""Copies and versions of the library in one process, with other processes on the same store."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from credentials import FRESH, sign_in
from setting import Setting
from workers import BUILD, KINDS, LIBRARY, WorkerPool

from configurations import accepted_by
from provider import Provider

ROOT = Path(__file__).resolve().parent.parent.parent
LAYOUT = 3000
"""The store layout of this version; see docs/store.md."""


def later_version(setting: Setting) -> Path:
    """Builds a later version of the library, with a newer store layout; this takes minutes."""
    setting.say("a later version of the library is built")
    done = subprocess.run(
        [ROOT / "scripts/build-later-version"], stdout=subprocess.PIPE, text=True, check=True
    )
    return Path(done.stdout.splitlines()[-1])


def problem_of(setting: Setting) -> str:
    """Returns the error of the database that all of them have written; empty for none."""
    [path] = (setting.home / "libraries").glob("*.db")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        [[result]] = database.execute("PRAGMA integrity_check(1)")
        [[layout]] = database.execute("PRAGMA user_version")
    if result != "ok":
        return f"the database is damaged: {result}"
    expected = LAYOUT + setting.is_long
    return "" if setting.other or layout == expected else f"the layout is {layout}"


def use_libraries(setting: Setting) -> tuple[int, str]:
    """Runs two copies of the library and another version. Returns the number of failed calls."""
    copies = [setting.home / f"copy{number}.so" for number in range(2)]
    for copy in copies:
        shutil.copy(LIBRARY, copy)
    paths = [*copies]
    other_library = setting.other or (later_version(setting) if setting.is_long else None)
    if other_library is not None:
        paths.append(other_library)
    repetitions = 500 if setting.is_long else 40
    with Provider("--interval", "1") as provider, WorkerPool(setting.home) as worker_pool:
        credential = sign_in(provider, setting.home / "libraries", "entra", "alice@contoso.com")
        other = sign_in(provider, setting.home / "libraries", "entra", "bob@contoso.com")
        for kind in KINDS:
            worker_pool.start(kind, other.configuration).send_command("ask", 0, other.request(**FRESH))
        libraries: list[str] = []
        for path in paths:
            libraries += [str(path), json.dumps(accepted_by(path, credential.configuration))]
        done = subprocess.run(
            [
                str(BUILD / "copies"), json.dumps(credential.request()), json.dumps(credential.request(**FRESH)),
                str(repetitions), *libraries,
            ],
            env=worker_pool.environment, capture_output=True, text=True, timeout=1800,
        )  # fmt: skip
        worker_pool.listen(0)
        bad = [
            answer for worker in worker_pool.workers for answer in worker.take()
            if answer.kind not in ("fetched", "cached")
        ]  # fmt: skip
        reuses = int(provider.counts()["refresh_token_reuses"])
    problem = problem_of(setting)
    if problem:
        print(f"WRONG {problem}", flush=True)
    for line in [*done.stderr.splitlines()[:10], *(answer.text[:200] for answer in bad[:10])]:
        print(f"WRONG {line}", flush=True)
    words = done.stdout.split()
    wrong = int(words[0]) if words else 1
    crash = f"ended with {done.returncode}, " if not words else ""
    which = "two copies" + (" and another version" if other_library else "; one more with LONG=1")
    versions = " ".join(words[1:])
    return (
        wrong + len(bad) + reuses + bool(problem),
        f"{which}, versions {versions}: {crash}{wrong + len(bad)} wrong, {reuses} reuses",
    )
