# SPDX-License-Identifier: MIT
"""Accounts of older libraries: the report, and accounts without an ID."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

import tessera_identity
from real import CLIENT, SCOPES, application, needs_library, provider, running, settings, sign_in

if TYPE_CHECKING:
    from pathlib import Path

    from provider import Provider
    from tessera_identity import PublicClientApplication

__all__ = ["application", "provider", "running", "settings"]

pytestmark = [needs_library, pytest.mark.parametrize("settings", ["entra"], indirect=True)]

RESOURCE = "https://graph.microsoft.com"


def entry(name: str, token: str | None = "a token", **more: object) -> dict[str, object]:
    """Returns an entry of ADAL for Python."""
    members = {
        "tokenType": "Bearer", "accessToken": "long over", "refreshToken": token,
        "resource": "https://graph.windows.net", "userId": name, "isMRRT": True,
        "_clientId": CLIENT, "_authority": "https://login.microsoftonline.com/common", **more,
    }  # fmt: skip
    return {key: value for key, value in members.items() if value is not None}


def test_the_report_has_the_outcome_of_each_account(
    application: PublicClientApplication, tmp_path: Path
) -> None:
    cache = tmp_path / "cache.json"
    content = [entry("alice@contoso.com"), entry("bob@contoso.com", None), 5]
    cache.write_text(json.dumps(content))
    dry = application.migrate(cache, dry_run=True)
    assert dry.dry_run
    assert application.get_accounts(signed_in_only=False) == ()
    report = application.migrate(str(cache))
    assert report.format == "adal_python"
    assert [(each.username, each.outcome, each.reason) for each in report.accounts] == [
        ("alice@contoso.com", "migrated", None),
        ("bob@contoso.com", "not_migrated", "no_refresh_token"),
    ]
    assert "Sign in" in (report.accounts[1].advice or "")
    assert [each["entry"] for each in report.damaged] == [2]
    again = application.migrate(data=cache.read_bytes(), format="adal_python")
    assert [each.outcome for each in again.accounts] == ["already_migrated", "not_migrated"]
    assert json.loads(cache.read_text()) == content
    assert "a token" not in repr(report)


def test_an_account_without_an_identifier_goes_by_its_name(
    application: PublicClientApplication,
) -> None:
    cache = json.dumps([entry("alice@contoso.com"), entry("bob@contoso.com")]).encode()
    application.migrate(data=cache)
    alice, bob = application.get_accounts()
    assert (alice.home_account_id, alice.username) == ("", "alice@contoso.com")
    # Their tokens are of another cloud than this provider, so no request is sent.
    with pytest.raises(tessera_identity.SignInRequired):
        application.acquire_token_silent(SCOPES, account=alice)
    with pytest.raises(tessera_identity.SignInRequired):
        asyncio.run(application.acquire_token_silent_async(SCOPES, account=alice))
    with pytest.raises(tessera_identity.SignInRequired):
        application.acquire_token_silent_with_resource(RESOURCE, "ALICE@contoso.com")
    assert application.explain(SCOPES, account=alice).decision == "sign_in"
    assert application.remove_account(alice)
    assert application.get_accounts() == (bob,)
    report = application.sign_out(bob)
    assert report.accounts == (bob,)
    assert report.removed["refresh_tokens"] == 1
    assert application.sign_out(bob).removed["refresh_tokens"] == 0
    assert application.get_accounts() == ()
    outcomes = [each.outcome for each in application.migrate(data=cache).accounts]
    assert outcomes == ["not_migrated", "not_migrated"]


def test_a_current_account_without_an_id_stays_the_same(
    application: PublicClientApplication,
) -> None:
    application.migrate(data=json.dumps([entry("alice@contoso.com")]).encode())
    first = application.get_current_account()
    assert first.account is not None
    assert first.account.username == "alice@contoso.com"
    again = application.get_current_account()
    assert again.account == again.previous_account == first.account


def test_accounts_known_by_name_only_are_reported(application: PublicClientApplication) -> None:
    person = {
        "id": "one", "type": "ADAL", "username": "alice@contoso.com",
        "authEndpointUrl": "https://login.windows.net/common",
    }  # fmt: skip
    item = {"account": "AccountsV3", "service": "x", "value": {"one": person}}
    report = application.migrate(data=json.dumps(item).encode(), format="apple_keychain")
    assert [(each.username, each.reason) for each in report.accounts] == [
        ("alice@contoso.com", "name_only")
    ]
    assert "login_hint" in (report.accounts[0].advice or "")
    assert application.get_accounts() == ()


def test_adal_requests_by_resource_and_name(
    application: PublicClientApplication, provider: Provider
) -> None:
    account = sign_in(application, provider).account
    result = application.acquire_token_silent_with_resource(RESOURCE, account.username or "")
    assert result.account.home_account_id == account.home_account_id
    with pytest.raises(tessera_identity.SignInRequired):
        application.acquire_token_silent_with_resource(RESOURCE, "nobody@contoso.com")


def test_data_without_a_cache_has_a_remedy(
    application: PublicClientApplication, tmp_path: Path
) -> None:
    for arguments in ({"path": tmp_path / "nothing"}, {"data": b"no cache"}, {"data": b""}):
        with pytest.raises(tessera_identity.InvalidRequest) as caught:
            application.migrate(**arguments)
        assert caught.value.code == "legacy_cache_invalid"
    with pytest.raises(tessera_identity.InvalidRequest) as caught:
        application.migrate(data=b"x", format="zip")
    assert "adal_python" in caught.value.message
    with pytest.raises(tessera_identity.InvalidRequest):
        application.migrate()


def test_accounts_are_exported_for_adal(
    application: PublicClientApplication, provider: Provider
) -> None:
    with pytest.raises(tessera_identity.SignInRequired):
        application.export_sign_ins("apple_keychain")
    account = sign_in(application, provider).account
    keychain = application.export_sign_ins("apple_keychain", account=account)
    assert keychain.account_count == 1
    assert {item["type"] for item in keychain.items} >= {1003, 2002}
    assert "com.microsoft.adalcache" in keychain.access_groups
    assert "value" not in repr(keychain)
    blob = application.export_sign_ins("adal_macos").data
    assert blob is not None
    assert blob.startswith(b"bplist00")
    again = application.export_sign_ins("adal_macos", data=blob).data
    assert again is not None
    assert len(again) == len(blob)
    with pytest.raises(tessera_identity.InvalidRequest):
        application.export_sign_ins("adal_macos", data=b"no archive")


def test_the_cache_of_the_azure_cli_is_found_at_its_location(
    application: PublicClientApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AZURE_ACCESS_TOKEN_FILE", raising=False)
    monkeypatch.setenv("AZURE_CONFIG_DIR", str(tmp_path))
    with pytest.raises(tessera_identity.InvalidRequest, match=r"accessTokens\.json") as caught:
        application.migrate(place="azure_cli")
    assert caught.value.code == "legacy_cache_invalid"
    (tmp_path / "accessTokens.json").write_text(json.dumps([entry("alice@contoso.com")]))
    report = application.migrate(place="azure_cli")
    assert (report.format, [each.outcome for each in report.accounts]) == ("azure_cli", ["migrated"])
    with pytest.raises(tessera_identity.InvalidRequest):
        application.migrate(tmp_path / "accessTokens.json", place="azure_cli")
