# SPDX-License-Identifier: MIT
"""The build of the Ruby binding and of its gem, and the start of its driver."""

from __future__ import annotations

from pathlib import Path

from building import LIBRARY, OUTPUT, is_current, need, run

from provider import ROOT

BINDING = ROOT / "bindings/ruby"
EXTENSION = OUTPUT / "ruby"
DRIVER = Path(__file__).resolve().parent / "Ruby/driver.rb"


def options() -> list[str]:
    """Returns the options of Ruby for programs with the binding."""
    return [f"-I{EXTENSION}", f"-I{BINDING / 'lib'}", "-W:no-experimental"]


def build() -> None:
    """Compiles the extension, builds the gem, and runs the tests of the binding."""
    need("ruby", "gem", "make", "cc")
    compile_extension()
    if is_current(EXTENSION / "tested", BINDING):
        return
    run("gem", "build", "--strict", "--output", EXTENSION / "tessera.gem", "tessera.gemspec", folder=BINDING)
    for test in sorted((BINDING / "test").glob("*_test.rb")):
        run("ruby", "-w", *options(), test, TESSERA_LIBRARY=str(LIBRARY))
    (EXTENSION / "tested").touch()


def compile_extension() -> None:
    """Compiles the extension."""
    folder = EXTENSION / "tessera"
    folder.mkdir(parents=True, exist_ok=True)
    if not is_current(folder / "native.so", BINDING / "ext"):
        run("ruby", BINDING / "ext/tessera/extconf.rb", folder=folder)
        flags = "-O2 -g -fPIC -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror"
        run("make", "--silent", f"CFLAGS={flags}", folder=folder)


def command() -> list[str]:
    """Returns the command that starts the driver."""
    return ["ruby", *options(), str(DRIVER)]
