# SPDX-License-Identifier: MIT
"""Sign-ins and refreshes that wait in memory for a full disk: written later, never over newer records."""

from __future__ import annotations

import multiprocessing
import random
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import tessera_identity
from credentials import SCOPES, application, sign_in
from setting import Setting
from workers import Trouble, version

from provider import Provider

PERSON = "alice@contoso.com"
TIMEOUT = 60
FREE = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
FULL = (0, resource.RLIM_INFINITY)


class Seen(NamedTuple):
    """The result of a program: the number of its token or 0, whether it is stored, its source or error code."""

    number: int
    persisted: bool
    word: str


def serve(pipe: Connection, configuration: dict[str, Any], provider: Provider) -> None:
    """Runs a program: it executes commands with one application object."""
    with application(configuration) as app:
        pipe.send(None)
        while (command := pipe.recv()) is not None:
            pipe.send(answer(app, provider, *command))


def answer(app: Any, provider: Provider, verb: str, account: str | None) -> Seen:
    """Executes one command."""
    try:
        if verb == "list":
            return Seen(len(app.get_accounts()), True, "listed")
        if verb == "sign_in":
            prompt = provider.approves(PERSON)
            result = app.acquire_token_by_device_code(SCOPES, timeout=60, prompt=prompt)
        else:
            result = app.acquire_token_silent(
                SCOPES, account=account, force_refresh=verb == "refresh"
            )
    except tessera_identity.TesseraError as error:
        return Seen(0, False, error.code)
    return Seen(version(result.access_token), result.persisted, result.source)


class Program:
    """Another process, whose disk can be full."""

    def __init__(self, configuration: dict[str, Any], provider: Provider) -> None:
        context = multiprocessing.get_context("fork")
        self._pipe, end = context.Pipe()
        self._process = context.Process(target=serve, args=(end, configuration, provider))
        self._process.start()
        end.close()
        self._read_output()

    def fill(self, limit: tuple[int, int]) -> None:
        """Allows no file to grow, or removes the limit."""
        assert self._process.pid is not None
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, limit)

    def do(self, verb: str, account: str | None = None) -> Seen:
        """Makes the program execute a command."""
        self._pipe.send((verb, account))
        return Seen(*self._read_output())

    def end(self) -> None:
        """Stops the program."""
        self._process.kill()
        self._process.join()

    def _read_output(self) -> Any:
        if not self._pipe.poll(TIMEOUT):
            raise Trouble("a program with a full disk hangs")
        return self._pipe.recv()


@dataclass
class Waiting:
    """The results of the scenarios."""

    scenarios: int = 0
    unkept: int = 0
    wrong: list[str] = field(default_factory=list)

    def expect(self, condition: bool, scenario: str, *seen: object) -> None:
        """Records an error unless a condition holds."""
        if not condition:
            self.wrong.append(f"{scenario}: {seen}")
            print(f"WRONG waiting, {self.wrong[-1]}", flush=True)

    def __str__(self) -> str:
        return (
            f"{self.scenarios} scenarios of changes that waited for a full disk ({self.unkept} "
            f"tokens with persisted false), {len(self.wrong)} wrong"
        )


@dataclass
class Scenario:
    """One scenario: a store, a program with a full disk, another one, and one that starts at the end."""

    name: str
    waiting: Waiting
    provider: Provider
    configuration: dict[str, Any]
    account: str
    programs: list[Program] = field(default_factory=list)

    def program(self) -> Program:
        """Starts a program."""
        self.programs.append(Program(self.configuration, self.provider))
        return self.programs[-1]

    def keep_waiting(self, program: Program, verb: str) -> Seen:
        """Makes a program get a token that it cannot store on its disk."""
        program.fill(FULL)
        early = program.do(verb, self.account)
        self.waiting.unkept += not early.persisted
        self.waiting.expect(early.number > 0 and not early.persisted, self.name, "early", early)
        return early

    def expect_newest(self, number: int, first: Program) -> None:
        """The disk has space again: all programs have one token, which a refresh replaces."""
        first.fill(FREE)
        programs = [first, *self.programs, self.program()]
        first.do("list")
        for program in programs:
            seen = program.do("token", self.account)
            self.waiting.expect(seen.number == number, self.name, number, seen)
        newest = programs[-1].do("refresh", self.account)
        self.waiting.expect(newest.persisted and newest.number > number, self.name, newest)
        for program in programs:
            seen = program.do("token", self.account)
            self.waiting.expect(seen.number == newest.number, self.name, newest, seen)


def before(stage: Scenario, waits: str, comes: str) -> None:
    """A token of one program waits, while another program stores a later one, which remains."""
    slow, quick = stage.program(), stage.program()
    stage.keep_waiting(slow, waits)
    late = quick.do(comes, stage.account)
    stage.waiting.expect(late.persisted, stage.name, "late", late)
    stage.expect_newest(late.number, slow)


def sign_in_before_another(stage: Scenario) -> None:
    """A waiting sign-in does not replace a later one."""
    before(stage, "sign_in", "sign_in")


def sign_in_alone(stage: Scenario) -> None:
    """A waiting sign-in is written when there is space."""
    slow = stage.program()
    early = stage.keep_waiting(slow, "sign_in")
    stage.expect_newest(early.number, slow)


def sign_in_before_refresh(stage: Scenario) -> None:
    """A waiting sign-in does not replace the token of another program's refresh."""
    before(stage, "sign_in", "refresh")


def refresh_before_sign_in(stage: Scenario) -> None:
    """A waiting refresh does not replace the token of a sign-in."""
    before(stage, "refresh", "sign_in")


def refresh_alone(stage: Scenario) -> None:
    """A waiting refresh is written when there is space: the old refresh token has been redeemed."""
    slow = stage.program()
    early = stage.keep_waiting(slow, "refresh")
    stage.expect_newest(early.number, slow)


SCENARIOS: tuple[Callable[[Scenario], None], ...] = (
    sign_in_before_another, sign_in_alone, sign_in_before_refresh, refresh_before_sign_in,
    refresh_alone,
)  # fmt: skip


@contextmanager
def prepared(setting: Setting, waiting: Waiting, provider: Provider, name: str) -> Iterator[Scenario]:
    """A store with a signed-in user; the programs are stopped at the end."""
    store: Path = setting.home / f"waiting-{waiting.scenarios}"
    authority = random.Random(setting.seed + waiting.scenarios).choice(("entra", "main"))
    first = sign_in(provider, store, authority, PERSON)
    stage = Scenario(
        f"{name}, {authority}", waiting, provider, first.configuration, first.home_account_id
    )
    try:
        yield stage
    finally:
        for program in stage.programs:
            program.end()


def soak_waiting(setting: Setting) -> Waiting:
    """Runs every scenario a few times."""
    waiting = Waiting()
    with Provider("--interval", "1") as provider:
        for scenario in SCENARIOS * (setting.runs // 10 + 1):
            with prepared(setting, waiting, provider, scenario.__name__) as stage:
                scenario(stage)
            waiting.scenarios += 1
        reuses = int(provider.counts()["refresh_token_reuses"])
    waiting.expect(reuses == 0, "all", f"{reuses} refresh tokens were used twice")
    setting.say(f"waiting: {waiting}")
    return waiting
