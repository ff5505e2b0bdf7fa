# SPDX-License-Identifier: MIT
"""The table of errors in one language: each row runs with a separate provider and store."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from clients import Answer, Client
from meanwhile import meanwhile
from networks import network
from sign_ins import ALICE, BOB, HOME, SIGN_INS, Desk
from stores import STATES

from provider import Provider

CLIENT = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"
Row = dict[str, Any]


class Table:
    """The rows in one language."""

    def __init__(self, folder: Path, make: Callable[[Path], Client]) -> None:
        """Starts a program and a provider."""
        self._folder = folder
        self._count = 0
        self.client = make(folder)
        self._provider = Provider("--interval", "1")

    def __enter__(self) -> Table:
        self._provider.__enter__()
        self._signed_in = self._configuration(self._folder / "store")
        self._sign_in(self._signed_in)
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self._provider.__exit__(None, None, None)

    def _configuration(self, store: Path, **members: Any) -> dict[str, Any]:
        return {
            "client_id": CLIENT, "authority": self._provider.entra_authority, "authority_type": "entra",
            "store_directory": str(store), "key_sources": ["key_file"], **members,
        }  # fmt: skip

    def _sign_in(self, configuration: dict[str, Any], username: str = ALICE) -> None:
        def approve(code: str) -> None:
            self._provider.approve(code, username)

        status, document = self.client.call("device", configuration, {"scopes": ["User.Read"]}, approve)
        assert status == 0, document

    def answer(self, area: str, row: Row) -> tuple[dict[str, Any], Answer]:
        """Returns the expected error of a row, with the names of this run, and the actual one."""
        self._count += 1
        method: Callable[[Row, dict[str, Any]], Answer] = getattr(self, f"_{area}")
        expected = dict(row["expected"])
        return expected, method(row["input"], expected)

    def _call(self, function: str, configuration: object, request: object) -> Answer:
        return self.client.call(function, configuration, request, lambda _: None)

    @contextlib.contextmanager
    def _refusing(self, answer: Row) -> Iterator[None]:
        """Makes the provider respond to the next token request as stated in the row."""
        self._provider.command("recover")
        if "throttle" in answer:
            self._provider.command("throttle", requests=1, retry_after_seconds=answer["throttle"])
        else:
            members = {"status": answer["status"], "body": answer["body"]}
            self._provider.command("fail_token_requests", requests=1, **members)
        yield
        self._provider.command("recover")

    def _error_refresh(self, row: Row, expected: dict[str, Any]) -> Answer:
        # A separate scope, so that tokens of earlier rows do not match.
        request = {"home_account_id": HOME, "scopes": [f"row{self._count}"], "force_refresh": True}
        if expected.get("home_account_id") == "ALICE":
            expected["home_account_id"] = HOME
        with self._refusing(row):
            answer = self._call("silent", self._signed_in, request)
        if "bad_token" in str(row.get("body")):
            # The refresh token has been removed.
            self._sign_in(self._signed_in)
        return answer

    def _error_device(self, row: Row, _: dict[str, Any]) -> Answer:
        with self._refusing(row):
            return self._call("device", self._signed_in, {"scopes": ["User.Read"]})

    def _error_network(self, row: Row, _: dict[str, Any]) -> Answer:
        with network(row["network"], self._folder) as members:
            configuration = self._configuration(self._folder / f"network{self._count}", **members)
            request = {"scopes": ["read"], "timeout_milliseconds": row.get("timeout_milliseconds", 20_000)}
            return self._call("device", configuration, request)

    def _error_request(self, row: Row, _: dict[str, Any]) -> Answer:
        configuration = row.get("configuration_text") or self._signed_in | row.get("configuration", {})
        request = row.get("text")
        if request is None:
            request = {name: HOME if value == "ALICE" else value for name, value in row["request"].items()}
        return self._call(row["function"], configuration, request)

    def _error_sign_in(self, row: Row, _: dict[str, Any]) -> Answer:
        desk = Desk(self._signed_in, self._call, self._provider.visit)
        return SIGN_INS[row["sign_in"]](desk)

    def _error_store(self, row: Row, expected: dict[str, Any]) -> Answer:
        store = self._folder / f"store{self._count}/data"
        shutil.rmtree(self.client.keys, ignore_errors=True)
        store.parent.mkdir()
        configuration = self._configuration(store)
        home = "nobody.home"
        if row["store"] != "never":
            self._sign_in(configuration)
            home = "nobody.home" if row["store"] == "empty" else HOME
            self._change(row["store"], store, configuration)
        function = row.get("call", "silent")
        request = row.get("request", {})
        if function != "current":
            request = {"home_account_id": home, **request}
        if function == "silent":
            request = {"scopes": ["User.Read"], **request}
        configuration |= row.get("configuration", {})
        with meanwhile(row.get("meanwhile"), store, self.client) as holder:
            if expected.get("holder_process_id") == "HOLDER":
                expected["holder_process_id"] = holder
            return self._call(function, configuration, request)

    def _change(self, state: str, store: Path, configuration: dict[str, Any]) -> None:
        """Changes the state of a store in which Alice has signed in."""
        if state == "empty":
            status, document = self._call("sign_out", configuration, {"scope": "machine"})
            assert status == 0, document
        elif state == "two_people":
            self._sign_in(configuration, BOB)
        else:
            STATES[state](store, self.client.keys)
