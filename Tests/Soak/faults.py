# SPDX-License-Identifier: MIT
"""Full disks, limits and failing writes: tokens are returned nevertheless, and nothing is lost."""

from __future__ import annotations

import os
import random
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from credentials import FRESH, Credential, sign_in
from disks import small_disk
from figures import Figures
from setting import Outcome, Setting, table
from unwritable import soak_unwritable
from workers import KINDS, Worker, WorkerPool

from provider import Provider

PRELOADED = [Path("/usr/lib/fiu") / name for name in ("fiu_run_preload.so", "fiu_posix_preload.so")]
POINTS = ("posix/io/rw/pwrite", "posix/io/sync/fsync", "posix/io/sync/fdatasync")
CALLS = 12
"""The number of calls of one writer in one run."""


@contextmanager
def full_disk(store: Path, rng: random.Random) -> Iterator[None]:
    """ENOSPC: a file system of 2 MB with little free space."""
    filler = store / "filler"
    free = os.statvfs(store).f_bavail * os.statvfs(store).f_frsize
    with filler.open("wb") as file:
        file.write(bytes(max(free - rng.choice((0, 4096, 16384, 65536, 150_000)), 0)))
    try:
        yield
    finally:
        filler.unlink()


def limit_of(store: Path, rng: random.Random) -> Callable[[], None]:
    """EFBIG: files may not grow beyond the present size of the log, or a little more."""
    log = store / "default.db-wal"
    size = (log.stat().st_size if log.exists() else 0) + rng.randrange(0, 60_000)

    def prepare() -> None:
        # The signal would kill a program that does not ignore it, which soak-kill tests already.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return prepare


def failing_writes(rng: random.Random) -> dict[str, str]:
    """EIO: writes and syncs that fail now and then (libfiu)."""
    probability = rng.choice((0.01, 0.05, 0.2))
    commands = [
        f"enable_random name={point},probability={probability},failinfo=5" for point in POINTS
    ]
    return {
        "LD_PRELOAD": ":".join(map(str, PRELOADED)),
        "FIU_ENABLE": "\n".join(commands),
    }


def write(
    worker_pool: WorkerPool, credential: Credential, figures: Figures, rng: random.Random,
    environment: dict[str, str] | None = None, prepare: Callable[[], None] | None = None,
) -> list[Worker]:  # fmt: skip
    """Runs a writer of each language under a fault, and kills one of them now and then."""
    figures.runs += 1
    writers = [
        worker_pool.start(kind, credential.configuration, environment=environment, prepare=prepare)
        for kind in KINDS
    ]
    for writer in writers:
        writer.send_command("ask", CALLS, credential.request(**FRESH))
    if rng.random() < 0.3:
        worker_pool.wait_until_ready(*writers)
        end = time.monotonic() + rng.uniform(0, 0.1)
        while time.monotonic() < end:
            worker_pool.listen(end - time.monotonic())
        victim = writers.pop(rng.randrange(len(writers)))
        worker_pool.remove(victim)
        figures.kills += 1
        figures.read_output(victim, credential)
    worker_pool.wait_until_done(*writers)
    for writer in writers:
        figures.read_output(writer, credential)
        if writer.has_ended:
            figures.deaths.append(f"{writer.kind} ended with {writer.process.wait()}")
            print(f"CRASH {figures.deaths[-1]}", flush=True)
    return writers


def settle(
    worker_pool: WorkerPool, writers: list[Worker], credential: Credential, figures: Figures, fault_is_over: bool
) -> None:
    """Checks the store; without the fault, the same programs write again and it is persisted."""
    figures.check(credential)
    for writer in writers:
        if fault_is_over and not writer.has_ended:
            writer.send_command("ask", 1, credential.request(**FRESH))
            worker_pool.wait_until_done(writer)
            for answer in writer.take():
                figures.kept_later += answer.kind in ("fetched", "cached")
                credential.note(answer)
                if answer.kind not in ("fetched", "cached"):
                    figures.lose(f"after the fault: {answer.kind} {answer.text[:200]}")
        worker_pool.remove(writer)
    figures.check(credential)


def soak_full_disk(
    setting: Setting, provider: Provider, worker_pool: WorkerPool, rng: random.Random
) -> Figures:
    """Runs with a full file system, which only root can create."""
    figures = Figures()
    with small_disk(setting.home / "small", worker_pool) as place:
        credential = sign_in(provider, place / "store", "entra", "alice@contoso.com")
        for _ in range(setting.runs):
            with full_disk(place / "store", rng):
                writers = write(worker_pool, credential, figures, rng)
                figures.check(credential)
            settle(worker_pool, writers, credential, figures, fault_is_over=True)
    refuse_nothing(figures)
    return figures


def soak_limit(setting: Setting, provider: Provider, worker_pool: WorkerPool, rng: random.Random) -> Figures:
    """Runs with a limit on the size of files."""
    figures = Figures()
    store = setting.home / "limited"
    credential = sign_in(provider, store, "entra", "alice@contoso.com")
    for _ in range(setting.runs):
        writers = write(worker_pool, credential, figures, rng, prepare=limit_of(store, rng))
        settle(worker_pool, writers, credential, figures, fault_is_over=False)
    refuse_nothing(figures)
    return figures


def refuse_nothing(figures: Figures) -> None:
    """Fails for a rejected call: on a full disk, a token is returned nevertheless."""
    for code, count in figures.refused.items():
        figures.lose(f"{count} calls were refused: {code}")


def soak_failing(setting: Setting, provider: Provider, worker_pool: WorkerPool, rng: random.Random) -> Figures:
    """Runs with failing writes and syncs."""
    figures = Figures()
    if not all(path.exists() for path in PRELOADED):
        raise FileNotFoundError("libfiu is not installed (fiu-utils)")
    credential = sign_in(provider, setting.home / "failing", "entra", "alice@contoso.com")
    for _ in range(setting.runs):
        writers = write(worker_pool, credential, figures, rng, environment=failing_writes(rng))
        settle(worker_pool, writers, credential, figures, fault_is_over=False)
    return figures


FAULTS = {
    "full and read-only, new programs": soak_unwritable,
    "ENOSPC, a full tmpfs": soak_full_disk,
    "EFBIG, RLIMIT_FSIZE": soak_limit,
    "EIO, libfiu": soak_failing,
}


def soak(setting: Setting) -> Outcome:
    """Runs all faults, one after the other."""
    rng = random.Random(setting.seed)
    rows: dict[str, object] = {}
    done: list[Figures] = []
    skipped = 0
    with Provider("--interval", "1", "--no-rotation") as provider, WorkerPool(setting.home) as worker_pool:
        for name, run in FAULTS.items():
            try:
                figures = run(setting, provider, worker_pool, rng)
            except (PermissionError, FileNotFoundError) as reason:
                rows[name] = f"skipped: {reason}"
                skipped += 1
                continue
            rows[name] = figures
            done.append(figures)
            setting.say(f"{name}: {figures}")
    table(rows)
    lost = sum(len(figures.lost) for figures in done)
    crashes = sum(len(figures.deaths) for figures in done)
    return Outcome(
        lost == crashes == 0,
        f"{sum(figures.calls for figures in done)} calls, "
        f"{sum(figures.faults for figures in done)} met a fault, "
        f"{sum(figures.unkept for figures in done)} tokens with persisted false, {lost} lost, "
        f"{crashes} crashes, {skipped} kinds of fault skipped",
    )
