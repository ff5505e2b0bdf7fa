# SPDX-License-Identifier: MIT
"""Intune app protection: enrollments, and the policy that requires them, with the real library."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from real import ALICE, CLIENT, SCOPES, needs_library, provider, running
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from pathlib import Path

    from provider import Provider

__all__ = ["provider", "running"]

pytestmark = needs_library

RESOURCE = {"login.microsoftonline.com": "https://intunemam.microsoftonline.com"}


def settings(provider: Provider, path: Path, enrolment: str) -> dict[str, Any]:
    enrolled = {"user_id": ALICE, "enrollment_id": enrolment}
    return {
        "authority": provider.entra_authority, "authority_type": "entra", "store_directory": path,
        "bundle_id": "com.contoso.app", "redirect_uri": "http://localhost",
        "intune_enrollment_ids": {"enrollment_ids": [enrolled]}, "intune_mam_resource": RESOURCE,
    }  # fmt: skip


def test_a_token_serves_the_enrolment_that_it_was_given_for(
    provider: Provider, tmp_path: Path
) -> None:
    with PublicClientApplication(CLIENT, **settings(provider, tmp_path, "first")) as application:
        begun = application.begin_sign_in(SCOPES)
        account = application.complete_sign_in(begun.state, url=provider.visit(begun.url)).account
        assert application.acquire_token_silent(SCOPES, account=account).source == "cache"
    with PublicClientApplication(CLIENT, **settings(provider, tmp_path, "second")) as application:
        candidates = application.explain(SCOPES, account=account).candidates
        assert any("other_enrollment" in each.obstacles for each in candidates)
        assert application.acquire_token_silent(SCOPES, account=account).source == "network"


def test_the_policy_error_names_account_and_authority(provider: Provider, tmp_path: Path) -> None:
    with PublicClientApplication(CLIENT, **settings(provider, tmp_path, "first")) as application:
        begun = application.begin_sign_in(SCOPES)
        account = application.complete_sign_in(begun.state, url=provider.visit(begun.url)).account
        refusal = {
            "error": "unauthorized_client",
            "suberror": "protection_policy_required",
            "adi": ALICE,
        }
        provider.command("fail_token_requests", requests=1, status=400, body=json.dumps(refusal))
        with pytest.raises(tessera_identity.ConfigurationProblem) as caught:
            application.acquire_token_silent(SCOPES, account=account, force_refresh=True)
    assert caught.value.code == "protection_policy_required"
    assert caught.value.username == ALICE
    assert caught.value.home_account_id == account.home_account_id
    assert caught.value.authority == provider.entra_authority
    assert caught.value.msal_code == -50004


def test_invalid_enrollments_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(tessera_identity.InvalidRequest) as caught:
        PublicClientApplication(CLIENT, store_directory=tmp_path, intune_enrollment_ids={"ids": []})
    assert caught.value.code == "invalid_member"
    with pytest.raises(tessera_identity.ConfigurationProblem):
        PublicClientApplication(CLIENT, store_directory=tmp_path, intune_mam_resource=RESOURCE)
