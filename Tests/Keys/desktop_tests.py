# SPDX-License-Identifier: MIT
"""Stores with their key in the desktop's keyring: available, missing, locked, unresponsive, or restarted."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import session
from common import NO_BUS, DesktopUser, Skipped, check


def folder(user: DesktopUser) -> Path:
    """Returns the folder of the session's sockets."""
    return user.home / "session"


def made_on_a_desktop(user: DesktopUser) -> None:
    """Signs in with an unlocked keyring; C, Python and a later session list the account."""
    with session.keyring(folder(user), user.home, unlocked=True) as user.bus:
        user.reports(state="missing", protection="encrypted", key_source="secret_service")
        result = user.sign_in()
        check(result.answer.get("persisted") is True, result.answer)
        warnings = [line for line in result.log.splitlines() if line.startswith("2 ")]
        check(not warnings, "a keyring is no downgrade:", warnings)
        user.reports(state="usable", protection="encrypted", key_source="secret_service", attempts=[])
        check(not (user.home / "state").exists(), "a key file was made")
        user.has_token()
    user.bus = NO_BUS


def desktop_then_no_bus_then_restart(user: DesktopUser) -> None:
    """Without the session, no account is lost and no store is quarantined."""
    made_on_a_desktop(user)
    advice = ("Secret Service", "desktop session", "Nothing was changed")
    user.fails_with("key_unavailable", "no session bus", *advice)
    user.fails_with("key_unavailable", *advice, force_refresh=True)
    info = user.reports(state="locked", key_source="secret_service")
    check(info["problem"]["code"] == "key_unavailable", info)
    again = user.sign_in("C")
    check(again.answer.get("persisted") is False, "a sign-in that cannot be stored:", again.answer)
    # The bus has stopped, but its address is still in the environment.
    user.bus = f"unix:path={folder(user)}/bus"
    user.fails_with("key_unavailable", "session bus", *advice)
    # A restart of the machine: another bus and another keyring with the same files.
    with session.keyring(folder(user), user.home, unlocked=True) as user.bus:
        user.has_token()
        user.has_token(force_refresh=True)
        check(user.reports(state="usable")["set_aside"] == [], "something was set aside")


def locked_keyring(user: DesktopUser) -> None:
    """No prompt is opened, the store is unchanged, and a new store gets the source that the policy allows."""
    made_on_a_desktop(user)
    with session.keyring(folder(user), user.home, unlocked=False) as user.bus:
        with session.watched(user.bus) as heard:
            user.fails_with("key_unavailable", "locked", "Nothing was changed")
        if not any("member=SearchItems" in line for line in heard):
            raise Skipped("the bus could not be watched")
        prompts = [line for line in heard if "Prompt" in line and "member=" in line]
        check(not prompts, "a prompt was asked for:", prompts)
        second = another(user, "second")
        check(second.sign_in().answer.get("persisted") is True, "the second store")
        info = second.reports(protection="obfuscated", key_source="key_file")
        tried = [(each["source"], each["problem"]) for each in info["attempts"]]
        check(tried == [("secret_service", "locked")], tried)
    with session.keyring(folder(user), user.home, unlocked=True) as user.bus:
        user.has_token()


def another(user: DesktopUser, name: str, **settings: object) -> DesktopUser:
    """Returns another user of the same session."""
    home = user.home / name
    home.mkdir()
    return DesktopUser(user.provider, home, user.compiled, dict(settings), user.bus)


def _gives_up(user: DesktopUser) -> None:
    """An unresponsive service or bus delays a call by three seconds at most, and does not cause a weaker key."""
    user.fails_with("key_unavailable", "did not respond", within=6)
    check(min(user.waited[-2:]) > 2.5, "it gave up after", user.waited[-2:])
    late = user.silent("C", timeout_milliseconds=400)
    check(late.code == "deadline_exceeded", late.answer)
    check(late.seconds < 2.5, "the deadline was passed by", late.seconds)
    stopped = user.silent("Python", cancel_after=0.4)
    check(stopped.code == "cancelled" and stopped.seconds < 2.5, stopped.answer, stopped.seconds)


def _new_store_goes_on(user: DesktopUser, problem: str) -> None:
    """A new store gets the next source, and reports the unresponsive one; only the first call waits for it."""
    second = another(user, "second")
    result = second.sign_in()
    check(result.answer.get("persisted") is True, result.answer)
    check("key is in a file on the same disk" in result.log, "no warning in", result.log)
    info = second.reports(protection="obfuscated", key_source="key_file")
    tried = [(each["source"], each["problem"]) for each in info["attempts"]]
    check(tried == [("secret_service", problem)], tried)
    check(second.silent("C").seconds < 2, "a key in a file waits for the keyring")


def unresponsive_service(user: DesktopUser) -> None:
    """Another process owns the name of the keyring and does not respond."""
    made_on_a_desktop(user)
    with session.silent_service(folder(user)) as user.bus:
        _gives_up(user)
        _new_store_goes_on(user, "timeout")


def unresponsive_bus(user: DesktopUser) -> None:
    """The bus accepts the connection and does not respond."""
    made_on_a_desktop(user)
    with session.silent_socket(folder(user)) as user.bus:
        _gives_up(user)
        _new_store_goes_on(user, "timeout")


def bus_that_was_stopped(user: DesktopUser) -> None:
    """The bus is stopped during a session, and continued."""
    made_on_a_desktop(user)
    with session.bus(folder(user)) as (user.bus, process):
        process.send_signal(signal.SIGSTOP)
        user.fails_with("key_unavailable", "did not respond", within=6)
        process.send_signal(signal.SIGCONT)
        user.fails_with("key_unavailable", "no Secret Service is running on the session bus")


def no_service_on_the_bus(user: DesktopUser) -> None:
    """A bus without a keyring: no service is started, and the store is unchanged."""
    made_on_a_desktop(user)
    with session.bus(folder(user)) as (user.bus, _):
        user.fails_with("key_unavailable", "no Secret Service is running on the session bus")
        _new_store_goes_on(user, "no_service")


def bus_of_another_user(user: DesktopUser) -> None:
    """A bus of another user gets no key."""
    if os.geteuid() != 0:
        raise Skipped("it takes root to run as another user")
    made_on_a_desktop(user)
    with session.bus(folder(user)) as (user.bus, _):
        # The bus belongs to root, the program to another user.
        stranger = another(user, "stranger", storage_policy="require_encrypted")
        for path in (user.home, folder(user), stranger.home):
            path.chmod(0o755)
        (folder(user) / "bus").chmod(0o777)
        os.chown(stranger.home, 65533, 65533)
        stranger.wrapper = ("setpriv", "--reuid=65533", "--regid=65533", "--clear-groups")
        problem = stranger.info()["problem"]
        check("it belongs to another user" in problem["message"], problem)


def no_library(user: DesktopUser) -> None:
    """A machine without libsystemd."""
    made_on_a_desktop(user)
    found = [*Path("/lib").glob("*/libsystemd.so.0"), Path("/lib64/libsystemd.so.0")]
    hidden = [f"mount --bind /dev/null {path.resolve()}" for path in found if path.exists()]
    hide = " && ".join([*hidden, 'exec "$@"'])
    user.wrapper = ("unshare", "--mount", "sh", "-c", hide, "sh")
    if os.geteuid() != 0 or not hidden or shutil.which("unshare") is None:
        raise Skipped("it takes root to hide a library")
    with session.keyring(folder(user), user.home, unlocked=True) as user.bus:
        user.fails_with("key_unavailable", "libsystemd", "Nothing was changed")
        user.wrapper = ()
        user.has_token()


TESTS = [
    desktop_then_no_bus_then_restart, locked_keyring, unresponsive_service,
    unresponsive_bus, bus_that_was_stopped, no_service_on_the_bus, bus_of_another_user,
    no_library,
]  # fmt: skip
