# SPDX-License-Identifier: MIT
"""The token store in processes with other uses of SQLite."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from real import CLIENT, SCOPES, application, needs_library, provider, running, settings, sign_in

if TYPE_CHECKING:
    from provider import Provider
    from tessera_identity import PublicClientApplication

pytestmark = needs_library

__all__ = ["application", "provider", "running", "settings"]


@pytest.fixture
def database(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> sqlite3.Connection:
    """Returns the store's database, opened by SQLite with its own locks, after a sign-in."""
    sign_in(application, provider)
    path = settings["store_directory"] / "default.db"
    return sqlite3.connect(path, isolation_level=None, timeout=0)


def test_a_new_application_returns_a_stored_token_with_a_timeout_of_zero(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> None:
    account = sign_in(application, provider).account
    with tessera_identity.PublicClientApplication(CLIENT, **settings) as other:
        assert other.acquire_token_silent(SCOPES, account=account, timeout=0).source == "cache"


def test_busy_store_spends_no_refresh_token(
    application: PublicClientApplication, provider: Provider, database: sqlite3.Connection
) -> None:
    (account,) = application.get_accounts()
    database.execute("BEGIN IMMEDIATE")
    before = provider.count("requests")
    with pytest.raises(tessera_identity.RetryLaterError) as caught:
        application.acquire_token_silent(SCOPES, account=account, force_refresh=True, timeout=0.3)
    assert caught.value.code == "store_busy"
    assert provider.count("requests") == before
    assert application.acquire_token_silent(SCOPES, account=account).source == "cache"
    database.execute("ROLLBACK")
    fresh = application.acquire_token_silent(SCOPES, account=account, force_refresh=True)
    assert fresh.persisted


def test_busy_store_keeps_an_account_that_was_to_be_removed(
    application: PublicClientApplication, database: sqlite3.Connection
) -> None:
    (account,) = application.get_accounts(timeout=0)
    database.execute("BEGIN IMMEDIATE")
    with pytest.raises(tessera_identity.RetryLaterError) as caught:
        application.remove_account(account, timeout=0.1)
    assert caught.value.code == "store_busy"
    assert application.get_account(username=account.username, timeout=0) == account
    database.execute("ROLLBACK")
    assert application.remove_account(account, timeout=5)
    assert application.get_accounts() == ()


def test_other_programs_and_tessera_keep_each_other_out(
    application: PublicClientApplication, provider: Provider, database: sqlite3.Connection
) -> None:
    (account,) = application.get_accounts()
    reuses = provider.count("refresh_token_reuses")
    for number in range(20):
        application.acquire_token_silent(SCOPES, account=account, force_refresh=True)
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO record (key, name, type, body) VALUES (?1, ?1, 9999, ?2)", (number, b"{}"))
        database.execute("COMMIT")
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    count = database.execute("SELECT count(*) FROM record WHERE type = 9999").fetchone()
    assert count == (20,)
    assert provider.count("refresh_token_reuses") == reuses
