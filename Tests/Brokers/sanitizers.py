# SPDX-License-Identifier: MIT
"""The runtime of a sanitizer, which a Python process must preload to load a library that is built with it."""

from __future__ import annotations

import os
import sys

RUNTIME = os.environ.get("TESSERA_SANITIZER_RUNTIME")
OPTIONS = ("ASAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE")
"""The variables that programs with a sanitizer need."""


def preloaded() -> dict[str, str]:
    """Returns the variable that makes a new Python process preload the runtime; empty without a sanitizer."""
    return {"LD_PRELOAD": RUNTIME} if RUNTIME else {}


def preload() -> None:
    """Starts this process again with the runtime preloaded, unless it is or there is none.

    The programs that it starts do not inherit the runtime, because they have their own.
    """
    if RUNTIME and "LD_PRELOAD" not in os.environ:
        os.execve(sys.executable, sys.orig_argv, os.environ | preloaded())  # noqa: S606 - the same program
    os.environ.pop("LD_PRELOAD", None)
