# SPDX-License-Identifier: MIT
"""Interactive sign-in with asyncio: the real library, its listener, and the provider's pages."""

from __future__ import annotations

import asyncio
import socket
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from browser_user import WITHOUT_A_BROWSER, open_url, user_who_signs_in
from real import SCOPES, application, needs_library, provider, running, settings
from tessera_identity import (
    Cancelled,
    ConfigurationProblem,
    InvalidRequest,
    PublicClientApplication,
    SignInPrompt,
    SignInRequired,
    TokenResult,
)
from test_async import count
from timeouts import until

if TYPE_CHECKING:
    from provider import Provider

__all__ = ["application", "provider", "running", "settings"]
pytestmark = needs_library


def port_of(prompt: SignInPrompt) -> int:
    """Returns the port of the program's listener."""
    port = urlsplit(prompt.redirect_uri).port
    assert port is not None
    return port


def listens(port: int) -> bool:
    """Whether the port has a listener."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


async def cancelled_sign_in(application: PublicClientApplication) -> int:
    """Starts a sign-in, cancels it when the address is available, and returns its port."""
    shown: asyncio.Future[SignInPrompt] = asyncio.get_running_loop().create_future()
    task = asyncio.ensure_future(
        application.acquire_token_interactive_async(SCOPES, browser="show", prompt=shown.set_result)
    )
    await asyncio.wait((task, shown), return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        raise AssertionError(f"nothing was shown: {task.exception()!r}")
    port = port_of(shown.result())
    assert listens(port)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return port


def test_a_sign_in_does_not_block_the_event_loop(
    application: PublicClientApplication, provider: Provider
) -> None:
    async def show(prompt: SignInPrompt) -> None:
        page = await asyncio.to_thread(open_url, provider.visit(prompt.url))
        assert "You have signed in" in page

    async def both() -> tuple[TokenResult, TokenResult]:
        first = await application.acquire_token_interactive_async(
            SCOPES, browser="show", prompt=show, timeout=60
        )
        again = await application.acquire_token_silent_async(SCOPES, account=first.account)
        return first, again

    first, again = asyncio.run(both())
    assert (first.source, first.browser_reason) == ("network", "chosen")
    assert again.access_token == first.access_token


def test_cancelling_closes_the_listener_and_leaks_nothing(
    application: PublicClientApplication, provider: Provider
) -> None:
    async def closed(port: int) -> tuple[int, int]:
        """Returns the numbers of threads and descriptors after the listener was closed."""
        end = time.monotonic() + 20
        while listens(port) and time.monotonic() < end:
            await asyncio.sleep(0.005)
        assert not listens(port)
        return count("fd"), count("task")

    async def many() -> None:
        before = await closed(await cancelled_sign_in(application))
        for _ in range(50):
            # The next sign-in may start at once, and waits until the last listener is closed.
            last = await cancelled_sign_in(application)
        after = await closed(last)
        # One more thread may have started before the last one was free.
        assert after[0] <= before[0]
        assert after[1] <= before[1] + 2
        result = await application.acquire_token_interactive_async(
            SCOPES, browser="show", prompt=user_who_signs_in(provider), timeout=60
        )
        assert result.source == "network"

    asyncio.run(many())


def test_timeout_and_exceptions_of_the_prompt_end_it(application: PublicClientApplication) -> None:
    ports: list[int] = []

    def fail(prompt: SignInPrompt) -> None:
        ports.append(port_of(prompt))
        raise KeyError("prompt")

    async def fail_later(prompt: SignInPrompt) -> None:
        fail(prompt)

    def ask(prompt: Any, **options: Any) -> TokenResult:
        return asyncio.run(
            application.acquire_token_interactive_async(
                SCOPES, browser="show", prompt=prompt, **options
            )
        )

    for prompt in (fail, fail_later):
        with pytest.raises(KeyError):
            ask(prompt)
    with pytest.raises(Cancelled) as raised:
        ask(lambda prompt: ports.append(port_of(prompt)), timeout=0.3)
    assert raised.value.code == "deadline_exceeded"
    assert len(ports) == 3
    until(lambda: not any(map(listens, ports)), otherwise="the port has a listener")


def test_a_second_sign_in_has_to_wait(
    application: PublicClientApplication, provider: Provider
) -> None:
    async def two() -> None:
        shown: asyncio.Future[SignInPrompt] = asyncio.get_running_loop().create_future()
        first = asyncio.ensure_future(
            application.acquire_token_interactive_async(
                SCOPES, browser="show", prompt=shown.set_result
            )
        )
        prompt = await shown
        with pytest.raises(InvalidRequest) as raised:
            await application.acquire_token_interactive_async(
                SCOPES, browser="show", prompt=lambda _prompt: None
            )
        assert raised.value.code == "interaction_in_progress"
        user_who_signs_in(provider)(prompt)
        assert (await first).source == "network"

    asyncio.run(two())


def test_no_browser_and_no_prompt(
    application: PublicClientApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in WITHOUT_A_BROWSER:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigurationProblem) as raised:
        asyncio.run(application.acquire_token_interactive_async(SCOPES))
    assert raised.value.code == "browser_unavailable"


def test_begun_and_completed_while_the_loop_goes_on(
    application: PublicClientApplication, provider: Provider
) -> None:
    async def one() -> TokenResult:
        begun = await application.begin_sign_in_async(SCOPES, lifetime_seconds=60)
        url = await asyncio.to_thread(provider.visit, begun.url)
        with pytest.raises(InvalidRequest):
            await application.complete_sign_in_async(begun.state, url=url + "x&state=other")
        result = await application.complete_sign_in_async(begun.state, url=url, timeout=60)
        with pytest.raises(SignInRequired) as raised:
            await application.complete_sign_in_async(begun.state, url=url)
        assert raised.value.code == "sign_in_used"
        return result

    assert asyncio.run(one()).account.username == "alice@contoso.com"


def test_a_thousand_await_all_kinds_of_calls_with_few_threads(
    application: PublicClientApplication, provider: Provider
) -> None:
    """Calls that wait for users have at most 64 threads; the others share 16, or need none."""
    most = 0

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, count("task"))
            await asyncio.sleep(0.001)

    async def all_of_them() -> None:
        first = await application.acquire_token_interactive_async(
            SCOPES, browser="show", prompt=user_who_signs_in(provider), timeout=60
        )
        people = [
            asyncio.ensure_future(
                application.acquire_token_by_device_code_async(SCOPES, prompt=lambda _prompt: None)
            )
            for _ in range(100)
        ]
        others = [application.begin_sign_in_async(SCOPES) for _ in range(100)]
        silent = [
            application.acquire_token_silent_async(
                SCOPES, account=first.account, force_refresh=number % 40 == 0
            )
            for number in range(800)
        ]
        done = await asyncio.gather(*others, *silent)
        assert len(done) == 900
        assert not any(task.done() for task in people)
        for task in people:
            task.cancel()
        ended = await asyncio.gather(*people, return_exceptions=True)
        assert all(isinstance(end, asyncio.CancelledError) for end in ended)

    async def watched() -> None:
        watching = asyncio.ensure_future(watch())
        await all_of_them()
        watching.cancel()

    before = count("task")
    asyncio.run(watched())
    # And one more, for the user of this test.
    assert most - before <= 16 + 64 + 1
