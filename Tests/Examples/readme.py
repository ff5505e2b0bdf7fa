# SPDX-License-Identifier: MIT
"""The Python and C programs of README.md, unmodified, with a temporary provider and store."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from configurations import nested
from examples import ENVIRONMENT, expect
from graph import ME, PROFILE, Graph
from provider import ROOT, Provider


def _program(language: str) -> str:
    """Returns the program of a language."""
    found = re.search(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    expect(found is not None, f"README.md has no program in {language}")
    return found.group(1) if found is not None else ""


def _command(language: str, configuration: dict[str, str], profile: str, folder: Path) -> list[Any]:
    """Returns the command of a program with another configuration and another address of the profile."""
    text = _program(language).replace(ME, profile)
    if language == "python":
        members = "".join(f", {name}={value!r}" for name, value in configuration.items())
        # Unbuffered, because a pipe would otherwise get the output at the end.
        return [sys.executable, "-u", "-c", text.replace('"your-client-id"', '"app"' + members)]
    members = ", " + json.dumps(nested(configuration))[1:-1].replace('"', '\\"')
    source, program = folder / "program.c", folder / "program"
    source.write_text(text.replace('\\"your-client-id\\"', '\\"app\\"' + members))
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "tessera", "jansson", "libcurl"],
        env=ENVIRONMENT, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    subprocess.run(
        ["cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", source, "-o", program, *flags],
        check=True,
    )  # fmt: skip
    return ["stdbuf", "-oL", program]


def _run(command: list[Any], provider: Provider) -> tuple[int, str]:
    """Runs a program and signs in at each address that it shows. Returns their number and the last line."""
    shown, line = 0, ""
    # There is no browser: the user has the address from the program.
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "BROWSER"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("http"):
                shown += 1
                _open(provider.visit(line.strip()))
    expect(process.returncode == 0, f"the program ended with {process.returncode}")
    return shown, line.strip()


def _open(address: str) -> None:
    """Opens the redirect URL of the page, like a browser."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    connection.request("GET", f"{parts.path or '/'}?{parts.query}")
    expect(connection.getresponse().status == 303, "the program did not take the answer")
    connection.close()


def programs_work(language: str, provider: Provider, folder: Path) -> None:
    """The first run signs in, the second one uses the cached token; both get the profile."""
    configuration = {
        "authority": provider.entra_authority, "authority_type": "entra", "store_directory": str(folder / "store"),
    }  # fmt: skip
    with Graph() as graph:
        command = _command(language, configuration, graph.me, folder)
        for run, pages in enumerate((1, 0), 1):
            shown, end = _run(command, provider)
            seen = shown, PROFILE["displayName"] in end
            expect(seen == (pages, True), f"run {run} of the program in {language}: {shown} pages, {end}")
        first, *others = graph.tokens
        expect(others == [first], f"the program in {language} used {len(set(graph.tokens))} tokens")
