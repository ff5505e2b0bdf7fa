# SPDX-License-Identifier: MIT
"""Malicious local clients that try to hang, crash or confuse a sign-in, with the real listener."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from threading import Timer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

import tessera_identity
from browser_user import open_url
from real import CLIENT, needs_library, provider, running

if TYPE_CHECKING:
    from pathlib import Path

    from provider import Provider

__all__ = ["provider", "running"]
pytestmark = needs_library

# Prints the address, and at the end the account or the error, and the remaining threads and descriptors.
PROGRAM = """
import json, os, sys
import tessera_identity

configuration, request = map(json.loads, sys.argv[1:])
application = tessera_identity.PublicClientApplication(**configuration)

def size(name):
    line = next(line for line in open("/proc/self/status") if line.startswith(name))
    return int(line.split()[1])

def counts():
    return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))

def show(prompt):
    print(json.dumps({"url": prompt.url, "redirect_uri": prompt.redirect_uri}), flush=True)

# Whatever is made once is made now: the connection to the provider, the store.
application.begin_sign_in(["User.Read"])
before, memory = counts(), size("VmHWM")
try:
    result = application.acquire_token_interactive(
        ["User.Read"], prompt=show, browser="show", **request
    )
    end = {"username": result.account.username}
except tessera_identity.TesseraError as error:
    end = {"code": error.code}
after = counts()
end["left"] = [now - then for now, then in zip(after, before)]
end["grown_kilobytes"] = size("VmHWM") - memory
print(json.dumps(end), flush=True)
"""


class Program:
    """A program in which a user signs in."""

    def __init__(self, provider: Provider, folder: Path, **configuration: object) -> None:
        """Starts the program."""
        own = {
            "client_id": CLIENT, "authority": provider.oidc_issuer, "store_directory": str(folder / "store"),
            **configuration,
        }  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, json.dumps(own), json.dumps({"timeout": 120})],
            stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip

    def line(self) -> dict[str, Any]:
        """Returns its next line."""
        assert self._process.stdout is not None
        return dict(json.loads(self._process.stdout.readline()))

    def wait(self) -> None:
        """Waits for its end."""
        assert self._process.stdout is not None
        self._process.stdout.close()
        assert self._process.wait(30) == 0

    @property
    def process(self) -> int:
        """The process ID."""
        return self._process.pid


class Waiting:
    """A pending sign-in, and its listening port."""

    def __init__(self, provider: Provider, folder: Path) -> None:
        """Starts the sign-in."""
        self._provider = provider
        self.program = Program(provider, folder)
        shown = self.program.line()
        self.url: str = shown["url"]
        port = urlsplit(shown["redirect_uri"]).port
        assert port is not None
        self.port = port

    def connect(self) -> socket.socket:
        """Connects to the port."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def answer_to(self, request: bytes) -> int:
        """Returns the status of the response to a request; 0 for none."""
        with self.connect() as client:
            client.sendall(request.replace(b"HOST", b"localhost:%d" % self.port))
            return status_from(client)

    def end_well(self) -> None:
        """Checks that the valid response completes the sign-in, and that nothing of it is left."""
        answer = self._provider.visit(self.url)
        assert "You have signed in" in open_url(answer)
        end = self.program.line()
        assert end.pop("username") == "alice@contoso.com", end
        assert_nothing_is_left(end)
        assert end["grown_kilobytes"] < 4096, end
        # A replay finds no listener.
        with pytest.raises(ConnectionRefusedError):
            self.connect()
        self.program.wait()


def assert_nothing_is_left(end: dict[str, Any]) -> None:
    """No descriptor; the thread that made the call may be about to end."""
    descriptors, threads = end["left"]
    assert descriptors <= 0, end
    assert threads <= 1, end


def status_from(client: socket.socket) -> int:
    """Returns the status of an HTTP response; 0 for none."""
    head = b""
    try:
        while b"\r\n" not in head and (piece := client.recv(4096)):
            head += piece
    except ConnectionError:
        return 0
    return int(head.split()[1]) if head.startswith(b"HTTP/1.1 ") else 0


@pytest.fixture
def waiting(provider: Provider, tmp_path: Path) -> Waiting:
    return Waiting(provider, tmp_path)


def test_clients_that_send_single_bytes_time_out(waiting: Waiting) -> None:
    slow = [waiting.connect() for _ in range(60)]
    begin = time.monotonic()
    statuses: list[int] = []
    while len(statuses) < 60 and time.monotonic() - begin < 60:
        for client in list(slow):
            try:
                client.sendall(b"G")
            except ConnectionError:
                statuses.append(status_from(client))
                client.close()
                slow.remove(client)
        time.sleep(0.2)
    # A response after a rejection may be lost because of the later bytes.
    assert set(statuses) <= {0, 408, 400}, statuses
    assert len(statuses) == 60
    waiting.end_well()


def test_a_thousand_connections_and_invalid_responses(waiting: Waiting) -> None:
    crowd = [waiting.connect() for _ in range(1000)]
    for client in crowd[::2]:
        try:
            client.sendall(b"GET /")
        except ConnectionError:
            continue
    assert waiting.answer_to(b"GET /favicon.ico HTTP/1.1\r\nHost: HOST\r\n\r\n") == 404
    assert waiting.answer_to(b"GET /?code=c&state=wrong HTTP/1.1\r\nHost: HOST\r\n\r\n") == 400
    assert waiting.answer_to(b"GET /?error=access_denied HTTP/1.1\r\nHost: HOST\r\n\r\n") == 400
    assert waiting.answer_to(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n") == 421
    assert waiting.answer_to(os.urandom(4096) + b"\r\n\r\n") == 400
    for _ in range(1000):
        with waiting.connect() as client:
            client.sendall(os.urandom(64))
    for client in crowd:
        client.close()
    waiting.end_well()


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1073741824\r\n\r\n", 413),
        (b"POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
        (b"GET / HTTP/1.1\r\nHost: HOST\r\nX-Long: ", 431),
    ],
)
def test_a_gigabyte_is_not_read(waiting: Waiting, head: bytes, status: int) -> None:
    piece = b"a" * (1 << 20)
    sent = 0
    with waiting.connect() as client:
        client.sendall(head.replace(b"HOST", b"localhost:%d" % waiting.port))
        try:
            while sent < 1024:
                client.sendall(piece)
                sent += 1
        except ConnectionError:
            pass
        assert status_from(client) in (0, status)
    assert sent < 64
    waiting.end_well()


def test_the_response_of_another_sign_in_is_rejected(
    waiting: Waiting, provider: Provider, tmp_path: Path
) -> None:
    with tessera_identity.PublicClientApplication(
        CLIENT, authority=provider.oidc_issuer, store_directory=tmp_path / "other"
    ) as application:
        begun = application.begin_sign_in(["User.Read"])
    query = urlsplit(provider.visit(begun.url)).query.encode()
    for _ in range(2):
        assert waiting.answer_to(b"GET /?%s HTTP/1.1\r\nHost: HOST\r\n\r\n" % query) == 400
    waiting.end_well()


def test_a_port_that_is_taken_has_a_name(
    waiting: Waiting, provider: Provider, tmp_path: Path
) -> None:
    other = Program(
        provider, tmp_path / "other", redirect_uri=f"http://localhost:{waiting.port}"
    )
    end = other.line()
    assert end["code"] == "redirect_port_taken"
    assert_nothing_is_left(end)
    other.wait()
    waiting.end_well()


def test_a_new_sign_in_works_after_the_browser_was_closed(
    provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A closed browser cannot be detected: the program's own cancel button cancels the sign-in."""
    monkeypatch.setenv("BROWSER", "true")
    with tessera_identity.PublicClientApplication(
        CLIENT, authority=provider.oidc_issuer, store_directory=tmp_path / "store"
    ) as application:
        for _ in range(2):
            button = tessera_identity.Cancellation()
            Timer(0.2, button.cancel).start()
            with pytest.raises(tessera_identity.Cancelled):
                application.acquire_token_interactive(["User.Read"], cancellation=button)
        with pytest.raises(tessera_identity.Cancelled) as raised:
            application.acquire_token_interactive(["User.Read"], timeout=0.3)
        assert raised.value.code == "deadline_exceeded"
        result = application.acquire_token_interactive(
            ["User.Read"], browser="show", timeout=60,
            prompt=lambda prompt: opens_in_another_process(provider.visit(prompt.url)),
        )  # fmt: skip
        assert result.browser_reason == "chosen"


def opens_in_another_process(url: str) -> None:
    """Opens an address while the program continues."""
    words = [sys.executable, "-c", "import sys; from browser_user import open_url; open_url(sys.argv[1])", url]
    subprocess.Popen(words, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
