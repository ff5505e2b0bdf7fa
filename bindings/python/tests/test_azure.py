# SPDX-License-Identifier: MIT
"""The credential for the Azure SDK: the tokens that its clients get."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from azure.core.credentials import (
    AccessToken,
    AccessTokenInfo,
    SupportsTokenInfo,
    TokenCredential,
    TokenRequestOptions,
)
from azure.core.exceptions import ClientAuthenticationError
from azure.identity._internal import resolve_tenant

import tessera_identity
from fake import ACCOUNT, CREATE, DEVICE_CODE, GET_ACCOUNT, GET_ACCOUNTS, SILENT, TOKEN, Fake
from tessera_identity.azure import TesseraCredential

if TYPE_CHECKING:
    from collections.abc import Iterator

SCOPE = "https://management.azure.com/.default"
BOB = {**ACCOUNT, "home_account_id": "bob.utid", "username": "bob@contoso.com"}


@pytest.fixture
def credential(fake: Fake) -> Iterator[TesseraCredential]:
    fake.set_response(GET_ACCOUNTS, {"accounts": [ACCOUNT]})
    fake.set_response(SILENT, TOKEN)
    with TesseraCredential("client", authority="https://login.example/organizations") as made:
        yield made


def test_clients_of_the_sdk_take_it(credential: TesseraCredential) -> None:
    as_credential: TokenCredential = credential
    as_provider: SupportsTokenInfo = credential
    assert isinstance(as_credential, TokenCredential)
    assert isinstance(as_provider, SupportsTokenInfo)
    token = as_credential.get_token(SCOPE)
    assert type(token) is AccessToken
    assert token == (TOKEN["access_token"], TOKEN["expires_on"])


def test_the_token_with_all_that_is_known(fake: Fake, credential: TesseraCredential) -> None:
    fake.set_response(SILENT, {**TOKEN, "token_type": "pop", "refresh_on": 17})
    info = credential.get_token_info(SCOPE)
    assert type(info) is AccessTokenInfo
    assert (info.token, info.expires_on) == (TOKEN["access_token"], TOKEN["expires_on"])
    assert (info.token_type, info.refresh_on) == ("pop", 17)


def test_scopes_claims_and_the_only_account_are_passed_on(
    fake: Fake, credential: TesseraCredential
) -> None:
    credential.get_token(SCOPE, "other", claims='{"access_token":{}}', unknown_option=1)
    request = fake.request(SILENT)
    assert request["scopes"] == [SCOPE, "other"]
    assert request["claims"] == '{"access_token":{}}'
    assert request["home_account_id"] == ACCOUNT["home_account_id"]
    assert "authority" not in request


def test_a_tenant_is_an_authority(fake: Fake, credential: TesseraCredential) -> None:
    options: TokenRequestOptions = {"tenant_id": "Fabrikam.com", "claims": "{}"}
    credential.get_token_info(SCOPE, options=options)
    assert fake.request(SILENT)["authority"] == "https://login.example/Fabrikam.com"
    assert fake.request(SILENT)["claims"] == "{}"
    for name in ("", "a/b", "a?b", "ä"):
        with pytest.raises(ValueError, match="tenant"):
            credential.get_token(SCOPE, tenant_id=name)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"authority": "https://login.example/contoso"}, None),
        ({"authority": "https://login.example/contoso", "allowed": ["other"]}, None),
        (
            {"authority": "https://login.example/contoso/", "allowed": ["wanted"]},
            "https://login.example/wanted",
        ),
        (
            {"authority": "https://login.example/contoso", "allowed": ["*"]},
            "https://login.example/wanted",
        ),
        ({"authority": "https://login.example/organizations", "allowed": ["other"]}, None),
        ({"authority": "https://login.example/common"}, None),
        ({"authority": "https://login.example/common", "allowed": ["*"]}, "https://login.example/wanted"),
        ({"authority": "https://login.example/organizations"}, "https://login.example/wanted"),
        ({}, "https://login.microsoftonline.com/wanted"),
        ({"allowed": ["other"]}, None),
        ({"audience": "AzureADMultipleOrgs"}, "https://login.microsoftonline.com/wanted"),
        ({"audience": "AzureADandPersonalMicrosoftAccount"}, None),
        ({"tenant": "contoso"}, None),
        ({"cloud": "china"}, "https://login.partner.microsoftonline.cn/wanted"),
        ({"authority": "https://sts.example/adfs"}, "none"),
        ({"authority": "https://c.b2clogin.com/c.onmicrosoft.com/policy"}, "none"),
        ({"authority": "https://issuer.example/x", "authority_type": "openid"}, "none"),
    ],
)
def test_only_allowed_tenants_are_contacted(
    fake: Fake, settings: dict[str, Any], expected: str | None
) -> None:
    fake.set_response(GET_ACCOUNTS, {"accounts": [ACCOUNT]})
    fake.set_response(SILENT, TOKEN)
    allowed = settings.pop("allowed", ())
    with TesseraCredential("client", additionally_allowed_tenants=allowed, **settings) as made:
        if expected is None:
            with pytest.raises(tessera_identity.ConfigurationProblem, match="additionally_allowed_tenants"):
                made.get_token(SCOPE, tenant_id="wanted")
            return
        made.get_token(SCOPE, tenant_id="wanted")
        assert fake.request(SILENT).get("authority", "none") == expected


@pytest.mark.parametrize("tenant", ["common", "organizations", "contoso", "adfs"])
@pytest.mark.parametrize("allowed", [(), ("other",), ("wanted",), ("*",)])
def test_tenants_are_those_of_azure_identity(
    fake: Fake, tenant: str, allowed: tuple[str, ...]
) -> None:
    fake.set_response(GET_ACCOUNTS, {"accounts": [ACCOUNT]})
    fake.set_response(SILENT, TOKEN)
    place = "https://login.example"
    with TesseraCredential(
        "client", authority=f"{place}/{tenant}", additionally_allowed_tenants=allowed
    ) as made:
        try:
            expected = resolve_tenant(tenant, "wanted", additionally_allowed_tenants=list(allowed))
        except ClientAuthenticationError:
            with pytest.raises(ClientAuthenticationError, match="additionally_allowed_tenants"):
                made.get_token(SCOPE, tenant_id="wanted")
            return
        made.get_token(SCOPE, tenant_id="wanted")
        authority = fake.request(SILENT).get("authority", f"{place}/{tenant}")
        assert authority == f"{place}/{expected}"


def test_continuous_access_evaluation_is_another_application(
    fake: Fake, credential: TesseraCredential
) -> None:
    credential.get_token(SCOPE)
    assert "client_capabilities" not in fake.request(CREATE)
    alive = fake.live_objects
    credential.get_token(SCOPE, enable_cae=True)
    assert fake.request(CREATE)["client_capabilities"] == ["CP1"]
    assert fake.live_objects > alive
    alive = fake.live_objects
    for _ in range(3):
        credential.get_token(SCOPE)
        credential.get_token_info(SCOPE, options={"enable_cae": True})
    assert fake.live_objects == alive, "an application for each call"


def test_the_account_stays_the_same(fake: Fake, credential: TesseraCredential) -> None:
    credential.get_token(SCOPE)
    fake.set_response(GET_ACCOUNTS, {"accounts": [BOB]})
    credential.get_token("other")
    assert fake.request(SILENT)["home_account_id"] == ACCOUNT["home_account_id"]


def test_the_username_selects_the_account(fake: Fake) -> None:
    fake.set_response(SILENT, TOKEN)
    fake.set_response(GET_ACCOUNT, {"account": BOB})
    with TesseraCredential("client", username="bob@contoso.com") as made:
        made.get_token(SCOPE)
    assert fake.request(GET_ACCOUNT)["username"] == "bob@contoso.com"
    assert fake.request(SILENT)["home_account_id"] == "bob.utid"
    with TesseraCredential("client", account="eve.utid") as made:
        made.get_token(SCOPE)
    assert fake.request(SILENT)["home_account_id"] == "eve.utid"
    with pytest.raises(ValueError, match="both"):
        TesseraCredential("client", account="eve.utid", username="eve")


def test_a_code_signs_in(fake: Fake) -> None:
    shown: list[str] = []
    fake.set_response(GET_ACCOUNTS, {"accounts": []})
    fake.set_response(DEVICE_CODE, TOKEN)
    fake.set_prompt({"user_code": "ABC", "verification_uri": "https://example.com"})
    with TesseraCredential(
        "client", device_code=lambda prompt: shown.append(prompt.user_code)
    ) as made:
        assert made.get_token(SCOPE, claims="{}").token == TOKEN["access_token"]
        assert shown == ["ABC"]
        assert fake.request(DEVICE_CODE)["claims"] == "{}"
        fake.set_response(SILENT, TOKEN)
        made.get_token(SCOPE)
        assert fake.request(SILENT)["home_account_id"] == ACCOUNT["home_account_id"]
    with TesseraCredential("client", account="bob.utid", device_code=print) as made:
        fake.set_error(SILENT, 1, code="interaction_required")
        with pytest.raises(tessera_identity.SignInRequired) as caught:
            made.get_token(SCOPE)
        assert caught.value.code == "account_mismatch"
    with pytest.raises(ValueError, match="both"):
        TesseraCredential("client", device_code=print, interactive=print)


def test_exceptions_of_the_prompt_propagate(fake: Fake) -> None:
    def prompt(_prompt: object) -> None:
        raise KeyError("mine")

    fake.set_response(GET_ACCOUNTS, {"accounts": []})
    fake.set_response(DEVICE_CODE, TOKEN)
    fake.set_prompt({"user_code": "ABC", "verification_uri": "https://example.com"})
    with TesseraCredential("client", device_code=prompt) as made, pytest.raises(KeyError):
        made.get_token(SCOPE)


def test_threads_share_it(credential: TesseraCredential) -> None:
    tokens: list[str] = []

    def run() -> None:
        for index in range(50):
            tokens.append(credential.get_token(SCOPE, enable_cae=bool(index % 2)).token)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert tokens == [TOKEN["access_token"]] * 200


def test_mistakes(credential: TesseraCredential) -> None:
    with pytest.raises(ValueError, match="scope"):
        credential.get_token()
    credential.close()
    with pytest.raises(tessera_identity.InvalidRequest, match="closed"):
        credential.get_token(SCOPE)


WITHOUT = """
import sys
for name in ("azure", "azure.core", "azure.core.credentials", "azure.identity"):
    sys.modules[name] = None
from ctypes import CDLL
from tessera_identity import _native, SignInRequired
_native._library = _native._declared(CDLL(sys.argv[1]))
from fake import Fake, SILENT, GET_ACCOUNTS, TOKEN, ACCOUNT
from pathlib import Path
import tessera_identity.azure
fake = Fake(Path(sys.argv[1]))
fake.set_response(GET_ACCOUNTS, {"accounts": [ACCOUNT]})
fake.set_response(SILENT, TOKEN)
credential = tessera_identity.azure.TesseraCredential("client")
token = credential.get_token("scope")
assert token == (TOKEN["access_token"], TOKEN["expires_on"]), token
assert TOKEN["access_token"] not in repr(token)
assert credential.get_token_info("scope").token_type == "Bearer"
fake.set_error(SILENT, 1, code="interaction_required", message="Sign in.")
try:
    credential.get_token("scope")
except SignInRequired as error:
    assert type(error) is SignInRequired
    print("done")
"""


def test_nothing_of_the_sdk_is_needed(fake: Fake) -> None:
    folders = f"{Path(tessera_identity.__file__).parents[1]}:{Path(__file__).parent}"
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(fake.path)],
        env={"PYTHONPATH": folders}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "done\n", done.stderr
