# SPDX-License-Identifier: MIT
"""Programs for MSAL Python run on `tessera_identity.msal_compat` with another import and constructor."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msal
import pytest

import tessera_identity
from browser_user import open_url
from fake import ACCOUNT, DEVICE_CODE, GET_ACCOUNTS, INTERACTIVE, PROMPT, SILENT, TOKEN, Fake
from real import ALICE, CLIENT, SCOPES, needs_library, provider, running
from tessera_identity import msal_compat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provider import Provider

__all__ = ["provider", "running"]

HERE = Path(__file__).parent
CHANGES = (
    ("import msal\n", "import tessera_identity.msal_compat as msal\n"),
    (
        'authority=config["authority"],',
        'authority=config["authority"], authority_type="entra", store_directory=config["store"],',
    ),
)
"""The changes of the programs: the import, and the arguments of the constructor for the local provider."""


class Resource(BaseHTTPRequestHandler):
    """A resource that reports whether a request has a bearer token."""

    def do_GET(self) -> None:
        """Responds to a request."""
        body = json.dumps({"authorized": self.headers["Authorization"].startswith("Bearer eyJ")}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Writes nothing."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Resource) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/me"
        server.shutdown()


@pytest.fixture
def words(provider: Provider, endpoint: str, tmp_path: Path) -> list[str]:
    """The command line of a program, without the program."""
    configuration = tmp_path / "parameters.json"
    configuration.write_text(json.dumps({
        "client_id": CLIENT, "authority": provider.entra_authority, "scope": SCOPES,
        "endpoint": endpoint, "username": ALICE, "store": str(tmp_path / "store"),
    }))  # fmt: skip
    return [str(configuration)]


def start(name: str, words: list[str], tmp_path: Path, **environment: str) -> subprocess.Popen[str]:
    """Starts a program after its changes."""
    text = (HERE / name).read_text()
    for before, after in CHANGES:
        assert before in text
        text = text.replace(before, after)
    program = tmp_path / name
    program.write_text(text)
    return subprocess.Popen(
        [sys.executable, str(program), *words],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
    )


@needs_library
def test_device_flow_and_silent_programs_run(
    provider: Provider, words: list[str], tmp_path: Path
) -> None:
    with start("msal_silent.py", words, tmp_path) as program:
        assert program.communicate(timeout=60)[0] == "no token\n"
    with start("msal_device_flow.py", words, tmp_path) as program:
        assert program.stdout is not None
        message = program.stdout.readline()
        code = next(word for word in message.replace(".", " ").split() if "-" in word and word.isupper())
        provider.approve(code)
        output, _ = program.communicate(timeout=60)
    assert output == (
        "source: identity_provider\n{'authorized': True}\n"
        f"accounts: ['{ALICE}']\nsource: cache\n{{'authorized': True}}\n"
    )
    with start("msal_silent.py", words, tmp_path) as program:
        assert program.communicate(timeout=60)[0] == "source: cache\n{'authorized': True}\n"


@needs_library
def test_interactive_program_runs(provider: Provider, words: list[str], tmp_path: Path) -> None:
    pipe, browser = tmp_path / "pipe", tmp_path / "browser"
    os.mkfifo(pipe)
    browser.write_text(f"#!/bin/sh\necho \"$1\" > '{pipe}'\n")
    browser.chmod(0o755)
    with start("msal_interactive.py", words, tmp_path, BROWSER=str(browser)) as program:
        url = pipe.read_text().strip()
        assert "prompt=select_account" in url
        open_url(provider.visit(url))
        output, _ = program.communicate(timeout=60)
    assert output == (
        "source: identity_provider\n{'authorized': True}\n"
        f"accounts: ['{ALICE}']\nsource: cache\n{{'authorized': True}}\n"
    )


@pytest.mark.parametrize(
    "name",
    [
        "get_accounts", "remove_account", "acquire_token_silent", "acquire_token_silent_with_error",
        "acquire_token_interactive", "initiate_device_flow", "acquire_token_by_device_flow",
        "initiate_auth_code_flow", "acquire_token_by_auth_code_flow",
    ],
)  # fmt: skip
def test_methods_have_the_parameters_of_msal(name: str) -> None:
    def parameters(kind: type) -> list[tuple[str, object, object]]:
        found = inspect.signature(getattr(kind, name)).parameters.values()
        # These are in kwargs.
        rare = ("forwarded_client_claims", "auth_scheme", "exit_condition")
        return [(each.name, each.kind, each.default) for each in found if each.name not in rare]

    assert parameters(msal_compat.PublicClientApplication) == parameters(msal.PublicClientApplication)


@pytest.fixture
def app(fake: Fake) -> Iterator[msal_compat.PublicClientApplication]:
    """An application with the fake library."""
    fake.set_response(GET_ACCOUNTS, {"accounts": [ACCOUNT]})
    made = msal_compat.PublicClientApplication("client", authority="https://login.example/t")
    yield made
    for each in (made._application, *made._redirecting.values()):
        each.close()


def test_accounts_and_tokens_are_dictionaries(
    fake: Fake, app: msal_compat.PublicClientApplication
) -> None:
    fake.set_response(SILENT, TOKEN)
    (account,) = app.get_accounts("alice@contoso.com")
    assert account == {
        "home_account_id": "uid.utid", "environment": "login.microsoftonline.com",
        "username": "alice@contoso.com",
        "local_account_id": "uid", "realm": "utid",
    }  # fmt: skip
    result = app.acquire_token_silent(["User.Read"], account, None, True, "{}")  # noqa: FBT003
    assert result is not None
    assert (result["access_token"], result["scope"]) == ("very-secret", "User.Read")
    assert result["token_source"] == "cache"
    assert isinstance(result["expires_in"], int)
    assert fake.request(SILENT)["claims"] == "{}"
    assert fake.request(SILENT)["environment"] == "login.microsoftonline.com"


def test_errors_of_the_server_are_dictionaries_and_other_errors_exceptions(
    fake: Fake, app: msal_compat.PublicClientApplication
) -> None:
    (account,) = app.get_accounts()
    assert app.acquire_token_silent(["a"], account=None) is None
    fake.set_error(SILENT, 1, code="no_tokens", message="m", remedy="sign_in")
    assert app.acquire_token_silent_with_error(["a"], account=account) is None
    server: dict[str, Any] = {
        "code": "interaction_required", "message": "AADSTS50079", "remedy": "sign_in",
        "oauth_error": "invalid_grant", "suberror": "basic_action", "server_codes": [50079], "claims": "{}",
    }  # fmt: skip
    fake.set_error(SILENT, 1, **server)
    assert app.acquire_token_silent(["a"], account=account) is None
    assert app.acquire_token_silent_with_error(["a"], account=account) == {
        "error": "invalid_grant", "error_description": "AADSTS50079", "suberror": "basic_action",
        "error_codes": [50079], "claims": "{}",
    }  # fmt: skip
    fake.set_error(SILENT, 2, code="network_failed", message="m", remedy="retry_later")
    with pytest.raises(tessera_identity.RetryLaterError):
        app.acquire_token_silent(["a"], account=account)
    fake.set_response(SILENT, {**TOKEN, "declined_scopes": ["a"]}, 1)
    token = app.acquire_token_silent(["a"], account=account)
    assert token is not None
    assert (token["access_token"], token["scope"]) == ("very-secret", "User.Read")


def test_device_flow_can_be_polled_and_ended(
    fake: Fake, app: msal_compat.PublicClientApplication
) -> None:
    fake.set_prompt(PROMPT)
    fake.set_error(DEVICE_CODE, 6, code="cancelled", message="m", remedy="cancelled")
    fake.block_calls()
    flow = app.initiate_device_flow(["a"])
    assert (flow["user_code"], flow["interval"]) == ("ABCD-EFGH", 5)
    pending = app.acquire_token_by_device_flow(flow, exit_condition=lambda _flow: True)
    assert pending["error"] == "authorization_pending"
    flow["expires_at"] = 0
    assert "error" in app.acquire_token_by_device_flow(flow)
    with pytest.raises(ValueError, match="has ended"):
        app.acquire_token_by_device_flow(flow)


def test_device_code_that_is_refused_is_a_dictionary(
    fake: Fake, app: msal_compat.PublicClientApplication
) -> None:
    fake.set_error(
        DEVICE_CODE, 4, code="client_rejected", message="m", remedy="fix_configuration",
        oauth_error="invalid_client",
    )  # fmt: skip
    assert app.initiate_device_flow(["a"])["error"] == "invalid_client"


def test_arguments_of_a_sign_in_are_passed_on(
    fake: Fake, app: msal_compat.PublicClientApplication
) -> None:
    fake.set_response(INTERACTIVE, TOKEN)
    fake.set_prompt({"url": "https://login.example", "opens_browser": True})
    opened: list[Any] = []
    app.acquire_token_interactive(
        ["a"], prompt=msal_compat.Prompt.LOGIN, claims_challenge="{}", max_age=60, port=8400,
        on_before_launching_ui=lambda **given: opened.append(given), success_template="<p>",
    )  # fmt: skip
    request = fake.request(INTERACTIVE)
    assert (request["prompt"], request["claims"], request["success_page"]) == ("login", "{}", "<p>")
    assert request["extra_query_parameters"] == {"max_age": "60"}
    assert opened == [{"ui": "browser"}]


@needs_library
def test_sign_in_in_two_steps(provider: Provider, tmp_path: Path) -> None:
    app = msal_compat.PublicClientApplication(
        CLIENT, authority=provider.entra_authority, authority_type="entra", store_directory=tmp_path / "store"
    )
    flow = app.initiate_auth_code_flow(SCOPES, redirect_uri="http://localhost:8400")
    response = provider.visit(flow["auth_uri"])
    assert response.startswith("http://localhost:8400")
    parameters = dict(each.split("=", 1) for each in response.split("?", 1)[1].split("&"))
    with pytest.raises(ValueError, match="state"):
        app.acquire_token_by_auth_code_flow(flow, {**parameters, "state": "other"})
    result = app.acquire_token_by_auth_code_flow(flow, parameters)
    assert result["token_source"] == "identity_provider"
    app.remove_account(app.get_accounts()[0])
    assert app.get_accounts() == []


def test_what_is_not_supported_is_named() -> None:
    with pytest.raises(AttributeError, match=r"use tessera_identity\.ConfidentialClientApplication"):
        msal_compat.ConfidentialClientApplication  # type: ignore[attr-defined] # noqa: B018
    with pytest.raises(ValueError, match="client_credential"):
        msal_compat.PublicClientApplication("client", "secret")  # type: ignore[arg-type]
