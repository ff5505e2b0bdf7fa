# SPDX-License-Identifier: MIT
"""Silent tokens: what an application remembers of its calls, and the calls that are not answered by it.

The library looks into the store at every call; the binding never decides that a token is still good. What it
saves is its own work: the request is encoded once, and as long as the library answers with the same bytes,
the same result is handed out instead of being made again.
"""

from __future__ import annotations

from time import time

from ._calls import call, made, opened
from ._errors import TesseraError
from ._json_text import encoded
from ._native import library
from ._results import TokenResult
from ._stopping import answer_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from ._cancellation import Cancellation
    from ._handles import ApplicationHandle

    # The home account ID, scopes, authority, claims, timeout and environment of a call, and the user name of an
    # account without an ID.
    Key = tuple[
        str | None, tuple[str, ...], str | None, str | None, float | None, str | None, str | None
    ]
    # The additional body fields and query parameters of a call's requests.
    Extras = tuple[dict[str, str] | None, dict[str, str] | None]
    # The expiry of the cached response in seconds since 1970, the request, the response, the result.
    Known = tuple[float, bytes, bytes, TokenResult]
    Kind = TypeVar("Kind")

LIMIT = 10_000
"""How many requests an application remembers with their results; then the oldest are forgotten."""

LASTING = 100_000
"""Of how many requests it remembers until when they are answered without waiting."""

MAXIMUM = 1_000_000_000
"""Seconds that a timeout may have at most: thirty years."""

DEFAULT_MARGIN = 300
"""Seconds before its end at which a token is renewed, unless the configuration says otherwise (MSAL)."""


class SilentTokens:
    """The requests of one application that were answered before, with their results."""

    __slots__ = ("_lasting", "_margin", "known")

    def __init__(self, margin: float | None) -> None:
        """Remember nothing yet."""
        self.known: dict[Key, Known] = {}
        self._lasting: dict[Key, float] = {}
        self._margin = DEFAULT_MARGIN if margin is None else margin

    def forget(self) -> None:
        """Forget everything: the next calls are answered from the store."""
        self.known.clear()
        self._lasting.clear()

    def acquire(
        self,
        handle: ApplicationHandle,
        key: Key,
        *,
        cancellation: Cancellation | None,
        correlation_id: str | None,
        force_refresh: bool,
        explain: bool,
        for_application: bool = False,
        extras: Extras | None = None,
    ) -> TokenResult:
        """Make a call that may have to wait for a server, or whose request is not at hand."""
        request = silent_request(
            key, correlation_id=correlation_id, force_refresh=force_refresh, explain=explain,
            for_application=for_application, extras=extras,
        )  # fmt: skip
        if time() < self._lasting.get(key, 0) and not force_refresh and key[3] is None:
            function = library().tessera_acquire_token_silent
            answer = call(function, handle, request, cancellation and cancellation._handle)
        else:
            answer = answer_of("acquire_token_silent", handle, request, cancellation=cancellation)
        if explain or for_application:
            return made(TokenResult, opened(*answer))
        return self.answered(key, *answer)

    def answered(self, key: Key, status: int, answer: bytes) -> TokenResult:
        """The result of a call: the one that was made before from the same bytes, or a new one."""
        known = self.known.get(key)
        if known is not None and status == 0 and answer == known[2]:
            return known[3]
        try:
            result = made(TokenResult, opened(status, answer))
        except TesseraError:
            self.known.pop(key, None)
            self._lasting.pop(key, None)
            raise
        until = min(result.expires_on - self._margin, result.refresh_on or result.expires_on)
        request = silent_request(key, force_refresh=False)
        _remember(self.known, key, (until, request, answer, result), LIMIT)
        _remember(self._lasting, key, until, LASTING)
        return result


def _remember(memory: dict[Key, Kind], key: Key, value: Kind, limit: int) -> None:
    memory[key] = value
    if len(memory) > limit:
        # Evict a tenth at once: a lookup of a dictionary's oldest key iterates over all removed ones.
        for old in list(memory)[: max(limit // 10, 1)]:
            memory.pop(old, None)


def silent_request(
    key: Key,
    *,
    force_refresh: bool,
    correlation_id: str | None = None,
    explain: bool = False,
    for_application: bool = False,
    extras: Extras | None = None,
) -> bytes:
    """The JSON object `SilentRequest` for a key and what is different in each call."""
    home_account_id, scopes, authority, claims, timeout, environment, username = key
    fields, query = extras or (None, None)
    members: dict[str, Any] = {
        "home_account_id": home_account_id,
        "username": username,
        "environment": environment,
        "for_application": True if for_application else None,
        "scopes": scopes,
        "authority": authority,
        "force_refresh": True if force_refresh else None,
        "claims": claims,
        "extra_token_parameters": fields,
        "extra_query_parameters": query,
        "timeout_milliseconds": milliseconds(timeout),
        "correlation_id": correlation_id,
        "explain": True if explain else None,
    }
    return encoded(members)


def default_scope(resource: str) -> str:
    """The scope for everything that the program was granted at a resource, as ADAL asked for tokens.

    The resource is taken as it is: one that ends in a slash gets two, as Entra wants them.
    """
    return f"{resource}/.default"


def milliseconds(seconds: float | None) -> int | None:
    """A timeout as the library takes it."""
    if seconds is None:
        return None
    if isinstance(seconds, (str, bytes)) or not 0 <= seconds < MAXIMUM:
        raise ValueError(f"a timeout must be a number of seconds from 0 to {MAXIMUM}")
    return round(seconds * 1000)
