# SPDX-License-Identifier: MIT
"""The errors of the credential for the Azure SDK, and the continuation of a chain."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from azure.core.credentials import AccessToken
from azure.core.exceptions import ClientAuthenticationError
from azure.identity import (
    AuthenticationRequiredError,
    ChainedTokenCredential,
    CredentialUnavailableError,
)

import tessera_identity
from fake import ACCOUNT, GET_ACCOUNTS, SILENT, TOKEN, Fake
from tessera_identity.azure import TesseraCredential

if TYPE_CHECKING:
    from collections.abc import Iterator

SCOPE = "https://management.azure.com/.default"
BOB = {**ACCOUNT, "home_account_id": "bob.utid", "username": "bob@contoso.com"}


@pytest.fixture
def credential(fake: Fake) -> Iterator[TesseraCredential]:
    fake.set_response(GET_ACCOUNTS, {"accounts": [ACCOUNT]})
    fake.set_response(SILENT, TOKEN)
    with TesseraCredential("client", authority="https://login.example/common") as made:
        yield made


class Next:
    """The next credential of a chain."""

    def get_token(self, *_scopes: str, **_options: Any) -> AccessToken:
        return AccessToken("next", 1)


def test_without_an_account_the_chain_continues(
    fake: Fake, credential: TesseraCredential
) -> None:
    fake.set_response(GET_ACCOUNTS, {"accounts": []})
    with pytest.raises(AuthenticationRequiredError) as caught:
        credential.get_token(SCOPE)
    assert isinstance(caught.value, tessera_identity.SignInRequiredError)
    assert isinstance(caught.value, CredentialUnavailableError)
    assert caught.value.scopes == (SCOPE,)
    assert ChainedTokenCredential(credential, Next()).get_token(SCOPE).token == "next"


def test_a_sign_in_that_is_over_is_a_reason_to_go_on(
    fake: Fake, credential: TesseraCredential
) -> None:
    cause = {"domain": "http", "number": 400, "message": "It was rejected."}
    fake.set_error(
        SILENT, 1, code="mfa_required", message="Sign in.", claims="{}", server_codes=[50076],
        causes=[cause],
    )  # fmt: skip
    with pytest.raises(CredentialUnavailableError) as caught:
        credential.get_token(SCOPE)
    error = caught.value
    assert isinstance(error, tessera_identity.SignInRequiredError)
    assert isinstance(error, AuthenticationRequiredError)
    assert (error.claims, error.server_codes, error.code) == ("{}", (50076,), "mfa_required")
    assert str(error) == "Sign in. (mfa_required)"
    assert isinstance(error.__cause__, tessera_identity.ErrorCause)
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is type(error)
        assert (other.message, other.claims, other.scopes) == ("Sign in.", "{}", (SCOPE,))
    chain = ChainedTokenCredential(credential, Next())
    assert chain.get_token_info(SCOPE).token == "next"


def test_a_token_without_a_requested_scope_is_not_returned(
    fake: Fake, credential: TesseraCredential
) -> None:
    fake.set_response(SILENT, {**TOKEN, "declined_scopes": [SCOPE]}, 1)
    with pytest.raises(AuthenticationRequiredError) as caught:
        credential.get_token(SCOPE)
    error = caught.value
    assert isinstance(error, tessera_identity.SignInRequiredError)
    assert (error.code, error.declined_scopes) == ("server_declined_scopes", (SCOPE,))
    assert ChainedTokenCredential(credential, Next()).get_token(SCOPE).token == "next"


@pytest.mark.parametrize(
    ("status", "unavailable"), [(2, False), (3, False), (4, False), (5, True), (6, False)]
)
def test_other_errors_are_errors_of_the_sdk(
    fake: Fake,
    credential: TesseraCredential,
    status: int,
    unavailable: bool,  # noqa: FBT001
) -> None:
    fake.set_error(SILENT, status, code="network_failed", message="Not now.", retry_after=5)
    with pytest.raises(ClientAuthenticationError) as caught:
        credential.get_token(SCOPE)
    error = caught.value
    assert isinstance(error, tessera_identity.TesseraError)
    assert (error.retry_after, error.message) == (5, "Not now.")
    assert isinstance(error, CredentialUnavailableError) is unavailable
    chain = ChainedTokenCredential(credential, Next())
    if unavailable:
        assert chain.get_token(SCOPE).token == "next"
    else:
        with pytest.raises(ClientAuthenticationError):
            chain.get_token(SCOPE)


def test_several_accounts_are_ambiguous(fake: Fake, credential: TesseraCredential) -> None:
    fake.set_response(GET_ACCOUNTS, {"accounts": [ACCOUNT, BOB]})
    with pytest.raises(
        CredentialUnavailableError, match=r"alice@contoso\.com, bob@contoso\.com"
    ) as caught:
        credential.get_token(SCOPE)
    assert isinstance(caught.value, tessera_identity.InvalidRequestError)
    assert [each.username for each in caught.value.accounts] == [
        "alice@contoso.com",
        "bob@contoso.com",
    ]


def test_a_machine_without_the_library_has_other_credentials(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tessera_identity import _native

    monkeypatch.setattr(_native, "_library", None)
    monkeypatch.setattr(_native, "_packaged_path", lambda: "/nowhere/libtessera.so")
    with TesseraCredential("client") as made:
        assert ChainedTokenCredential(made, Next()).get_token(SCOPE).token == "next"
        with pytest.raises(tessera_identity.ConfigurationError):
            made.get_token(SCOPE)
