# SPDX-License-Identifier: MIT
"""Applications of an Entra family share a store: none sends a refresh token that another one has redeemed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from real import SCOPES, needs_library, provider, running, sign_in
from tessera_identity import Account, PublicClientApplication

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from provider import Provider

pytestmark = needs_library

__all__ = ["provider", "running"]

MEMBERS = ["member-a", "member-b", "member-c"]


@pytest.fixture
def family(provider: Provider) -> Iterator[Provider]:
    provider.command("set", family_client_ids=MEMBERS)
    yield provider
    provider.command("set", family_client_ids=[])


@pytest.fixture(params=["sqlite", "msal_file"])
def shared(
    request: pytest.FixtureRequest, family: Provider, tmp_path: Path
) -> Iterator[dict[str, Any]]:
    file = tmp_path / "cache.json"
    store = (
        {"store_directory": tmp_path / "store"} if request.param == "sqlite" else {"msal_cache": file}
    )
    yield {"authority": family.entra_authority, "authority_type": "entra", **store}
    # MSAL's cache file is not encrypted.
    file.unlink(missing_ok=True)


def refresh(member: str, account: Account, shared: dict[str, Any]) -> None:
    with PublicClientApplication(member, **shared) as made:
        result = made.acquire_token_silent(SCOPES, account=account, force_refresh=True)
    assert (result.source, result.persisted) == ("network", True)


def test_members_refresh_one_after_another(family: Provider, shared: dict[str, Any]) -> None:
    reuses = family.count("refresh_token_reuses")
    with PublicClientApplication(MEMBERS[0], **shared) as made:
        account = sign_in(made, family).account
    for member in [*MEMBERS[1:], *MEMBERS, *MEMBERS]:
        refresh(member, account, shared)
    assert family.count("refresh_token_reuses") == reuses


def test_members_refresh_at_the_same_time(family: Provider, shared: dict[str, Any]) -> None:
    reuses = family.count("refresh_token_reuses")
    with PublicClientApplication(MEMBERS[0], **shared) as made:
        account = sign_in(made, family).account
    failures: list[BaseException] = []

    def work(member: str) -> None:
        try:
            for _ in range(8):
                with PublicClientApplication(member, **shared) as made:
                    made.acquire_token_silent(SCOPES, account=account, force_refresh=True)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(member,)) for member in MEMBERS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert family.count("refresh_token_reuses") == reuses
