# SPDX-License-Identifier: MIT
"""A desktop in a temporary home, and programs on it that sign in with a redirect URI of a private scheme."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from compiling import compiled
from configurations import nested
from provider import Provider
from timeouts import until

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIBRARY = Path(os.environ.setdefault("TESSERA_LIBRARY", str(ROOT / "build/lib/libtessera.so")))
COMMAND = os.environ.get("TESSERA_COMMAND", str(ROOT / "build/swift-release/release/tessera-cli"))
SCHEME = "com.example.tessera"
LANGUAGES = ("c", "python", "swift")
SECONDS = 90

PROGRAM = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
import tessera_identity
configuration, request = (json.loads(text) for text in sys.argv[2:])
with tessera_identity.PublicClientApplication(**configuration) as application:
    try:
        result = application.acquire_token_interactive(prompt_callback=lambda prompt: None, **request)
    except tessera_identity.TesseraError as error:
        print(json.dumps({"error": {"code": error.code}}))
    else:
        links = [os.path.realpath(f"/proc/self/fd/{each}") for each in os.listdir("/proc/self/fd")]
        assert not [link for link in links if "socket:" in link], links
        print(json.dumps({"account": {"username": result.account.username}}))
"""

HANDING_OVER = """
import sys
sys.path.insert(0, sys.argv[1])
import tessera_identity
try:
    tessera_identity.hand_over_url(sys.argv[2])
except tessera_identity.InvalidRequestError as error:
    sys.exit(error.code)
"""


class Desk:
    """A home with the files of a desktop."""

    def __init__(self, folder: Path) -> None:
        """Creates the home."""
        self.folder = folder
        self.run_folder = folder / "run"
        self.run_folder.mkdir(mode=0o700)
        self._opened = folder / "opened"
        self._opener = folder / "open"
        # The program in BROWSER: it forwards the address to a user or a browser.
        self._opener.write_text(
            f'#!/bin/sh\nprintf %s "$1" >"{self._opened}.new" && mv "{self._opened}.new" "{self._opened}"\n'
        )
        self._opener.chmod(0o700)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(self.run_folder), "BROWSER": str(self._opener),
            "DBUS_SESSION_BUS_ADDRESS": "disabled:", "TESSERA_LIBRARY": str(LIBRARY),
        }  # fmt: skip

    def tessera(self, *words: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
        """Runs the command."""
        return self.program(COMMAND, *words, **options)

    def program(self, *words: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
        """Runs a program of the desktop."""
        return subprocess.run(
            words, env=self.environment, cwd=self.folder, capture_output=True, text=True, timeout=SECONDS,
            check=False, **options,
        )  # fmt: skip

    @staticmethod
    def wait_for(path: Path) -> None:
        """Waits until a file exists."""
        until(path.exists, otherwise=f"there is no {path.name}", seconds=SECONDS)

    def files(self) -> dict[str, str]:
        """Returns the contents of the files in the home."""
        home = self.folder / "home"
        return {
            str(path.relative_to(home)): path.read_text()
            for path in home.rglob("*")
            if path.is_file() and "tessera/" not in str(path)
        }

    def sockets(self) -> list[str]:
        """Returns the sockets of pending sign-ins."""
        folder = self.run_folder / "tessera"
        return sorted(path.name for path in folder.iterdir()) if folder.exists() else []

    def compile(self, source: Path) -> Path:
        """Compiles a C program; those next to check.c use it, and Jansson."""
        check = source.parent / "check.c"
        more: list[str | Path] = [check, "-ljansson"] if check.exists() else []
        return compiled(source, *more, to=self.folder / source.stem, library=LIBRARY)


class SignIn:
    """A program that waits for a sign-in."""

    def __init__(self, desk: Desk, provider: Provider, language: str, name: str = "store") -> None:
        """Starts the program, and gets the address that it opens."""
        self._desk = desk
        store = desk.folder / name
        authority, redirect = provider.authorities["entra"], f"{SCHEME}://auth"
        documents = [
            json.dumps({
                "client_id": "client", "authority": authority, "authority_type": "entra",
                "store_directory": str(store), "redirect_uri": redirect, "key_sources": ["key_file"],
            }),
            json.dumps({"scopes": ["User.Read"]}),
        ]  # fmt: skip
        commands: dict[str, list[Any]] = {
            "c": [desk.folder / "sign_in", json.dumps(nested(json.loads(documents[0]))), documents[1]],
            "python": [
                sys.executable, "-c", PROGRAM, str(ROOT / "bindings/python/src"), *documents,
            ],
            "swift": [
                COMMAND, "login", "--client-id", "client", "--authority", authority, "--authority-type",
                "entra", "--store-directory", store, "--scope", "User.Read", "--redirect-uri", redirect,
                "--key-source", "key_file", "--json",
            ],
        }  # fmt: skip
        self.process = subprocess.Popen(
            commands[language], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=desk.environment, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        self.page = self._page()

    def _page(self) -> str:
        opened = self._desk.folder / "opened"
        until(
            lambda: opened.exists() or self.process.poll() is not None,
            otherwise="the program has opened nothing", seconds=SECONDS,
        )  # fmt: skip
        assert opened.exists(), self.process.communicate()
        address = opened.read_text()
        opened.unlink()
        return address

    @property
    def waits(self) -> bool:
        """Whether it still waits."""
        return self.process.poll() is None

    def signed_in(self) -> str:
        """Returns the signed-in user."""
        output, problems = self.process.communicate(timeout=SECONDS)
        document = json.loads(output.splitlines()[-1])
        assert "account" in document, (document, problems)
        return str(document["account"]["username"])

    def kill(self) -> None:
        """Kills the program."""
        self.process.kill()
        self.process.communicate()


@contextmanager
def screen() -> Iterator[str]:
    """Runs a virtual screen; yields the name of its display."""
    with subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        try:
            yield f":{server.stdout.readline().strip()}"
        finally:
            server.terminate()
