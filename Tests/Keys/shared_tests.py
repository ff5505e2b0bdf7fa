# SPDX-License-Identifier: MIT
"""Token caches in the desktop's keyring that Tessera's programs and those of other libraries share."""

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
from surroundings import CLIENT, ROOT, SCOPES, Person, check

from provider import Provider

ITEM = "azure_identity"


def cache_of(person: Person, name: str) -> None:
    """Make somebody a user of one of the known caches."""
    person.settings = {"msal_cache": name}


def contents(person: Person, place: str = ITEM) -> dict[str, Any]:
    """What the owner of a cache reads there."""
    return dict(json.loads(peer(person, place, "load")))


def shared_with_python(person: Person) -> None:
    """A sign-in that a C program stores in azure-identity's item is MSAL Python's, and the other way round."""
    cache_of(person, ITEM)
    signal = person.home / ".IdentityService/msal.cache.nocae"
    with session.keyring(person.home / "session", person.home, unlocked=True) as person.bus:
        person.says(state="missing", protection="encrypted", key_source="secret_service")
        check(person.sign_in("C").answer.get("persisted") is True, "the sign-in")
        person.says(state="usable", protection="encrypted", key_source="secret_service")
        check(
            signal.read_bytes() == b"" and signal.stat().st_mode & 0o777 == 0o600,
            "the file that is touched",
        )
        check(
            json.loads(peer(person, ITEM, "accounts")) == ["alice@contoso.com"],
            "the peer's accounts",
        )
        person.has_token()
        # Somebody else signs in with the peer: what is Tessera's stays, and what is theirs is seen at once.
        theirs = contents(person)
        theirs["Account"].update(json.loads(document("bob"))["Account"])
        peer(person, ITEM, "save", json.dumps({**theirs, "Unknown": {"kept": "Zoë"}}))
        check(person.info()["records"]["accounts"] == 2, person.info())
        person.has_token(force_refresh=True)
        ours = contents(person)
        check(ours["Unknown"] == {"kept": "Zoë"} and "bob" in ours["Account"], "something was lost")
        check(not (person.home / "store").exists(), "a store of its own was made")
        check(
            [each.name for each in signal.parent.iterdir()] == [signal.name],
            "something was left behind",
        )


def shared_with_dotnet(person: Person) -> None:
    """An item in base64 stays one."""
    cache_of(person, "azure_powershell")
    with session.keyring(person.home / "session", person.home, unlocked=True) as person.bus:
        peer(person, "azure_powershell", "save", document("bob"))
        check(person.sign_in("Python").answer.get("persisted") is True, "the sign-in")
        person.has_token()
        ours = contents(person, "azure_powershell")
        check(
            "bob" in ours["Account"] and bool(ours["AccessToken"] and ours["Unknown"]),
            "what .NET finds",
        )


def made_as_dotnet_makes_it(person: Person) -> None:
    """A new item of .NET's is written as .NET reads it."""
    cache_of(person, "azure_powershell")
    with session.keyring(person.home / "session", person.home, unlocked=True) as person.bus:
        check(person.sign_in("C").answer.get("persisted") is True, "the sign-in")
        check(bool(contents(person, "azure_powershell")["RefreshToken"]), "what .NET finds")


def locked_shared_cache(person: Person) -> None:
    """A keyring that cannot be used is an error with advice, shows no prompt, and leads to no plain file."""
    cache_of(person, ITEM)
    with session.keyring(person.home / "session", person.home, unlocked=True) as person.bus:
        person.sign_in("C")
    folder = person.home / ".IdentityService"
    advice = ("Secret Service", "desktop session", "Nothing was changed")
    with (
        session.keyring(person.home / "session", person.home, unlocked=False) as person.bus,
        session.watched(person.bus) as heard,
    ):
        person.is_refused("key_unavailable", "locked", *advice)
        again = person.sign_in("Python")
        check(
            again.answer.get("persisted") is False, "a sign-in that cannot be stored:", again.answer
        )
    check(any("member=SearchItems" in line for line in heard), "the bus could not be watched")
    check(
        not [line for line in heard if "Prompt" in line and "member=" in line],
        "a prompt was asked for",
    )
    with session.silent_service(person.home / "session") as person.bus:
        person.is_refused("key_unavailable", "did not respond", within=6)
        late = person.silent("C", timeout_milliseconds=400)
        check(late.code == "deadline_exceeded" and late.seconds < 2.5, late.answer, late.seconds)
    person.bus = "disabled:"
    person.is_refused("key_unavailable", "no session bus", *advice)
    sizes = [path.stat().st_size for path in folder.iterdir()]
    check(sizes == [0], "something was written in clear:", sizes)
    with session.keyring(person.home / "session", person.home, unlocked=True) as person.bus:
        person.has_token()


def kept_list(person: Person) -> None:
    """What is no token cache is never written over."""
    cache_of(person, "azure_cli")
    with session.keyring(person.home / "session", person.home, unlocked=True) as person.bus:
        principals = '[{"tenant": "t", "client_id": "c"}]'
        peer(person, "azure_cli", "save", principals)
        check(person.sign_in("C").answer.get("persisted") is False, "it was stored somewhere")
        check(peer(person, "azure_cli", "load") == principals, "the list was written over")


def writers_and_kills(person: Person) -> None:
    """Programs of both libraries write one item, some of ours are killed: what was acknowledged is there."""
    cache_of(person, ITEM)
    with (
        Provider("--interval", "1", "--no-rotation") as person.provider,
        session.keyring(person.home / "session", person.home, unlocked=True) as person.bus,
    ):
        signed_in = person.sign_in("C").answer
        check(signed_in.get("persisted") is True, signed_in)
        theirs = [Theirs(person, f"peer{number}") for number in range(2)]
        stored: list[str] = []
        works = [
            lambda: write(person, stored, "C"),
            lambda: write(person, stored, "Python"),
            lambda: kill(person),
        ]
        threads = [threading.Thread(target=attempt, args=(person, stored, work)) for work in works]
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
        # The lock file of somebody who was killed goes with the next write.
        person.has_token(force_refresh=True)
        kept = {entry["secret"] for entry in contents(person)["AccessToken"].values()}
        lost = [token for token in acknowledged if token not in kept]
        check(not lost, len(lost), "of", len(acknowledged), "tokens were lost")
        left = [each.name for each in (person.home / ".IdentityService").iterdir()]
        check(left == ["msal.cache.nocae"], "something was left behind:", left)


class Theirs:
    """A program that writes tokens with msal-extensions."""

    def __init__(self, person: Person, name: str) -> None:
        """Start it; msal-extensions first tries an item that two of its programs would take from each other."""
        words = [peers(), str(ROOT / "Tests/Keys/peer.py"), ITEM, "write", name]
        self.process = subprocess.Popen(
            words, env=person.environment(), stdout=subprocess.PIPE, text=True
        )

        assert self.process.stdout is not None
        self.first = self.process.stdout.readline()

    def written(self) -> list[str]:
        """The tokens that it has written, once it has ended."""
        output, _ = self.process.communicate(timeout=120)
        check(self.process.returncode == 0, "the peer ended with", self.process.returncode)
        return (self.first + output).split()


def attempt(person: Person, stored: list[str], work: Callable[[], None]) -> None:
    """Do something in a thread; an empty token says that it failed."""
    try:
        work()
    except Exception as problem:  # noqa: BLE001 - it is looked at by the thread that waits
        print(f"{person.home.name}: {problem!r}", flush=True)
        stored.append("")


def write(person: Person, stored: list[str], language: str) -> None:
    """Get tokens for scopes of one's own."""
    for number in range(10):
        outcome = person.silent(language, scopes=[f"{language}.{number}"], force_refresh=True)
        is_stored = "access_token" in outcome.answer and outcome.answer.get("persisted") is not False
        check(is_stored, outcome.answer)
        stored.append(outcome.answer["access_token"])


def kill(person: Person) -> None:
    """Start programs that get tokens, and kill them."""
    dice = random.Random(7)
    configuration = {
        "client_id": CLIENT, "authority": person.provider.entra_authority, "authority_type": "entra",
        **person.settings,
    }  # fmt: skip
    for number in range(12):
        request = {
            "home_account_id": person.account,
            "scopes": [*SCOPES, f"killed.{number}"],
            "force_refresh": True,
        }
        words = [str(person.compiled), json.dumps(configuration), "silent", json.dumps(request)]
        process = subprocess.Popen(
            words, env=person.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
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
