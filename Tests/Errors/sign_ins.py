# SPDX-License-Identifier: MIT
"""Failing sign-ins: the wrong response, the wrong account, too late, twice, without a browser."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from clients import Answer

ALICE = "alice@contoso.com"
BOB = "bob@contoso.com"
HOME = "a11ce000-0000-4000-8000-000000000001.11111111-1111-4111-8111-111111111111"
"""Alice."""
Members = dict[str, Any]


class Desk:
    """The application and the provider of sign-ins."""

    def __init__(
        self, configuration: Members, call: Callable[[str, Members, Members], Answer], visit: Callable[..., str]
    ) -> None:
        self.configuration = configuration
        self.call = call
        self._visit = visit

    def begin(self, **members: Any) -> Members:
        """Starts a sign-in, which waits for its redirect."""
        status, document = self.call("begin", self.configuration, {"scopes": ["User.Read"], **members})
        assert status == 0, document
        return document

    def visit(self, begun: Members, username: str = ALICE, *, decision: str = "approve") -> str:
        """Signs in and returns the redirect URL."""
        return self._visit(begun["url"], username, decision=decision)

    def complete(self, begun: Members, url: str, **configuration: Any) -> Answer:
        """Completes the sign-in with a redirect URL."""
        request = {"state": begun["state"], "url": url}
        return self.call("complete", self.configuration | configuration, request)

    def interactive(self, function: str = "interactive", **configuration: Any) -> Answer:
        """Signs in in one call; "shown" is the variant that shows the address."""
        request = {"scopes": ["User.Read"], "browser": "show", "timeout_milliseconds": 10_000}
        return self.call(function, self.configuration | configuration, request)


def _changed(begun: Members, **fields: str) -> str:
    """Returns a redirect URL that no provider sent."""
    state = parse_qs(urlsplit(begun["url"]).query)["state"][0]
    return f"{begun['redirect_uri']}?{urlencode({'state': state, **fields})}"


def _twice(desk: Desk) -> Answer:
    begun = desk.begin()
    url = desk.visit(begun)
    status, document = desk.complete(begun, url)
    assert status == 0, document
    return desk.complete(begun, url)


def _too_late(desk: Desk) -> Answer:
    begun = desk.begin(lifetime_seconds=1)
    url = desk.visit(begun)
    time.sleep(1.5)
    return desk.complete(begun, url)


def _changed_state(desk: Desk) -> Answer:
    begun = desk.begin()
    return desk.complete({"state": begun["state"][:-8] + "AAAAAAAA"}, desk.visit(begun))


def _somebody_else(desk: Desk) -> Answer:
    begun = desk.begin(home_account_id=HOME)
    return desk.complete(begun, desk.visit(begun, BOB))


def _port_taken(desk: Desk) -> Answer:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return desk.interactive("shown", redirect_uri=f"http://localhost:{server.getsockname()[1]}")


def _answered(**fields: str) -> Callable[[Desk], Answer]:
    """Completes a sign-in with a URL that no provider sent."""

    def answered(desk: Desk) -> Answer:
        begun = desk.begin()
        return desk.complete(begun, _changed(begun, **fields))

    return answered


def _with_page(change: Callable[[str], str], **configuration: Any) -> Callable[[Desk], Answer]:
    """Completes a sign-in with a modified URL, or in another application."""

    def completed(desk: Desk) -> Answer:
        begun = desk.begin()
        return desk.complete(begun, change(desk.visit(begun)), **configuration)

    return completed


SIGN_INS: dict[str, Callable[[Desk], Answer]] = {
    "another_answer": lambda desk: desk.complete(desk.begin(), desk.visit(desk.begin())),
    "no_state": lambda desk: desk.complete(desk.begin(), "http://localhost?error=access_denied"),
    "twice": _twice,
    "too_late": _too_late,
    "changed_state": _changed_state,
    "another_application": _with_page(str, client_id="another"),
    "another_store": _with_page(str, group="another"),
    "another_redirect_uri": _with_page(str, redirect_uri="http://localhost/another"),
    "code_twice": _with_page(lambda url: f"{url}&code=another"),
    "nothing": _answered(),
    "code_and_error": _answered(code="code", error="access_denied"),
    "another_provider": _answered(code="code", iss="https://elsewhere.example"),
    "invented_code": _answered(code="invented"),
    "server_error": _answered(error="server_error"),
    "interaction_required": _answered(error="interaction_required"),
    "redirect_uri_rejected": _answered(error="invalid_request", error_description="AADSTS50011: no"),
    "declined": lambda desk: desk.complete(begun := desk.begin(), desk.visit(begun, decision="decline")),
    "somebody_else": _somebody_else,
    "nobody_to_show": Desk.interactive,
    "port_taken": _port_taken,
}  # fmt: skip
