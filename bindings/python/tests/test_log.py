# SPDX-License-Identifier: MIT
"""The log: lines arrive on the calling thread, and exceptions propagate from the call."""

from __future__ import annotations

import threading

import pytest

from fake import SILENT, TOKEN, Fake
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
