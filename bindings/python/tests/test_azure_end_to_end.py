# SPDX-License-Identifier: MIT
"""Programs of the Azure SDK get tokens after a sign-in with Tessera."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from azure.core.exceptions import ClientAuthenticationError
from azure.core.pipeline import Pipeline
from azure.core.pipeline.policies import BearerTokenCredentialPolicy
from azure.core.pipeline.transport import HttpTransport
from azure.core.rest import HttpRequest
from azure.identity import ChainedTokenCredential, CredentialUnavailableError

from browser_user import user_who_signs_in
from real import CLIENT, SCOPES, application, needs_library, provider, running, settings, sign_in
from tessera_identity.azure import TesseraCredential
from tessera_identity.azure.aio import TesseraCredential as AsyncCredential

if TYPE_CHECKING:
    from provider import Provider
    from tessera_identity import PublicClientApplication

__all__ = ["application", "provider", "running", "settings"]

pytestmark = [needs_library, pytest.mark.parametrize("settings", ["entra"], indirect=True)]


class Resource(HttpTransport[HttpRequest, Any]):
    """A resource that records the received tokens, instead of a network."""

    def __init__(self) -> None:
        self.tokens: list[str] = []

    def send(self, request: HttpRequest, **_options: Any) -> Any:
        self.tokens.append(request.headers["Authorization"])

        class Response:
            status_code = 200
            headers: dict[str, str] = {}  # noqa: RUF012

        return Response()

    def open(self) -> None:
        pass

    def close(self) -> None:
        pass

    def __exit__(self, *_details: object) -> None:
        pass


def test_a_client_sends_the_token_that_another_program_stored(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> None:
    result = sign_in(application, provider)
    before = provider.count("requests")
    resource = Resource()
    request = HttpRequest("GET", "https://resource.example/")
    with TesseraCredential(CLIENT, **settings) as credential:
        policy = BearerTokenCredentialPolicy(credential, *SCOPES)
        with Pipeline[HttpRequest, Any](resource, [policy]) as pipeline:
            pipeline.run(request)
        token = credential.get_token(*SCOPES)
        assert token == (result.access_token, result.expires_on)
        assert asyncio.run(other(settings)) == result.access_token
    assert resource.tokens == [f"Bearer {result.access_token}"]
    assert provider.count("requests") == before


async def other(settings: dict[str, Any]) -> str:
    async with AsyncCredential(CLIENT, **settings) as credential:
        return (await credential.get_token(*SCOPES)).token


def test_tokens_that_can_end_early_are_others(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> None:
    result = sign_in(application, provider)
    with TesseraCredential(CLIENT, **settings) as credential:
        early = credential.get_token(*SCOPES, enable_cae=True).token
        assert early != result.access_token
        assert credential.get_token(*SCOPES, enable_cae=True).token == early
        assert credential.get_token(*SCOPES).token == result.access_token
        claims = json.dumps({"access_token": {"nbf": {"essential": True, "value": "1"}}})
        fresh = credential.get_token(*SCOPES, enable_cae=True, claims=claims).token
        assert fresh not in (early, result.access_token)


def test_signed_out_is_a_reason_to_go_on(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> None:
    account = sign_in(application, provider).account
    with TesseraCredential(CLIENT, **settings) as credential:
        credential.get_token(*SCOPES)
        application.remove_account(account)
        with pytest.raises(CredentialUnavailableError):
            credential.get_token(*SCOPES)
        with pytest.raises(ClientAuthenticationError):
            ChainedTokenCredential(credential).get_token(*SCOPES)


def test_a_user_signs_in_in_a_browser(provider: Provider, settings: dict[str, Any]) -> None:
    with TesseraCredential(
        CLIENT, interactive=user_who_signs_in(provider), timeout=30, **settings
    ) as credential:
        token = credential.get_token(*SCOPES)
        assert credential.get_token(*SCOPES) == token
