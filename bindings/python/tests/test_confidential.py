# SPDX-License-Identifier: MIT
"""Tokens of applications themselves, from the local provider."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from real import needs_library, provider, running, settings
from tessera_identity import (
    CancelledError,
    ConfidentialClientApplication,
    ConfigurationError,
    InvalidRequestError,
    PublicClientApplication,
    RetryLaterError,
    TokenResult,
    aio,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from provider import Provider

pytestmark = needs_library

__all__ = ["provider", "running", "settings"]

SCOPES = ["api://resource/.default"]
SECRET = "a secret: with % and + and ü"
TENANT = "11111111-1111-4111-8111-111111111111"


@pytest.fixture
def daemon(settings: dict[str, Any], provider: Provider) -> dict[str, Any]:
    """The arguments of an application with a client secret."""
    provider.command("register", client_id="daemon", secrets=[SECRET])
    provider.command("reset_counts")
    if settings["authority_type"] == "entra":
        settings["authority"] = settings["authority"].rpartition("/")[0] + "/" + TENANT
    return {"client_id": "daemon", "credential": {"secret": SECRET}, **settings}


@pytest.fixture
def service(daemon: dict[str, Any]) -> Iterator[ConfidentialClientApplication]:
    with ConfidentialClientApplication(**daemon) as made:
        yield made


def requests(provider: Provider) -> int:
    """Returns the number of token requests."""
    counts: dict[str, int] = provider.counts()["token_requests"]
    return counts.get("client_credentials", 0)


def test_token_is_requested_once_and_then_cached(
    service: ConfidentialClientApplication, daemon: dict[str, Any], provider: Provider
) -> None:
    first = service.acquire_token_for_client(SCOPES)
    assert (first.source, first.account.home_account_id) == ("network", "")
    second = service.acquire_token_for_client(SCOPES)
    assert (second.source, second.access_token) == ("cache", first.access_token)
    assert service.acquire_token_for_client(SCOPES) is second
    with ConfidentialClientApplication(**daemon) as other:
        assert other.acquire_token_for_client(SCOPES).access_token == first.access_token
    assert requests(provider) == 1


def test_rejected_token_is_replaced_once(
    service: ConfidentialClientApplication, provider: Provider
) -> None:
    first = service.acquire_token_for_client(SCOPES).access_token
    digest = hashlib.sha256(first.encode()).hexdigest()
    claims = '{"access_token":{"nbf":{"essential":true}}}'
    second = service.acquire_token_for_client(SCOPES, claims=claims, token_sha256_to_refresh=digest)
    assert second.access_token != first
    third = service.acquire_token_for_client(SCOPES, claims=claims, token_sha256_to_refresh=digest)
    assert third.access_token == second.access_token
    assert requests(provider) == 2
    assert service.acquire_token_for_client(SCOPES, force_refresh=True).source == "network"


def test_errors_never_ask_for_a_sign_in(daemon: dict[str, Any], provider: Provider) -> None:
    with ConfidentialClientApplication(**{**daemon, "credential": {"secret": "wrong"}}) as service:
        with pytest.raises(ConfigurationError) as caught:
            service.acquire_token_for_client(SCOPES)
        assert caught.value.code == "client_rejected"
        provider.command("throttle", retry_after_seconds=60)
        with pytest.raises(RetryLaterError):
            service.acquire_token_for_client(SCOPES)
        with pytest.raises(CancelledError):
            service.acquire_token_for_client(["api://other/.default"], timeout=0)


def test_credentials_are_for_confidential_clients_only(daemon: dict[str, Any]) -> None:
    for credential in ({}, {"secret": "a", "secret_file": "b"}, {"passphrase": "a"}, {"secrets": "a"}):
        with pytest.raises(InvalidRequestError, match="credential"):
            ConfidentialClientApplication(**{**daemon, "credential": credential})
    with pytest.raises(TypeError, match="credential"):
        PublicClientApplication(**daemon)
    with ConfidentialClientApplication(**daemon) as service:
        assert SECRET not in repr(service)
        assert SECRET not in repr(vars(service))


def test_secret_is_read_from_its_file(
    daemon: dict[str, Any], provider: Provider, tmp_path: Path
) -> None:
    file = tmp_path / "secret"
    with ConfidentialClientApplication(**{**daemon, "credential": {"secret_file": str(file)}}) as service:
        with pytest.raises(ConfigurationError, match="secret_file"):
            service.acquire_token_for_client(SCOPES)
        file.write_text(SECRET + "\n")
        assert service.acquire_token_for_client(SCOPES).source == "network"
        provider.command("register", client_id="daemon", secrets=["another"])
        file.write_text("another")
        assert service.acquire_token_for_client(SCOPES, force_refresh=True).source == "network"


def test_asynchronous_calls_share_one_request(daemon: dict[str, Any], provider: Provider) -> None:
    async def acquire() -> list[TokenResult]:
        async with aio.ConfidentialClientApplication(**daemon) as service:
            return await asyncio.gather(*(service.acquire_token_for_client(SCOPES) for _ in range(50)))

    tokens = {result.access_token for result in asyncio.run(acquire())}
    assert len(tokens) == 1
    assert requests(provider) == 1


def test_processes_and_threads_share_one_request(daemon: dict[str, Any], provider: Provider) -> None:
    ours, theirs = os.pipe()
    children = []
    for _ in range(64):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                found = sorted(tokens_of_threads(daemon))
                os.write(theirs, found[0].encode() + b"\n")
                status = len(found) - 1
            finally:
                sys.stdout.flush()
                os._exit(status)
        children.append(child)
    os.close(theirs)
    with os.fdopen(ours, "rb") as stream:
        tokens = set(stream.read().split())
    assert {os.waitpid(child, 0)[1] for child in children} == {0}
    assert len(tokens) == 1
    assert requests(provider) == 1


def tokens_of_threads(daemon: dict[str, Any]) -> set[str]:
    """Returns the different tokens that 4 threads of a process get."""
    tokens: set[str] = set()
    with ConfidentialClientApplication(**daemon) as service:

        def run() -> None:
            tokens.add(service.acquire_token_for_client(SCOPES).access_token)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return tokens
