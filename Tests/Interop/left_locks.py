# SPDX-License-Identifier: MIT
"""Killed writers of Tessera: the number of lock files that remain, and writes of MSAL Python after a read."""

from __future__ import annotations

import importlib.util
import json
import random
import subprocess
import time
from pathlib import Path

import peer
import peer_program
from crowd import seed, size
from msal_extensions.token_cache import LockError  # type: ignore
from scene import Scene

from configurations import nested
from examples import expect
from provider import ROOT

WRITER = ROOT / "build/interop/writer"
MANY = size()[0] == 200
"""Whether this is the long form."""
KILLS = 120 if MANY else 30
MOST_LEFT = 5 if MANY else 3
"""The maximum number of these kills that may leave the lock file: those during the rename."""
MOMENTS = 5
"""The number of writers that are killed during the rename, while the lock file exists."""


def writer(scene: Scene, mode: str) -> subprocess.Popen[bytes]:
    """Starts a writer that alternately stores two secrets of one token."""
    requests = []
    for letter in "ab":
        entry = peer_program.token("busy", letter * 1200)
        requests.append(
            json.dumps({"before": "", "after": json.dumps({"AccessToken": {"busy": entry}})})
        )
    command = [str(WRITER), mode, json.dumps(nested(scene.configuration)), *requests]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=scene.worker_pool.environment)


def read(scene: Scene) -> None:
    """Reads the cache with Tessera, like a new program."""
    import tessera_identity

    members = dict(scene.configuration)
    with tessera_identity.PublicClientApplication(members.pop("client_id"), **members) as application:
        application.get_accounts()


def is_refused(scene: Scene, scope: str) -> bool:
    """Whether MSAL Python cannot write because of a remaining lock file."""
    entry = peer_program.token(scope)
    try:
        peer.cache_at(scene.file).modify("AccessToken", entry, entry)
    except LockError:
        scene.lock.unlink()
        return True
    return False


def left_locks(folder: Path) -> str:
    """E8: writers are killed at random, or while they hold the lock. Tessera reads, then MSAL Python writes."""
    expect(importlib.util.find_spec("portalocker") is None, "portalocker is installed")
    dice = random.Random(seed())
    left = refused = 0
    with Scene(folder, "--no-rotation") as scene:
        scene.fill(60)
        for number in range(KILLS):
            process = writer(scene, "forever")
            assert process.stdout is not None
            expect(b"stored" in process.stdout.readline(), "the writer does not write")
            time.sleep(dice.random() * 0.03)
            process.kill()
            process.communicate()
            left += scene.lock.exists()
            read(scene)
            refused += is_refused(scene, f"after.{number}")
        for number in range(MOMENTS):
            writer(scene, "once").communicate()
            expect(
                scene.lock.exists(), "the lock file of a writer that died within the rename is gone"
            )
            read(scene)
            refused += is_refused(scene, f"later.{number}")
        expect(scene.state() == "whole", "the file is not whole")
    expect(refused == 0, f"MSAL Python was refused {refused} times after a read of Tessera's")
    expect(left <= MOST_LEFT, f"{left} of {KILLS} kills left the lock file, {MOST_LEFT} may")
    return f"{left} of {KILLS} kills left the lock file; with {MOMENTS} more, none after a read"


LEFT_LOCKS = {"E8, lock files of killed writers": left_locks}
