# SPDX-License-Identifier: MIT
"""Forced refreshes of several processes: a caller joins only a refresh that began after its request."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field

from credentials import FRESH, Credential, sign_in
from holders import find_holder
from setting import Setting
from workers import KINDS, Answer, Trouble, Worker, WorkerPool, version

from provider import Provider

CALLERS = 9
LEAD = 0.05
"""The seconds between the commands to the workers and their common start."""
AHEAD = 0.3
"""The seconds between that start and the time at which the provider continues."""


@dataclass
class Order:
    """The results of the rounds."""

    rounds: int = 0
    joined: int = 0
    """Callers that got the token of another caller, which had begun after their request."""
    late: int = 0
    """Rounds with a late request. Their number of requests is meaningless."""
    wrong: list[str] = field(default_factory=list)

    def report_error(self, what: str) -> None:
        """Prints an error."""
        self.wrong.append(what)
        print(f"WRONG order, round {self.rounds}: {what}", flush=True)

    def __str__(self) -> str:
        return (
            f"{self.rounds} rounds of {CALLERS} callers during a refresh: "
            f"{self.joined} joined a later refresh, {self.late} rounds without a verdict on that, "
            f"{len(self.wrong)} wrong"
        )


def has_socket(worker: Worker) -> bool:
    """Whether a process has a socket; its standard streams are pipes."""
    descriptors = f"/proc/{worker.process.pid}/fd"
    for name in os.listdir(descriptors):
        try:
            if os.readlink(f"{descriptors}/{name}").startswith("socket:"):
                return True
        except FileNotFoundError:
            continue
    return False


def begin(worker_pool: WorkerPool, credential: Credential) -> Worker:
    """Starts a refresh in a new process, which holds the lock and waits for the provider."""
    kind = list(KINDS)[len(credential.known) % len(KINDS)]
    first = worker_pool.start(kind, credential.configuration)
    worker_pool.wait_until_ready(first)
    first.send_command("ask", 1, credential.request(**FRESH))
    store = credential.configuration["store_directory"]
    end = time.monotonic() + 30
    # A refresh begins before its socket is opened.
    while find_holder(worker_pool, store, seconds=1) is not first or not has_socket(first):
        if time.monotonic() > end:
            raise Trouble("a forced refresh does not ask the provider")
        worker_pool.listen(0)
    return first


def race(provider: Provider, worker_pool: WorkerPool, credential: Credential, order: Order) -> None:
    """Runs one round: one process refreshes, the others request meanwhile."""
    callers = list(worker_pool.workers)
    before = provider.token_requests("refresh_token")
    with provider.held():
        first = begin(worker_pool, credential)
        at = time.monotonic_ns() + int(LEAD * 1e9)
        for worker in callers:
            worker.send_command("ask", 1, credential.request(**FRESH), at)
        time.sleep(LEAD + AHEAD)
        released = time.monotonic_ns()
    worker_pool.wait_until_done()
    requests = provider.token_requests("refresh_token") - before
    mine = first.take()
    judge(order, mine, [answer for each in callers for answer in each.take()], requests, released)
    for answer in mine:
        credential.note(answer)
    worker_pool.remove(first)


def judge(
    order: Order, mine: list[Answer], others: list[Answer], requests: int, released: int
) -> None:
    """Checks a round."""
    order.rounds += 1
    good = [answer for answer in mine + others if answer.kind in ("fetched", "cached")]
    if len(mine) != 1 or len(good) != CALLERS + 1:
        texts = sorted({f"{each.kind} {each.text[:100]}" for each in mine + others})
        return order.report_error(f"{len(good)} of {CALLERS + 1} got a token: {texts}")
    number = version(mine[0].text)
    early = [answer for answer in others if answer.version <= number]
    if early:
        order.report_error(f"{len(early)} got a token of a refresh that began before their requests")
    order.joined += sum(answer.kind == "cached" for answer in others)
    if max(answer.start for answer in others) > released - AHEAD / 3 * 1e9:
        order.late += 1
    elif requests != 2 or len({answer.version for answer in others}) != 1:
        order.report_error(f"{requests} requests instead of 2")
    return None


def soak_order(setting: Setting) -> Order:
    """Runs a number of rounds."""
    order = Order()
    with Provider("--interval", "1") as provider, WorkerPool(setting.home) as worker_pool:
        credential = sign_in(provider, setting.home / "order", "entra", "alice@contoso.com")
        for index in range(CALLERS):
            worker_pool.start(list(KINDS)[index % len(KINDS)], credential.configuration)
        worker_pool.wait_until_ready()
        for _ in range(setting.runs):
            race(provider, worker_pool, credential, order)
        reuses = int(provider.counts()["refresh_token_reuses"])
    if reuses:
        order.report_error(f"{reuses} refresh tokens were used twice")
    if order.late > order.rounds // 2:
        order.report_error("the machine is too slow for a verdict")
    setting.say(f"order: {order}")
    return order
