# SPDX-License-Identifier: MIT
"""Programs that the tests install once in build/helpers: packages of Debian, and pinned packages of Python."""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import venv
from collections.abc import Iterator
from pathlib import Path

from desk import ROOT, Skipped

FOLDER = ROOT / "build/helpers"
# The process that started the tests, each of which runs in another one.
RUN = os.getpid()


@contextlib.contextmanager
def exclusive(name: str) -> Iterator[Path]:
    """Yields a directory of build/helpers, while no other test installs programs in it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield FOLDER / name


def unpacked(program: str, *packages: str) -> tuple[Path, str]:
    """Returns a program of Debian packages that are not installed, and the variable with their libraries.

    An installation would start services, or replace another version.
    """
    with exclusive(program) as folder:
        path = folder / "usr/bin" / program
        if not path.exists():
            folder.mkdir(exist_ok=True)
            download = f"apt-get download -q {' '.join(packages)}"
            unpack = "for file in *.deb; do dpkg -x $file . && rm $file; done"
            done = subprocess.run(
                f"{download} && {unpack}", shell=True, cwd=folder, capture_output=True, timeout=100, check=False
            )
            if done.returncode or not path.exists():
                raise Skipped(f"the package {packages[0]} cannot be downloaded")
    # The directory has the name of the architecture.
    libraries = ":".join(str(each) for each in (folder / "usr/lib").glob("*-linux-gnu"))
    return path, f"LD_LIBRARY_PATH={libraries}"


def pip(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Installs packages into a Python environment."""
    command = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words]
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=300, check=False
    )


def environment(name: str, requirements: Path) -> Path:
    """Returns the directory of a Python environment with the packages of a file."""
    with exclusive(name) as folder:
        copy = folder / "requirements.txt"
        if not copy.exists() or copy.read_text() != requirements.read_text():
            venv.create(folder, clear=True, with_pip=True)
            done = pip(folder, "--require-hashes", "-r", requirements)
            if done.returncode:
                raise Skipped(f"PyPI does not have {requirements.name}: {done.stderr.strip().splitlines()[-1:]}")
            copy.write_text(requirements.read_text())
    return folder


def clouds() -> Path:
    """Returns a Python with the libraries of Azure, AWS and Google Cloud."""
    return environment("clouds", Path(__file__).with_name("cloud-requirements.txt")) / "bin/python"
