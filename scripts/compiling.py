# SPDX-License-Identifier: MIT
"""Compiles the programs in C that tests start."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STRICT = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror")


def compiled(source: Path, *more: str | Path, to: Path, library: Path) -> Path:
    """A program of C with the library, which it finds where that lies now; `more` goes to the compiler as well."""
    compiler = os.environ.get("CC", "gcc")
    linked = [library, *more, f"-Wl,-rpath,{library.parent}"]
    subprocess.run(
        [compiler, *STRICT, f"-I{ROOT / 'include'}", "-o", to, source, *linked],
        check=True, timeout=300,
    )  # fmt: skip
    return to
