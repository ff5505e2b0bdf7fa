# SPDX-License-Identifier: MIT
"""Conversion of statuses and error documents to exceptions."""

from __future__ import annotations

import copy
import inspect
import pickle
import traceback

import pytest

import tessera_identity
from fake import ACCOUNT, GET_ACCOUNT, GET_ACCOUNTS, Fake
from tessera_identity import Account, PublicClientApplication, TesseraError, _errors, _options

WHOLE = {
    "remedy": "sign_in",
    "code": "interaction_required",
    "message": "Nötig.",
    "retryable": False,
    "retry_after": 30,
    "oauth_error": "invalid_grant",
    "suberror": "basic_action",
    "server_codes": [50076, 50079],
    "correlation_id": "c",
    "trace_id": "t",
    "claims": '{"access_token":{}}',
    "granted_scopes": ["a"],
    "declined_scopes": ["b"],
    "username": "alice@contoso.com",
    "home_account_id": "uid.utid",
    "accounts": [ACCOUNT],
    "causes": [
        {"domain": "tessera", "code": "server_unavailable", "message": "The server refused."},
        {"domain": "http", "number": 503, "message": "the server returned status 503"},
    ],
    "msal_code": -50002,
    "msal_internal_code": -42000,
    "from_the_future": 1,
}


@pytest.mark.parametrize(("status", "expected"), sorted(_errors.BY_STATUS.items()))
def test_each_status_has_its_class(
    fake: Fake, application: PublicClientApplication, status: int, expected: type[TesseraError]
) -> None:
    fake.set_error(GET_ACCOUNTS, status, remedy=expected.remedy, code="c", message="m")
    with pytest.raises(expected) as caught:
        application.get_accounts()
    assert type(caught.value) is expected
    assert str(caught.value) == "m (c)"
    assert expected.__name__.endswith("Error")


def test_messages_name_the_arguments(fake: Fake, application: PublicClientApplication) -> None:
    groups = {
        outer: getattr(_options, hint.__forward_arg__.partition(" ")[0], None)
        for outer, hint in _options.Configuration.__annotations__.items()
    }
    members = [
        f"{outer}.{inner}"
        for outer, options in groups.items()
        if options is not None and outer not in ("credential", "user_messages")
        for inner in options.__annotations__
    ]
    assert set(_errors.ARGUMENTS) == set(members)
    arguments = {argument.partition(" ")[0] for argument in _errors.ARGUMENTS.values()}
    assert arguments <= set(inspect.signature(PublicClientApplication).parameters)
    for member, argument in _errors.ARGUMENTS.items():
        fake.set_error(GET_ACCOUNTS, 4, code="c", message=f"Set {member}: /x/{member} is a path.")
        with pytest.raises(TesseraError) as caught:
            application.get_accounts()
        assert caught.value.message == f"Set {argument}: /x/{member} is a path."


def test_unknown_status_is_an_internal_error(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_error(GET_ACCOUNTS, 99, code="new", message="m")
    with pytest.raises(tessera_identity.InternalError) as caught:
        application.get_accounts()
    assert caught.value.code == "new"


def test_every_member_becomes_an_attribute(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_error(GET_ACCOUNT, 1, **WHOLE)
    with pytest.raises(tessera_identity.SignInRequiredError) as caught:
        application.get_account(username="alice")
    error = caught.value
    assert error.accounts == (Account(ACCOUNT),)
    for name in ("server_codes", "granted_scopes", "declined_scopes"):
        assert getattr(error, name) == tuple(WHOLE[name])  # type: ignore[arg-type]
    for name in set(WHOLE) - {
        "accounts",
        "causes",
        "server_codes",
        "granted_scopes",
        "declined_scopes",
        "from_the_future",
    }:
        assert getattr(error, name) == WHOLE[name]
    assert error.details["from_the_future"] == 1


def test_causes_are_a_chain_of_exceptions() -> None:
    error = _errors.error_for(1, {"error": WHOLE})
    first, second = error.causes
    assert (first.domain, first.number, first.code) == ("tessera", None, "server_unavailable")
    assert (second.domain, second.number, second.code) == ("http", 503, None)
    assert error.__cause__ is first
    assert first.__cause__ is second
    assert second.__cause__ is None
    assert str(first) == "The server refused. (tessera server_unavailable)"
    assert "http 503" in repr(second)
    shown = "".join(traceback.format_exception(type(error), error, None))
    assert shown.index("http 503") < shown.index("The server refused.") < shown.index("Nötig.")


def test_missing_members_are_none_or_empty() -> None:
    error = _errors.error_for(2, {})
    assert error.remedy == "retry_later"
    assert error.code == "internal_error"
    assert error.retry_after is None
    assert error.server_codes == ()
    assert error.accounts == ()
    assert error.causes == ()
    assert error.__cause__ is None


def test_errors_can_be_pickled_and_copied() -> None:
    error = _errors.error_for(1, {"error": WHOLE})
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is tessera_identity.SignInRequiredError
        assert again.args == error.args
        assert again.claims == error.claims
        assert again.accounts == error.accounts
        assert [str(each) for each in again.causes] == [str(each) for each in error.causes]
        assert str(again.__cause__) == str(error.causes[0])


@pytest.mark.parametrize("answer", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"nonsense"])
def test_a_response_other_than_an_object_is_an_internal_error(
    fake: Fake, application: PublicClientApplication, answer: bytes
) -> None:
    fake.set_response(GET_ACCOUNTS, answer)
    with pytest.raises(tessera_identity.InternalError):
        application.get_accounts()


def test_a_missing_response_is_a_memory_error(fake: Fake, application: PublicClientApplication) -> None:
    fake.set_response(GET_ACCOUNTS, None, 7)
    with pytest.raises(MemoryError):
        application.get_accounts()
