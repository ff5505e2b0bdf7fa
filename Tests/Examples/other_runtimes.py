# SPDX-License-Identifier: MIT
"""The examples for runtimes without a binding: sign-in, token, accounts, sign-out and an error of each one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from provider import ROOT, Provider
from timeouts import answering

sys.path.append(str(ROOT / "Tests/Runtimes"))

from building import LIBRARY, Missing  # noqa: E402
from examples_runtimes import SELECTED  # noqa: E402

from examples import ENVIRONMENT, Desk, expect  # noqa: E402

NAMES = tuple(SELECTED)
USERNAME = "alice@contoso.com"
_ENVIRONMENT = {**ENVIRONMENT, "TESSERA_LIBRARY": str(LIBRARY), "LD_LIBRARY_PATH": str(LIBRARY.parent)}


def build(name: str) -> str:
    """Builds an example. Returns the reason if a tool is missing, and otherwise an empty text."""
    try:
        SELECTED[name].build()
    except Missing as reason:
        return str(reason)
    return ""


def works(name: str, provider: Provider, folder: Path) -> None:
    """Runs every command of an example."""
    store = {"directory": str(folder), "key_sources": ["key_file"]}
    configuration = {
        "client_id": Desk.client_id, "authority": provider.entra_authority, "authority_type": "entra",
        "store": store,
    }  # fmt: skip

    def command(*words: str) -> list[str]:
        return [*SELECTED[name].example, json.dumps(configuration), *words]

    def run(*words: str) -> tuple[int, str, str]:
        done = subprocess.run(
            command(*words), env=_ENVIRONMENT, text=True, capture_output=True, check=False, timeout=120
        )
        return done.returncode, done.stdout, done.stderr

    status, output, errors = run("token", "User.Read")
    failed = status == 1 and output == "" and errors.startswith("sign_in (account_not_found): ")
    expect(failed, f"token without an account ended with {status}: {output}{errors}")
    with subprocess.Popen(
        command("sign_in", "User.Read"), env=_ENVIRONMENT, text=True, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        with answering(process, 120):
            page, code = (process.stdout.readline().partition(":")[2].strip() for _ in range(2))
        provider.approve_in_browser(page, code, USERNAME)
        with answering(process, 120):
            output = process.stdout.read()
    expect((process.returncode, output) == (0, f"{USERNAME}: signed in\n"), f"sign_in printed {output}")
    for words, line in (
        (("token", "User.Read"), f"{USERNAME}: token from the cache\n"),
        (("accounts",), f"{USERNAME}\n"),
        (("sign_out",), f"{USERNAME}: signed out\n"),
        (("accounts",), ""),
    ):
        status, output, errors = run(*words)
        expect((status, output) == (0, line), f"{words[0]} ended with {status}: {output}{errors}")
