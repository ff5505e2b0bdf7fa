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

from providers import CLAIMS, AuthorityCase

from examples import Desk, expect

if TYPE_CHECKING:
    from collections.abc import Callable

# The system calls that contact a server. A program with a cached token must not make them.
ASKING = ("connect", "sendto", "sendmsg", "sendmmsg")


@dataclass
class Session:
    """One run: an authority, a language, and the state so far."""

    case: AuthorityCase
    language: str
    desk: Desk
    token: str = ""

    def get_token(self, *options: str) -> tuple[str, str]:
        """Returns the source of a token and its fingerprint."""
        token = self.desk.result(self.desk.start(self.language, "get_token", *options))
        expect(token["username"] == self.case.user, f"a token of {token['username']} came")
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


def sign_in(session: Session) -> None:
    """Without an account, a user signs in."""
    expect(session.accounts() == [], "an account is already signed in")
    expect(session.fails() == 1, "a token without a sign-in")
    session.desk.sign_in(session.language, session.case.approve, session.case.user)
    session.token = session.desk.signed_in["fingerprint"]


def silent(session: Session) -> None:
    """Other processes list the account and get the same token without a request."""
    expect(session.accounts() == [session.case.user], f"{session.accounts()} are listed")
    expect(session.get_token() == ("cache", session.token), "the token is not the cached one")


def offline(session: Session) -> None:
    """The same without a network, in new processes that open no connection."""
    for name in ("accounts", "get_token"):
        with tempfile.NamedTemporaryFile() as trace:
            under = [*NO_NETWORK, "strace", "-f", "-qq", "-o", trace.name, "-e"]
            process = session.desk.start(
                session.language, name, under=[*under, f"trace={','.join(ASKING)}"]
            )
            answer = session.desk.result(process)
            calls = re.findall(r"\b(?:\w+)\(.*", Path(trace.name).read_text())
        expect(calls == [], f"{name} sends a request: {calls[:2]}")
        if name == "get_token":
            expect((answer["source"], answer["fingerprint"]) == ("cache", session.token), "no cached token")
        else:
            names = [account["username"] for account in answer["accounts"]]
            expect(names == [session.case.user], f"{names} are listed")


def refresh(session: Session) -> None:
    """A refresh returns a new token, which all programs use."""
    source, token = session.get_token("--force-refresh")
    expect(source == "network" and token != session.token, f"a forced refresh gave the {source}'s")
    session.token = token
    expect(session.get_token() == ("cache", token), "the new token was not stored")


def challenge(session: Session) -> None:
    """After a claims challenge, a new token replaces the cached one."""
    source, token = session.get_token("--claims", CLAIMS)
    expect(source == "network" and token != session.token, f"a challenge gave the {source}'s token")
    session.token = token
    expect(session.get_token() == ("cache", token), "the refused token is still there")


def refusal(session: Session) -> None:
    """The provider requires interaction; the user signs in again and has the same account."""
    session.case.refuse()
    expect(session.fails("--force-refresh") == 1, "no sign-in is asked for")
    session.desk.sign_in(session.language, session.case.approve, session.case.user, "--claims", CLAIMS)
    expect(session.accounts() == [session.case.user], f"{session.accounts()} are listed")
    session.token = session.desk.signed_in["fingerprint"]
    expect(session.get_token() == ("cache", session.token), "the new sign-in was not stored")


def sign_out(session: Session) -> None:
    """The user signs out, and the store is empty."""
    session.desk.result(session.desk.start(session.language, "sign_out"))
    expect(session.accounts() == [], "an account is still listed")
    expect(session.fails() == 1, "a token after a sign-out")


STEPS: tuple[Callable[[Session], None], ...] = (
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
