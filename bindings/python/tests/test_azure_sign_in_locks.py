# SPDX-License-Identifier: MIT
"""The order of several threads or tasks that need interaction: waiting, timeouts and cancellation."""

from __future__ import annotations

import asyncio
import threading
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from real import CLIENT, SCOPES, needs_library, provider, running, settings
from tessera_identity.azure import TesseraCredential, _ThreadSignInLock
from tessera_identity.azure._credential_base import TokenRequest
from tessera_identity.azure.aio import TesseraCredential as AsyncCredential
from tessera_identity.azure.aio import _TaskSignInLock

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from provider import Provider
    from tessera_identity import DeviceCodePrompt

__all__ = ["provider", "running", "settings"]

LONG = 60.0
"""The seconds after which a hanging test fails."""


def request(seconds: float = LONG) -> TokenRequest:
    ends_at = monotonic() + seconds
    return TokenRequest(("a",), claims=None, authority=None, enable_cae=False, ends_at=ends_at)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, LONG))


async def held(lock: _TaskSignInLock, until: asyncio.Event, begun: list[bool]) -> None:
    async with lock.hold(request()) as has_waited:
        begun.append(has_waited)
        await until.wait()


async def begun_tasks(*works: Coroutine[Any, Any, None]) -> list[asyncio.Task[None]]:
    """Returns the tasks that cannot proceed."""
    tasks = [asyncio.ensure_future(each) for each in works]
    for _ in range(10):
        await asyncio.sleep(0)
    return tasks


def test_a_task_gives_up_in_time() -> None:
    async def work() -> None:
        lock = _TaskSignInLock()
        async with lock.hold(request()) as has_waited:
            assert not has_waited
            for seconds in (0.0, 0.01):
                with pytest.raises(tessera_identity.CancelledError) as caught:
                    async with lock.hold(request(seconds)):
                        pytest.fail("two at once")
                assert caught.value.code == "deadline_exceeded"
        async with lock.hold(request()) as has_waited:
            assert not has_waited
        assert lock._locks == {}

    run(work())


def test_cancelled_tasks_leave_the_turn_to_others() -> None:
    async def work() -> None:
        lock, end, begun = _TaskSignInLock(), asyncio.Event(), list[bool]()
        tasks = await begun_tasks(*(held(lock, end, begun) for _ in range(4)))
        assert begun == [False]
        tasks[1].cancel()
        tasks[0].cancel()
        await asyncio.wait(tasks[:2])
        assert [each.cancelled() for each in tasks] == [True, True, False, False]
        end.set()
        await asyncio.wait(tasks)
        assert begun == [False, True, True]
        assert lock._locks == {}

    run(work())


def test_a_task_that_is_cancelled_when_its_turn_comes_does_not_take_it() -> None:
    async def work() -> None:
        for steps in range(6):
            lock, end, begun = _TaskSignInLock(), asyncio.Event(), list[bool]()
            first, second, third = await begun_tasks(
                *(held(lock, each, begun) for each in (end, asyncio.Event(), end))
            )
            end.set()
            await first
            for _ in range(steps):
                await asyncio.sleep(0)
            second.cancel()
            await asyncio.wait([second, third])
            assert second.cancelled()
            assert not third.cancelled()
            assert lock._locks == {}

    run(work())


def test_a_thread_gives_up_in_time() -> None:
    lock = _ThreadSignInLock()
    found: list[str | None] = []

    def late() -> None:
        try:
            with lock.hold(request(0.01)):
                found.append("two at once")
        except tessera_identity.CancelledError as error:
            found.append(error.code)

    with lock.hold(request()) as has_waited:
        assert not has_waited
        thread = threading.Thread(target=late)
        thread.start()
        thread.join()
    assert found == ["deadline_exceeded"]
    with lock.hold(request()) as has_waited:
        assert not has_waited


@needs_library
@pytest.mark.parametrize("settings", ["entra"], indirect=True)
def test_a_task_waits_for_the_sign_in_of_another_one_no_longer_than_it_may(
    provider: Provider, settings: dict[str, Any]
) -> None:
    async def work() -> None:
        shown, go_on = asyncio.Event(), asyncio.Event()
        names: list[str] = []

        async def show(prompt: DeviceCodePrompt) -> None:
            names.append(prompt.user_code)
            shown.set()
            await go_on.wait()
            await asyncio.to_thread(provider.approve, prompt.user_code)

        async with AsyncCredential(CLIENT, device_code=show, timeout=LONG, **settings) as made:
            first = asyncio.ensure_future(made.get_token(*SCOPES))
            await shown.wait()
            second = asyncio.ensure_future(made.get_token(*SCOPES))
            made._timeout = 0.1
            with pytest.raises(tessera_identity.CancelledError) as caught:
                await made.get_token(*SCOPES)
            assert caught.value.code == "deadline_exceeded"
            assert not first.done()
            made._timeout = LONG
            second.cancel()
            go_on.set()
            token = await first
            assert await made.get_token(*SCOPES) == token
        assert len(names) == 1

    run(work())


def test_a_timeout_must_be_one() -> None:
    for timeout in (-1, "7"):
        with pytest.raises(ValueError, match="timeout"):
            TesseraCredential(CLIENT, timeout=timeout)  # type: ignore[arg-type]
