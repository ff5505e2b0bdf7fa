# SPDX-License-Identifier: MIT
"""The token store: what it says about itself, and the key that a program keeps for it."""

from __future__ import annotations

from binascii import b2a_base64
from ctypes import memmove

from ._callbacks import keep
from ._errors import error_inside
from ._native import StoreKeyCallback
from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal

    from ._errors import TesseraError

    StoragePolicy = Literal[
        "require_encrypted", "prefer_encrypted", "allow_plaintext", "memory_only"
    ]
    KeySource = Literal["caller", "secret_service", "kernel_keyring", "key_file"]


class KeyAttempt(Value):
    """Somebody who might have kept the key of the store, and why not.

    Attributes:
        source: Who: `secret_service`, `kernel_keyring`, `key_file` or `caller`.
        problem: Why not, for a program, such as `no_bus`, `locked` or `timeout`.
        reason: Why not, for a developer.
    """

    _required = ("source", "problem", "reason")
    __slots__ = ("problem", "reason", "source")

    source: KeySource
    problem: str
    reason: str


class StoreInfo(Value):
    """A token store as it is now; see "StoreInfo" in docs/c-interface.md.

    Attributes:
        state: `missing`, `empty`, `usable`, `read_only`, `damaged`, `too_new`, `locked`, `undecryptable`,
            `busy` or `unavailable`.
        storage_policy: What the application asked for.
        protection: `encrypted`, `obfuscated`, `plaintext` or `memory`; None if that is not known.
        key_source: Who keeps the key; None for nobody.
        attempts: Who else was tried for the key, and why that failed.
        path: The database, or the cache file of other libraries, or what is touched for their item of the keyring;
            None for a store in memory.
        layout_version: The version of the layout.
        bytes: Bytes of the database that are in use.
        file_bytes: Bytes of the database's file.
        limit_bytes: Bytes from which expired access tokens make room for new ones, and then those that end next.
        records: How many records there are of each kind.
        network_file_system: Whether it lies on another machine: locks hold on this one only.
        shared_with_peers: Whether programs with other libraries read and write it as well.
        set_aside: Databases that were set aside because they were damaged.
        problem: What is wrong, as a call would raise it.
    """

    _required = ("state", "storage_policy")
    _optional = (
        "protection",
        "key_source",
        "attempts",
        "path",
        "layout_version",
        "bytes",
        "file_bytes",
        "limit_bytes",
        "records",
        "network_file_system",
        "shared_with_peers",
        "set_aside",
        "problem",
    )
    __slots__ = (
        "attempts",
        "bytes",
        "file_bytes",
        "key_source",
        "layout_version",
        "limit_bytes",
        "network_file_system",
        "path",
        "problem",
        "protection",
        "records",
        "set_aside",
        "shared_with_peers",
        "state",
        "storage_policy",
    )

    state: str
    storage_policy: StoragePolicy
    protection: Literal["encrypted", "obfuscated", "plaintext", "memory"] | None
    key_source: KeySource | None
    attempts: tuple[KeyAttempt, ...]
    path: str | None
    layout_version: int | None
    bytes: int | None
    file_bytes: int | None
    limit_bytes: int | None
    records: Mapping[str, int] | None
    network_file_system: bool | None
    shared_with_peers: bool | None
    set_aside: tuple[str, ...]
    problem: TesseraError | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Take the members of the JSON object `StoreInfo`."""
        super().__init__(document)
        assign(self, "attempts", tuple(KeyAttempt(each) for each in document.get("attempts") or ()))
        assign(self, "set_aside", tuple(document.get("set_aside") or ()))
        problem = document.get("problem")
        assign(self, "problem", error_inside(problem) if problem else None)


def key_text(key: bytes | bytearray | Callable[[], bytes] | None) -> str | None:
    """The member `store_key` for a key that is given as bytes."""
    return b2a_base64(key, newline=False).decode() if isinstance(key, (bytes, bytearray)) else None


def key_callback(key: bytes | bytearray | Callable[[], bytes] | None) -> Any:  # noqa: ANN401 - a ctypes callback
    """The C function that asks a function of the program for the key; None if there is none to ask.

    It runs where the library runs, perhaps on a helper thread, since the library waits for the key.
    """
    if key is None or isinstance(key, (bytes, bytearray)):
        return None
    function = key

    def give(_context: int | None, target: int, size: int) -> int:
        try:
            found = function()
            if not isinstance(found, (bytes, bytearray)):
                raise TypeError(f"store_key must give bytes, not {type(found).__name__}")
            if len(found) != size:
                raise ValueError(f"store_key must give {size} bytes, not {len(found)}")
            memmove(target, bytes(found), size)
        except BaseException as error:
            keep(error)
            return 1
        return 0

    return StoreKeyCallback(give)
