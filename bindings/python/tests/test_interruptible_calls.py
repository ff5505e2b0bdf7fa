# SPDX-License-Identifier: MIT
"""Signals, threads and forks during waiting calls."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from children import holds
from fake import DEVICE_CODE, GET_ACCOUNTS, PROMPT, SILENT, TOKEN, Fake
from tessera import Cancellation, Cancelled, PublicClientApplication, _callbacks
from timeouts import until

if TYPE_CHECKING:
    from collections.abc import Callable


def when_waiting(fake: Fake, action: Callable[[], object]) -> threading.Thread:
    """Calls a function in another thread as soon as a call waits."""

    def run() -> None:
        until(lambda: fake.callers, otherwise="no call waits", pause=0.001)
        action()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def call(application: PublicClientApplication, kind: str, **options: Any) -> None:
    if kind == "silent":
        application.acquire_token_silent(["a"], account="x", **options)
    else:
        application.acquire_token_by_device_code(["a"], prompt=lambda _prompt: None, **options)


both = pytest.mark.parametrize("kind", ["silent", "device code"])


@both
def test_ctrl_c_ends_a_waiting_call(
    fake: Fake, application: PublicClientApplication, kind: str
) -> None:
    fake.prompts(PROMPT)
    fake.waits()
    thread = when_waiting(fake, lambda: os.kill(os.getpid(), signal.SIGINT))
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        call(application, kind)
    assert time.monotonic() - start < 1
    assert fake.callers == 0
    thread.join()


@both
def test_ctrl_c_cancels_the_cancellation(
    fake: Fake, application: PublicClientApplication, kind: str
) -> None:
    fake.waits()
    cancellation = Cancellation()
    thread = when_waiting(fake, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        call(application, kind, cancellation=cancellation)
    thread.join()
    with pytest.raises(Cancelled):
        call(application, kind, cancellation=cancellation)


@both
def test_signal_handler_that_returns_changes_nothing(
    fake: Fake, application: PublicClientApplication, kind: str
) -> None:
    fake.answers(SILENT, TOKEN)
    fake.answers(DEVICE_CODE, TOKEN)
    fake.waits()
    heard: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _frame: heard.append(number))

    def act() -> None:
        os.kill(os.getpid(), signal.SIGUSR1)
        until(lambda: heard, otherwise="no signal is heard", pause=0.001)
        fake.goes_on()

    thread = when_waiting(fake, act)
    try:
        call(application, kind)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert heard == [signal.SIGUSR1]
    thread.join()


@both
def test_cancelling_from_another_thread(
    fake: Fake, application: PublicClientApplication, kind: str
) -> None:
    fake.waits()
    cancellation = Cancellation()
    thread = when_waiting(fake, cancellation.cancel)
    with pytest.raises(Cancelled) as caught:
        call(application, kind, cancellation=cancellation)
    assert caught.value.code == "cancelled"
    thread.join()


@both
def test_without_threads_the_call_is_made_directly(
    fake: Fake,
    application: PublicClientApplication,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake.answers(SILENT, TOKEN)
    fake.answers(DEVICE_CODE, TOKEN)

    monkeypatch.setattr("tessera._interruptible_calls._start_thread", lambda _function: False)
    call(application, kind)


@both
def test_memory_error_in_the_helper_thread_ends_the_call(
    fake: Fake,
    application: PublicClientApplication,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr("tessera._interruptible_calls._run_on_helper", fail)
    monkeypatch.setattr("sys.unraisablehook", lambda _problem: None)
    with pytest.raises(MemoryError):
        call(application, kind)
    assert fake.callers == 0


def test_other_threads_run_while_a_call_waits(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.answers(SILENT, TOKEN)
    fake.waits()
    threads = [threading.Thread(target=call, args=(application, "silent")) for _ in range(8)]
    for thread in threads:
        thread.start()
    until(lambda: fake.callers == len(threads), otherwise="not all wait", pause=0.001)
    fake.goes_on()
    for thread in threads:
        thread.join()


def test_application_closed_under_a_call_ends_after_it(fake: Fake) -> None:
    fake.answers(SILENT, TOKEN)
    fake.waits()
    application = PublicClientApplication("client")
    alive = fake.alive
    thread = threading.Thread(target=call, args=(application, "silent"))
    thread.start()
    until(lambda: fake.callers, otherwise="no call waits", pause=0.001)
    application.close()
    assert fake.alive >= alive
    fake.goes_on()
    thread.join()


def test_many_threads_get_the_same_result(fake: Fake, application: PublicClientApplication) -> None:
    fake.answers(SILENT, TOKEN)
    results: set[int] = set()
    first = application.acquire_token_silent(["a"], account="x")

    def run() -> None:
        for _ in range(500):
            results.add(id(application.acquire_token_silent(["a"], account="x")))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {id(first)}


def test_child_after_fork_knows_no_helpers(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.waits()
    seen: list[bool] = []

    def look() -> None:
        seen.append(holds(lambda: _callbacks.queues == {}))
        fake.goes_on()

    fake.answers(SILENT, TOKEN)
    thread = when_waiting(fake, look)
    call(application, "silent")
    thread.join()
    assert seen == [True]


def test_child_after_fork_goes_on(fake: Fake, application: PublicClientApplication) -> None:
    fake.answers(GET_ACCOUNTS, {"accounts": []})
    fake.answers(SILENT, TOKEN)
    first = application.acquire_token_silent(["a"], account="x")

    def goes_on() -> None:
        assert application.acquire_token_silent(["a"], account="x") is first
        assert application.acquire_token_silent(["b"], account="x") == first
        assert application.get_accounts() == ()

    assert holds(goes_on)
