# SPDX-License-Identifier: MIT
"""Requests and responses of the application's methods."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from fake import ACCOUNT, CREATE, GET_ACCOUNT, GET_ACCOUNTS, REMOVE_ACCOUNT, Fake
from tessera_identity import (
    Account,
    ConfigurationError,
    InvalidRequestError,
    PublicClientApplication,
)


def test_the_configuration_contains_only_the_arguments(fake: Fake) -> None:
    PublicClientApplication("client").close()
    # A logger selects the levels itself.
    assert fake.request(CREATE) == {"client_id": "client", "log_level": 4}
    arguments = {
        "authority": "https://login.example/t",
        "authority_type": "openid",
        "group": "gruppe-ö",
        "store": "memory",
        "store_directory": "/tmp/ü",
        "msal_cache": "azure_cli",
        "storage_policy": "require_encrypted",
        "key_sources": ["secret_service", "kernel_keyring"],
        "store_key": bytes(32),
        "store_limit_megabytes": 64,
        "proxy": "http://proxy:8080",
        "no_proxy": "localhost",
        "ca_file": "/etc/ca.pem",
        "instance_discovery": False,
        "expiry_margin_seconds": 0,
        "network_timeout_seconds": 10,
        "proactive_refresh_timeout_milliseconds": 2000,
        "log_level": 4,
    }
    PublicClientApplication("client", **arguments).close()  # type: ignore[arg-type]
    assert fake.request(CREATE) == {
        "client_id": "client",
        "authority": "https://login.example/t",
        "authority_type": "openid",
        "store": {
            "group": "gruppe-ö",
            "kind": "memory",
            "directory": "/tmp/ü",
            "msal_cache": "azure_cli",
            "policy": "require_encrypted",
            "key_sources": ["secret_service", "kernel_keyring"],
            "key": "A" * 43 + "=",
            "limit_megabytes": 64,
        },
        "network": {
            "proxy": "http://proxy:8080",
            "no_proxy": "localhost",
            "ca_file": "/etc/ca.pem",
            "timeout_milliseconds": 10_000,
            "proactive_refresh_timeout_milliseconds": 2000,
        },
        "tokens": {"instance_discovery": False, "expiry_margin_seconds": 0},
        "log_level": 4,
    }
    PublicClientApplication("client", store_directory=Path("/tmp/ü")).close()
    assert fake.request(CREATE)["store"] == {"directory": "/tmp/ü"}


@pytest.mark.usefixtures("fake")
def test_repr_shows_client_authority_and_group() -> None:
    application = PublicClientApplication("client", authority="https://login.example/t", proxy="http://u:p@proxy")
    expected = "PublicClientApplication(client_id='client', authority='https://login.example/t', group='default')"
    assert repr(application) == expected
    application.close()
    assert repr(application) == f"{expected} (closed)"
    tenant = PublicClientApplication("client", audience="AzureADMyOrg", tenant="contoso.com", group="g")
    assert "audience='AzureADMyOrg', tenant='contoso.com', group='g'" in repr(tenant)


def test_nul_does_not_end_a_request_early(fake: Fake) -> None:
    PublicClientApplication("client", group="a\0b").close()
    assert fake.request(CREATE)["store"]["group"] == "a\0b"


def test_configuration_that_is_refused(fake: Fake) -> None:
    fake.set_error(CREATE, 4, code="invalid_authority", message="m")
    with pytest.raises(ConfigurationError):
        PublicClientApplication("client")


def test_accounts(fake: Fake, application: PublicClientApplication) -> None:
    fake.set_response(GET_ACCOUNTS, {"accounts": [ACCOUNT, {**ACCOUNT, "home_account_id": "b.c"}]})
    first, second = application.get_accounts()
    assert first == Account(ACCOUNT)
    assert first.name == "Alice Ångström"
    assert second.home_account_id == "b.c"
    assert fake.request(GET_ACCOUNTS) is None


def test_get_account_by_either_name(fake: Fake, application: PublicClientApplication) -> None:
    fake.set_response(GET_ACCOUNT, {"account": ACCOUNT})
    assert application.get_account(username="Ålice@contoso.com") == Account(ACCOUNT)
    assert fake.request(GET_ACCOUNT) == {"username": "Ålice@contoso.com"}
    assert application.get_account(home_account_id="uid.utid") == Account(ACCOUNT)
    assert fake.request(GET_ACCOUNT) == {"home_account_id": "uid.utid"}


@pytest.mark.parametrize("account", [Account(ACCOUNT), "uid.utid"])
@pytest.mark.parametrize("removed", [True, False])
def test_remove_account(
    fake: Fake, application: PublicClientApplication, account: Account | str, *, removed: bool
) -> None:
    fake.set_response(REMOVE_ACCOUNT, {"removed": removed})
    assert application.remove_account(account) is removed
    whole = {"environment": ACCOUNT["environment"]} if isinstance(account, Account) else {}
    assert fake.request(REMOVE_ACCOUNT) == {"home_account_id": "uid.utid", **whole}


def test_calls_about_accounts_take_a_timeout(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(GET_ACCOUNTS, {"accounts": []})
    application.get_accounts(timeout=1.5)
    assert fake.request(GET_ACCOUNTS) == {"timeout_milliseconds": 1500}
    fake.set_response(GET_ACCOUNT, {"account": ACCOUNT})
    application.get_account(username="alice", timeout=0)
    assert fake.request(GET_ACCOUNT) == {"username": "alice", "timeout_milliseconds": 0}
    fake.set_response(REMOVE_ACCOUNT, {"removed": True})
    application.remove_account("uid.utid", timeout=2)
    expected = {"home_account_id": "uid.utid", "timeout_milliseconds": 2000}
    assert fake.request(REMOVE_ACCOUNT) == expected
    with pytest.raises(ValueError, match="timeout"):
        application.get_accounts(timeout=-1)


def test_a_closed_application_is_reported(application: PublicClientApplication) -> None:
    application.close()
    application.close()
    with pytest.raises(InvalidRequestError, match="closed"):
        application.get_accounts()
    with pytest.raises(InvalidRequestError, match="closed"):
        application.acquire_token_silent(["s"], account="a")
    with pytest.raises(InvalidRequestError, match="closed"):
        application.acquire_token_by_device_code(["s"], prompt_callback=print)


def test_forgotten_application_is_freed(fake: Fake) -> None:
    before = fake.live_objects
    PublicClientApplication("client", log=print)
    gc.collect()
    assert fake.live_objects == before


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("network_timeout_seconds", 1.5, "must be a whole number of seconds as int, not 1.5"),
        ("intune_enrollment_ids", [1], "must be a dictionary, not list"),
        ("extra_token_parameters", ["a"], "must be a dictionary, not list"),
        ("msal_cache", b"/tmp/cache", r"must be a path as str or os.PathLike\[str\], not bytes"),
    ],
)
@pytest.mark.usefixtures("fake")
def test_an_argument_of_another_type_is_named(name: str, value: object, advice: str) -> None:
    with pytest.raises(TypeError, match=f"^{name} {advice}$"):
        PublicClientApplication("client", **{name: value})  # type: ignore[arg-type]


def test_claims_that_are_not_text_are_rejected(application: PublicClientApplication) -> None:
    claims: dict[str, object] = {"access_token": {}}
    advice = r"^claims must be JSON text, not dict: pass json\.dumps\(claims\)$"
    with pytest.raises(TypeError, match=advice):
        application.acquire_token_silent(["read"], claims=claims)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=advice):
        application.acquire_token_by_device_code(["read"], claims=claims)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=advice):
        application.begin_sign_in(["read"], claims=claims)  # type: ignore[arg-type]


def test_the_content_of_a_cache_as_its_path_is_rejected(application: PublicClientApplication) -> None:
    with pytest.raises(TypeError, match=r"^path must be the path of a file; pass .* as data=$"):
        application.migrate(b"", format="zz")  # type: ignore[arg-type]
