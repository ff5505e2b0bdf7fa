# SPDX-License-Identifier: MIT
"""Source distributions of installed packages, which contain their tests and samples."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


def source_distribution(package: str, directory: Path) -> Path:
    """Downloads and extracts the sources of the installed version; skips the test without PyPI."""
    release = f"{package}=={version(package)}"
    arguments = ["--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(directory), release]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", *arguments], check=False, capture_output=True, timeout=240
    )
    if done.returncode != 0:
        pytest.skip(f"PyPI has no source distribution of {release}, or cannot be reached")
    [archive] = directory.glob("*.tar.gz")
    with tarfile.open(archive) as contents:
        contents.extractall(directory, filter="data")
    return directory / archive.name.removesuffix(".tar.gz")
