# SPDX-License-Identifier: MIT
"""All processes need a new token at once: one requests it, all get it, even if holders are killed."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import Any

import tessera_identity
from credentials import SCOPES, Credential, application, sign_in
from holders import find_holder
from order import Order, soak_order
from setting import Outcome, Setting, table
from waiting import Waiting, soak_waiting
from workers import KINDS, Answer, Worker, WorkerPool, version

from provider import Provider

LEAD = 50_000_000
"""The nanoseconds between the commands to the workers and their common start."""


@dataclass
class Rounds:
    """The results of one kind of rounds."""

    name: str
    callers: int
    rounds: int = 0
    successes: int = 0
    refresh_requests: int = 0
    reuses: int = 0
    kills: int = 0
    kills_outside: int = 0
    lost_in_the_window: int = 0
    worst_wait: float = 0
    wrong: list[str] = field(default_factory=list)

    def report_error(self, what: str) -> None:
        """Prints an error."""
        self.wrong.append(f"{self.name}, round {self.rounds}: {what}")
        print(f"WRONG {self.wrong[-1]}", flush=True)

    def judge(self, answers: list[Answer], before: Counts, after: Counts, expected: int) -> bool:
        """Checks a round; false if no caller got a token."""
        good = [answer for answer in answers if answer.kind in ("fetched", "cached")]
        refused = sorted({answer.text[:100] for answer in answers if answer not in good})
        self.rounds += 1
        self.successes += len(good)
        self.refresh_requests += after.requests - before.requests
        self.reuses += after.reuses - before.reuses
        waits = (answer.end - answer.start for answer in good)
        self.worst_wait = max(self.worst_wait, max(waits, default=0) / 1e9)
        if len(good) == expected:
            numbers = {answer.version for answer in good}
            if len(numbers) != 1 or after.requests - before.requests != 1:
                self.report_error(f"{after.requests - before.requests} requests, tokens {numbers}")
            return True
        if good or not self.kills:
            self.report_error(f"{len(good)} of {expected} got a token; {refused}")
        return bool(good)


@dataclass(frozen=True)
class Counts:
    """The counters of the provider."""

    requests: int
    issued: int
    reuses: int

    @staticmethod
    def of(provider: Provider) -> Counts:
        """Reads the counters of the provider."""
        counts = provider.counts()
        return Counts(
            int(counts["token_requests"].get("refresh_token", 0)),
            int(counts["tokens_issued"]), int(counts["refresh_token_reuses"]),
        )  # fmt: skip


class Scenario:
    """A store with one credential and an access token that can be expired, with its callers."""

    def __init__(self, setting: Setting, name: str, authority: str) -> None:
        self.name = name
        self.provider = Provider("--interval", "1")
        self.worker_pool = WorkerPool(setting.home)
        self.store = setting.home / name
        self.authority = authority
        self.credential = self._sign_in()

    def __enter__(self) -> Scenario:
        return self

    def __exit__(self, *reason: Any) -> None:
        self.worker_pool.__exit__(*reason)
        self.provider.__exit__(*reason)

    def start(self, count: int) -> list[Worker]:
        """Starts workers of all languages, in turn."""
        kinds = [list(KINDS)[index % len(KINDS)] for index in range(count)]
        return [self.worker_pool.start(kind, self.credential.configuration) for kind in kinds]

    def expire(self) -> None:
        """Gets a token with a lifetime of a second, and waits until it has expired; later ones last an hour."""
        self.provider.command("set", access_token_lifetime_seconds=1)
        try:
            with application(self.credential.configuration) as app:
                result = app.acquire_token_silent(
                    SCOPES, account=self.credential.home_account_id, force_refresh=True
                )
        except tessera_identity.SignInRequired:
            self.credential = self._sign_in()
            result = None
        self.provider.command("set", access_token_lifetime_seconds=3600)
        if result is None:
            return self.expire()
        self.credential.newest = version(result.access_token)
        end = max(result.expires_on, time.time() + 1)
        return time.sleep(max(end - time.time(), 0) + 0.05)

    def _sign_in(self) -> Credential:
        return sign_in(self.provider, self.store, self.authority, "alice@contoso.com")


def race(stage: Scenario, rounds: Rounds, verb: str, count: int) -> None:
    """Runs one round: all callers at the same time."""
    worker_pool = stage.worker_pool
    stage.expire()
    before = Counts.of(stage.provider)
    at = time.monotonic_ns() + LEAD
    for worker in worker_pool.workers:
        worker.send_command(verb, count, stage.credential.request(), at)
    worker_pool.wait_until_done()
    answers = [answer for worker in worker_pool.workers for answer in worker.take()]
    rounds.judge(answers, before, Counts.of(stage.provider), count * len(worker_pool.workers))


def race_with_kill(stage: Scenario, rounds: Rounds, rng: random.Random) -> None:
    """Runs one round in which the holder of the lock is killed a moment later."""
    worker_pool = stage.worker_pool
    stage.expire()
    before = Counts.of(stage.provider)
    at = time.monotonic_ns() + LEAD
    for worker in worker_pool.workers:
        worker.send_command("ask", 1, stage.credential.request(), at)
    time.sleep(LEAD / 1e9)
    victim = find_holder(worker_pool, stage.store, seconds=1)
    killed: list[Answer] = []
    if victim is not None:
        time.sleep(rng.uniform(0, 0.02) if rng.random() < 0.5 else 0)
        worker_pool.remove(victim)
        killed = victim.take()
        rounds.kills += 1
        rounds.kills_outside += bool(killed)
    worker_pool.wait_until_done()
    answers = [answer for worker in worker_pool.workers for answer in worker.take()]
    after = Counts.of(stage.provider)
    got = rounds.judge(answers + killed, before, after, len(answers) + len(killed))
    if not got:
        lose(rounds, answers, after.issued - before.issued, after.reuses - before.reuses)
    if victim is not None:
        worker_pool.wait_until_ready(worker_pool.start(victim.kind, stage.credential.configuration))


def lose(rounds: Rounds, answers: list[Answer], issued: int, reuses: int) -> None:
    """Records a lost round; the only valid reason is a token that was issued and never committed."""
    if issued == 1 and reuses >= 1:
        rounds.lost_in_the_window += 1
    else:
        texts = sorted({answer.text[:100] for answer in answers})
        rounds.report_error(f"lost with {issued} tokens issued, {reuses} reuses: {texts}")


def soak(setting: Setting) -> Outcome:
    """Runs rounds with processes, with threads, and with processes while lock holders are killed."""
    rng = random.Random(setting.seed)
    processes = 64 if setting.is_long else 24
    all_rounds = [Rounds("processes", processes)]
    with Scenario(setting, "processes", "entra") as stage:
        stage.start(processes)
        stage.worker_pool.wait_until_ready()
        for _ in range(setting.runs):
            race(stage, all_rounds[0], "ask", 1)
    setting.say(f"{setting.runs} rounds of processes")
    for kind in KINDS:
        rounds = Rounds(f"threads in {kind}", 64)
        all_rounds.append(rounds)
        with Scenario(setting, f"threads-{kind}", "main") as stage:
            stage.worker_pool.start(kind, stage.credential.configuration)
            stage.worker_pool.wait_until_ready()
            for _ in range(setting.runs if setting.is_long else 2):
                race(stage, rounds, "threads", 64)
        setting.say(f"{rounds.rounds} rounds of {rounds.name}")
    for authority in ("entra", "main"):
        rounds = Rounds(f"kills, {authority}", processes)
        all_rounds.append(rounds)
        with Scenario(setting, f"kills-{authority}", authority) as stage:
            stage.start(processes)
            stage.worker_pool.wait_until_ready()
            for _ in range(max(setting.runs // 2, 1)):
                race_with_kill(stage, rounds, rng)
        setting.say(f"{rounds.rounds} rounds of {rounds.name}")
    return report(all_rounds, soak_order(setting), soak_waiting(setting))


def report(all_rounds: list[Rounds], order: Order, waiting: Waiting) -> Outcome:
    """Prints the figures."""
    for rounds in all_rounds:
        text = (
            f"{rounds.rounds} rounds of {rounds.callers}, {rounds.refresh_requests} token "
            f"requests, {rounds.successes} successes, {rounds.reuses} reuses, "
            f"worst wait {rounds.worst_wait:.2f} s"
        )
        if rounds.kills:
            text += (
                f", {rounds.kills} holders killed ({rounds.kills_outside} after their answer), "
                f"{rounds.lost_in_the_window} rounds lost in the window"
            )
        table({rounds.name: text})
    table({"forced while one refreshes": order, "kept waiting by a full disk": waiting})
    wrong = sum(len(rounds.wrong) for rounds in all_rounds)
    wrong += len(order.wrong) + len(waiting.wrong)
    calm = [rounds for rounds in all_rounds if not rounds.kills]
    killed = [rounds for rounds in all_rounds if rounds.kills]
    return Outcome(
        wrong == 0,
        f"{sum(rounds.rounds for rounds in calm)} rounds with "
        f"{sum(rounds.refresh_requests for rounds in calm)} token requests and "
        f"{sum(rounds.reuses for rounds in calm)} reuses; {sum(rounds.kills for rounds in killed)} "
        f"holders killed, {sum(rounds.lost_in_the_window for rounds in killed)} rounds lost in the "
        f"unavoidable interval; {order.joined} forced refreshes joined a later one; "
        f"{waiting.scenarios} scenarios of full disks; {wrong} wrong",
    )
