# SPDX-License-Identifier: MIT
"""Trouble while a sign-in of an older library is being upgraded: nothing is lost, and nobody signs in again."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from examples import LANGUAGES, Desk, expect
from provider import Provider

RETRY_LATER = 2
PERSON, OTHER, THIRD = "alice@contoso.com", "bob@contoso.com", "carol@fabrikam.com"
WITHOUT_NETWORK = ("unshare", "--map-root-user", "--net")
"""Runs a program in a network namespace of its own, where the loopback interface is down."""


class Move(Protocol):
    """What a row is given: a store, programs that share it, and a provider that counts what it is asked."""

    provider: Provider
    language: str
    folder: str
    desk: Desk

    def take(self, cache: bytes) -> dict[str, str]:
        """Take a cache over; what became of each account."""

    def token(self, person: str, by: str = "--username", *options: str) -> dict[str, str]:
        """A token by the name, or by another option, silently."""

    def refusal(self, person: str, *under: str) -> int:
        """The status of a call that may fail, under another program if one is given."""

    def accounts(self) -> dict[str, str]:
        """The identifiers of everybody by name."""

    def refreshes(self, count: int) -> contextlib.AbstractContextManager[None]:
        """Expect a number of refreshes, and no sign-in of any kind."""

    def left(self, *people: str) -> bytes:
        """What an older library has of people who have just signed in there."""

    def elsewhere(self, folder: str, kind: str = "entra") -> Move:
        """The same programs with a store of their own, perhaps at another kind of authority."""


def unreachable(move: Move) -> None:
    """A call without a network fails, and the next call gets a token."""
    move.take(move.left(PERSON))
    with move.refreshes(0):
        for _ in range(2):
            status = move.refusal(PERSON, *WITHOUT_NETWORK)
            expect(status == RETRY_LATER, f"without a network it says {status}")
    expect(move.accounts() == {PERSON: ""}, "who could not be upgraded is gone")
    with move.refreshes(1):
        expect(move.token(PERSON)["source"] == "network", "there is no token afterwards")


def outage(move: Move) -> None:
    """A server in trouble is left alone for as long as it asks, and then it is as it was."""
    move.take(move.left(PERSON, OTHER, THIRD))
    # The documents of the provider are known from then on.
    move.token(OTHER)
    move.provider.command("throttle", requests=1000, retry_after_seconds=3600)
    before = move.provider.counts()["requests"]
    for _ in range(3):
        expect(
            move.refusal(PERSON) == RETRY_LATER, "a server in trouble is an error of another kind"
        )
    expect(move.provider.counts()["requests"] == before + 1, "a server in trouble was pressed")
    move.provider.command("recover")
    # Somebody else is not held back, and one answer that fails is not remembered for long.
    move.provider.command("outage", requests=1)
    until = time.monotonic() + 30
    while status := move.refusal(THIRD):
        expect(status == RETRY_LATER and time.monotonic() < until, f"it says {status}")
        time.sleep(0.2)
    expect(move.token(THIRD)["source"] == "cache", "the sign-in is lost")


def killed_with_the_lock(move: Move) -> None:
    """A program is killed while it waits for the server: the next one has the lock, and gets a token."""
    move.provider.command("set", rotates_refresh_tokens=False)
    move.take(move.left(PERSON, OTHER))
    move.token(OTHER)
    lock = str(next(Path(move.folder).glob("*.lock")).stat().st_ino)
    with move.provider.held():
        process = move.desk.start(move.language, "get_token", "--username", PERSON)
        until = time.monotonic() + 30
        while f":{lock} " not in Path("/proc/locks").read_text():
            expect(time.monotonic() < until and process.poll() is None, "nobody took the lock")
            time.sleep(0.002)
        process.kill()
        process.wait()
    expect(move.token(PERSON)["source"] == "network", "the lock of a dead program holds")
    expect(move.accounts()[PERSON] != "", "there is no identifier")


def killed_at_any_moment(move: Move) -> None:
    """A program is killed before, between and after the answer and the commit: the next one gets a token."""
    move.provider.command("set", rotates_refresh_tokens=False)
    cache = move.left(PERSON)
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(move.elsewhere(folder).desk) as desk,
    ):
        began = time.monotonic()
        desk.start(move.language, "accounts").wait()
        start = time.monotonic() - began
    for part in range(12):
        with tempfile.TemporaryDirectory() as folder:
            there = move.elsewhere(folder)
            with contextlib.closing(there.desk):
                there.take(cache)
                process = there.desk.start(
                    move.language, "get_token", "--username", PERSON, complains=False
                )
                time.sleep(start * (0.4 + part / 8))
                process.kill()
                process.communicate()
                expect(PERSON in there.accounts(), "who was being upgraded is gone")
                token = there.token(PERSON)
                expect(token["username"] == PERSON, f"there is no token after {part} parts")
                expect(there.accounts()[PERSON] != "", "there is no identifier")


def at_once(move: Move) -> None:
    """Programs of all languages upgrade one person at once: the server is asked once."""
    move.take(move.left(PERSON))
    with move.refreshes(1):
        started = [
            move.desk.start(language, "get_token", "--username", PERSON)
            for language in LANGUAGES * 3
        ]  # fmt: skip
        sources = [move.desk.result(process)["source"] for process in started]
    expect(sources.count("network") == 1, f"the tokens came from {sources}")


@contextlib.contextmanager
def small_disk(move: Move) -> Iterator[Move]:
    """A file system of four megabytes; PermissionError where nobody may mount one."""
    with tempfile.TemporaryDirectory() as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=4m,mode=0700", "tmpfs", folder]
        if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
            raise PermissionError("a file system cannot be mounted here")
        there = move.elsewhere(folder)
        try:
            yield there
        finally:
            there.desk.close()
            subprocess.run(["umount", "-l", folder], check=True)


def full_disk(move: Move) -> None:
    """Without room for it a token is handed out all the same, and stored at the next occasion."""
    move.provider.command("set", rotates_refresh_tokens=False)
    with small_disk(move) as there:
        there.take(there.left(PERSON))
        filler = Path(there.folder, "filler")
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while file.write(bytes(4096)):
                pass
        expect(there.token(PERSON)["source"] == "network", "no token on a full disk")
        filler.unlink()
        expect(there.token(PERSON)["username"] == PERSON, "the sign-in is lost")
        expect(there.token(PERSON)["source"] == "cache", "it is not stored")


def read_only(move: Move) -> None:
    """A store that can only be read gives what it has, and loses nothing."""
    move.provider.command("set", rotates_refresh_tokens=False)
    with small_disk(move) as there:
        there.take(there.left(PERSON))
        subprocess.run(["mount", "-o", "remount,ro", there.folder], check=True)
        expect(there.token(PERSON)["source"] == "network", "no token where nothing can be written")
        subprocess.run(["mount", "-o", "remount,rw", there.folder], check=True)
        expect(there.token(PERSON)["source"] == "network", "the sign-in is lost")
        expect(there.token(PERSON)["source"] == "cache", "it is not stored")


ROWS: dict[str, Callable[[Move], None]] = {
    "an unreachable server": unreachable, "a server in trouble": outage,
    "a program killed with the lock": killed_with_the_lock,
    "a program killed at any moment": killed_at_any_moment, "many programs at once": at_once,
    "a full disk": full_disk, "a store that can only be read": read_only,
}  # fmt: skip
