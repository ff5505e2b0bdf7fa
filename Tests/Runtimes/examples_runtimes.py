# SPDX-License-Identifier: MIT
"""The runtimes with an example in place of a binding: how the example and its driver are built and started."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from building import LIBRARY, OUTPUT, Missing, is_current, run

from examples import Mismatch
from provider import ROOT

HERE = Path(__file__).resolve().parent
EXAMPLES = ROOT / "examples"
TOOLS = OUTPUT / "tools"
STRICT_C = ("gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}")


@dataclass(frozen=True)
class Runtime:
    """A runtime with an example."""

    build: Callable[[], None]
    """Compiles the example and the driver. Raises Missing if a tool is not installed."""
    example: list[str]
    """The command of the example, without its arguments."""
    driver: list[str]
    """The command of the driver."""
    is_heavy: bool = False
    """Whether the toolchain is large, so that only LONG=1 tests the example."""


def _needs(package: str, *check: str | Path) -> None:
    """Raises Missing unless a command runs, which needs a package of Debian."""
    try:
        found = subprocess.run(check, capture_output=True, check=False, timeout=60).returncode == 0
    except FileNotFoundError:
        found = False
    if not found:
        raise Missing(f"the package {package} is not installed")


def _folder(name: str) -> Path:
    """Returns the folder of the compiled files of an example."""
    folder = OUTPUT / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _from_pypi(package: str) -> Path:
    """Returns the folder of a toolchain of PyPI, which it installs at the first use."""
    python = TOOLS / "bin/python"
    wanted = HERE / "requirements.txt"
    if not python.exists() or not is_current(TOOLS / "installed", wanted):
        try:
            run(sys.executable, "-m", "venv", TOOLS)
            run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "-r", wanted)
        except Mismatch as problem:
            raise Missing(f"the package {package} of PyPI cannot be installed") from problem
        (TOOLS / "installed").touch()
    return next(TOOLS.glob(f"lib/python3*/site-packages/{package}"))


def _build_luajit() -> None:
    _needs("luajit", "luajit", "-v")
    _needs("lua-cjson", "luajit", "-lcjson", "-e", "")


def _build_lua() -> None:
    """Compiles the module in C."""
    _needs("lua5.4", "lua5.4", "-v")
    _needs("lua-cjson", "lua5.4", "-lcjson", "-e", "")
    _needs("liblua5.4-dev", "pkg-config", "--exists", "lua5.4")
    module = _folder("lua") / "tessera_native.so"
    run(*STRICT_C, "-I/usr/include/lua5.4", EXAMPLES / "lua/tessera_native.c", "-o", module, LIBRARY)


def _build_perl() -> None:
    _needs("libffi-platypus-perl", "perl", "-MFFI::Platypus", "-e", "")
    _needs("libjson-xs-perl", "perl", "-MJSON::XS", "-e", "")


def _build_php() -> None:
    _needs("php-cli", "php", "-r", "exit(extension_loaded('ffi') && extension_loaded('pcntl') ? 0 : 1);")


def _build_r() -> None:
    """Compiles the functions in C."""
    _needs("r-base-core", "Rscript", "--version")
    _needs("r-cran-jsonlite", "Rscript", "-e", "library(jsonlite)")
    module = _folder("r") / "tessera.so"
    if is_current(module, EXAMPLES / "r"):
        return
    flags = subprocess.run(["R", "CMD", "config", "--cppflags"], capture_output=True, text=True, check=True)
    run(*STRICT_C, *flags.stdout.split(), EXAMPLES / "r/tessera.c", "-o", module, LIBRARY)


def _build_ocaml() -> None:
    _needs("ocaml-findlib", "ocamlfind", "ocamlopt", "-version")
    for package, name in (("libctypes-ocaml-dev", "ctypes.foreign"), ("libyojson-ocaml-dev", "yojson")):
        _needs(package, "ocamlfind", "query", name)
    folder = _folder("ocaml")
    if is_current(folder / "driver", EXAMPLES / "ocaml", HERE / "OCaml"):
        return
    # The compiler writes its files next to the sources.
    for source in (*EXAMPLES.glob("ocaml/*.ml"), HERE / "OCaml/driver.ml"):
        (folder / source.name).write_text(source.read_text())
    for name in ("example", "driver"):
        run(
            "ocamlfind", "ocamlopt", "-thread", "-package", "ctypes.foreign,yojson,threads.posix", "-linkpkg",
            "-w", "+a-4-42-70", "-warn-error", "+a", "tessera.ml", f"{name}.ml", "-o", name, folder=folder,
        )  # fmt: skip


def _build_haskell() -> None:
    _needs("ghc", "ghc", "--version")
    _needs("libghc-aeson-dev", "ghc-pkg", "describe", "aeson")
    folder = _folder("haskell")
    if is_current(folder / "driver", EXAMPLES / "haskell", HERE / "Haskell"):
        return
    for name, source in (("example", EXAMPLES / "haskell/Example.hs"), ("driver", HERE / "Haskell/Driver.hs")):
        run(
            "ghc", "-O", "-Wall", "-Werror", "-threaded", f"-i{EXAMPLES / 'haskell'}", "-outputdir",
            folder / f"{name}.o", source, "-o", folder / name, f"-L{LIBRARY.parent}", "-ltessera",
        )  # fmt: skip


def _build_zig() -> None:
    folder = _folder("zig")
    if is_current(folder / "driver", EXAMPLES / "zig", HERE / "Zig"):
        return
    linked = ("-lc", f"-L{LIBRARY.parent}", "-ltessera", "-rpath", LIBRARY.parent)
    program, module = EXAMPLES / "zig/example.zig", EXAMPLES / "zig/tessera.zig"
    driver = ("--dep", "tessera", f"-Mroot={HERE / 'Zig/driver.zig'}", f"-Mtessera={module}")
    for name, sources in (("example", (program,)), ("driver", driver)):
        run(
            shutil.which("zig") or _from_pypi("ziglang") / "zig", "build-exe", *sources, *linked,
            f"-femit-bin={folder / name}", ZIG_GLOBAL_CACHE_DIR=str(folder / "cache"),
            ZIG_LOCAL_CACHE_DIR=str(folder / "cache"),
        )  # fmt: skip


def _build_dotnet() -> None:
    """Compiles with the compiler of Mono for the runtime of Microsoft."""
    _needs("mono-mcs", "mcs", "--version")
    folder, runtime = _folder("dotnet"), _from_pypi("dotnetcore2") / "bin"
    if is_current(folder / "driver.dll", EXAMPLES / "dotnet", HERE / "DotNet"):
        return
    (runtime / "dotnet").chmod(0o755)
    references = [f"-r:{each}" for each in runtime.glob("shared/Microsoft.NETCore.App/*/System*.dll")]
    settings = (EXAMPLES / "dotnet/example.runtimeconfig.json").read_text()
    for name, source in (("example", EXAMPLES / "dotnet/Example.cs"), ("driver", HERE / "DotNet/Driver.cs")):
        run(
            "mcs", "-nostdlib", "-noconfig", "-warnaserror", "-langversion:7.2", *references,
            EXAMPLES / "dotnet/Tessera.cs", source, f"-out:{folder / name}.dll",
        )  # fmt: skip
        (folder / f"{name}.runtimeconfig.json").write_text(settings)


_DOTNET = str(TOOLS / f"lib/python3.{sys.version_info.minor}/site-packages/dotnetcore2/bin/dotnet")
_LUA_PATHS = ("env", f"LUA_PATH={EXAMPLES / 'lua'}/?.lua;;", f"LUA_CPATH={OUTPUT / 'lua'}/?.so;;")
_PERL = ("perl", f"-I{EXAMPLES / 'perl'}")
_R = (str(OUTPUT / "r/tessera.so"), str(EXAMPLES / "r/tessera.R"))
RUNTIMES: dict[str, Runtime] = {
    "luajit": Runtime(
        _build_luajit, [*_LUA_PATHS, "luajit", str(EXAMPLES / "lua/example.lua")],
        [*_LUA_PATHS, "luajit", str(HERE / "Lua/driver.lua")],
    ),
    "lua": Runtime(
        _build_lua, [*_LUA_PATHS, "lua5.4", str(EXAMPLES / "lua/example.lua")],
        [*_LUA_PATHS, "lua5.4", str(HERE / "Lua/driver.lua")],
    ),
    "perl": Runtime(
        _build_perl, [*_PERL, str(EXAMPLES / "perl/example.pl")], [*_PERL, str(HERE / "Perl/driver.pl")]
    ),
    "php": Runtime(_build_php, ["php", str(EXAMPLES / "php/example.php")], ["php", str(HERE / "PHP/driver.php")]),
    "r": Runtime(
        _build_r, ["env", f"TESSERA_R={_R[0]}", "Rscript", str(EXAMPLES / "r/example.R")],
        ["Rscript", str(HERE / "R/driver.R"), *_R], is_heavy=True,
    ),
    "ocaml": Runtime(_build_ocaml, [str(OUTPUT / "ocaml/example")], [str(OUTPUT / "ocaml/driver")], is_heavy=True),
    "haskell": Runtime(
        _build_haskell, [str(OUTPUT / "haskell/example")], [str(OUTPUT / "haskell/driver")], is_heavy=True
    ),
    "zig": Runtime(_build_zig, [str(OUTPUT / "zig/example")], [str(OUTPUT / "zig/driver")], is_heavy=True),
    "dotnet": Runtime(
        _build_dotnet, [_DOTNET, str(OUTPUT / "dotnet/example.dll")],
        # The youngest generation may grow to the size of the processor's cache, which hides a leak: 4 MB.
        ["env", "COMPlus_GCgen0size=400000", _DOTNET, str(OUTPUT / "dotnet/driver.dll")], is_heavy=True,
    ),
}  # fmt: skip
LONG = bool(os.environ.get("LONG"))
SELECTED = {name: each for name, each in RUNTIMES.items() if LONG or not each.is_heavy}
"""The examples to test."""
BUILDS = {name: each.build for name, each in RUNTIMES.items() if LONG}
"""The builds of the drivers. Without LONG=1, only the bindings run the cases."""
COMMANDS = {name: each.driver for name, each in RUNTIMES.items()}
