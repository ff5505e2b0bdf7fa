# SPDX-License-Identifier: MIT
"""Sixteen programs on one file, half of them with MSAL Python; ours are killed, and no token is lost."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Soak")]

from workers import KINDS, Worker, WorkerPool  # noqa: E402

from examples import expect  # noqa: E402
from provider import Provider  # noqa: E402

CLIENT = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"
PEOPLE = ("alice@contoso.com", "bob@contoso.com", "carol@fabrikam.com", "dave@outlook.example")
PEER_PROGRAM = [sys.executable, str(Path(__file__).parent / "peer_program.py")]


@dataclass
class Ours:
    """A program with Tessera that stores one token after the other, and is restarted when it was killed."""

    kind: str
    name: str
    home: str
    worker: Worker | None = None
    number: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """The number of failed calls by error code."""
    stored: dict[str, str] = field(default_factory=dict)
    """The tokens that calls returned as stored, by scope."""

    @property
    def scope(self) -> str:
        """Returns the scope of the next token."""
        return f"{self.name}.{self.number}"

    def ask(self) -> None:
        """Requests the next token."""
        assert self.worker is not None
        request = {"home_account_id": self.home, "scopes": [self.scope], "force_refresh": True}
        self.worker.send_command("ask", 1, request)

    def read_output(self, most: int) -> None:
        """Records the stored token, and requests more."""
        assert self.worker is not None
        for answer in self.worker.take():
            if answer.kind == "fetched":
                self.stored[self.scope] = answer.text.split()[0]
                self.number += 1
            else:
                # A call that timed out on a lock is repeated; nothing was acknowledged.
                printed = f"{self.name}: {answer.kind} {answer.text[:200]}"
                code = answer.text.split(" ")[0] if answer.kind == "refused" else answer.kind
                self.refused[code] += 1
                expect(code in ("store_busy", "unkept"), printed)
                expect(sum(self.refused.values()) < 50 + most, printed)
            if self.number < most:
                self.ask()


class Crowd:
    """Programs of both libraries on one file."""

    def __init__(self, folder: Path, seed: int, *, most: int, ours: int, peers: int) -> None:
        self.file = folder / "msal_token_cache.json"
        self.rng = random.Random(seed)
        self.most = most
        self.kills = 0
        self.refused: Counter[str] = Counter()
        self.refused_peers: Counter[str] = Counter()
        self.torn = 0
        self.parsed = 0
        self._folder = folder
        self._peers = peers
        self._ours = ours
        self._is_over = threading.Event()

    def configuration(self, provider: Provider) -> dict[str, Any]:
        """Returns the configuration of our programs."""
        return {
            "client_id": CLIENT, "authority": provider.entra_authority, "authority_type": "entra",
            "store": "msal_file", "msal_cache": str(self.file),
        }  # fmt: skip

    def run(self, kills: int) -> None:
        """Runs the writers, kills ours now and then, and checks the stored tokens."""
        with (
            Provider("--interval", "1", "--no-rotation") as provider,
            WorkerPool(self._folder / "home") as worker_pool,
        ):
            homes = [sign_in(self.configuration(provider), provider, person) for person in PEOPLE]
            kinds = list(KINDS)
            programs = [
                Ours(kinds[n % len(kinds)], f"ours{n}", homes[n % len(homes)])
                for n in range(self._ours)
            ]
            reader = self._reader(worker_pool, provider, homes[0])
            peers = self._start_peers()
            poll = threading.Thread(target=self._poll)
            poll.start()
            try:
                self._work(worker_pool, provider, programs, kills)
                for process in peers:
                    self._read_output(process)
            finally:
                self._is_over.set()
                poll.join()
                for process in peers:
                    process.kill()
                    process.wait()
            self._read(worker_pool, reader)
            last = Ours("c", "last", homes[0])
            self._begin(worker_pool, provider, last)
            worker_pool.wait(lambda: bool(last.worker and last.worker.answers), "the last write")
            last.read_output(0)
            self.refused = sum((program.refused for program in programs), Counter())
            self._check([*programs, last], peers)

    def _begin(self, worker_pool: WorkerPool, provider: Provider, program: Ours) -> None:
        program.worker = worker_pool.start(program.kind, self.configuration(provider))
        program.ask()

    def _reader(self, worker_pool: WorkerPool, provider: Provider, home: str) -> Worker:
        """Starts a program of ours that reads its token in a loop."""
        reader = worker_pool.start("c", self.configuration(provider))
        worker_pool.wait_until_ready(reader)
        reader.send_command("read", 0, {"home_account_id": home, "scopes": ["User.Read"]})
        return reader

    def _read(self, worker_pool: WorkerPool, reader: Worker) -> None:
        reader.send_command("stop", 0, {})
        worker_pool.wait_until_done(reader)
        wrong = [answer for answer in reader.take() if answer.kind != "cached"]
        expect(not wrong, f"a reader saw {[(each.kind, each.text[:120]) for each in wrong[:3]]}")

    def _start_peers(self) -> list[subprocess.Popen[bytes]]:
        started = []
        for number in range(self._peers):
            command = [*PEER_PROGRAM, "write", str(self.file), f"peer{number}", str(self.most)]
            started.append(subprocess.Popen(command, stdout=subprocess.PIPE))
        return started

    def _read_output(self, process: subprocess.Popen[bytes]) -> None:
        """Waits for the end of a program with MSAL Python, and counts its lock failures."""
        lines = process.communicate(timeout=600 + 30 * self.most)[0].decode().splitlines()
        expect(process.returncode == 0, "a program with MSAL Python failed")
        self.refused_peers.update(line.split()[1] for line in lines if line.startswith("refused"))

    def _work(self, worker_pool: WorkerPool, provider: Provider, programs: list[Ours], kills: int) -> None:
        """Runs until all of our programs have stored enough tokens."""
        for program in programs:
            self._begin(worker_pool, provider, program)
        moments = sorted(self.rng.randrange(self.most * len(programs)) for _ in range(kills))
        # The peers try the lock ten times a second, and any of them may be the last to get it.
        end = time.monotonic() + 600 + 30 * self.most
        while any(program.number < self.most for program in programs):
            expect(time.monotonic() < end, "they do not come to an end")
            worker_pool.listen(0.2)
            for program in programs:
                program.read_output(self.most)
            while moments and sum(program.number for program in programs) >= moments[0]:
                moments.pop(0)
                self._kill(worker_pool, provider, self.rng.choice(programs))

    def _kill(self, worker_pool: WorkerPool, provider: Provider, program: Ours) -> None:
        """Kills a program at any point, and restarts it."""
        assert program.worker is not None
        if program.number >= self.most:
            return
        time.sleep(self.rng.random() * 0.02)
        worker_pool.remove(program.worker)
        # Its output before the end counts.
        for answer in program.worker.take():
            if answer.kind == "fetched":
                program.stored[program.scope] = answer.text.split()[0]
                program.number += 1
        self.kills += 1
        self._begin(worker_pool, provider, program)

    def _poll(self) -> None:
        """Parses the file repeatedly."""
        while not self._is_over.is_set():
            try:
                self.parsed += 1
                json.loads(self.file.read_bytes())
            except ValueError:
                self.torn += 1

    def _check(self, programs: list[Ours], peers: list[subprocess.Popen[bytes]]) -> None:
        """Checks that all stored tokens exist, and that no lock of ours is left."""
        tokens = json.loads(self.file.read_bytes())["AccessToken"].values()
        there = {word: token["secret"] for token in tokens for word in token["target"].split()}
        lost = [
            scope for program in programs for scope, secret in program.stored.items()
            if there.get(scope) != secret
        ]  # fmt: skip
        names = [f"peer{number}.{n}" for number in range(len(peers)) for n in range(self.most)]
        lost += [name for name in names if name not in there]
        expect(not lost, f"{len(lost)} updates are lost: {lost[:5]}")
        left = [each.name for each in self.file.parent.glob(f"{self.file.name}?*")]
        expect(not left, f"there are left {left}")


def sign_in(configuration: dict[str, Any], provider: Provider, person: str) -> str:
    """Signs a user in and returns the home account ID."""
    import tessera_identity

    members = dict(configuration)
    with tessera_identity.PublicClientApplication(members.pop("client_id"), **members) as application:
        result = application.acquire_token_by_device_code(
            ["User.Read"], timeout=60, prompt=provider.approves(person)
        )
    return result.account.home_account_id


def size() -> tuple[int, int]:
    """Returns the numbers of writes of each program and of kills, in the short or the long form."""
    is_long = os.environ.get("LONG", "0") not in ("", "0")
    return (200, 160) if is_long else (20, 24)


def seed() -> int:
    """Returns the seed of the environment, or a random one."""
    return int(os.environ.get("SEED") or random.SystemRandom().randrange(1_000_000))


def ours_alone(folder: Path) -> str:
    """Only our programs: a reader without a lock always sees a complete file."""
    most, kills = size()
    number = seed()
    crowd = Crowd(folder, number, most=most, ours=8, peers=0)
    crowd.run(kills)
    expect(
        crowd.torn == 0, f"{crowd.torn} of {crowd.parsed} reads found a torn file (SEED={number})"
    )
    return f"8 x {most} writes, {crowd.kills} kills, {crowd.parsed} whole files, SEED={number}"


def with_peers(folder: Path) -> str:
    """Programs of both libraries: no stored token is lost."""
    most, kills = size()
    number = seed()
    crowd = Crowd(folder, number, most=most, ours=8, peers=8)
    crowd.run(kills)
    refused = f"refused: {dict(crowd.refused)}, peers {dict(crowd.refused_peers)}"
    return f"16 x {most} writes, {crowd.kills} kills, {refused}, SEED={number}"


CROWDS = {
    "eight programs of ours, killed at any moment": ours_alone,
    "sixteen programs, half of them with MSAL Python, ours killed": with_peers,
}
