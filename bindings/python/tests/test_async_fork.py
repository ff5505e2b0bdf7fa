# SPDX-License-Identifier: MIT
"""Programs that fork and have event loops: workers of a server, and long-lived children."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import TYPE_CHECKING, Any

import pytest

from browser_user import user_who_signs_in
from children import fork, succeeds_in_child
from real import CLIENT, SCOPES, needs_library, provider, running, settings
from tessera_identity import PublicClientApplication, SignInPrompt, SignInRequired, TokenResult
from test_async_sign_in import cancelled_sign_in, listens

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from provider import Provider

__all__ = ["provider", "running", "settings"]
pytestmark = needs_library


def test_a_server_that_forks_before_its_loops(settings: dict[str, Any], provider: Provider) -> None:
    """The parent signs in and makes calls; each worker has its own loop and makes its own calls."""
    with PublicClientApplication(CLIENT, **settings) as application:

        async def sign_in() -> TokenResult:
            return await application.acquire_token_interactive_async(
                SCOPES, browser="show", prompt=user_who_signs_in(provider), timeout=60
            )

        account = asyncio.run(sign_in()).account

        async def work() -> None:
            tokens = await asyncio.gather(
                *(
                    application.acquire_token_silent_async(
                        SCOPES, account=account, force_refresh=number % 10 == 0, timeout=60
                    )
                    for number in range(50)
                )
            )
            assert all(token.account.username == account.username for token in tokens)
            await cancelled_sign_in(application)
            result = await application.acquire_token_interactive_async(
                SCOPES, browser="show", prompt=user_who_signs_in(provider), timeout=60
            )
            assert result.source == "network"

        async def serve() -> list[int]:
            # The parent has a pending sign-in during the fork, which the workers do not share.
            shown: asyncio.Future[SignInPrompt] = asyncio.get_running_loop().create_future()
            waiting = asyncio.ensure_future(
                application.acquire_token_interactive_async(
                    SCOPES, browser="show", prompt=shown.set_result
                )
            )
            prompt = await shown
            children = [fork(on_a_loop(work)) for _ in range(4)]
            states = [(await asyncio.to_thread(os.waitpid, child, 0))[1] for child in children]
            user_who_signs_in(provider)(prompt)
            assert (await waiting).source == "network"
            return states

        assert asyncio.run(serve()) == [0, 0, 0, 0]
    assert provider.count("refresh_token_reuses") == 0


def test_a_worker_completes_a_sign_in_started_in_another_loop(
    settings: dict[str, Any], provider: Provider
) -> None:
    """Both have made calls before: the server before it forks, the worker for its own sign-in."""
    with PublicClientApplication(CLIENT, **settings) as application:
        begun = asyncio.run(application.begin_sign_in_async(SCOPES))
        url = provider.visit(begun.url)

        async def work() -> None:
            own, result = await asyncio.gather(
                application.begin_sign_in_async(SCOPES),
                application.complete_sign_in_async(begun.state, url=url, timeout=60),
            )
            assert result.source == "network"
            own_url = await asyncio.to_thread(provider.visit, own.url)
            await application.complete_sign_in_async(own.state, url=own_url, timeout=60)

        assert succeeds_in_child(on_a_loop(work))
        with pytest.raises(SignInRequired) as raised:
            asyncio.run(application.complete_sign_in_async(begun.state, url=url))
        assert raised.value.code == "sign_in_used"


def test_a_child_that_lives_on_keeps_no_port(settings: dict[str, Any], provider: Provider) -> None:
    """A child forked during a sign-in has its sockets too: they stop listening when the sign-in ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    uri = f"http://localhost:{port}"
    reading, writing = os.pipe()
    children: list[int] = []

    def show(prompt: SignInPrompt) -> None:
        child = os.fork()
        if child == 0:
            os.close(writing)
            os.read(reading, 1)
            os._exit(0)
        children.append(child)
        user_who_signs_in(provider)(prompt)

    with PublicClientApplication(CLIENT, **settings, redirect_uri=uri) as application:
        try:
            for _ in range(2):
                result = asyncio.run(
                    application.acquire_token_interactive_async(
                        SCOPES, browser="show", prompt=show, timeout=60
                    )
                )
                assert result.source == "network"
                assert not listens(port)
        finally:
            os.close(writing)
            os.close(reading)
            for child in children:
                os.waitpid(child, 0)


def on_a_loop(work: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Returns a function for a child that runs a coroutine function in its own loop."""

    def run() -> None:
        asyncio._set_running_loop(None)
        asyncio.run(work())

    return run
