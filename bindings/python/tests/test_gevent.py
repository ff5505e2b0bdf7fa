# SPDX-License-Identifier: MIT
"""Calls with gevent: a waiting call lets other greenlets run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from browser_user import open_url
from real import CLIENT, needs_library, provider, running

if TYPE_CHECKING:
    from provider import Provider

__all__ = ["provider", "running"]
pytestmark = needs_library
pytest.importorskip("gevent", reason="gevent is not installed")

PROGRAM = """
from gevent import monkey
monkey.patch_all()
import sys, threading
import gevent
import tessera_identity

client, authority, store = sys.argv[1:]
application = tessera_identity.PublicClientApplication(client, authority=authority, store_directory=store)
ticks = 0

def tick():
    global ticks
    while True:
        ticks += 1
        gevent.sleep(0.001)

def show(prompt):
    assert threading.current_thread() is threading.main_thread()
    print(prompt.user_code, flush=True)
    assert sys.stdin.readline() == "approved\\n"

ticking = gevent.spawn(tick)
account = application.acquire_token_by_device_code(["User.Read"], prompt_callback=show, timeout=30).account
# A cached token needs no thread of the library, also in a new application.
from tessera_identity import _application
call_blocking = _application.call_blocking
_application.call_blocking = None
other = tessera_identity.PublicClientApplication(client, authority=authority, store_directory=store)
assert other.acquire_token_silent(["User.Read"], account=account).source == "cache"
_application.call_blocking = call_blocking
before = ticks
results = [
    gevent.spawn(application.acquire_token_silent, ["User.Read"], account=account, force_refresh=True)
    for _ in range(5)
]
gevent.joinall(results, raise_error=True)
assert ticks > before + 5, ticks
begun = application.begin_sign_in(["User.Read"])
print(begun.url, flush=True)
completed = application.complete_sign_in(begun.state, url=sys.stdin.readline().strip())
assert completed.account == account, completed
before = ticks
def open_page(prompt):
    assert threading.current_thread() is threading.main_thread()
    print(prompt.url, flush=True)
result = application.acquire_token_interactive(
    ["User.Read"], prompt_callback=open_page, browser="show", timeout=30
)
assert result.source == "network" and ticks > before, ticks
# One that is given up leaves the way free for the next.
for _ in range(3):
    with gevent.Timeout(0.2, False):
        application.acquire_token_interactive(
            ["User.Read"], prompt_callback=lambda prompt: None, browser="show"
        )
        raise SystemExit("no account is signed in")
with gevent.Timeout(0.2, False):
    application.acquire_token_by_device_code(["User.Read"], prompt_callback=lambda prompt: None)
    raise SystemExit("the user has not approved")
print("done")
"""


def test_other_greenlets_run_meanwhile(provider: Provider, tmp_path: Path) -> None:
    words: list[Any] = [sys.executable, "-c", PROGRAM, CLIENT, provider.oidc_issuer]
    with subprocess.Popen(
        [*words, str(tmp_path / "store")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(tessera_identity.__file__).parents[1])},
    ) as program:
        assert program.stdout is not None
        assert program.stdin is not None
        code = program.stdout.readline().strip()
        provider.approve(code)
        program.stdin.write("approved\n")
        program.stdin.flush()
        answer = provider.visit(program.stdout.readline().strip())
        program.stdin.write(f"{answer}\n")
        program.stdin.flush()
        page = open_url(provider.visit(program.stdout.readline().strip()))
        assert "You have signed in" in page
        output, _ = program.communicate(timeout=60)
    assert output == "done\n"
    assert program.returncode == 0
