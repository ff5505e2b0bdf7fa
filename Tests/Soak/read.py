# SPDX-License-Identifier: MIT
"""Reads the tokens that busy writers replace: never "not found", never a stale one, and quickly."""

from __future__ import annotations

import time
from bisect import bisect_left
from dataclasses import dataclass, field

from credentials import FRESH, Credential, sign_in
from setting import Outcome, Setting, table
from times import Times
from workers import KINDS, Answer, Trouble, Worker, WorkerPool

from provider import Provider

WRITERS = ("swift", "c", "python", "c")
BURST = 500
"""The reads of one new reader between two checks of the writers' output."""


@dataclass
class Figures:
    """The counters."""

    running: Times = field(default_factory=Times)
    fresh: Times = field(default_factory=Times)
    started: Times = field(default_factory=Times)
    missing: list[str] = field(default_factory=list)
    old: list[str] = field(default_factory=list)
    commits: int = 0

    def read_writer(self, worker: Worker) -> None:
        """Records the commits of a writer."""
        for answer in worker.take():
            if answer.kind not in ("fetched", "cached"):
                raise Trouble(f"a writer got {answer.kind} {answer.text[:200]}")
            self.commits += 1
            worker.note.note(answer)

    def judge(self, worker: Worker, commits: dict[int, list[tuple[int, int]]]) -> None:
        """Checks the reads of a reader."""
        for answer in worker.take():
            if answer.kind != "cached":
                self.missing.append(f"{worker.kind}: {answer.kind} {answer.text[:200]}")
                print(f"MISSING {self.missing[-1]}", flush=True)
            elif answer.version < floor(commits[id(worker.note)], answer):
                self.old.append(f"{worker.kind}: {answer.version}")
                print(f"OLD {self.old[-1]}", flush=True)


def floor(commits: list[tuple[int, int]], answer: Answer) -> int:
    """Returns the newest token that was committed before the last of these reads began."""
    index = bisect_left(commits, (answer.end, 0))
    return commits[index - 1][1] if index else 0


def in_order(credential: Credential) -> list[tuple[int, int]]:
    """Returns the times at which the newest tokens were known to be committed, in ascending order."""
    commits: list[tuple[int, int]] = []
    for end, number in sorted(credential.known):
        commits.append((end, max(number, commits[-1][1] if commits else 0)))
    return commits


def burst(worker_pool: WorkerPool, running: list[Worker], fresh: list[Worker], figures: Figures) -> None:
    """Lets all readers read for a while, and new programs of all languages once."""
    started = [worker_pool.start(kind, running[0].note.configuration) for kind in KINDS]
    for worker in started:
        worker.note = running[0].note
    for worker in running + started:
        worker.send_command("read", BURST if worker in running else 1, worker.note.request())
    for worker in fresh:
        worker.send_command("fresh", BURST, worker.note.request())
    readers = running + fresh + started
    worker_pool.wait_until_done(*readers)
    for worker in worker_pool.workers:
        if worker.has_ended:
            raise Trouble(f"a worker in {worker.kind} ended by itself")
        if worker not in readers:
            figures.read_writer(worker)
    credentials = {id(worker.note): worker.note for worker in readers}
    commits = {key: in_order(credential) for key, credential in credentials.items()}
    for worker in readers:
        figures.judge(worker, commits)
    for group, times in (
        (running, figures.running), (fresh, figures.fresh), (started, figures.started)
    ):  # fmt: skip
        for worker in group:
            times.add(worker.times)
    for worker in started:
        worker_pool.remove(worker)
    for credential in credentials.values():
        # Older commits cannot be the minimum of a later read.
        del credential.known[:-1000]


def soak(setting: Setting) -> Outcome:
    """Writes and reads until there were enough reads."""
    figures = Figures()
    with Provider("--interval", "1") as provider, WorkerPool(setting.home) as worker_pool:
        store = setting.home / "store"
        credentials = [
            sign_in(provider, store, authority, "alice@contoso.com")
            for authority in ("entra", "main")
        ]

        def workers(kinds: tuple[str, ...]) -> list[Worker]:
            made = []
            for index, kind in enumerate(kinds):
                credential = credentials[index % 2]
                worker = worker_pool.start(kind, credential.configuration)
                worker.note = credential
                made.append(worker)
            return made

        running, fresh = workers(tuple(KINDS)), workers(("c",) * 3)
        writers = workers(WRITERS)
        worker_pool.wait_until_ready()
        start = time.monotonic()
        for writer in writers:
            writer.send_command("ask", 0, writer.note.request(**FRESH))
        run_row = 0
        while (count := figures.running.count + figures.fresh.count) < setting.runs:
            burst(worker_pool, running, fresh, figures)
            if count // 100_000 > run_row:
                run_row = count // 100_000
                setting.say(f"{count} reads, {figures.commits} commits")
        seconds = time.monotonic() - start
    return report(figures, seconds)


def report(figures: Figures, seconds: float) -> Outcome:
    """Prints the figures."""
    reads = figures.running.count + figures.fresh.count + figures.started.count
    table(
        {
            "reads of running processes": figures.running,
            "reads of new processes (fork)": figures.fresh,
            "reads of new programs (exec)": figures.started,
            "commits meanwhile": f"{figures.commits}, {figures.commits / seconds:.0f} a second",
            'false "not found"': len(figures.missing),
            "answers that were replaced before": len(figures.old),
        }
    )
    quick = figures.running.percentile(99) < 2_000_000
    return Outcome(
        quick and not figures.missing and not figures.old,
        f"{reads} reads beside {figures.commits} commits, {len(figures.missing)} not found, "
        f"{len(figures.old)} old, p99 {figures.running.percentile(99) / 1e6:.3f} ms running, "
        f"{figures.fresh.percentile(99) / 1e6:.2f} ms new",
    )
