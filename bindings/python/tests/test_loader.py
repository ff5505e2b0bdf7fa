# SPDX-License-Identifier: MIT
"""The search paths of the library, and the errors for a missing or incompatible one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fake import build
from tessera_identity import _native

SOURCE = Path(__file__).parents[1] / "src"
PROGRAM = """
import tessera_identity
try:
    print(tessera_identity._native.library()._name)
except tessera_identity.ConfigurationError as error:
    print(error)
"""


def run(*options: str, source: Path = SOURCE, library: str | None = None) -> str:
    """Loads the library in a new process; returns its path, or the error."""
    environment = {name: value for name, value in os.environ.items() if name != "TESSERA_LIBRARY"}
    if library is not None:
        environment["TESSERA_LIBRARY"] = library
    program = f"import sys; sys.path.insert(0, {str(source)!r}){PROGRAM}"
    done = subprocess.run(
        [sys.executable, *options, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_variable_names_the_library(fake_path: Path) -> None:
    assert run(library=str(fake_path)) == str(fake_path)


def test_copy_in_the_package_comes_first(fake_path: Path, tmp_path: Path) -> None:
    package = tmp_path / "tessera_identity"
    shutil.copytree(SOURCE / "tessera_identity", package)
    (package / "_lib").mkdir()
    inside = shutil.copy(fake_path, package / "_lib" / "libtessera.so")
    assert run(source=tmp_path, library="/nowhere/libtessera.so") == str(inside)


def test_relative_path_is_refused() -> None:
    answer = run(library="libtessera.so")
    assert "must be an absolute path" in answer
    assert "library_missing" in answer


def test_named_library_that_is_not_there_is_an_error() -> None:
    assert "/nowhere/libtessera.so" in run(library="/nowhere/libtessera.so")


@pytest.mark.parametrize("option", ["-E", "-I"])
def test_isolated_python_ignores_the_variable(option: str) -> None:
    assert "/nowhere" not in run(option, library="/nowhere/libtessera.so")


def test_library_without_the_functions_is_refused() -> None:
    assert "has no function" in run(library=str(Path(sys.modules["_ctypes"].__file__ or "")))


def test_other_binary_interface_is_refused(tmp_path: Path) -> None:
    answer = run(library=str(build(tmp_path, "-DFAKE_ABI=7")))
    assert f"ABI version 7, but this package requires {_native.ABI_VERSION}" in answer
    assert "of the same version" in answer


def test_version_of_a_library_without_newer_functions_is_reported(tmp_path: Path) -> None:
    source, library = tmp_path / "older.c", tmp_path / "libtessera.so"
    source.write_text("int tessera_abi_version(void) { return 0; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    assert "has ABI version 0, but" in run(library=str(library))
