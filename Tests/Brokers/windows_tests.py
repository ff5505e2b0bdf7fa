# SPDX-License-Identifier: MIT
"""Windows of the broker: closed when the command that opened them ends, and one at a time."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from typing import Any

import tessera
from clients import CLI, SCOPES, Person, error_of
from desktop import ROOT, check, end
from people import AUTHORITY, CLIENT, usual


def awaited(person: Person, method: str, count: int) -> list[dict[str, Any]]:
    """The calls of a method, when there are so many."""
    for _ in range(600):
        calls = person.desktop.calls(method)
        if len(calls) >= count:
            return calls
        time.sleep(0.05)
    check(False, method, "was not called", count, "times")
    raise AssertionError


def signing_in(person: Person, **environment: str) -> subprocess.Popen[str]:
    """The command, which has the broker show a window."""
    words = [
        str(CLI), "login", "--client-id", CLIENT, "--authority", AUTHORITY, "--scope", "User.Read",
        "--broker", "prefer", "--store-directory", str(person.store), "--storage-policy", "allow_plaintext",
    ]  # fmt: skip
    return subprocess.Popen(
        words, env={**person.desktop.environment(), **environment}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def a_signal_closes_the_window_and_ends_the_command(person: Person) -> None:
    """Ctrl-C, "kill" and a terminal that goes away: the broker hears it, and the command ends as without one."""
    person.desktop.say(**{**usual(), "acquireTokenInteractively": {"until_cancelled": True}})
    # In the background of a shell this program ignores it, and so would what it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for count, number in enumerate((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), 1):
        command = signing_in(person)
        try:
            opened = awaited(person, "acquireTokenInteractively", count)
            command.send_signal(number)
            said, _ = command.communicate(timeout=60)
        finally:
            end(command)
        check(command.returncode == -number, number, "ended with", command.returncode, said)
        check(said == "", number, "says", said)
        closed = awaited(person, "cancelInteractiveFlow", count)
        check(closed[-1]["id"] == opened[-1]["id"], "another window was closed", opened[-1], closed[-1])


def a_signal_closes_the_window_while_the_runtime_is_busy(person: Person) -> None:
    """Where the concurrency runtime has no free thread, Ctrl-C works as elsewhere."""
    person.desktop.say(**{**usual(), "acquireTokenInteractively": {"until_cancelled": True}})
    shim = person.desktop.folder / "busy_runtime.so"
    source = ROOT / "Tests/Brokers/busy_runtime.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True, timeout=60)
    command = signing_in(person, LD_PRELOAD=str(shim))
    try:
        opened = awaited(person, "acquireTokenInteractively", 1)
        command.send_signal(signal.SIGTERM)
        command.communicate(timeout=20)
    finally:
        end(command)
    check(command.returncode == -signal.SIGTERM, "it ended with", command.returncode)
    check(awaited(person, "cancelInteractiveFlow", 1)[-1]["id"] == opened[-1]["id"], "another window was closed")


def what_is_ignored_stays_ignored(person: Person) -> None:
    """Under nohup the terminal may go away; the command ends by what comes after."""
    person.desktop.say(**{**usual(), "acquireTokenInteractively": {"until_cancelled": True}})
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        command = signing_in(person)
    finally:
        signal.signal(signal.SIGHUP, before)
    try:
        awaited(person, "acquireTokenInteractively", 1)
        command.send_signal(signal.SIGHUP)
        command.send_signal(signal.SIGTERM)
        command.communicate(timeout=60)
    finally:
        end(command)
    check(command.returncode == -signal.SIGTERM, "it ended with", command.returncode)
    awaited(person, "cancelInteractiveFlow", 1)


def an_application_has_one_window_at_a_time(person: Person) -> None:
    """A second sign-in says so, and opens no browser either; another application has a window of its own."""
    person.desktop.say(**{**usual(), "acquireTokenInteractively": {"until_cancelled": True}})
    applications = [person.application() for _ in range(2)]
    stops = [tessera.Cancellation() for _ in applications]
    problems: list[tessera.TesseraError] = []

    def sign_in(application: tessera.PublicClientApplication, stop: tessera.Cancellation) -> None:
        problems.append(error_of(lambda: application.acquire_token_interactive(SCOPES, cancellation=stop)))

    threads = [threading.Thread(target=sign_in, args=each) for each in zip(applications, stops, strict=True)]
    for thread in threads:
        thread.start()
    try:
        opened = awaited(person, "acquireTokenInteractively", 2)
        again = error_of(lambda: applications[0].acquire_token_interactive(SCOPES, timeout=60))
    finally:
        for stop, thread in zip(stops, threads, strict=True):
            stop.cancel()
            thread.join()
    check(again.code == "interaction_in_progress", repr(again))
    closed = awaited(person, "cancelInteractiveFlow", 2)
    check({call["id"] for call in opened} == {call["id"] for call in closed}, opened, closed)
    check([problem.code for problem in problems] == ["cancelled"] * 2, problems)
    check(len(person.desktop.calls("acquireTokenInteractively")) == 2, "a third window was opened")
    after = error_of(lambda: applications[0].acquire_token_interactive(SCOPES, timeout=1))
    check(after.code == "deadline_exceeded", "the turn was not given back", repr(after))


TESTS = [
    a_signal_closes_the_window_and_ends_the_command,
    a_signal_closes_the_window_while_the_runtime_is_busy,
    what_is_ignored_stays_ignored,
    an_application_has_one_window_at_a_time,
]
