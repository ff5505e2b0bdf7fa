# SPDX-License-Identifier: MIT
"""Kills writers at random points: every store opens, and no acknowledged token is lost."""

from __future__ import annotations

import dataclasses
import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import faults
from credentials import FRESH, PEOPLE, Credential, sign_in
from setting import Outcome, Setting, table
from workers import KINDS, Trouble, Worker, WorkerPool

from provider import Provider

STORES = 2
LONGEST_LIFE = 0.08
"""The maximum time in seconds that a writer writes before it is killed."""


@dataclass
class Figures:
    """The counters."""

    kills: int = 0
    killed_at_start: int = 0
    acknowledged: int = 0
    unkept: int = 0
    checks: int = 0
    integrity_checks: int = 0
    worst_opening: float = 0
    problems: list[str] = field(default_factory=list)
    refusals: dict[str, int] = field(default_factory=dict)
    kills_by_kind: dict[str, int] = field(default_factory=dict)

    def check(self, credential: Credential, when: str) -> None:
        """Checks that a credential is as expected."""
        problem, seconds = credential.check()
        self.checks += 1
        self.worst_opening = max(self.worst_opening, seconds)
        if problem:
            store = credential.configuration["store_directory"]
            self.problems.append(f"{when}, {store}: {problem}")
            print(f"LOST {self.problems[-1]}", flush=True)

    def read_output(self, worker: Worker, credential: Credential) -> None:
        """Records the output of a writer."""
        for answer in worker.take():
            if answer.kind in ("fetched", "cached"):
                self.acknowledged += 1
                credential.note(answer)
            elif answer.kind == "unkept":
                self.unkept += 1
            else:
                code = answer.text.split(" ")[0]
                self.refusals[code] = self.refusals.get(code, 0) + 1


@dataclass
class KillPlan:
    """The time at which a writer is killed, and its credential."""

    credential: Credential
    life: float
    at_start: bool
    end: float = 0


def start_writer(worker_pool: WorkerPool, kind: str, credentials: list[Credential], rng: random.Random) -> None:
    """Starts a writer without an end, and chooses its lifetime."""
    plan = KillPlan(rng.choice(credentials), rng.uniform(0, LONGEST_LIFE), rng.random() < 0.1)
    worker = worker_pool.start(kind, plan.credential.configuration)
    worker.note = plan
    worker.send_command("ask", 0, plan.credential.request(**FRESH))
    if plan.at_start:
        plan.end = time.monotonic() + plan.life


def kill_one(worker_pool: WorkerPool, worker: Worker, figures: Figures) -> KillPlan:
    """Kills a writer and reads its output."""
    plan: KillPlan = worker.note
    died_before = worker.process.poll() is not None
    worker_pool.remove(worker)
    if died_before:
        raise Trouble(f"a writer in {worker.kind} ended with {worker.process.returncode}")
    figures.read_output(worker, plan.credential)
    figures.kills += 1
    figures.killed_at_start += not worker.is_ready
    figures.kills_by_kind[worker.kind] = figures.kills_by_kind.get(worker.kind, 0) + 1
    return plan


def check_running(worker_pool: WorkerPool, figures: Figures) -> None:
    """Reads the output of live writers; the acknowledged tokens must be in the store from now on."""
    for worker in worker_pool.workers:
        figures.read_output(worker, worker.note.credential)
        if worker.is_ready and not worker.note.end:
            worker.note.end = time.monotonic() + worker.note.life


def check_integrity(store: Path, figures: Figures) -> None:
    """Runs SQLite's own check in another process, because its locks and Tessera's must not meet in one."""
    code = (
        "import sqlite3, sys\n"
        "print(*sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(store / "default.db")], capture_output=True, text=True,
        timeout=600,
    )  # fmt: skip
    figures.integrity_checks += 1
    if done.stdout.strip() != "('ok',)":
        figures.problems.append(f"{store}: {done.stdout}{done.stderr}")


def soak(setting: Setting) -> Outcome:
    """Kills, checks and counts."""
    rng = random.Random(setting.seed)
    figures = Figures()
    with Provider("--interval", "1", "--no-rotation") as provider, WorkerPool(setting.home) as worker_pool:
        stores = [
            [
                sign_in(provider, setting.home / f"store{number}", authority, person)
                for authority, person in zip(("entra", "main", "entra"), PEOPLE)
            ]
            for number in range(STORES)
        ]
        for credentials in stores:
            for kind in KINDS:
                start_writer(worker_pool, kind, credentials, rng)
        while figures.kills < setting.runs:
            soak_once(setting, worker_pool, stores, figures, rng)
        for worker in list(worker_pool.workers):
            kill_one(worker_pool, worker, figures)
        for credentials in stores:
            for credential in credentials:
                figures.check(credential, "at the end")
    outcome = report(figures)
    # Includes failing disks: a twenty-fifth of the runs.
    after = faults.soak(dataclasses.replace(setting, runs=max(setting.runs // 25, 1)))
    return Outcome(outcome.passed and after.passed, f"{outcome.closing}; {after.closing}")


def soak_once(
    setting: Setting, worker_pool: WorkerPool, stores: list[list[Credential]], figures: Figures,
    rng: random.Random,
) -> None:  # fmt: skip
    """Waits for the next kill, and checks the store."""
    check_running(worker_pool, figures)
    due = [worker for worker in worker_pool.workers if worker.note.end]
    next_one = min(due, key=lambda worker: worker.note.end, default=None)
    if next_one is None or next_one.note.end > time.monotonic():
        worker_pool.listen(next_one.note.end - time.monotonic() if next_one else 1)
        if any(worker.has_ended for worker in worker_pool.workers):
            raise Trouble("a writer ended by itself")
        return
    store = next_one.note.credential.configuration["store_directory"]
    victims = [next_one]
    # Now and then no process has the store open: the next one recovers it alone.
    alone = rng.random() < 0.1
    if alone:
        victims = [
            worker for worker in worker_pool.workers
            if worker.note.credential.configuration["store_directory"] == store
        ]  # fmt: skip
    for victim in victims:
        kill_one(worker_pool, victim, figures)
    check_running(worker_pool, figures)
    credentials = next(each for each in stores if each[0].configuration["store_directory"] == store)
    for credential in credentials:
        figures.check(credential, f"kill {figures.kills}")
    if alone and rng.random() < 0.2:
        check_integrity(Path(store), figures)
    for victim in victims:
        start_writer(worker_pool, victim.kind, credentials, rng)
    if figures.kills % 250 < len(victims):
        setting.say(f"{figures.kills} kills, {figures.acknowledged} acknowledged commits")


def report(figures: Figures) -> Outcome:
    """Prints the figures."""
    by_kind = ", ".join(f"{count} {kind}" for kind, count in sorted(figures.kills_by_kind.items()))
    worst = f"{figures.worst_opening * 1000:.0f} ms"
    lost = len(figures.problems)
    table(
        {
            "kills": f"{figures.kills} ({by_kind})",
            "of them before the first call": figures.killed_at_start,
            "acknowledged commits": figures.acknowledged,
            "tokens with persisted false": figures.unkept,
            "refused calls": figures.refusals or 0,
            "looks at a credential after a kill": figures.checks,
            "integrity checks": figures.integrity_checks,
            "worst reopening": worst,
            "lost, or stores that did not open": lost,
        }
    )
    return Outcome(
        not (lost or figures.refusals or figures.unkept),
        f"{figures.kills} kills, {figures.acknowledged} acknowledged commits, {lost} lost, "
        f"0 manual steps, worst reopening {worst}",
    )
