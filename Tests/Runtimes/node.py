# SPDX-License-Identifier: MIT
"""The runtime of Node.js: the package with its addon, and the driver."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from building import LIBRARY, OUTPUT, Missing, is_current, need, run

from examples import expect
from provider import ROOT

HERE = Path(__file__).resolve().parent
PACKAGE = ROOT / "bindings/node"
FOLDER = OUTPUT / "node"
MODULES = FOLDER / "node_modules"
STRICT = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-Wl,-z,nodelete")
COMMAND = ["node", "--expose-gc", str(FOLDER / "driver.mjs")]


def headers() -> Path:
    """Returns the folder of the headers of Node.js."""
    executable = shutil.which("node")
    if executable is None:
        raise Missing("node is not installed")
    prefix = Path(executable).resolve().parent.parent
    for folder in (prefix / "include/node", prefix / "include/nodejs/src", prefix / "include/nodejs"):
        if (folder / "node_api.h").exists():
            return folder
    raise Missing("the headers of Node.js are not installed")


def installed(modules: Path) -> None:
    """Installs the files of the package with the addon, as npm does, into a folder of modules."""
    folder = modules / "tessera-identity"
    addon = folder / "build/Release/tessera.node"
    shutil.rmtree(folder, ignore_errors=True)
    addon.parent.mkdir(parents=True)
    for pattern in json.loads((PACKAGE / "package.json").read_text())["files"]:
        for file in PACKAGE.glob(pattern):
            shutil.copy(file, folder)
    shutil.copy(PACKAGE / "package.json", folder)
    run("gcc", *STRICT, f"-I{headers()}", PACKAGE / "addon.c", "-o", addon)


def build() -> None:
    """Builds the addon, checks the scripts and the types, and runs the tests of the package."""
    need("gcc")
    headers()
    if is_current(FOLDER / "tested", PACKAGE, HERE / "Node", Path(__file__)):
        return
    for script in (*PACKAGE.rglob("*.js"), *PACKAGE.rglob("*.mjs"), HERE / "Node/driver.mjs"):
        run("node", "--check", script)
    installed(MODULES)
    shutil.copytree(HERE / "Node/stubs/core-auth", MODULES / "@azure/core-auth", dirs_exist_ok=True)
    shutil.copytree(PACKAGE / "tests", FOLDER / "tests", dirs_exist_ok=True)
    for file in ("driver.mjs", "types.mts"):
        shutil.copy(HERE / "Node" / file, FOLDER)
    if shutil.which("tsc"):
        options = ("--strict", "--noEmit", "--module", "node16", "--lib", "es2022,dom")
        run("tsc", *options, "types.mts", folder=FOLDER)
    names = sorted(str(each) for each in (FOLDER / "tests").glob("*.mjs"))
    run("node", "--expose-gc", "--test", *names, folder=FOLDER, TESSERA_LIBRARY=str(LIBRARY))
    version = subprocess.run(
        [ROOT / "scripts/version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    stated = json.loads((PACKAGE / "package.json").read_text())["version"]
    expect(stated == version, f"the package has the version {stated}, not {version}")
    (FOLDER / "tested").touch()
