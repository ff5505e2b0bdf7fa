# SPDX-License-Identifier: MIT
"""Many processes on one store, several libraries in one process, and deleted files."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor

import replaced
from credentials import FRESH, PEOPLE, sign_in
from libraries import use_libraries
from setting import Outcome, Setting, table
from workers import KINDS, Worker, WorkerPool

from provider import Provider

PROCESSES, OPERATIONS = 256, 20
ISSUERS = ("main", "second", "third", "fourth")


def crowd(setting: Setting) -> tuple[int, str]:
    """Runs many processes at the same time. Returns the number of errors, and the figures."""
    rng = random.Random(setting.seed)
    with Provider("--interval", "1") as provider, WorkerPool(setting.home) as worker_pool:
        sign_ins = [(issuer, person) for issuer in ISSUERS for person in PEOPLE]
        with ThreadPoolExecutor(len(sign_ins)) as pool:
            store = setting.home / "crowd"
            credentials = list(pool.map(lambda each: sign_in(provider, store, *each), sign_ins))
        for index in range(PROCESSES):
            credential = credentials[index % len(credentials)]
            worker = worker_pool.start(list(KINDS)[index % len(KINDS)], credential.configuration)
            worker.note = credential
        worker_pool.wait_until_ready()
        setting.say(f"{PROCESSES} processes are ready")
        at = time.monotonic_ns() + 200_000_000
        for worker in worker_pool.workers:
            give_work(worker, at, rng)
        worker_pool.wait_until_done(limit_seconds=600)
        answers = [answer for worker in worker_pool.workers for answer in worker.take()]
        reuses = int(provider.counts()["refresh_token_reuses"])
        ended = sum(worker.has_ended for worker in worker_pool.workers)
    bad = [answer for answer in answers if answer.kind not in ("cached", "fetched", "listed")]
    for answer in bad[:10]:
        print(f"WRONG {answer.kind} {answer.text[:200]}", flush=True)
    missing = PROCESSES * OPERATIONS - len(answers)
    worst = max(answer.end - answer.start for answer in answers) / 1e9
    fetched = sum(answer.kind == "fetched" for answer in answers)
    text = (
        f"{PROCESSES} processes, {len(answers) - len(bad)} of {PROCESSES * OPERATIONS} operations "
        f"good, {fetched} of them refreshes, {reuses} reuses, {ended} crashes, "
        f"worst wait {worst:.2f} s"
    )
    return len(bad) + missing + reuses + ended, text


def give_work(worker: Worker, at: int, rng: random.Random) -> None:
    """Queues twenty operations: four refreshes, six lists, ten reads, in random order."""
    work = ["refresh"] * 4 + ["list"] * 6 + ["read"] * 10
    rng.shuffle(work)
    for number, name in enumerate(work):
        verb = "list" if name == "list" else "ask"
        members = FRESH if name == "refresh" else {}
        worker.send_command(verb, 1, worker.note.request(**members), at if number == 0 else 0)


def soak(setting: Setting) -> Outcome:
    """Runs all parts."""
    wrong = 0
    lines: dict[str, object] = {}
    for run in range(setting.runs):
        problems, text = crowd(setting)
        wrong += problems
        lines[f"crowd {run + 1}"] = text
        setting.say(text)
    problems, text = use_libraries(setting)
    wrong += problems
    lines["libraries in one process"] = text
    crashes = 0
    for number, event in enumerate(replaced.EVENTS * setting.runs):
        scene = replaced.run(setting, event, number)
        name = f"{event.__name__.replace('_', ' ')} ({number + 1})"
        lines[name] = (
            f"{len(scene.commits)} commits beside {len(scene.readers)} readers, "
            f"{len(scene.crashes)} crashes, {len(scene.problems)} wrong answers"
        )
        setting.say(f"{name}: {lines[name]}")
        crashes += len(scene.crashes)
        wrong += len(scene.crashes) + len(scene.problems)
    table(lines)
    return Outcome(
        wrong == 0,
        f"{lines['crowd 1']}; {text}; {len(replaced.EVENTS) * setting.runs} accidents to files "
        f"with {crashes} crashes; {wrong} wrong in all",
    )
