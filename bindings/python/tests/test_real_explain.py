# SPDX-License-Identifier: MIT
"""Explanations, resources and missing accounts, with the real library against the local identity provider."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from real import CLIENT, SCOPES, application, needs_library, provider, running, settings, sign_in
from tessera_identity import PublicClientApplication, SignInRequiredError, default_scope

if TYPE_CHECKING:
    from provider import Provider

VECTORS = Path(__file__).parents[3] / "Tests/Vectors/scopes_and_accounts.json"

pytestmark = needs_library

__all__ = ["application", "provider", "running", "settings"]


def test_every_token_is_listed(application: PublicClientApplication, provider: Provider) -> None:
    result = sign_in(application, provider)
    requests = provider.count("requests")
    explanation = application.explain(SCOPES, account=result.account)
    assert (explanation.decision, explanation.reason) == ("use", "valid")
    found = [(each.credential_type, each.role, each.obstacles) for each in explanation.candidates]
    assert found == [
        ("AccessToken", "used", ()),
        ("RefreshToken", "not_used", ("not_needed",)),
    ]
    assert provider.count("requests") == requests
    assert result.access_token not in repr(explanation)
    other = application.explain(["Mail.Read"], account=result.account)
    assert other.decision == "refresh"
    assert other.candidates[-1].missing_scopes == ("Mail.Read",)


def test_a_result_has_durations(
    application: PublicClientApplication, provider: Provider
) -> None:
    account = sign_in(application, provider).account
    cached = application.acquire_token_silent(SCOPES, account=account, explain=True).explanation
    assert cached is not None
    assert (cached.decision, cached.network_microseconds) == ("use", 0)
    fresh = application.acquire_token_silent(
        SCOPES, account=account, force_refresh=True, explain=True
    ).explanation
    assert fresh is not None
    assert fresh.reason == "forced"
    assert 0 < (fresh.network_microseconds or 0) <= (fresh.total_microseconds or 0)


def test_an_account_of_another_provider_is_reported(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> None:
    account = sign_in(application, provider).account
    document = {**account._document, "environment": "elsewhere.example"}
    other = type(account)(document)
    explanation = application.explain(SCOPES, account=other, authority=settings["authority"])
    assert explanation.decision == "sign_in"
    assert "elsewhere.example" in explanation.message
    assert all(each.obstacles[0] == "other_environment" for each in explanation.candidates)
    assert len(explanation.candidates) == 2


def test_a_sign_in_has_durations(
    application: PublicClientApplication, provider: Provider
) -> None:
    explanation = application.acquire_token_by_device_code(
        SCOPES, prompt_callback=provider.approves(), explain=True
    ).explanation
    assert explanation is not None
    assert (explanation.decision, explanation.reason) == ("signed_in", "device_code")
    # The sign-in of the user takes a second at least; servers are faster.
    assert 0 < (explanation.network_microseconds or 0) < (explanation.total_microseconds or 0)


def test_no_account_means_signing_in(application: PublicClientApplication) -> None:
    with pytest.raises(SignInRequiredError) as caught:
        application.acquire_token_silent(SCOPES, account=None)
    assert caught.value.msal_code == -50002


def test_capabilities_have_tokens_of_their_own(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> None:
    account = sign_in(application, provider).account
    with PublicClientApplication(CLIENT, client_capabilities=["CP1"], **settings) as capable:
        assert capable.acquire_token_silent(SCOPES, account=account).source == "network"
        assert capable.acquire_token_silent(SCOPES, account=account).source == "cache"
    assert application.acquire_token_silent(SCOPES, account=account).source == "cache"


def test_resources_become_scopes() -> None:
    rows = [row for row in json.loads(VECTORS.read_text()) if row["name"].startswith("resource ")]
    assert len(rows) == 2
    for row in rows:
        assert default_scope(row["input"]) == row["expected"]
