# SPDX-License-Identifier: MIT
"""Runs the Swift blocks: they form one program, built once, with a function for each block."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

from blocks import Block, blocks
from home import HERE, Home
from settings import Setting, filled, setting

from examples import RELEASE, expect
from provider import ROOT

# The package of the examples is part of all release builds, so Tessera is not compiled again for the blocks.
PACKAGE = ROOT / "examples/swift"
SOURCES = PACKAGE / ".build/docs-blocks"


def run(block: Block, _text: str, _setting: Setting, home: Home) -> None:
    """Runs the function of a block."""
    built, problem = program()
    expect(not problem, problem)
    home.run([built, str(block.line), block.page])


def _check_manifest() -> None:
    """Fails unless the package of the examples depends on Tessera with the lines of README.md."""
    lines = re.findall(r"`(\.(?:package\(name|product)[^`]*)`", (ROOT / "README.md").read_text())
    expect(len(lines) == 2, f"README.md has these lines for Package.swift: {lines}")
    manifest = (PACKAGE / "Package.swift").read_text()
    for line in lines:
        own = line.replace("../tessera", "../..")
        expect(own in manifest, f"{PACKAGE}/Package.swift has no {own}, unlike README.md")


@lru_cache(maxsize=1)
def program() -> tuple[Path, str]:
    """Builds the program of all blocks once. Returns its path and the error of the build."""
    _check_manifest()
    shutil.rmtree(SOURCES, ignore_errors=True)
    SOURCES.mkdir(parents=True)
    found = [block for block in blocks() if block.language == "swift"]
    functions = {f"block{number}": block for number, block in enumerate(found, 1)}
    for name, block in functions.items():
        _write(SOURCES / f"{name}.swift", _function(name, block))
    rows = "".join(f'  "{block.line} {block.page}": {name},\n' for name, block in functions.items())
    _write(SOURCES / "main.swift", MAIN.replace("  ROWS\n", rows))
    shutil.copy(HERE / "AtHome.swift", SOURCES)
    return RELEASE / "docs-blocks", _build()


MAIN = """import Tessera

let functions: [String: @Sendable (PublicClientApplication) async throws -> Void] = [
  ROWS
]
let wanted = CommandLine.arguments.dropFirst().joined(separator: " ")
guard let function = functions[wanted] else { fatalError("there is no block \\(wanted)") }
try await function(PublicClientApplication(atHome("your-client-id")))
"""


def _write(path: Path, text: str) -> None:
    path.write_text(text)


def _function(name: str, block: Block) -> str:
    """Returns a block as a function with an application; imports come first, and lines keep their numbers."""
    given = setting(block.key)
    text = filled(block.text, given, {})
    imports = re.findall(r"(?m)^import \w+$", text)
    body = re.sub(r"(?m)^import \w+$", "", text)
    place = f'#sourceLocation(file: "{ROOT / block.page}", line: {block.line + 1})'
    first = sorted({"import Glibc", "import Tessera", *imports})
    return "\n".join(
        [*first, f"func {name}(_ application: PublicClientApplication) async throws {{",
         given.before, place, body, "#sourceLocation()", given.after, "}", ""]
    )  # fmt: skip


def _build() -> str:
    """Builds the program like all release products. Returns the errors, if any."""
    # The blocks may have changed since an earlier build of the same run.
    environment = {name: value for name, value in os.environ.items() if name != "TESSERA_RUN"}
    done = subprocess.run(
        [ROOT / "scripts/build-release", SOURCES.name], text=True, capture_output=True, check=False,
        env={**environment, "TESSERA_DOCS": "1"},
    )  # fmt: skip
    said = (done.stdout + done.stderr).splitlines()
    wrong = [line for line in said if re.search(r":\d+:\d+: error:", line)] or said[-5:]
    return "the Swift blocks cannot be built: " + "\n         ".join(wrong[:5]) if done.returncode else ""
