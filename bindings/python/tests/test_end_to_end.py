# SPDX-License-Identifier: MIT
"""The binding with the real library, against the local identity provider."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from real import (
    ALICE,
    CLIENT,
    SCOPES,
    application,
    needs_library,
    provider,
    running,
    settings,
    sign_in,
)
from tessera_identity import PublicClientApplication, _native

if TYPE_CHECKING:
    from collections.abc import Callable

    from provider import Provider

EXAMPLES = Path(__file__).parents[3] / "examples/python"

pytestmark = needs_library

__all__ = ["application", "provider", "running", "settings"]


def ended_by(start: Callable[[], object], error: type[BaseException]) -> Any:
    """Returns the error of a call, which must be raised within a second."""
    began = time.monotonic()
    with pytest.raises(error) as caught:
        start()
    assert time.monotonic() - began < 2.5
    return caught.value


def test_versions_agree() -> None:
    library = _native.library()
    assert library.tessera_version().decode() == tessera_identity.__version__
    major, minor, patch = map(int, re.findall(r"\d+", tessera_identity.__version__))
    assert library.tessera_version_number() == major * 1000000 + minor * 1000 + patch


@pytest.mark.parametrize("pii", [False, True])
def test_log_holds_user_names_only_on_request(
    provider: Provider, settings: dict[str, Any], *, pii: bool
) -> None:
    lines: list[str] = []
    with PublicClientApplication(
        CLIENT, **settings, log=lambda _level, line: lines.append(line), log_pii=pii
    ) as application:
        application.sign_out(sign_in(application, provider).account)
    text = "\n".join(lines)
    assert (ALICE in text) is pii
    assert ("auth.placeholder-" in text) is not pii


def test_sign_in_and_everything_after(
    application: PublicClientApplication, provider: Provider, settings: dict[str, Any]
) -> None:
    assert application.get_accounts() == ()
    result = sign_in(application, provider)
    assert result.source == "network"
    assert result.persisted
    assert result.account.username == ALICE
    assert "User.Read" in result.scopes
    assert result.expires_on > time.time()
    assert result.access_token not in repr(result)

    (account,) = application.get_accounts()
    assert account == result.account
    assert application.get_account(username=ALICE) == account
    assert application.get_account(home_account_id=account.home_account_id) == account

    before = provider.count("requests")
    cached = application.acquire_token_silent(SCOPES, account=account)
    assert cached.source == "cache"
    assert cached.access_token == result.access_token
    assert application.acquire_token_silent(SCOPES, account=account) is cached
    with PublicClientApplication(CLIENT, **settings) as other:
        assert other.acquire_token_silent(SCOPES, account=account) == cached
    assert provider.count("requests") == before

    fresh = application.acquire_token_silent(SCOPES, account=account, force_refresh=True)
    assert fresh.source == "network"
    assert fresh.access_token != cached.access_token
    again = application.acquire_token_silent(SCOPES, account=account)
    assert (again.source, again.access_token) == ("cache", fresh.access_token)

    assert application.remove_account(account)
    assert not application.remove_account(account)
    with pytest.raises(tessera_identity.SignInRequiredError):
        application.acquire_token_silent(SCOPES, account=account)
    with pytest.raises(tessera_identity.SignInRequiredError) as caught:
        application.get_account(username=ALICE)
    assert caught.value.code == "account_not_found"


def test_threads_share_one_application(
    application: PublicClientApplication, provider: Provider
) -> None:
    result = sign_in(application, provider)
    tokens: list[str] = []

    def run() -> None:
        for _ in range(200):
            token = application.acquire_token_silent(SCOPES, account=result.account)
            tokens.append(token.access_token)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert tokens == [result.access_token] * 800


def test_the_user_declines(application: PublicClientApplication, provider: Provider) -> None:
    with pytest.raises(tessera_identity.CancelledError) as caught:
        application.acquire_token_by_device_code(
            SCOPES, prompt_callback=lambda prompt: provider.command("decline", user_code=prompt.user_code)
        )
    assert caught.value.code == "access_denied"


def test_code_expires(application: PublicClientApplication, provider: Provider) -> None:
    with pytest.raises(tessera_identity.SignInRequiredError) as caught:
        application.acquire_token_by_device_code(
            SCOPES, prompt_callback=lambda prompt: provider.command("expire", user_code=prompt.user_code)
        )
    assert caught.value.code == "code_expired"


def test_timeout(application: PublicClientApplication) -> None:
    error = ended_by(
        lambda: application.acquire_token_by_device_code(
            SCOPES, prompt_callback=lambda _prompt: None, timeout=0.5
        ),
        tessera_identity.CancelledError,
    )
    assert error.code == "deadline_exceeded"


def test_cancellation(application: PublicClientApplication) -> None:
    cancellation = tessera_identity.Cancellation()
    error = ended_by(
        lambda: application.acquire_token_by_device_code(
            SCOPES,
            prompt_callback=lambda _prompt: threading.Timer(0.2, cancellation.cancel).start(),
            cancellation=cancellation,
        ),
        tessera_identity.CancelledError,
    )
    assert error.code == "cancelled"


def test_ctrl_c(application: PublicClientApplication) -> None:
    def interrupt(_prompt: object) -> None:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()

    ended_by(
        lambda: application.acquire_token_by_device_code(SCOPES, prompt_callback=interrupt),
        KeyboardInterrupt,
    )


def test_exception_of_the_prompt(application: PublicClientApplication) -> None:
    def prompt(_prompt: object) -> None:
        raise ValueError("mine")

    ended_by(lambda: application.acquire_token_by_device_code(SCOPES, prompt_callback=prompt), ValueError)


def test_outage(application: PublicClientApplication, provider: Provider) -> None:
    result = sign_in(application, provider)
    provider.command("outage")
    with pytest.raises(tessera_identity.RetryLaterError) as caught:
        application.acquire_token_silent(SCOPES, account=result.account, force_refresh=True)
    assert caught.value.retryable


def test_revoked_sign_in(application: PublicClientApplication, provider: Provider) -> None:
    result = sign_in(application, provider)
    provider.command("revoke_refresh_tokens", username=ALICE)
    with pytest.raises(tessera_identity.SignInRequiredError) as caught:
        application.acquire_token_silent(SCOPES, account=result.account, force_refresh=True)
    assert caught.value.oauth_error == "invalid_grant"


def test_configuration_that_cannot_work() -> None:
    with pytest.raises(tessera_identity.ConfigurationError):
        PublicClientApplication(CLIENT, authority="http://login.example/tenant")


def test_request_without_scopes(application: PublicClientApplication) -> None:
    with pytest.raises(tessera_identity.InvalidRequestError):
        application.acquire_token_silent([], account="nobody.nowhere")


def test_log_holds_no_token(settings: dict[str, Any], provider: Provider) -> None:
    lines: list[str] = []
    application = PublicClientApplication(
        CLIENT, log=lambda _level, message: lines.append(message), log_level=4, **settings
    )
    result = sign_in(application, provider)
    application.acquire_token_silent(SCOPES, account=result.account, force_refresh=True)
    assert lines
    assert not any(result.access_token in line for line in lines)


def test_examples(settings: dict[str, Any], provider: Provider) -> None:
    options = ["--client-id", CLIENT, "--scope", SCOPES[0], "--json"]
    for name, value in settings.items():
        options += ["--" + name.replace("_", "-"), str(value)]
    environment = {**os.environ, "PYTHONPATH": str(Path(tessera_identity.__file__).parents[1])}

    def start(name: str, *more: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(EXAMPLES / f"{name}.py"), *options, *more]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)

    def answer(name: str, *more: str) -> Any:
        output, _ = start(name, *more).communicate(timeout=60)
        return json.loads(output)

    with start("sign_in") as process:
        assert process.stdout is not None
        provider.approve(json.loads(process.stdout.readline())["user_code"])
        signed_in = json.loads(process.stdout.readline())
    assert process.returncode == 0
    token = answer("get_token", "--username", ALICE)
    assert token == {**signed_in, "source": "cache"}
    assert answer("get_token", "--force-refresh")["source"] == "network"
    assert [each["username"] for each in answer("accounts")["accounts"]] == [ALICE]
    report = answer("sign_out")
    assert report["removed"] is True
    assert "browser_session" in report["remaining"]
    with start("get_token") as process:
        assert process.wait(timeout=60) == 1
