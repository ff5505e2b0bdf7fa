# SPDX-License-Identifier: MIT
"""The story that is the same at every authority and in every language, step by step."""

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

# What asks somebody: a program with a cached token has no reason to.
ASKING = ("connect", "sendto", "sendmsg", "sendmmsg")


@dataclass
class Story:
    """One telling: a place, a language, and what has happened so far."""

    place: Place
    language: str
    desk: Desk
    token: str = ""

    def get_token(self, *options: str) -> tuple[str, str]:
        """Where a token comes from, and its fingerprint."""
        token = self.desk.result(self.desk.start(self.language, "get_token", *options))
        expect(token["username"] == self.place.person, f"a token of {token['username']} came")
        return token["source"], token["fingerprint"]

    def accounts(self) -> list[str]:
        """Who is signed in."""
        accounts = self.desk.result(self.desk.start(self.language, "accounts"))["accounts"]
        return [account["username"] for account in accounts]

    def fails(self, *options: str) -> int:
        """How a program ends that gets no token."""
        process = self.desk.start(self.language, "get_token", *options, complains=False)
        process.communicate(timeout=120)
        return int(process.returncode)


def sign_in(story: Story) -> None:
    """Nobody is there; a person signs in."""
    expect(story.accounts() == [], "somebody is signed in already")
    expect(story.fails() == 1, "a token without a sign-in")
    story.desk.sign_in(story.language, story.place.approve, story.place.person)
    story.token = story.desk.signed_in["fingerprint"]


def silent(story: Story) -> None:
    """Other processes list the person and have the same token, without asking."""
    expect(story.accounts() == [story.place.person], f"{story.accounts()} are listed")
    expect(story.get_token() == ("cache", story.token), "the token is not the cached one")


def offline(story: Story) -> None:
    """The same without a network, in new processes that connect to nobody."""
    for name in ("accounts", "get_token"):
        with tempfile.NamedTemporaryFile() as trace:
            under = [*NO_NETWORK, "strace", "-f", "-qq", "-o", trace.name, "-e"]
            process = story.desk.start(
                story.language, name, under=[*under, f"trace={','.join(ASKING)}"]
            )
            answer = story.desk.result(process)
            calls = re.findall(r"\b(?:\w+)\(.*", Path(trace.name).read_text())
        expect(calls == [], f"{name} asks somebody: {calls[:2]}")
        if name == "get_token":
            expect((answer["source"], answer["fingerprint"]) == ("cache", story.token), "no cached token")
        else:
            names = [account["username"] for account in answer["accounts"]]
            expect(names == [story.place.person], f"{names} are listed")


def refresh(story: Story) -> None:
    """A new token comes, and is everybody's."""
    source, token = story.get_token("--force-refresh")
    expect(source == "network" and token != story.token, f"a forced refresh gave the {source}'s")
    story.token = token
    expect(story.get_token() == ("cache", token), "the new token was not stored")


def challenge(story: Story) -> None:
    """A resource refuses the token and wants more: another one comes, and takes its place."""
    source, token = story.get_token("--claims", CLAIMS)
    expect(source == "network" and token != story.token, f"a challenge gave the {source}'s token")
    story.token = token
    expect(story.get_token() == ("cache", token), "the refused token is still there")


def refusal(story: Story) -> None:
    """The provider wants to see the person again, who signs in again and is the same."""
    story.place.refuse()
    expect(story.fails("--force-refresh") == 1, "no sign-in is asked for")
    story.desk.sign_in(story.language, story.place.approve, story.place.person, "--claims", CLAIMS)
    expect(story.accounts() == [story.place.person], f"{story.accounts()} are listed")
    story.token = story.desk.signed_in["fingerprint"]
    expect(story.get_token() == ("cache", story.token), "the new sign-in was not stored")


def sign_out(story: Story) -> None:
    """The person signs out, and nothing is left."""
    story.desk.result(story.desk.start(story.language, "sign_out"))
    expect(story.accounts() == [], "somebody is still listed")
    expect(story.fails() == 1, "a token after a sign-out")


STEPS: tuple[Callable[[Story], None], ...] = (
    sign_in, silent, offline, refresh, challenge, refusal, sign_out,
)  # fmt: skip


def traces() -> bool:
    """Whether programs may be traced here, so that one that connects is found out."""
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
    """What runs a program without any network; nothing where that needs other rights."""
    command = ["unshare", "--net"]
    try:
        done = subprocess.run([*command, "true"], capture_output=True)
    except OSError:
        return []
    return command if done.returncode == 0 else []


NO_NETWORK = without_network()
