# SPDX-License-Identifier: MIT
"""Silent tokens: requests, cached results, cancellation."""

from __future__ import annotations

import _thread
import sys
import time
from threading import Thread

import pytest

from fake import ACCOUNT, REMOVE_ACCOUNT, SILENT, TOKEN, Fake
from tessera_identity import (
    Account,
    Cancellation,
    CancelledError,
    PublicClientApplication,
    SignInRequiredError,
    TokenResult,
    _application,
    _calls,
)


def test_the_request_contains_the_arguments(fake: Fake, application: PublicClientApplication) -> None:
    fake.set_response(SILENT, TOKEN)
    application.acquire_token_silent(("a", "b"), account=Account(ACCOUNT))
    assert fake.request(SILENT) == {
        "home_account_id": "uid.utid",
        "environment": ACCOUNT["environment"],
        "scopes": ["a", "b"],
        "timeout_milliseconds": 0,
    }
    application.acquire_token_silent(
        iter(["ö"]),
        account="uid.utid",
        authority="https://login.example/other",
        force_refresh=True,
        claims='{"x":1}',
        timeout=1.5,
        correlation_id="c",
        cancellation=Cancellation(),
    )
    assert fake.request(SILENT) == {
        "home_account_id": "uid.utid",
        "scopes": ["ö"],
        "authority": "https://login.example/other",
        "force_refresh": True,
        "claims": '{"x":1}',
        "timeout_milliseconds": 1500,
        "correlation_id": "c",
    }


def test_an_app_only_token_is_requested_each_time(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(SILENT, TOKEN)
    nobodys = application.acquire_token_silent(["a"], account=None)
    for _ in range(2):
        result = application.acquire_token_silent(["a"], account=None, for_application=True)
        assert result.access_token == "very-secret"
        assert result is not nobodys
        assert fake.request(SILENT) == {"scopes": ["a"], "for_application": True}
    assert application.acquire_token_silent(["a"], account=None) is nobodys


def test_one_string_is_not_taken_for_scopes(application: PublicClientApplication) -> None:
    with pytest.raises(TypeError):
        application.acquire_token_silent("User.Read", account="a")


def test_the_same_response_is_the_same_object(fake: Fake, application: PublicClientApplication) -> None:
    fake.set_response(SILENT, TOKEN)
    first = application.acquire_token_silent(["a"], account="x")
    assert application.acquire_token_silent(["a"], account="x") is first
    assert application.acquire_token_silent(["a"], account="x", correlation_id="c") is first
    assert fake.request(SILENT)["correlation_id"] == "c"
    assert (
        application.acquire_token_silent(["a"], account="x", cancellation=Cancellation()) is first
    )
    assert application.acquire_token_silent(["b"], account="x") is not first


def test_another_response_is_another_object(fake: Fake, application: PublicClientApplication) -> None:
    fake.set_response(SILENT, TOKEN)
    first = application.acquire_token_silent(["a"], account="x")
    fake.set_response(SILENT, {**TOKEN, "access_token": "other"})
    second = application.acquire_token_silent(["a"], account="x")
    assert second.access_token == "other"
    assert first.access_token == "very-secret"
    assert application.acquire_token_silent(["a"], account="x") is second


def test_error_after_a_result_is_raised_and_nothing_is_kept(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(SILENT, TOKEN)
    application.acquire_token_silent(["a"], account="x")
    fake.set_error(SILENT, 1, code="account_not_found", message="m")
    for _ in range(2):
        with pytest.raises(SignInRequiredError):
            application.acquire_token_silent(["a"], account="x")
    assert application._cached == {}


def test_a_token_for_fewer_scopes_is_a_result_that_is_not_cached(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(SILENT, TOKEN)
    assert application.acquire_token_silent(["a"], account="x").declined_scopes == ()
    fake.set_response(SILENT, {**TOKEN, "declined_scopes": ["a", "b"]}, 1)
    for explain in (False, False, True):
        result = application.acquire_token_silent(["a"], account="x", explain=explain)
        assert (result.access_token, result.declined_scopes) == ("very-secret", ("a", "b"))
        assert "declined_scopes=('a', 'b')" in repr(result)
    assert application._cached == {}


def test_a_missing_response_after_a_result_is_a_memory_error(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(SILENT, TOKEN)
    application.acquire_token_silent(["a"], account="x")
    fake.set_response(SILENT, None, 7)
    with pytest.raises(MemoryError):
        application.acquire_token_silent(["a"], account="x")


def test_removing_an_account_evicts_results(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(SILENT, TOKEN)
    application.acquire_token_silent(["a"], account="x")
    fake.set_response(REMOVE_ACCOUNT, {"removed": True})
    application.remove_account("x")
    assert application._cached == {}


def test_memory_is_bounded_and_the_oldest_is_forgotten(
    fake: Fake, application: PublicClientApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_application, "CACHE_LIMIT", 10)
    fake.set_response(SILENT, TOKEN)
    for number in range(20):
        application.acquire_token_silent([str(number)], account="x")
    assert [key[1] for key in application._cached] == [(str(number),) for number in range(10, 20)]


def test_a_request_whose_result_was_evicted_does_not_wait(
    fake: Fake, application: PublicClientApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_application, "CACHE_LIMIT", 1)
    monkeypatch.delattr(_application, "call_blocking")
    fake.set_response(SILENT, TOKEN)
    for scope in ("a", "b", "a", "b"):
        result = application.acquire_token_silent([scope], account="x")
        assert result.access_token == TOKEN["access_token"]


def test_the_first_call_of_any_thread_sends_the_request_of_the_later_ones(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(SILENT, TOKEN)
    results: list[TokenResult] = []
    for _ in range(2):
        thread = Thread(target=lambda: results.append(application.acquire_token_silent(["a"], account="x")))
        thread.start()
        thread.join()
        assert fake.request(SILENT) == {"home_account_id": "x", "scopes": ["a"], "timeout_milliseconds": 0}
    assert results[0] is results[1] is application.acquire_token_silent(["a"], account="x")


def test_a_first_call_starts_no_thread(fake: Fake, application: PublicClientApplication) -> None:
    fake.set_response(SILENT, TOKEN)
    seen: list[int] = []
    sys.setprofile(lambda *_: seen.append(_thread._count()))
    try:
        application.acquire_token_silent(["a"], account="x")
    finally:
        sys.setprofile(None)
    assert set(seen) == {_thread._count()}


def test_a_result_that_took_more_time_is_requested_with_all_of_it(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(SILENT, {**TOKEN, "warnings": ["not stored"]})
    first = application.acquire_token_silent(["a"], account="x")
    assert application.acquire_token_silent(["a"], account="x") is first
    assert "timeout_milliseconds" not in fake.request(SILENT)


def test_a_stored_token_that_is_gone_is_requested_with_more_time(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(SILENT, TOKEN)
    application.acquire_token_silent(["a"], account="x")
    fake.set_error(SILENT, 6, code="deadline_exceeded", message="m")
    with pytest.raises(CancelledError):
        application.acquire_token_silent(["a"], account="x")
    assert "timeout_milliseconds" not in fake.request(SILENT)


def test_a_stored_token_is_returned_without_a_helper_thread(
    fake: Fake, application: PublicClientApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(_calls, "_start_thread")
    fake.set_response(SILENT, TOKEN)
    assert application.acquire_token_silent(["a"], account="x").access_token == TOKEN["access_token"]
    with pytest.raises(NameError):
        application.acquire_token_silent(["a"], account="x", force_refresh=True)


def test_a_required_sign_in_is_raised_without_a_helper_thread(
    fake: Fake, application: PublicClientApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(_application, "call_blocking")
    fake.set_error(SILENT, 1, code="interaction_required", message="m")
    with pytest.raises(SignInRequiredError):
        application.acquire_token_silent(["a"], account="x")


@pytest.mark.parametrize(
    "members",
    [
        {"code": "refresh_token_rejected"},
        {
            "code": "interaction_required",
            "causes": [{"domain": "broker", "code": "timeout", "message": "m"}],
        },
    ],
)
def test_another_required_sign_in_is_confirmed_with_more_time(
    fake: Fake, application: PublicClientApplication, members: dict[str, object]
) -> None:
    fake.set_error(SILENT, 1, message="m", **members)
    with pytest.raises(SignInRequiredError):
        application.acquire_token_silent(["a"], account="x")
    assert "timeout_milliseconds" not in fake.request(SILENT)


@pytest.mark.parametrize("member", ["refresh_error", "brokers", "warnings"])
def test_a_call_that_needed_more_time_is_made_again(
    fake: Fake, application: PublicClientApplication, member: str
) -> None:
    values = {"refresh_error": {"remedy": "cancelled", "code": "deadline_exceeded", "message": "m"}}
    fake.set_response(SILENT, {**TOKEN, member: values.get(member, [])})
    application.acquire_token_silent(["a"], account="x")
    assert "timeout_milliseconds" not in fake.request(SILENT)


def test_per_call_options_are_not_sent_again(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(SILENT, TOKEN)
    plain = {"home_account_id": "x", "scopes": ["a"]}
    first = application.acquire_token_silent(["a"], account="x", correlation_id="c")
    assert application.acquire_token_silent(["a"], account="x", force_refresh=True) is first
    assert fake.request(SILENT) == {**plain, "force_refresh": True}
    assert application.acquire_token_silent(["a"], account="x") is first
    assert fake.request(SILENT) == {**plain, "timeout_milliseconds": 0}


@pytest.mark.parametrize("lifetime", [-10, 10, 100000])
def test_a_token_close_to_its_expiry_is_requested_like_any_other(
    fake: Fake, application: PublicClientApplication, lifetime: int
) -> None:
    fake.set_response(SILENT, {**TOKEN, "expires_on": int(time.time()) + lifetime})
    first = application.acquire_token_silent(["a"], account="x")
    assert application.acquire_token_silent(["a"], account="x") is first


def test_cancellation_that_was_cancelled_before(
    fake: Fake, application: PublicClientApplication
) -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    fake.set_response(SILENT, TOKEN)
    with pytest.raises(CancelledError):
        application.acquire_token_silent(["a"], account="x", cancellation=cancellation)
