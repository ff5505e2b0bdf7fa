# SPDX-License-Identifier: MIT
"""Starts tessera-provider for tests of any language. Controls it, and uses its pages like a browser."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from types import TracebackType
from typing import Any

from timeouts import answering

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build/swift-release/release/tessera-provider"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirects, which are for the application."""

    def redirect_request(self, *_arguments: object) -> None:
        """Returns nothing, so that redirects are not followed."""


# The provider is local: do not use a proxy of the environment.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects)


class ProviderProblem(Exception):
    """The provider did not respond as expected; the message is shown to the user."""


class Provider:
    """A running local provider; a context manager that stops it."""

    def __init__(self, *options: str) -> None:
        ready = self._started(os.environ.get("TESSERA_PROVIDER", str(PROGRAM)), *options)
        self.entra_authority: str = ready["entra_authority"]
        self.oidc_issuer: str = ready["oidc_issuer"]
        kinds = ("entra", "b2c", "ciam", "adfs")
        self.authorities: dict[str, str] = {kind: ready[f"{kind}_authority"] for kind in kinds}
        """An authority of each kind, by its `authority_type`; plain issuers have `openid`."""
        self.authorities["openid"] = self.oidc_issuer
        self.device_page: str = ready["device_page"]
        self.control: str = ready["control"]
        """The address of the commands, without a trailing slash."""

    def _started(self, program: str, *options: str) -> dict[str, Any]:
        """Starts the program. Returns the addresses that it prints when it is ready."""
        self._process = subprocess.Popen(
            [program, "--port", "0", *options], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        with answering(self._process):
            line = self._process.stdout.readline()
        if not line:
            raise ProviderProblem(f"{program} ended with {self._process.wait(10)}")
        return dict(json.loads(line))

    def __enter__(self) -> Provider:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.wait(10)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def command(self, name: str, **members: Any) -> None:
        """Sends a command to the provider; docs/local-provider.md lists the commands."""
        request = urllib.request.Request(
            f"{self.control}/{name}",
            json.dumps(members).encode(),
            {"Content-Type": "application/json"},
        )
        _read(request)

    def approve(self, user_code: str, username: str = "alice@contoso.com") -> None:
        """Enters a code and signs in as a user, without the pages."""
        self.command("approve", user_code=user_code, username=username)

    def approves(self, username: str = "alice@contoso.com") -> Callable[[Any], None]:
        """Returns a `prompt` function that enters the device code at once."""
        return lambda prompt: self.approve(prompt.user_code, username)

    def visit(
        self, page: str, username: str = "alice@contoso.com", *, decision: str = "approve"
    ) -> str:
        """Signs in on the authorization page. Returns the redirect address."""
        form = urllib.parse.urlencode({"username": username, "decision": decision}).encode()
        try:
            _opener.open(page, form, timeout=10).close()
        except urllib.error.HTTPError as answer:
            if answer.code == 303:
                return str(answer.headers["Location"])
        raise ProviderProblem(f"the page did not redirect: {page[:100]}")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Stops the process for a while: it accepts no request, and connections wait."""
        self._process.send_signal(signal.SIGSTOP)
        # Until the process has stopped, one of its threads may still respond.
        os.waitid(os.P_PID, self._process.pid, os.WSTOPPED)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def token_requests(self, grant: str) -> int:
        """Returns the number of token requests of a grant type."""
        return int(self.counts()["token_requests"].get(grant, 0))

    def counts(self) -> dict[str, Any]:
        """Returns the counters, such as `refresh_token_reuses`."""
        return dict(json.loads(_read(f"{self.control}/state"))["counts"])

    def count(self, name: str) -> int:
        """Returns one of the counters, such as `requests`."""
        return int(self.counts()[name])

    def waiting_codes(self) -> list[str]:
        """Returns the device codes that no user has entered yet."""
        devices = json.loads(_read(f"{self.control}/state"))["waiting_devices"]
        return [str(each["user_code"]) for each in devices]

    def approve_in_browser(self, address: str, user_code: str, username: str) -> list[str]:
        """Enters a code, chooses an account and approves, on the pages for users.

        Returns the titles of the pages.
        """
        page = Page(address, _read(address))
        titles = [page.title]
        while page.forms:
            if len(titles) > 6:
                raise ProviderProblem(f"too many pages: {titles}")
            page = page.send(page.forms[0], user_code, username)
            titles.append(page.title)
        return titles


def _read(request: urllib.request.Request | str) -> str:
    try:
        with _opener.open(request, timeout=10) as response:
            return str(response.read().decode())
    except urllib.error.HTTPError as error:
        text = error.read().decode(errors="replace")
        raise ProviderProblem(f"{error.url} returned {error.code}: {text[:300]}") from None


class Form:
    """A form of a page: its action, its fields and its buttons."""

    def __init__(self, action: str) -> None:
        self.action = action
        self.fields: dict[str, str] = {}
        self.buttons: list[tuple[str, str]] = []

    def filled(self, user_code: str, username: str) -> dict[str, str]:
        """Returns the fields of a user's approval: the code, the account and the consent."""
        fields = dict(self.fields)
        if "user_code" in fields:
            fields["user_code"] = user_code
        wanted = (username, "approve")
        fields.update({name: value for name, value in self.buttons if value in wanted})
        return fields


class Page(HTMLParser):
    """A page, parsed for its title and its forms only."""

    def __init__(self, address: str, text: str) -> None:
        super().__init__()
        self.address = address
        self.title = ""
        self.forms: list[Form] = []
        self._in_title = False
        self.feed(text)

    def send(self, form: Form, user_code: str, username: str) -> Page:
        """Sends a form and returns the next page."""
        address = urllib.parse.urljoin(self.address, form.action)
        body = urllib.parse.urlencode(form.filled(user_code, username)).encode()
        return Page(address, _read(urllib.request.Request(address, body)))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collects the parts of a form."""
        values = {name: value or "" for name, value in attrs}
        name, value = values.get("name", ""), values.get("value", "")
        self._in_title = tag == "title"
        if tag == "form":
            self.forms.append(Form(values.get("action", "")))
        elif tag == "input" and name and self.forms:
            self.forms[-1].fields[name] = value
        elif tag == "button" and name and self.forms:
            self.forms[-1].buttons.append((name, value))

    def handle_data(self, data: str) -> None:
        """Collects the title."""
        if self._in_title:
            self.title += data.strip()
            self._in_title = False
