# SPDX-License-Identifier: MIT
"""The description of the token store, and store keys from the application."""

from __future__ import annotations

from binascii import b2a_base64
from ctypes import memmove

from ._calls import store_exception
from ._errors import nested_error
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
    """A key source that could not provide the key of the store, with the reason.

    Attributes:
        source: The key source: `secret_service`, `kernel_keyring`, `key_file` or `caller`.
        problem: The reason as a code, such as `no_bus`, `locked` or `timeout`.
        reason: The reason for developers.
    """

    _required = ("source", "problem", "reason")
    __slots__ = ("problem", "reason", "source")

    source: KeySource
    problem: str
    reason: str


class StoreInfo(Value):
    """The current state of a token store; see "StoreInfo" in docs/c-interface.md.

    Attributes:
        state: `missing`, `empty`, `usable`, `read_only`, `damaged`, `too_new`, `locked`, `undecryptable`,
            `busy` or `unavailable`.
        storage_policy: The configured storage policy.
        protection: `encrypted`, `obfuscated`, `plaintext` or `memory`; None if unknown.
        key_source: The key source that has the key; None if there is none.
        attempts: The key sources that failed, with the reasons.
        path: The database, the cache file of other libraries, or the file that signals changes of their keyring
            item; None for a store in memory.
        layout_version: The version of the layout.
        bytes: The used size of the database, in bytes.
        file_bytes: The size of the database file, in bytes.
        limit_bytes: The size above which expired access tokens, and then those that expire next, are evicted.
        records: The numbers of records, by kind.
        network_file_system: Whether the store is on a network file system, where locks apply to this machine only.
        shared_with_peers: Whether applications with other libraries also use the store.
        set_aside: The quarantined databases, which were damaged.
        problem: The error that a call would raise.
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
        """Reads the members of the JSON object `StoreInfo`."""
        super().__init__(document)
        assign(self, "attempts", tuple(KeyAttempt(each) for each in document.get("attempts") or ()))
        assign(self, "set_aside", tuple(document.get("set_aside") or ()))
        problem = document.get("problem")
        assign(self, "problem", nested_error(problem) if problem else None)


def key_text(key: bytes | bytearray | Callable[[], bytes] | None) -> str | None:
    """Returns the member `store_key` for a key that is passed as bytes; None for a function."""
    return b2a_base64(key, newline=False).decode() if isinstance(key, (bytes, bytearray)) else None


def key_callback(key: bytes | bytearray | Callable[[], bytes] | None) -> Any:  # noqa: ANN401 - a ctypes callback
    """Returns the C function that obtains the key from the application's function; None for other keys.

    It runs on the thread of the library's call, possibly a helper thread, because the library waits for the key.
    """
    if key is None or isinstance(key, (bytes, bytearray)):
        return None
    function = key

    def write_key(_context: int | None, target: int, size: int) -> int:
        try:
            value = function()
            if not isinstance(value, (bytes, bytearray)):
                raise TypeError(f"store_key must return bytes, not {type(value).__name__}")
            if len(value) != size:
                raise ValueError(f"store_key must return {size} bytes, not {len(value)}")
            memmove(target, bytes(value), size)
        except BaseException as error:
            store_exception(error)
            return 1
        return 0

    return StoreKeyCallback(write_key)
