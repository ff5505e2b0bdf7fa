# SPDX-License-Identifier: MIT
"""The programs of the package: the command line and the local provider."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = str(Path(__file__).parents[1] / "src")
COMMAND = ["-m", "tessera_identity"]
PROVIDER = ["-c", "from tessera_identity._programs import provider; provider()"]


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        env={"PYTHONPATH": SOURCE, **environment},
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def program(tmp_path: Path) -> str:
    """A program that prints its arguments."""
    path = tmp_path / "program"
    path.write_text('#!/bin/sh\necho "$#" "$@"\nexit 5\n')
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("words", "variable"), [(COMMAND, "TESSERA_COMMAND"), (PROVIDER, "TESSERA_PROVIDER")]
)
def test_program_gets_the_arguments_and_its_status_is_returned(
    program: str, words: list[str], variable: str
) -> None:
    done = run(*words, "a b", "--c", **{variable: program})
    assert (done.stdout, done.returncode) == ("2 a b --c\n", 5)


@pytest.mark.parametrize(
    ("words", "name"), [(COMMAND, "tessera"), (PROVIDER, "tessera-provider")]
)
def test_missing_program_is_named(tmp_path: Path, words: list[str], name: str) -> None:
    # A relative path depends on the working directory.
    for environment in ({}, {"TESSERA_COMMAND": "program", "TESSERA_PROVIDER": "program"}):
        done = run(*words, **environment)
        assert done.returncode == 1
        assert f"{name}: This installation of tessera-identity does not contain {name}" in done.stderr


def test_environment_is_ignored_with_the_option_of_python(program: str) -> None:
    text = f"""
import sys
sys.path.insert(0, {SOURCE!r})
from tessera_identity._programs import command
command()
"""
    done = run("-E", "-c", text, **{**os.environ, "TESSERA_COMMAND": program})
    assert "does not contain tessera" in done.stderr
