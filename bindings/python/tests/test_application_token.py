# SPDX-License-Identifier: MIT
"""An app-only token of MSAL Python, in the shared file."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from msal_extensions import FilePersistence, PersistedTokenCache

from entra import AUTHORITY, CLIENT, Entra
from msal_programs import confidential
from real import needs_library
from tessera_identity import InvalidRequest, PublicClientApplication, SignInRequired

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_library

SCOPES = ["https://graph.microsoft.com/.default"]


def test_it_is_handed_out_without_a_network(tmp_path: Path) -> None:
    file = tmp_path / "msal_token_cache.json"
    server = Entra("the application")
    service = confidential(PersistedTokenCache(FilePersistence(str(file))), server)
    theirs = service.acquire_token_for_client(SCOPES)["access_token"]
    service.acquire_token_for_client(["special/.default"], fmi_path="a/path")
    with PublicClientApplication(
        # The proxy has no listener: every request fails.
        CLIENT, authority=AUTHORITY, proxy="http://127.0.0.1:9", msal_cache=str(file),
    ) as application:  # fmt: skip
        result = application.acquire_token_silent(SCOPES, account=None, for_application=True)
        assert (result.access_token, result.source) == (theirs, "cache")
        assert result.account.home_account_id == ""
        again = asyncio.run(
            application.acquire_token_silent_async(SCOPES, account=None, for_application=True)
        )
        assert again.access_token == theirs
        with pytest.raises(SignInRequired):
            application.acquire_token_silent(SCOPES, account=None)
        for scopes in (["other/.default"], ["special/.default"]):
            with pytest.raises(SignInRequired, match="the library that has the client credentials"):
                application.acquire_token_silent(scopes, account=None, for_application=True)
        with pytest.raises(InvalidRequest, match="for_application"):
            application.acquire_token_silent(SCOPES, account="a.b", for_application=True)
