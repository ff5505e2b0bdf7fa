# SPDX-License-Identifier: MIT
"""Sign-out with a broker, removal of several accounts, and concurrent calls for one account."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from broker_account import ACCOUNT, HOME, tokens, usual
from clients import SCOPES, DesktopUser
from desktop import check


def a_signed_out_account_stays_signed_out_by_name_too(user: DesktopUser) -> None:
    """After a sign-out, the broker still has the account and would return a token for it."""
    user.desktop.set_responses(**usual())
    application = user.application()
    application.acquire_token_silent(SCOPES, account=HOME)
    application.sign_out(HOME)
    asked = len(user.desktop.calls("acquireTokenSilently"))
    for policy in ("prefer", "require"):
        for who in ({"home_account_id": HOME}, {"username": "alice@contoso.com"}):
            answer = user.c("silent", {**who, "scopes": SCOPES}, broker=policy)["answer"]
            check(answer.get("error", {}).get("code") == "interaction_required", policy, who, answer)
    check(len(user.desktop.calls("acquireTokenSilently")) == asked, "the broker was not asked for a token")


def every_account_is_removed_even_after_a_failure(user: DesktopUser) -> None:
    """One of three accounts that the broker does not have, or does not remove."""
    accounts = [{**ACCOUNT, "homeAccountId": f"{name}.{HOME}"} for name in "abc"]
    for status, code in ((16, None), (6, "request_rejected")):
        wrong = {f"b.{HOME}": {"error": {"status": status, "context": "as the test wants it"}}}
        listed, leaving = {"answer": {"accounts": accounts}}, {"answer": {}, "by_account": wrong}
        user.desktop.set_responses(**{**usual(), "getAccounts": listed, "removeAccount": leaving})
        before = len(user.desktop.calls("removeAccount"))
        answer = user.c("sign_out", {"scope": "machine", "from_broker": True})["answer"]["broker"]
        check(answer["removed"] == 2 and answer.get("error", {}).get("code") == code, status, answer)
        check(len(user.desktop.calls("removeAccount")) == before + 3, "each was to leave")


def calls_at_the_same_time_have_a_token_each(user: DesktopUser) -> None:
    """From threads of one program; one of them calls the broker for all."""
    user.desktop.set_responses(**usual())
    application = user.application()
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(application.acquire_token_silent, SCOPES, account=HOME) for _ in range(8)]
    given = {call.result().access_token for call in calls}
    check(given == {"a-token-of-the-broker"}, given)
    check(len(user.desktop.calls("acquireTokenSilently")) == 1, "one of them asks")


def calls_for_a_fresh_token_share_it(user: DesktopUser) -> None:
    """Calls that wait for the broker share its token; a later call sends another request."""
    user.desktop.set_responses(**{**usual(), "acquireTokenSilently": {"answer": tokens(), "delay": 2}})
    application = user.application(broker="require")
    fresh = partial(application.acquire_token_silent, SCOPES, account=HOME, force_refresh=True)
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(fresh) for _ in range(8)]
    check({call.result().access_token for call in calls} == {"a-token-of-the-broker"}, "each has it")
    asked = len(user.desktop.calls("acquireTokenSilently"))
    check(asked <= 2, "the broker was asked", asked, "times")
    fresh()
    check(len(user.desktop.calls("acquireTokenSilently")) == asked + 1, "a later one asks for itself")


TESTS = [
    a_signed_out_account_stays_signed_out_by_name_too,
    every_account_is_removed_even_after_a_failure,
    calls_at_the_same_time_have_a_token_each,
    calls_for_a_fresh_token_share_it,
]
