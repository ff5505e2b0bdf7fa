# SPDX-License-Identifier: MIT
"""The token caches of Microsoft's tools on this machine: their possible locations and states."""

from __future__ import annotations

from ._calls import call_json, create_value
from ._json_text import encoded
from ._native import library
from ._silent import milliseconds
from ._values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal


class FoundCache(Value):
    """A possible location of the token cache of another tool.

    Attributes:
        name: The name of the cache. Most names are values of the configuration member `msal_cache`.
        owner: The tool that owns the cache, for display.
        kind: `file`, or `secret_service` for a keyring item.
        path: The file; for a keyring item, the file whose modification time signals changes.
        state: `missing`, `usable`, `locked` (unknown, because the keyring is locked, absent or unresponsive),
            `unreadable` (not a cache, or encrypted by its owner) or `unavailable` (the location cannot be read).
        selected: Whether this location is the one in use, or the one that the tool would create.
        schema: The schema of the keyring item; None for a file.
        accounts: The number of accounts; None unless the cache was read.
        modified_on: The modification time, in seconds since 1970.
        reason: A description of why it cannot be read, for display.
    """

    _required = ("name", "owner", "kind", "path", "state", "selected")
    _optional = ("schema", "accounts", "modified_on", "reason")
    __slots__ = _required + _optional

    name: str
    owner: str
    kind: Literal["file", "secret_service"]
    path: str
    state: Literal["missing", "usable", "locked", "unreadable", "unavailable"]
    selected: bool
    schema: str | None
    accounts: int | None
    modified_on: int | None
    reason: str | None


def known_caches(*, timeout: float | None = None) -> list[FoundCache]:
    """Returns the possible locations of the token caches of Microsoft's tools, and their states.

    The function takes no lock, changes nothing, sends no request and shows no prompt. docs/interop.md lists the
    locations.

    Args:
        timeout: The total timeout in seconds; by default 3 seconds for a keyring that does not respond, and 1
            second for each file that is being written.

    Returns:
        All locations, whether a cache exists or not.

    Raises:
        StorageProblem: `store_unavailable`: the environment does not determine the user's directories.
        Cancelled: The call timed out (`deadline_exceeded`).
    """
    request = encoded({"timeout_milliseconds": milliseconds(timeout)})
    document = call_json(library().tessera_library_known_caches, request)
    return [create_value(FoundCache, each) for each in document["caches"]]
