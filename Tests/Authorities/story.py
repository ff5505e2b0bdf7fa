# SPDX-License-Identifier: MIT
"""The test steps, which are the same for every authority and every language."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from places import CLAIMS, Place

from examples import Desk, expect

if TYPE_CHECKING:
    from collections.abc import Callable

# The system calls that contact a server. A program with a cached token must not make them.
ASKING = ("connect", "sendto", "sendmsg", "sendmmsg")


@dataclass
class Story:
    """One run: an authority, a language, and the state so far."""

    place: Place
    language: str
    desk: Desk
    token: str = ""

    def get_token(self, *options: str) -> tuple[str, str]:
        """Returns the source of a token and its fingerprint."""
        token = self.desk.result(self.desk.start(self.language, "get_token", *options))
        expect(token["username"] == self.place.user, f"a token of {token['username']} came")
        return token["source"], token["fingerprint"]

    def accounts(self) -> list[str]:
        """Returns the signed-in user names."""
        accounts = self.desk.result(self.desk.start(self.language, "accounts"))["accounts"]
        return [account["username"] for account in accounts]

    def fails(self, *options: str) -> int:
        """Returns the exit status of a program that gets no token."""
        process = self.desk.start(self.language, "get_token", *options, complains=False)
        process.communicate(timeout=120)
        return int(process.returncode)


def sign_in(story: Story) -> None:
    """Without an account, a user signs in."""
    expect(story.accounts() == [], "an account is already signed in")
    expect(story.fails() == 1, "a token without a sign-in")
    story.desk.sign_in(story.language, story.place.approve, story.place.user)
    story.token = story.desk.signed_in["fingerprint"]


def silent(story: Story) -> None:
    """Other processes list the account and get the same token without a request."""
    expect(story.accounts() == [story.place.user], f"{story.accounts()} are listed")
    expect(story.get_token() == ("cache", story.token), "the token is not the cached one")


def offline(story: Story) -> None:
    """The same without a network, in new processes that open no connection."""
    for name in ("accounts", "get_token"):
        with tempfile.NamedTemporaryFile() as trace:
            under = [*NO_NETWORK, "strace", "-f", "-qq", "-o", trace.name, "-e"]
            process = story.desk.start(
                story.language, name, under=[*under, f"trace={','.join(ASKING)}"]
            )
            answer = story.desk.result(process)
            calls = re.findall(r"\b(?:\w+)\(.*", Path(trace.name).read_text())
        expect(calls == [], f"{name} sends a request: {calls[:2]}")
        if name == "get_token":
            expect((answer["source"], answer["fingerprint"]) == ("cache", story.token), "no cached token")
        else:
            names = [account["username"] for account in answer["accounts"]]
            expect(names == [story.place.user], f"{names} are listed")


def refresh(story: Story) -> None:
    """A refresh returns a new token, which all programs use."""
    source, token = story.get_token("--force-refresh")
    expect(source == "network" and token != story.token, f"a forced refresh gave the {source}'s")
    story.token = token
    expect(story.get_token() == ("cache", token), "the new token was not stored")


def challenge(story: Story) -> None:
    """After a claims challenge, a new token replaces the cached one."""
    source, token = story.get_token("--claims", CLAIMS)
    expect(source == "network" and token != story.token, f"a challenge gave the {source}'s token")
    story.token = token
    expect(story.get_token() == ("cache", token), "the refused token is still there")


def refusal(story: Story) -> None:
    """The provider requires interaction; the user signs in again and has the same account."""
    story.place.refuse()
    expect(story.fails("--force-refresh") == 1, "no sign-in is asked for")
    story.desk.sign_in(story.language, story.place.approve, story.place.user, "--claims", CLAIMS)
    expect(story.accounts() == [story.place.user], f"{story.accounts()} are listed")
    story.token = story.desk.signed_in["fingerprint"]
    expect(story.get_token() == ("cache", story.token), "the new sign-in was not stored")


def sign_out(story: Story) -> None:
    """The user signs out, and the store is empty."""
    story.desk.result(story.desk.start(story.language, "sign_out"))
    expect(story.accounts() == [], "an account is still listed")
    expect(story.fails() == 1, "a token after a sign-out")


STEPS: tuple[Callable[[Story], None], ...] = (
    sign_in, silent, offline, refresh, challenge, refusal, sign_out,
)  # fmt: skip


def traces() -> bool:
    """Whether programs can be traced here, to detect connections."""
    connecting = "import socket; socket.socket().connect_ex(('127.0.0.1', 9))"
    try:
        done = subprocess.run(
            ["strace", "-f", "-qq", "-e", "trace=connect", sys.executable, "-c", connecting],
            capture_output=True,
            text=True,
        )
    except OSError:
        return False
    return "connect(" in done.stderr


def without_network() -> list[str]:
    """Returns the command that runs a program without a network; empty without the rights for it."""
    command = ["unshare", "--net"]
    try:
        done = subprocess.run([*command, "true"], capture_output=True)
    except OSError:
        return []
    return command if done.returncode == 0 else []


NO_NETWORK = without_network()
