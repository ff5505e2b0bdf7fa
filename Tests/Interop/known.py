# SPDX-License-Identifier: MIT
"""The caches of known tools, which do not record the client capabilities of a token."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import peer
import tessera_identity
from azure.identity import DeviceCodeCredential, TokenCachePersistenceOptions
from msal import PublicClientApplication  # type: ignore
from world import CLIENT, CONTOSO, KINDS, World

from examples import expect

WORK = KINDS["work"]
ANY_TENANT = KINDS["work, any tenant"]
AZURE_CLI = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
PLACES = ("HOME", "AZURE_CONFIG_DIR", "XDG_DATA_HOME", "XDG_CACHE_HOME")


@contextmanager
def home() -> Iterator[Path]:
    """A home without caches."""
    before = {name: os.environ.pop(name, None) for name in PLACES}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        try:
            yield Path(folder)
        finally:
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value


def ours(world: World, cache: str, *capabilities: str, **more: Any) -> Any:
    """Returns a program with Tessera and a known cache; by default without a network."""
    settings: dict[str, Any] = {
        "client_id": CLIENT, "authority": WORK.authority, "proxy": "http://127.0.0.1:9", "no_proxy": "",
        "ca_file": world.front.ca_file, "msal_cache": cache, **more,
    }  # fmt: skip
    return tessera_identity.PublicClientApplication(client_capabilities=capabilities, **settings)


def hit(world: World, cache: str, *capabilities: str, **more: Any) -> str | None:
    """Returns the token of a program with Tessera without a network; None for none."""
    with ours(world, cache, *capabilities, **more) as application:
        (account,) = application.get_accounts()
        try:
            result = application.acquire_token_silent([WORK.scope], account=account)
        except (tessera_identity.SignInRequired, tessera_identity.RetryLater):
            return None
        return str(result.access_token)


def renewed(world: World, cache: str, *capabilities: str, **more: Any) -> str:
    """Returns the token that it gets with the refresh token of the cache."""
    with ours(world, cache, *capabilities, proxy=world.front.address, **more) as application:
        (account,) = application.get_accounts()
        result = application.acquire_token_silent([WORK.scope], account=account, force_refresh=True)
        expect(result.source == "network", f"the token is from {result.source}")
        return str(result.access_token)


def sdk(world: World, **more: Any) -> DeviceCodeCredential:
    """Returns a persistent credential of azure-identity, unencrypted without a keyring."""

    def approve(_address: str, code: str, _end: Any) -> None:
        world.provider(WORK).approve(code, WORK.username)

    return DeviceCodeCredential(
        client_id=CLIENT, tenant_id=CONTOSO, prompt_callback=approve,
        cache_persistence_options=TokenCachePersistenceOptions(allow_unencrypted_storage=True),
        proxies={"https": world.front.address}, connection_verify=str(world.front.ca_file), **more,
    )  # fmt: skip


def azure_identity(world: World, *, is_capable: bool) -> None:
    """azure-identity's tokens for claims challenges are for programs with CP1, other tokens for other programs."""
    cache = "azure_identity_cae" if is_capable else "azure_identity"
    same: list[tuple[str, ...]] = [("CP1",), ("cp1",)] if is_capable else [()]
    others: list[tuple[str, ...]] = [(), ("CP2",)] if is_capable else [("CP1",)]
    with home() as folder, sdk(world) as credential:
        record = credential.authenticate(scopes=[WORK.scope], enable_cae=is_capable)
        name = "msal.cache.cae" if is_capable else "msal.cache.nocae"
        expect((folder / ".IdentityService" / name).exists(), "the cache is at another location")

        def theirs() -> str:
            asked = posts(world)
            with sdk(world, authentication_record=record) as another:
                token = another.get_token(WORK.scope, enable_cae=is_capable).token
            expect(posts(world) == asked, "azure-identity asked for another token")
            return str(token)

        token = theirs()
        for capabilities in same:
            expect(hit(world, cache, *capabilities) == token, f"{capabilities} has another token")
        for capabilities in others:
            expect(hit(world, cache, *capabilities) is None, f"{capabilities} has a token of others")
            own = renewed(world, cache, *capabilities)
            expect(hit(world, cache, *capabilities) == own, f"{capabilities} lost its token")
        expect(theirs() == token, "azure-identity took a token for other capabilities")
        newest = renewed(world, cache, *same[0])
        expect(theirs() == newest != token, "azure-identity has no use for the token of Tessera")


def posts(world: World) -> int:
    """Returns the number of token requests."""
    return sum(each.startswith("POST") for each in world.front.requests)


def azure_cli(world: World) -> None:
    """The Azure CLI always requests CP1; its tokens are for every program, like those that it prints."""
    with home() as folder:
        file = folder / ".azure/msal_token_cache.json"
        file.parent.mkdir(0o700)
        more = {"client_id": AZURE_CLI, "authority": ANY_TENANT.authority}

        def program(network: Any) -> Any:
            capabilities = {"client_capabilities": ["CP1"]}
            return peer.made(
                PublicClientApplication, file, AZURE_CLI, ANY_TENANT.authority, network, **capabilities
            )

        application = program(peer.Network(world.front))
        flow = application.initiate_device_flow([WORK.scope])
        world.provider(WORK).approve(flow["user_code"], ANY_TENANT.username)
        flow["interval"] = 0
        result = application.acquire_token_by_device_flow(flow)
        token = peer.expect_token(result, "identity_provider")["access_token"]
        for capabilities in ((), ("CP1",), ("cp1",)):
            found = hit(world, "azure_cli", *capabilities, **more)
            expect(found == token, f"{capabilities} has another token")
        newest = renewed(world, "azure_cli", "CP1", **more)
        application = program(peer.NoNetwork())
        (account,) = application.get_accounts()
        result = application.acquire_token_silent([WORK.scope], account)
        found = peer.expect_token(result, "cache")["access_token"]
        expect(found == newest != token, "Azure CLI has no use for the token of Tessera")


KNOWN: dict[str, Callable[[World], None]] = {
    "azure-identity, claims challenges": lambda world: azure_identity(world, is_capable=True),
    "azure-identity, no claims challenges": lambda world: azure_identity(world, is_capable=False),
    "Azure CLI, which handles claims challenges": azure_cli,
}
