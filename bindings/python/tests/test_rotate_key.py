# SPDX-License-Identifier: MIT
"""Key rotation of the store: the request, and programs that continue."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from fake import ROTATE_KEY, Fake
from real import CLIENT, SCOPES, application, needs_library, provider, running, settings, sign_in
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from pathlib import Path

    from provider import Provider

__all__ = ["application", "provider", "running", "settings"]

OLD, NEW = bytes(32), bytes(range(32))

PROGRAM = """
import json, sys, tessera_identity
settings, scopes, account = json.loads(sys.argv[1])
with tessera_identity.PublicClientApplication(**settings) as application:
    for line in sys.stdin:
        token = application.acquire_token_silent(
            scopes, account=account, force_refresh=line == "refresh\\n")
        print(json.dumps([token.source, token.access_token, token.persisted]), flush=True)
"""


class Program:
    """Another process, which has the store open and gets a token for each line."""

    def __init__(self, settings: dict[str, Any], account: str) -> None:
        words = json.dumps([{"client_id": CLIENT, **settings}, SCOPES, account], default=str)
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )

    def token(self, how: str = "cached") -> list[object]:
        """Returns the source, the access token, and whether it was stored."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(how + "\n")
        self._process.stdin.flush()
        answer: list[object] = json.loads(self._process.stdout.readline())
        return answer

    def end(self) -> None:
        self._process.communicate()
        assert self._process.returncode == 0


def test_the_request_contains_the_new_key(fake: Fake) -> None:
    fake.set_response(ROTATE_KEY, {"rotated": True})
    with PublicClientApplication("client") as made:
        assert made.rotate_store_key(timeout=1.5) is True
        assert fake.request(ROTATE_KEY) == {"timeout_milliseconds": 1500}
        fake.set_response(ROTATE_KEY, {"rotated": False})
        assert made.rotate_store_key(b"\x00" * 3) is False
        assert fake.request(ROTATE_KEY) == {"new_store_key": "AAAA"}


@needs_library
def test_another_program_goes_on(
    provider: Provider, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    keys = tmp_path / "state/tessera/keys"
    options = {**settings, "key_sources": ["key_file"]}
    with PublicClientApplication(CLIENT, **options) as one:
        assert one.rotate_store_key() is False
        token = sign_in(one, provider)
        account = token.account.home_account_id
        other = Program(options, account)
        assert other.token() == ["cache", token.access_token, True]
        for count in (2, 3):
            assert one.rotate_store_key(timeout=10) is True
            assert len(list(keys.iterdir())) == count
            cached = one.acquire_token_silent(SCOPES, account=account)
            assert other.token() == ["cache", cached.access_token, True]
            fresh = other.token("refresh")
            assert (fresh[0], fresh[2]) == ("network", True)
            cached = one.acquire_token_silent(SCOPES, account=account)
            assert (cached.source, cached.access_token) == ("cache", fresh[1])
        other.end()
        with pytest.raises(tessera_identity.InvalidRequest) as caught:
            one.rotate_store_key(NEW)
        assert caught.value.code == "invalid_member"


@needs_library
def test_program_changes_its_own_key(provider: Provider, settings: dict[str, Any]) -> None:
    with PublicClientApplication(CLIENT, store_key=OLD, **settings) as made:
        token = sign_in(made, provider)
        with pytest.raises(tessera_identity.InvalidRequest) as caught:
            made.rotate_store_key()
        assert caught.value.code == "missing_parameter"
        assert made.rotate_store_key(NEW)
        assert made.acquire_token_silent(SCOPES, account=token.account).source == "cache"
    with PublicClientApplication(CLIENT, store_key=NEW, **settings) as made:
        assert made.acquire_token_silent(SCOPES, account=token.account).source == "cache"
    with (
        PublicClientApplication(CLIENT, store_key=OLD, **settings) as made,
        pytest.raises(tessera_identity.StorageProblem) as undecryptable,
    ):
        made.acquire_token_silent(SCOPES, account=token.account)
    assert undecryptable.value.code == "cache_undecryptable"
