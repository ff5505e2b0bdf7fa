# SPDX-License-Identifier: MIT
"""The declarations of the binding compared with the C header and the Swift sources."""

from __future__ import annotations

import re
from ctypes import c_char_p, c_int32, c_int64, c_void_p

import pytest

import fake
import tessera_identity
from tessera_identity import _errors, _native

HEADER = fake.HEADER.read_text()
HEADER = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.DOTALL)
HEADER = re.sub(r"TESSERA_(API|WARN_UNUSED|NULLABLE)\s+(?=\w)", "", HEADER)
FUNCTIONS = {
    name: (result.strip(), arguments)
    for result, name, arguments in re.findall(
        r"^((?:const )?\w+[ *]+)(tessera_\w+)\(([^)]*)\);", HEADER, flags=re.MULTILINE
    )
}
RESULTS = {
    "tessera_status": c_int32,
    "int": c_int32,
    "int32_t": c_int32,
    "int64_t": c_int64,
    "const char *": c_char_p,
    "char *": c_void_p,
    "tessera_cancellation *": c_void_p,
    "void": None,
}


def macro(name: str) -> str:
    found = re.search(rf"#define {name} (\S+)", HEADER)
    assert found is not None
    return found[1].strip('"')


def test_the_header_was_understood() -> None:
    assert len(FUNCTIONS) == len(re.findall(r"\btessera_\w+\(", HEADER))


def test_every_function_is_declared_and_no_other() -> None:
    assert set(_native.PROTOTYPES) == set(FUNCTIONS)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_declaration_agrees(name: str) -> None:
    result, arguments = FUNCTIONS[name]
    declared_result, declared_arguments = _native.PROTOTYPES[name]
    assert declared_result is RESULTS[result]
    count = 0 if arguments.strip() == "void" else arguments.count(",") + 1
    assert len(declared_arguments) == count


def test_versions_agree() -> None:
    assert macro("TESSERA_VERSION") == tessera_identity.__version__
    assert int(macro("TESSERA_ABI_VERSION")) == _native.ABI_VERSION
    swift = fake.INCLUDE.parent / "Sources/TesseraEngine/TesseraVersion.swift"
    if swift.exists():
        assert f'"{tessera_identity.__version__}"' in swift.read_text()


def test_statuses_and_remedies_agree() -> None:
    statuses = {
        int(number): name.lower()
        for name, number in re.findall(r"TESSERA_STATUS_(\w+) = (\d+)", HEADER)
        if name != "OK"
    }
    assert statuses == {status: each.remedy for status, each in _errors.BY_STATUS.items()}
    swift = (fake.INCLUDE.parent / "Sources/TesseraEngine/Errors/TesseraError.swift").read_text()
    numbers = dict(re.findall(r"case (\w+) = (\d+)", swift))
    names = dict(re.findall(r'case \.(\w+): "(\w+)"', swift))
    assert {int(numbers[case]): name for case, name in names.items()} == statuses


def test_structures_and_callbacks_agree() -> None:
    for structure, fields in (
        ("tessera_host", _native.Host._fields_),
        ("tessera_event", _native.Event._fields_),
    ):
        body = re.search(rf"typedef struct {structure} \{{(.*?)\}}", HEADER, flags=re.DOTALL)
        assert body is not None
        members = re.findall(r"(\w+);", body[1])
        assert members == [name for name, _ in fields]
    for name, declared in (
        ("tessera_log_callback", _native.LogCallback),
        ("tessera_device_code_callback", _native.PromptCallback),
        ("tessera_sign_in_callback", _native.PromptCallback),
        ("tessera_store_key_callback", _native.StoreKeyCallback),
        ("tessera_transport_callback", _native.TransportCallback),
        ("tessera_clock_callback", _native.ClockCallback),
    ):
        found = re.search(rf"\*{name}\)\(([^)]*)\)", HEADER)
        assert found is not None
        assert len(declared._argtypes_) == found[1].count(",") + 1
