# SPDX-License-Identifier: MIT
"""An environment with Python programs of PyPI and the Python package, without the library."""

from __future__ import annotations

import functools
import shutil
import subprocess
import venv
import zipfile
from pathlib import Path

from desk import COMMAND, ROOT, Desk, Skipped

FOLDER = ROOT / "build/helpers/python"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
PACKAGE = ROOT / "bindings/python"


@functools.cache
def environment() -> Path:
    """Returns the directory of the programs, which are installed once. The package is installed in each run."""
    done = FOLDER / "requirements.txt"
    pip = [str(FOLDER / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if not done.exists() or done.read_text() != REQUIREMENTS.read_text():
        venv.create(FOLDER, clear=True, with_pip=True)
        installed = subprocess.run(
            [*pip, "--require-hashes", "-r", str(REQUIREMENTS)], capture_output=True, text=True, timeout=300,
            check=False,
        )  # fmt: skip
        if installed.returncode:
            raise Skipped(f"PyPI has no programs: {installed.stderr.strip().splitlines()[-1:]}")
        shutil.copy(REQUIREMENTS, done)
    # A copy, so that no files are created in the source tree.
    source = FOLDER / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md"):
        shutil.copy(PACKAGE / name, source)
    shutil.copytree(PACKAGE / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    words = ["--no-index", "--no-deps", "--no-build-isolation", "--force-reinstall", str(source)]
    subprocess.run([*pip, *words], check=True, capture_output=True, timeout=100)
    return FOLDER / "bin"


class PythonPrograms:
    """The programs of the environment, for a user."""

    def __init__(self, desk: Desk) -> None:
        """Installs the programs."""
        self._desk = desk
        self.folder = environment()

    def run(
        self, *command: str | Path, path: str = "", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs a program of the environment without a terminal.

        Args:
            *command: The name of the program, and its arguments.
            path: Directories that come first in PATH.
            **variables: Additional variables.
        """
        given = {
            "TESSERA_COMMAND": str(COMMAND), "PYTHONDONTWRITEBYTECODE": "1", "PIP_CONFIG_FILE": "/dev/null",
            "PATH": f"{path}:{self.folder}:{self._desk.environment['PATH']}", "COLUMNS": "1000",
        }  # fmt: skip
        return subprocess.run(
            [self.folder / command[0], *command[1:]], env=self._desk.environment | given | variables,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False,
            start_new_session=True, cwd=self._desk.folder,
        )  # fmt: skip


def wheel(folder: Path) -> Path:
    """Creates a wheel of an empty package."""
    path = folder / "tessera_sample-1.0-py3-none-any.whl"
    information = "tessera_sample-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tessera_sample.py", "")
        archive.writestr(f"{information}/METADATA", "Metadata-Version: 2.1\nName: tessera-sample\nVersion: 1.0\n")
        archive.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        names = ("tessera_sample.py", f"{information}/METADATA", f"{information}/WHEEL", f"{information}/RECORD")
        archive.writestr(f"{information}/RECORD", "".join(f"{name},,\n" for name in names))
    return path
