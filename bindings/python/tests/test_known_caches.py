# SPDX-License-Identifier: MIT
"""The locations of other tools' token caches, in a temporary home."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import tessera_identity
from real import needs_library

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_library
ACCOUNTS = {
    name: {"home_account_id": name, "environment": "login.microsoftonline.com", "realm": "t"}
    for name in ("ann.t", "bob.t")
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("AZURE_CONFIG_DIR", "AZD_CONFIG_DIR", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:")
    return tmp_path


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(mode=0o700, parents=True)
    path.touch(mode=0o600)
    path.write_text(text)
    return path


def selected(name: str) -> tessera_identity.FoundCache:
    (found,) = [each for each in tessera_identity.known_caches() if each.name == name and each.selected]
    return found


def test_every_name_leads_somewhere() -> None:
    found = tessera_identity.known_caches()
    assert all(each.state == "missing" and each.reason is None for each in found)
    assert [each.name for each in found if each.selected] == [
        "azure_cli", "azure_identity", "azure_identity_cae", "azure_powershell", "azure_powershell_cae",
    ]  # fmt: skip


def test_a_cache_is_counted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(home / "cloud/msal_token_cache.json", json.dumps({"Account": ACCOUNTS}))
    monkeypatch.setenv("AZURE_CONFIG_DIR", str(path.parent))
    found = selected("azure_cli")
    assert (found.state, found.kind, found.path, found.accounts) == ("usable", "file", str(path), 2)
    assert found.modified_on == int(path.stat().st_mtime)
    assert found.schema is None


def test_an_unreachable_item_is_reported(home: Path) -> None:
    path = written(home / ".local/share/.IdentityService/msal.cache.nocae", "\1")
    found = selected("azure_powershell")
    assert (found.state, found.kind, found.path) == ("locked", "secret_service", str(path))
    assert found.reason == "there is no session bus"


def test_without_a_home_there_is_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    with pytest.raises(tessera_identity.StorageProblem) as caught:
        tessera_identity.known_caches()
    assert caught.value.code == "store_unavailable"


def test_a_deadline_is_kept() -> None:
    with pytest.raises(tessera_identity.Cancelled) as caught:
        tessera_identity.known_caches(timeout=0)
    assert caught.value.code == "deadline_exceeded"
