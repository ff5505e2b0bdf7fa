# SPDX-License-Identifier: MIT
"""Caches of every MSAL are copied to Tessera's default store, and from there to another file, without loss."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import peer
import tessera_identity
from golden import CACHES
from msal import TokenCache  # type: ignore
from world import CLIENT, World

from examples import expect

SECTIONS = ("AccessToken", "RefreshToken", "IdToken", "Account", "AppMetadata")
AUTHORITY = "https://login.microsoftonline.com/common"
HOSTS = {"login.windows.net": "login.microsoftonline.com"}
"""The alias and the host of one cloud."""


def round_trip(world: World, cache: Path) -> None:
    """Copies a file to a store, then to another file, which MSAL Python reads, and from there to a store."""
    world.file.write_bytes(cache.read_bytes())
    first, copy = world.file, world.folder / f"{world.file.name}-copy"
    with (
        file(first) as theirs,
        store(world, "one") as one,
        file(copy) as other,
        store(world, "two") as two,
    ):
        one.copy_from(theirs)
        other.copy_from(one)
        two.copy_from(other)
        holds(json.loads(two.read_cache()), json.loads(one.read_cache()))
        for into, source in ((one, theirs), (other, one), (two, other)):
            report = into.copy_from(source)
            expect(report.record_count == 0, f"a second copy stores {report.record_count} records")
    before, after = (json.loads(path.read_bytes()) for path in (first, copy))
    holds(after, before)
    expect(set(after) <= {*before, *SECTIONS, "Tessera"}, f"there are {sorted(after)}")
    own = after.get("Tessera", {}).values()
    expect(
        not any("foreign_value" in each for each in own),
        "foreign entries are in Tessera's member",
    )
    read_by_msal(first, copy)


def holds(document: dict[str, Any], other: dict[str, Any]) -> None:
    """Checks that a document contains each entry of another one, in the same section."""
    for section, entries in other.items():
        for key, entry in entries.items():
            # Of several ID tokens of an account in a tenant, the newest one remains.
            run_row = {**entry, "secret": None} if section == "IdToken" else entry
            found = [each for each in document.get(section, {}).values() if matches(each, run_row)]
            expect(bool(found), f"{key} in {section} is gone: {list(document.get(section, {}))}")


def read_by_msal(first: Path, copy: Path) -> None:
    """Checks that MSAL Python finds each token of a file in its copy."""
    there, here = (peer.public(path, CLIENT, AUTHORITY, peer.NoNetwork()) for path in (first, copy))
    kinds = (TokenCache.CredentialType.ACCESS_TOKEN, TokenCache.CredentialType.REFRESH_TOKEN)
    for kind in kinds:
        secrets = [
            {each["secret"] for each in app.token_cache.search(kind)} for app in (there, here)
        ]
        expect(
            secrets[0] == secrets[1], f"of {kind} MSAL Python finds {secrets[1]}, not {secrets[0]}"
        )
    names = [
        {(each["home_account_id"], each["username"]) for each in app.get_accounts()}
        for app in (there, here)
    ]
    expect(names[0] == names[1], f"MSAL Python finds {names[1]}, not {names[0]}")


def matches(found: Any, entry: Any) -> bool:
    """Whether an entry equals another one, except for aliases of hosts and the order of scopes."""
    if not isinstance(entry, dict):
        return bool(found == entry)
    run_row = {name: value for name, value in entry.items() if value not in (None, "")}
    return all(word(name, found.get(name)) == word(name, value) for name, value in run_row.items())


def word(name: str, value: Any) -> Any:
    """Returns the normalized value of a member."""
    if name == "environment":
        return HOSTS.get(value, value)
    return sorted(value.split()) if name == "target" else value


def file(path: Path) -> tessera_identity.PublicClientApplication:
    """Returns an application with a file as its store."""
    words: dict[str, Any] = {"msal_cache": str(path)}
    return tessera_identity.PublicClientApplication(CLIENT, **words)


def store(world: World, name: str) -> tessera_identity.PublicClientApplication:
    """Returns an application with a private store of Tessera."""
    place = world.folder / f"{world.file.name}-{name}"
    words: dict[str, Any] = {"store_directory": str(place), "storage_policy": "allow_plaintext"}
    return tessera_identity.PublicClientApplication(CLIENT, **words)


COPIES: dict[str, Callable[[World], None]] = {
    f"a copy of a cache: {cache.stem}": (lambda world, cache=cache: round_trip(world, cache))  # type: ignore[misc]
    for cache in CACHES
}
