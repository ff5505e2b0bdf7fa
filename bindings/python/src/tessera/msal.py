# SPDX-License-Identifier: MIT
"""Tessera's store for programs that use MSAL Python: they share their sign-ins with everybody who uses the store.

    import msal
    from tessera.msal import TesseraTokenCache

    app = msal.PublicClientApplication("client-id", token_cache=TesseraTokenCache())

A program that already has a `msal_extensions.PersistedTokenCache` gives it a `TesseraPersistence` instead.
"""

from __future__ import annotations

from copy import deepcopy
from json import dumps, loads
from typing import TYPE_CHECKING, Any

from ._msal_persistence import TesseraPersistence
from ._msal_store import WatchedStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tessera import PublicClientApplication

try:
    import msal
except ImportError as error:
    raise ImportError("tessera.msal needs MSAL Python: pip install msal") from error

__all__ = ["TesseraPersistence", "TesseraTokenCache"]


class TesseraTokenCache(msal.SerializableTokenCache):  # type: ignore[misc] # MSAL has no types.
    """A token cache of MSAL Python that is Tessera's store.

    What one process stores is seen by the next call of every other one; of two that write at once neither loses
    anything, and no lock file is needed. A sign-in is one commit. Any number of threads may use one.

    Its calls can raise `StorageProblem` and `RetryLater` (`store_busy`) of Tessera.
    """

    def __init__(
        self,
        application: PublicClientApplication | None = None,
        **configuration: Any,  # noqa: ANN401 - those of PublicClientApplication
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
        # The entries that a sign-in has changed so far, as they were before; None while there is no sign-in.
        self._changed: dict[str, dict[str, Any]] | None = None

    def search(self, credential_type: str, *args: Any, **kwargs: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401
        """The entries that match, as MSAL Python asks for them."""
        self._refresh()
        found: Iterator[dict[str, Any]] = super().search(credential_type, *args, **kwargs)
        return found

    def add(self, event: dict[str, Any], **kwargs: Any) -> None:  # noqa: ANN401 - as MSAL has it
        """Store what a server has answered, in one commit."""
        with self._lock:
            self._refresh()
            self._changed = {}
            try:
                super().add(event, **kwargs)
                changed = self._changed
            finally:
                self._changed = None
            self._write(changed)

    def modify(
        self,
        credential_type: str,
        old_entry: dict[str, Any],
        new_key_value_pairs: dict[str, Any] | None = None,
    ) -> None:
        """Store or remove an entry."""
        with self._lock:
            if self._changed is None:
                self._refresh()
            key = self.key_makers[credential_type](**old_entry)
            before = deepcopy(self._cache.get(credential_type, {}).get(key))
            if before is None and not new_key_value_pairs:
                # Under another key, as another library has spelled it.
                before = deepcopy(old_entry)
            super().modify(credential_type, old_entry, new_key_value_pairs)
            changed: dict[str, dict[str, Any]] = {} if self._changed is None else self._changed
            changed.setdefault(credential_type, {}).setdefault(key, before)
            if self._changed is None:
                self._write(changed)

    def _refresh(self) -> None:
        """Read the store, unless nobody has written to it."""
        with self._lock:
            if self._changed is not None or (
                self._stamp is not None and self._stamp == self._store.stamp()
            ):
                return
            self._stamp = self._store.stamp()
            self._cache = loads(self._store.application.read_cache())

    def _write(self, changed: dict[str, dict[str, Any]]) -> None:
        """Store what was changed; what others stored meanwhile stays, and is read by the next call."""
        self._stamp = None
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
        self.has_state_changed = False
