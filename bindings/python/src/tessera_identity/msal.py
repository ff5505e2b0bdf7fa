# SPDX-License-Identifier: MIT
"""A token cache for MSAL Python on Tessera's store, shared with all applications that use the store.

    import msal
    from tessera_identity.msal import TesseraTokenCache

    app = msal.PublicClientApplication("client-id", token_cache=TesseraTokenCache())

An application with a `msal_extensions.PersistedTokenCache` passes a `TesseraPersistence` to it instead.
"""

from __future__ import annotations

from contextlib import contextmanager
from copy import deepcopy
from json import dumps, loads
from typing import TYPE_CHECKING, Any

from ._errors import RetryLater, StorageProblem
from ._msal_persistence import TesseraPersistence
from ._msal_store import WatchedStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tessera_identity import PublicClientApplication

    _Changed = dict[str, dict[str, Any]]
    """The changed entries before the change, by section and key."""

try:
    import msal
except ImportError as error:
    raise ImportError("tessera_identity.msal requires MSAL Python: pip install msal") from error

__all__ = ["TesseraPersistence", "TesseraTokenCache"]


class TesseraTokenCache(msal.SerializableTokenCache):  # type: ignore[misc] # MSAL has no types.
    """A token cache for MSAL Python on Tessera's store.

    Changes of a process are visible to the next call of every other one. Concurrent changes are merged, without a
    lock file. A sign-in is one commit. The object is safe to use from multiple threads.

    `has_state_changed` is True after a change until `serialize()` or `deserialize()`, as in MSAL. The store
    already contains the change.

    The methods can raise Tessera's `StorageProblem` and `RetryLater` (`store_busy`).
    """

    def __init__(
        self,
        application: PublicClientApplication | None = None,
        **configuration: Any,  # noqa: ANN401 - the arguments of PublicClientApplication
    ) -> None:
        """Creates a cache on a store. No file is opened.

        Args:
            application: An application that uses the store; it is not closed.
            **configuration: Without `application`: the store, such as `group` and `store_directory`; see
                `PublicClientApplication`.
        """
        super().__init__()
        self._store = WatchedStore(application, configuration)
        self._stamp: object = None
        # The changes of the commit in progress; None if there is none.
        self._changed: _Changed | None = None

    def search(self, credential_type: str, *args: Any, **kwargs: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401
        """Returns the matching entries, for MSAL Python.

        Expired access tokens are removed after the last entry, as in MSAL, in one commit.
        """
        self._refresh()
        return self._found(super().search(credential_type, *args, **kwargs))

    def _found(self, entries: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        end: dict[str, Any] = {}
        while True:
            # MSAL removes expired entries before the iteration ends.
            with self._lock, self._one_commit(is_needed=False):
                entry = next(entries, end)
            if entry is end:
                return
            yield entry

    def add(self, event: dict[str, Any], **kwargs: Any) -> None:  # noqa: ANN401 - the signature of MSAL
        """Stores the response of a server, in one commit."""
        with self._lock:
            self._refresh()
            with self._one_commit():
                super().add(event, **kwargs)

    def modify(
        self,
        credential_type: str,
        old_entry: dict[str, Any],
        new_key_value_pairs: dict[str, Any] | None = None,
    ) -> None:
        """Stores or removes an entry.

        A token is removed only if it is the one that the caller read, not a newer one of another process.
        """
        with self._lock:
            self._refresh()
            entries = self._cache.setdefault(credential_type, {})
            key = self.key_makers[credential_type](**old_entry)
            before = entries.get(key)
            if not new_key_value_pairs and before != old_entry:
                # Other libraries use different keys.
                key = next((each for each in entries if entries[each] == old_entry), key)
                before = old_entry
            with self._one_commit() as changed:
                changed.setdefault(credential_type, {}).setdefault(key, deepcopy(before))
                super().modify(credential_type, old_entry, new_key_value_pairs)
                if not new_key_value_pairs:
                    entries.pop(key, None)

    @contextmanager
    def _one_commit(self, *, is_needed: bool = True) -> Iterator[_Changed]:
        """Stores the changes of the block in one commit at its end; a nested block uses the outer commit.

        Args:
            is_needed: Whether to raise an error if the changes could not be stored.
        """
        if self._changed is not None:
            yield self._changed
            return
        self._changed = {}
        try:
            yield self._changed
            if self._changed:
                self._write(self._changed)
        except (StorageProblem, RetryLater):
            if is_needed:
                raise
        finally:
            if self._changed:
                # Other processes may have changed the entries. After an error, the copy matches no stored state.
                self._stamp = None
            self._changed = None

    def _refresh(self) -> None:
        """Reads the store if it has changed."""
        with self._lock:
            if self._changed is not None or (
                self._stamp is not None and self._stamp == self._store.stamp()
            ):
                return
            stamp, self._stamp = self._store.stamp(), None
            self._cache = loads(self._store.application.read_cache())
            self._stamp = stamp

    def _write(self, changed: _Changed) -> None:
        """Stores the changes. Concurrent changes of other processes are kept, and read by the next call."""
        before = {
            kind: {key: entry for key, entry in entries.items() if entry is not None}
            for kind, entries in changed.items()
        }
        after = {
            kind: {key: self._cache[kind][key] for key in entries if key in self._cache.get(kind, {})}
            for kind, entries in changed.items()
        }
        if before != after:
            self._store.application.write_cache(dumps(before), dumps(after))
