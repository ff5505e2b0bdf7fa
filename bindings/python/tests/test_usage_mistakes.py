# SPDX-License-Identifier: MIT
"""Arguments of other libraries: rejected at the call, with the name of the intended argument."""

from __future__ import annotations

import asyncio
import pickle
import re
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity.aio
from fake import CREATE, DEVICE_CODE, GET_ACCOUNTS, INTERACTIVE, SILENT, TOKEN, Fake
from tessera_identity import PublicClientApplication, TokenResult
from tessera_identity.aio import nonblocking_view
from tessera_identity.azure import TesseraCredential, aio

if TYPE_CHECKING:
    from collections.abc import Callable

STORAGE = "https://storage.azure.com/.default"


def test_text_as_prompt_callback_names_prompt_before_anything_is_opened(
    fake: Fake, application: PublicClientApplication
) -> None:
    prompt: Any = "select_account"
    with pytest.raises(TypeError, match="pass prompt='select_account'"):
        application.acquire_token_interactive(["a"], prompt_callback=prompt)
    call = nonblocking_view(application).acquire_token_interactive(["a"], prompt_callback=prompt)
    with pytest.raises(TypeError, match="pass prompt='select_account'"):
        asyncio.run(call)
    with pytest.raises(TypeError, match="prompt_callback must be a function"):
        application.acquire_token_by_device_code(["a"], prompt_callback=prompt)
    assert fake.request(INTERACTIVE) is None
    assert fake.request(DEVICE_CODE) is None


def test_function_as_prompt_names_prompt_callback_before_anything_is_opened(
    fake: Fake, application: PublicClientApplication
) -> None:
    prompt: Any = print
    unknown: Any = {"prompt": print}
    calls: list[Callable[[], object]] = [
        lambda: application.acquire_token_interactive(["a"], prompt=prompt),
        lambda: asyncio.run(nonblocking_view(application).acquire_token_interactive(["a"], prompt=prompt)),
        lambda: application.begin_sign_in(["a"], prompt=prompt),
        lambda: asyncio.run(nonblocking_view(application).begin_sign_in(["a"], prompt=prompt)),
        lambda: application.acquire_token_by_device_code(["a"], **unknown),
        lambda: asyncio.run(nonblocking_view(application).acquire_token_by_device_code(["a"], **unknown)),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="as prompt_callback"):
            call()
    assert fake.request(INTERACTIVE) is None
    assert fake.request(DEVICE_CODE) is None


ACCOUNT_DICTIONARY: Any = {"home_account_id": "uid.utid", "username": "alice@contoso.com"}


@pytest.mark.parametrize(
    ("method", "positional", "named", "counterpart"),
    [
        ("acquire_token_silent", (["a"], "uid.utid"), {}, "account="),
        ("acquire_token_silent", (["a"],), {"account": "u", "claims_challenge": "{}"}, "pass claims="),
        ("acquire_token_silent", (["a"],), {"account": "u", "tenant_id": "t"}, "pass authority="),
        ("acquire_token_silent", (["a"],), {"account": ACCOUNT_DICTIONARY}, "must be an Account"),
        ("acquire_token_silent", (["a"],), {"account": None, "username": "alice"}, "get_account(username="),
        ("acquire_token_interactive", (["a"], "login"), {}, "by name"),
        ("acquire_token_interactive", (["a"],), {"port": 80}, "part of redirect_uri="),
        ("acquire_token_interactive", (["a"],), {"on_before_launching_ui": print}, "prompt_callback="),
        ("acquire_token_by_device_code", (["a"], print), {}, "prompt_callback="),
        ("begin_sign_in", (["a"],), {"redirect_uri": "http://localhost"}, "to the application"),
    ],
)
def test_arguments_of_msal_are_answered_with_ours(
    application: PublicClientApplication,
    method: str,
    positional: tuple[Any, ...],
    named: dict[str, Any],
    counterpart: str,
) -> None:
    with pytest.raises(TypeError, match=re.escape(counterpart)):
        getattr(application, method)(*positional, **named)
    with pytest.raises(TypeError, match=re.escape(counterpart)):
        asyncio.run(getattr(nonblocking_view(application), method)(*positional, **named))


def test_user_name_as_positional_argument_is_answered(application: PublicClientApplication) -> None:
    for method in (application.get_account, application.get_accounts):
        with pytest.raises(TypeError, match="pass username="):
            method("alice@contoso.com")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("positional", "named", "counterpart"),
    [
        (("https://login.example/t",), {}, "authority="),
        ((), {"tenant_id": "t"}, "authority="),
        ((), {"token_cache": None}, "group="),
        ((), {"client_credential": "s"}, "ConfidentialClientApplication"),
        ((), {"enable_broker_on_linux": True}, 'broker="prefer"'),
        ((), {"oidc_authority": "https://login.example"}, 'authority_type="openid"'),
        ((), {"clientid": "c"}, "unexpected keyword argument 'clientid'"),
    ],
)
@pytest.mark.usefixtures("fake")
def test_configuration_of_msal_and_azure_is_answered_with_ours(
    positional: tuple[Any, ...], named: dict[str, Any], counterpart: str
) -> None:
    for kind in (PublicClientApplication, tessera_identity.aio.PublicClientApplication):
        with pytest.raises(TypeError, match=re.escape(counterpart)):
            kind("client", *positional, **named)
    if named:
        with pytest.raises(TypeError, match=re.escape(counterpart)):
            TesseraCredential("client", **named)


@pytest.mark.parametrize(
    ("name", "counterpart"),
    [
        ("acquire_token_for_client", "ConfidentialClientApplication"),
        ("acquire_token_silent_with_error", "acquire_token_silent"),
        ("initiate_device_flow", "acquire_token_by_device_code"),
        ("acquire_token_silent_async", "tessera_identity.aio"),
        ("get_token", "TesseraCredential"),
        ("anything", "has no attribute 'anything'"),
    ],
)
def test_methods_of_msal_are_answered_with_ours(
    application: PublicClientApplication, name: str, counterpart: str
) -> None:
    with pytest.raises(AttributeError, match=counterpart):
        getattr(application, name)


def test_names_of_msal_are_answered_with_ours() -> None:
    for name, counterpart in (
        ("ManagedIdentityClient", "not supported yet"),
        ("SerializableTokenCache", "store is always used"),
        ("anything", "has no attribute 'anything'"),
    ):
        with pytest.raises(AttributeError, match=counterpart):
            getattr(tessera_identity, name)


def test_results_are_no_dictionaries_and_name_the_attribute() -> None:
    result: Any = TokenResult(TOKEN)
    with pytest.raises(TypeError, match=re.escape("for 'access_token', use .access_token")):
        result["access_token"]
    with pytest.raises(TypeError, match=re.escape("for 'token_source', use .source")):
        result["token_source"]
    with pytest.raises(TypeError, match="errors are exceptions"):
        "error" in result  # noqa: B015 - it raises
    with pytest.raises(AttributeError, match="to_dict"):
        result.get("access_token")


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
    assert fake.request(CREATE)["store"]["group"] == "shared"


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
