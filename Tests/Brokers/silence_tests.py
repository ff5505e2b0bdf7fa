# SPDX-License-Identifier: MIT
"""Buses that take a connection and say nothing, and buses that take none."""

from __future__ import annotations

import contextlib
import socket

import tessera
from clients import SCOPES, Person, error_of, reason_of
from desktop import check


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


TESTS = [a_bus_that_never_answers_is_not_waited_for, a_bus_without_room_is_to_be_tried_again]
