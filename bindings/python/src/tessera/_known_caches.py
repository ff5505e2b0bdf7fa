# SPDX-License-Identifier: MIT
"""The token caches of Microsoft's tools on this machine: where they can lie, and what is there."""

from __future__ import annotations

from ._calls import ask, made
from ._json_text import encoded
from ._native import library
from ._silent import milliseconds
from ._values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal


class FoundCache(Value):
    """A place in which the token cache of another tool can lie, and what is there.

    Attributes:
        name: What it is called; for most, what `msal_cache` of a configuration takes.
        owner: Whose it is, for people.
        kind: `file`, or `secret_service` for an item of the keyring.
        path: The file, or the one that is touched for an item.
        state: `missing`, `usable`, `locked` (perhaps one, in a keyring that is locked, absent or silent),
            `unreadable` (no cache, or encrypted by its owner) or `unavailable` (it cannot be looked at).
        selected: Whether this is the one of its places that is in use, or that its owner would begin.
        schema: The schema of the item; None for a file.
        accounts: How many people it knows; None unless it was read.
        modified_on: When it was last written, in seconds since 1970.
        reason: Why it cannot be read or opened, for a person.
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
    """Say where the token caches of Microsoft's tools can lie on this machine, and what is there.

    Takes no lock, changes nothing, asks no server and shows no prompt. "Where the others keep their caches" in
    docs/interop.md has the table.

    Args:
        timeout: How long all of that may take, in seconds; None for three seconds for a keyring that does not
            answer, and one for each file that is being written.

    Returns:
        All places of all of them, whether anything is there or not.

    Raises:
        StorageProblem: `store_unavailable`: the environment does not say where the person's files lie.
        Cancelled: `deadline_exceeded`.
    """
    request = encoded({"timeout_milliseconds": milliseconds(timeout)})
    document = ask(library().tessera_known_caches, request)
    return [made(FoundCache, each) for each in document["caches"]]
