# SPDX-License-Identifier: MIT
"""The removals and additions of an MSAL token cache on a store, and its behaviour after an error."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from entra import SCOPES, Entra
from msal_programs import (
    confidential,
    new_cache,
    program,
    set_file_times,
    signed_in,
    store_settings,
)
from real import needs_library
from tessera_identity.msal import TesseraTokenCache

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["new_cache", "store_settings"]

pytestmark = needs_library


def test_the_store_is_read_again_if_it_may_have_changed(
    store_settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in(TesseraTokenCache(**store_settings))
    set_file_times(store_settings, 1_700_000_000)
    cache = TesseraTokenCache(**store_settings)
    application = cache._store.application
    reads: list[str] = []
    read = application.read_cache

    def counted() -> str:
        reads.append(read())
        return reads[-1]

    monkeypatch.setattr(application, "read_cache", counted)
    for _ in range(3):
        assert len(list(cache.search("Account"))) == 1
    assert len(reads) == 1
    signed_in(TesseraTokenCache(**store_settings), "bob")
    assert len(list(cache.search("Account"))) == 2
    # The timestamps of files that were just changed do not show another change.
    set_file_times(store_settings, time.time() + 1000)
    before = len(reads)
    for _ in range(3):
        assert len(list(cache.search("Account"))) == 2
    assert len(reads) == before + 3


def test_has_state_changed_is_true_from_a_change_until_serialize(
    store_settings: dict[str, Any],
) -> None:
    cache = TesseraTokenCache(**store_settings)
    assert cache.has_state_changed is False
    signed_in(cache)
    assert cache.has_state_changed is True
    cache.serialize()
    assert cache.has_state_changed is False
    app = program(cache)
    app.remove_account(app.get_accounts()[0])
    assert cache.has_state_changed is True


def secrets(cache: Any) -> list[str]:
    return [each["secret"] for each in cache.search("AccessToken")]


def test_a_late_removal_keeps_records_of_another_program(store_settings: dict[str, Any]) -> None:
    cache, another = TesseraTokenCache(**store_settings), TesseraTokenCache(**store_settings)
    signed_in(cache)
    (old,) = cache.search("AccessToken")
    signed_in(another)
    server = Entra()
    server.posts.append({})
    app = program(another, server)
    app.acquire_token_silent(SCOPES, account=app.get_accounts()[0], force_refresh=True)
    cache.remove_at(old)
    assert secrets(TesseraTokenCache(**store_settings)) == secrets(cache) == ["token 2 of alice"]
    (new,) = cache.search("AccessToken")
    cache.remove_at(new)
    assert secrets(TesseraTokenCache(**store_settings)) == secrets(cache) == []


def test_a_late_removal_leaves_the_new_token_of_an_application(
    store_settings: dict[str, Any],
) -> None:
    cache, another = TesseraTokenCache(**store_settings), TesseraTokenCache(**store_settings)
    scopes = ["https://graph.microsoft.com/.default"]
    confidential(cache, Entra("old")).acquire_token_for_client(scopes)
    (old,) = cache.search("AccessToken")
    another.modify("AccessToken", old, {"secret": "new"})
    cache.remove_at(old)
    assert secrets(TesseraTokenCache(**store_settings)) == secrets(cache) == ["new"]


def with_ended_tokens(store_settings: dict[str, Any], count: int) -> None:
    app = program(TesseraTokenCache(**store_settings), Entra(expires_in=-100))
    for number in range(count):
        app.acquire_token_by_refresh_token("theirs", [f"scope-{number}"])


def test_ended_tokens_are_removed_in_one_commit(
    store_settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_ended_tokens(store_settings, 5)
    cache = TesseraTokenCache(**store_settings)
    assert cache._store.application.read_cache().count('"token ') == 5
    writes: list[tuple[int, int]] = []
    write = cache._store.application.write_cache
    monkeypatch.setattr(
        cache._store.application, "write_cache", lambda *texts: writes.append(write(*texts))
    )
    assert list(cache.search("Account", query={}))
    assert writes == []
    assert secrets(cache) == []
    assert writes == [(0, 5)]
    assert secrets(cache) == []
    assert len(writes) == 1
    assert len(list(cache.search("Account"))) == 1
    assert "token " not in cache._store.application.read_cache()


def test_a_search_works_where_nothing_can_be_removed(
    store_settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_ended_tokens(store_settings, 2)
    signed_in(TesseraTokenCache(**store_settings))
    cache = TesseraTokenCache(**store_settings)
    application = cache._store.application

    def busy(*_texts: str) -> None:
        raise tessera_identity.RetryLater("Another process writes.", {"code": "store_busy"})

    with monkeypatch.context() as patch:
        patch.setattr(application, "write_cache", busy)
        assert secrets(cache) == ["token 1 of alice"]
        with pytest.raises(tessera_identity.RetryLater):
            signed_in(cache, "bob")
    assert application.read_cache().count('"token ') == 3
    assert secrets(cache) == ["token 1 of alice"]
    assert application.read_cache().count('"token ') == 1


def test_after_an_error_the_store_is_read_again(
    new_cache: Callable[[], Any], store_settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in(new_cache())
    set_file_times(store_settings, 1_700_000_000)
    cache = new_cache()
    assert len(list(cache.search("Account"))) == 1
    store = cache._store if isinstance(cache, TesseraTokenCache) else cache._persistence._store

    def broken(*_arguments: str) -> str:
        raise tessera_identity.StorageProblem("The disk is broken.", {"code": "store_unavailable"})

    with monkeypatch.context() as patch:
        patch.setattr(store.application, "write_cache", broken)
        with pytest.raises(tessera_identity.StorageProblem):
            signed_in(cache, "bob")
    assert secrets(cache) == ["token 1 of alice"]
    signed_in(new_cache(), "carol")
    set_file_times(store_settings, 1_710_000_000)
    with monkeypatch.context() as patch:
        patch.setattr(store.application, "read_cache", broken)
        with pytest.raises(tessera_identity.StorageProblem):
            list(cache.search("Account"))
    assert len(list(cache.search("Account"))) == 2
