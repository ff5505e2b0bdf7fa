# SPDX-License-Identifier: MIT
"""The build of the wheel: put the shared library inside, and tag the wheel with the machine.

TESSERA_WHEEL_LIBRARY names the libtessera.so to put in. Without it the wheel holds Python alone, fits
every machine and uses the library that the system has installed.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

LIBRARY = os.environ.get("TESSERA_WHEEL_LIBRARY")


class BuildWithLibrary(build_py):
    """Copies the library into the built package, never into the source tree."""

    def run(self) -> None:
        """Build as usual, then add the library."""
        super().run()
        if LIBRARY:
            folder = Path(self.build_lib, "tessera", "_lib")
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(LIBRARY, folder / "libtessera.so")


class WheelForMachine(bdist_wheel):
    """Tags the wheel: any Python 3, no Python ABI, and this machine if the library is inside."""

    def get_tag(self) -> tuple[str, str, str]:
        """The tag; ctypes needs no Python ABI, so one wheel serves every Python 3."""
        return ("py3", "none", super().get_tag()[2])


class Package(Distribution):
    """The package, which belongs to one kind of machine if the library is inside."""

    def has_ext_modules(self) -> bool:
        """Whether there is machine code, which decides between purelib and platlib."""
        return bool(LIBRARY)


setup(distclass=Package, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": WheelForMachine})
