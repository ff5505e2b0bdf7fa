# SPDX-License-Identifier: MIT
"""The packages and products that a Swift package gets from Tessera. Compiles nothing."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from examples import expect
from provider import ROOT

# swift-asn1 is a dependency of swift-crypto.
PACKAGES = {"Tessera", "swift-crypto", "swift-asn1"}
PRODUCTS = {"Tessera", "TesseraTesting", "tessera-c"}


def _described(*command: str | Path) -> dict[str, Any]:
    """Returns the document that a command of `swift package` prints."""
    done = subprocess.run(["swift", "package", *command], cwd=ROOT, text=True, capture_output=True, check=False)
    expect(done.returncode == 0, f"swift package {' '.join(map(str, command))} failed: {done.stderr}")
    return dict(json.loads(done.stdout))


def _dependencies(package: dict[str, Any]) -> Iterator[str]:
    """Yields the names of all dependencies of a package, including transitive ones."""
    for dependency in package["dependencies"]:
        yield dependency["name"]
        yield from _dependencies(dependency)


def resolved_packages() -> None:
    """A package that depends on Tessera resolves only swift-crypto and its dependency."""
    # A separate build directory, because the release builds have another root package.
    tree = _described(
        "--package-path", "examples/swift", "--scratch-path", ROOT / "build/swift-examples",
        "show-dependencies", "--format", "json",
    )  # fmt: skip
    found = set(_dependencies(tree))
    expect(found == PACKAGES, f"the package of the examples resolves {sorted(found)}")


def offered_products() -> None:
    """The package of Tessera offers its libraries, and no program."""
    found = {product["name"] for product in _described("dump-package")["products"]}
    expect(found == PRODUCTS, f"the products are {sorted(found)}")


def platforms() -> None:
    """The platforms of the package are the newest ones in the table of its interfaces."""
    page = (ROOT / "docs/architecture.md").read_text()
    rows = re.findall(r"(?m)^\|.*\| ([\d.]+) \| ([\d.]+) \|$", page)
    expect(len(rows) > 0, "docs/architecture.md has no table of interfaces")
    newest = [max(column, key=_numbers) for column in zip(*rows)]
    manifest = _described("dump-package")["platforms"]
    found = {platform["platformName"]: platform["version"] for platform in manifest}
    expect(_numbers(found["macos"]) == _numbers(newest[0]), f"the minimum of macOS is {found['macos']}")
    expect(_numbers(found["ios"]) == _numbers(newest[1]), f"the minimum of iOS is {found['ios']}")


def _numbers(version: str) -> tuple[int, int]:
    """Returns the major and the minor number of a version."""
    major, _, minor = version.partition(".")
    return int(major), int(minor or 0)


TESTS = [resolved_packages, offered_products, platforms]
