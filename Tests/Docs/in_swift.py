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

PACKAGE = ROOT / "build/docs-blocks"
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "docs-blocks", platforms: [.macOS(.v15)], dependencies: [DEPENDENCY],
  targets: [
    .executableTarget(
      name: "docs-blocks",
      dependencies: [PRODUCT, .product(name: "TesseraTesting", package: "Tessera")])
  ])
"""


def run(block: Block, _text: str, _setting: Setting, home: Home) -> None:
    """Runs the function of a block."""
    built, problem = program()
    expect(not problem, problem)
    home.run([built, str(block.line), block.page])


def _manifest() -> str:
    """Returns a manifest with the two lines of README.md and the actual name of the package folder."""
    lines = re.findall(r"`(\.(?:package\(name|product)[^`]*)`", (ROOT / "README.md").read_text())
    expect(len(lines) == 2, f"README.md has these lines for Package.swift: {lines}")
    dependency = re.sub(r'path: "[^"]*"', 'path: "../.."', lines[0])
    return MANIFEST.replace("DEPENDENCY", dependency).replace("PRODUCT", lines[1])


@lru_cache(maxsize=1)
def program() -> tuple[Path, str]:
    """Builds the program of all blocks once. Returns its path and the error of the build."""
    sources = PACKAGE / "Sources/docs-blocks"
    shutil.rmtree(sources, ignore_errors=True)
    sources.mkdir(parents=True)
    found = [block for block in blocks() if block.language == "swift"]
    functions = {f"block{number}": block for number, block in enumerate(found, 1)}
    for name, block in functions.items():
        _write(sources / f"{name}.swift", _function(name, block))
    rows = "".join(f'  "{block.line} {block.page}": {name},\n' for name, block in functions.items())
    _write(sources / "main.swift", MAIN.replace("  ROWS\n", rows))
    shutil.copy(HERE / "AtHome.swift", sources)
    _write(PACKAGE / "Package.swift", _manifest())
    shutil.copy(ROOT / "examples/swift/Package.resolved", PACKAGE)
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
    """Builds the package in the folder of the release products, to reuse them. Returns the errors, if any."""
    done = subprocess.run(
        ["swift", "build", "-c", "release", "--package-path", PACKAGE, "--scratch-path", RELEASE.parent,
         "--product", PACKAGE.name, "--disable-build-manifest-caching", "--disable-local-rpath",
         "-Xswiftc", "-static-stdlib", "-Xswiftc", "-use-ld=lld"],
        text=True, capture_output=True, check=False, env=os.environ,
    )  # fmt: skip
    # The stored build plan belongs to this package; the next build needs another one.
    (RELEASE.parent / "release.yaml").unlink(missing_ok=True)
    said = (done.stdout + done.stderr).splitlines()
    wrong = [line for line in said if re.search(r":\d+:\d+: error:", line)] or said[-5:]
    return "the Swift blocks cannot be built: " + "\n         ".join(wrong[:5]) if done.returncode else ""

