# SPDX-License-Identifier: MIT
"""Sign-ins with Microsoft Authenticator, with the real library, the provider's tokens and a fake Authenticator."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from authenticator import parameters, response_url, tokens
from real import ALICE, CLIENT, SCOPES, needs_library, provider, running
from tessera_identity import PublicClientApplication
from tessera_identity.aio import nonblocking_view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provider import Provider

__all__ = ["provider", "running"]

pytestmark = needs_library

PLACE = "msauth.com.contoso.app://auth"
VECTORS = json.loads((Path(__file__).parents[3] / "Tests/Vectors/authenticator.json").read_text())


def vectors(area: str) -> list[Any]:
    """Returns the vectors of an area."""
    return [pytest.param(row, id=row["name"]) for row in VECTORS if row["area"] == f"authenticator.{area}"]


@pytest.fixture
def settings(provider: Provider, tmp_path: Path) -> dict[str, Any]:
    return {
        "authority": provider.entra_authority, "authority_type": "entra", "bundle_id": "com.contoso.app",
        "redirect_uri": PLACE, "store_directory": tmp_path / "store",
    }  # fmt: skip


@pytest.fixture
def application(settings: dict[str, Any]) -> Iterator[PublicClientApplication]:
    with PublicClientApplication(CLIENT, **settings) as made:
        yield made


def code_of(application: PublicClientApplication, state: str, url: str, **more: Any) -> str:
    """Returns the error code of completing a sign-in."""
    with pytest.raises(tessera_identity.TesseraError) as raised:
        application.complete_sign_in(state, url=url, **more)
    return raised.value.code


def test_a_user_signs_in_with_authenticator(
    application: PublicClientApplication, settings: dict[str, Any], provider: Provider
) -> None:
    begun = application.begin_sign_in(SCOPES, authenticator={"query_schemes": ["msauthv2", "msauthv3"]})
    assert begun.url.startswith("msauthv2://broker?")
    assert begun.redirect_uri == PLACE
    assert begun.url not in repr(begun)
    url = response_url(begun.url, tokens(begun.url, provider, ALICE))
    with PublicClientApplication(CLIENT, **settings) as elsewhere:
        result = elsewhere.complete_sign_in(
            begun.state, url=url, source_application="com.microsoft.azureauthenticator"
        )
        assert result.account.username == ALICE
        assert result.persisted
    assert code_of(application, begun.state, url) == "sign_in_used"
    silent = application.acquire_token_silent(SCOPES, account=result.account)
    assert silent.access_token == result.access_token
    renewed = application.acquire_token_silent(SCOPES, account=result.account, force_refresh=True)
    assert renewed.source == "network"


def test_the_same_without_blocking(application: PublicClientApplication, provider: Provider) -> None:
    async def sign_in() -> str | None:
        begun = await nonblocking_view(application).begin_sign_in(SCOPES, authenticator={})
        url = response_url(begun.url, tokens(begun.url, provider, ALICE))
        return (await nonblocking_view(application).complete_sign_in(begun.state, url=url)).account.username

    assert asyncio.run(sign_in()) == ALICE


def test_invalid_responses_are_named_and_leave_the_sign_in_pending(
    application: PublicClientApplication, settings: dict[str, Any], provider: Provider
) -> None:
    begun = application.begin_sign_in(SCOPES, authenticator={})
    fields = tokens(begun.url, provider, ALICE)
    url = begun.url
    for expected, wrong in [
        ("broker_response_missing", ""),
        ("broker_state_mismatch", response_url(url, fields).replace("contoso", "evil")),
        ("broker_version_unsupported", response_url(url, fields, msg_protocol_ver="1")),
        ("broker_version_unsupported", response_url(url, fields, msg_protocol_ver=None)),
        ("broker_hash_missing", response_url(url, fields, hash=None)),
        ("broker_response_corrupted", response_url(url, fields, response=",,,")),
        ("broker_decryption_failed", response_url(url, fields, response="AAAA")),
        ("broker_hash_mismatch", response_url(url, fields, hash="0" * 64)),
        ("broker_nonce_mismatch", response_url(url, {**fields, "broker_nonce": "other"})),
    ]:
        assert code_of(application, begun.state, wrong) == expected
    good = response_url(url, fields)
    moved = settings | {"redirect_uri": "app://com.contoso.app"}
    with PublicClientApplication(CLIENT, **moved) as elsewhere:
        assert code_of(elsewhere, begun.state, good) == "broker_state_invalid"
    assert code_of(application, "a1.AAAA", good) == "broker_state_missing"
    assert code_of(application, begun.state, good, source_application="evil") == "broker_state_mismatch"
    assert application.complete_sign_in(begun.state, url=good).account.username == ALICE


@pytest.mark.parametrize("vector", vectors("refusal"))
def test_a_rejection_names_the_remedy(application: PublicClientApplication, vector: dict[str, Any]) -> None:
    begun = application.begin_sign_in(SCOPES, authenticator={})
    with pytest.raises(tessera_identity.TesseraError) as raised:
        application.complete_sign_in(begun.state, url=response_url(begun.url, vector["input"]))
    for name, value in vector["expected"].items():
        found = getattr(raised.value, name)
        assert (list(found) if isinstance(found, tuple) else found) == value, name


@pytest.mark.parametrize("authenticator", [None, {}], ids=["page", "authenticator"])
@pytest.mark.parametrize("vector", vectors("prompt"))
def test_device_requirements_of_a_page(
    application: PublicClientApplication, vector: dict[str, Any], authenticator: dict[str, Any] | None
) -> None:
    begun = application.begin_sign_in(SCOPES, authenticator=authenticator)
    with pytest.raises(tessera_identity.TesseraError) as raised:
        application.complete_sign_in(begun.state, url=vector["input"]["url"])
    expected = vector["expected"]
    for name, value in (expected or {}).items():
        assert getattr(raised.value, name) == value, name
    if expected is None:
        assert not raised.value.code.startswith(("workplace", "device"))
        assert raised.value.app_link is None


def test_a_broker_rejection_keeps_its_tokens_for_the_next_request(
    application: PublicClientApplication, provider: Provider
) -> None:
    begun = application.begin_sign_in(SCOPES, authenticator={})
    fields = tokens(begun.url, provider, ALICE)
    refusal = {
        "broker_error_domain": "MSIDErrorDomain", "broker_error_code": "-51430", "success": "0",
        "application_token": "seen", "additional_tokens": json.dumps(fields),
    }  # fmt: skip
    with pytest.raises(tessera_identity.ConfigurationError) as raised:
        application.complete_sign_in(begun.state, url=response_url(begun.url, refusal))
    assert raised.value.code == "protection_policy_required"
    assert fields["access_token"] not in f"{raised.value!r} {raised.value} {raised.value.details}"
    account = application.get_account(username=ALICE)
    found = application.acquire_token_silent(SCOPES, account=account)
    assert found.access_token == fields["access_token"]
    assert parameters(application.begin_sign_in(SCOPES, authenticator={}).url)["application_token"] == "seen"


def test_a_request_contains_the_arguments(application: PublicClientApplication) -> None:
    options: dict[str, Any] = {
        "client_app_name": "Mail", "client_app_version": "1.0", "sdk_capabilities": ["sso_extension", "x"],
        "intune_enrollment_ids": {"enrollment_ids": []}, "intune_mam_resource": {"b": "c"},
        "brk_client_id": "hub", "brk_redirect_uri": "msauth.hub://auth", "client_sku": "sku",
        "platform_sequence": "a|b",
        "onboarding_blob": "blob", "new_mobile_onboarding_flow": True, "bound_refresh_tokens": True,
        "user_federated_identity_credential": "credential",
    }  # fmt: skip
    begun = application.begin_sign_in(SCOPES, authenticator=options, claims='{"id_token":{"a b":null}}')
    sent = parameters(begun.url)
    assert begun.redirect_uri == "msauth.hub://auth"
    assert sent["claims"] == "%7B%22id_token%22%3A%7B%22a+b%22%3Anull%7D%7D"
    for name, value in {
        "client_app_name": "Mail", "client_app_version": "1.0", "sdk_broker_capabilities": "sso_extension,x",
        "intune_enrollment_ids": '{"enrollment_ids":[]}', "intune_mam_resource": '{"b":"c"}',
        "brk_client_id": "hub", "brk_redirect_uri": "msauth.hub://auth", "client_sku": "sku",
        "x-client-xtra-sku": "a|b", "onboardingBlob": "blob",
        "new_mobile_onboarding_flow": "1", "bound_rt_redeem": "1",
        "x-ms-UserFederatedIdentityCredential": "credential", "msg_protocol_ver": "3",
    }.items():  # fmt: skip
        assert sent[name] == value, name


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"query_schemes": ["msauthv2"]}, "redirect_scheme_not_registered"),
        ({"query_schemes": []}, "redirect_scheme_not_registered"),
        ({"query_scheme": []}, "unknown_member"),
        ({"client_app_name": 1}, "invalid_member"),
        ({"intune_enrollment_ids": {"ids": []}}, "invalid_member"),
        ({"intune_mam_resource": []}, "invalid_member"),
        ({"brk_client_id": "x"}, "invalid_member"),
    ],
)
def test_requests_that_a_broker_would_reject(
    application: PublicClientApplication, options: dict[str, Any], expected: str
) -> None:
    with pytest.raises(tessera_identity.TesseraError) as raised:
        application.begin_sign_in(SCOPES, authenticator=options)
    assert raised.value.code == expected
