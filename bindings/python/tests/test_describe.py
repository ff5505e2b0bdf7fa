# SPDX-License-Identifier: MIT
"""Descriptions of tokens, with the vectors shared with C."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tessera_identity
from real import needs_library

VECTORS = Path(__file__).parents[3] / "Tests/Vectors/describe.json"
ROWS: list[dict[str, Any]] = json.loads(VECTORS.read_text()) if VECTORS.exists() else []
NAMES = [name for name in tessera_identity.TokenDescription.__slots__ if name != "hint"]
pytestmark = [needs_library, pytest.mark.skipif(not ROWS, reason="the vectors are not there")]


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_row(row: dict[str, Any]) -> None:
    token = row["input"]["token"]
    description = tessera_identity.describe_token(token)
    expected = row["expected"]
    assert not description.verified
    assert description.hint
    for name in NAMES:
        value = getattr(description, name)
        assert (list(value) if isinstance(value, tuple) else value) == expected.get(name), name
    assert len(token) < 30 or token not in repr(description)


@pytest.mark.parametrize("token", ["a\0b", "a" * (1 << 20) + "a"])
def test_invalid_tokens_are_rejected(token: str) -> None:
    with pytest.raises(tessera_identity.InvalidRequest) as caught:
        tessera_identity.describe_token(token)
    assert caught.value.code == "invalid_member"


def test_surrogates_are_refused() -> None:
    with pytest.raises(tessera_identity.InvalidRequest):
        tessera_identity.describe_token("\ud800")
