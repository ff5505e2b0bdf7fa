# SPDX-License-Identifier: MIT
"""Tokens of listed services, by `tessera helper` of the command line in this package."""

from __future__ import annotations

import subprocess

from ._errors import BY_STATUS, InternalError
from ._programs import program_path


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


def output_of(*words: str, given: str = "") -> str | None:
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
