# SPDX-License-Identifier: MIT
"""Runs Python code with a store in a separate process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from real import CLIENT, LIBRARY, SCOPES

SOURCES = Path(__file__).parent.parent / "src"

PRELUDE = f"""
import json, os, sys, threading
sys.path[:0] = {[str(SOURCES)]!r}
import tessera_identity
from tessera_identity import PublicClientApplication, TesseraError
SCOPES = {SCOPES!r}
settings = json.loads(sys.argv[1])
def application():
    return PublicClientApplication({CLIENT!r}, **settings)
"""


def run(code: str, settings: dict[str, Any], **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs Python code in a separate process, with `settings` and `application()`."""
    text = json.dumps(settings, default=os.fspath)
    command = [sys.executable, "-c", PRELUDE + code, text]
    variables = os.environ | {"TESSERA_LIBRARY": LIBRARY or ""} | environment
    return subprocess.run(
        command, check=False, env=variables, capture_output=True, text=True, timeout=200
    )  # fmt: skip


def output(code: str, settings: dict[str, Any], **environment: str) -> str:
    """Returns the last line that the code prints."""
    done = run(code, settings, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


SIGN_IN = """
with application() as made:
    begun = made.begin_sign_in(SCOPES)
    print(json.dumps([begun.state, begun.url]))
"""

USE = """
with application() as made:
    (account,) = made.get_accounts()
    first = made.acquire_token_silent(SCOPES, account=account)
    fresh = made.acquire_token_silent(SCOPES, account=account, force_refresh=True)
    again = made.acquire_token_silent(SCOPES, account=account)
    assert (first.source, fresh.persisted, again.source) == ("cache", True, "cache"), (first, fresh, again)
    assert again.access_token == fresh.access_token
print("used")
"""
