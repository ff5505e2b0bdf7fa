# SPDX-License-Identifier: MIT
"""The cache of azure-identity in a real keyring, shared in both directions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from known import WORK, hit, home, posts, renewed
from world import CLIENT, CONTOSO, World

from examples import expect

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Keys"))

import session  # noqa: E402

PROGRAM = [sys.executable, str(Path(__file__).parent / "item_program.py")]


@contextmanager
def desktop() -> Iterator[Path]:
    """A home with an unlocked keyring, and without caches."""
    before = os.environ["DBUS_SESSION_BUS_ADDRESS"]
    with home() as folder, session.keyring(folder / "session", folder, unlocked=True) as bus:
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = bus
        try:
            yield folder
        finally:
            os.environ["DBUS_SESSION_BUS_ADDRESS"] = before


class Theirs:
    """Programs of azure-identity, each a new process, with one item."""

    def __init__(self, world: World, *, is_capable: bool) -> None:
        """Signs in with the first program."""
        self._world = world
        self._words = [
            world.front.address,
            str(world.front.ca_file),
            CLIENT,
            CONTOSO,
            WORK.scope,
            "01"[is_capable],
        ]
        process = self._started("sign_in")
        assert process.stdout is not None
        code = process.stdout.readline().strip()
        expect(code != "", "azure-identity cannot use the keyring")
        world.provider(WORK).approve(code, WORK.username)
        printed = self._said(process)
        self._record, self.first = printed["record"], printed["token"]

    def hit(self) -> str:
        """Returns the token that the next program has without a request."""
        asked = posts(self._world)
        token = self._said(self._started("silent", self._record))["token"]
        expect(posts(self._world) == asked, "azure-identity asked for another token")
        return token

    def _started(self, act: str, *more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*PROGRAM, act, *self._words, *more], stdout=subprocess.PIPE, text=True
        )

    def _said(self, process: subprocess.Popen[str]) -> dict[str, str]:
        output, _ = process.communicate(timeout=60)
        expect(process.returncode == 0, f"azure-identity ended with {process.returncode}")
        return dict(json.loads(output))


def azure_identity(world: World, *, is_capable: bool) -> None:
    """They write, we read without a network; we refresh, they read; no token is stored unencrypted."""
    cache = "azure_identity_cae" if is_capable else "azure_identity"
    capabilities = ("CP1",) if is_capable else ()
    with desktop() as folder:
        theirs = Theirs(world, is_capable=is_capable)
        expect(theirs.hit() == theirs.first, "azure-identity has another token")
        expect(hit(world, cache, *capabilities) == theirs.first, "Tessera has another token")
        newest = renewed(world, cache, *capabilities)
        expect(
            theirs.hit() == newest != theirs.first,
            "azure-identity has no use for the token of Tessera",
        )
        expect(hit(world, cache, *capabilities) == newest, "Tessera lost its token")
        files = {each.name: each.stat().st_size for each in (folder / ".IdentityService").iterdir()}
        name = "msal.cache.cae" if is_capable else "msal.cache.nocae"
        expect(files == {name: 0}, f"beside the item there are {files}")


ITEMS: dict[str, Callable[[World], None]] = {
    "azure-identity in the keyring, claims challenges": lambda world: azure_identity(
        world, is_capable=True
    ),
    "azure-identity in the keyring, no claims challenges": lambda world: azure_identity(
        world, is_capable=False
    ),
}
