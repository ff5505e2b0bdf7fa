# SPDX-License-Identifier: MIT
"""The device code flow: the prompt, its exceptions, and its thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from fake import DEVICE_CODE, PROMPT, TOKEN, Fake
from tessera_identity import DeviceCodePrompt, InternalProblem, PublicClientApplication

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[[Callable[[], None]], None]


def in_main_thread(test: Callable[[], None]) -> None:
    test()


def in_other_thread(test: Callable[[], None]) -> None:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            test()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]


both = pytest.mark.parametrize("run", [in_main_thread, in_other_thread])


@both
def test_prompt_is_shown_on_the_calling_thread(
    fake: Fake, application: PublicClientApplication, run: Run
) -> None:
    fake.set_response(DEVICE_CODE, TOKEN)
    fake.set_prompt(PROMPT)

    def test() -> None:
        shown: list[Any] = []
        result = application.acquire_token_by_device_code(
            ["a"],
            prompt=lambda prompt: shown.extend((prompt, threading.get_ident())),
            claims="{}",
            timeout=60,
        )
        assert result.access_token == "very-secret"
        assert shown == [DeviceCodePrompt(PROMPT), threading.get_ident()]
        assert shown[0].message == PROMPT["message"]
        assert shown[0].verification_uri_complete is None

    run(test)
    assert fake.request(DEVICE_CODE) == {
        "scopes": ["a"],
        "claims": "{}",
        "timeout_milliseconds": 60000,
    }


@both
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_exception_of_the_prompt_stops_the_flow(
    fake: Fake, application: PublicClientApplication, run: Run, error: type[BaseException]
) -> None:
    fake.set_prompt(PROMPT)
    fake.block_calls()

    def prompt(_prompt: DeviceCodePrompt) -> None:
        raise error("mine")

    def test() -> None:
        with pytest.raises(error, match="mine"):
            application.acquire_token_by_device_code(["a"], prompt=prompt)
        assert fake.waiting_calls == 0

    run(test)


@both
def test_prompt_that_makes_no_sense_stops_the_flow(
    fake: Fake, application: PublicClientApplication, run: Run
) -> None:
    fake.set_prompt({})
    fake.block_calls()

    def test() -> None:
        with pytest.raises(InternalProblem):
            application.acquire_token_by_device_code(["a"], prompt=print)

    run(test)


@both
def test_prompt_may_use_an_application(
    fake: Fake, application: PublicClientApplication, run: Run
) -> None:
    fake.set_response(DEVICE_CODE, TOKEN)
    fake.set_prompt(PROMPT)

    def test() -> None:
        application.acquire_token_by_device_code(
            ["a"], prompt=lambda _prompt: PublicClientApplication("other").get_accounts()
        )

    run(test)


def test_one_string_is_not_taken_for_scopes(application: PublicClientApplication) -> None:
    with pytest.raises(TypeError):
        application.acquire_token_by_device_code("User.Read", prompt=print)
