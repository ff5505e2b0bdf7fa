# SPDX-License-Identifier: MIT
"""Caches of MSAL libraries are imported into the store and exported again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from real import CLIENT, needs_library
from tessera_identity import PublicClientApplication

pytestmark = needs_library


SAMPLES = sorted((Path(__file__).parents[3] / "Tests/Vectors/msal-samples").glob("*.cache.json"))


@pytest.mark.parametrize("sample", SAMPLES, ids=[each.name.split(".")[0] for each in SAMPLES])
def test_caches_of_msal_libraries_round_trip(tmp_path: Path, sample: Path) -> None:
    """With the same values, or with equivalent ones."""
    given = json.loads(sample.read_text(encoding="utf-8"))
    with PublicClientApplication(CLIENT, store_directory=tmp_path / "store") as application:
        application.write_cache("", json.dumps(given))
        document = json.loads(application.read_cache())
        for section, entries in given.items():
            found = [without_host(each) for each in document.get(section, {}).values()]
            for entry in entries.values():
                assert without_host(entry) in found, (section, entry)
        application.write_cache(json.dumps(document), "")
        assert application.read_cache() == "{}"


def without_host(entry: dict[str, Any]) -> dict[str, Any]:
    """Returns an entry without the host, which may be an alias; a missing account is null, empty or left out.

    Of two ID tokens of a tenant, one of them requested with an alias of it, the later one is kept.
    """
    passing = {"environment", "secret"} if entry.get("credential_type") == "IdToken" else {"environment"}
    owner = {"home_account_id": entry.get("home_account_id") or ""}
    return {name: value for name, value in {**entry, **owner}.items() if name not in passing}
