# SPDX-License-Identifier: MIT
"""Failures while an account of an older library is upgraded: no token is lost, and no sign-in is needed."""

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
"""Runs a program in a separate network namespace, where the loopback interface is down."""


class Move(Protocol):
    """The interface of a row: a store, programs that share it, and a provider that counts requests."""

    provider: Provider
    language: str
    folder: str
    desk: Desk

    def take(self, cache: bytes) -> dict[str, str]:
        """Imports a cache and returns the outcome of each account."""

    def token(self, person: str, by: str = "--username", *options: str) -> dict[str, str]:
        """Returns a silent token, by user name or by another option."""

    def refusal(self, person: str, *under: str) -> int:
        """Returns the status of a call that may fail, optionally under another program."""

    def accounts(self) -> dict[str, str]:
        """Returns the account IDs by user name."""

    def refreshes(self, count: int) -> contextlib.AbstractContextManager[None]:
        """Expects a number of refreshes, and no sign-in."""

    def left(self, *all_accounts: str) -> bytes:
        """Returns the cache of an older library with recent sign-ins."""

    def elsewhere(self, folder: str, kind: str = "entra") -> Move:
        """Returns the same programs with a separate store, optionally at another kind of authority."""


def unreachable(move: Move) -> None:
    """A call without a network fails, and the next call gets a token."""
    move.take(move.left(PERSON))
    with move.refreshes(0):
        for _ in range(2):
            status = move.refusal(PERSON, *WITHOUT_NETWORK)
            expect(status == RETRY_LATER, f"without a network it returns {status}")
    expect(move.accounts() == {PERSON: ""}, "the account that was not upgraded is missing")
    with move.refreshes(1):
        expect(move.token(PERSON)["source"] == "network", "there is no token afterwards")


def outage(move: Move) -> None:
    """During an outage, no request is sent for the time that the server requires; then calls work again."""
    move.take(move.left(PERSON, OTHER, THIRD))
    # The provider's metadata is cached from here on.
    move.token(OTHER)
    move.provider.command("throttle", requests=1000, retry_after_seconds=3600)
    before = move.provider.counts()["requests"]
    for _ in range(3):
        expect(
            move.refusal(PERSON) == RETRY_LATER, "a server in trouble is an error of another kind"
        )
    expect(move.provider.counts()["requests"] == before + 1, "a server in trouble was pressed")
    move.provider.command("recover")
    # Other accounts are not throttled, and a failed response is not cached for long.
    move.provider.command("outage", requests=1)
    until = time.monotonic() + 30
    while status := move.refusal(THIRD):
        expect(status == RETRY_LATER and time.monotonic() < until, f"it returns {status}")
        time.sleep(0.2)
    expect(move.token(THIRD)["source"] == "cache", "the sign-in is lost")


def killed_with_the_lock(move: Move) -> None:
    """A program is killed while it waits for the server: the next one acquires the lock, and gets a token."""
    move.provider.command("set", rotates_refresh_tokens=False)
    move.take(move.left(PERSON, OTHER))
    move.token(OTHER)
    lock = str(next(Path(move.folder).glob("*.lock")).stat().st_ino)
    with move.provider.held():
        process = move.desk.start(move.language, "get_token", "--username", PERSON)
        until = time.monotonic() + 30
        while f":{lock} " not in Path("/proc/locks").read_text():
            expect(time.monotonic() < until and process.poll() is None, "the lock was not acquired")
            time.sleep(0.002)
        process.kill()
        process.wait()
    expect(move.token(PERSON)["source"] == "network", "the lock of a dead program holds")
    expect(move.accounts()[PERSON] != "", "there is no identifier")


def killed_at_any_moment(move: Move) -> None:
    """A program is killed before, between and after the response and the commit: the next one gets a token."""
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
                expect(PERSON in there.accounts(), "the account that was being upgraded is missing")
                token = there.token(PERSON)
                expect(token["username"] == PERSON, f"there is no token after {part} parts")
                expect(there.accounts()[PERSON] != "", "there is no identifier")


def at_once(move: Move) -> None:
    """Programs of all languages upgrade one account at once: one request is sent."""
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
    """Mounts a file system of 4 MB for the store; raises PermissionError without the right to mount it."""
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
    """With a full disk, a token is returned nevertheless, and stored later."""
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
    """A read-only store returns its tokens, and loses none."""
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
