# SPDX-License-Identifier: MIT
"""Windows of the broker: closed when the command that opened them ends, and one at a time."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from typing import Any

import tessera_identity
from broker_account import AUTHORITY, CLIENT, usual
from clients import CLI, SCOPES, DesktopUser, error_of
from desktop import ROOT, check, end


def awaited(user: DesktopUser, method: str, count: int) -> list[dict[str, Any]]:
    """Returns the calls of a method, as soon as there are `count` of them."""
    for _ in range(600):
        calls = user.desktop.calls(method)
        if len(calls) >= count:
            return calls
        time.sleep(0.05)
    check(False, method, "was not called", count, "times")
    raise AssertionError


def signing_in(user: DesktopUser, **environment: str) -> subprocess.Popen[str]:
    """Starts the command that opens a window of the broker."""
    words = [
        str(CLI), "login", "--client-id", CLIENT, "--authority", AUTHORITY, "--scope", "User.Read",
        "--broker", "prefer", "--store-directory", str(user.store), "--storage-policy", "allow_plaintext",
    ]  # fmt: skip
    return subprocess.Popen(
        words, env={**user.desktop.environment(), **environment}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def a_signal_closes_the_window_and_ends_the_command(user: DesktopUser) -> None:
    """Ctrl-C, "kill" and a closed terminal: the broker is notified, and the command ends as without a broker."""
    user.desktop.set_responses(**{**usual(), "acquireTokenInteractively": {"until_cancelled": True}})
    # A shell ignores SIGINT for background programs, and nohup ignores SIGHUP. Children would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for count, number in enumerate((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), 1):
        command = signing_in(user)
        try:
            opened = awaited(user, "acquireTokenInteractively", count)
            command.send_signal(number)
            said, _ = command.communicate(timeout=60)
        finally:
            end(command)
        check(command.returncode == -number, number, "ended with", command.returncode, said)
        check(said == "", number, "says", said)
        closed = awaited(user, "cancelInteractiveFlow", count)
        check(closed[-1]["id"] == opened[-1]["id"], "another window was closed", opened[-1], closed[-1])


def a_signal_closes_the_window_while_the_runtime_is_busy(user: DesktopUser) -> None:
    """Ctrl-C also works while the concurrency runtime has no free thread."""
    user.desktop.set_responses(**{**usual(), "acquireTokenInteractively": {"until_cancelled": True}})
    shim = user.desktop.folder / "busy_runtime.so"
    source = ROOT / "Tests/Brokers/busy_runtime.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True, timeout=60)
    command = signing_in(user, LD_PRELOAD=str(shim))
    try:
        opened = awaited(user, "acquireTokenInteractively", 1)
        command.send_signal(signal.SIGTERM)
        command.communicate(timeout=20)
    finally:
        end(command)
    check(command.returncode == -signal.SIGTERM, "it ended with", command.returncode)
    check(awaited(user, "cancelInteractiveFlow", 1)[-1]["id"] == opened[-1]["id"], "another window was closed")


def ignored_signals_stay_ignored(user: DesktopUser) -> None:
    """Under nohup the terminal may close; the command ends by the next signal."""
    user.desktop.set_responses(**{**usual(), "acquireTokenInteractively": {"until_cancelled": True}})
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        command = signing_in(user)
    finally:
        signal.signal(signal.SIGHUP, before)
    try:
        awaited(user, "acquireTokenInteractively", 1)
        command.send_signal(signal.SIGHUP)
        command.send_signal(signal.SIGTERM)
        command.communicate(timeout=60)
    finally:
        end(command)
    check(command.returncode == -signal.SIGTERM, "it ended with", command.returncode)
    awaited(user, "cancelInteractiveFlow", 1)


def an_application_has_one_window_at_a_time(user: DesktopUser) -> None:
    """A second sign-in reports it, and opens no browser either; another application has its own window."""
    user.desktop.set_responses(**{**usual(), "acquireTokenInteractively": {"until_cancelled": True}})
    applications = [user.application() for _ in range(2)]
    stops = [tessera_identity.Cancellation() for _ in applications]
    problems: list[tessera_identity.TesseraError] = []

    def sign_in(
        application: tessera_identity.PublicClientApplication, stop: tessera_identity.Cancellation
    ) -> None:
        problems.append(error_of(
            lambda: application.acquire_token_interactive(SCOPES, cancellation=stop, prompt_callback=None)
        ))

    threads = [threading.Thread(target=sign_in, args=each) for each in zip(applications, stops, strict=True)]
    for thread in threads:
        thread.start()
    try:
        opened = awaited(user, "acquireTokenInteractively", 2)
        again = error_of(
            lambda: applications[0].acquire_token_interactive(SCOPES, timeout=60, prompt_callback=None)
        )
    finally:
        for stop, thread in zip(stops, threads, strict=True):
            stop.cancel()
            thread.join()
    check(again.code == "interaction_in_progress", repr(again))
    closed = awaited(user, "cancelInteractiveFlow", 2)
    check({call["id"] for call in opened} == {call["id"] for call in closed}, opened, closed)
    check([problem.code for problem in problems] == ["cancelled"] * 2, problems)
    check(len(user.desktop.calls("acquireTokenInteractively")) == 2, "a third window was opened")
    after = error_of(lambda: applications[0].acquire_token_interactive(SCOPES, timeout=1, prompt_callback=None))
    check(after.code == "deadline_exceeded", "the turn was not given back", repr(after))


TESTS = [
    a_signal_closes_the_window_and_ends_the_command,
    a_signal_closes_the_window_while_the_runtime_is_busy,
    ignored_signals_stay_ignored,
    an_application_has_one_window_at_a_time,
]
