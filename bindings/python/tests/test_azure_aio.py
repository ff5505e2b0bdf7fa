# SPDX-License-Identifier: MIT
"""The credential for the asynchronous clients of the Azure SDK, with the real library."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from azure.core.credentials import AccessToken, AccessTokenInfo
from azure.core.credentials_async import AsyncSupportsTokenInfo, AsyncTokenCredential
from azure.identity import AuthenticationRequiredError
from azure.identity.aio import ChainedTokenCredential

import tessera_identity
from real import CLIENT, SCOPES, application, needs_library, provider, running, settings, sign_in
from tessera_identity.azure.aio import TesseraCredential

if TYPE_CHECKING:
    from provider import Provider
    from tessera_identity import DeviceCodePrompt, PublicClientApplication

__all__ = ["application", "provider", "running", "settings"]

pytestmark = [needs_library, pytest.mark.parametrize("settings", ["entra"], indirect=True)]

CHALLENGE = '{"access_token":{"nbf":{"essential":true,"value":"1"}}}'
"""A claims challenge of a resource (continuous access evaluation)."""


class Next:
    """The next credential of a chain."""

    async def get_token(self, *_scopes: str, **_options: Any) -> AccessToken:
        return AccessToken("next", 1)

    async def close(self) -> None:
        pass

    async def __aenter__(self) -> Next:
        return self

    async def __aexit__(self, *_details: object) -> None:
        pass


def test_clients_of_the_sdk_take_it(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> None:
    result = sign_in(application, provider)

    async def work() -> None:
        credential = TesseraCredential(CLIENT, **settings)
        as_credential: AsyncTokenCredential = credential
        as_provider: AsyncSupportsTokenInfo = credential
        assert isinstance(as_credential, AsyncTokenCredential)
        assert isinstance(as_provider, AsyncSupportsTokenInfo)
        async with as_credential:
            token = await as_credential.get_token(*SCOPES)
            assert type(token) is AccessToken
            assert token == (result.access_token, result.expires_on)
            info = await as_provider.get_token_info(*SCOPES, options={"enable_cae": True})
            assert type(info) is AccessTokenInfo
            assert info.token not in ("", result.access_token)
            again = await credential.get_token(*SCOPES, enable_cae=True)
            assert again.token == info.token
            fresh = await credential.get_token(*SCOPES, enable_cae=True, claims=CHALLENGE)
            assert fresh.token != info.token
        with pytest.raises(tessera_identity.InvalidRequest):
            await credential.get_token(*SCOPES)

    asyncio.run(work())


def test_a_chain_goes_on(settings: dict[str, Any]) -> None:
    async def work() -> None:
        async with TesseraCredential(CLIENT, **settings) as credential:
            with pytest.raises(AuthenticationRequiredError) as caught:
                await credential.get_token(*SCOPES)
            assert isinstance(caught.value, tessera_identity.SignInRequired)
            chain = ChainedTokenCredential(credential, Next())
            assert (await chain.get_token(*SCOPES)).token == "next"
            with pytest.raises(ValueError, match="scope"):
                await credential.get_token()

    asyncio.run(work())


def test_a_code_signs_in_once_for_all_tasks(provider: Provider, settings: dict[str, Any]) -> None:
    shown: list[str] = []

    async def show(prompt: DeviceCodePrompt) -> None:
        shown.append(prompt.user_code)
        await asyncio.to_thread(provider.approve, prompt.user_code)

    async def work() -> None:
        async with TesseraCredential(CLIENT, device_code=show, timeout=30, **settings) as made:
            tokens = await asyncio.gather(*(made.get_token(*SCOPES) for _ in range(5)))
            assert len({each.token for each in tokens}) == 1
        assert len(shown) == 1

    asyncio.run(work())


def test_another_loop_may_use_it(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> None:
    sign_in(application, provider)
    credential = TesseraCredential(CLIENT, **settings)
    tokens = [asyncio.run(credential.get_token(*SCOPES)) for _ in range(2)]
    assert tokens[0] == tokens[1]
    asyncio.run(credential.close())
