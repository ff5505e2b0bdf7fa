# SPDX-License-Identifier: MIT
"""Programs of MSAL Python with a store of Tessera as their token cache."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msal
import pytest
from msal_extensions import PersistedTokenCache

from entra import AUTHORITY, CLIENT, SCOPES, Entra
from tessera_identity.msal import TesseraPersistence, TesseraTokenCache

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def store_settings(tmp_path: Path) -> dict[str, Any]:
    return {"store_directory": tmp_path / "store"}


@pytest.fixture(params=["cache", "persistence"])
def new_cache(request: pytest.FixtureRequest, store_settings: dict[str, Any]) -> Callable[[], Any]:
    """Returns a function that creates a new token cache of MSAL with the store, like another process."""
    if request.param == "cache":
        return lambda: TesseraTokenCache(**store_settings)
    return lambda: PersistedTokenCache(TesseraPersistence(**store_settings))


def program(cache: Any, server: Entra | None = None, **more: Any) -> Any:
    return msal.PublicClientApplication(
        CLIENT, authority=AUTHORITY, token_cache=cache, http_client=server or Entra(),
        instance_discovery=False, **more,
    )  # fmt: skip


def signed_in(cache: Any, name: str = "alice") -> Any:
    result = program(cache, Entra(name)).acquire_token_by_refresh_token("theirs", SCOPES)
    assert "access_token" in result, result
    return result


def confidential(cache: Any, server: Entra) -> Any:
    return msal.ConfidentialClientApplication(
        CLIENT, client_credential="a secret", authority=AUTHORITY, token_cache=cache,
        http_client=server, instance_discovery=False,
    )  # fmt: skip


def set_file_times(store_settings: dict[str, Any], seconds: float) -> None:
    for each in store_settings["store_directory"].iterdir():
        os.utime(each, (seconds, seconds))
