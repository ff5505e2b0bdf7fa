# SPDX-License-Identifier: MIT
"""Stores whose key the desktop's keyring keeps: with it, without it, locked, silent, and after a restart."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import session
from surroundings import NO_BUS, Person, Skipped, check


def folder(person: Person) -> Path:
    """Where the session's sockets lie."""
    return person.home / "session"


def made_on_a_desktop(person: Person) -> None:
    """Sign in where a keyring is unlocked; C, Python and a later session see the account."""
    with session.keyring(folder(person), person.home, unlocked=True) as person.bus:
        person.says(state="missing", protection="encrypted", key_source="secret_service")
        result = person.sign_in()
        check(result.answer.get("persisted") is True, result.answer)
        warnings = [line for line in result.log.splitlines() if line.startswith("2 ")]
        check(not warnings, "a keyring is no downgrade:", warnings)
        person.says(state="usable", protection="encrypted", key_source="secret_service", attempts=[])
        check(not (person.home / "state").exists(), "a key file was made")
        person.has_token()
    person.bus = NO_BUS


def desktop_then_no_bus_then_restart(person: Person) -> None:
    """Nobody is signed out and nothing set aside, whatever becomes of the session."""
    made_on_a_desktop(person)
    advice = ("Secret Service", "desktop session", "Nothing was changed")
    person.is_refused("key_unavailable", "no session bus", *advice)
    person.is_refused("key_unavailable", *advice, force_refresh=True)
    info = person.says(state="locked", key_source="secret_service")
    check(info["problem"]["code"] == "key_unavailable", info)
    again = person.sign_in("C")
    check(again.answer.get("persisted") is False, "a sign-in that cannot be stored:", again.answer)
    # The bus is gone, but its address is still in the environment.
    person.bus = f"unix:path={folder(person)}/bus"
    person.is_refused("key_unavailable", "session bus", *advice)
    # The machine started anew: another bus and another keyring over the same files.
    with session.keyring(folder(person), person.home, unlocked=True) as person.bus:
        person.has_token()
        person.has_token(force_refresh=True)
        check(person.says(state="usable")["set_aside"] == [], "something was set aside")


def locked_keyring(person: Person) -> None:
    """No prompt is asked for, the store is left alone, and a new store gets what the policy allows."""
    made_on_a_desktop(person)
    with session.keyring(folder(person), person.home, unlocked=False) as person.bus:
        with session.watched(person.bus) as heard:
            person.is_refused("key_unavailable", "locked", "Nothing was changed")
        if not any("member=SearchItems" in line for line in heard):
            raise Skipped("the bus could not be watched")
        prompts = [line for line in heard if "Prompt" in line and "member=" in line]
        check(not prompts, "a prompt was asked for:", prompts)
        second = another(person, "second")
        check(second.sign_in().answer.get("persisted") is True, "the second store")
        info = second.says(protection="obfuscated", key_source="key_file")
        tried = [(each["source"], each["problem"]) for each in info["attempts"]]
        check(tried == [("secret_service", "locked")], tried)
    with session.keyring(folder(person), person.home, unlocked=True) as person.bus:
        person.has_token()


def another(person: Person, name: str, **settings: object) -> Person:
    """Another user of the same session."""
    home = person.home / name
    home.mkdir()
    return Person(person.provider, home, person.compiled, dict(settings), person.bus)


def _gives_up(person: Person) -> None:
    """A service or a bus that does not answer costs three seconds at most, and leads to no weaker key."""
    person.is_refused("key_unavailable", "did not answer", within=6)
    check(min(person.waited[-2:]) > 2.5, "it gave up after", person.waited[-2:])
    late = person.silent("C", timeout_milliseconds=400)
    check(late.code == "deadline_exceeded", late.answer)
    check(late.seconds < 2.5, "the deadline was passed by", late.seconds)
    stopped = person.silent("Python", cancel_after=0.4)
    check(stopped.code == "cancelled" and stopped.seconds < 2.5, stopped.answer, stopped.seconds)


def _new_store_goes_on(person: Person, problem: str) -> None:
    """A new store gets the next source, and says which one did not answer; only the first call waits for it."""
    second = another(person, "second")
    result = second.sign_in()
    check(result.answer.get("persisted") is True, result.answer)
    check("key in a private file" in result.log, "no warning in", result.log)
    info = second.says(protection="obfuscated", key_source="key_file")
    tried = [(each["source"], each["problem"]) for each in info["attempts"]]
    check(tried == [("secret_service", problem)], tried)
    check(second.silent("C").seconds < 2, "a key in a file waits for the keyring")


def unresponsive_service(person: Person) -> None:
    """Somebody has the keyring's name and does not answer."""
    made_on_a_desktop(person)
    with session.silent_service(folder(person)) as person.bus:
        _gives_up(person)
        _new_store_goes_on(person, "timeout")


def unresponsive_bus(person: Person) -> None:
    """The bus itself takes the connection and does not answer."""
    made_on_a_desktop(person)
    with session.silent_socket(folder(person)) as person.bus:
        _gives_up(person)
        _new_store_goes_on(person, "timeout")


def bus_that_was_stopped(person: Person) -> None:
    """The bus stops in the middle of a session, and goes on."""
    made_on_a_desktop(person)
    with session.bus(folder(person)) as (person.bus, process):
        process.send_signal(signal.SIGSTOP)
        person.is_refused("key_unavailable", "did not answer", within=6)
        process.send_signal(signal.SIGCONT)
        person.is_refused("key_unavailable", "no program on the session bus keeps secrets")


def no_service_on_the_bus(person: Person) -> None:
    """A bus without a keyring: nobody is started, and the store is left alone."""
    made_on_a_desktop(person)
    with session.bus(folder(person)) as (person.bus, _):
        person.is_refused("key_unavailable", "no program on the session bus keeps secrets")
        _new_store_goes_on(person, "no_service")


def bus_of_another_user(person: Person) -> None:
    """A bus that another user runs gets no key."""
    if os.geteuid() != 0:
        raise Skipped("it takes root to run as another user")
    made_on_a_desktop(person)
    with session.bus(folder(person)) as (person.bus, _):
        # The bus is root's, the program somebody else's.
        stranger = another(person, "stranger", storage_policy="require_encrypted")
        for path in (person.home, folder(person), stranger.home):
            path.chmod(0o755)
        (folder(person) / "bus").chmod(0o777)
        os.chown(stranger.home, 65533, 65533)
        stranger.wrapper = ("setpriv", "--reuid=65533", "--regid=65533", "--clear-groups")
        problem = stranger.info()["problem"]
        check("it is another user's" in problem["message"], problem)


def no_library(person: Person) -> None:
    """A machine without libsystemd."""
    made_on_a_desktop(person)
    found = [*Path("/lib").glob("*/libsystemd.so.0"), Path("/lib64/libsystemd.so.0")]
    hidden = [f"mount --bind /dev/null {path.resolve()}" for path in found if path.exists()]
    hide = " && ".join([*hidden, 'exec "$@"'])
    person.wrapper = ("unshare", "--mount", "sh", "-c", hide, "sh")
    if os.geteuid() != 0 or not hidden or shutil.which("unshare") is None:
        raise Skipped("it takes root to hide a library")
    with session.keyring(folder(person), person.home, unlocked=True) as person.bus:
        person.is_refused("key_unavailable", "libsystemd", "Nothing was changed")
        person.wrapper = ()
        person.has_token()


TESTS = [
    desktop_then_no_bus_then_restart, locked_keyring, unresponsive_service,
    unresponsive_bus, bus_that_was_stopped, no_service_on_the_bus, bus_of_another_user,
    no_library,
]  # fmt: skip
