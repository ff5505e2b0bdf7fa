# SPDX-License-Identifier: MIT
"""Sign-ins that the end of the event loop or the prompt cancels: the real library and its listener."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING

import pytest

from real import SCOPES, application, needs_library, provider, running, settings
from test_async import count
from test_async_sign_in import listens, port_of
from timeouts import until

if TYPE_CHECKING:
    from tessera_identity import PublicClientApplication, SignInPrompt

__all__ = ["application", "provider", "running", "settings"]
pytestmark = needs_library


def test_loops_that_come_and_go_leave_nothing(application: PublicClientApplication) -> None:
    def one() -> int:
        asyncio.run(application.begin_sign_in_async(SCOPES))
        return count("fd")

    before = [one() for _ in range(5)]
    assert one() <= before[-1]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_loop_that_is_given_up_ends_its_sign_in(application: PublicClientApplication) -> None:
    ports: list[int] = []

    async def waiting() -> None:
        shown: asyncio.Future[SignInPrompt] = asyncio.get_running_loop().create_future()
        call = application.acquire_token_interactive_async(
            SCOPES, browser="show", prompt=shown.set_result
        )
        asyncio.get_running_loop().create_task(call)
        ports.append(port_of(await shown))

    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda *_context: None)
    loop.run_until_complete(waiting())
    loop.close()
    del loop
    gc.collect()
    until(lambda: not listens(ports[0]), otherwise="the port has a listener")


@pytest.mark.parametrize("kind", ["function", "coroutine"])
def test_a_prompt_that_is_cancelled_cancels_the_call(
    application: PublicClientApplication, kind: str
) -> None:
    async def cancelled(_prompt: SignInPrompt) -> None:
        raise asyncio.CancelledError

    def cancel(prompt: SignInPrompt) -> object:
        if kind == "coroutine":
            return cancelled(prompt)
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(
            application.acquire_token_interactive_async(
                SCOPES, browser="show", prompt=cancel, timeout=30
            )
        )


def test_a_prompt_that_cancels_its_call_and_fails_is_no_error_of_the_loop(
    application: PublicClientApplication,
) -> None:
    errors: list[object] = []

    async def both() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: errors.append(context))

        def fail(_prompt: SignInPrompt) -> None:
            task.cancel()
            raise KeyError("prompt")

        call = application.acquire_token_interactive_async(SCOPES, browser="show", prompt=fail)
        task = asyncio.ensure_future(call)
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(both())
    assert errors == []
