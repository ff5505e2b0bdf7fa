# SPDX-License-Identifier: MIT
"""Every credential at every kind of authority."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conftest import CLIENT, SCOPES, SECRET
from keys import PASSPHRASE
from service import claims

if TYPE_CHECKING:
    from collections.abc import Callable

    from provider import Provider

    from conftest import Services
    from keys import KeyFiles

    Credential = Callable[[KeyFiles, Path], dict[str, Any]]

KINDS = ("entra", "ciam", "b2c", "adfs", "openid")
ASSERTION = "an.assertion.of.another.issuer"


def _secret_file(_keys: KeyFiles, directory: Path) -> dict[str, Any]:
    (directory / "secret").write_text(SECRET + "\n")
    return {"secret_file": str(directory / "secret")}


def _assertion_file(_keys: KeyFiles, directory: Path) -> dict[str, Any]:
    (directory / "assertion").write_text(ASSERTION + "\n")
    return {"assertion_file": str(directory / "assertion")}


CREDENTIALS: dict[str, tuple[str, Credential]] = {
    "secret": ("1", lambda _keys, _directory: {"secret": SECRET}),
    "secret_file": ("1", _secret_file),
    "certificate_pem": (
        "2",
        lambda keys, _: {"certificate_pem": keys.pem, "key_pem": keys.key.read_text()},
    ),
    "certificate_file": (
        "2",
        lambda keys, _: {"certificate_file": str(keys.certificate), "key_file": str(keys.key)},
    ),
    "encrypted_key_file": (
        "2",
        lambda keys, _: {
            "certificate_file": str(keys.certificate),
            "key_file": str(keys.encrypted_key),
            "passphrase": PASSPHRASE,
        },
    ),
    "pfx_file": ("2", lambda keys, _: {"pfx_file": str(keys.pfx), "passphrase": PASSPHRASE}),
    "send_chain": (
        "2",
        lambda keys, _: {
            "certificate_file": str(keys.certificate),
            "key_file": str(keys.key),
            "send_chain": True,
        },
    ),
    "assertion": ("2", lambda _keys, _directory: {"assertion": ASSERTION}),
    "assertion_file": ("2", _assertion_file),
}
"""The credentials by name, with the claim `azpacr` of Entra's tokens for them."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", CREDENTIALS)
def test_client_credentials(
    name: str, kind: str, services: Services, provider: Provider, keys: KeyFiles, tmp_path: Path
) -> None:
    authentication, credential = CREDENTIALS[name]
    service = services(kind, credential=credential(keys, tmp_path))
    first = service.token_for_client(scopes=SCOPES)
    assert first.source == "network"
    if kind in ("entra", "ciam", "b2c"):
        assert claims(first.token)["azpacr"] == authentication
        assert claims(first.token)["roles"] == ["Mail.Read"]
    again = service.token_for_client(scopes=SCOPES)
    assert (again.source, again.token) == ("cache", first.token)
    assert provider.token_requests("client_credentials") == 1
    # Each assertion has a new identifier, which generic issuers accept once.
    forced = service.token_for_client(scopes=SCOPES, force_refresh=True)
    assert forced.token != first.token


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
@pytest.mark.parametrize("kind", KINDS)
def test_configured_method(method: str, kind: str, services: Services, provider: Provider) -> None:
    provider.command("set", client_authentication_methods=[method])
    service = services(kind, authentication_method=method)
    assert service.token_for_client(scopes=SCOPES).source == "network"


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
def test_method_of_the_metadata(method: str, services: Services, provider: Provider) -> None:
    provider.command("set", client_authentication_methods=[method])
    assert services("openid").token_for_client(scopes=SCOPES).source == "network"


def test_key_of_a_curve(services: Services, curve_keys: KeyFiles) -> None:
    files = {"certificate_file": str(curve_keys.certificate), "key_file": str(curve_keys.key)}
    assert services("openid", credential=files).token_for_client(scopes=SCOPES).source == "network"


def test_replaced_secret_and_assertion_files(
    services: Services, provider: Provider, keys: KeyFiles, tmp_path: Path
) -> None:
    for name in ("secret_file", "assertion_file"):
        credential = CREDENTIALS[name][1](keys, tmp_path)
        service = services(credential=credential)
        assert service.token_for_client(scopes=SCOPES, force_refresh=True).source == "network"
        provider.command(
            "register", client_id=CLIENT, secrets=["the next secret"], assertions=["the.next.one"]
        )
        renewed = "the next secret" if name == "secret_file" else "the.next.one"
        Path(credential[name]).write_text(renewed)
        assert service.token_for_client(scopes=SCOPES, force_refresh=True).source == "network"
        provider.command("register", client_id=CLIENT, secrets=[SECRET], assertions=[ASSERTION])


def test_wrong_secret(services: Services) -> None:
    wrong = "a wrong secret of a test"
    for kind in KINDS:
        result = services(kind, credential={"secret": wrong}).token_for_client(scopes=SCOPES)
        assert result.error["oauth_error"] == "invalid_client", kind
        assert wrong not in str(result.document)


def test_wrong_key(
    services: Services, provider: Provider, keys: KeyFiles, curve_keys: KeyFiles
) -> None:
    provider.command("register", client_id=CLIENT, certificates=[curve_keys.pem])
    files = {"certificate_file": str(keys.certificate), "key_file": str(keys.key)}
    result = services(credential=files).token_for_client(scopes=SCOPES)
    assert result.error["oauth_error"] == "invalid_client"
    assert 700027 in result.error["server_codes"]
