# SPDX-License-Identifier: MIT
"""Sign-ins on the provider's page: sign_in.c and interactive.c take the steps, and a person signs in."""

from __future__ import annotations

import http.client
import json
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from workshop import ENVIRONMENT

from provider import Provider


def cross_processes(run: Callable[..., str], program: Path) -> None:
    """Begin in one process, complete in another one, once; what is not the answer leaves it waiting."""
    with Provider() as provider, tempfile.TemporaryDirectory() as directory:
        settings: dict[str, object] = {
            "client_id": "app", "authority": provider.oidc_issuer, "store_directory": directory,
            "redirect_uri": "com.example.app://auth", "registered_schemes": ["com.example.app"],
        }  # fmt: skip

        def step(name: str, **request: object) -> dict[str, Any]:
            status, answer = run(program, name, json.dumps(settings), json.dumps(request)).split(" ", 1)
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


class Desk:
    """A program with a store of its own, whose person signs in at the provider's page."""

    def __init__(self, provider: Provider, program: Path, directory: str) -> None:
        """Name the application."""
        self._provider, self._program = provider, program
        self._configuration = json.dumps({
            "client_id": "app", "authority": provider.entra_authority, "authority_type": "entra",
            "store_directory": directory, "key_sources": ["key_file"],
        })  # fmt: skip

    def step(self, way: str, **request: object) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The answer of one call, and what was shown meanwhile."""
        words = [str(self._program), way, self._configuration, json.dumps(request)]
        shown: list[dict[str, Any]] = []
        # Nobody watches a job of CI, unless the request says so.
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
        """Begin many sign-ins and cancel them."""
        request = json.dumps({"scopes": ["read"], "browser": "show"})
        subprocess.run([self._program, "cancel", self._configuration, request], env=ENVIRONMENT, check=True)


def _open(url: str) -> None:
    """Open the address to which the page leads, as a browser does."""
    address = urlsplit(url)
    assert address.hostname is not None
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    connection.request("GET", f"{address.path or '/'}?{address.query}")
    assert connection.getresponse().status == 303
    connection.close()


def wait_for_people(run: Callable[..., str], program: Path) -> None:
    """Silent first, then a page; blocking and not; cancelled; begun and completed without blocking."""
    del run
    for way in ("block", "await"):
        with Provider() as provider, tempfile.TemporaryDirectory() as directory:
            desk = Desk(provider, program, directory)
            request = {"scopes": ["read"], "silent_first": True, "browser": "show"}
            provider.command("set", access_token_lifetime_seconds=1)
            first, shown = desk.step(way, **request, extra_token_parameters={"one": "1"})
            assert len(shown) == 1 and first["browser_reason"] == "chosen", first
            _expire(first)
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


def _expire(result: dict[str, Any]) -> None:
    # The second in which it came was not over.
    while time.time() <= result["expires_on"] + 1:
        time.sleep(0.01)
