# SPDX-License-Identifier: MIT
"""Files that are truncated, deleted, replaced or restored, and containers, while programs use the store."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import tessera_identity
from credentials import FRESH, Credential, sign_in
from setting import Setting
from workers import KINDS, Answer, Worker, WorkerPool

from provider import Provider

PERSON = "alice@contoso.com"
SECOND = 1_000_000_000
"""The nanoseconds for which cached results are allowed after files were replaced (docs/store.md)."""


@dataclass
class Scene:
    """A store, its replacement, and its programs."""

    worker_pool: WorkerPool
    credential: Credential
    store: Path
    backup: Path
    backed_up: int
    """The number of the token in the backup."""
    other: Path
    other_version: int
    writer: Worker
    readers: list[Worker]
    commits: list[Answer] = field(default_factory=list)
    """The commits acknowledged to the writer."""
    began: int = 0
    ended: int = 0
    """The times at which the event began and ended."""
    grace: int = SECOND
    """The time for which cached results are allowed after the event."""
    seconds: float = 1.3
    """The seconds before the next sign-in."""
    problems: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)


def truncate_counter(scene: Scene) -> int | None:
    """Truncates the change counter file."""
    os.truncate(scene.store / "default.fresh", 0)
    return None


def delete_counter(scene: Scene) -> int | None:
    """Deletes the change counter file."""
    (scene.store / "default.fresh").unlink()
    return None


def delete_database(scene: Scene) -> int | None:
    """Deletes all files of the database."""
    for name in ("default.db-wal", "default.db-shm", "default.db"):
        (scene.store / name).unlink(missing_ok=True)
    return 0


def delete_everything(scene: Scene) -> int | None:
    """Deletes the whole directory."""
    away = scene.store.with_name("away")
    scene.store.rename(away)
    shutil.rmtree(away)
    return 0


def replace_store(scene: Scene) -> int | None:
    """Replaces the directory by another store."""
    # A copy into the directory itself could truncate an index that a reader has just created and mapped.
    new = scene.store.with_name("new")
    shutil.copytree(scene.other, new)
    scene.store.rename(scene.store.with_name("old"))
    new.rename(scene.store)
    return scene.other_version


def restore_backup(scene: Scene) -> int | None:
    """Restores an earlier copy of the database."""
    new = scene.store / "restored"
    shutil.copy(scene.backup, new)
    new.chmod(0o600)
    for name in ("default.db-wal", "default.db-shm"):
        (scene.store / name).unlink(missing_ok=True)
    new.replace(scene.store / "default.db")
    return scene.backed_up


def move_to_container(scene: Scene) -> int | None:
    """Moves the writer to another container, without the readers' shared memory."""
    new_ipc = 0x08000000

    def enter() -> None:
        if ctypes.CDLL(None, use_errno=True).unshare(new_ipc) != 0:
            print("SKIPPED: namespaces are not permitted here", flush=True)

    scene.writer.send_command("stop", 0, {})
    scene.writer = scene.worker_pool.start("c", scene.credential.configuration, prepare=enter)
    scene.worker_pool.wait_until_ready()
    # No event: no result may be stale at any time. The first commit waits two seconds.
    scene.grace = 0
    scene.seconds = 4.0
    return None


EVENTS: list[Callable[[Scene], int | None]] = [
    truncate_counter, delete_counter, delete_database, delete_everything, replace_store, restore_backup,
    move_to_container,
]  # fmt: skip


class Promise(Answer):
    """A token with a known number and an unknown text."""

    def __init__(self, moment: int, version: int) -> None:
        super().__init__(moment, moment, "fetched", "")
        self._version = version

    @property
    def version(self) -> int:
        """The number of the token."""
        return self._version


def prepare(provider: Provider, worker_pool: WorkerPool, place: Path) -> Scene:
    """Signs in to a store, keeps a copy of it, signs in to another one, and starts all programs."""
    with ThreadPoolExecutor(2) as pool:
        other, credential = pool.map(
            lambda name: sign_in(provider, place / name, "entra", PERSON), ("other", "store")
        )
    backup = place / "backup"
    # In another process: the locks of this SQLite and Tessera's must not meet in one.
    code = "import sqlite3,sys;sqlite3.connect(sys.argv[1]).backup(sqlite3.connect(sys.argv[2]))"
    command = [sys.executable, "-c", code, str(place / "store/default.db"), str(backup)]
    subprocess.run(command, check=True, timeout=600)
    readers = [worker_pool.start(kind, credential.configuration) for kind in KINDS]
    writer = worker_pool.start("c", credential.configuration)
    worker_pool.wait_until_ready()
    return Scene(
        worker_pool, credential, place / "store", backup, credential.newest, place / "other", other.newest,
        writer, readers,
    )  # fmt: skip


def pump(scene: Scene, seconds: float) -> None:
    """Lets the writer write and the readers read for a while; counts and replaces dead workers."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for worker in [worker for worker in scene.worker_pool.workers if worker.has_ended]:
            scene.worker_pool.remove(worker)
            scene.crashes.append(f"{worker.kind} ended with {worker.process.returncode}")
            successor = scene.worker_pool.start(worker.kind, scene.credential.configuration)
            if worker is scene.writer:
                scene.writer = successor
            else:
                scene.readers.append(successor)
        for reader in scene.readers:
            if reader.open_commands == 0 and not reader.has_ended:
                reader.send_command("read", 0, scene.credential.request())
        if scene.writer.open_commands == 0:
            scene.writer.send_command("ask", 1, scene.credential.request(**FRESH))
        scene.worker_pool.listen(0.01)
        scene.commits += [answer for answer in scene.writer.take() if answer.kind == "fetched"]


def judge(scene: Scene, answer: Answer, restored: int | None) -> str:
    """Returns the error of a reader's result, or "".

    `restored` is the number of the token that the event restored: 0 for none, None if nothing was replaced.
    """
    last = answer.end
    # A single read that began before the event may have ended after it.
    if last < scene.ended + scene.grace and scene.began <= max(answer.start, last):
        return ""
    is_after = last >= scene.ended + scene.grace
    # Commits before the files were replaced were lost with them.
    since = scene.ended if is_after and restored is not None else 0
    known = [each.version for each in scene.commits if each.start >= since and each.end < last]
    lowest = max(known, default=0)
    if answer.kind != "cached":
        return f"{answer.kind} {answer.text[:100]}" if lowest or restored != 0 else ""
    if answer.version < lowest:
        return f"token {answer.version}, although {lowest} was committed"
    gone = {each.version for each in scene.commits if each.end < scene.began} - {restored}
    if is_after and restored is not None and answer.version in gone:
        return f"token {answer.version}, which is not in the store any more"
    return ""


def run(setting: Setting, event: Callable[[Scene], int | None], number: int) -> Scene:
    """Runs one event while readers of all languages read and a writer writes."""
    place = setting.home / f"accident{number}"
    with Provider("--interval", "1", "--no-rotation") as provider, WorkerPool(setting.home) as worker_pool:
        scene = prepare(provider, worker_pool, place)
        pump(scene, 0.5)
        scene.began = time.monotonic_ns()
        restored = event(scene)
        scene.ended = time.monotonic_ns()
        pump(scene, scene.seconds)
        try:
            again = sign_in(provider, scene.store, "entra", PERSON)
            moment, version = again.known[0]
            scene.commits.append(Promise(moment, version))
        except tessera_identity.TesseraError as error:
            scene.problems.append(f"sign-in: {error.code} {error}")
        pump(scene, 0.5)
        for worker in worker_pool.workers:
            worker.send_command("stop", 0, {})
        worker_pool.wait_until_done()
        scene.commits += [answer for answer in scene.writer.take() if answer.kind == "fetched"]
        for reader in scene.readers:
            wrong = [judge(scene, answer, restored) for answer in reader.take()]
            scene.problems += [f"{reader.kind}: {text}" for text in wrong if text]
    shutil.rmtree(place, ignore_errors=True)
    for text in scene.problems + scene.crashes:
        print(f"WRONG {event.__name__}: {text}", flush=True)
    return scene
