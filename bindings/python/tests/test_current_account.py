# SPDX-License-Identifier: MIT
"""Single-account applications: requests and results with the fake library, then the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from fake import ACCOUNT, CURRENT, Fake
from real import needs_library, provider, running, settings, sign_in
from tessera_identity import InvalidRequest, PublicClientApplication

if TYPE_CHECKING:
    from provider import Provider

__all__ = ["provider", "running", "settings"]


def test_request_and_result(application: PublicClientApplication, fake: Fake) -> None:
    fake.set_response(CURRENT, {"account": ACCOUNT, "previous_account": None})
    current = application.get_current_account(timeout=2)
    assert fake.request(CURRENT) == {"timeout_milliseconds": 2000}
    assert current.account is not None
    assert current.account.username == ACCOUNT["username"]
    assert current.previous_account is None
    assert len({current, application.get_current_account()}) == 1


@needs_library
def test_the_previous_account_is_reported_once(settings: dict[str, Any], provider: Provider) -> None:
    with PublicClientApplication("for-one", **settings) as made:
        assert made.get_current_account().account is None
        alice = sign_in(made, provider).account
        current = made.get_current_account()
        assert (current.account, current.previous_account) == (alice, None)
        assert made.get_current_account().previous_account == alice
        made.remove_account(alice)
        gone = made.get_current_account()
        assert gone.account is None
        assert gone.previous_account is not None
        assert gone.previous_account.home_account_id == alice.home_account_id
        assert gone.previous_account.username == alice.username
        assert made.get_current_account().previous_account is None


@needs_library
def test_two_at_a_time_are_an_error(settings: dict[str, Any], provider: Provider) -> None:
    with PublicClientApplication("for-one", **settings) as made:
        sign_in(made, provider)
        made.acquire_token_by_device_code(
            ["User.Read"], timeout=30,
            prompt=provider.approves("bob@contoso.com"),
        )  # fmt: skip
        with pytest.raises(InvalidRequest) as caught:
            made.get_current_account()
    assert caught.value.code == "ambiguous_account"
    assert caught.value.msal_internal_code == -42102
    assert len(caught.value.accounts) == 2
