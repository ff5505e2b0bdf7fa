# SPDX-License-Identifier: MIT
"""Buses that accept a connection and never respond or refuse connections, and stopped brokers and buses."""

from __future__ import annotations

import contextlib
import signal
import socket
import time
from collections.abc import Callable
from functools import partial

import tessera_identity
from broker_account import HOME, usual
from clients import SCOPES, DesktopUser, error_of, later, reason_of
from desktop import check
from trouble_tests import SLACK


def an_unresponsive_bus_does_not_block_calls(user: DesktopUser) -> None:
    """A sign-in without a deadline is not blocked either, because it first checks whether a broker exists."""
    user.desktop.path = user.desktop.folder / "mute"
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(user.desktop.path))
        mute.listen(8)
        # A call that hangs is stopped after 100 seconds, and the test fails.
        answer = user.c("interactive", {"scopes": SCOPES}, broker="require")["answer"]["error"]
    check(answer["code"] == "broker_unresponsive" and answer["remedy"] == "retry_later", answer)
    check(answer["causes"][0]["code"] == "broker_timeout", answer)


def a_bus_with_a_full_backlog_can_be_retried(user: DesktopUser) -> None:
    """With a full backlog connect(2) reports EAGAIN, which can be retried."""
    user.desktop.path = user.desktop.folder / "full"
    with socket.socket(socket.AF_UNIX) as full, contextlib.ExitStack() as others:
        full.bind(str(user.desktop.path))
        full.listen(0)
        for _ in range(100):
            other = others.enter_context(socket.socket(socket.AF_UNIX))
            other.setblocking(False)
            try:
                other.connect(str(user.desktop.path))
            except BlockingIOError:
                break
        problem = error_of(user.application().broker_version)
    check(isinstance(problem, tessera_identity.RetryLater) and reason_of(problem) == "broker_timeout", repr(problem))


def questions(application: tessera_identity.PublicClientApplication) -> tuple[Callable[..., object], ...]:
    """Returns every call that waits for the broker."""
    page = "https://login.microsoftonline.com/?sso_nonce=n"
    return (
        application.broker_version, application.broker_accounts,
        lambda **limits: application.broker_sso_cookie(HOME, page, **limits),
        lambda **limits: application.broker_signed_http_request(HOME, "GET", "https://a.example/", **limits),
        lambda **limits: application.acquire_token_interactive(SCOPES, **limits),
        lambda **limits: application.acquire_token_silent(SCOPES, account=HOME, **limits),
    )  # fmt: skip


def is_kept(ask: Callable[..., object]) -> None:
    """Checks the deadline and the cancellation of a call."""
    began = time.monotonic()
    problem = error_of(partial(ask, timeout=0.2))
    check(problem.code == "deadline_exceeded", repr(problem))
    stop = tessera_identity.Cancellation()
    timer = later(0.2, stop.cancel)
    problem = error_of(partial(ask, cancellation=stop))
    timer.join()
    check(problem.code == "cancelled", repr(problem))
    check(time.monotonic() - began < 0.4 + SLACK, "took", time.monotonic() - began)


def a_stopped_broker_or_bus_blocks_no_call(user: DesktopUser) -> None:
    """A broker, then a bus, that is stopped by SIGSTOP: every call times out, and works again afterwards."""
    user.desktop.set_responses(**usual())
    for process in (user.desktop.broker, user.desktop.bus):
        application = user.application(broker="require", group=f"group-{process.pid}")
        process.send_signal(signal.SIGSTOP)
        try:
            for ask in questions(application):
                is_kept(ask)
        finally:
            process.send_signal(signal.SIGCONT)
        check(application.broker_version() == "2.5.2", "it goes on")


TESTS = [
    an_unresponsive_bus_does_not_block_calls,
    a_bus_with_a_full_backlog_can_be_retried,
    a_stopped_broker_or_bus_blocks_no_call,
]
