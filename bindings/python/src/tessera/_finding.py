# SPDX-License-Identifier: MIT
"""Where the shared library is looked for, in an order that nobody else can bend.

1. `_lib/libtessera.so` inside this package: a wheel is complete, and whoever can change it can change the
   Python files beside it as well.
2. TESSERA_LIBRARY, an absolute path, for builds that are not installed. A relative path is refused, since it
   would depend on the working directory; Python's options -E and -I make the variable be ignored.
3. `libtessera.so.0`, searched by the dynamic linker, which does not look in the working directory.

The first that is present is used: if it cannot be loaded, that is an error and not a reason to go on.
"""

from __future__ import annotations

import os
import sys
from ctypes import CDLL

from ._errors import ConfigurationProblem

SYSTEM_NAME = "libtessera.so.0"
"""The SONAME under which the library is installed on the system."""

VARIABLE = "TESSERA_LIBRARY"
"""The environment variable that names a library outside of the package and of the system."""


def open_library() -> CDLL:
    """Load the library from the first place that has it.

    Raises:
        ConfigurationProblem: `library_missing`, with the reason that the dynamic linker gave.
    """
    path = _packaged() or _named() or SYSTEM_NAME
    try:
        # CDLL releases the interpreter lock around each call, so that other threads can run.
        return CDLL(path)
    except OSError as error:
        raise missing(
            f"The Tessera library cannot be loaded: {error}. Install it, or set {VARIABLE} to its "
            "absolute path."
        ) from error


def missing(message: str) -> ConfigurationProblem:
    """The error for a library that is not there or does not fit."""
    return ConfigurationProblem(message, {"code": "library_missing"})


def _packaged() -> str | None:
    # Without pathlib, whose import takes milliseconds.
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_lib", "libtessera.so")
    return path if os.path.exists(path) else None


def _named() -> str | None:
    path = None if sys.flags.ignore_environment else os.environ.get(VARIABLE)
    if path and not os.path.isabs(path):
        raise missing(f"{VARIABLE} must be an absolute path, not {path!r}.")
    return path or None
