# SPDX-License-Identifier: MIT
"""Values: immutable, comparable, without secrets when printed, tolerant of older and newer libraries."""

from __future__ import annotations

import copy
import pickle

import pytest

from fake import ACCOUNT, PROMPT, TOKEN
from tessera_identity import Account, DeviceCodePrompt, RetryLater, TokenResult


def test_every_member_becomes_an_attribute() -> None:
    result = TokenResult(TOKEN)
    for name in set(TOKEN) - {"account", "scopes"}:
        assert getattr(result, name) == TOKEN[name]
    assert result.scopes == ("User.Read",)
    assert result.account == Account(ACCOUNT)
    assert result.account.tenant_profiles[0].is_home_tenant


def test_missing_members_are_none_or_empty() -> None:
    result = TokenResult(TOKEN)
    assert result.refresh_on is None
    assert result.warnings == ()
    assert result.refresh_error is None


def test_unknown_members_are_kept() -> None:
    assert TokenResult({**TOKEN, "new": [1]}).extra == {"new": [1]}
    assert TokenResult(TOKEN).extra == {}


def test_failed_renewal_is_an_error_of_its_class() -> None:
    failure = {"remedy": "retry_later", "code": "throttled", "message": "m", "retry_after": 7}
    error = TokenResult({**TOKEN, "refresh_error": failure}).refresh_error
    assert isinstance(error, RetryLater)
    assert error.retry_after == 7


@pytest.mark.parametrize("show", [repr, str, "{}".format])
def test_secrets_are_not_shown(show: object) -> None:
    text = show(TokenResult(TOKEN))  # type: ignore[operator]
    assert "secret" not in text
    assert "<redacted>" in text
    assert "alice@contoso.com" in text


def test_values_are_immutable() -> None:
    account = Account(ACCOUNT)
    with pytest.raises(AttributeError):
        account.username = "bob"
    with pytest.raises(AttributeError):
        del account.username
    with pytest.raises(AttributeError):
        account.anything = 1


def test_equal_objects_make_equal_values() -> None:
    assert Account(ACCOUNT) == Account(dict(ACCOUNT))
    assert hash(Account(ACCOUNT)) == hash(Account(dict(ACCOUNT)))
    assert Account(ACCOUNT) != Account({**ACCOUNT, "name": "Bob"})
    assert Account(ACCOUNT) != ACCOUNT
    assert TokenResult(TOKEN) == TokenResult(TOKEN)
    assert len({TokenResult(TOKEN), TokenResult(TOKEN)}) == 1


@pytest.mark.parametrize("value", [Account(ACCOUNT), TokenResult(TOKEN), DeviceCodePrompt(PROMPT)])
def test_values_can_be_pickled_and_copied(value: object) -> None:
    for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert type(again) is type(value)
        assert again == value
        assert repr(again) == repr(value)


def test_classes_have_their_public_module() -> None:
    assert Account.__module__ == RetryLater.__module__ == "tessera_identity"
    assert b"_accounts" not in pickle.dumps(Account(ACCOUNT))
