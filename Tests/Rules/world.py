# SPDX-License-Identifier: MIT
"""What every row needs: a server, stores, one language; and which rows there are."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from entra import UTID, Entra
from speakers import Document, Speaker

SCOPES = ["user.read"]
Vector = dict[str, Any]
ROWS: dict[tuple[str, str], Callable[[World, Vector], None]] = {}
"""What runs a vector, by its area and its name."""


class World:
    """One row in one language."""

    def __init__(self, entra: Entra, folder: Path, speaker: Speaker) -> None:
        self.entra = entra
        self.store = tempfile.mkdtemp(dir=folder)
        self._speaker = speaker

    def configuration(self, **members: Any) -> Document:
        """An application at the server, or wherever `authority` says."""
        own = {"authority": f"{self.entra.origin}/{UTID}", "authority_type": "entra"}
        return {
            "client_id": "client", "store_directory": self.store, "key_sources": ["key_file"],
            "instance_discovery": False, **(own if "cloud" not in members else {}), **members,
        }  # fmt: skip

    def log(self) -> list[str]:
        """What applications have logged, those of other rows included."""
        return self._speaker.log

    def calls(self, *calls: tuple[str, Document], **members: Any) -> list[Document]:
        """Make calls with one application."""
        return self._speaker.calls(self.configuration(**members), *calls)

    def call(self, name: str, request: Document, **members: Any) -> Document:
        """Make one call."""
        return self.calls((name, request), **members)[0]

    def sign_in(self, scopes: list[str] | None = None, **members: Any) -> str:
        """Sign the server's person in, and return their home account id."""
        result = self.call("device", {"scopes": scopes or SCOPES}, **members)
        assert "access_token" in result, result
        return str(result["account"]["home_account_id"])


def row(area: str, *names: str) -> Callable[[Callable[[World, Vector], None]], Any]:
    """Let a function run the vectors of an area with these names."""

    def registered(function: Callable[[World, Vector], None]) -> Callable[[World, Vector], None]:
        ROWS.update({(area, name): function for name in names})
        return function

    return registered


def numbers(document: Document) -> tuple[int, int | None]:
    """The numbers of MSAL for Apple in an error."""
    error = document["error"]
    return error["msal_code"], error.get("msal_internal_code")


def expect(found: object, expected: object) -> None:
    """Fail unless two things are the same."""
    assert found == expected, f"{found}, not {expected}"
