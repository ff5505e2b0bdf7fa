# SPDX-License-Identifier: MIT
"""The runtimes of the suite: how their drivers are built and started."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import examples_runtimes
import java
import node
import ruby
from building import LIBRARY, OUTPUT, Missing, is_current, need, run

from compiling import compiled
from examples import Mismatch, expect
from provider import ROOT

HERE = Path(__file__).resolve().parent
CPP = ROOT / "bindings/cpp"
CPP_STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT / 'include'}", f"-I{CPP / 'include'}")
SANITIZED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-g")


def _build_c() -> None:
    compiled(
        HERE / "C/driver.c", "-ljansson", "-lpthread", "-D_GNU_SOURCE", "-std=c11", to=OUTPUT / "driver-c",
        library=LIBRARY,
    )  # fmt: skip


def _build_cpp() -> None:
    """Compiles the headers in all dialects, the driver also with sanitizers, and runs the tests of the binding."""
    if is_current(OUTPUT / "driver-cpp-sanitized", CPP, HERE / "CPP", ROOT / "include"):
        return
    compilers = [each for each in ("g++", "clang++") if shutil.which(each)]
    linked = (LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}", "-pthread")
    headers = OUTPUT / "headers.cpp"
    headers.write_text("#include <tessera_azure.hpp>\nint main() { return 0; }\n")
    for compiler in compilers:
        for dialect in ("c++17", "c++20", "c++23"):
            run(compiler, f"-std={dialect}", *CPP_STRICT, f"-I{CPP / 'tests'}", "-fsyntax-only", headers)
    dialects: dict[str, tuple[str, ...]] = {"no-exceptions": ("-fno-exceptions",), "sanitized": SANITIZED}
    for name, options in dialects.items():
        program = OUTPUT / f"documents-{name}"
        run("g++", "-std=c++17", *CPP_STRICT, *options, CPP / "tests/documents.cpp", "-o", program, *linked)
        run(program)
    # With AddressSanitizer, a leak at the exit is a failure.
    drivers: dict[str, tuple[str, ...]] = {"driver-cpp": (), "driver-cpp-sanitized": SANITIZED}
    for name, options in drivers.items():
        run(
            "g++", "-std=c++20", "-O2", *CPP_STRICT, *options, f"-I{CPP / 'tests'}", HERE / "CPP/driver.cpp", "-o",
            OUTPUT / name, *linked,
        )  # fmt: skip


def _build_go() -> None:
    need("go", "gofmt")
    module = ROOT / "bindings/go"
    unformatted = subprocess.run(
        ["gofmt", "-l", module, HERE / "Go"], capture_output=True, text=True, check=True
    ).stdout
    if unformatted:
        raise Mismatch(f"gofmt would change {unformatted}")
    # The tool compiles only what has changed.
    for folder in (module, module / "oauth2", module / "azcore", HERE / "Go"):
        run("go", "vet", "./...", folder=folder, **GO)
    without_cgo = subprocess.run(
        ["go", "build", "."], cwd=module, env={**os.environ, **GO, "CGO_ENABLED": "0"}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    expect("tessera_requires_CGO_ENABLED_1" in without_cgo.stderr, f"without cgo: {without_cgo.stderr}")
    race = ("-race",) if os.environ.get("LONG") else ()
    for folder in (module, module / "azcore"):
        run("go", "test", *race, "./...", folder=folder, **GO, TESSERA_LIBRARY=str(LIBRARY))
    run("go", "build", "-o", OUTPUT / "driver-go", ".", folder=HERE / "Go", **GO)


def _build_rust() -> None:
    need("cargo")
    binding = ROOT / "bindings/rust"
    run("cargo", "test", "--quiet", "--offline", folder=binding, **RUST)
    run("cargo", "build", "--quiet", "--offline", "--release", folder=HERE / "Rust", **RUST)
    shutil.copy(OUTPUT / "cargo/release/driver-rust", OUTPUT / "driver-rust")


RUST = {
    "CARGO_TARGET_DIR": str(OUTPUT / "cargo"), "TESSERA_LIB_DIR": str(LIBRARY.parent),
    "LD_LIBRARY_PATH": str(LIBRARY.parent), "RUSTFLAGS": "-D warnings",
}  # fmt: skip
# Without a network: the workspace replaces the packages of the adapters by stubs.
GO = {
    "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "", "GOCACHE": str(OUTPUT / "go-cache"),
    "GOWORK": str(HERE / "Go/go.work"),
}  # fmt: skip


def _build_swift() -> None:
    need("swift")
    run("scripts/build-release", "driver-swift")
    shutil.copy(ROOT / "build/swift-release/release/driver-swift", OUTPUT / "driver-swift")


def _build_nothing() -> None:
    """The driver is a script."""


BUILDS: dict[str, Callable[[], None]] = {
    "c": _build_c, "cpp": _build_cpp, "cpp-asan": _build_cpp, "python": _build_nothing, "go": _build_go,
    "rust": _build_rust, "swift": _build_swift, "java": java.build, "node": node.build, "ruby": ruby.build,
    **examples_runtimes.BUILDS,
}  # fmt: skip
NAMES = tuple(BUILDS)
SANITIZED_NAMES = ("cpp-asan",)


def command(runtime: str) -> list[str]:
    """Returns the command that starts a driver."""
    if runtime == "python":
        return [sys.executable, str(HERE / "Python/driver.py")]
    commands = {"java": java.command(), "node": node.COMMAND, "ruby": ruby.command(), **examples_runtimes.COMMANDS}
    if runtime in commands:
        return commands[runtime]
    return [str(OUTPUT / {"cpp-asan": "driver-cpp-sanitized"}.get(runtime, f"driver-{runtime}"))]


def environment(home: Path) -> dict[str, str]:
    """Returns the environment of the drivers, without the user's keyring."""
    return {
        **os.environ,
        "HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "XDG_DATA_HOME": str(home / "data"),
        "DBUS_SESSION_BUS_ADDRESS": "disabled:", "TESSERA_LIBRARY": str(LIBRARY),
        "LD_LIBRARY_PATH": str(LIBRARY.parent), "PYTHONPATH": str(ROOT / "bindings/python/src"),
        "ASAN_OPTIONS": "detect_leaks=1",
    }  # fmt: skip


def prepare(names: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Builds the drivers of some runtimes. Returns the ones without tools, with the reasons, and the others."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    missing: dict[str, str] = {}
    for name in names:
        try:
            BUILDS[name]()
        except Missing as reason:
            missing[name] = str(reason)
    return missing, [name for name in names if name not in missing]
