# SPDX-License-Identifier: MIT
"""Caches of every MSAL: entries that Tessera does not change survive its writes.

Those of Python 1.39, Go 1.9 and Node 2.15 in `caches` were written by these libraries; those of .NET 4.87 and
Java 1.17 were written manually from their sources.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from world import KINDS, World

from examples import expect

CACHES = sorted((Path(__file__).parent / "caches").glob("*.json"))


def survives(world: World, cache: Path) -> None:
    """Another user signs in, is refreshed and signs out; all entries of the cache remain."""
    world.file.write_bytes(cache.read_bytes())
    world.file.chmod(0o600)
    before = world.document()
    kind = KINDS["work"]
    world.we_sign_in(kind)
    same(before, world.document())
    with world.ours(kind, is_online=True) as application:
        account = next(
            each for each in application.get_accounts() if each.username == kind.username
        )
        application.acquire_token_silent([kind.scope], account=account, force_refresh=True)
        same(before, world.document())
        application.remove_account(account)
    same(before, world.document())


def same(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Checks that all entries remain, with equal values and digits of numbers."""
    for section, entries in before.items():
        expect(section in after, f"{section} is gone")
        if not isinstance(entries, dict):
            expect(after[section] == entries, f"{section} is {after[section]}")
            continue
        for key, entry in entries.items():
            found = after[section].get(key)
            expect(json.dumps(found) == json.dumps(entry), f"{key} in {section} is {found}")


def strange(world: World) -> None:
    """Possible additions of newer libraries survive: sections, members, nulls, long numbers, repeated blanks."""
    document = json.loads((CACHES[0]).read_text())
    document["Newer"] = {"x": [1, 1e30, None, {"": ""}], "long": 123456789012345678901234567890}
    document["A list"] = [[], {}, "\ud83d\ude00", "\u0000"]
    document["Nothing"] = None
    for section in ("AccessToken", "RefreshToken", "IdToken", "Account", "AppMetadata"):
        document.setdefault(section, {})["not an entry"] = {
            "credential_type": "Unknown",
            "nothing": None,
        }
        document[section]["no object"] = "text"
    strange = world.folder / "strange.json"
    strange.write_text(json.dumps(document, indent=3))
    survives(world, strange)


GOLDEN: dict[str, Callable[[World], None]] = {
    **{
        f"a cache as it was: {cache.stem}": (lambda world, cache=cache: survives(world, cache))  # type: ignore[misc]
        for cache in CACHES
    },
    "a cache of the future": strange,
}
