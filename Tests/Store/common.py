# SPDX-License-Identifier: MIT
"""The common part of this folder's programs: the library, the provider, users, a private home."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bindings/python/src")]
os.environ.setdefault("TESSERA_LIBRARY", str(ROOT / "build/lib/libtessera.so"))

import tessera_identity  # noqa: E402
from tessera_identity import PublicClientApplication, TokenResult  # noqa: E402

from provider import Provider  # noqa: E402

CLIENT = "57a6e0f0-0000-4000-8000-000000057a6e"
SCOPES = ["User.Read"]
ALICE, BOB, CAROL, DAVE = (
    "alice@contoso.com", "bob@contoso.com", "carol@fabrikam.com", "dave@outlook.example",
)  # fmt: skip
# The desktop's keyring must not be used: the results would depend on the logged-in user.
ELSEWHERE = ("XDG_RUNTIME_DIR", "http_proxy", "all_proxy")

__all__ = [
    "ALICE", "BOB", "CAROL", "DAVE", "CLIENT", "SCOPES", "ROOT", "Provider", "TokenResult", "tessera_identity",
]  # fmt: skip


@contextmanager
def private_home() -> Iterator[Path]:
    """A new directory as the home of this process and its children, for the keys as well."""
    for name in ELSEWHERE:
        os.environ.pop(name, None)
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
    path = Path(tempfile.mkdtemp(prefix="tessera-"))
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        directory = path / name.lower()
        directory.mkdir(mode=0o700)
        os.environ[name] = str(directory)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def protection(clear: bool) -> dict[str, Any]:
    """Returns the settings of an unencrypted store, or of one with the default encryption."""
    return {"storage_policy": "allow_plaintext", "key_sources": []} if clear else {}


def application(provider: Provider, directory: Path, **settings: Any) -> PublicClientApplication:
    """Returns an application with its store in a directory."""
    settings.setdefault("authority", provider.entra_authority)
    settings.setdefault("authority_type", "entra")
    return PublicClientApplication(CLIENT, store_directory=directory, **settings)


def sign_in(
    made: PublicClientApplication, provider: Provider, username: str, **settings: Any
) -> TokenResult:
    """Signs a user in, who approves at once."""
    return made.acquire_token_by_device_code(
        SCOPES, timeout=60, prompt_callback=provider.approves(username), **settings
    )


def outcome_of(call: Any) -> tuple[str, Any]:
    """Returns the outcome of a call: ("result", value), or (error code, error)."""
    try:
        return "result", call()
    except tessera_identity.TesseraError as error:
        return error.code, error
