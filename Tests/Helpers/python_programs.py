# SPDX-License-Identifier: MIT
"""An environment with Python programs of PyPI and the Python package, without the library."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

from desk import COMMAND, ROOT, Desk
from installed import RUN, environment, exclusive, pip

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
PACKAGE = ROOT / "bindings/python"


def programs() -> Path:
    """Returns the directory of the programs, which are installed once. The package is installed in each run."""
    folder = environment("python", REQUIREMENTS)
    with exclusive("python"):
        run = folder / "run"
        if not run.exists() or run.read_text() != str(RUN):
            # A copy, so that no files are created in the source tree.
            source = folder / "source"
            shutil.rmtree(source, ignore_errors=True)
            source.mkdir()
            for name in ("pyproject.toml", "setup.py", "README.md"):
                shutil.copy(PACKAGE / name, source)
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(PACKAGE / "src", source / "src", ignore=ignored)
            words = ["--no-index", "--no-deps", "--no-build-isolation", "--force-reinstall"]
            pip(folder, *words, source).check_returncode()
            run.write_text(str(RUN))
    return folder / "bin"


class PythonPrograms:
    """The programs of the environment, for a user."""

    def __init__(self, desk: Desk) -> None:
        """Installs the programs."""
        self._desk = desk
        self.folder = programs()

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
