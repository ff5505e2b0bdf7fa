# SPDX-License-Identifier: MIT
"""Host-driven sign-ins, with the real library and the provider's pages."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from real import CLIENT, SCOPES, application, needs_library, provider, running, settings
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from pathlib import Path

    from provider import Provider

__all__ = ["application", "provider", "running", "settings"]

pytestmark = needs_library

PROGRAM = """
import json, sys, tessera_identity
settings, state, url = json.loads(sys.argv[1])
with tessera_identity.PublicClientApplication(**settings) as application:
    try:
        print(application.complete_sign_in(state, url=url).account.username)
    except tessera_identity.TesseraError as error:
        print(error.code)
"""


def completed_elsewhere(settings: dict[str, Any], state: str, url: str) -> str:
    """Returns the output of another process that completes a sign-in."""
    import json
    import os

    words = json.dumps([{"client_id": CLIENT, **settings}, state, url], default=str)
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True, check=True, timeout=60,
    ).stdout.strip()  # fmt: skip


def test_a_sign_in_is_followed_by_a_silent_token(
    application: PublicClientApplication, provider: Provider
) -> None:
    begun = application.begin_sign_in(SCOPES)
    assert begun.redirect_uri == "http://localhost"
    assert begun.state not in repr(begun)
    result = application.complete_sign_in(begun.state, url=provider.visit(begun.url))
    assert result.source == "network"
    assert result.account.username == "alice@contoso.com"
    silent = application.acquire_token_silent(SCOPES, account=result.account)
    assert silent.access_token == result.access_token


def test_another_process_completes_a_sign_in_once(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> None:
    begun = application.begin_sign_in(SCOPES)
    url = provider.visit(begun.url)
    assert completed_elsewhere(settings, begun.state, url) == "alice@contoso.com"
    assert completed_elsewhere(settings, begun.state, url) == "sign_in_used"
    with pytest.raises(tessera_identity.SignInRequired) as caught:
        application.complete_sign_in(begun.state, url=url)
    assert caught.value.code == "sign_in_used"


def test_a_sign_in_survives_another_library_that_overwrites_the_shared_file(
    provider: Provider, tmp_path: Path
) -> None:
    shared = tmp_path / "cache.json"
    settings: dict[str, Any] = {"authority": provider.oidc_issuer, "msal_cache": shared}
    with PublicClientApplication(CLIENT, **settings) as application:
        begun = application.begin_sign_in(SCOPES)
        url = provider.visit(begun.url)
        shared.write_text("{}")
        assert completed_elsewhere(settings, begun.state, url) == "alice@contoso.com"
        shared.write_text("{}")
        assert completed_elsewhere(settings, begun.state, url) == "sign_in_used"


def test_a_lost_key_asks_for_a_new_sign_in(provider: Provider, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"authority": provider.oidc_issuer, "msal_cache": tmp_path / "cache.json"}
    with PublicClientApplication(CLIENT, **settings) as application:
        begun = application.begin_sign_in(SCOPES)
        for file in tmp_path.iterdir():
            file.unlink()
        with pytest.raises(tessera_identity.SignInRequired) as caught:
            application.complete_sign_in(begun.state, url=provider.visit(begun.url))
        assert caught.value.code == "sign_in_lost"


def test_an_invalid_response_leaves_the_sign_in_pending(
    application: PublicClientApplication, provider: Provider
) -> None:
    begun, other = application.begin_sign_in(SCOPES), application.begin_sign_in(SCOPES)
    url = provider.visit(begun.url)
    for wrong in (provider.visit(other.url), "http://localhost?code=c&state=x", ""):
        with pytest.raises(tessera_identity.InvalidRequest) as caught:
            application.complete_sign_in(begun.state, url=wrong)
        assert caught.value.code == "state_mismatch"
    with pytest.raises(tessera_identity.InvalidRequest) as caught:
        application.complete_sign_in(begun.state + "x", url=url)
    assert caught.value.code == "invalid_sign_in_state"
    with pytest.raises(tessera_identity.InvalidRequest) as caught:
        application.complete_sign_in(begun.state)
    assert caught.value.code == "invalid_member"
    assert application.complete_sign_in(begun.state, url=url).account.username


def test_the_system_opens_registered_schemes_only(settings: dict[str, Any], tmp_path: Path) -> None:
    settings["redirect_uri"] = "com.example.nobody-opens-this://auth"
    with PublicClientApplication(CLIENT, **settings) as application:
        with pytest.raises(tessera_identity.ConfigurationProblem) as caught:
            application.begin_sign_in(SCOPES, delivery="system")
        assert caught.value.code == "redirect_scheme_not_registered"
        assert (caught.value.msal_code, caught.value.msal_internal_code) == (-50000, -42001)
        assert application.begin_sign_in(SCOPES).redirect_uri == settings["redirect_uri"]
        with pytest.raises(tessera_identity.ConfigurationProblem) as caught:
            application.acquire_token_interactive(SCOPES, browser="show", prompt=print)
        assert caught.value.code == "redirect_scheme_not_registered"
    settings["registered_schemes"] = ["com.example.nobody-opens-this"]
    settings["store_directory"] = tmp_path / "other"
    with PublicClientApplication(CLIENT, **settings) as application:
        assert application.begin_sign_in(SCOPES, delivery="system").url


def test_a_url_without_a_pending_sign_in_is_rejected() -> None:
    for url in ("com.example.app://auth?code=c&state=nobody", "", "a\0b"):
        with pytest.raises(tessera_identity.InvalidRequest) as caught:
            tessera_identity.hand_over_url(url)
        assert caught.value.code in {"state_mismatch", "invalid_member"}
    stop = tessera_identity.Cancellation()
    stop.cancel()
    with pytest.raises(tessera_identity.Cancelled):
        tessera_identity.hand_over_url("com.example.app://auth?code=c&state=nobody", cancellation=stop)


def test_a_user_declines(application: PublicClientApplication, provider: Provider) -> None:
    begun = application.begin_sign_in(["files.read"], page_prompt="consent")
    with pytest.raises(tessera_identity.Cancelled) as caught:
        application.complete_sign_in(begun.state, url=provider.visit(begun.url, decision="decline"))
    assert caught.value.code == "access_denied"


def test_in_memory_the_same_process_completes(provider: Provider) -> None:
    settings: dict[str, Any] = {"authority": provider.oidc_issuer, "storage_policy": "memory_only"}
    with PublicClientApplication(CLIENT, **settings) as application:
        begun = application.begin_sign_in(SCOPES)
        url = provider.visit(begun.url)
        assert completed_elsewhere(settings, begun.state, url) == "sign_in_lost"
        assert application.complete_sign_in(begun.state, url=url).account.username


def test_another_account_is_a_mismatch(
    application: PublicClientApplication, provider: Provider
) -> None:
    begun = application.begin_sign_in(SCOPES)
    alice = application.complete_sign_in(begun.state, url=provider.visit(begun.url)).account
    begun = application.begin_sign_in(SCOPES, account=alice)
    url = provider.visit(begun.url, username="bob@contoso.com")
    with pytest.raises(tessera_identity.SignInRequired) as caught:
        application.complete_sign_in(begun.state, url=url)
    assert caught.value.code == "account_mismatch"
    assert len(application.get_accounts()) == 1
