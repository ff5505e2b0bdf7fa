# SPDX-License-Identifier: MIT
"""The runtimes that have an example in place of a binding: how their drivers are built and started."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from building import LIBRARY, OUTPUT, need, run

from provider import ROOT

HERE = Path(__file__).resolve().parent
EXAMPLES = ROOT / "examples"
LUA = EXAMPLES / "lua"
NATIVE = OUTPUT / "lua/tessera_native.so"


def _build_luajit() -> None:
    need("luajit", "pkg-config")


def _build_lua() -> None:
    """Compiles the module in C."""
    need("lua5.4", "gcc")
    NATIVE.parent.mkdir(parents=True, exist_ok=True)
    run("gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", "-I/usr/include/lua5.4",
        LUA / "tessera_native.c", "-o", NATIVE, LIBRARY)  # fmt: skip


BUILDS: dict[str, Callable[[], None]] = {"luajit": _build_luajit, "lua": _build_lua}
HEAVY: dict[str, Callable[[], None]] = {}
_LUA_PATHS = (f"LUA_PATH={LUA}/?.lua;;", f"LUA_CPATH={NATIVE.parent}/?.so;;")
COMMANDS: dict[str, list[str]] = {
    "luajit": ["env", *_LUA_PATHS, "luajit", str(HERE / "Lua/driver.lua")],
    "lua": ["env", *_LUA_PATHS, "lua5.4", str(HERE / "Lua/driver.lua")],
}
if os.environ.get("LONG"):
    BUILDS |= HEAVY
