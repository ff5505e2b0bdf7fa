# SPDX-License-Identifier: MIT
"""Copying between stores: the newer token wins, nothing is lost, and a second copy changes nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from real import CLIENT, SCOPES, application, needs_library, provider, running, settings, sign_in
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provider import Provider

__all__ = ["application", "provider", "running", "settings"]

pytestmark = needs_library


@pytest.fixture
def other(settings: dict[str, Any]) -> Iterator[PublicClientApplication]:
    with PublicClientApplication(CLIENT, group="other", **settings) as made:
        yield made


def test_accounts_and_tokens_come_along(
    application: PublicClientApplication, other: PublicClientApplication, provider: Provider
) -> None:
    result = sign_in(application, provider)
    dry = other.copy_from(application, dry_run=True)
    assert (dry.dry_run, [each.outcome for each in dry.accounts]) == (True, ["copied"])
    assert other.get_accounts() == ()
    report = other.copy_from(application)
    (account,) = report.accounts
    assert (account.username, account.outcome) == (result.account.username, "copied")
    assert account.home_account_id == result.account.home_account_id
    assert report.record_count == dry.record_count >= account.record_count >= 4
    before = provider.count("requests")
    again = other.acquire_token_silent(SCOPES, account=result.account)
    assert again.access_token == result.access_token
    assert provider.count("requests") == before
    assert other.acquire_token_silent(SCOPES, account=result.account, force_refresh=True)
    assert json.loads(application.read_cache()) != json.loads(other.read_cache())


def test_a_second_time_changes_nothing(
    application: PublicClientApplication, other: PublicClientApplication, provider: Provider
) -> None:
    sign_in(application, provider)
    other.copy_from(application)
    text = other.read_cache()
    for source in (application, other):
        report = other.copy_from(source)
        assert (report.record_count, report.accounts[0].outcome) == (0, "already_here")
    assert json.loads(other.read_cache()) == json.loads(text)


def test_local_tokens_remain_and_newer_ones_win(
    application: PublicClientApplication, other: PublicClientApplication, provider: Provider
) -> None:
    result = sign_in(application, provider)
    # As a program that signed in earlier would have stored it.
    changed = json.loads(application.read_cache())
    for entry in changed["AccessToken"].values():
        entry.update(secret="older", cached_at=str(int(entry["cached_at"]) - 1000))
    for entry in changed["RefreshToken"].values():
        entry["secret"] = "older"
    with PublicClientApplication(CLIENT, store="memory") as older:
        older.write_cache("", json.dumps(changed))
        assert other.copy_from(older).record_count > 0
        for source, is_newer in ((application, True), (older, False), (application, False)):
            report = other.copy_from(source)
            assert (report.record_count > 0) is is_newer
            token = other.acquire_token_silent(SCOPES, account=result.account)
            assert token.access_token == result.access_token
            assert '"older"' not in other.read_cache()


def test_copying_one_account_and_restoring_a_signed_out_one(
    application: PublicClientApplication, other: PublicClientApplication, provider: Provider
) -> None:
    account = sign_in(application, provider).account
    assert other.copy_from(application, account="nobody").record_count == 0
    assert other.copy_from(application, account=account).record_count > 0
    other.remove_account(account)
    with pytest.raises(tessera_identity.SignInRequired):
        other.acquire_token_silent(SCOPES, account=account)
    other.copy_from(application)
    assert other.acquire_token_silent(SCOPES, account=account).source == "cache"
    other.close()
    with pytest.raises(tessera_identity.InvalidRequest):
        application.copy_from(other)
