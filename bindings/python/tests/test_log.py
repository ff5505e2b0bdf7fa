# SPDX-License-Identifier: MIT
"""The log: lines arrive on the calling thread, and exceptions propagate from the call."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from typing import Any

import pytest

from fake import CREATE, SILENT, TOKEN, Fake
from tessera_identity import PublicClientApplication


def test_lines_arrive_in_the_calling_thread(fake: Fake) -> None:
    lines: list[tuple[int, str, int]] = []
    fake.set_log_line("Zeile … ü")
    fake.set_response(SILENT, TOKEN)
    application = PublicClientApplication(
        "client", log=lambda level, text: lines.append((level, text, threading.get_ident()))
    )
    application.get_accounts()
    for _ in range(2):
        application.acquire_token_silent(["s"], account="a")
    assert lines == [(3, "Zeile … ü", threading.get_ident())] * 4


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_exception_comes_out_of_the_call(fake: Fake, error: type[BaseException]) -> None:
    calls = 0

    def log(_level: int, _message: str) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise error

    fake.set_response(SILENT, TOKEN)
    application = PublicClientApplication("client", log=log)
    result = application.acquire_token_silent(["s"], account="a")
    fake.set_log_line("line")
    for _ in range(2):
        assert application.acquire_token_silent(["s"], account="a") is result
    with pytest.raises(error):
        application.acquire_token_silent(["s"], account="a")
    assert application.acquire_token_silent(["s"], account="a") is result


def test_exception_while_the_application_is_made(fake: Fake) -> None:
    def log(_level: int, message: str) -> None:
        raise ValueError(message)

    fake.set_log_line("line")
    with pytest.raises(ValueError, match="line"):
        PublicClientApplication("client", log=log)


def test_lines_go_to_the_logger_of_the_package_by_default(
    fake: Fake, caplog: pytest.LogCaptureFixture
) -> None:
    fake.set_log_line("100 % done")
    with caplog.at_level(logging.INFO, "tessera_identity"):
        application = PublicClientApplication("client")
    assert fake.request(CREATE)["log_level"] == 4
    assert caplog.record_tuples == [("tessera_identity", logging.INFO, "100 % done")]
    caplog.clear()
    with caplog.at_level(logging.WARNING, "tessera_identity"):
        application.get_accounts()
    assert caplog.records == []


def test_log_may_be_a_logger(fake: Fake, caplog: pytest.LogCaptureFixture) -> None:
    fake.set_log_line("line")
    logger = logging.getLogger("my.program")
    adapter = logging.LoggerAdapter(logger, {})
    for log in (logger, adapter):
        with caplog.at_level(logging.DEBUG):
            PublicClientApplication("client", log=log, log_level=3)
    assert fake.request(CREATE)["log_level"] == 3
    assert caplog.record_tuples == [("my.program", logging.INFO, "line")] * 2


def test_log_function_has_the_level_of_the_library_by_default(fake: Fake) -> None:
    PublicClientApplication("client", log=lambda _level, _message: None)
    assert "log_level" not in fake.request(CREATE)


@pytest.mark.usefixtures("fake")
def test_other_values_are_no_log() -> None:
    log: Any = "tessera.log"
    with pytest.raises(TypeError, match="or a logging"):
        PublicClientApplication("client", log=log)


PROGRAM = """
import sys
if "imported" in sys.argv:
    import logging
from tessera_identity._calls import log_callback
log_callback(None)(None, 1, b"line")
print("logging" in sys.modules)
"""


@pytest.mark.parametrize("options", [("imported",), ()])
def test_nothing_is_written_without_configured_logging(options: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *options],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.stdout, done.stderr) == (f"{bool(options)}\n", "")
