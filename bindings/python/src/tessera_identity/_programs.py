# SPDX-License-Identifier: MIT
"""The programs in the wheel: the command line `tessera`, and the local provider `tessera-provider`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

VARIABLES = {"tessera": "TESSERA_COMMAND", "tessera-provider": "TESSERA_PROVIDER"}
"""The environment variables with the paths of programs that are not in the package."""


def program_path(name: str) -> str:
    """Returns the path of a program: in this package, or else in its environment variable.

    Raises:
        FileNotFoundError: The package does not contain the program, and the variable has no absolute path.
    """
    path = Path(__file__).resolve().parent / "_bin" / name
    if path.exists():
        return str(path)
    variable = VARIABLES[name]
    given = "" if sys.flags.ignore_environment else os.environ.get(variable, "")
    if Path(given).is_absolute():
        return given
    raise FileNotFoundError(
        f"This installation of tessera-identity does not contain {name}: install the wheel for this platform, "
        f"or set {variable} to its absolute path."
    )


def command() -> NoReturn:
    """Replaces the process with the command line `tessera`."""
    _execute("tessera")


def provider() -> NoReturn:
    """Replaces the process with the local provider `tessera-provider`."""
    _execute("tessera-provider")


def _execute(name: str) -> NoReturn:
    try:
        path = program_path(name)
    except FileNotFoundError as error:
        sys.exit(f"{name}: {error}")
    os.execv(path, [name, *sys.argv[1:]])  # noqa: S606 - there is no shell
