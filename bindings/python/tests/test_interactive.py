# SPDX-License-Identifier: MIT
"""Interactive sign-in: requests, the prompt, and its exceptions."""

from __future__ import annotations

from typing import Any

import pytest

from fake import INTERACTIVE, TOKEN, Fake
from tessera_identity import (
    Cancellation,
    CancelledError,
    InternalError,
    PublicClientApplication,
    SignInPrompt,
)

PROMPT: dict[str, Any] = {
    "url": "https://login.example/authorize?state=s",
    "opens_browser": False,
    "reason": "ssh",
    "redirect_uri": "http://localhost:1234",
}


def test_all_arguments_are_in_the_request(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(INTERACTIVE, TOKEN)
    result = application.acquire_token_interactive(
        ["a"],
        silent_first=True,
        account="uid.utid",
        accept_other_account=True,
        extra_scopes_to_consent=["b"],
        authority="https://login.example/t",
        login_hint="alice",
        domain_hint="contoso.com",
        ui_locales="de en",
        prompt="login",
        claims="{}",
        extra_query_parameters={"x": "y"},
        extra_token_parameters={"v": "w"},
        response_mode="form_post",
        browser="show",
        webview_type="embedded",
        prefers_ephemeral_web_browser_session=False,
        webview_program="/opt/tessera-webview",
        success_page="<p>",
        failure_page="<b>",
        answer_descriptor=0,
        timeout=1.5,
        correlation_id="c",
    )
    assert result.access_token == "very-secret"
    assert fake.request(INTERACTIVE) == {
        "scopes": ["a"],
        "silent_first": True,
        "home_account_id": "uid.utid",
        "accept_other_account": True,
        "extra_scopes_to_consent": ["b"],
        "authority": "https://login.example/t",
        "login_hint": "alice",
        "domain_hint": "contoso.com",
        "ui_locales": "de en",
        "prompt": "login",
        "claims": "{}",
        "extra_query_parameters": {"x": "y"},
        "extra_token_parameters": {"v": "w"},
        "response_mode": "form_post",
        "browser": "show",
        "webview_type": "embedded",
        "prefers_ephemeral_web_browser_session": False,
        "webview_program": "/opt/tessera-webview",
        "success_page": "<p>",
        "failure_page": "<b>",
        "answer_descriptor": 0,
        "timeout_milliseconds": 1500,
        "correlation_id": "c",
    }


def test_the_prompt_receives_the_address(fake: Fake, application: PublicClientApplication) -> None:
    fake.set_response(INTERACTIVE, TOKEN)
    fake.set_prompt(PROMPT)
    shown: list[SignInPrompt] = []
    application.acquire_token_interactive(["a"], prompt_callback=shown.append)
    assert shown == [SignInPrompt(PROMPT)]
    assert shown[0].url == PROMPT["url"]
    assert shown[0].opens_browser is False
    assert shown[0].problem is None


def test_the_prompt_is_optional(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(INTERACTIVE, TOKEN)
    fake.set_prompt({})
    application.acquire_token_interactive(["a"], prompt_callback=None)


def test_the_address_is_written_to_standard_error_if_no_browser_is_opened(
    fake: Fake, application: PublicClientApplication, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.set_response(INTERACTIVE, TOKEN)
    shown = f"To sign in, open this URL in a browser:\n{PROMPT['url']}\n"
    prompts: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, shown),
        ({"problem": "Not this sign-in."}, f"Not this sign-in.\n{shown}"),
        ({"opens_browser": True}, ""),
    )
    for changes, written in prompts:
        fake.set_prompt({**PROMPT, **changes})
        application.acquire_token_interactive(["a"])
        assert capsys.readouterr() == ("", written)


def test_nothing_is_written_without_standard_error(
    fake: Fake, application: PublicClientApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.set_response(INTERACTIVE, TOKEN)
    fake.set_prompt(PROMPT)
    monkeypatch.setattr("sys.stderr", None)
    application.acquire_token_interactive(["a"])


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_exception_of_the_prompt_stops_the_call(
    fake: Fake, application: PublicClientApplication, error: type[BaseException]
) -> None:
    fake.set_prompt(PROMPT)
    fake.block_calls()

    def prompt(_prompt: SignInPrompt) -> None:
        raise error("mine")

    with pytest.raises(error, match="mine"):
        application.acquire_token_interactive(["a"], prompt_callback=prompt)
    assert fake.waiting_calls == 0


def test_prompt_that_makes_no_sense_stops_the_call(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_prompt({})
    fake.block_calls()
    with pytest.raises(InternalError):
        application.acquire_token_interactive(["a"], prompt_callback=print)


def test_a_cancellation_stops_the_call(fake: Fake, application: PublicClientApplication) -> None:
    fake.set_prompt(PROMPT)
    fake.block_calls()
    stop = Cancellation()
    with pytest.raises(CancelledError):
        application.acquire_token_interactive(
            ["a"], prompt_callback=lambda _prompt: stop.cancel(), cancellation=stop
        )


def test_one_string_is_not_taken_for_scopes(application: PublicClientApplication) -> None:
    with pytest.raises(TypeError):
        application.acquire_token_interactive("User.Read")
