# SPDX-License-Identifier: MIT
"""Fixtures: the local provider with a registered service, keys, and services with a store of the test."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from provider import Provider

from keys import KeyFiles, make_keys
from service import Service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Services = Callable[..., Service]

CLIENT = "3d0c1d1c-54b5-4c7d-8b35-0c7e7a4b1c2d"
SECRET = "a secret: with %, + and ünusual letters"
SCOPES = ["https://graph.microsoft.com/.default"]
IS_LONG = bool(os.environ.get("LONG"))


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyFiles:
    """A certificate with an RSA key."""
    return make_keys(tmp_path_factory.mktemp("keys") / "rsa")


@pytest.fixture(scope="session")
def curve_keys(tmp_path_factory: pytest.TempPathFactory) -> KeyFiles:
    """A certificate with a key of the curve P-256."""
    return make_keys(tmp_path_factory.mktemp("keys") / "p256", "p256")


@pytest.fixture(scope="session")
def running() -> Iterator[Provider]:
    """The local provider."""
    with Provider() as provider:
        yield provider


@pytest.fixture
def provider(running: Provider, keys: KeyFiles, curve_keys: KeyFiles) -> Provider:
    """The local provider without failures, with its counters at zero and the registration of the service."""
    running.command("recover")
    running.command("set", access_token_lifetime_seconds=3600, client_authentication_methods=None)
    running.command(
        "register", client_id=CLIENT, secrets=[SECRET], certificates=[keys.pem, curve_keys.pem],
        assertions=["an.assertion.of.another.issuer"], roles=["Mail.Read"],
    )  # fmt: skip
    running.command("reset_counts")
    return running


@pytest.fixture
def services(provider: Provider, tmp_path: Path) -> Iterator[Services]:
    """Creates services at the local provider, which share the store of the test."""
    created: list[Service] = []

    def make(kind: str = "entra", **settings: Any) -> Service:
        service = Service(**configuration(provider, tmp_path, kind, **settings))
        created.append(service)
        return service

    yield make
    for service in created:
        service.close()


def configuration(
    provider: Provider, directory: Path, kind: str = "entra", **settings: Any
) -> dict[str, Any]:
    """Returns the configuration of a service with the client secret, at one of the authorities."""
    authority = provider.authorities[kind]
    if kind == "entra":
        authority = authority.replace("/common", "/contoso.onmicrosoft.com")
    return {
        "client_id": CLIENT,
        "authority": authority,
        "authority_type": kind,
        "store": {"directory": str(directory / "store")},
        "credential": {"secret": SECRET},
        **settings,
    }
