# SPDX-License-Identifier: MIT
"""Tests whether the tokens are valid: the provider itself is the resource."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

import tessera_identity
from user import API, sign_in

if TYPE_CHECKING:
    from conftest import Applications
    from server import Glewlwyd
    from user import User


def test_token_opens_the_resource(
    applications: Applications, alice: User, running: Glewlwyd
) -> None:
    application = applications()
    token = sign_in(application, alice)
    assert running.accepts("main", token)
    fresh = application.acquire_token_silent(API, account=token.account, force_refresh=True)
    assert running.accepts("main", fresh)
    assert set(API) <= set(fresh.scopes)


def test_claims_challenge_replaces_the_token(
    applications: Applications, alice: User, running: Glewlwyd
) -> None:
    application = applications()
    token = sign_in(application, alice)
    claims = '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}'
    challenged = application.acquire_token_silent(API, account=token.account, claims=claims)
    assert challenged.source == "network"
    assert challenged.access_token != token.access_token
    assert running.accepts("main", challenged)
    again = application.acquire_token_silent(API, account=token.account)
    assert (again.source, again.access_token) == ("cache", challenged.access_token)


def test_claims_of_the_user(applications: Applications, alice: User, running: Glewlwyd) -> None:
    token = sign_in(applications(), alice)
    claims = token.id_token_claims or {}
    assert claims["iss"] == running.issuer("main") == token.authority
    assert claims["preferred_username"] == token.account.username == "alice"
    assert claims["email"] == "alice@example.test"
    assert claims["sub"] == token.account.home_account_id


def test_no_expired_token_is_handed_out(
    applications: Applications, alice: User, running: Glewlwyd
) -> None:
    application = applications("brief")
    first = sign_in(application, alice)
    sources = set()
    # Longer than the lifetime of the token: every returned token must be valid.
    while time.time() < first.expires_on + 1:
        token = application.acquire_token_silent(API, account=first.account)
        assert running.accepts("brief", token)
        sources.add(token.source)
        time.sleep(0.2)
    assert sources == {"cache", "network"}
    assert not running.accepts("brief", first)


def test_issuers_of_one_server_share_no_token(
    applications: Applications, running: Glewlwyd, alice: User
) -> None:
    account = sign_in(applications(), alice).account
    with pytest.raises(tessera_identity.SignInRequiredError):
        applications("brief").acquire_token_silent(API, account=account, authority=running.issuer("brief"))
