#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands for make where pages call it: whether the Makefile has the targets, and something reads the variables.

usage: targets.py [VARIABLE=VALUE | TARGET]...
"""

from __future__ import annotations

import re
import subprocess
import sys

from provider import ROOT


def is_read(variable: str) -> bool:
    """Whether the Makefile, or what it starts, reads a variable."""
    places = ("Makefile", "scripts", "Tests", "Benchmarks", "WebView", ":!Tests/Docs")
    found = subprocess.run(["git", "grep", "-qw", variable, "--", *places], cwd=ROOT, check=False)
    return found.returncode == 0


def problem(word: str, makefile: str) -> str:
    """What is wrong with a word of the command line; empty if nothing is."""
    variable, equals, _ = word.partition("=")
    if equals:
        return "" if is_read(variable) else f"nothing reads {variable}"
    return "" if re.search(rf"(?m)^{re.escape(word)}:", makefile) else f"there is no target {word}"


if __name__ == "__main__":
    text = (ROOT / "Makefile").read_text()
    sys.exit("; ".join(filter(None, (problem(word, text) for word in sys.argv[1:]))) or 0)
