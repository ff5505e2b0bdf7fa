# SPDX-License-Identifier: MIT
"""A temporary home for the blocks of a page: a provider, directories, programs, and a user with a browser."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from examples import STAGE, expect
from graph import Graph
from provider import ROOT, Provider

HERE = Path(__file__).resolve().parent
TENANT = "11111111-1111-4111-8111-111111111111"
"""The tenant of the services."""
# Stand-ins for commands of the pages: nothing is installed or built, and the command line signs in at the local
# provider.
PROGRAMS = {
    "make": f'exec "{sys.executable}" "{HERE}/targets.py" "$@"',
    "sudo": 'exec "$@"',
    "pip": f'[ "$1" = install ] && grep -qx "name = \\"$2\\"" "{ROOT}/bindings/python/pyproject.toml"',
    "python": f'exec "{sys.executable}" "$@"',
    "alice": f'exec "{sys.executable}" "{HERE}/alice.py" "$@"',
    "browser": f'exec "{sys.executable}" "{HERE}/alice.py" browser "$@"',
    "tessera": f"""case $1 in
  doctor | help | --version) exec "{STAGE}/bin/tessera" "$@" ;;
esac
case " $* " in
  *" --authority "*) exec "{STAGE}/bin/tessera" "$@" ;;
  *" --client-id "*) exec "{STAGE}/bin/tessera" "$@" --authority "$DOCS_AUTHORITY" --authority-type entra ;;
  *) exec "{STAGE}/bin/tessera" "$@" ;;
esac""",
}


class Home:
    """A temporary home with a provider; a context manager that removes it."""

    def __init__(self, folder: Path) -> None:
        """Creates directories and programs in a folder, and starts a provider."""
        self.folder = folder
        self.provider = Provider("--interval", "1")
        self.provider.command("register", client_id="daemon", secrets=["the secret of the daemon"])
        self.graph = Graph()
        programs = folder / "bin"
        programs.mkdir()
        for name, text in PROGRAMS.items():
            (programs / name).write_text(f"#!/bin/sh\n{text}\n")
            (programs / name).chmod(0o755)
        kept = ("LANG", "LC_ALL", "TMPDIR", "SWIFT_BACKTRACE")
        paths = ("scripts", "Tests/Docs", "bindings/python/src", "bindings/python/tests", "Tests/Interop")
        self.environment = {
            **{name: value for name, value in os.environ.items() if name in kept},
            "PATH": f"{programs}:{STAGE}/bin:{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder / ".local/share"),
            "XDG_STATE_HOME": str(folder / ".local/state"),
            "XDG_CONFIG_HOME": str(folder / ".config"),
            # Do not use the developer's keyring. The browser signs in by itself.
            "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            "BROWSER": str(programs / "browser"),
            "PKG_CONFIG_PATH": str(STAGE / "lib/pkgconfig"),
            "LD_LIBRARY_PATH": str(STAGE / "lib"),
            "TESSERA_LIBRARY": str(STAGE / "lib/libtessera.so"),
            "TESSERA_PROVIDER": str(STAGE / "bin/tessera-provider"),
            "PYTHONPATH": ":".join(str(ROOT / path) for path in paths),
            "ROOT": str(ROOT),
            "DOCS_AUTHORITY": self.provider.entra_authority,
            "DOCS_TENANT": f"{self.provider.entra_authority.rpartition('/')[0]}/{TENANT}",
            "DOCS_CONTROL": self.provider.control,
            "DOCS_GRAPH": self.graph.me,
        }

    def __enter__(self) -> Home:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.graph.__exit__(kind, error, trace)
        self.provider.__exit__(kind, error, trace)

    def run(self, command: Sequence[str | Path]) -> str:
        """Runs a program in the home, which must succeed, and returns its output."""
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, text=True, timeout=120, check=False,
            stdin=subprocess.DEVNULL, capture_output=True,
        )  # fmt: skip
        said = "\n         ".join((done.stderr or done.stdout).strip().splitlines()[-3:])
        expect(done.returncode == 0, f"it ended with {done.returncode}: {said}")
        return done.stdout

    @contextmanager
    def entering_codes(self) -> Iterator[None]:
        """Enters device codes as Alice in the meantime."""
        ended = threading.Event()

        def enter() -> None:
            while not ended.wait(0.1):
                for code in self.provider.waiting_codes():
                    self.provider.approve(code)

        thread = threading.Thread(target=enter)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def sign_in(self, client_id: str, *storage: str) -> None:
        """Signs Alice in to an application; the options are those of the store."""
        self.run(["tessera", "login", "--browser", "--client-id", client_id, "--scope", "User.Read", *storage])
