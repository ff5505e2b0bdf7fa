# SPDX-License-Identifier: MIT
"""Signals, threads and forks during waiting calls."""

from __future__ import annotations

import _thread
import os
import signal
import threading
import time
from functools import lru_cache
from operator import methodcaller
from typing import TYPE_CHECKING, Any

import pytest

from children import succeeds_in_child
from fake import DEVICE_CODE, GET_ACCOUNTS, PROMPT, SILENT, TOKEN, Fake
from tessera_identity import Cancellation, CancelledError, PublicClientApplication, _calls
from timeouts import until

if TYPE_CHECKING:
    from collections.abc import Callable


def when_waiting(fake: Fake, action: Callable[[], object]) -> threading.Thread:
    """Calls a function in another thread as soon as a call waits."""

    def run() -> None:
        until(lambda: fake.waiting_calls, otherwise="no call waits", pause=0.001)
        action()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def call(application: PublicClientApplication, kind: str, **options: Any) -> None:
    if kind == "silent":
        application.acquire_token_silent(["a"], account="x", **options)
    else:
        application.acquire_token_by_device_code(["a"], prompt_callback=lambda _prompt: None, **options)


def waiting_options(kind: str) -> dict[str, Any]:
    """Returns the options of a call that needs a helper thread on the main thread."""
    return {"force_refresh": True} if kind == "silent" else {}


both = pytest.mark.parametrize("kind", ["silent", "device code"])


@both
def test_ctrl_c_ends_a_waiting_call(
    fake: Fake, application: PublicClientApplication, kind: str
) -> None:
    fake.set_prompt(PROMPT)
    fake.block_calls()
    thread = when_waiting(fake, lambda: os.kill(os.getpid(), signal.SIGINT))
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        call(application, kind)
    assert time.monotonic() - start < 1
    assert fake.waiting_calls == 0
    thread.join()


@both
def test_ctrl_c_cancels_the_cancellation(
    fake: Fake, application: PublicClientApplication, kind: str
) -> None:
    fake.block_calls()
    cancellation = Cancellation()
    thread = when_waiting(fake, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        call(application, kind, cancellation=cancellation)
    thread.join()
    with pytest.raises(CancelledError):
        call(application, kind, cancellation=cancellation)


@both
def test_signal_handler_that_returns_changes_nothing(
    fake: Fake, application: PublicClientApplication, kind: str
) -> None:
    fake.set_response(SILENT, TOKEN)
    fake.set_response(DEVICE_CODE, TOKEN)
    fake.block_calls()
    heard: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _frame: heard.append(number))

    def act() -> None:
        os.kill(os.getpid(), signal.SIGUSR1)
        until(lambda: heard, otherwise="no signal is heard", pause=0.001)
        fake.release_calls()

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
    fake.block_calls()
    cancellation = Cancellation()
    thread = when_waiting(fake, cancellation.cancel)
    with pytest.raises(CancelledError) as caught:
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
    fake.set_response(SILENT, TOKEN)
    fake.set_response(DEVICE_CODE, TOKEN)

    monkeypatch.setattr("tessera_identity._calls._start_thread", lambda _function: False)
    call(application, kind, **waiting_options(kind))


@both
def test_memory_error_in_the_helper_thread_ends_the_call(
    fake: Fake,
    application: PublicClientApplication,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr("tessera_identity._calls._run_on_helper", fail)
    monkeypatch.setattr("sys.unraisablehook", lambda _problem: None)
    with pytest.raises(MemoryError):
        call(application, kind, **waiting_options(kind))
    assert fake.waiting_calls == 0


@pytest.mark.parametrize("kind", [Cancellation, lambda: PublicClientApplication("client")])
def test_ctrl_c_while_an_object_is_freed_is_raised(
    fake: Fake, monkeypatch: pytest.MonkeyPatch, kind: Callable[[], Any]
) -> None:
    ignored: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", ignored.append)

    class Interruption:
        """Interrupts the main thread when it is freed, without running a function that is written in Python."""

        def __init__(self) -> None:
            self.interrupt = _thread.interrupt_main

        __del__ = lru_cache(maxsize=0)(methodcaller("interrupt"))

    alive = fake.live_objects
    # The list frees the last element first, so that the signal is pending when the handle is freed.
    objects = [kind()._handle, Interruption()]
    assert fake.live_objects > alive
    with pytest.raises(KeyboardInterrupt):
        objects.clear()
    assert fake.live_objects == alive
    assert ignored == []


def test_other_threads_run_while_a_call_waits(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(SILENT, TOKEN)
    fake.block_calls()
    threads = [threading.Thread(target=call, args=(application, "silent")) for _ in range(8)]
    for thread in threads:
        thread.start()
    until(lambda: fake.waiting_calls == len(threads), otherwise="not all wait", pause=0.001)
    fake.release_calls()
    for thread in threads:
        thread.join()


def test_application_closed_under_a_call_ends_after_it(fake: Fake) -> None:
    fake.set_response(SILENT, TOKEN)
    fake.block_calls()
    application = PublicClientApplication("client")
    alive = fake.live_objects
    thread = threading.Thread(target=call, args=(application, "silent"))
    thread.start()
    until(lambda: fake.waiting_calls, otherwise="no call waits", pause=0.001)
    application.close()
    assert fake.live_objects >= alive
    fake.release_calls()
    thread.join()


def test_many_threads_get_the_same_result(fake: Fake, application: PublicClientApplication) -> None:
    fake.set_response(SILENT, TOKEN)
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
    fake.block_calls()
    seen: list[bool] = []

    def check_child() -> None:
        seen.append(succeeds_in_child(lambda: _calls.queues == {}))
        fake.release_calls()

    fake.set_response(SILENT, TOKEN)
    thread = when_waiting(fake, check_child)
    call(application, "silent")
    thread.join()
    assert seen == [True]


def test_child_after_fork_goes_on(fake: Fake, application: PublicClientApplication) -> None:
    fake.set_response(GET_ACCOUNTS, {"accounts": []})
    fake.set_response(SILENT, TOKEN)
    first = application.acquire_token_silent(["a"], account="x")

    def use_application() -> None:
        assert application.acquire_token_silent(["a"], account="x") is first
        assert application.acquire_token_silent(["b"], account="x") == first
        assert application.get_accounts() == ()

    assert succeeds_in_child(use_application)
