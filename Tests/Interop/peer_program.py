# SPDX-License-Identifier: MIT
"""A program with MSAL Python and a file: writes, reads or refreshes.

usage: peer_program.py write FILE NAME COUNT
           prints "wrote NUMBER" for each, "refused" without the lock; 0 means no limit
       peer_program.py stop FILE NAME SHARE
           writes one token, and stops itself when this share of the file is written
       peer_program.py read FILE SECONDS PAUSE
           reads like new programs; prints {"reads", "missed", "failed", "worst"} at the end
       peer_program.py refresh FILE CLIENT AUTHORITY ADDRESS SCOPE
           waits for a line, requests a token once, and prints the result
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [
    str(Path(__file__).resolve().parent),
    str(Path(__file__).resolve().parents[2] / "scripts"),
]

import peer  # noqa: E402
from front import forwarded  # noqa: E402
from msal_extensions import FilePersistence, PersistedTokenCache  # type: ignore  # noqa: E402
from msal_extensions.persistence import _open  # type: ignore  # noqa: E402
from msal_extensions.token_cache import LockError  # type: ignore  # noqa: E402

HOME, CLIENT, REALM = "uid.utid", "c11e0000-0000-4000-8000-000000000001", "utid"
HOST = "login.microsoftonline.com"


def token(scope: str, secret: str = "x" * 1200) -> dict[str, str]:
    """Returns an access token in MSAL Python's format."""
    now = int(time.time())
    return {
        "credential_type": "AccessToken", "secret": secret, "home_account_id": HOME, "environment": HOST,
        "client_id": CLIENT, "target": scope, "realm": REALM, "token_type": "Bearer", "cached_at": str(now),
        "expires_on": str(now + 36000), "extended_expires_on": str(now + 36000),
    }  # fmt: skip


def write(file: str, name: str, count: str) -> None:
    """Writes tokens, each for a separate scope, or for the same few repeatedly."""
    cache = peer.cache_at(Path(file))
    number = 0
    while number < (int(count) or sys.maxsize):
        entry = token(f"{name}.{number if int(count) else number % 8}")
        try:
            cache.modify("AccessToken", entry, entry)
        except (LockError, ValueError) as problem:
            print(f"refused {type(problem).__name__}", flush=True)
            continue
        print(f"wrote {number}", flush=True)
        number += 1


class StoppingPersistence(FilePersistence):  # type: ignore[misc]
    """A file whose writer is stopped in the middle of a write."""

    share = 0.0

    def save(self, content: str) -> None:
        """Writes in place, like `FilePersistence`, in two parts."""
        middle = int(len(content) * self.share)
        with os.fdopen(_open(self.get_location()), "w+") as handle:
            handle.write(content[:middle])
            handle.flush()
            os.kill(os.getpid(), signal.SIGSTOP)
            handle.write(content[middle:])


def stop(file: str, name: str, share: str) -> None:
    """Writes one token, with a stop in the middle of the write."""
    persistence = StoppingPersistence(file)
    persistence.share = float(share)
    entry = token(f"{name}.0")
    PersistedTokenCache(persistence).modify("AccessToken", entry, entry)
    print("wrote 0", flush=True)


def read(file: str, seconds: str, pause: str) -> None:
    """Looks up a token that always exists, like a new program."""
    found = {"reads": 0, "missed": 0, "failed": 0, "worst": 0.0}
    end = time.monotonic() + float(seconds)
    while time.monotonic() < end:
        began = time.monotonic()
        found["reads"] += 1
        try:
            query = {"client_id": CLIENT}
            entries = list(
                peer.cache_at(Path(file)).search("AccessToken", target=["always"], query=query)
            )
            found["missed"] += not entries
        except ValueError:
            found["failed"] += 1
        found["worst"] = max(found["worst"], time.monotonic() - began)
        time.sleep(float(pause))
    print(json.dumps(found), flush=True)


class Direct:
    """The network without the front: one host, at the provider's address."""

    def __init__(self, host: str, address: str) -> None:
        self._host, self._address = host, address

    def get(self, url: str, **_: Any) -> peer.Answer:
        """Sends a query."""
        return self._sent(url, None)

    def post(self, url: str, data: Any = None, **_: Any) -> peer.Answer:
        """Sends a form."""
        return self._sent(url, urllib.parse.urlencode(data).encode())

    def _sent(self, url: str, body: bytes | None) -> peer.Answer:
        status, answer = forwarded(url.replace(f"https://{self._host}", self._address, 1), body, {})
        return peer.Answer(status, answer.decode())

    def close(self) -> None:
        """Closes nothing."""


def refresh(file: str, client: str, authority: str, address: str, scope: str) -> None:
    """Gets a token when a line arrives on standard input, and prints the result."""
    application = peer.public(
        Path(file), client, authority, Direct(authority.split("/")[2], address)
    )
    accounts = application.get_accounts()
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        result = (
            application.acquire_token_silent_with_error([scope], accounts[0]) if accounts else None
        )
    except Exception as problem:  # noqa: BLE001 - whatever it is, it is counted
        result = {"error": type(problem).__name__}
    print(
        "nothing" if not result else result.get("token_source") or result.get("error"), flush=True
    )


if __name__ == "__main__":
    acts: dict[str, Callable[..., None]] = {
        "write": write,
        "stop": stop,
        "read": read,
        "refresh": refresh,
    }
    acts[sys.argv[1]](*sys.argv[2:])
