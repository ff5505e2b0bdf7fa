# SPDX-License-Identifier: MIT
"""Values: immutable, comparable, without secrets when printed, tolerant of older and newer libraries."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import datetime, timezone

import pytest

from fake import ACCOUNT, PROMPT, TOKEN
from tessera_identity import Account, DeviceCodePrompt, RetryLaterError, TokenResult


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
    assert isinstance(error, RetryLaterError)
    assert error.retry_after == 7


@pytest.mark.parametrize("show", [repr, str, "{}".format])
def test_secrets_are_not_shown(show: object) -> None:
    text = show(TokenResult(TOKEN))  # type: ignore[operator]
    assert "secret" not in text
    assert "<redacted>" in text
    assert "alice@contoso.com" in text


def test_repr_of_a_token_shows_what_it_is_for() -> None:
    assert repr(TokenResult(TOKEN)) == (
        "TokenResult(access_token=<redacted>, username='alice@contoso.com', scopes=('User.Read',), "
        "expires_at='2100-01-01T00:00:00Z', source='cache', "
        "authority='https://login.microsoftonline.com/utid')"
    )
    failure = {"remedy": "retry_later", "code": "throttled", "message": "m"}
    changes = {"persisted": False, "refresh_error": failure}
    assert "persisted=False, refresh_error='throttled'" in repr(TokenResult({**TOKEN, **changes}))


def test_expiry_is_a_duration_and_an_aware_time(monkeypatch: pytest.MonkeyPatch) -> None:
    result = TokenResult(TOKEN)
    assert result.expires_at == datetime(2100, 1, 1, tzinfo=timezone.utc)
    monkeypatch.setattr("tessera_identity._results.time", lambda: TOKEN["expires_on"] - 59.5)
    assert result.expires_in == 59
    monkeypatch.setattr("tessera_identity._results.time", lambda: TOKEN["expires_on"] + 1.0)
    assert result.expires_in == 0


def test_dictionary_is_a_copy_for_json_with_the_tokens() -> None:
    result = TokenResult(TOKEN)
    members = result.to_dict()
    assert json.loads(json.dumps(members)) == TOKEN
    members["account"]["tenant_profiles"].clear()
    assert result == TokenResult(TOKEN)
    assert TokenResult(result.to_dict()) == result


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


def test_a_value_parsed_later_equals_one_parsed_at_once() -> None:
    text = json.dumps(ACCOUNT).encode()
    for use in (hash, repr, str, Account.to_dict, pickle.dumps, lambda account: account.tenant_profiles):
        assert use(Account.parsed_later(json.loads, text)) == use(Account(ACCOUNT))
    assert Account.parsed_later(json.loads, text) == Account(ACCOUNT)
    account = Account.parsed_later(json.loads, text)
    assert account.tenant_profiles is account.tenant_profiles
    with pytest.raises(AttributeError, match="has no attribute 'unknown'"):
        getattr(account, "unknown")  # noqa: B009
    with pytest.raises(AttributeError):
        account.username = "bob"


def test_a_required_member_is_checked_at_once() -> None:
    for kind, document in ((Account, ACCOUNT), (TokenResult, TOKEN)):
        for name in kind._required:
            with pytest.raises(KeyError, match=name):
                kind({each: value for each, value in document.items() if each != name})


def test_classes_have_their_public_module() -> None:
    assert Account.__module__ == RetryLaterError.__module__ == "tessera_identity"
    assert b"_accounts" not in pickle.dumps(Account(ACCOUNT))
