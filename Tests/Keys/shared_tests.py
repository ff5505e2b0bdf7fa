# SPDX-License-Identifier: MIT
"""Token caches in the desktop's keyring shared by Tessera and other libraries."""

from __future__ import annotations

import json
import random
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

import session
from cache_tests import document, peer, peers
from common import CLIENT, ROOT, SCOPES, DesktopUser, check

from configurations import nested
from provider import Provider

ITEM = "azure_identity"


def cache_of(user: DesktopUser, name: str) -> None:
    """Makes a user use one of the known caches."""
    user.settings = {"msal_cache": name}


def contents(user: DesktopUser, location: str = ITEM) -> dict[str, Any]:
    """Returns the contents that the owner of a cache reads."""
    return dict(json.loads(peer(user, location, "load")))


def shared_with_python(user: DesktopUser) -> None:
    """MSAL Python reads a sign-in that a C program stores in azure-identity's item, and vice versa."""
    cache_of(user, ITEM)
    signal = user.home / ".IdentityService/msal.cache.nocae"
    with session.keyring(user.home / "session", user.home, unlocked=True) as user.bus:
        user.reports(state="missing", protection="encrypted", key_source="secret_service")
        check(user.sign_in("C").answer.get("persisted") is True, "the sign-in")
        user.reports(state="usable", protection="encrypted", key_source="secret_service")
        check(
            signal.read_bytes() == b"" and signal.stat().st_mode & 0o777 == 0o600,
            "the file that is touched",
        )
        check(
            json.loads(peer(user, ITEM, "accounts")) == ["alice@contoso.com"],
            "the peer's accounts",
        )
        user.has_token()
        # Another user signs in with the peer: Tessera's records remain, and the new ones are visible at once.
        theirs = contents(user)
        theirs["Account"].update(json.loads(document("bob"))["Account"])
        peer(user, ITEM, "save", json.dumps({**theirs, "Unknown": {"kept": "Zoë"}}))
        check(user.info()["records"]["accounts"] == 2, user.info())
        user.has_token(force_refresh=True)
        ours = contents(user)
        check(ours["Unknown"] == {"kept": "Zoë"} and "bob" in ours["Account"], "something was lost")
        check(not (user.home / "store").exists(), "a store of its own was made")
        check(
            [each.name for each in signal.parent.iterdir()] == [signal.name],
            "something was left behind",
        )


def shared_with_dotnet(user: DesktopUser) -> None:
    """An item in base64 stays in base64."""
    cache_of(user, "azure_powershell")
    with session.keyring(user.home / "session", user.home, unlocked=True) as user.bus:
        peer(user, "azure_powershell", "save", document("bob"))
        check(user.sign_in("Python").answer.get("persisted") is True, "the sign-in")
        user.has_token()
        ours = contents(user, "azure_powershell")
        check(
            "bob" in ours["Account"] and bool(ours["AccessToken"] and ours["Unknown"]),
            "what .NET finds",
        )


def made_as_dotnet_makes_it(user: DesktopUser) -> None:
    """A new item of .NET is written in .NET's format."""
    cache_of(user, "azure_powershell")
    with session.keyring(user.home / "session", user.home, unlocked=True) as user.bus:
        check(user.sign_in("C").answer.get("persisted") is True, "the sign-in")
        check(bool(contents(user, "azure_powershell")["RefreshToken"]), "what .NET finds")


def locked_shared_cache(user: DesktopUser) -> None:
    """An unusable keyring is an error with a remedy; it opens no prompt, and no plain file is created."""
    cache_of(user, ITEM)
    with session.keyring(user.home / "session", user.home, unlocked=True) as user.bus:
        signed_in = user.sign_in("C").answer
        # Without a stored sign-in, there would be no cache in the locked keyring.
        check(signed_in.get("persisted") is True, "the sign-in:", signed_in)
    folder = user.home / ".IdentityService"
    advice = ("Secret Service", "desktop session", "Nothing was changed")
    with (
        session.keyring(user.home / "session", user.home, unlocked=False) as user.bus,
        session.watched(user.bus) as heard,
    ):
        user.fails_with("key_unavailable", "locked", *advice)
        again = user.sign_in("Python")
        check(
            again.answer.get("persisted") is False, "a sign-in that cannot be stored:", again.answer
        )
    check(any("member=SearchItems" in line for line in heard), "the bus could not be watched")
    check(
        not [line for line in heard if "Prompt" in line and "member=" in line],
        "a prompt was asked for",
    )
    with session.silent_service(user.home / "session") as user.bus:
        user.fails_with("key_unavailable", "did not respond", within=6)
        late = user.silent("C", timeout_milliseconds=400)
        check(late.code == "deadline_exceeded" and late.seconds < 2.5, late.answer, late.seconds)
    user.bus = "disabled:"
    user.fails_with("key_unavailable", "no session bus", *advice)
    sizes = [path.stat().st_size for path in folder.iterdir()]
    check(sizes == [0], "something was written in clear:", sizes)
    with session.keyring(user.home / "session", user.home, unlocked=True) as user.bus:
        user.has_token()


def kept_list(user: DesktopUser) -> None:
    """Data other than a token cache is never overwritten."""
    cache_of(user, "azure_cli")
    with session.keyring(user.home / "session", user.home, unlocked=True) as user.bus:
        principals = '[{"tenant": "t", "client_id": "c"}]'
        peer(user, "azure_cli", "save", principals)
        check(user.sign_in("C").answer.get("persisted") is False, "it was stored somewhere")
        check(peer(user, "azure_cli", "load") == principals, "the list was written over")


def writers_and_kills(user: DesktopUser) -> None:
    """Programs of both libraries write one item, some of ours are killed: no acknowledged token is lost."""
    cache_of(user, ITEM)
    with (
        Provider("--interval", "1", "--no-rotation") as user.provider,
        session.keyring(user.home / "session", user.home, unlocked=True) as user.bus,
    ):
        signed_in = user.sign_in("C").answer
        check(signed_in.get("persisted") is True, signed_in)
        theirs = [Theirs(user, f"peer{number}") for number in range(2)]
        stored: list[str] = []
        works = [
            lambda: write(user, stored, "C"),
            lambda: write(user, stored, "Python"),
            lambda: kill(user),
        ]
        threads = [threading.Thread(target=attempt, args=(user, stored, work)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        acknowledged = stored + [token for each in theirs for token in each.written()]
        check(
            "" not in acknowledged and len(acknowledged) > 40,
            "a writer failed; of the rest",
            len(acknowledged),
        )
        # The next write removes the lock file of a killed process.
        user.has_token(force_refresh=True)
        kept = {entry["secret"] for entry in contents(user)["AccessToken"].values()}
        lost = [token for token in acknowledged if token not in kept]
        check(not lost, len(lost), "of", len(acknowledged), "tokens were lost")
        left = [each.name for each in (user.home / ".IdentityService").iterdir()]
        check(left == ["msal.cache.nocae"], "something was left behind:", left)


class Theirs:
    """A program that writes tokens with msal-extensions."""

    def __init__(self, user: DesktopUser, name: str) -> None:
        """Starts it. msal-extensions first writes a test item that must not be written concurrently."""
        words = [peers(), str(ROOT / "Tests/Keys/peer.py"), ITEM, "write", name]
        self.process = subprocess.Popen(
            words, env=user.environment(), stdout=subprocess.PIPE, text=True
        )

        assert self.process.stdout is not None
        self.first = self.process.stdout.readline()

    def written(self) -> list[str]:
        """Returns the tokens that it wrote, after it has ended."""
        output, _ = self.process.communicate(timeout=120)
        check(self.process.returncode == 0, "the peer ended with", self.process.returncode)
        return (self.first + output).split()


def attempt(user: DesktopUser, stored: list[str], work: Callable[[], None]) -> None:
    """Runs a function in a thread; an empty token means a failure."""
    try:
        work()
    except Exception as problem:  # noqa: BLE001 - it is looked at by the thread that waits
        print(f"{user.home.name}: {problem!r}", flush=True)
        stored.append("")


def write(user: DesktopUser, stored: list[str], language: str) -> None:
    """Gets tokens for separate scopes."""
    for number in range(10):
        outcome = user.silent(language, scopes=[f"{language}.{number}"], force_refresh=True)
        is_stored = "access_token" in outcome.answer and outcome.answer.get("persisted") is not False
        check(is_stored, outcome.answer)
        stored.append(outcome.answer["access_token"])


def kill(user: DesktopUser) -> None:
    """Starts programs that get tokens, and kills them."""
    dice = random.Random(7)
    configuration = {
        "client_id": CLIENT, "authority": user.provider.entra_authority, "authority_type": "entra",
        **user.settings,
    }  # fmt: skip
    for number in range(12):
        request = {
            "home_account_id": user.account,
            "scopes": [*SCOPES, f"killed.{number}"],
            "force_refresh": True,
        }
        words = [str(user.compiled), json.dumps(nested(configuration)), "silent", json.dumps(request)]
        process = subprocess.Popen(
            words, env=user.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(dice.uniform(0.01, 0.25))
        process.kill()
        process.wait()


TESTS = [
    shared_with_python,
    shared_with_dotnet,
    made_as_dotnet_makes_it,
    locked_shared_cache,
    kept_list,
    writers_and_kills,
]
