# SPDX-License-Identifier: MIT
"""TesseraAuth for requests, with a program in place of the command line. Tests/Helpers uses the real one."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

requests = pytest.importorskip("requests")

from tessera_identity.requests import TesseraAuth, TokenError  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

# Returns the token in the file "token", which `erase` replaces, to URLs with the text of the file "listed".
PROGRAM = """#!/bin/sh
read -r url
echo "$* $url" >>"$0.calls"
[ ! -e "$0.error" ] || { echo "tessera: No account is signed in." >&2; exit 1; }
case $url in *"$(cat "$0.listed")"*) ;; *) exit 1 ;; esac
case $3 in
  get) echo "Authorization: Bearer $(cat "$0.token")" ;;
  erase) echo new >"$0.token" ;;
esac
"""


class Server(HTTPServer):
    """A server that records the Authorization headers and refuses the token `old`."""

    def __init__(self) -> None:
        self.headers: list[str | None] = []
        self.location = ""
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                header = self.headers["Authorization"]
                server.headers.append(header)
                location = server.location if self.path.startswith("/from") else ""
                self.send_response(302 if location else 401 if header == "Bearer old" else 200)
                if location:
                    self.send_header("Location", location)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_arguments: object) -> None: ...

        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server
        server.shutdown()


class Command:
    """The program, and its files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_text(PROGRAM)
        path.chmod(0o755)
        self.put("token", "token")
        self.put("listed", "127.0.0.1")

    def put(self, name: str, text: str) -> None:
        Path(f"{self.path}.{name}").write_text(text)

    @property
    def calls(self) -> list[str]:
        calls = Path(f"{self.path}.calls")
        return calls.read_text().splitlines() if calls.exists() else []


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    command = Command(tmp_path / "tessera")
    monkeypatch.setenv("TESSERA_COMMAND", str(command.path))
    return command


def get(url: str) -> int:
    with requests.Session() as session:
        session.trust_env = False
        status: int = session.get(url, auth=TesseraAuth(), timeout=10).status_code
        return status


def test_token_is_sent_and_the_query_is_not_passed_on(command: Command, server: Server) -> None:
    assert get(f"{server.url}/items?secret=x#y") == 200
    assert server.headers == ["Bearer token"]
    assert command.calls == [f"helper http get - {server.url}/items"]


def test_unlisted_service_gets_no_token(command: Command, server: Server) -> None:
    command.put("listed", "other.example")
    assert get(server.url) == 200
    assert server.headers == [None]


def test_missing_sign_in_is_an_error_and_nothing_is_sent(command: Command, server: Server) -> None:
    command.put("error", "")
    with pytest.raises(TokenError, match=r"^No account is signed in\.$") as raised:
        get(server.url)
    assert raised.value.remedy == "sign_in"
    assert isinstance(raised.value, requests.RequestException)
    assert server.headers == []


def test_refused_token_is_renewed_once(command: Command, server: Server) -> None:
    command.put("token", "old")
    assert get(server.url) == 200
    assert server.headers == ["Bearer old", "Bearer new"]
    operations = [call.split()[2] for call in command.calls]
    assert operations == ["get", "get", "erase", "get"]


def test_same_token_is_not_sent_again(command: Command, server: Server) -> None:
    command.put("token", "old")
    command.path.write_text(PROGRAM.replace("erase) echo new", "erase) echo old"))
    assert get(server.url) == 401
    assert server.headers == ["Bearer old"]


def test_redirect_within_the_origin_keeps_the_token(command: Command, server: Server) -> None:
    server.location = "/to"
    assert get(f"{server.url}/from") == 200
    assert server.headers == ["Bearer token", "Bearer token"]
    assert command.calls[-1] == f"helper http get - {server.url}/to"


def test_redirect_to_an_unlisted_path_has_no_token(command: Command, server: Server) -> None:
    command.put("listed", "/from")
    server.location = "/to"
    assert get(f"{server.url}/from") == 200
    assert server.headers == ["Bearer token", None]


def test_redirect_to_another_origin_has_no_token(command: Command, server: Server) -> None:
    with Server() as other:
        server.location = f"{other.url}/to"
        assert get(f"{server.url}/from") == 200
        other.shutdown()
        assert (server.headers, other.headers) == (["Bearer token"], [None])
    assert len(command.calls) == 1
