# SPDX-License-Identifier: MIT
"""The table of desktops: the program for a scheme, according to the command, xdg-mime and GLib."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desk import COMMAND, ROOT

ROWS: list[dict[str, Any]] = json.loads((ROOT / "Tests/Vectors/schemes.json").read_text())
TYPE = "x-scheme-handler/com.example"
TOOLS = ("xdg-mime", "gio")


def differences() -> Iterator[str]:
    """Yields the differences between the table and each installed tool."""
    tools = [tool for tool in TOOLS if shutil.which(tool)]
    for row in ROWS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            environment = _desktop(row["input"], folder)
            expected, differ = row["expected"]["opener"], row["expected"].get("differ", {})
            found = _answer([COMMAND, "scheme", "register", "com.example", "--check"], environment, folder)
            if (found.split("\t")[0] or None) != expected:
                yield f"{row['name']}: tessera finds {found!r}, not {expected}"
            for tool in tools:
                if tool not in differ and _ask(tool, environment, folder) != expected:
                    yield f"{row['name']}: {tool} does not find {expected}"


def _desktop(row: dict[str, Any], folder: Path) -> dict[str, str]:
    for name, text in row["files"].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    environment = {
        "PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": f"{folder}/home",
        "XDG_CONFIG_HOME": f"{folder}/config", "XDG_DATA_HOME": f"{folder}/data",
        "XDG_CONFIG_DIRS": f"{folder}/etc", "XDG_DATA_DIRS": f"{folder}/local:{folder}/share",
    }  # fmt: skip
    if "desktop" in row:
        environment["XDG_CURRENT_DESKTOP"] = row["desktop"]
    environment.update(row.get("variables", {}))
    return environment


def _ask(tool: str, environment: dict[str, str], folder: Path) -> str | None:
    if tool == "xdg-mime":
        return _answer(["xdg-mime", "query", "default", TYPE], environment, folder) or None
    lines = _answer(["gio", "mime", TYPE], environment, folder).splitlines()
    return lines[0].rsplit(": ", 1)[1] if lines and lines[0].startswith("Default application for") else None


def _answer(words: list[str], environment: dict[str, str], folder: Path) -> str:
    done = subprocess.run(words, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout.strip()
