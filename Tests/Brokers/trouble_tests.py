# SPDX-License-Identifier: MIT
"""Faulty brokers: errors of every layer, invalid responses, slow responses, and cancelled calls."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable

import tessera_identity
from broker_account import ACCOUNT, HOME, error, usual
from clients import SCOPES, DesktopUser, error_of, later, reason_of
from desktop import check

SLACK = 3.0
"""Additional seconds on a loaded machine; otherwise 0.1."""


def silent(user: DesktopUser, **options: object) -> Callable[[], tessera_identity.TokenResult]:
    """Returns a silent call that requires the broker."""
    application = user.application(broker="require")
    return lambda: application.acquire_token_silent(SCOPES, account=HOME, **options)  # type: ignore[arg-type]


def a_broker_error_keeps_its_numbers_and_texts(user: DesktopUser) -> None:
    """In the token response and at the top level, as a number and as a string."""
    words = "AADSTS70043: the refresh token has expired, invalid_grant"
    beside = error(2, "token_expired", context=words)
    top = {"error": {"status": "2", "context": words, "subError": "token_expired"}}
    for wrong in (beside, top):
        user.desktop.set_responses(**{**usual(), "acquireTokenSilently": {"answer": wrong}})
        problem = error_of(silent(user))
        check(isinstance(problem, tessera_identity.SignInRequired), repr(problem))
        check(problem.code == "interaction_required" and problem.suberror == "token_expired", repr(problem))
        check(tuple(problem.server_codes) == (70043,) and problem.causes[0].number == 2, problem.server_codes)
        check("invalid_grant" in str(problem), str(problem))
    user.desktop.set_responses(**{**usual(), "acquireTokenSilently": {"answer": error(3)}})
    answer = user.c("silent", {"home_account_id": HOME, "scopes": SCOPES}, broker="require")
    check(answer["status"] == 2 and answer["answer"]["error"]["code"] == "network_failed", answer)
    response = {"error": "Not implemented"}
    user.desktop.set_responses(**{**usual(), "generateSignedHttpRequest": {"answer": response}})
    problem = error_of(lambda: user.application().broker_signed_http_request(HOME, "GET", "https://a.example/"))
    check("Not implemented" in str(problem) and problem.code == "broker_unresponsive", repr(problem))


def a_bus_error_has_its_reason(user: DesktopUser) -> None:
    """Each error name of D-Bus."""
    names = {
        "org.freedesktop.DBus.Error.ServiceUnknown": "broker_not_running",
        "org.freedesktop.DBus.Error.Spawn.ChildExited": "broker_not_running",
        "org.freedesktop.DBus.Error.NoReply": "broker_ended",
        "org.freedesktop.DBus.Error.UnknownObject": "broker_unsupported",
        "org.freedesktop.DBus.Error.UnknownMethod": "broker_unsupported",
        "org.freedesktop.DBus.Error.AccessDenied": "broker_forbidden",
        "org.freedesktop.DBus.Error.Failed": "broker_error",
        "org.example.Odd": "broker_error",
        # The last one: after it, the broker is not called for some seconds.
        "org.freedesktop.DBus.Error.TimedOut": "broker_timeout",
    }
    for name, reason in names.items():
        user.desktop.set_responses(**{**usual(), "acquireTokenSilently": {"dbus_error": name}})
        problem = error_of(silent(user))
        check(reason_of(problem) == reason, name, repr(problem), problem.causes)


def invalid_responses_are_rejected(user: DesktopUser) -> None:
    """Not JSON, no tokens, another type, another interface."""
    for text in ("", "<html>", "[]", "{}", '{"brokerTokenResponse": 7}', "{" * 5000):
        user.desktop.set_responses(**{**usual(), "acquireTokenSilently": {"answer": text}})
        problem = error_of(silent(user))
        check(isinstance(problem, tessera_identity.RetryLater) or problem.code == "invalid_response", repr(problem))
    user.desktop.set_responses(**{**usual(), "interface": "com.microsoft.identity.Broker2"})
    problem = error_of(silent(user))
    check(reason_of(problem) == "broker_unsupported" and problem.code == "broker_unavailable", repr(problem))
    check(user.c("version", {})["answer"]["error"]["code"] == "broker_unavailable", "C")


def long_responses_are_read_and_too_long_ones_rejected(user: DesktopUser) -> None:
    """Well over 64 KiB, and over the limit of 4 MiB."""
    many = [{**ACCOUNT, "homeAccountId": f"{index:08}.{HOME}"} for index in range(2000)]
    user.desktop.set_responses(**{**usual(), "getAccounts": {"answer": {"accounts": many}}})
    check(len(user.application().broker_accounts()) == 2000, "2000 accounts")
    user.desktop.set_responses(**{**usual(), "getAccounts": {"answer": '{"a": "' + "x" * (5 << 20) + '"}'}})
    problem = error_of(lambda: user.application().broker_accounts())
    check(reason_of(problem) == "answer_too_long", repr(problem))


def a_slow_broker_ends_with_the_deadline(user: DesktopUser) -> None:
    """From Python and from C; with "prefer", half of the time is reserved for the fallback."""
    user.desktop.set_responses(**{**usual(), "acquireTokenSilently": {"answer": {}, "delay": 60}})
    began = time.monotonic()
    problem = error_of(silent(user, timeout=0.5))
    check(problem.code == "deadline_exceeded", repr(problem))
    check(time.monotonic() - began < 0.5 + SLACK, "took", time.monotonic() - began)
    request = {"home_account_id": HOME, "scopes": SCOPES, "timeout_milliseconds": 1000}
    answer = user.c("silent", request, broker="prefer")["answer"]["error"]
    # The broker had half a second; then there was no refresh token to continue with.
    check(answer["remedy"] == "sign_in", answer)
    check("broker_timeout" in [cause.get("code") for cause in answer["causes"]], answer)


def a_call_can_be_stopped(user: DesktopUser) -> None:
    """A cancellation on another thread ends a silent call; the broker receives no other request."""
    user.desktop.set_responses(**{**usual(), "acquireTokenSilently": {"answer": {}, "delay": 60}})
    stop = tessera_identity.Cancellation()
    began = time.monotonic()
    timer = later(0.3, stop.cancel)
    problem = error_of(silent(user, cancellation=stop))
    timer.join()
    check(problem.code == "cancelled" and time.monotonic() - began < 0.3 + SLACK, repr(problem))
    check(not user.desktop.calls("cancelInteractiveFlow"), "only windows are closed")


def a_window_is_closed_when_its_call_is_stopped(user: DesktopUser) -> None:
    """The broker receives the same correlation ID, from Python and from C, at cancellation and at the deadline."""
    user.desktop.set_responses(**{**usual(), "acquireTokenInteractively": {"until_cancelled": True}})
    stop = tessera_identity.Cancellation()
    timer = later(1.5, stop.cancel)
    application = user.application(broker="prefer")
    problem = error_of(lambda: application.acquire_token_interactive(SCOPES, cancellation=stop))
    timer.join()
    check(problem.code == "cancelled", repr(problem))
    # Long enough for the window to open, even on a loaded machine.
    answer = user.c("interactive", {"scopes": SCOPES}, stop=1500)
    check(answer["answer"]["error"]["code"] == "cancelled", answer)
    answer = user.c("interactive", {"scopes": SCOPES, "timeout_milliseconds": 1500})
    check(answer["answer"]["error"]["code"] == "deadline_exceeded", answer)
    for _ in range(100):
        closed = [call["id"] for call in user.desktop.calls("cancelInteractiveFlow")]
        if len(closed) == 3:
            break
        time.sleep(0.05)
    opened = [call["id"] for call in user.desktop.calls("acquireTokenInteractively")]
    check(opened == closed and len(opened) == 3, opened, closed)


def a_broker_that_crashes_ends_the_call(user: DesktopUser) -> None:
    """During a call; the next call finds no broker."""
    user.desktop.set_responses(**{**usual(), "acquireTokenSilently": {"crash": True}})
    problem = error_of(silent(user))
    check(reason_of(problem) == "broker_ended" and problem.code == "broker_unresponsive", repr(problem))
    user.desktop.remove_broker()
    check(reason_of(error_of(silent(user))) == "broker_not_running", "it is gone")


def the_decision_in_the_window_is_final(user: DesktopUser) -> None:
    """No browser is opened after the user declined."""
    user.desktop.set_responses(**{**usual(), "acquireTokenInteractively": {"answer": error(7)}})
    problem = error_of(lambda: user.application().acquire_token_interactive(SCOPES))
    check(problem.code == "access_denied" and isinstance(problem, tessera_identity.Cancelled), repr(problem))


def nothing_is_left_open(user: DesktopUser) -> None:
    """The same number of descriptors and threads after calls that succeeded, failed and were cancelled."""
    user.desktop.set_responses(**{**usual(), "acquireTokenInteractively": {"until_cancelled": True}})
    application = user.application()
    application.broker_accounts()
    # Collect the garbage of earlier tests first.
    gc.collect()
    before, threads = len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))
    for _ in range(20):
        application.broker_accounts()
        error_of(lambda: application.broker_sso_cookie("nobody.here", "https://login.microsoftonline.com/"))
    error_of(lambda: application.acquire_token_interactive(SCOPES, timeout=0.2))
    after = len(os.listdir("/proc/self/fd"))
    # A sign-in opens the store, which stays open.
    check(after <= before + 8, before, after)
    # A thread that has ended remains in the list for a moment.
    for _ in range(100):
        if len(os.listdir("/proc/self/task")) == threads:
            break
        time.sleep(0.05)
    check(len(os.listdir("/proc/self/task")) == threads, "threads are left")
    again = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        application.broker_accounts()
    error_of(lambda: application.acquire_token_interactive(SCOPES, timeout=0.2))
    check(len(os.listdir("/proc/self/fd")) == again, again, len(os.listdir("/proc/self/fd")))


TESTS = [
    a_broker_error_keeps_its_numbers_and_texts,
    a_bus_error_has_its_reason,
    invalid_responses_are_rejected,
    long_responses_are_read_and_too_long_ones_rejected,
    a_slow_broker_ends_with_the_deadline,
    a_call_can_be_stopped,
    a_window_is_closed_when_its_call_is_stopped,
    a_broker_that_crashes_ends_the_call,
    the_decision_in_the_window_is_final,
    nothing_is_left_open,
]
