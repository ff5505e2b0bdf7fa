#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands in for make in the pages: checks that the Makefile has the targets and that the variables are read.

usage: targets.py [VARIABLE=VALUE | TARGET]...
"""

from __future__ import annotations

import re
import subprocess
import sys

from provider import ROOT


def is_read(variable: str) -> bool:
    """Whether the Makefile or a script that it starts reads a variable."""
    places = ("Makefile", "scripts", "Tests", "Benchmarks", "WebView", ":!Tests/Docs")
    found = subprocess.run(["git", "grep", "-qw", variable, "--", *places], cwd=ROOT, check=False)
    return found.returncode == 0


def problem(word: str, makefile: str) -> str:
    """Returns the error in an argument; empty if there is none."""
    variable, equals, _ = word.partition("=")
    if equals:
        return "" if is_read(variable) else f"nothing reads {variable}"
    return "" if re.search(rf"(?m)^{re.escape(word)}:", makefile) else f"there is no target {word}"


if __name__ == "__main__":
    text = (ROOT / "Makefile").read_text()
    sys.exit("; ".join(filter(None, (problem(word, text) for word in sys.argv[1:]))) or 0)
