# SPDX-License-Identifier: MIT
"""A pytest plugin that searches for secrets in the output and files of tests: a canary for the whole suite.

Every application logs at the most detailed level, and its tokens and codes are captured on the loopback
interface. After the tests, the plugin searches for them in the log, in the output of each test, in the
failures, and in every remaining file.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tessera_identity
from hunt import Hunt, files
from wiretap import Wiretap

PLANTED = b"a canary that was planted to be found, " + os.urandom(16).hex().encode()
"""An additional searched value, to detect a search that finds nothing."""


class Canary:
    """The output and the files of the tests."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.texts: list[tuple[str, bytes]] = []
        self.folder: Path | None = None
        self.tests = 0
        self.closing = ""
        self.hits: list[str] = []
        self.tap = Wiretap()

    def log_everything(self) -> None:
        """Makes all applications log at the most detailed level; a test's own log gets its own level."""
        make = tessera_identity.PublicClientApplication.__init__

        def logging(made: Any, client_id: str, **settings: Any) -> None:
            # The requests of the fake library are the arguments of the test.
            if tessera_identity._native.library()._name != os.environ.get("TESSERA_LIBRARY"):
                return make(made, client_id, **settings)
            seen = settings.get("log")

            def log(level: int, line: str) -> None:
                self.lines.append(f"{level} {line}")
                if seen is not None and level <= wanted:
                    seen(level, line)

            wanted = settings.get("log_level") or 3
            return make(made, client_id, **{**settings, "log": log, "log_level": 4})

        tessera_identity.PublicClientApplication.__init__ = logging  # type: ignore[assignment,method-assign]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Records the output of a test, and its failure."""
        self.tests += report.when == "call"
        texts = [text for _, text in report.sections] + [report.longreprtext]
        self.texts += [(report.nodeid, text.encode()) for text in texts if text]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Searches everywhere; a finding fails the run."""
        with self.tap:
            secrets = {each.encode() for each in self.tap.all()}
        if self.folder is None or not secrets:
            return
        began = time.monotonic()
        places = list(files(self.folder))
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


def pytest_configure(config: pytest.Config) -> None:
    """Starts the capture, before any test checks its environment."""
    canary = Canary()
    canary.log_everything()
    config.pluginmanager.register(canary, "canary")


@pytest.fixture(scope="session", autouse=True)
def planted(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Plants a canary, and records the location of the tests' files."""
    canary = pytestconfig.pluginmanager.get_plugin("canary")
    assert isinstance(canary, Canary)
    canary.folder = tmp_path_factory.getbasetemp()
    yield
    (canary.folder / "planted").write_bytes(PLANTED)
