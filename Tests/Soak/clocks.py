# SPDX-License-Identifier: MIT
"""Programs whose wall clock is a day wrong, beside others whose clock is right (Debian's libfaketime)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from credentials import FRESH, Credential, sign_in
from network import cut_off, has_namespaces, no_sockets
from setting import Setting
from workers import KINDS, Crew

from provider import Provider

LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
DAY = 86_400


def ask(
    crew: Crew,
    credential: Credential,
    step: int,
    expected: str,
    prepare: Callable[[], None] | None = None,
    *,
    forced: bool = False,
) -> list[str]:
    """Have a fresh program of each language ask; what was answered otherwise."""
    environment = {}
    if step:
        # Only what people can set is wrong, not the clocks that nobody can set.
        environment = {
            "LD_PRELOAD": str(LIBRARIES[0]), "FAKETIME": f"{step:+d}",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }  # fmt: skip
    wrong = []
    for kind in KINDS:
        worker = crew.start(
            kind, credential.configuration, environment=environment, prepare=prepare
        )
        crew.wait_until_ready(worker)
        worker.tell("ask", 1, credential.request(**(FRESH if forced else {})))
        crew.wait_until_done(worker)
        answers = worker.take()
        seen = f"{answers[0].kind} {answers[0].text}"[:80] if answers else "died"
        if not seen.startswith(expected):
            wrong.append(f"clock {step:+d} s, {kind}: {seen} instead of {expected}")
        crew.remove(worker)
    return wrong


def set_clocks(setting: Setting) -> tuple[list[str], int]:
    """What went wrong, and how many cells of the table were tried."""
    if not LIBRARIES:
        print("offline: wrong clocks are left out: libfaketime is not installed", flush=True)
        return [], 0
    wrong: list[str] = []
    cells = 0
    for step in (-DAY, DAY):
        store = setting.home / f"clock{step:+d}"
        with Provider("--interval", "1") as provider, Crew(setting.home) as crew:
            credential = sign_in(provider, store, "entra", "alice@contoso.com")
            # Set back, the age of the token is known all the same; set on, it is doubtful and renewed.
            wrong += ask(crew, credential, step, "cached" if step < 0 else "fetched")
            # What a program with a wrong clock received is good for one with a right clock.
            wrong += ask(crew, credential, step, "fetched", forced=True)
            wrong += ask(crew, credential, 0, "cached", no_sockets)
            cells += 3
            if has_namespaces():
                wrong += ask(crew, credential, step, "cached", cut_off)
                provider.command("set", access_token_lifetime_seconds=2)
                wrong += ask(crew, credential, step, "fetched", forced=True)
                time.sleep(3)
                # A clock that was set back revives nothing.
                wrong += ask(crew, credential, step, "refused network_failed", cut_off)
                cells += 3
    return wrong, cells * len(KINDS)
