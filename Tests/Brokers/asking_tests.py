# SPDX-License-Identifier: MIT
"""Requests to the broker and its responses: every method and every format."""

from __future__ import annotations

import time

import tessera_identity
from broker_account import (
    ACCOUNT,
    AUTHORITY,
    CLIENT,
    HOME,
    OBJECT,
    REDIRECT,
    REFRESH_TOKEN,
    TENANT,
    encoded,
    tokens,
    usual,
)
from clients import SCOPES, DesktopUser
from desktop import check

PAGE = AUTHORITY + "/oauth2/authorize?sso_nonce=n"


def the_version_is_reported_in_every_language(user: DesktopUser) -> None:
    """C, Python and Swift return the same, and the requests to the broker have its format."""
    user.desktop.set_responses(**usual())
    check(user.c("version", {}) == {"status": 0, "answer": {"version": "2.5.2"}}, "C")
    check(user.cli("broker", "version") == (0, {"version": "2.5.2"}), "Swift")
    check(user.application().broker_version(correlation_id="an-id") == "2.5.2", "Python")
    calls = user.desktop.calls("getLinuxBrokerVersion")
    check(len(calls) == 3 and calls[2]["version"] == "0.0" and calls[2]["id"] == "an-id", calls)
    check(len({call["id"] for call in calls}) == 3, "each call has an id of its own", calls)


def the_accounts_are_listed_in_every_language(user: DesktopUser) -> None:
    """All accounts of the broker, signed in here or not."""
    user.desktop.set_responses(**usual())
    expected = {
        "home_account_id": HOME, "local_account_id": OBJECT, "environment": "login.windows.net",
        "tenant_id": TENANT, "username": "alice@contoso.com", "name": "Alice Example", "given_name": "Alice",
    }  # fmt: skip
    check(user.c("accounts", {})["answer"] == {"accounts": [expected]}, "C")
    check(user.cli("broker", "accounts")[1] == {"accounts": [expected]}, "Swift")
    (account,) = user.application(broker=None).broker_accounts()
    check(account == tessera_identity.BrokerAccount(expected), "Python", account)
    body = user.desktop.calls("getAccounts")[0]["body"]
    check(body == {"clientId": CLIENT, "redirectUri": REDIRECT}, body)
    user.desktop.set_responses(getAccounts={"answer": {"accounts": None}})
    check(user.application().broker_accounts() == (), "nobody")


def a_silent_token_comes_from_the_broker_and_then_from_the_cache(user: DesktopUser) -> None:
    """Three programs share a token that one of them received."""
    user.desktop.set_responses(**usual())
    result = user.application().acquire_token_silent(SCOPES, account=HOME)
    check(result.source == "broker" and result.access_token == "a-token-of-the-broker", result)
    check(result.brokers[0].outcome == "used" and result.account.username == "alice@contoso.com", result)
    ends = result.expires_on - time.time()
    check(3000 < ends < 3700 and result.extended_expires_on == result.expires_on + 3600, "ends in", ends)
    parameters = user.desktop.calls("acquireTokenSilently")[0]["body"]["authParameters"]
    check(parameters["account"] == ACCOUNT and parameters["authorizationType"] == 1, parameters)
    check(parameters["requestedScopes"] == SCOPES and parameters["authority"] == AUTHORITY, parameters)
    answer = user.c("silent", {"home_account_id": HOME, "scopes": SCOPES})["answer"]
    check(answer["source"] == "cache" and "brokers" not in answer, answer)
    status, answer = user.cli("token", "--scope", "User.Read", "--username", "alice@contoso.com")
    check(status == 0 and answer["source"] == "cache", answer)
    check(len(user.desktop.calls("acquireTokenSilently")) == 1, "the broker was asked once")


def no_refresh_token_of_the_broker_is_stored(user: DesktopUser) -> None:
    """The unencrypted store contains the access token, but no refresh token."""
    user.desktop.set_responses(**usual())
    # Without a keyring on this bus, the store is not encrypted.
    application = user.application(key_sources=["secret_service"])
    application.acquire_token_silent(SCOPES, account=HOME)
    application.acquire_token_interactive(SCOPES, account=HOME)
    application.close()
    disk = b"".join(path.read_bytes() for path in user.store.rglob("*") if path.is_file())
    check(b"a-token-of-the-window" in disk, "the store does not have what it should have")
    check(REFRESH_TOKEN.encode() not in disk, "the store has the broker's refresh token")


def scopes_times_and_numbers_may_have_any_shape(user: DesktopUser) -> None:
    """A scope list, seconds, numbers as strings, no client_info: all are accepted."""
    ends = int(time.time()) + 3600
    shapes: list[dict[str, object]] = [
        {"grantedScopes": ["User.Read", "openid"]},
        {"expiresOn": ends, "extendedExpiresOn": ends + 3600},
        {"expiresOn": ends * 1000, "extendedExpiresOn": ends + 3600},
        {"expiresOn": str(ends * 1000), "accessTokenType": "0"},
        {"clientInfo": None, "account": ACCOUNT},
        {"clientInfo": encoded({"uid": OBJECT, "utid": TENANT}) + "==", "account": None},
    ]
    for index, shape in enumerate(shapes):
        response = {"answer": tokens(f"token-{index}", **shape)}
        user.desktop.set_responses(**{**usual(), "acquireTokenSilently": response})
        token = user.application(group=f"group-{index}").acquire_token_silent(SCOPES, account=HOME)
        check(token.access_token == f"token-{index}" and "User.Read" in token.scopes, shape, token)
        check(abs(token.expires_on - ends) < 60, shape, token.expires_on - ends)


def a_user_signs_in_in_the_window_in_every_language(user: DesktopUser) -> None:
    """The request names the user, unless any account may be chosen."""
    user.desktop.set_responses(**usual())
    result = user.application().acquire_token_interactive(SCOPES, account=HOME, page_prompt="login")
    check(result.source == "broker" and result.access_token == "a-token-of-the-window", result)
    request = {"scopes": SCOPES, "prompt": "select_account", "login_hint": "alice@contoso.com"}
    answer = user.c("interactive", request, broker="require")
    check(answer["status"] == 0 and answer["answer"]["source"] == "broker", answer)
    first, second = (
        call["body"]["authParameters"] for call in user.desktop.calls("acquireTokenInteractively")
    )
    check(first["authorizationType"] == 6 and first["account"] == ACCOUNT and first["prompt"] == "login", first)
    check(second["prompt"] == "select_account" and "account" not in second and "username" not in second, second)


def both_shapes_of_the_cookie_are_read(user: DesktopUser) -> None:
    """Older brokers return one cookie, newer ones a list."""
    user.desktop.set_responses(**usual())
    request = {"home_account_id": HOME, "sso_url": PAGE}
    expected = {"cookies": [{"name": "x-ms-RefreshTokenCredential", "content": "jwt"}]}
    check(user.c("cookie", request)["answer"] == expected, "C")
    old = {"account": ACCOUNT, "cookieName": "x-ms-RefreshTokenCredential", "cookieContent": "jwt"}
    user.desktop.set_responses(**{**usual(), "acquirePrtSsoCookie": {"answer": old}})
    (cookie,) = user.application().broker_sso_cookie(HOME, PAGE)
    check(cookie.content == "jwt" and "jwt" not in repr(cookie), cookie)
    status, answer = user.cli(
        "broker", "cookie", "--home-account-id", HOME, "--sso-url", PAGE, "--scope", "Mail.Read",
        "--correlation-id", "an-id",
    )  # fmt: skip
    check((status, answer) == (0, expected), answer)
    last = user.desktop.calls("acquirePrtSsoCookie")[-1]
    check(last["id"] == "an-id" and last["body"]["authParameters"]["requestedScopes"] == ["Mail.Read"], last)
    body = user.desktop.calls("acquirePrtSsoCookie")[0]["body"]
    check(body["ssoUrl"] == PAGE and body["authParameters"]["authorizationType"] == 8, body)
    check(body["account"] == ACCOUNT and body["mamEnrollment"] is False, body)


def a_request_is_signed_in_every_language(user: DesktopUser) -> None:
    """The method, host and path of the request are sent to the broker."""
    user.desktop.set_responses(**usual())
    request = {"home_account_id": HOME, "http_method": "POST", "url": "https://api.example/p", "nonce": "n"}
    check(user.c("sign", request)["answer"] == {"signed_http_request": "s.h.r"}, "C")
    application = user.application()
    url = "https://api.example/p"
    check(application.broker_signed_http_request(HOME, "GET", url, key_id="k") == "s.h.r", "Python")
    own = ("--http-method", "PUT", "--nonce", "n", "--client-claims", "{}", "--key-id", "k")
    _, answer = user.cli("broker", "sign", "--home-account-id", HOME, "--url", url, *own)
    check(answer == {"signed_http_request": "s.h.r"}, "Swift")
    last = user.desktop.calls("generateSignedHttpRequest")[-1]["body"]["popParams"]
    told = [last[name] for name in ("httpMethod", "nonce", "clientClaims", "kid")]
    check(told == ["PUT", "n", "{}", "k"], last)
    first = user.desktop.calls("generateSignedHttpRequest")[0]["body"]["popParams"]
    check(first["httpMethod"] == "POST" and first["uriHost"] == "api.example" and first["uriPath"] == "/p", first)
    check(first["homeAccountId"] == HOME and first["nonce"] == "n", first)


def a_sign_out_reaches_the_broker_if_it_is_to(user: DesktopUser) -> None:
    """Without "from_broker", no request is sent to the broker."""
    user.desktop.set_responses(**usual())
    application = user.application()
    application.acquire_token_silent(SCOPES, account=HOME)
    check(application.sign_out(HOME).broker is None and not user.desktop.calls("removeAccount"), "not asked")
    report = application.sign_out(HOME, from_broker=True)
    check(report.broker == {"removed": 1}, report)
    answer = user.c("sign_out", {"home_account_id": HOME, "from_broker": True})["answer"]
    check(answer["broker"] == {"removed": 1}, answer)
    body = user.desktop.calls("removeAccount")[0]["body"]
    check(body == {"clientId": CLIENT, "account": ACCOUNT}, body)


TESTS = [
    the_version_is_reported_in_every_language,
    the_accounts_are_listed_in_every_language,
    a_silent_token_comes_from_the_broker_and_then_from_the_cache,
    no_refresh_token_of_the_broker_is_stored,
    scopes_times_and_numbers_may_have_any_shape,
    a_user_signs_in_in_the_window_in_every_language,
    both_shapes_of_the_cookie_are_read,
    a_request_is_signed_in_every_language,
    a_sign_out_reaches_the_broker_if_it_is_to,
]
