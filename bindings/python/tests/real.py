# SPDX-License-Identifier: MIT
"""Fixtures for tests with the real library and the local identity provider."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from provider import Provider
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LIBRARY = os.environ.get("TESSERA_LIBRARY")
PROGRAM = os.environ.get("TESSERA_PROVIDER")
CLIENT = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"
SCOPES = ["User.Read"]
ALICE = "alice@contoso.com"

needs_library = pytest.mark.skipif(
    not (LIBRARY and PROGRAM),
    reason="TESSERA_LIBRARY and TESSERA_PROVIDER do not name the library and the provider",
)


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with Provider("--interval", "1") as provider:
        yield provider


@pytest.fixture
def provider(running: Provider) -> Iterator[Provider]:
    yield running
    running.command("recover")


@pytest.fixture(params=["entra", "openid"])
def settings(request: pytest.FixtureRequest, provider: Provider, tmp_path: Path) -> dict[str, Any]:
    authority = provider.entra_authority if request.param == "entra" else provider.oidc_issuer
    return {
        "authority": authority,
        "authority_type": request.param,
        "store_directory": tmp_path / "store",
    }


@pytest.fixture
def application(settings: dict[str, Any]) -> Iterator[PublicClientApplication]:
    with PublicClientApplication(CLIENT, **settings) as made:
        yield made


def sign_in(application: PublicClientApplication, provider: Provider) -> tessera_identity.TokenResult:
    begun = application.begin_sign_in(SCOPES)
    return application.complete_sign_in(begun.state, url=provider.visit(begun.url))
