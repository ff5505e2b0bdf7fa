# SPDX-License-Identifier: MIT
"""Buses that take a connection and say nothing, and buses that take none; brokers and buses that are stopped."""

from __future__ import annotations

import contextlib
import signal
import socket
import time
from collections.abc import Callable
from functools import partial

import tessera
from clients import SCOPES, Person, error_of, later, reason_of
from desktop import check
from people import HOME, usual
from trouble_tests import SLACK


def a_bus_that_never_answers_is_not_waited_for(person: Person) -> None:
    """Not by a sign-in either, which has no deadline here: whether anybody is there is asked first."""
    person.desktop.path = person.desktop.folder / "mute"
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(person.desktop.path))
        mute.listen(8)
        # A call that hangs is ended after a hundred seconds, and the test has failed.
        answer = person.c("interactive", {"scopes": SCOPES}, broker="require")["answer"]["error"]
    check(answer["code"] == "broker_unresponsive" and answer["remedy"] == "retry_later", answer)
    check(answer["causes"][0]["code"] == "broker_timeout", answer)


def a_bus_without_room_is_to_be_tried_again(person: Person) -> None:
    """So many others wait that connect(2) says EAGAIN: that is no setting to be corrected."""
    person.desktop.path = person.desktop.folder / "full"
    with socket.socket(socket.AF_UNIX) as full, contextlib.ExitStack() as others:
        full.bind(str(person.desktop.path))
        full.listen(0)
        for _ in range(100):
            other = others.enter_context(socket.socket(socket.AF_UNIX))
            other.setblocking(False)
            try:
                other.connect(str(person.desktop.path))
            except BlockingIOError:
                break
        problem = error_of(person.application().broker_version)
    check(isinstance(problem, tessera.RetryLater) and reason_of(problem) == "broker_timeout", repr(problem))


def questions(application: tessera.PublicClientApplication) -> tuple[Callable[..., object], ...]:
    """Every call that waits for the broker."""
    page = "https://login.microsoftonline.com/?sso_nonce=n"
    return (
        application.broker_version, application.broker_accounts,
        lambda **limits: application.broker_sso_cookie(HOME, page, **limits),
        lambda **limits: application.broker_signed_http_request(HOME, "GET", "https://a.example/", **limits),
        lambda **limits: application.acquire_token_interactive(SCOPES, **limits),
        lambda **limits: application.acquire_token_silent(SCOPES, account=HOME, **limits),
    )  # fmt: skip


def is_kept(ask: Callable[..., object]) -> None:
    """Check that deadline and cancellation of a call are kept."""
    began = time.monotonic()
    problem = error_of(partial(ask, timeout=0.2))
    check(problem.code == "deadline_exceeded", repr(problem))
    stop = tessera.Cancellation()
    timer = later(0.2, stop.cancel)
    problem = error_of(partial(ask, cancellation=stop))
    timer.join()
    check(problem.code == "cancelled", repr(problem))
    check(time.monotonic() - began < 0.4 + SLACK, "took", time.monotonic() - began)


def who_is_stopped_keeps_nobody(person: Person) -> None:
    """A broker, then a bus, that lives and does nothing: every call ends in time; then it goes on as before."""
    person.desktop.say(**usual())
    for process in (person.desktop.broker, person.desktop.bus):
        application = person.application(broker="require", group=f"group-{process.pid}")
        process.send_signal(signal.SIGSTOP)
        try:
            for ask in questions(application):
                is_kept(ask)
        finally:
            process.send_signal(signal.SIGCONT)
        check(application.broker_version() == "2.5.2", "it goes on")


TESTS = [
    a_bus_that_never_answers_is_not_waited_for,
    a_bus_without_room_is_to_be_tried_again,
    who_is_stopped_keeps_nobody,
]
