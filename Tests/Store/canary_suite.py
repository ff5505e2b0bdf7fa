# SPDX-License-Identifier: MIT
"""A pytest plugin that searches for secrets in the output and files of tests: a canary for the whole suite.

Every application logs at the most detailed level, and its tokens and codes are captured on the loopback
interface. After the tests, the plugin searches for them in the log, in the output of each test, in the
failures, and in every remaining file. If pytest-xdist distributes the tests to workers, each of them sends its
log and the location of its files to the main process, which searches.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tessera_identity
from hunt import Hunt, files
from tessera_identity._application import ApplicationBase
from wiretap import Wiretap

PLANTED = b"a canary that was planted to be found, " + os.environ.setdefault(
    "TESSERA_CANARY", os.urandom(16).hex()
).encode()
"""An additional searched value, to detect a search that finds nothing. Workers inherit it."""


class Canary:
    """The output and the files of the tests."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.texts: list[tuple[str, bytes]] = []
        self.folders: list[Path] = []
        self.tests = 0
        self.closing = ""
        self.hits: list[str] = []
        self.tap = Wiretap()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Receives the log and the location of the files of a worker. A crashed worker sends none."""
        output = getattr(node, "workeroutput", {})
        self.lines += output.get("canary_lines", [])
        self.folders += map(Path, output.get("canary_folders", []))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Records the output of a test, and its failure."""
        self.tests += report.when == "call"
        texts = [text for _, text in report.sections] + [report.longreprtext]
        self.texts += [(report.nodeid, text.encode()) for text in texts if text]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Searches everywhere; a finding fails the run."""
        with self.tap:
            secrets = {each.encode() for each in self.tap.all()}
        if not self.folders or not secrets:
            return
        began = time.monotonic()
        places = [place for folder in self.folders for place in files(folder)]
        hunt = Hunt()
        hunt.search("a token or a code", secrets, [("the log", "\n".join(self.lines).encode())])
        hunt.search("a token or a code", secrets, self.texts)
        hunt.search("a token or a code", secrets, places)
        hunt.control("the canary that was planted", {PLANTED}, places)
        self.hits = hunt.hits
        self.closing = (
            f"canary: {len(secrets)} tokens and codes of {self.tests} tests, {len(self.lines)} lines of "
            f"log; {hunt.places} places, {hunt.bytes >> 10} KiB; {len(hunt.hits)} found, "
            f"{time.monotonic() - began:.0f} s"
        )
        if hunt.hits or not self.lines:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @property
    def reason(self) -> str:
        """Returns the reason for which there was no search."""
        return "canary: no test had a token" if self.tap.is_allowed else "canary: skipped: needs CAP_NET_RAW"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Prints the findings."""
        for hit in self.hits:
            terminalreporter.write_line(f"FOUND {hit}", red=True)
        terminalreporter.write_line(self.closing or self.reason)


class WorkerCanary:
    """The log and the files of the tests of one worker."""

    def __init__(self, config: pytest.Config) -> None:
        self.lines: list[str] = []
        self.folders: list[Path] = []
        self.config = config

    def pytest_sessionfinish(self) -> None:
        """Sends the log and the location of the files to the main process."""
        output = getattr(self.config, "workeroutput")  # noqa: B009
        output["canary_lines"] = self.lines
        output["canary_folders"] = [str(folder) for folder in self.folders]


def log_everything(lines: list[str]) -> None:
    """Makes all applications log at the most detailed level; a test's own log gets its own level."""
    make = ApplicationBase.__init__

    @functools.wraps(make)
    def logging(made: Any, *given: Any, **settings: Any) -> None:
        # The requests of the fake library are the arguments of the test.
        if tessera_identity._native.library()._name != os.environ.get("TESSERA_LIBRARY"):
            return make(made, *given, **settings)
        seen = settings.get("log")

        def log(level: int, line: str) -> None:
            lines.append(f"{level} {line}")
            if seen is not None and level <= wanted:
                seen(level, line)

        wanted = settings.get("log_level") or 3
        return make(made, *given, **{**settings, "log": log, "log_level": 4})

    ApplicationBase.__init__ = logging  # type: ignore[assignment,method-assign]


def pytest_configure(config: pytest.Config) -> None:
    """Starts the capture, before any test checks its environment."""
    canary = WorkerCanary(config) if hasattr(config, "workerinput") else Canary()
    log_everything(canary.lines)
    config.pluginmanager.register(canary, "canary")


@pytest.fixture(scope="session", autouse=True)
def planted(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Plants a canary, and records the location of the tests' files."""
    canary = pytestconfig.pluginmanager.get_plugin("canary")
    assert isinstance(canary, (Canary, WorkerCanary))
    folder = tmp_path_factory.getbasetemp()
    canary.folders.append(folder)
    yield
    (folder / "planted").write_bytes(PLANTED)
