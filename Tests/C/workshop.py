# SPDX-License-Identifier: MIT
"""The environment of the C tests: the staged installation, compilers, and the results of tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUTPUT = ROOT / "build/tests-c"
# The responses that the programs received.
RESPONSES = OUTPUT / "responses"
STAGE = ROOT / "build/stage"
# TESSERA_STAGE tests a library that is installed elsewhere.
PREFIX = Path(os.environ.get("TESSERA_STAGE", STAGE))
LIBRARY = PREFIX / "lib/libtessera.so"
# CC and CFLAGS build the programs with a sanitizer.
COMPILER = [os.environ.get("CC", "gcc"), *os.environ.get("CFLAGS", "").split()]
EXAMPLES = OUTPUT / f"examples-{COMPILER[0]}"
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
# Swift's metadata is reported as "possibly lost"; "definitely lost" memory is a leak.
VALGRIND = [
    "valgrind", "--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite",
    "--show-leak-kinds=definite", "--error-exitcode=99", f"--suppressions={HERE}/valgrind.supp",
]  # fmt: skip
ENVIRONMENT = {
    **os.environ,
    # Do not use the keyring and the key files of the user who runs the tests.
    "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    "XDG_STATE_HOME": str(OUTPUT / "state"),
    "PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig"),
    "LD_LIBRARY_PATH": str(PREFIX / "lib"),
    "TESSERA_RESPONSES": str(RESPONSES),
}


class Failed(Exception):
    """A test failed; the message contains the observed values."""


class Skipped(Exception):
    """A test cannot run here; the message is the reason."""


def run(*command: str | Path, timeout: float = 300, cwd: Path = ROOT) -> str:
    """Runs a command and returns its output; fails unless it ends with 0."""
    done = subprocess.run(
        [str(word) for word in command], env=ENVIRONMENT, cwd=cwd, timeout=timeout,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
    )  # fmt: skip
    if done.returncode != 0:
        raise Failed(f"{Path(command[0]).name} ended with {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def build_provider() -> None:
    """Builds the local provider, unless it exists."""
    if "TESSERA_PROVIDER" not in os.environ:
        run("scripts/build-release", "tessera-provider", timeout=1800)


def need(program: str) -> None:
    """Skips the test unless a program is installed."""
    if shutil.which(program) is None:
        raise Skipped(f"{program} is not installed")


def compiled(name: str, *more: str) -> Path:
    """Compiles a test program and links it with the flags of pkg-config."""
    flags = run("pkg-config", "--cflags", "--libs", "tessera", "jansson").split()
    program = OUTPUT / name
    sources = [HERE / f"{each}.c" for each in (name, "check", "silence")]
    run(*COMPILER, "-std=c99", *STRICT, "-g", "-pthread", "-o", program, *sources, *flags, *more)
    return program


def need_no_sanitizer(reason: str, name: str | None = None) -> None:
    """Skips the test if the library was built with a sanitizer, or with the named one."""
    found = os.environ.get("TESSERA_SANITIZER")
    if found is not None and name in (None, found):
        raise Skipped(f"{reason} with a sanitizer")
