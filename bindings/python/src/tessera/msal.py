# SPDX-License-Identifier: MIT
"""Tessera's store for programs that use MSAL Python: they share their sign-ins with everybody who uses the store.

    import msal
    from tessera.msal import TesseraTokenCache

    app = msal.PublicClientApplication("client-id", token_cache=TesseraTokenCache())

A program that already has a `msal_extensions.PersistedTokenCache` gives it a `TesseraPersistence` instead.
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

    from tessera import PublicClientApplication

    _Changed = dict[str, dict[str, Any]]
    """The entries that were changed, by section and key, as they were before."""

try:
    import msal
except ImportError as error:
    raise ImportError("tessera.msal needs MSAL Python: pip install msal") from error

__all__ = ["TesseraPersistence", "TesseraTokenCache"]


class TesseraTokenCache(msal.SerializableTokenCache):  # type: ignore[misc] # MSAL has no types.
    """A token cache of MSAL Python that is Tessera's store.

    What one process stores is seen by the next call of every other one; of two that write at once neither loses
    anything, and no lock file is needed. A sign-in is one commit. Any number of threads may use one.

    `has_state_changed` has MSAL's meaning: True after a change until `serialize()` or `deserialize()`. The store
    has the change already.

    Its calls can raise `StorageProblem` and `RetryLater` (`store_busy`) of Tessera.
    """

    def __init__(
        self,
        application: PublicClientApplication | None = None,
        **configuration: Any,  # noqa: ANN401 - the options of PublicClientApplication
    ) -> None:
        """A cache on a store. No file is opened.

        Args:
            application: An application of Tessera with the store; it stays open.
            **configuration: Without one: where the store is, such as `group` and `store_directory`, as for
                `PublicClientApplication`.
        """
        super().__init__()
        self._store = WatchedStore(application, configuration)
        self._stamp: object = None
        # The changes of the commit in progress; None outside of a commit.
        self._changed: _Changed | None = None

    def search(self, credential_type: str, *args: Any, **kwargs: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401
        """The entries that match, as MSAL Python asks for them.

        Access tokens that have ended are removed behind the last one, as in MSAL, and in one commit.
        """
        self._refresh()
        return self._found(super().search(credential_type, *args, **kwargs))

    def _found(self, entries: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        end: dict[str, Any] = {}
        while True:
            # MSAL removes the entries before it reports that there are no more.
            with self._lock, self._one_commit(is_needed=False):
                entry = next(entries, end)
            if entry is end:
                return
            yield entry

    def add(self, event: dict[str, Any], **kwargs: Any) -> None:  # noqa: ANN401 - as in MSAL
        """Store what a server has answered, in one commit."""
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
        """Store or remove an entry.

        Of a token that is to be removed, the one that the caller saw goes: not one that another program has put in
        its place meanwhile.
        """
        with self._lock:
            self._refresh()
            entries = self._cache.setdefault(credential_type, {})
            key = self.key_makers[credential_type](**old_entry)
            before = entries.get(key)
            if not new_key_value_pairs and before != old_entry:
                # Other libraries use other keys for the same entry.
                key = next((each for each in entries if entries[each] == old_entry), key)
                before = old_entry
            with self._one_commit() as changed:
                changed.setdefault(credential_type, {}).setdefault(key, deepcopy(before))
                super().modify(credential_type, old_entry, new_key_value_pairs)
                if not new_key_value_pairs:
                    entries.pop(key, None)

    @contextmanager
    def _one_commit(self, *, is_needed: bool = True) -> Iterator[_Changed]:
        """Stores what is changed inside, at the end and at once; within another one, that one does.

        Args:
            is_needed: Whether the caller has to know if it could not be stored.
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
                # Another program may have written before, and after an error the copy matches no stored state.
                self._stamp = None
            self._changed = None

    def _refresh(self) -> None:
        """Read the store, unless nobody has written to it."""
        with self._lock:
            if self._changed is not None or (
                self._stamp is not None and self._stamp == self._store.stamp()
            ):
                return
            stamp, self._stamp = self._store.stamp(), None
            self._cache = loads(self._store.application.read_cache())
            self._stamp = stamp

    def _write(self, changed: _Changed) -> None:
        """Store what was changed; what others stored meanwhile stays, and is read by the next call."""
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
