# SPDX-License-Identifier: MIT
"""requests, HTTPie and curl, which send the token of a listed service."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from desk import CLIENT, Desk
from python_programs import PythonPrograms
from services import Service, certificate, claims_of

# Sends requests, and prints the status, the text and the number of redirects of each, or its error.
PROGRAM = """
import io, json, sys
import requests
from tessera_identity.requests import TesseraAuth, TokenError

class Parts:
    def __init__(self, text):
        self.text = text
    def __len__(self):
        return len(self.text)
    def __iter__(self):
        return iter([self.text.encode()])

session = requests.Session()
session.auth = TesseraAuth()
session.verify = sys.argv[1]
session.trust_env = False
results = []
for kind, url in json.loads(sys.argv[2]):
    file = io.BytesIO(b"--body")
    file.read(2)
    body = {"get": None, "text": "body", "file": file, "parts": Parts("body")}[kind]
    try:
        response = session.request("POST" if body else "GET", url, data=body, timeout=20)
        results.append([response.status_code, response.text, len(response.history)])
    except TokenError as error:
        results.append([error.remedy, str(error), 0])
print(json.dumps(results))
"""


class Api(Service):
    """A service that returns the body of a request."""

    def __init__(self, certificate: Path | None = None) -> None:
        """Starts the service."""
        self.paths: list[str] = []
        """The path and the query of each request with a token."""
        self.refused: set[str] = set()
        """The tokens that the service refuses."""
        self.refuses_next = False
        super().__init__(certificate)

    def respond(
        self, request: BaseHTTPRequestHandler, body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Returns the body, a redirect to the value of `to`, or status 401 for a refused token."""
        self.paths.append(request.path)
        _, _, token = self.received[-1]
        if self.refuses_next:
            self.refused.add(token)
            self.refuses_next = False
        if token in self.refused:
            return 401, [("WWW-Authenticate", "Bearer")], b""
        to = parse_qs(urlsplit(request.path).query).get("to")
        if to:
            return 307, [("Location", to[0])], b""
        return 200, [], b"received " + body


class Collector(Service):
    """A service that accepts requests without a token, and keeps their headers."""

    def __init__(self) -> None:
        """Starts the service."""
        super().__init__()
        self.refuses = True

    def respond(
        self, request: BaseHTTPRequestHandler, body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Is not called: every request is refused."""
        raise NotImplementedError


class Requests:
    """The client of the tests."""

    def __init__(self, desk: Desk) -> None:
        """Installs the client."""
        self._desk = desk
        self.programs = PythonPrograms(desk)

    def send(self, *requests: tuple[str, str], **variables: str) -> list[tuple[int | str, str, int]]:
        """Sends requests in one process."""
        trusted = str(self._desk.folder / "cert.pem")
        done = self.programs.run("python", "-c", PROGRAM, trusted, json.dumps(requests), **variables)
        assert done.returncode == 0, done
        return [tuple(result) for result in json.loads(done.stdout)]


@contextlib.contextmanager
def _listed(desk: Desk, path: str = "", *words: str) -> Iterator[Api]:
    """Starts a service, and lists it."""
    with Api(certificate(desk.folder)) as service:
        desk.add("http", f"{service.url}{path}", *words)
        yield service


def requests_sends_a_token(desk: Desk) -> None:
    """The client requests sends the token to a listed service with any path and query, and to no other one."""
    client = Requests(desk)
    with _listed(desk) as service, Collector() as other:
        desk.sign_in()
        paths = ("/items", "/items?secret=x&y#z", "/a%2fb/../c", "/%", "/é", "")
        results = client.send(*[("get", service.url + path) for path in paths], ("get", other.url))
        assert [status for status, _, _ in results] == [200] * len(paths) + [401], results
        assert {each[:2] for each in service.received} == {("Bearer", "")} and not other.received
        assert claims_of(service.received[0][2])["azp"] == CLIENT
        assert len(service.paths) == len(paths)


def requests_respects_the_path_of_an_entry(desk: Desk) -> None:
    """The client requests sends no token to paths that an entry does not cover, or in ambiguous forms."""
    client = Requests(desk)
    with _listed(desk, "/api") as service:
        desk.sign_in()
        paths = ("/", "/apis", "/x/api", "/api/%2e%2e/x", "/api//x", "/api%2fx")
        covered = [f"{service.url}/api{path}" for path in ("", "/", "/items", "?x")]
        others = [f"{service.url}{path}" for path in paths]
        results = client.send(*[("get", url) for url in [*covered, *others]])
        assert [status for status, _, _ in results] == [200] * len(covered) + [401] * len(others), results
        assert len(service.received) == len(covered), service.paths


def requests_follows_no_redirect_with_a_token(desk: Desk) -> None:
    """The client requests sends no token after a redirect, except to a listed path of the same origin."""
    client = Requests(desk)
    with _listed(desk, "/api") as service, Collector() as other, Api(desk.folder) as twin:
        desk.sign_in()

        def redirected(to: str) -> tuple[int | str, str, int]:
            (result,) = client.send(("text", f"{service.url}/api/x?to={to}"))
            return result

        host, twin_host = urlsplit(service.url).netloc, urlsplit(twin.url).netloc
        for to in ("/api/y", "y", f"//{host}/api/y", f"{service.url}/api/y"):
            assert redirected(to) == (200, "received body", 1), to
        service.received.clear()
        for to in (
            other.url, f"{other.url}/api/x", twin.url, f"{twin.url}/api/x", "/x", "/api/../x", "/api/%252e%252e/x",
            f"http://{host}/api/y", f"//{twin_host}/api/y", f"{service.url}%2540{twin_host}/api",
            f"{service.url}%5C@{twin_host}/api",
        ):  # fmt: skip
            try:
                status, _, _ = redirected(to)
                assert status in (401, 400), (to, status)
            except AssertionError as problem:
                # An address that requests cannot reach ends the program.
                assert "Error" in str(problem), problem
            assert unquote(service.paths[-1]) == unquote(f"/api/x?to={to}"), (to, service.paths)
            assert not other.received and not twin.received, to


def a_refused_token_is_renewed_once(desk: Desk) -> None:
    """After status 401, requests renews the token and sends the request again, once, and once in a minute."""
    client = Requests(desk)
    with _listed(desk) as service:
        desk.sign_in()
        for count, kind in enumerate(("get", "text", "file"), 1):
            service.refuses_next = True
            before = len(service.paths)
            ((status, text, history),) = client.send((kind, f"{service.url}/items"))
            assert (status, history) == (200, 1), text
            assert text == ("received " if kind == "get" else "received body")
            assert len(service.paths) == before + 2
            assert desk.provider.token_requests("refresh_token") == count
            _end_the_minute(desk)
        service.refuses_next = True
        results = client.send(("parts", f"{service.url}/items"), ("get", f"{service.url}/items"))
        assert [status for status, _, _ in results] == [401, 200], results
        service.refuses_next = True
        before, renewals = len(service.paths), desk.provider.token_requests("refresh_token")
        results = client.send(*[("get", f"{service.url}/items")] * 3)
        assert [status for status, _, _ in results] == [401] * 3, results
        assert len(service.paths) == before + 3
        assert desk.provider.token_requests("refresh_token") == renewals


def _end_the_minute(desk: Desk) -> None:
    """Removes the records of renewals, as if a minute had passed."""
    for record in (desk.folder / "run/tessera").glob("*.renewed"):
        record.unlink()


def a_renewed_token_follows_no_redirect(desk: Desk) -> None:
    """A redirect of a request that was sent again gets the renewed token, or none at another host."""
    client = Requests(desk)
    with _listed(desk) as service, Collector() as other:
        desk.sign_in()
        service.refuses_next = True
        ((status, text, _),) = client.send(("text", f"{service.url}/x?to=/y"))
        assert (status, text) == (200, "received body"), text
        _end_the_minute(desk)
        service.refuses_next = True
        ((status, _, _),) = client.send(("get", f"{service.url}/x?to={other.url}"))
        assert status == 401 and not other.received


def requests_raises_an_error_without_a_token(desk: Desk) -> None:
    """Without a sign-in, or if other users can change the list, requests sends nothing."""
    client = Requests(desk)
    with _listed(desk) as service:
        ((remedy, message, _),) = client.send(("get", service.url))
        assert remedy == "sign_in" and 'Run "tessera login --client-id' in message, message
        desk.sign_in()
        desk.list.chmod(0o666)
        ((remedy, message, _),) = client.send(("get", service.url))
        assert remedy == "fix_configuration" and "Run chmod go-w" in message, message
        assert not service.received and not service.paths and not desk.provider.waiting_codes()


def _httpie(desk: Desk, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs HTTPie with the plugin."""
    programs = PythonPrograms(desk)
    return programs.run(
        "http", "--ignore-stdin", "--check-status", "--auth-type", "tessera", "--verify", desk.folder / "cert.pem",
        *words,
    )  # fmt: skip


def httpie_sends_a_token(desk: Desk) -> None:
    """HTTPie sends the token to a listed service, renews it once, and sends it nowhere else after a redirect."""
    with _listed(desk) as service, Collector() as other:
        desk.sign_in()
        done = _httpie(desk, "POST", f"{service.url}/items?x=y", "--raw", "body")
        assert done.returncode == 0 and done.stdout == "received body", done
        assert {each[:2] for each in service.received} == {("Bearer", "")}
        service.refuses_next = True
        done = _httpie(desk, f"{service.url}/items")
        assert done.returncode == 0 and desk.provider.token_requests("refresh_token") == 1, done
        assert _httpie(desk, other.url).returncode == 4
        assert _httpie(desk, "--follow", f"{service.url}/x?to={other.url}").returncode == 4
        assert not other.received
        done = _httpie(desk, "--follow", f"{service.url}/x?to=/y")
        assert done.returncode == 0 and len(service.received) == 6, done
        done = _httpie(desk, "--auth", "alice", service.url)
        assert done.returncode == 1 and "has no --auth" in done.stderr, done


def curl_sends_a_token(desk: Desk) -> None:
    """The program curl sends the header of the helper, which is printed for a listed service only."""
    with _listed(desk) as service:
        desk.sign_in()
        command = f"tessera helper http get {service.url}/items | curl --silent --fail -H @- {service.url}/items"
        done = subprocess.run(
            ["sh", "-c", command], env=desk.environment | {"CURL_CA_BUNDLE": str(desk.folder / "cert.pem")},
            capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip
        assert done.returncode == 0 and done.stdout == "received ", done
        for url in (
            f"{service.url}0", service.url.replace("https", "http"), service.url.replace("127.0.0.1", "localhost"),
            service.url.replace("://", "://a@"), f"{service.url}.", f"{service.url}\\@evil.example", "https://",
            f"https://evil.example/{service.url}", f"https://evil.example?{service.url}", service.url.upper(), "",
            "/", "--",
        ):  # fmt: skip
            for words, given in (("--", url), b""), (("-",), url.encode()):
                result = desk.run("helper", "http", "get", *words, given=given)
                assert (result.returncode, result.stdout, result.stderr) == (1, b"", b""), (url, result)
        for given in (b"\xff", f"{service.url}\n\n".encode(), f"{service.url}\0".encode(), b"x" * 70000):
            result = desk.run("helper", "http", "get", "-", given=given)
            assert (result.returncode, result.stdout, result.stderr) == (1, b"", b""), result
        assert desk.run("helper", "http", "get", "-", given=f"{service.url}\n".encode()).stdout.startswith(b"Auth")
        assert desk.run("helper", "check", "http", f"{service.url}/a%2fb?x").returncode == 0
        assert desk.run("helper", "check", "http", f"{service.url}0").returncode == 1


TESTS = [
    requests_sends_a_token, requests_respects_the_path_of_an_entry, requests_follows_no_redirect_with_a_token,
    a_refused_token_is_renewed_once, requests_raises_an_error_without_a_token, httpie_sends_a_token,
    curl_sends_a_token,
]  # fmt: skip
LONG = [a_renewed_token_follows_no_redirect]
