# SPDX-License-Identifier: MIT
"""The search for the shared library, in an order that an attacker cannot influence.

1. `_lib/libtessera.so` inside this package: a wheel is self-contained. An attacker with write access to this file
   could also change the Python files next to it.
2. TESSERA_LIBRARY, an absolute path, for builds that are not installed. A relative path is rejected, because it
   would depend on the working directory. The Python options -E and -I ignore the variable.
3. `libtessera.so.1`, found by the dynamic linker, which does not search the working directory.

The first one that exists is used. If it cannot be loaded, the search does not continue.
"""

from __future__ import annotations

import os
import sys
from ctypes import CDLL

from ._errors import ConfigurationError

ABI_VERSION = 1
"""TESSERA_ABI_VERSION of the header with the same declarations."""

SYSTEM_NAME = f"libtessera.so.{ABI_VERSION}"
"""The SONAME under which the library is installed on the system."""

VARIABLE = "TESSERA_LIBRARY"
"""The environment variable with the path of a library that is not installed."""


def open_library() -> CDLL:
    """Loads the library.

    Raises:
        ConfigurationError: `library_missing`, with the reason from the dynamic linker.
    """
    path = _packaged_path() or _environment_path() or SYSTEM_NAME
    try:
        # CDLL releases the interpreter lock during each call, so that other threads can run.
        return CDLL(path)
    except OSError as error:
        raise missing_library(
            f"The Tessera library cannot be loaded: {error}. Install it, or set {VARIABLE} to its "
            "absolute path."
        ) from error


def missing_library(message: str) -> ConfigurationError:
    """Returns the error for a library that is not installed or not compatible."""
    return ConfigurationError(message, {"code": "library_missing"})


def _packaged_path() -> str | None:
    # pathlib would add milliseconds to the start time.
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_lib", "libtessera.so")
    return path if os.path.exists(path) else None


def _environment_path() -> str | None:
    path = None if sys.flags.ignore_environment else os.environ.get(VARIABLE)
    if path and not os.path.isabs(path):
        raise missing_library(f"{VARIABLE} must be an absolute path, not {path!r}.")
    return path or None
