# SPDX-License-Identifier: MIT
"""Runs commands: whole scripts, and commands whose output is on a page."""

from __future__ import annotations

import json
import re
import subprocess

from blocks import Block
from home import Home
from settings import Setting
from targets import is_read

from examples import expect


def run(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Runs a block as a script."""
    for variable in re.findall(r"(?m)^([A-Z_]+)=\S+ make ", text):
        expect(is_read(variable), f"nothing reads {variable}")
    home.run(["sh", "-euc", f"{setting.before}\n{text}\n{setting.after}"])


def read_profiles(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Reads a block as the profile file of the command line."""
    file = home.folder / ".config/tessera/config.toml"
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file.write_text(text)
    listed = json.loads(home.run(["tessera", "profile", "list", "--json"]))["profiles"]
    keys = {line.split()[0] for line in text.splitlines() if " = " in line} - {"default"}
    expect(len(listed) == 1 and keys == set(listed[0]) - {"name", "default"}, f"it has the profiles {listed}")


def run_and_compare(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Runs the commands of a block and compares their output with the page."""
    parts = re.split(r"(?m)^\$ ", text)
    expect(parts[0] == "" and len(parts) > 1, "it does not begin with $ and a command")
    for part in parts[1:]:
        command, _, shown = part.partition("\n")
        wanted = [_shape(line) for line in shown.splitlines()]
        got = [_shape(line) for line in _printed(command, len(wanted), setting, home)]
        expect(not wanted or got == wanted, f"$ {command} prints {got}, and not {wanted}")


def _printed(command: str, lines: int, setting: Setting, home: Home) -> list[str]:
    """Returns the output of a command; if it keeps running, a number of lines."""
    if not setting.stays:
        return home.run(["sh", "-c", command]).splitlines()
    with subprocess.Popen(
        ["sh", "-c", f"exec {command}"], cwd=home.folder, env=home.environment, text=True, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        printed = [process.stdout.readline() for _ in range(lines)]
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            expect(False, f"$ {command} does not end on SIGTERM")
    return printed


def _shape(line: str) -> str:
    """Returns the part of a line that is the same in all runs: its label, or the member names of a document."""
    if line.startswith("{"):
        return " ".join(json.loads(line))
    return re.split(r":|\t|(?<=\S)  ", line)[0]
