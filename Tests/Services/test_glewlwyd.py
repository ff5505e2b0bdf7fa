# SPDX-License-Identifier: MIT
"""Services at glewlwyd, which requires integer times in assertions, and accepts each assertion once."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from server import Glewlwyd

from confidential import ISSUER, KEY_CLIENT, SCOPE, SECRET, SECRET_CLIENT, register_services
from service import Service, claims

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from keys import KeyFiles

pytestmark = pytest.mark.skipif(
    shutil.which("glewlwyd") is None, reason="glewlwyd is not installed"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, keys: KeyFiles) -> Iterator[Glewlwyd]:
    """The provider with the clients of the services."""
    directory = tmp_path_factory.mktemp("glewlwyd")
    server = Glewlwyd(directory, {"main": 3600})
    try:
        register_services(server, directory, keys)
        yield server
    finally:
        server.stop()


def _service(server: Glewlwyd, directory: Path, client_id: str, **settings: Any) -> Service:
    return Service(
        client_id=client_id,
        authority=server.issuer(ISSUER),
        authority_type="openid",
        network={"ca_file": str(server.ca_file)},
        store={"directory": str(directory / "store")},
        **settings,
    )


@pytest.mark.parametrize("method", [None, "client_secret_post", "client_secret_basic"])
def test_secret(server: Glewlwyd, tmp_path: Path, method: str | None) -> None:
    settings = {} if method is None else {"authentication_method": method}
    service = _service(server, tmp_path, SECRET_CLIENT, credential={"secret": SECRET}, **settings)
    first = service.token_for_client(scopes=[SCOPE])
    assert first.source == "network"
    assert claims(first.token)["client_id"] == SECRET_CLIENT
    assert service.token_for_client(scopes=[SCOPE]).source == "cache"
    service.close()


def test_wrong_secret(server: Glewlwyd, tmp_path: Path) -> None:
    service = _service(server, tmp_path, SECRET_CLIENT, credential={"secret": "a wrong secret"})
    assert service.token_for_client(scopes=[SCOPE]).status != 0
    service.close()


def test_signed_assertion(server: Glewlwyd, tmp_path: Path, keys: KeyFiles) -> None:
    files = {"certificate_file": str(keys.certificate), "key_file": str(keys.key)}
    service = _service(
        server, tmp_path, KEY_CLIENT, credential=files, assertion_audience="token_endpoint"
    )
    tokens = {service.token_for_client(scopes=[SCOPE]).token}
    # The provider rejects an assertion that it has seen.
    for _ in range(5):
        tokens.add(service.token_for_client(scopes=[SCOPE], force_refresh=True).token)
    assert len(tokens) == 6
    service.close()
