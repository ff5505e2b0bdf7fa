# SPDX-License-Identifier: MIT
"""The migration of `tessera store migrate`: imported accounts, and the searched locations."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

from desk import ALICE, CLIENT, COMMAND, Desk


def entries(name: str) -> str:
    """Returns the cache of an Azure CLI before 2.30 with one account."""
    return json.dumps([{
        "tokenType": "Bearer", "refreshToken": "a token", "userId": name, "isMRRT": True, "_clientId": CLIENT,
        "resource": "https://management.core.windows.net/",
        "_authority": "https://login.microsoftonline.com/common",
    }])  # fmt: skip


def the_location_of_the_azure_cli(desk: Desk) -> None:
    """The cache of the Azure CLI is imported from its default location."""
    with tempfile.TemporaryDirectory() as name:
        desk.environment.pop("AZURE_ACCESS_TOKEN_FILE", None)
        desk.environment |= {"AZURE_CONFIG_DIR": name, "HOME": "/nowhere"}
        place = ("--place", "azure_cli")
        assert desk.failure("store migrate", *place) == (3, "legacy_cache_invalid")
        file = Path(name, "accessTokens.json")
        file.write_text(entries(ALICE))
        dry = desk.good("store migrate", "--dry-run", *place)
        assert (dry["format"], dry["dry_run"]) == ("azure_cli", True)
        assert desk.good("accounts", "--no-signed-in-only")["accounts"] == []
        for outcome in ("migrated", "already_migrated"):
            report = desk.good("store migrate", *place)
            assert [each["outcome"] for each in report["accounts"]] == [outcome], report
        desk.environment["AZURE_CONFIG_DIR"] = ""
        assert desk.failure("store migrate", *place) == (3, "legacy_cache_invalid")
        desk.environment["AZURE_ACCESS_TOKEN_FILE"] = str(file)
        assert desk.good("store migrate", *place)["accounts"] == report["accounts"]
        assert json.loads(file.read_text()) == json.loads(entries(ALICE))


def a_file_or_a_location(_: Desk) -> None:
    """`store migrate` requires either a file or a known location."""
    for words in ((), ("file", "--place", "azure_cli"), ("--place", "home")):
        done = subprocess.run(
            [COMMAND, "store", "migrate", "--client-id", CLIENT, *words], capture_output=True, text=True,
            check=False,
        )
        assert done.returncode == 64, (words, done)
