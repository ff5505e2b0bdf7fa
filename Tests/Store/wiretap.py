# SPDX-License-Identifier: MIT
"""Captures the loopback interface, and records every secret that the local provider sent or received.

It is a separate process, so that tests that count their threads and descriptors are not affected. It responds
to each line of its input with the secrets so far, and ends with its input. Capturing packets requires
CAP_NET_RAW (packet(7)); without it nothing is captured.
"""

from __future__ import annotations

import json
import re
import select
import socket
import subprocess
import sys
import time
import urllib.parse
from contextlib import suppress
from typing import Any

SECRETS = ("access_token", "refresh_token", "id_token", "device_code")
seen: dict[str, set[str]] = {name: set() for name in (*SECRETS, "user_code")}
NAMES = "|".join(seen)
IN_JSON = re.compile(rf'"({NAMES})"\s*:\s*"([^"]+)"')
IN_FORM = re.compile(rf"(?:^|[&\n])({NAMES})=([^&\s]+)")
LONGEST = 32_768
"""The characters of a connection that are searched again with the next packet: a secret may be split."""
IPV4, OUTGOING, QUIET = 0x0800, 4, 0.3


class Wiretap:
    """A running capture; a context manager that stops it.

    Args:
        port: The port of the captured provider; 0 for all.
    """

    def __init__(self, port: int = 0) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, start_new_session=True,
        )  # fmt: skip
        self.is_allowed = bool(self._line())

    def __enter__(self) -> Wiretap:
        return self

    def __exit__(self, *_: object) -> None:
        # A child of a test may still have its input open.
        self._process.terminate()
        self._process.communicate()

    def all(self) -> set[str]:
        """Returns every captured secret, without user codes, which are shown to users."""
        secrets = self._secrets()
        return {each for name in SECRETS for each in secrets[name]}

    def user_codes(self) -> set[str]:
        """Returns the user codes that were shown and entered."""
        return set(self._secrets()["user_code"])

    def _secrets(self) -> dict[str, list[str]]:
        assert self._process.stdin is not None
        print(file=self._process.stdin, flush=True)
        found: dict[str, list[str]] = self._line()
        return found

    def _line(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


class Capture:
    """TCP over IPv4 on the loopback interface."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(IPV4))
        with suppress(OSError):
            # SO_RCVBUFFORCE of socket(7), so that no packet is lost.
            self.socket.setsockopt(socket.SOL_SOCKET, 33, 64 << 20)
        self.socket.bind(("lo", IPV4))
        self._tails: dict[bytes, str] = {}

    def receive(self) -> None:
        """Searches one packet, together with the end of the previous ones in the same direction."""
        packet, (_, _, kind, *_) = self.socket.recvfrom(1 << 17)
        start = (packet[0] & 15) * 4
        # On the loopback interface, each packet is captured on its way out and on its way in.
        if kind == OUTGOING or packet[9] != socket.IPPROTO_TCP:
            return
        ports = [int.from_bytes(packet[at : at + 2], "big") for at in (start, start + 2)]
        payload = packet[start + (packet[start + 12] >> 4) * 4 : int.from_bytes(packet[2:4], "big")]
        if not payload or (self.port and self.port not in ports):
            return
        connection = packet[12 : start + 4]
        text = self._tails.pop(connection, "") + payload.decode("latin-1")
        keep(text)
        self._tails[connection] = text[-LONGEST:]
        if len(self._tails) > 256:
            del self._tails[next(iter(self._tails))]


def keep(text: str) -> None:
    """Records the secrets in a text."""
    for name, value in IN_JSON.findall(text):
        # A shorter value is not a secret, but an invalid response of a test.
        if len(value) > 8:
            seen[name].add(value)
    for name, value in IN_FORM.findall(text):
        secret = urllib.parse.unquote_plus(value)
        if len(secret) > 8:
            seen[name].add(secret)


def main() -> None:
    """Captures, and prints the secrets for each line of the input."""
    try:
        capture = Capture(int(sys.argv[1]))
    except PermissionError:
        print(json.dumps(False), flush=True)
        for _ in sys.stdin:
            print(json.dumps({name: [] for name in seen}), flush=True)
        return
    print(json.dumps(True), flush=True)
    while True:
        ready, _, _ = select.select([capture.socket, sys.stdin], [], [])
        if capture.socket in ready:
            capture.receive()
        elif not sys.stdin.readline():
            return
        else:
            # Packets sent before the request have arrived, or arrive within this time.
            until = time.monotonic() + 5
            while time.monotonic() < until and select.select([capture.socket], [], [], QUIET)[0]:
                capture.receive()
            print(json.dumps({name: list(found) for name, found in seen.items()}), flush=True)


if __name__ == "__main__":
    main()
