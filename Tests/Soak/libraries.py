# SPDX-License-Identifier: MIT
"""Copies and versions of the library in one process, beside other processes, on one store."""

from __future__ import annotations

import json
import shutil
import subprocess

from credentials import FRESH, sign_in
from setting import Setting
from workers import BUILD, KINDS, LIBRARY, Crew

from provider import Provider


def use_libraries(setting: Setting) -> tuple[int, str]:
    """Two copies of the library, and another version if there is one: how many calls went wrong."""
    copies = [setting.home / f"copy{number}.so" for number in range(2)]
    for copy in copies:
        shutil.copy(LIBRARY, copy)
    paths = [str(copy) for copy in copies]
    if setting.other is not None:
        paths.append(str(setting.other))
    repetitions = 500 if setting.is_long else 40
    with Provider("--interval", "1") as provider, Crew(setting.home) as crew:
        credential = sign_in(provider, setting.home / "libraries", "entra", "alice@contoso.com")
        other = sign_in(provider, setting.home / "libraries", "entra", "bob@contoso.com")
        for kind in KINDS:
            crew.start(kind, other.configuration).tell("ask", 0, other.request(**FRESH))
        done = subprocess.run(
            [
                str(BUILD / "copies"), json.dumps(credential.configuration),
                json.dumps(credential.request()), json.dumps(credential.request(**FRESH)),
                str(repetitions), *paths,
            ],
            env=crew.environment, capture_output=True, text=True,
        )  # fmt: skip
        crew.listen(0)
        bad = [
            answer for worker in crew.workers for answer in worker.take()
            if answer.kind not in ("fetched", "cached")
        ]  # fmt: skip
        reuses = int(provider.counts()["refresh_token_reuses"])
    for line in [*done.stderr.splitlines()[:10], *(answer.text[:200] for answer in bad[:10])]:
        print(f"WRONG {line}", flush=True)
    words = done.stdout.split()
    wrong = int(words[0]) if words else 1
    crash = f"ended with {done.returncode}, " if not words else ""
    which = "two copies" + ("" if setting.other else "; no other version was named with OTHER=")
    versions = " ".join(words[1:])
    return (
        wrong + len(bad) + reuses,
        f"{which}, versions {versions}: {crash}{wrong + len(bad)} wrong, {reuses} reuses",
    )
