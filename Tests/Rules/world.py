# SPDX-License-Identifier: MIT
"""The environment of every row: a server, stores, one language; and the list of rows."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from callers import Document, Speaker
from entra import UTID, Entra

SCOPES = ["user.read"]
Vector = dict[str, Any]
ROWS: dict[tuple[str, str], Callable[[World, Vector], None]] = {}
"""The function for each vector, by its area and its name."""


class World:
    """One row in one language."""

    def __init__(self, entra: Entra, folder: Path, speaker: Speaker) -> None:
        self.entra = entra
        self.store = tempfile.mkdtemp(dir=folder)
        self._speaker = speaker

    def configuration(self, **members: Any) -> Document:
        """Returns the configuration of an application, for the server or for `authority`."""
        own = {"authority": f"{self.entra.origin}/{UTID}", "authority_type": "entra"}
        return {
            "client_id": "client", "store_directory": self.store, "key_sources": ["key_file"],
            "instance_discovery": False, **(own if "cloud" not in members else {}), **members,
        }  # fmt: skip

    def log(self) -> list[str]:
        """Returns the log of the applications, including that of other rows."""
        return self._speaker.log

    def calls(self, *calls: tuple[str, Document], **members: Any) -> list[Document]:
        """Makes calls with one application."""
        return self._speaker.calls(self.configuration(**members), *calls)

    def call(self, name: str, request: Document, **members: Any) -> Document:
        """Makes one call."""
        return self.calls((name, request), **members)[0]

    def sign_in(self, scopes: list[str] | None = None, **members: Any) -> str:
        """Signs the server's user in, and returns the home account ID."""
        result = self.call("device", {"scopes": scopes or SCOPES}, **members)
        assert "access_token" in result, result
        return str(result["account"]["home_account_id"])


def row(area: str, *names: str) -> Callable[[Callable[[World, Vector], None]], Any]:
    """Registers a function for the vectors of an area with these names."""

    def registered(function: Callable[[World, Vector], None]) -> Callable[[World, Vector], None]:
        ROWS.update({(area, name): function for name in names})
        return function

    return registered


def numbers(document: Document) -> tuple[int, int | None]:
    """Returns the numbers of MSAL for Apple in an error."""
    error = document["error"]
    return error["msal_code"], error.get("msal_internal_code")


def expect(found: object, expected: object) -> None:
    """Fails unless two values are equal."""
    assert found == expected, f"{found}, not {expected}"
