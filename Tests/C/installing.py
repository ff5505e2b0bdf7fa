# SPDX-License-Identifier: MIT
"""An installation, used to build and start programs."""

from __future__ import annotations

import os
import shutil
import subprocess

from workshop import (
    HERE,
    OUTPUT,
    PREFIX,
    ROOT,
    Failed,
    Skipped,
    compiled,
    need,
    need_no_sanitizer,
    run,
)


def is_found_by_pkg_config() -> None:
    """pkg-config reports the version of the header."""
    version = run(ROOT / "scripts/version").strip()
    found = run("pkg-config", "--modversion", "tessera").strip()
    if found != version:
        raise Failed(f"pkg-config reports {found}, the header {version}")


def is_found_by_cmake() -> None:
    """A CMake project finds the package, and its program starts."""
    need_no_sanitizer("no CMake files are made")
    need("cmake")
    project = OUTPUT / "cmake"
    shutil.rmtree(project, ignore_errors=True)
    project.mkdir()
    version = run(ROOT / "scripts/version").strip()
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(consumer C)\n"
        f"find_package(tessera {version} REQUIRED CONFIG)\n"
        f"add_executable(consumer {HERE / 'headertest.c'})\n"
        "target_link_libraries(consumer PRIVATE Tessera::tessera)\n"
    )
    run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={PREFIX}")
    run("cmake", "--build", project / "build")
    run(project / "build/consumer")


def starts_after_an_installation() -> None:
    """A program finds the library in the dynamic linker's default folder after an installation as root."""
    need("unshare")
    need_no_sanitizer("what runs the installation has none, and loads no library")
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], check=False).returncode != 0:
        raise Skipped("only root can give this test an /etc of its own")
    linker = OUTPUT / "linker"
    shutil.rmtree(linker, ignore_errors=True)
    shell = """
      mkdir "$1" && cp -a /etc/ld.so.conf* "$1" && echo "$1/prefix/lib" >>"$1/ld.so.conf"
      mount --bind "$1" /etc
      unset LD_LIBRARY_PATH
      scripts/install "$1/prefix" library
      exec "$2"
    """
    run("unshare", "--mount", "sh", "-euc", shell, "sh", linker, compiled("versions"))
