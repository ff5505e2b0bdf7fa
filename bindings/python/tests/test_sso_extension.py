# SPDX-License-Identifier: MIT
"""The single sign-on extension of Apple systems, with the vectors shared with C and Swift."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from real import ALICE, CLIENT, SCOPES, needs_library, provider, running
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from provider import Provider

__all__ = ["provider", "running"]

VECTORS = Path(__file__).parents[3] / "Tests/Vectors/sso_extension.json"
ROWS: list[dict[str, Any]] = json.loads(VECTORS.read_text()) if VECTORS.exists() else []
pytestmark = [needs_library, pytest.mark.skipif(not ROWS, reason="the vectors are not there")]


def document(row: dict[str, Any]) -> dict[str, Any]:
    """Returns the result of a row's call, as the document of C."""
    given = row["input"]
    if row["area"] == "sso_extension.request":
        return dict(tessera_identity.sso_extension_request(**given)._document)
    if "headers" in given:
        answer = tessera_identity.sso_extension_response(given["headers"])
        assert "JWT" not in repr(answer)
        return dict(answer._document)
    tessera_identity.sso_extension_error(**given["error"])
    raise AssertionError("an error that means nothing")


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['area']}: {row['name']}" for row in ROWS])
def test_row(row: dict[str, Any]) -> None:
    expected = row["expected"]
    if "error" not in expected:
        assert document(row) == expected
        return
    wanted = expected["error"]
    wanted = {"code": wanted} if isinstance(wanted, str) else wanted
    with pytest.raises(tessera_identity.TesseraError) as caught:
        document(row)
    for name, value in wanted.items():
        seen = getattr(caught.value, name)
        assert (list(seen) if isinstance(seen, tuple) else seen) == value, name


def test_tokens_of_the_extension_are_found_silently(provider: Provider, tmp_path: Path) -> None:
    authority = provider.entra_authority
    settings: dict[str, Any] = {"authority": authority, "authority_type": "entra"}
    with PublicClientApplication(CLIENT, store="memory", **settings) as other:
        begun = other.begin_sign_in(SCOPES)
        signed_in = other.complete_sign_in(begun.state, url=provider.visit(begun.url))
    assert signed_in.id_token is not None
    person, tenant = signed_in.account.home_account_id.split(".")
    headers = {
        "operation": "login", "operation_response_type": "operation_token_response",
        "success": "1", "authority": authority, "provider_type": "provider_aad_v2",
        "access_token": signed_in.access_token, "id_token": signed_in.id_token,
        "token_type": "Bearer", "scope": " ".join(SCOPES), "expires_in": "3600",
        "client_info": client_info(person, tenant),
    }  # fmt: skip
    with PublicClientApplication(CLIENT, store_directory=tmp_path / "store", **settings) as made:
        stored = made.store_sso_extension_tokens(headers, SCOPES, account=signed_in.account)
        assert stored.account.username == ALICE
        silent = made.acquire_token_silent(SCOPES, account=stored.account)
        assert silent.access_token == signed_in.access_token
        assert silent.source == "cache"
        with pytest.raises(tessera_identity.SignInRequired) as caught:
            made.store_sso_extension_tokens(headers, SCOPES, account="somebody.else")
        assert caught.value.code == "account_mismatch"


def client_info(person: str, tenant: str) -> str:
    """Returns `client_info` in Entra's format."""
    import base64

    text = json.dumps({"uid": person, "utid": tenant}).encode()
    return base64.urlsafe_b64encode(text).decode().rstrip("=")
