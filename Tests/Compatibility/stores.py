# SPDX-License-Identifier: MIT
"""A store, the library that opens it, and the clock of its processes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from authorities import AUTHORITIES, FAMILY, Authorities

from configurations import nested

HERE = Path(__file__).resolve().parent
Document = dict[str, Any]
Call = tuple[str, Document | None]


@dataclass
class Store:
    """A folder with a store, used by processes with one library."""

    library: Path
    folder: Path
    kind: str
    """The kind of store: sqlite or msal_file."""
    front: Authorities | None = None
    """The network; None for none."""
    clock: dict[str, str] | None = None
    """The environment variables that set the wall clock of a process."""

    def restore(self, fixtures: Path) -> None:
        """Replaces the files of the store with a copy, and sets the modes, which git does not store."""
        for name in ("store", "state", "msal"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        shutil.copytree(fixtures, self.folder, dirs_exist_ok=True)
        for path in self.folder.rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)

    @property
    def file(self) -> Path:
        """The path of the shared MSAL cache."""
        return self.folder / "msal/msal_token_cache.json"

    @property
    def sign_ins(self) -> Path:
        """The path of the key of two-step sign-ins next to the shared MSAL cache."""
        return self.file.with_name(f"{self.file.name}.tessera-sign-ins")

    @property
    def database(self) -> Path:
        """The path of the database."""
        return self.folder / "store/default.db"

    @property
    def keys(self) -> Path:
        """The directory of the key files."""
        return self.folder / "state/tessera/keys"

    def configuration(self, client: str = FAMILY[0], at: str = "entra", **members: Any) -> Document:
        """Returns a configuration of version 0.1.0 for an authority of a kind."""
        place: Document = {
            "store_directory": str(self.database.parent),
            "key_sources": ["key_file"],
        }
        if self.kind == "msal_file":
            self.file.parent.mkdir(mode=0o700, exist_ok=True)
            place = {"msal_cache": str(self.file)}
        network = {"proxy": "http://127.0.0.1:9"}
        if self.front:
            network = {"proxy": self.front.address, "ca_file": str(self.front.ca_file)}
        return {
            "client_id": client, "authority": AUTHORITIES[at], "authority_type": at, **place, **network, **members,
        }  # fmt: skip

    def calls(self, configuration: Document, *calls: Call) -> list[list[Any]]:
        """Makes calls in a new process; returns the status and the document of each."""
        own = {
            "HOME": str(self.folder), "XDG_STATE_HOME": str(self.folder / "state"),
            "DBUS_SESSION_BUS_ADDRESS": "disabled:", "PATH": os.environ["PATH"], **(self.clock or {}),
        }  # fmt: skip
        forms = {"configuration": nested(configuration), "configuration_0_1": configuration}
        work = json.dumps({**forms, "calls": calls})
        ended = subprocess.run(
            [sys.executable, HERE / "calls.py", self.library], input=work, env=own, text=True,
            capture_output=True, timeout=60,
        )  # fmt: skip
        assert ended.returncode == 0, f"status {ended.returncode}: {ended.stderr}"
        text = ended.stdout.replace(str(self.folder), "FOLDER")
        return list(json.loads(text))

    def call(self, configuration: Document, name: str, request: Document | None) -> list[Any]:
        """Makes one call in a new process."""
        return self.calls(configuration, (name, request))[0]
