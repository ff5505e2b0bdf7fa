# SPDX-License-Identifier: MIT
"""JSON text agrees with the module json, with the C functions and without them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tessera_identity import _json_text
from tessera_identity._json_text import decoded, encoded

DOCUMENTS: list[dict[str, Any]] = [
    {},
    {"text": 'ä"\\\0\n\u2028\U0001f511'},
    {"numbers": [0, -1, 2**60, 1.5, True, False]},
    {"nested": {"a": [{"b": None}], "": []}},
]


@pytest.fixture(params=["C", "json"])
def implementation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "json":
        monkeypatch.setitem(sys.modules, "_json", None)
        monkeypatch.setattr(_json_text, "_parse", _json_text._parser())
        monkeypatch.setattr(_json_text, "_quote", _json_text._quoter())
        assert _json_text._parse is json.loads
    else:
        assert _json_text._parse is not json.loads
    return str(request.param)


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("indent", [None, 2])
def test_decoding_agrees_with_json(document: dict[str, Any], indent: int | None) -> None:
    assert decoded(f" {json.dumps(document, indent=indent)}\r\n\t".encode()) == document
    assert decoded(json.dumps(document, ensure_ascii=False).encode()) == document


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("document", DOCUMENTS[:3])
def test_encoding_agrees_with_json(document: dict[str, Any]) -> None:
    text = encoded({**document, "absent": None})
    assert json.loads(text) == document
    assert text.isascii()
    assert 0 not in text


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize(
    "text", [b"", b" ", b"{", b"{}{}", b"{} x", b"[]", b"1", b"nul", b"\xff", b'{"a":"\n"}']
)
def test_data_other_than_an_object_is_a_value_error(text: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - several kinds of it
        decoded(text)


@pytest.mark.parametrize("value", [b"bytes", {1}, {"a": b"bytes"}, object()])
def test_other_types_are_a_type_error(value: object) -> None:
    with pytest.raises(TypeError):
        encoded({"member": value})


def test_import_loads_few_modules() -> None:
    source = Path(_json_text.__file__).parents[1]
    program = (
        f"import sys; sys.path.insert(0, {str(source)!r}); before = set(sys.modules); "
        "import tessera_identity; print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )
    heavy = {"json", "re", "enum", "functools", "typing", "collections", "threading", "dataclasses"}
    assert not heavy & set(done.stdout.split())
