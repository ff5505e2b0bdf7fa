# SPDX-License-Identifier: MIT
"""Redirect URIs: valid ones, and the errors for invalid ones; with the real library, without network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tessera_identity
from real import needs_library

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "Tests/Vectors/redirects.json").read_text()
)
CLIENT = "4b0db8c2-9f26-4417-8bde-3f0e3656f8e0"

pytestmark = needs_library


def named(area: str) -> pytest.MarkDecorator:
    rows = [row for row in VECTORS if row["area"] == area]
    return pytest.mark.parametrize("row", rows, ids=[row["name"] for row in rows])


@named("redirect_good")
def test_a_redirect_uri_that_can_work_is_taken(row: dict[str, Any]) -> None:
    tessera_identity.PublicClientApplication(CLIENT, **row["input"]).close()


@named("redirect_bad")
def test_an_invalid_redirect_uri_is_rejected_with_a_remedy(row: dict[str, Any]) -> None:
    with pytest.raises(tessera_identity.ConfigurationProblem) as caught:
        tessera_identity.PublicClientApplication(CLIENT, **row["input"])
    assert caught.value.code == row["expected"]["code"]
    assert caught.value.message == row["expected"]["message"]
