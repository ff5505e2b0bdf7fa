# SPDX-License-Identifier: MIT
"""Token caches of other libraries in the desktop's keyring: detection, distinction, no prompts."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import session
from common import CLI, ROOT, DesktopUser, Skipped, check

PEERS = ROOT / "build/keyring-peers"
PACKAGES = ["msal==1.39.0", "msal-extensions==1.3.1"]
CALL = """import json, tessera_identity
print(json.dumps([cache.__reduce__()[1][0] for cache in tessera_identity.known_caches()]))"""


def peers() -> str:
    """Installs msal-extensions from PyPI for Debian's Python, which has libsecret, and returns that Python."""
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


def peer(user: DesktopUser, location: str, command: str, text: str = "") -> str:
    """Returns the output of a program that has its cache in the keyring."""
    process = subprocess.run(
        [peers(), str(ROOT / "Tests/Keys/peer.py"), location, command], input=text, text=True,
        env=user.environment(), capture_output=True, timeout=60,
    )  # fmt: skip
    check(process.returncode == 0, "the peer ended with", process.returncode, process.stderr[-500:])
    return process.stdout


def document(*names: str) -> str:
    """Returns a cache with some accounts."""
    accounts = {
        name: {
            "home_account_id": f"{name}.tenant", "environment": "login.microsoftonline.com",
            "realm": "tenant", "username": f"{name}@contoso.com", "local_account_id": name,
            "authority_type": "MSSTS",
        }
        for name in names
    }  # fmt: skip
    return json.dumps({"Account": accounts, "Unknown": {"kept": "Zoë"}})


def caches(user: DesktopUser) -> list[dict[str, Any]]:
    """Returns the known caches in Python, which must equal those of the command line."""
    environment = user.environment()
    words = [sys.executable, "-c", CALL]
    process = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60)
    check(process.returncode == 0, process.stderr)
    found: list[dict[str, Any]] = json.loads(process.stdout)
    command: list[str | Path] = [CLI, "store", "caches", "--json"]
    line = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    check(json.loads(line.stdout)["caches"] == found, "the command line prints", line.stdout)
    return found


def selected(user: DesktopUser, name: str) -> dict[str, Any]:
    """Returns the selected location of a cache."""
    found = [cache for cache in caches(user) if cache["name"] == name and cache["selected"]]
    check(len(found) == 1, "places of", name, found)
    return found[0]


def items_of_other_libraries(user: DesktopUser) -> None:
    """Each library's item is found at its own location, in every encoding."""
    with session.keyring(user.home / "session", user.home, unlocked=True) as user.bus:
        empty = caches(user)
        check(all(cache["state"] == "missing" for cache in empty), empty)
        places = {"azure_identity": "msal.cache.nocae", "azure_powershell": "msal.cache",
                  "azure_cli": "my_schema_name", "azure_cli_newer": "Microsoft Azure CLI"}  # fmt: skip
        for number, (location, schema) in enumerate(places.items(), start=1):
            peer(user, location, "save", document(*[f"user{each}" for each in range(number)]))
            found = selected(user, location.removesuffix("_newer"))
            check(found["kind"] == "secret_service" and found["schema"] == schema, found)
            check(found["state"] == "usable" and found["accounts"] == number, found)


def last_written_location(user: DesktopUser) -> None:
    """Of a plain file and an item, the one written last is used."""
    with session.keyring(user.home / "session", user.home, unlocked=True) as user.bus:
        peer(user, "azure_cli", "save", document("ann"))
        plain = user.home / ".azure/msal_token_cache.json"
        plain.touch(mode=0o600)
        plain.write_text(document("ann", "bob"))
        check(selected(user, "azure_cli")["accounts"] == 2, "the file is newer")
        peer(user, "azure_cli", "save", document("ann"))
        check(selected(user, "azure_cli")["kind"] == "secret_service", "the item is newer")
        # azure-identity's item touches its plain file.
        plain = user.home / ".IdentityService/msal.cache.nocae"
        plain.touch(mode=0o600)
        plain.write_text(document("ann", "bob"))
        check(selected(user, "azure_identity")["accounts"] == 2, "there is no item")
        peer(user, "azure_identity", "save", document("ann"))
        check(plain.read_text() == document("ann", "bob"), "the peer has emptied the file")
        check(selected(user, "azure_identity")["accounts"] == 1, "the item is newer")


def no_cache(user: DesktopUser) -> None:
    """Azure CLI 2.91 stores its service principals under the same name as its tokens: a list, not a cache."""
    with session.keyring(user.home / "session", user.home, unlocked=True) as user.bus:
        peer(user, "azure_cli", "save", '[{"tenant": "t", "client_id": "c"}]')
        found = selected(user, "azure_cli")
        check(found["state"] == "unreadable" and found["reason"] == "it is not a token cache", found)


def locked_caches(user: DesktopUser) -> None:
    """A locked, an unresponsive and a missing keyring are reported without a prompt; the wait happens once."""
    with session.keyring(user.home / "session", user.home, unlocked=True) as user.bus:
        peer(user, "azure_cli", "save", document("ann"))
        peer(user, "azure_identity", "save", document("ann"))
    with (
        session.keyring(user.home / "session", user.home, unlocked=False) as user.bus,
        session.watched(user.bus) as heard,
    ):
        are_locked(user, "the keyring is locked")
    check(any("member=SearchItems" in line for line in heard), "the bus could not be watched")
    check(not [line for line in heard if "Prompt" in line and "member=" in line], "a prompt was asked for")
    with session.silent_service(user.home / "session") as user.bus:
        start = time.monotonic()
        are_locked(user, "did not respond")
        # Python, and the command line.
        check(time.monotonic() - start < 12, "it was waited for more than once")
    user.bus = "disabled:"
    are_locked(user, "there is no session bus")


def are_locked(user: DesktopUser, reason: str) -> None:
    """Checks that the items of the keyring are reported as locked."""
    found = [cache for cache in caches(user) if cache["state"] != "missing"]
    names = [(cache["name"], cache["state"], cache["kind"]) for cache in found]
    expected = [(name, "locked", "secret_service") for name in ("azure_cli", "azure_identity")]
    check(names == expected, names)
    check(all(reason in cache["reason"] or "recently" in cache["reason"] for cache in found), found)


TESTS = [items_of_other_libraries, last_written_location, no_cache, locked_caches]
