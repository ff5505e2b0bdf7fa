# SPDX-License-Identifier: MIT
"""Full disks and read-only stores: new programs of every language get their tokens."""

from __future__ import annotations

import os
import random
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from credentials import FRESH, Credential, sign_in
from disks import can_start, drop_privileges, fill_disk, no_rights, read_only, small_disk
from figures import Figures
from setting import Setting
from workers import KINDS, Answer, Worker, WorkerPool

from provider import Provider

PERSON = "alice@contoso.com"
NO_ROOM, NO_RIGHTS = "Free disk space", "Correct its permissions"
LOG, INDEX = "default.db-wal", "default.db-shm"


@dataclass
class Scene:
    """A store on a small disk, and its programs."""

    provider: Provider
    worker_pool: WorkerPool
    home: Path
    disk: Path
    credential: Credential
    figures: Figures

    @property
    def store(self) -> Path:
        """The store directory."""
        return self.disk / "store"

    def ask(self, worker: Worker, **members: object) -> Answer:
        """Makes one call and reads the result."""
        worker.send_command("ask", 1, self.credential.request(**members))
        return self.answer(worker)

    def answer(self, worker: Worker) -> Answer:
        """Reads the result of a call."""
        self.worker_pool.wait_until_done(worker)
        answers = self.figures.read_output(worker, self.credential)
        if not answers:
            self.figures.deaths.append(f"{worker.kind} ended with {worker.process.wait()}")
            return Answer(0, 0, "died", "")
        return answers[-1]

    def expect(self, what: str, answer: Answer, *kinds: str, words: str = "") -> None:
        """Counts an error unless a call had the expected result."""
        is_warned = answer.kind != "unkept" or words in answer.text
        if answer.kind not in kinds or not is_warned:
            text = answer.text.split(" ", 1)[-1][:200]
            self.figures.lose(f"{what}: {answer.kind} {text}")


@dataclass(frozen=True)
class Case:
    """A reason for which a store cannot be written."""

    name: str
    make: Callable[[Scene], AbstractContextManager[None]]
    advice: str
    """The remedy in the warning."""
    missing: tuple[str, ...] = ()
    """Missing files; a database is complete without its log."""
    prepare: Callable[[], None] | None = None
    """Runs in each new process before its program."""

    def run(self, scene: Scene) -> None:
        """Runs new programs that read and refresh while the store cannot be written."""
        scene.figures.runs += 1
        if LOG in self.missing:
            # The last program that closes a store writes the log back.
            scene.figures.check(scene.credential)
        for name in self.missing:
            (scene.store / name).unlink(missing_ok=True)
        with self.make(scene):
            for kind in KINDS:
                if self.prepare is None or can_start(KINDS[kind], self.prepare):
                    self.use(scene, kind)
                else:
                    print(f"{kind}, {self.name}: skipped, another user cannot start it", flush=True)
        writer = scene.worker_pool.start("c", scene.credential.configuration)
        scene.expect(f"after {self.name}", scene.ask(writer, **FRESH), "fetched")
        scene.figures.kept_later += 1
        scene.worker_pool.remove(writer)

    def use(self, scene: Scene, kind: str) -> None:
        """Lets a new program read the existing token, refresh it, and read the new one."""
        what = f"{kind}, {self.name}"
        known = scene.credential.newest
        program = scene.worker_pool.start(kind, scene.credential.configuration, prepare=self.prepare)
        first = scene.ask(program)
        scene.expect(what, first, "cached")
        fresh = scene.ask(program, **FRESH)
        # The reserved space of the log may be sufficient.
        kinds = ("unkept", "fetched") if self.advice == NO_ROOM else ("unkept",)
        scene.expect(what, fresh, *kinds, words=self.advice)
        again = scene.ask(program)
        kind_again = "unkept" if fresh.kind == "unkept" else "cached"
        scene.expect(what, again, kind_again, words=self.advice)
        if not {first.kind, fresh.kind, again.kind} & {"refused", "died"}:
            versions = [known, first.version, fresh.version, again.version]
            if versions != sorted(versions) or first.version == fresh.version:
                scene.figures.lose(f"{what}: tokens {versions}")
        scene.worker_pool.remove(program)


def full(scene: Scene) -> AbstractContextManager[None]:
    """A full disk."""
    return fill_disk(scene.disk)


def mounted(scene: Scene) -> AbstractContextManager[None]:
    """A disk mounted read-only."""
    return read_only(scene.disk)


def forbidden(scene: Scene) -> AbstractContextManager[None]:
    """Files and a directory without write permission."""
    return no_rights(scene.home, scene.store)


CASES = (
    Case("a full disk", full, NO_ROOM),
    Case("a full disk, no index", full, NO_ROOM, (INDEX,)),
    Case("a full disk, no log", full, NO_ROOM, (LOG, INDEX)),
    Case("a read-only disk", mounted, NO_RIGHTS),
    Case("a read-only disk, no index", mounted, NO_RIGHTS, (INDEX,)),
    Case("a read-only disk, no log", mounted, NO_RIGHTS, (LOG, INDEX)),
    Case("no rights", forbidden, NO_RIGHTS, (), drop_privileges),
    Case("no rights, no index", forbidden, NO_RIGHTS, (INDEX,), drop_privileges),
    Case("no rights, no log", forbidden, NO_RIGHTS, (LOG, INDEX), drop_privileges),
)


def filled(scene: Scene, _program: Worker) -> AbstractContextManager[None]:
    """A full disk."""
    return fill_disk(scene.disk)


@contextmanager
def limited(_scene: Scene, program: Worker) -> Iterator[None]:
    """All writes of the program fail, despite its reserved space."""
    pid, limit = program.process.pid, resource.RLIMIT_FSIZE
    soft, hard = resource.prlimit(pid, limit)
    resource.prlimit(pid, limit, (0, hard))
    try:
        yield
    finally:
        resource.prlimit(pid, limit, (soft, hard))


LATE = (
    ("a disk that fills before the commit", filled, "fetched"),
    ("writes that fail before the commit", limited, "unkept"),
)
"""Events after the request and its response: a disk that was checked before is full."""


def fail_late(
    scene: Scene, fault: Callable[[Scene, Worker], AbstractContextManager[None]], *, kind: str,
    name: str, expected: str,
) -> None:  # fmt: skip
    """A fault between the check of the free space and the commit; refresh tokens are rotated."""
    what = f"{kind}, {name}"
    scene.figures.runs += 1
    program = scene.worker_pool.start(kind, scene.credential.configuration)
    scene.expect(what, scene.ask(program, **FRESH), "fetched")
    with ExitStack() as faults:
        with scene.provider.held():
            program.send_command("ask", 1, scene.credential.request(**FRESH))
            scene.worker_pool.wait(
                lambda: is_asked(scene.provider) or not program.open_commands, f"{what}: its request"
            )
            if program.answers:
                scene.figures.lose(f"{what}: {program.answers[-1].kind} without a request")
            faults.enter_context(fault(scene, program))
        answer = scene.answer(program)
        scene.expect(what, answer, expected, words=NO_ROOM)
    later = scene.ask(program)
    scene.expect(f"{what}, afterwards", later, "cached")
    if later.kind == "cached" and later.text != answer.text.split(" ")[0]:
        scene.figures.lose(f"{what}: another token is kept than came")
    scene.worker_pool.remove(program)
    # Only the latest refresh token is valid: another program must find it.
    other = scene.worker_pool.start(kind, scene.credential.configuration)
    scene.expect(f"{what}, in another program", scene.ask(other), "cached")
    scene.expect(f"{what}, in another program", scene.ask(other, **FRESH), "fetched")
    scene.figures.kept_later += 1
    scene.worker_pool.remove(other)


def is_asked(provider: Provider) -> bool:
    """Whether a client has connected to a provider (/proc/net/tcp)."""
    port = urlsplit(provider.entra_authority).port or 0
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any(row[2].endswith(f":{port:04X}") and row[3] == "01" for row in rows)


def soak_unwritable(
    setting: Setting, _provider: Provider, _crew: WorkerPool, _dice: random.Random
) -> Figures:
    """Runs all cases once, and more often in the long form; only root can create such disks."""
    figures = Figures()
    home = setting.home / "unwritable"
    setting.home.chmod(0o711)
    before = os.environ["HOME"]
    os.environ["HOME"] = str(home)
    try:
        for _ in range(3 if setting.is_long else 1):
            with Provider("--interval", "1", "--no-rotation") as provider, WorkerPool(home) as worker_pool:
                soak_cases(provider, worker_pool, home, figures)
            with Provider("--interval", "1") as provider, WorkerPool(home) as worker_pool:
                with small_disk(home / "late", worker_pool) as disk:
                    credential = sign_in(provider, disk / "store", "entra", PERSON)
                    scene = Scene(provider, worker_pool, home, disk, credential, figures)
                    for kind in KINDS:
                        for name, fault, expected in LATE:
                            fail_late(scene, fault, kind=kind, name=name, expected=expected)
                reuses = provider.counts()["refresh_token_reuses"]
                if reuses:
                    figures.lose(f"{reuses} refresh tokens came back that were spent")
            shutil.rmtree(home)
    finally:
        os.environ["HOME"] = before
    return figures


def soak_cases(provider: Provider, worker_pool: WorkerPool, home: Path, figures: Figures) -> None:
    """Runs new programs with stores that cannot be written."""
    with small_disk(home / "disk", worker_pool) as disk:
        credential = sign_in(provider, disk / "store", "entra", PERSON)
        scene = Scene(provider, worker_pool, home, disk, credential, figures)
        for case in CASES:
            case.run(scene)
