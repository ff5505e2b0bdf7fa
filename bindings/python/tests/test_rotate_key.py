# SPDX-License-Identifier: MIT
"""A new key for the store: what is asked for, and who goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tessera
from fake import ROTATE_KEY, Fake
from real import CLIENT, SCOPES, application, needs_library, provider, running, settings, sign_in
from tessera import PublicClientApplication

if TYPE_CHECKING:
    from pathlib import Path

    from provider import Provider

__all__ = ["application", "provider", "running", "settings"]

OLD, NEW = bytes(32), bytes(range(32))


def test_what_is_asked_for(fake: Fake) -> None:
    fake.answers(ROTATE_KEY, {"rotated": True})
    with PublicClientApplication("client") as made:
        assert made.rotate_store_key(timeout=1.5) is True
        assert fake.request(ROTATE_KEY) == {"timeout_milliseconds": 1500}
        fake.answers(ROTATE_KEY, {"rotated": False})
        assert made.rotate_store_key(b"\x00" * 3) is False
        assert fake.request(ROTATE_KEY) == {"new_store_key": "AAAA"}


@needs_library
def test_another_program_goes_on(
    provider: Provider, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    keys = tmp_path / "state/tessera/keys"
    options = {**settings, "key_sources": ["key_file"]}
    with (
        PublicClientApplication(CLIENT, **options) as one,
        PublicClientApplication(CLIENT, **options) as other,
    ):
        assert one.rotate_store_key() is False
        token = sign_in(one, provider)
        assert other.acquire_token_silent(SCOPES, account=token.account).source == "cache"
        assert one.rotate_store_key(timeout=10) is True
        assert len(list(keys.iterdir())) == 2
        for each in (one, other):
            cached = each.acquire_token_silent(SCOPES, account=token.account)
            assert (cached.source, cached.access_token) == ("cache", token.access_token)
            fresh = each.acquire_token_silent(SCOPES, account=token.account, force_refresh=True)
            assert fresh.persisted
            token = fresh
        with pytest.raises(tessera.InvalidRequest) as caught:
            one.rotate_store_key(NEW)
        assert caught.value.code == "invalid_member"


@needs_library
def test_program_changes_its_own_key(provider: Provider, settings: dict[str, Any]) -> None:
    with PublicClientApplication(CLIENT, store_key=OLD, **settings) as made:
        token = sign_in(made, provider)
        with pytest.raises(tessera.InvalidRequest) as caught:
            made.rotate_store_key()
        assert caught.value.code == "missing_parameter"
        assert made.rotate_store_key(NEW)
        assert made.acquire_token_silent(SCOPES, account=token.account).source == "cache"
    with PublicClientApplication(CLIENT, store_key=NEW, **settings) as made:
        assert made.acquire_token_silent(SCOPES, account=token.account).source == "cache"
    with (
        PublicClientApplication(CLIENT, store_key=OLD, **settings) as made,
        pytest.raises(tessera.StorageProblem) as undecryptable,
    ):
        made.acquire_token_silent(SCOPES, account=token.account)
    assert undecryptable.value.code == "cache_undecryptable"
