# SPDX-License-Identifier: MIT
"""The programs of README.md in Python and C, as they stand there, with a provider and a store of the test's."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from examples import ENVIRONMENT, expect
from provider import ROOT, Provider


def _program(language: str) -> str:
    """The program of a language."""
    found = re.search(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    expect(found is not None, f"README.md has no program in {language}")
    return found.group(1) if found is not None else ""


def _command(language: str, configuration: dict[str, str], folder: Path) -> list[Any]:
    """The program of a language with another configuration, ready to be started."""
    text = _program(language)
    if language == "python":
        members = "".join(f", {name}={value!r}" for name, value in configuration.items())
        # It writes to a terminal; into a pipe it would write at its end.
        return [sys.executable, "-u", "-c", text.replace('"your-client-id"', '"app"' + members)]
    members = "".join(f', \\"{name}\\": \\"{value}\\"' for name, value in configuration.items())
    source, program = folder / "program.c", folder / "program"
    source.write_text(text.replace('\\"your-client-id\\"', '\\"app\\"' + members))
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "tessera"], env=ENVIRONMENT, capture_output=True, text=True,
        check=True,
    ).stdout.split()  # fmt: skip
    subprocess.run(
        ["cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", source, "-o", program, *flags],
        check=True,
    )  # fmt: skip
    return ["stdbuf", "-oL", program]


def _run(command: list[Any], provider: Provider) -> tuple[int, str]:
    """Run a program whose person signs in when an address is shown: how many were, and the last line."""
    shown, line = 0, ""
    # A browser that is opened, and shows nothing: the person has the address from the program.
    environment = {**ENVIRONMENT, "BROWSER": "true"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdout is not None
        for line in process.stdout:
            address = json.loads(line)["url"] if line.startswith("{") else line.strip()
            if address.startswith("http"):
                shown += 1
                _open(provider.visit(address))
    expect(process.returncode == 0, f"the program ended with {process.returncode}")
    return shown, line.strip()


def _open(address: str) -> None:
    """Open the address to which the page leads, as a browser does."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    connection.request("GET", f"{parts.path or '/'}?{parts.query}")
    expect(connection.getresponse().status == 303, "the program did not take the answer")
    connection.close()


def programs_work(language: str, provider: Provider, folder: Path) -> None:
    """The first run signs in, the second one needs nobody."""
    configuration = {
        "authority": provider.entra_authority, "authority_type": "entra", "store_directory": str(folder / "store"),
    }  # fmt: skip
    command = _command(language, configuration, folder)
    ends = {
        "python": ("alice@contoso.com network", "alice@contoso.com cache"),
        "c": ("There is a token.", "There is a token."),
    }[language]
    for run, (pages, end) in enumerate(((1, ends[0]), (0, ends[1]))):
        seen = _run(command, provider)
        expect(seen == (pages, end), f"run {run + 1} of the program in {language}: {seen}")
