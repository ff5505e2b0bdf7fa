# SPDX-License-Identifier: MIT
"""Asynchronous methods, with the real library and the local provider."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from children import fork, states_of
from real import CLIENT, SCOPES, application, needs_library, provider, running, settings, sign_in
from tessera_identity import (
    Cancelled,
    DeviceCodePrompt,
    InvalidRequest,
    PublicClientApplication,
    SignInRequired,
    TokenResult,
)
from timeouts import until

if TYPE_CHECKING:
    from provider import Provider

__all__ = ["application", "provider", "running", "settings"]
pytestmark = needs_library


def count(what: str) -> int:
    """Returns the number of threads (`task`, including non-Python ones) or descriptors (`fd`) of this process."""
    return len(list(Path("/proc/self", what).iterdir()))


def test_cached_and_fresh_tokens(application: PublicClientApplication, provider: Provider) -> None:
    first = sign_in(application, provider)

    async def ask(**options: Any) -> TokenResult:
        return await application.acquire_token_silent_async(
            SCOPES, account=first.account, **options
        )

    assert asyncio.run(ask()).access_token == first.access_token
    fresh = asyncio.run(ask(force_refresh=True))
    assert (fresh.source, asyncio.run(ask()).access_token) == ("network", fresh.access_token)
    explained = asyncio.run(ask(explain=True))
    assert explained.explanation is not None


def test_a_thousand_wait_on_one_loop_without_a_thread_each(
    application: PublicClientApplication, provider: Provider
) -> None:
    account = sign_in(application, provider).account
    before, descriptors = count("task"), count("fd")
    most = 0

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, count("task"))
            await asyncio.sleep(0.001)

    async def ask(number: int) -> TokenResult:
        # Requests for one account are sent one after another.
        return await application.acquire_token_silent_async(
            SCOPES, account=account, force_refresh=number % 20 == 0
        )

    async def all_of_them() -> list[TokenResult]:
        watching = asyncio.ensure_future(watch())
        results = await asyncio.gather(*(ask(number) for number in range(1000)))
        watching.cancel()
        return results

    results = asyncio.run(all_of_them())
    assert len(results) == 1000
    assert most - before <= 20
    # Each thread's libcurl may keep some connections open; the calls share one pipe.
    assert count("fd") - descriptors <= 20


def test_errors_are_those_of_the_call_that_blocks(application: PublicClientApplication) -> None:
    async def ask(**options: Any) -> None:
        await application.acquire_token_silent_async(SCOPES, **options)

    with pytest.raises(SignInRequired):
        asyncio.run(ask(account="nobody.nowhere"))
    with pytest.raises(InvalidRequest):
        asyncio.run(application.acquire_token_silent_async([], account="a.b"))


def test_prompt_is_shown_on_the_loop(
    application: PublicClientApplication, provider: Provider
) -> None:
    shown_on: list[int] = []

    async def approve(prompt: DeviceCodePrompt) -> None:
        shown_on.append(threading.get_ident())
        await asyncio.to_thread(provider.approve, prompt.user_code)

    result = asyncio.run(
        application.acquire_token_by_device_code_async(
            SCOPES, prompt=approve, timeout=30, explain=True
        )
    )
    assert result.source == "network"
    assert result.explanation is not None
    assert result.explanation.decision == "signed_in"
    assert shown_on == [threading.get_ident()]


def test_a_device_code_without_a_prompt_is_an_error(application: PublicClientApplication) -> None:
    nothing: Any = None
    with pytest.raises(TypeError, match="prompt"):
        application.acquire_token_by_device_code(SCOPES, prompt=nothing)
    with pytest.raises(TypeError, match="prompt"):
        asyncio.run(application.acquire_token_by_device_code_async(SCOPES, prompt=nothing))


def test_exception_of_the_prompt_comes_out(application: PublicClientApplication) -> None:
    def fail(_prompt: DeviceCodePrompt) -> None:
        raise KeyError("prompt")

    async def fail_later(_prompt: DeviceCodePrompt) -> None:
        raise KeyError("prompt")

    for prompt in (fail, fail_later):
        with pytest.raises(KeyError):
            asyncio.run(application.acquire_token_by_device_code_async(SCOPES, prompt=prompt))


def test_cancelled_task_cancels_the_call(application: PublicClientApplication) -> None:
    async def wait() -> None:
        shown = asyncio.Event()
        task = asyncio.ensure_future(
            application.acquire_token_by_device_code_async(
                SCOPES, prompt=lambda _prompt: shown.set()
            )
        )
        await shown.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(wait())
    with pytest.raises(Cancelled):
        asyncio.run(
            application.acquire_token_by_device_code_async(
                SCOPES, prompt=lambda _prompt: None, timeout=0.3
            )
        )


def test_many_users_sign_in_during_refreshes(
    application: PublicClientApplication, provider: Provider
) -> None:
    """Waiting sign-ins do not block other calls."""
    account = sign_in(application, provider).account

    async def both() -> TokenResult:
        waiting = [
            asyncio.ensure_future(
                application.acquire_token_by_device_code_async(SCOPES, prompt=lambda _prompt: None)
            )
            for _ in range(30)
        ]
        result = await application.acquire_token_silent_async(
            SCOPES, account=account, force_refresh=True, timeout=30
        )
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return result

    assert asyncio.run(both()).source == "network"


def test_fork_after_use(settings: dict[str, Any], provider: Provider) -> None:
    """A child makes its own calls; the parent's continue."""
    with PublicClientApplication(CLIENT, **settings) as application:
        account = sign_in(application, provider).account

        async def ask() -> TokenResult:
            return await application.acquire_token_silent_async(
                SCOPES, account=account, force_refresh=True, timeout=30
            )

        asyncio.run(ask())
        child = fork(lambda: asyncio.run(ask()))
        # The second call takes the token of the first one.
        assert asyncio.run(ask()).access_token
        assert states_of(child) == [0]


def test_threads_go_when_there_is_nothing_to_do(
    settings: dict[str, Any], provider: Provider
) -> None:
    with PublicClientApplication(CLIENT, **settings) as application:
        account = sign_in(application, provider).account
        before = count("task")

        async def ask() -> None:
            await application.acquire_token_silent_async(
                SCOPES, account=account, force_refresh=True
            )

        asyncio.run(ask())
    # The thread pool ends with the application.
    until(lambda: count("task") <= before, otherwise="the threads are there")


def test_exception_of_a_log_on_a_thread_of_the_library(
    settings: dict[str, Any], provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's hook receives it; the call continues, and no later call raises it."""
    hooked: list[Any] = []

    def log(_level: int, _message: str) -> None:
        if threading.current_thread() is not threading.main_thread():
            raise KeyError("log")

    with PublicClientApplication(CLIENT, **settings, log=log, log_level=4) as application:
        account = sign_in(application, provider).account
        monkeypatch.setattr("sys.unraisablehook", hooked.append)
        result = asyncio.run(
            application.acquire_token_silent_async(SCOPES, account=account, force_refresh=True)
        )
        assert result.source == "network"
        assert hooked
        assert isinstance(hooked[0].exc_value, KeyError)
        assert application.get_accounts()
