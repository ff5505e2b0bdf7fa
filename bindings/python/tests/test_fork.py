# SPDX-License-Identifier: MIT
"""The use of the parent's application in a child of fork()."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import tessera_identity
from children import fork, states_of, succeeds_in_child
from real import ALICE, SCOPES, application, needs_library, provider, running, settings, sign_in

if TYPE_CHECKING:
    from provider import Provider
    from tessera_identity import PublicClientApplication

pytestmark = needs_library

__all__ = ["application", "provider", "running", "settings"]


def test_child_after_fork_uses_the_store(
    application: PublicClientApplication, provider: Provider
) -> None:
    result = sign_in(application, provider)
    application.acquire_token_silent(SCOPES, account=result.account)

    def work() -> bool:
        token = application.acquire_token_silent(SCOPES, account=result.account)
        fresh = application.acquire_token_silent(SCOPES, account=result.account, force_refresh=True)
        return bool(token.access_token == result.access_token != fresh.access_token)

    assert succeeds_in_child(work)
    token = application.acquire_token_silent(SCOPES, account=result.account)
    assert token.source == "cache"
    assert token.access_token != result.access_token


def test_a_worker_completes_a_sign_in_of_its_server(
    application: PublicClientApplication, provider: Provider
) -> None:
    """Any worker of a forked server can receive the redirect; the parent then has the account."""
    begun = application.begin_sign_in(SCOPES)
    url = provider.visit(begun.url)

    def work() -> bool:
        result = application.complete_sign_in(begun.state, url=url, timeout=60)
        return result.account.username == ALICE

    assert succeeds_in_child(work)
    (account,) = application.get_accounts()
    assert application.acquire_token_silent(SCOPES, account=account).source == "cache"
    with pytest.raises(tessera_identity.SignInRequired) as raised:
        application.complete_sign_in(begun.state, url=url)
    assert raised.value.code == "sign_in_used"


def test_two_workers_begin_at_once(
    application: PublicClientApplication, provider: Provider
) -> None:
    """Both create the key for pending sign-ins; one key is stored, and any process can complete both sign-ins."""
    reading, writing = os.pipe()
    kept, keeping = os.pipe()

    def work() -> bool:
        os.read(reading, 1)
        begun = application.begin_sign_in(SCOPES)
        os.write(keeping, f"{begun.state} {begun.url}\n".encode())
        return True

    children = [fork(work) for _ in range(2)]
    os.write(writing, b"xx")
    assert states_of(*children) == [0, 0]
    os.close(keeping)
    with os.fdopen(kept) as lines:
        begun = [line.split() for line in lines]
    assert len({state for state, _ in begun}) == 2
    for state, url in begun:
        result = application.complete_sign_in(state, url=provider.visit(url), timeout=60)
        assert result.source == "network"
    for descriptor in (reading, writing):
        os.close(descriptor)


def test_a_response_sent_to_two_workers_is_used_once(
    application: PublicClientApplication, provider: Provider
) -> None:
    begun = application.begin_sign_in(SCOPES)
    url = provider.visit(begun.url)
    reading, writing = os.pipe()

    def work() -> bool:
        os.read(reading, 1)
        try:
            application.complete_sign_in(begun.state, url=url, timeout=60)
        except tessera_identity.SignInRequired as error:
            os._exit(7 if error.code == "sign_in_used" else 8)
        return True

    children = [fork(work) for _ in range(4)]
    os.write(writing, b"xxxx")
    assert sorted(states_of(*children)) == [0, 7, 7, 7]
    for descriptor in (reading, writing):
        os.close(descriptor)


def test_daemon_goes_on_after_its_parent(
    application: PublicClientApplication, provider: Provider
) -> None:
    """A child forked while the store was open must have its own locks, or its writes are lost."""
    result = sign_in(application, provider)
    reading, writing = os.pipe()

    def work() -> bool:
        application.acquire_token_silent(SCOPES, account=result.account)
        os.read(reading, 1)
        for _ in range(3):
            application.acquire_token_silent(SCOPES, account=result.account, force_refresh=True)
        return True

    child = fork(work)
    application.acquire_token_silent(SCOPES, account=result.account, force_refresh=True)
    application.close()
    os.write(writing, b"x")
    assert states_of(child) == [0]
    assert provider.count("refresh_token_reuses") == 0
