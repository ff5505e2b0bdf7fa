# SPDX-License-Identifier: MIT
"""Programs with a wall clock that is wrong by a day, with other programs that have the right time."""

from __future__ import annotations

import time
from collections.abc import Callable

from credentials import FRESH, Credential, sign_in
from network import cut_off, has_namespaces, no_sockets
from setting import Setting
from workers import BUILD, KINDS, WorkerPool

from provider import Provider

DAY = 86_400
CACHED = ("cached", "cached")
FETCHED = ("fetched", "fetched")
RENEWED = ("fetched", "cached")
GONE = ("refused network_failed", "refused network_failed")


def ask(
    worker_pool: WorkerPool,
    credential: Credential,
    step: int,
    expected: tuple[str, str],
    prepare: Callable[[], None] | None = None,
    *,
    forced: bool = False,
) -> list[str]:
    """Makes a new program of each language request a token. Returns the unexpected results."""
    environment = {}
    if step:
        environment = {"LD_PRELOAD": str(BUILD / "clock.so"), "CLOCK_STEP": str(step)}
    wrong = []
    for number, kind in enumerate(KINDS):
        worker = worker_pool.start(
            kind, credential.configuration, environment=environment, prepare=prepare
        )
        worker_pool.wait_until_ready(worker)
        worker.send_command("ask", 1, credential.request(**(FRESH if forced else {})))
        worker_pool.wait_until_done(worker)
        answers = worker.take()
        seen = f"{answers[0].kind} {answers[0].text}"[:80] if answers else "died"
        wanted = expected[min(number, 1)]
        if not seen.startswith(wanted):
            wrong.append(f"clock {step:+d} s, {kind}: {seen} instead of {wanted}")
        worker_pool.remove(worker)
    return wrong


def set_clocks(setting: Setting) -> tuple[list[str], int]:
    """Returns the errors, and the number of tested cells of the table."""
    wrong: list[str] = []
    cells = 0
    for step in (-DAY, DAY):
        store = setting.home / f"clock{step:+d}"
        with Provider("--interval", "1") as provider, WorkerPool(setting.home) as worker_pool:
            credential = sign_in(provider, store, "entra", "alice@contoso.com")
            # Set back, the age of the token is still known; set forward, the token is renewed once.
            wrong += ask(worker_pool, credential, step, CACHED if step < 0 else RENEWED)
            # The same when the clock is corrected after another program received a token with the wrong clock.
            wrong += ask(worker_pool, credential, step, FETCHED, forced=True)
            wrong += ask(worker_pool, credential, 0, RENEWED if step < 0 else CACHED)
            wrong += ask(worker_pool, credential, 0, CACHED, no_sockets)
            cells += 4
            if has_namespaces():
                # Without a network, a token of uncertain age is used.
                wrong += ask(worker_pool, credential, step, CACHED, cut_off)
                provider.command("set", access_token_lifetime_seconds=2)
                wrong += ask(worker_pool, credential, step, FETCHED, forced=True)
                time.sleep(3)
                # A clock that was set back makes no expired token valid.
                wrong += ask(worker_pool, credential, step, GONE, cut_off)
                cells += 3
    return wrong, cells * len(KINDS)
