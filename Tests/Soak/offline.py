# SPDX-License-Identifier: MIT
"""Without a network, with a throttling server, and with wrong clocks: the tokens that programs still get."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from typing import Any

from clocks import set_clocks
from credentials import SCOPES, Credential, application, sign_in
from network import cut_off, has_namespaces, no_sockets
from setting import Outcome, Setting, table
from workers import KINDS, Answer, Worker, WorkerPool

from provider import Provider

AUTHORITIES = ("entra", "b2c", "ciam", "adfs", "main")
PERSON = "alice@contoso.com"


def send_command(
    worker_pool: WorkerPool, workers: list[Worker], requests: dict[str, Any], at: int = 0
) -> list[Answer]:
    """Sends commands to all workers, and reads all results."""
    for worker in workers:
        for verb, request in requests.items():
            worker.send_command(verb.split("-")[0], 1, request, at)
    worker_pool.wait_until_done(*workers)
    answers = [answer for worker in workers for answer in worker.take()]
    missing = len(workers) * len(requests) - len(answers)
    return answers + [Answer(0, 0, "died", "no answer")] * missing


def report_error(answers: list[Answer], *expected: str) -> list[str]:
    """Returns the unexpected results."""
    seen = [f"{each.kind} {each.text}"[:90] for each in answers]
    return [each for each in seen if not each.startswith(expected)]


def use_cache(setting: Setting) -> tuple[list[str], int]:
    """New processes of all languages that are killed if they open a socket: lists and valid tokens."""
    wrong: list[str] = []
    trial = subprocess.run(
        [sys.executable, "-c", "import socket; socket.socket()"], preexec_fn=no_sockets, timeout=60
    )
    if trial.returncode != -signal.SIGSYS:
        wrong.append("a program that asks for a socket is not killed")
    calls = 0
    for authority in AUTHORITIES:
        with Provider("--interval", "1") as provider:
            credential = sign_in(provider, setting.home / f"valid-{authority}", authority, PERSON)
        # The provider has stopped: no request could succeed.
        for _ in range(setting.runs):
            with WorkerPool(setting.home) as worker_pool:
                workers = [
                    worker_pool.start(kind, credential.configuration, prepare=no_sockets) for kind in KINDS
                ]
                worker_pool.wait_until_ready()
                asked = {"list": {}, "ask": credential.request()}
                answers = send_command(worker_pool, workers, asked)
                calls += len(answers)
                wrong += report_error(answers, "listed", "cached")
    return wrong, calls


def refresh_without_network(setting: Setting) -> list[str]:
    """In a namespace without a network: tokens due for refresh are used, expired ones fail at once."""
    if not has_namespaces():
        print("offline: no network namespaces here (that needs root); they are left out", flush=True)
        return []
    with Provider("--interval", "1", "--refresh-in", "1") as provider:
        due = sign_in(provider, setting.home / "due", "entra", PERSON)
    with Provider("--interval", "1", "--access-token-lifetime", "2") as provider:
        gone = sign_in(provider, setting.home / "gone", "entra", PERSON)
    time.sleep(2)
    wrong: list[str] = []
    for credential, expected in ((due, "cached"), (gone, "refused network_failed")):
        with WorkerPool(setting.home) as worker_pool:
            workers = [
                worker_pool.start(kind, credential.configuration, prepare=cut_off) for kind in KINDS
            ]
            worker_pool.wait_until_ready()
            answers = send_command(worker_pool, workers, {"ask": credential.request()})
            wrong += report_error(answers, expected)
            slow = [each for each in answers if each.end - each.start > 2e9]
            wrong += [f"{expected} took more than two seconds" for _ in slow]
    return wrong


def expire(provider: Provider, credential: Credential) -> None:
    """Gets a token with a lifetime of a second, and waits until it has expired."""
    provider.command("set", access_token_lifetime_seconds=1)
    with application(credential.configuration) as app:
        app.acquire_token_silent(SCOPES, account=credential.home_account_id, force_refresh=True)
    provider.command("set", access_token_lifetime_seconds=3600)
    time.sleep(2)


def throttle(setting: Setting, seconds: int) -> tuple[list[str], int]:
    """Fifty processes, one of which is throttled: one request until the time is over."""
    wrong: list[str] = []
    refused = 0
    with Provider("--interval", "1") as provider, WorkerPool(setting.home) as worker_pool:
        credential = sign_in(provider, setting.home / "throttled", "entra", PERSON)
        kinds = [list(KINDS)[index % len(KINDS)] for index in range(50)]
        workers = [worker_pool.start(kind, credential.configuration) for kind in kinds]
        worker_pool.wait_until_ready()
        expire(provider, credential)
        provider.command("throttle", requests=1000, retry_after_seconds=seconds)
        before = int(provider.counts()["requests"])
        run_row = time.monotonic()
        request = {"ask": credential.request()}
        while True:
            answers = send_command(worker_pool, workers, request, time.monotonic_ns() + 50_000_000)
            wrong += report_error(answers, "refused throttled")
            refused += len(answers)
            # Times are whole seconds: the last one is not checked.
            if time.monotonic() > run_row + seconds - 2:
                break
            time.sleep(1)
        requests = int(provider.counts()["requests"]) - before
        if requests != 1:
            wrong.append(f"{requests} requests while the server asked to stay away")
        provider.command("recover")
        time.sleep(max(run_row + seconds + 2 - time.monotonic(), 0))
        answers = send_command(worker_pool, workers, request, time.monotonic_ns() + 50_000_000)
        wrong += report_error(answers, "fetched", "cached")
        requests = int(provider.counts()["requests"]) - before
        if requests != 2:
            wrong.append(f"{requests - 1} requests when the time was over")
    return wrong, refused


def soak(setting: Setting) -> Outcome:
    """Runs all parts."""
    wrong, calls = use_cache(setting)
    rows: dict[str, object] = {
        "valid tokens and lists, no socket": f"{calls} calls, {len(wrong)} wrong"
    }
    setting.say("valid tokens without a network")
    found = refresh_without_network(setting)
    rows["due and expired tokens, no network"] = f"{len(found)} wrong"
    wrong += found
    setting.say("refreshes without a network")
    found, refused = throttle(setting, 60 if setting.is_long else 10)
    rows["50 processes, Retry-After"] = f"{refused} calls refused, {len(found)} wrong"
    wrong += found
    setting.say("a server that asks to stay away")
    found, cells = set_clocks(setting)
    rows["clocks a day wrong"] = f"{cells} cells, {len(found)} wrong"
    wrong += found
    table(rows)
    for line in wrong[:20]:
        print(f"WRONG {line}", flush=True)
    return Outcome(
        not wrong,
        f"{calls} calls of fresh processes without a socket; 50 processes, 1 request until "
        f"Retry-After was over; {cells} cells of wrong clocks; {len(wrong)} wrong",
    )
