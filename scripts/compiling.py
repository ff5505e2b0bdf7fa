# SPDX-License-Identifier: MIT
"""Compiles the C programs that tests start."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STRICT = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror")


def compiled(source: Path, *more: str | Path, to: Path, library: Path) -> Path:
    """Compiles a C program that finds the library at its present path. `more` is passed to the compiler."""
    compiler = os.environ.get("CC", "gcc")
    linked = [library, *more, f"-Wl,-rpath,{library.parent}", *os.environ.get("CFLAGS", "").split()]
    subprocess.run(
        [compiler, *STRICT, f"-I{ROOT / 'include'}", "-o", to, source, *linked],
        check=True, timeout=300,
    )  # fmt: skip
    return to
