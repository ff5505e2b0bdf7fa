# SPDX-License-Identifier: MIT
"""The same scenario for every kind of authority, and programs without a network, with the real library."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from real import ALICE, CLIENT, SCOPES, needs_library, provider, running, sign_in
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from provider import Provider

pytestmark = needs_library

__all__ = ["provider", "running"]

KINDS = ("entra", "b2c", "ciam", "adfs", "openid")
CLAIMS = '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}'
READER = """
import json, sys, tessera_identity
client, settings = sys.argv[1], json.loads(sys.argv[2])
with tessera_identity.PublicClientApplication(client, **settings) as application:
    (account,) = application.get_accounts()
    token = application.acquire_token_silent(["User.Read"], account=account)
print(json.dumps([account.username, token.source, token.access_token]))
"""


@pytest.fixture(params=KINDS)
def settings(request: pytest.FixtureRequest, provider: Provider, tmp_path: Path) -> dict[str, Any]:
    return {
        "authority": provider.authorities[request.param],
        "authority_type": request.param,
        "store_directory": str(tmp_path / "store"),
    }


def test_every_kind(settings: dict[str, Any], provider: Provider) -> None:
    with PublicClientApplication(CLIENT, **settings) as application:
        signed_in = sign_in(application, provider)
        account = signed_in.account
        assert account.username == ALICE
        assert application.get_accounts() == (account,)
        assert application.acquire_token_silent(SCOPES, account=account).source == "cache"

        fresh = application.acquire_token_silent(SCOPES, account=account, force_refresh=True)
        assert fresh.source == "network"
        assert fresh.account == account
        assert (fresh.authority, fresh.tenant_id) == (signed_in.authority, signed_in.tenant_id)
        challenged = application.acquire_token_silent(SCOPES, account=account, claims=CLAIMS)
        assert challenged.access_token != fresh.access_token
        again = application.acquire_token_silent(SCOPES, account=account)
        assert again.access_token == challenged.access_token

        body = json.dumps({"error": "interaction_required", "claims": CLAIMS})
        provider.command("fail_token_requests", requests=1, status=400, body=body)
        with pytest.raises(tessera_identity.SignInRequired) as caught:
            application.acquire_token_silent(SCOPES, account=account, force_refresh=True)
        assert caught.value.claims == CLAIMS
        assert sign_in(application, provider).account == account

        assert application.remove_account(account)
        assert application.get_accounts() == ()
        with pytest.raises(tessera_identity.SignInRequired):
            application.acquire_token_silent(SCOPES, account=account)


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_new_process_opens_no_connection(
    settings: dict[str, Any], provider: Provider, tmp_path: Path
) -> None:
    with PublicClientApplication(CLIENT, **settings) as application:
        signed_in = sign_in(application, provider)
    requests = provider.count("requests")
    trace = tmp_path / "trace"
    done = subprocess.run(
        ["strace", "-f", "-e", "trace=network", "-o", trace, sys.executable, "-c", READER, CLIENT,
         json.dumps(settings)],
        env={**os.environ, "PYTHONPATH": str(Path(tessera_identity.__file__).parents[1])},
        stdout=subprocess.PIPE, text=True, timeout=60, check=False,
    )  # fmt: skip
    if done.returncode != 0 and not re.search("exited with", trace.read_text()):
        pytest.skip("strace may not trace here")
    assert json.loads(done.stdout) == [ALICE, "cache", signed_in.access_token]
    assert not re.findall(r"\b(?:connect|sendto|sendmsg)\(.*", trace.read_text())
    assert provider.count("requests") == requests


def test_extra_parameters_are_validated(provider: Provider) -> None:
    with pytest.raises(tessera_identity.ConfigurationProblem) as caught:
        PublicClientApplication(CLIENT, extra_token_parameters={"refresh_token": "mine"})
    assert "extra_token_parameters" in str(caught.value)
    with pytest.raises(tessera_identity.ConfigurationProblem):
        PublicClientApplication(CLIENT, known_authorities=["http://login.example/common"])
    with PublicClientApplication(
        CLIENT,
        authority=provider.entra_authority,
        authority_type="entra",
        store="memory",
        known_authorities=[provider.entra_authority],
        extra_token_parameters={"one": "1"},
        extra_query_parameters={"two": "2"},
        slice="testslice",
        dc="prod-wst-01",
    ) as application:
        assert sign_in(application, provider).source == "network"


def test_a_request_may_add_more(provider: Provider) -> None:
    with PublicClientApplication(
        CLIENT, authority=provider.entra_authority, authority_type="entra", store="memory",
        redirect_uri="http://localhost", extra_token_parameters={"one": "1"},
    ) as application:  # fmt: skip
        token = application.acquire_token_by_device_code(
            SCOPES, prompt=provider.approves(), timeout=30,
            extra_token_parameters={"one": "2"}, extra_query_parameters={"blank": ""},
        )  # fmt: skip
        cached = application.acquire_token_silent(
            SCOPES, account=token.account, extra_query_parameters={"q": "1"}
        )
        assert (cached.source, cached.access_token) == ("cache", token.access_token)
        fresh = application.acquire_token_silent(
            SCOPES, account=token.account, force_refresh=True, extra_token_parameters={"q": "1"}
        )
        assert fresh.source == "network"
        with pytest.raises(tessera_identity.InvalidRequest) as caught:
            application.acquire_token_silent(
                SCOPES, account=token.account, extra_query_parameters={"scope": "other"}
            )
        assert "extra_query_parameters" in str(caught.value)


def test_several_clouds_are_for_entra(provider: Provider) -> None:
    with pytest.raises(tessera_identity.ConfigurationProblem) as caught:
        PublicClientApplication(CLIENT, authority=provider.oidc_issuer, multiple_clouds=True)
    assert "multiple_clouds" in str(caught.value)
    application = PublicClientApplication(CLIENT, store="memory", multiple_clouds=True)
    with application, pytest.raises(tessera_identity.SignInRequired):
        application.acquire_token_silent(SCOPES, account="user.tenant")


VECTORS = json.loads((Path(__file__).parents[3] / "Tests/Vectors/authorities.json").read_text())


@pytest.mark.parametrize(
    "vector", [each for each in VECTORS if each["area"] == "authority"], ids=lambda each: each["name"]
)
def test_vectors(vector: dict[str, Any]) -> None:
    given, expected = vector["input"], vector["expected"]
    if isinstance(given, dict) and "cloud" in given:
        with pytest.raises(tessera_identity.ConfigurationProblem) as caught:
            PublicClientApplication(
                CLIENT,
                audience="AzureADandPersonalMicrosoftAccount",
                tenant=given["rawTenant"],
            )
        error = caught.value
        assert (error.msal_code, error.msal_internal_code) == (
            expected["code"],
            expected["internal"],
        )
        return
    authority = given if isinstance(given, str) else given["authority"]
    if str(expected).startswith("error"):
        with pytest.raises(tessera_identity.ConfigurationProblem) as caught:
            PublicClientApplication(CLIENT, authority=authority)
        assert caught.value.code == "invalid_authority"
    else:
        PublicClientApplication(CLIENT, authority=authority).close()
