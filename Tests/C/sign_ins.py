# SPDX-License-Identifier: MIT
"""Sign-ins on the provider's page: sign_in.c and interactive.c run the steps, and a user signs in."""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from workshop import ENVIRONMENT

from configurations import nested
from expiry import wait_until_over
from provider import Provider


def cross_processes(run: Callable[..., str], program: Path) -> None:
    """Starts in one process, completes in another one, once; other URLs leave the sign-in pending."""
    with Provider() as provider, tempfile.TemporaryDirectory() as directory:
        settings: dict[str, object] = {
            "client_id": "app", "authority": provider.oidc_issuer, "store_directory": directory,
            "redirect_uri": "com.example.app://auth", "registered_schemes": ["com.example.app"],
        }  # fmt: skip

        def step(name: str, **request: object) -> dict[str, Any]:
            status, answer = run(program, name, json.dumps(nested(settings)), json.dumps(request)).split(" ", 1)
            document = dict(json.loads(answer))
            return document if status == "0" else dict(document["error"])

        begun, other = step("begin", scopes=["read"]), step("begin", scopes=["read"])
        assert begun["redirect_uri"] == "com.example.app://auth", begun
        url = provider.visit(begun["url"])
        wrong = step("complete", state=begun["state"], url=provider.visit(other["url"]))
        assert wrong["code"] == "state_mismatch", wrong
        result = step("complete", state=begun["state"], url=url)
        assert result["account"]["username"] == "alice@contoso.com", result
        again = step("complete", state=begun["state"], url=url)
        assert again["code"] == "sign_in_used", again
        posted = step("complete", state=other["state"], form="code=c")
        assert posted["code"] == "state_mismatch", posted
        opened = step("begin", scopes=["read"], delivery="system")
        assert "url" in opened, opened
        unknown = step("begin", scopes=["read"], delivery="nobody")
        assert unknown["code"] == "invalid_member", unknown
        del settings["registered_schemes"]
        settings["redirect_uri"] = "com.example.nobody-opens-this://auth"
        missing = step("begin", scopes=["read"], delivery="system")
        assert missing["code"] == "redirect_scheme_not_registered", missing
        assert "url" in step("begin", scopes=["read"])


def ask_authenticator(run: Callable[..., str], program: Path) -> None:
    """Sends a request to Microsoft Authenticator, which rejects it; other responses leave the sign-in pending."""
    with Provider() as provider, tempfile.TemporaryDirectory() as directory:
        settings = {
            "client_id": "app", "authority": provider.entra_authority, "authority_type": "entra",
            "store_directory": directory, "bundle_id": "com.example.app",
        }  # fmt: skip

        def step(name: str, **request: object) -> dict[str, Any]:
            status, answer = run(program, name, json.dumps(nested(settings)), json.dumps(request)).split(" ", 1)
            document = dict(json.loads(answer))
            return document if status == "0" else dict(document["error"])

        options = {"query_schemes": ["msauthv2", "msauthv3"], "client_app_name": "Example"}
        begun = step("begin", scopes=["read"], authenticator=options)
        assert begun["url"].startswith("msauthv2://broker?"), begun
        assert begun["redirect_uri"] == "msauth.com.example.app://auth", begun
        url = _answered(begun["url"], {"broker_error_domain": "MSIDErrorDomain", "broker_error_code": "-51700"})
        for code, wrong in [
            ("broker_response_missing", ""),
            ("broker_version_unsupported", url.replace("msg_protocol_ver=3", "msg_protocol_ver=1")),
            ("broker_hash_mismatch", url[:-1] + ("0" if url[-1] != "0" else "1")),
            ("workplace_join_required", "msauth://wpj?username=u&app_link=https%3A%2F%2Fexample.com"),
        ]:
            found = step("complete", state=begun["state"], url=wrong)
            assert found["code"] == code, found
        assert found["app_link"] == "https://example.com", found
        refused = step("complete", state=begun["state"], url=url)
        assert (refused["code"], refused["msal_code"]) == ("access_denied", -50005), refused
        again = step("complete", state=begun["state"], url=url)
        assert again["code"] == "sign_in_used", again
        lacking = step("begin", scopes=["read"], authenticator={"query_schemes": ["msauthv2"]})
        assert lacking["code"] == "redirect_scheme_not_registered" and "msauthv3" in lacking["message"], lacking


def _answered(url: str, fields: dict[str, str]) -> str:
    """Returns the response URL of Authenticator."""
    request = dict(parse_qsl(urlsplit(url).query))
    key = base64.urlsafe_b64decode(request["broker_key"] + "=")
    plain = urlencode({**fields, "broker_nonce": request["broker_nonce"]}).encode()
    words = ["openssl", "enc", "-aes-256-cbc", "-K", key.hex(), "-iv", "00" * 16]
    encrypted = subprocess.run(words, input=plain, capture_output=True, check=True).stdout
    response = base64.urlsafe_b64encode(encrypted).decode().rstrip("=")
    outer = {
        "msg_protocol_ver": "3", "response": response, "hash": hashlib.sha256(plain).hexdigest().upper()
    }  # fmt: skip
    return f"{request['redirect_uri']}?{urlencode(outer)}"


class Desk:
    """A program with a private store, whose user signs in on the provider's page."""

    def __init__(self, provider: Provider, program: Path, directory: str) -> None:
        """Sets the options of the application."""
        self._provider, self._program = provider, program
        self._configuration = json.dumps({
            "client_id": "app", "authority": provider.entra_authority, "authority_type": "entra",
            "store": {"directory": directory, "key_sources": ["key_file"]},
        })  # fmt: skip

    def step(self, way: str, **request: object) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Returns the response of one call, and the prompts."""
        words = [str(self._program), way, self._configuration, json.dumps(request)]
        shown: list[dict[str, Any]] = []
        # A CI job has no user, unless the request states otherwise.
        environment = {key: value for key, value in ENVIRONMENT.items() if key != "BROWSER"} | {"CI": "1"}
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            for line in process.stdout:
                kind, text = line.split(" ", 1)
                document = dict(json.loads(text))
                if kind == "prompt":
                    shown.append(document)
                    _open(self._provider.visit(document["url"]))
                else:
                    answer = document if kind == "0" else dict(document["error"])
        assert process.returncode == 0
        return answer, shown

    def cancelled(self) -> None:
        """Starts many sign-ins and cancels them."""
        request = json.dumps({"scopes": ["read"], "browser": "show"})
        subprocess.run([self._program, "cancel", self._configuration, request], env=ENVIRONMENT, check=True)


def _open(url: str) -> None:
    """Opens the redirect URL of the page, like a browser."""
    address = urlsplit(url)
    assert address.hostname is not None
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    connection.request("GET", f"{address.path or '/'}?{address.query}")
    assert connection.getresponse().status == 303
    connection.close()


def name_declined_scopes(program: Path) -> None:
    """Signs in where the provider grants fewer scopes: every function returns the token and names the others."""
    with Provider() as provider, tempfile.TemporaryDirectory() as directory:
        configuration = json.dumps({
            "client_id": "app", "authority": provider.entra_authority, "authority_type": "entra",
            "store": {"directory": directory, "key_sources": ["key_file"]}, "redirect_uri": "http://localhost",
        })  # fmt: skip
        provider.command("set", granted_scope="read openid profile offline_access", interval_seconds=1)
        with subprocess.Popen(
            [program, configuration], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            failed = []
            for line in process.stdout:
                document = json.loads(line) if line.startswith("{") else {}
                if "user_code" in document:
                    provider.approve(document["user_code"], "alice@contoso.com")
                elif "state" in document:
                    process.stdin.write(provider.visit(document["url"]) + "\n")
                    process.stdin.flush()
                elif "url" in document:
                    _open(provider.visit(document["url"]))
                else:
                    failed.append(line)
        assert process.returncode == 0 and not failed, failed


def use_own_browser(program: Path) -> None:
    """Signs in with the browser of a program, which first receives the redirect of another sign-in."""
    with Provider() as provider, tempfile.TemporaryDirectory() as directory:
        configuration = json.dumps({
            "client_id": "app", "authority": provider.entra_authority, "authority_type": "entra",
            "store": {"directory": directory, "key_sources": ["key_file"]}, "redirect_uri": "http://localhost",
        })  # fmt: skip
        with subprocess.Popen(
            [program, configuration], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            url = provider.visit(process.stdout.readline().strip())
            assert url.startswith("http://localhost:4321"), url
            other = url.replace("&state=", "&state=0").replace("?state=", "?state=0")
            process.communicate(f"{other}\n{url}\n", timeout=60)
        assert process.returncode == 0


def wait_for_users(run: Callable[..., str], program: Path) -> None:
    """Silent first, then a page; blocking and asynchronous; cancelled; started and completed asynchronously."""
    del run
    for way in ("block", "await"):
        with Provider() as provider, tempfile.TemporaryDirectory() as directory:
            desk = Desk(provider, program, directory)
            request = {"scopes": ["read"], "silent_first": True, "browser": "show"}
            provider.command("set", access_token_lifetime_seconds=1)
            first, shown = desk.step(way, **request, extra_token_parameters={"one": "1"})
            assert len(shown) == 1 and first["browser_reason"] == "chosen", first
            wait_until_over(first["expires_on"])
            account = {"home_account_id": first["account"]["home_account_id"]}
            provider.command("set", access_token_lifetime_seconds=3600)
            second, shown = desk.step(way, **request, **account)
            assert not shown and second["access_token"] != first["access_token"], second
            third, shown = desk.step(way, **request)
            assert not shown and third["access_token"] == second["access_token"], third
            assert third["source"] == "cache", third
            refused = {"error": "interaction_required"}
            provider.command("fail_token_requests", status=400, body=refused)
            other, shown = desk.step(way, **{**request, "scopes": ["write"]}, **account)
            assert len(shown) == 1 and "write" in other["scopes"], other
            own, _ = desk.step(way, scopes=["read"], extra_token_parameters={"code": "1"})
            assert own["code"] == "invalid_member", own
            hidden, shown = desk.step("await", scopes=["read"], shows_address=False)
            assert not shown and hidden["code"] == "browser_unavailable", hidden
    with Provider() as provider, tempfile.TemporaryDirectory() as directory:
        desk = Desk(provider, program, directory)
        desk.cancelled()
        begun, _ = desk.step("begin", scopes=["read"])
        url = provider.visit(begun["url"])
        result, _ = desk.step("complete", state=begun["state"], url=url)
        assert result["account"]["username"] == "alice@contoso.com", result
        again, _ = desk.step("complete", state=begun["state"], url=url)
        assert again["code"] == "sign_in_used", again
