# SPDX-License-Identifier: MIT
"""The runtimes that have an example in place of a binding: how their drivers are built and started."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from building import LIBRARY, OUTPUT, Missing, run

from provider import ROOT

HERE = Path(__file__).resolve().parent
EXAMPLES = ROOT / "examples"
LUA = EXAMPLES / "lua"
NATIVE = OUTPUT / "lua/tessera_native.so"


def _needs(package: str, *check: str) -> None:
    """Raises Missing unless a command runs, which needs a package of Debian."""
    try:
        found = subprocess.run(check, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        found = False
    if not found:
        raise Missing(f"the package {package} is not installed")


def _build_luajit() -> None:
    _needs("luajit", "luajit", "-v")
    _needs("lua-cjson", "luajit", "-lcjson", "-e", "")


def _build_lua() -> None:
    """Compiles the module in C."""
    _needs("lua5.4", "lua5.4", "-v")
    _needs("lua-cjson", "lua5.4", "-lcjson", "-e", "")
    _needs("liblua5.4-dev", "pkg-config", "--exists", "lua5.4")
    NATIVE.parent.mkdir(parents=True, exist_ok=True)
    run("gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", "-I/usr/include/lua5.4",
        LUA / "tessera_native.c", "-o", NATIVE, LIBRARY)  # fmt: skip


def _build_perl() -> None:
    _needs("libffi-platypus-perl", "perl", "-MFFI::Platypus", "-e", "")
    _needs("libjson-xs-perl", "perl", "-MJSON::XS", "-e", "")


def _build_php() -> None:
    _needs("php-cli", "php", "-r", "exit(extension_loaded('ffi') && extension_loaded('pcntl') ? 0 : 1);")


BUILDS: dict[str, Callable[[], None]] = {
    "luajit": _build_luajit, "lua": _build_lua, "perl": _build_perl, "php": _build_php,
}  # fmt: skip
HEAVY: dict[str, Callable[[], None]] = {}
_LUA_PATHS = (f"LUA_PATH={LUA}/?.lua;;", f"LUA_CPATH={NATIVE.parent}/?.so;;")
COMMANDS: dict[str, list[str]] = {
    "luajit": ["env", *_LUA_PATHS, "luajit", str(HERE / "Lua/driver.lua")],
    "lua": ["env", *_LUA_PATHS, "lua5.4", str(HERE / "Lua/driver.lua")],
    "perl": ["perl", f"-I{EXAMPLES / 'perl'}", str(HERE / "Perl/driver.pl")],
    "php": ["php", "-d", "ffi.enable=1", str(HERE / "PHP/driver.php")],
}
if os.environ.get("LONG"):
    BUILDS |= HEAVY
