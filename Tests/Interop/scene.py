# SPDX-License-Identifier: MIT
"""The environment of an experiment: a file, a provider and programs of both libraries."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any

import peer_program
from crowd import CLIENT, PEER_PROGRAM
from workers import Worker, WorkerPool

from provider import Provider

HOST = "login.microsoftonline.com"


class Scene:
    """A file, a provider, and programs of ours; a context manager that stops them."""

    def __init__(self, folder: Path, *options: str, origin: str | None = None) -> None:
        self.file = folder / "msal_token_cache.json"
        self.lock = folder / "msal_token_cache.json.lockfile"
        front = ["--origin", origin] if origin else []
        self.provider = Provider("--interval", "1", *options, *front)
        self.worker_pool = WorkerPool(folder / "home")

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, *_: object) -> None:
        self.worker_pool.__exit__(None, None, None)
        self.provider.__exit__(None, None, None)

    @property
    def configuration(self) -> dict[str, Any]:
        """Returns the configuration of our programs."""
        return {
            "client_id": CLIENT, "authority": self.provider.entra_authority, "authority_type": "entra",
            "store": "msal_file", "msal_cache": str(self.file),
        }  # fmt: skip

    def fill(self, tokens: int) -> None:
        """Writes a file like MSAL Python, with 1.7 KB a token, which contains the token of the readers."""
        entries = [
            peer_program.token("always"),
            *(peer_program.token(f"filling.{n}") for n in range(tokens)),
        ]
        start = f"{peer_program.HOME}-{HOST}-accesstoken-{peer_program.CLIENT}-utid-"
        document = {"AccessToken": {start + each["target"]: each for each in entries}}
        self.file.write_text(json.dumps(document, indent=4))
        self.file.chmod(0o600)
        self.lock.unlink(missing_ok=True)

    def theirs(self, *arguments: str) -> subprocess.Popen[str]:
        """Starts a program with MSAL Python."""
        verb, *rest = arguments
        return subprocess.Popen(
            [*PEER_PROGRAM, verb, str(self.file), *rest],
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def ours(self, kind: str = "c") -> Worker:
        """Starts a program with Tessera."""
        worker = self.worker_pool.start(kind, self.configuration)
        self.worker_pool.wait_until_ready(worker)
        return worker

    def state(self) -> str:
        """Returns the state of the file: `whole`, `empty`, or `torn`."""
        data = self.file.read_bytes()
        try:
            json.loads(data)
        except ValueError:
            return "torn" if data else "empty"
        return "whole"

    def expire(self) -> None:
        """Sets all access tokens to expired, like a user with an editor."""
        document = json.loads(self.file.read_bytes())
        past = str(int(time.time()) - 10)
        for entry in document["AccessToken"].values():
            entry.update(expires_on=past, extended_expires_on=past, cached_at=str(int(past) - 3600))
        self.file.write_text(json.dumps(document))
