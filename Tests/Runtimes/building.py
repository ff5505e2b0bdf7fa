# SPDX-License-Identifier: MIT
"""Paths and commands for the builds of the drivers."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from examples import Mismatch
from provider import ROOT

OUTPUT = ROOT / "build/runtimes"
LIBRARY = ROOT / "build/lib/libtessera.so"


class Missing(Exception):
    """A tool of a runtime is not installed; the message is the reason."""


def need(*programs: str) -> None:
    """Raises Missing if a program is not installed."""
    for program in programs:
        if shutil.which(program) is None:
            raise Missing(f"{program} is not installed")


def run(*command: str | Path, folder: Path = ROOT, **variables: str) -> None:
    """Runs a command. Raises Mismatch with the end of its output if it fails."""
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **variables}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False, timeout=900,
    )  # fmt: skip
    if done.returncode != 0:
        raise Mismatch(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")


def is_current(program: Path, *sources: Path) -> bool:
    """Whether a program is newer than its sources and the library."""
    files = [each for source in (*sources, LIBRARY) for each in (source, *source.rglob("*"))]
    return program.exists() and all(program.stat().st_mtime > each.stat().st_mtime for each in files)
