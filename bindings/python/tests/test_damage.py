# SPDX-License-Identifier: MIT
"""Stores in every possible state: each has a specific code, and a sign-in repairs the store if possible."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from browser_user import user_who_signs_in
from real import CLIENT, SCOPES, application, needs_library, provider, running, settings, sign_in
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from provider import Provider

    Way = Callable[[PublicClientApplication, Provider], tessera_identity.TokenResult]

pytestmark = needs_library

__all__ = ["application", "provider", "running", "settings"]

SOMEBODY = "00000000-0000-4000-8000-000000000001.00000000-0000-4000-8000-000000000002"


@pytest.fixture
def closed(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> tuple[str, Path]:
    """Returns an account and its database, which no program has open."""
    account = sign_in(application, provider).account.home_account_id
    application.close()
    return account, settings["store_directory"] / "default.db"


def code(
    settings: dict[str, Any], account: str = SOMEBODY, *, timeout: float = 0.3, **more: Any
) -> str:
    """Returns the error code of a silent call of a new application."""
    with (
        PublicClientApplication(CLIENT, **{**settings, **more}) as made,
        pytest.raises(tessera_identity.TesseraError) as caught,
    ):
        made.acquire_token_silent(SCOPES, account=account, timeout=timeout)
    return caught.value.code


def test_a_missing_store_and_an_empty_one(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> None:
    assert code(settings) == "store_missing"
    result = sign_in(application, provider)
    assert code(settings) == "interaction_required"
    with sqlite3.connect(settings["store_directory"] / "default.db") as database:
        database.executescript("DELETE FROM record; DELETE FROM scope")
    database.close()
    assert code(settings, result.account.home_account_id) == "store_empty"


def test_a_newer_store_and_one_that_is_held(
    closed: tuple[str, Path], settings: dict[str, Any], provider: Provider
) -> None:
    account, path = closed
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    with (
        PublicClientApplication(CLIENT, **settings) as made,
        pytest.raises(tessera_identity.RetryLaterError) as caught,
    ):
        made.acquire_token_silent(SCOPES, account=account, force_refresh=True, timeout=0.3)
    assert caught.value.code == "store_busy"
    database.execute("ROLLBACK")
    database.execute("PRAGMA user_version = 4000")
    database.close()
    assert code(settings, account) == "store_too_new"


def in_a_browser(made: PublicClientApplication, provider: Provider) -> tessera_identity.TokenResult:
    return made.acquire_token_interactive(
        SCOPES, browser="show", prompt_callback=user_who_signs_in(provider), timeout=60
    )


def with_a_code(made: PublicClientApplication, provider: Provider) -> tessera_identity.TokenResult:
    return made.acquire_token_by_device_code(
        SCOPES, prompt_callback=provider.approves(), timeout=60
    )


WAYS = pytest.mark.parametrize("way", [sign_in, in_a_browser, with_a_code])


@WAYS
def test_a_damaged_store_is_reported_and_quarantined_by_a_sign_in(
    closed: tuple[str, Path], settings: dict[str, Any], provider: Provider, way: Way
) -> None:
    account, path = closed
    text = b"this is not a database " * 1000
    path.write_bytes(text)
    assert code(settings, account) == "cache_damaged"
    assert path.read_bytes() == text
    with PublicClientApplication(CLIENT, **settings) as made:
        result = way(made, provider)
        assert result.persisted
        again = made.acquire_token_silent(SCOPES, account=result.account)
        assert again.access_token == result.access_token
    (aside,) = path.parent.glob("default.damaged-*.db")
    assert aside.read_bytes() == text
    with (
        PublicClientApplication(CLIENT, **settings) as made,
        pytest.raises(tessera_identity.SignInRequiredError) as caught,
    ):
        made.acquire_token_silent(SCOPES, account=SOMEBODY)
    assert caught.value.code == "cache_damaged"
    assert aside.name in str(caught.value)


@WAYS
def test_a_damaged_file_of_all_libraries_is_set_aside_as_well(
    settings: dict[str, Any], provider: Provider, tmp_path: Path, way: Way
) -> None:
    file = tmp_path / "cache.json"
    shared = {name: value for name, value in settings.items() if name != "store_directory"}
    file.write_bytes(b'{"AccessToken": {')
    # A program that writes it in place may need a second.
    assert code(shared, msal_cache=file, timeout=30) == "cache_damaged"
    with PublicClientApplication(CLIENT, **shared, msal_cache=file) as made:
        assert way(made, provider).persisted
    (aside,) = tmp_path.glob("cache.json.damaged-*")
    assert aside.read_bytes() == b'{"AccessToken": {'
    # The shared file is unencrypted.
    file.unlink()


def test_keys_that_are_wrong_or_out_of_reach(provider: Provider, settings: dict[str, Any]) -> None:
    given = {**settings, "store_key": bytes(range(32))}
    with PublicClientApplication(CLIENT, **given) as made:
        account = sign_in(made, provider).account.home_account_id
    before = sorted(path.name for path in settings["store_directory"].iterdir())
    assert code(settings, account) == "key_unavailable"
    assert code({**settings, "store_key": bytes(32)}, account) in (
        "cache_undecryptable", "key_unavailable",
    )  # fmt: skip
    assert sorted(path.name for path in settings["store_directory"].iterdir()) == before
