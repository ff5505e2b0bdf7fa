# SPDX-License-Identifier: MIT
"""Arguments of other libraries: rejected at the call, with the name of the intended argument."""

from __future__ import annotations

import asyncio
import pickle
from typing import Any

import pytest

from fake import CREATE, GET_ACCOUNTS, INTERACTIVE, SILENT, TOKEN, Fake
from tessera_identity import PublicClientApplication, TokenResult
from tessera_identity.azure import TesseraCredential, aio

STORAGE = "https://storage.azure.com/.default"


def test_prompt_of_msal_is_refused_before_anything_is_opened(
    fake: Fake, application: PublicClientApplication
) -> None:
    prompt: Any = "select_account"
    with pytest.raises(TypeError, match="page_prompt='select_account'"):
        application.acquire_token_interactive(["a"], prompt=prompt)
    call = application.acquire_token_interactive_async(["a"], prompt=prompt)
    with pytest.raises(TypeError, match="page_prompt='select_account'"):
        asyncio.run(call)
    assert fake.request(INTERACTIVE) is None


def test_authorization_header_is_ready_to_send() -> None:
    for token_type in ("Bearer", "bearer"):
        result = TokenResult({**TOKEN, "token_type": token_type})
        assert result.authorization_header == f"Bearer {result.access_token}"
        assert result.access_token not in repr(result)


def test_pickled_credential_has_the_configuration_and_no_token(fake: Fake) -> None:
    fake.set_response(SILENT, TOKEN)
    fake.set_response(GET_ACCOUNTS, {"accounts": [TOKEN["account"]]})
    credential = TesseraCredential(
        "client", authority="https://login.example/t", timeout=5, additionally_allowed_tenants=["*"]
    )
    assert credential.get_token(STORAGE).token == TOKEN["access_token"]
    state = pickle.dumps(credential)
    assert TOKEN["access_token"].encode() not in state
    again = pickle.loads(state)
    created = fake.request(CREATE)
    assert (created["client_id"], created["authority"]) == ("client", "https://login.example/t")
    # The account was selected once, for the lifetime of the credential; another one does not replace it.
    fake.set_error(GET_ACCOUNTS, 7, code="internal_error", remedy="report_bug", message="called")
    assert again.get_token(STORAGE).token == TOKEN["access_token"]
    assert fake.request(SILENT)["home_account_id"] == TOKEN["account"]["home_account_id"]


def test_pickled_credential_of_asyncio_has_the_configuration(fake: Fake) -> None:
    credential = aio.TesseraCredential("client", account="uid.utid", group="shared")
    again = pickle.loads(pickle.dumps(credential))
    assert type(again) is aio.TesseraCredential
    assert fake.request(CREATE)["group"] == "shared"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"interactive": print}, "interactive is a function"),
        ({"device_code": print}, "device_code is a function"),
        ({"log": print}, "log is a function"),
        ({"store_key": bytes(32)}, "store_key is a secret"),
        ({"proxy": "http://user:word@proxy.example"}, "proxy contains a password"),
    ],
)
@pytest.mark.usefixtures("fake")
def test_credential_with_functions_or_keys_cannot_be_pickled(
    options: dict[str, Any], reason: str
) -> None:
    credential = TesseraCredential("client", **options)
    with pytest.raises(TypeError, match=f"TesseraCredential cannot be pickled: {reason}"):
        pickle.dumps(credential)


def test_application_cannot_be_pickled_and_names_the_alternative(
    application: PublicClientApplication,
) -> None:
    with pytest.raises(TypeError, match="create another one with the same arguments"):
        pickle.dumps(application)
