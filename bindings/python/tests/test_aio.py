# SPDX-License-Identifier: MIT
"""The application for asyncio: its methods on threads, their cancellation, and closing."""

from __future__ import annotations

import asyncio
import threading

import pytest

from fake import ACCOUNT, GET_ACCOUNTS, SIGN_OUT, Fake
from tessera_identity import Account, InvalidRequestError
from tessera_identity.aio import PublicClientApplication
from timeouts import until


def test_methods_of_the_store_run_on_a_thread_and_return_the_same_values(fake: Fake) -> None:
    threads: list[int] = []

    async def program() -> tuple[Account, ...]:
        application = PublicClientApplication(
            "client", log=lambda _level, _message: threads.append(threading.get_ident())
        )
        async with application:
            fake.set_log_line("line")
            accounts = await application.get_accounts()
        with pytest.raises(InvalidRequestError):
            await application.get_accounts()
        return accounts

    fake.set_response(GET_ACCOUNTS, {"accounts": [ACCOUNT]})
    assert asyncio.run(program()) == (Account(ACCOUNT),)
    assert threads
    assert threading.get_ident() not in threads


def test_cancelled_task_cancels_the_call_on_its_thread(fake: Fake) -> None:
    async def program() -> None:
        async with PublicClientApplication("client") as application:
            task = asyncio.ensure_future(application.sign_out("uid.utid"))
            while fake.waiting_calls == 0:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            until(lambda: fake.waiting_calls == 0, otherwise="the call did not end")

    fake.set_response(SIGN_OUT, {})
    fake.block_calls()
    asyncio.run(program())


@pytest.mark.usefixtures("fake")
def test_arguments_are_those_of_the_blocking_application() -> None:
    application = PublicClientApplication("client", authority="https://login.example/t", group="g")
    expected = "PublicClientApplication(client_id='client', authority='https://login.example/t', group='g')"
    assert repr(application) == expected
