# SPDX-License-Identifier: MIT
"""Builds the wheel, which contains the shared library and the programs, with the platform tag of the machine.

TESSERA_WHEEL_LIBRARY is the path of the libtessera.so to include. Without it, the wheel contains Python files
only, is valid for every platform and uses the library that is installed on the system. TESSERA_WHEEL_PROGRAMS is
the folder of `tessera` and `tessera-provider`, TESSERA_WHEEL_SHARE that of their manual pages and completions,
and TESSERA_WHEEL_PLATFORM the platform tag of the wheel.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

LIBRARY = os.environ.get("TESSERA_WHEEL_LIBRARY")
PROGRAMS = os.environ.get("TESSERA_WHEEL_PROGRAMS")
SHARE = os.environ.get("TESSERA_WHEEL_SHARE")
PLATFORM = os.environ.get("TESSERA_WHEEL_PLATFORM")


class BuildWithLibrary(build_py):
    """Copies the library and the programs into the built package, never into the source tree."""

    def run(self) -> None:
        """Builds the package, then adds the library and the programs."""
        super().run()
        if LIBRARY:
            shutil.copyfile(LIBRARY, self._folder("_lib") / "libtessera.so")
        if PROGRAMS:
            for name in ("tessera", "tessera-provider"):
                # The wheel keeps the mode.
                shutil.copy(Path(PROGRAMS, name), self._folder("_bin") / name)

    def _folder(self, name: str) -> Path:
        folder = Path(self.build_lib, "tessera_identity", name)
        folder.mkdir(parents=True, exist_ok=True)
        return folder


class WheelForMachine(bdist_wheel):
    """A wheel for any Python 3 without a Python ABI, and for this platform only if it contains machine code."""

    def get_tag(self) -> tuple[str, str, str]:
        """Returns the tag. ctypes needs no Python ABI, so one wheel is valid for every Python 3."""
        return ("py3", "none", PLATFORM or super().get_tag()[2])


class Package(Distribution):
    """The distribution, which is platform-specific if it contains the library or the programs."""

    def has_ext_modules(self) -> bool:
        """Whether the package contains machine code: selects platlib instead of purelib."""
        return bool(LIBRARY or PROGRAMS)


def shared_files() -> list[tuple[str, list[str]]]:
    """Returns the files of the programs for the folder `share` of the environment."""
    if not SHARE:
        return []
    # The page of the C interface is not part of the wheel.
    files = [each for each in sorted(Path(SHARE).rglob("*")) if each.is_file() and each.suffix != ".3"]
    return [(f"share/{path.parent.relative_to(SHARE)}", [str(path)]) for path in files]


setup(
    distclass=Package,
    data_files=shared_files(),
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": WheelForMachine},
)
