# SPDX-License-Identifier: MIT
"""The examples in C, run like a user does: from the first sign-in to the last sign-out."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from provider import Provider


def work(folder: Path, environment: Mapping[str, str], wrapped: list[str]) -> None:
    """Signs in, gets the token from the cache and from the network, lists accounts, and signs out.

    `wrapped` is the command that runs the programs, such as valgrind.
    """

    def start(name: str, options: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*wrapped, str(folder / name), *options, "--json"], env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    with Provider("--interval", "1") as provider, tempfile.TemporaryDirectory() as directory:
        options = [
            "--client-id", "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10", "--scope", "User.Read",
            "--authority", provider.entra_authority, "--authority-type", "entra",
            "--store-directory", directory,
        ]  # fmt: skip

        def call(name: str, *more: str, expected: int = 0) -> dict[str, object]:
            return _answer(start(name, [*options, *more]), expected)

        signing_in = start("sign_in", options)
        assert signing_in.stdout is not None
        prompt = signing_in.stdout.readline()
        if not prompt:
            _answer(signing_in)
        provider.approve(json.loads(prompt)["user_code"])
        first = _answer(signing_in)
        assert first["source"] == "network", f"sign_in: {first}"
        cached = call("get_token")
        assert cached == {**first, "source": "cache"}, f"get_token: {cached}, not {first}"
        assert call("get_token", "--force-refresh")["source"] == "network", "--force-refresh"
        accounts = call("accounts")["accounts"]
        assert isinstance(accounts, list) and len(accounts) == 1, f"accounts: {accounts}"
        call("get_token", "--username", "nobody@contoso.com", expected=1)
        call("get_token", "--no-such-option", "x", expected=3)
        assert call("sign_out")["removed"] is True, "sign_out"
        assert call("accounts")["accounts"] == [], "accounts after sign_out"
        call("get_token", expected=1)


def _answer(process: subprocess.Popen[str], expected: int = 0) -> dict[str, object]:
    """Returns the last line of an example as JSON, after it has ended as expected."""
    output, errors = process.communicate(timeout=300)
    assert process.returncode == expected, (
        f"ended with {process.returncode}, not {expected}\n{output}{errors[-4000:]}"
    )
    return dict(json.loads(output.splitlines()[-1])) if expected == 0 else {}
