# SPDX-License-Identifier: MIT
"""The programs in the wheel: the command line `tessera`, and the local provider `tessera-provider`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ._errors import BY_STATUS, InternalError

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


class HelperError(Exception):
    """The command line could not return the token of a listed service.

    Attributes:
        remedy: The remedy, such as `sign_in`, as of a `TesseraError`.
    """

    remedy: str

    def __init__(self, message: str, remedy: str) -> None:
        """Creates an error with the message of the command line."""
        super().__init__(message)
        self.remedy = remedy


def helper_output(*words: str, given: str = "") -> str | None:
    """Runs `tessera helper`.

    The list of services and all decisions are in the command line. If the user has to sign in, it asks on the
    controlling terminal or in a browser and waits. Without both, it fails at once.

    Args:
        *words: The arguments.
        given: The standard input. Unlike arguments, other users cannot see it.

    Returns:
        The output without the newline at its end; None if the service is not listed.

    Raises:
        HelperError: There is no token, or other users can change the list.
        FileNotFoundError: This installation does not contain the command line.
        ValueError: An argument contains a NUL.
    """
    # The programs of the package start faster without this import.
    import subprocess

    done = subprocess.run(  # noqa: S603 - there is no shell
        [program_path("tessera"), "helper", *words],
        # Lone surrogates become invalid UTF-8, which the command line refuses.
        input=given.encode(errors="surrogatepass"),
        capture_output=True,
        check=False,
    )
    if done.returncode == 0:
        return done.stdout.decode().rstrip("\n")
    message = done.stderr.decode(errors="replace").strip()
    # A service that is not listed is not an error: the status is 1, and there is no message.
    if done.returncode == 1 and not message:
        return None
    remedy = BY_STATUS.get(done.returncode, InternalError).remedy
    message = message.removeprefix("tessera: ") if message else f"tessera ended with {done.returncode}"
    raise HelperError(message, remedy)
