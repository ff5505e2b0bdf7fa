# SPDX-License-Identifier: MIT
"""Token caches that other libraries keep in the desktop's keyring: found, told apart, no prompt."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

import session
from surroundings import CLI, ROOT, Person, Skipped, check

PEERS = ROOT / "build/keyring-peers"
PACKAGES = ["msal==1.39.0", "msal-extensions==1.3.1"]
CALL = "import json, tessera; print(json.dumps([c.__reduce__()[1][0] for c in tessera.known_caches()]))"


def peers() -> str:
    """The Python of the peers: Debian's, which has libsecret, with msal-extensions from PyPI."""
    secret = "import gi; gi.require_version('Secret', '1'); from gi.repository import Secret"
    if subprocess.run(["/usr/bin/python3", "-c", secret], capture_output=True).returncode != 0:
        raise Skipped("python3-gi or gir1.2-secret-1 is not installed")
    python, mark = PEERS / "bin/python", PEERS / "packages"
    if not mark.exists() or mark.read_text() != "\n".join(PACKAGES):
        make = ["/usr/bin/python3", "-m", "venv", "--clear", "--system-site-packages", str(PEERS)]
        get = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
        if any(subprocess.run(words, capture_output=True).returncode != 0 for words in (make, get)):
            raise Skipped("PyPI cannot be reached")
        mark.write_text("\n".join(PACKAGES))
    return str(python)


def peer(person: Person, place: str, command: str, text: str = "") -> str:
    """What a program says that keeps its cache in the keyring."""
    process = subprocess.run(
        [peers(), str(ROOT / "Tests/Keys/peer.py"), place, command], input=text, text=True,
        env=person.environment(), capture_output=True, timeout=60,
    )  # fmt: skip
    check(process.returncode == 0, "the peer ended with", process.returncode, process.stderr[-500:])
    return process.stdout


def document(*names: str) -> str:
    """A cache with some people."""
    accounts = {
        name: {
            "home_account_id": f"{name}.tenant", "environment": "login.microsoftonline.com",
            "realm": "tenant", "username": f"{name}@contoso.com", "local_account_id": name,
            "authority_type": "MSSTS",
        }
        for name in names
    }  # fmt: skip
    return json.dumps({"Account": accounts, "Unknown": {"kept": "Zoë"}})


def caches(person: Person) -> list[dict[str, Any]]:
    """What Python is told of the known caches; the command line is told the same."""
    environment = person.environment()
    words = [sys.executable, "-c", CALL]
    process = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60)
    check(process.returncode == 0, process.stderr)
    found: list[dict[str, Any]] = json.loads(process.stdout)
    line = subprocess.run([CLI, "caches", "--json"], env=environment, capture_output=True, text=True, timeout=60)
    check(json.loads(line.stdout)["caches"] == found, "the command line says", line.stdout)
    return found


def selected(person: Person, name: str) -> dict[str, Any]:
    """What is said of the place that is used for a name."""
    found = [cache for cache in caches(person) if cache["name"] == name and cache["selected"]]
    check(len(found) == 1, "places of", name, found)
    return found[0]


def items_of_other_libraries(person: Person) -> None:
    """Each library's item is found where its owner keeps it, however it is written."""
    with session.keyring(person.home / "session", person.home, unlocked=True) as person.bus:
        empty = caches(person)
        check(all(cache["state"] == "missing" for cache in empty), empty)
        places = {"azure_identity": "msal.cache.nocae", "azure_powershell": "msal.cache",
                  "azure_cli": "my_schema_name", "azure_cli_newer": "Microsoft Azure CLI"}  # fmt: skip
        for number, (place, schema) in enumerate(places.items(), start=1):
            peer(person, place, "save", document(*[f"person{each}" for each in range(number)]))
            found = selected(person, place.removesuffix("_newer"))
            check(found["kind"] == "secret_service" and found["schema"] == schema, found)
            check(found["state"] == "usable" and found["accounts"] == number, found)


def last_written_location(person: Person) -> None:
    """Of a plain file and an item, the one that was written last is used."""
    with session.keyring(person.home / "session", person.home, unlocked=True) as person.bus:
        peer(person, "azure_cli", "save", document("ann"))
        plain = person.home / ".azure/msal_token_cache.json"
        plain.touch(mode=0o600)
        plain.write_text(document("ann", "bob"))
        check(selected(person, "azure_cli")["accounts"] == 2, "the file is newer")
        peer(person, "azure_cli", "save", document("ann"))
        check(selected(person, "azure_cli")["kind"] == "secret_service", "the item is newer")
        # The plain file of azure-identity is what its item touches.
        plain = person.home / ".IdentityService/msal.cache.nocae"
        plain.touch(mode=0o600)
        plain.write_text(document("ann", "bob"))
        check(selected(person, "azure_identity")["accounts"] == 2, "there is no item")
        peer(person, "azure_identity", "save", document("ann"))
        check(plain.read_text() == document("ann", "bob"), "the peer has emptied the file")
        check(selected(person, "azure_identity")["accounts"] == 1, "the item is newer")


def no_cache(person: Person) -> None:
    """Azure CLI 2.91 keeps its service principals under the same name as its tokens: a list, and no cache."""
    with session.keyring(person.home / "session", person.home, unlocked=True) as person.bus:
        peer(person, "azure_cli", "save", '[{"tenant": "t", "client_id": "c"}]')
        found = selected(person, "azure_cli")
        check(found["state"] == "unreadable" and found["reason"] == "it is no token cache", found)


def locked_caches(person: Person) -> None:
    """A locked keyring, a silent one and none are said, without a prompt; a silent one is waited for once."""
    with session.keyring(person.home / "session", person.home, unlocked=True) as person.bus:
        peer(person, "azure_cli", "save", document("ann"))
        peer(person, "azure_identity", "save", document("ann"))
    with (
        session.keyring(person.home / "session", person.home, unlocked=False) as person.bus,
        session.watched(person.bus) as heard,
    ):
        are_locked(person, "the keyring is locked")
    check(any("member=SearchItems" in line for line in heard), "the bus could not be watched")
    check(not [line for line in heard if "Prompt" in line and "member=" in line], "a prompt was asked for")
    with session.silent_service(person.home / "session") as person.bus:
        start = time.monotonic()
        are_locked(person, "did not answer")
        # Python, and the command line.
        check(time.monotonic() - start < 12, "it was waited for more than once")
    person.bus = "disabled:"
    are_locked(person, "there is no session bus")


def are_locked(person: Person, reason: str) -> None:
    """What is kept in the keyring is said to be locked, and nothing else."""
    found = [cache for cache in caches(person) if cache["state"] != "missing"]
    names = [(cache["name"], cache["state"], cache["kind"]) for cache in found]
    expected = [(name, "locked", "secret_service") for name in ("azure_cli", "azure_identity")]
    check(names == expected, names)
    check(all(reason in cache["reason"] or "a moment ago" in cache["reason"] for cache in found), found)


TESTS = [items_of_other_libraries, last_written_location, no_cache, locked_caches]
