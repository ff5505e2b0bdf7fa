# SPDX-License-Identifier: MIT
"""Silent calls, with a cache of serialized requests and parsed results.

The library reads the store in every call. The binding never decides whether a token is valid; it saves only its
own work. Each request is serialized once. As long as the library returns the same bytes, the same result object is
returned.
"""

from __future__ import annotations

from time import time

from ._calls import (
    call,
    call_blocking,
    create_value,
    parse_response,
    runs_signal_handlers,
    uses_cooperative_threads,
)
from ._errors import TesseraError
from ._native import library
from ._requests import silent_request
from ._results import TokenResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from ._calls import ApplicationHandle, Cancellation
    from ._requests import Extras, Key

    # The time until which the call needs no server, in seconds since 1970; the request; the response; the result.
    CachedResult = tuple[float, bytes, bytes, TokenResult]
    Kind = TypeVar("Kind")

CACHE_LIMIT = 10_000
"""The maximum number of cached requests and results of an application; the oldest are evicted."""

VALID_UNTIL_LIMIT = 100_000
"""The maximum number of requests for which the time until which they need no server is stored."""

UNFINISHED = (b'"refresh_error"', b'"brokers"', b'"warnings"')
"""The members of a result if its call may have ended early because of the timeout."""

DEFAULT_MARGIN = 300
"""The default expiry margin in seconds, as in MSAL."""


class SilentTokens:
    """The requests of one application with their latest responses and results."""

    __slots__ = ("_margin", "_valid_until", "cached")

    def __init__(self, margin: float | None) -> None:
        """Creates an empty cache."""
        self.cached: dict[Key, CachedResult] = {}
        self._valid_until: dict[Key, float] = {}
        self._margin = DEFAULT_MARGIN if margin is None else margin

    def clear(self) -> None:
        """Clears the cache, so that the next responses are parsed again."""
        self.cached.clear()
        self._valid_until.clear()

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
        """Makes a call that may wait for a server, or that has no cached request."""
        request = silent_request(
            key, correlation_id=correlation_id, force_refresh=force_refresh, explain=explain,
            for_application=for_application, extras=extras,
        )  # fmt: skip
        may_be_stored = not force_refresh and key[3] is None
        response = None
        if may_be_stored and time() < self._valid_until.get(key, 0):
            function = library().tessera_application_acquire_token_silent
            response = call(function, handle, request, cancellation and cancellation._handle)
        elif (
            may_be_stored
            and not (explain or for_application)
            and (runs_signal_handlers() or uses_cooperative_threads())
        ):
            response = _stored_response(handle, key, correlation_id, extras, cancellation)
        if response is None:
            response = call_blocking(
                "acquire_token_silent", handle, request, cancellation=cancellation
            )
        if explain or for_application:
            return create_value(TokenResult, parse_response(*response))
        return self.result_for(key, *response)

    def result_for(self, key: Key, status: int, response: bytes) -> TokenResult:
        """Returns the cached result of the same response, or a new one."""
        cached = self.cached.get(key)
        if cached is not None and status == 0 and response == cached[2]:
            return cached[3]
        try:
            result = create_value(TokenResult, parse_response(status, response))
        except TesseraError:
            self._forget(key)
            raise
        if result.declined_scopes:
            # Not cached: the next call may get all scopes.
            self._forget(key)
            return result
        until = min(result.expires_on - self._margin, result.refresh_on or result.expires_on)
        request = silent_request(key, force_refresh=False)
        _insert(self.cached, key, (until, request, response, result), CACHE_LIMIT)
        _insert(self._valid_until, key, until, VALID_UNTIL_LIMIT)
        return result

    def _forget(self, key: Key) -> None:
        self.cached.pop(key, None)
        self._valid_until.pop(key, None)


def _stored_response(
    handle: ApplicationHandle,
    key: Key,
    correlation_id: str | None,
    extras: Extras | None,
    cancellation: Cancellation | None,
) -> tuple[int, bytes] | None:
    """Returns the response with a valid token of the store; None if the call would wait.

    With a timeout of 0, the library sends no request and waits for no lock. The main thread, or the one that
    cooperative threads share, can therefore make the call itself. Starting a helper thread takes as long as the
    call, and far longer while other processes are busy.
    """
    request = silent_request(
        (*key[:4], 0, *key[5:]), force_refresh=False, correlation_id=correlation_id, extras=extras
    )
    function = library().tessera_application_acquire_token_silent
    status, response = call(function, handle, request, cancellation and cancellation._handle)
    # A refresh, a broker or an unsaved change may need time that this call did not have.
    return (status, response) if status == 0 and not any(map(response.count, UNFINISHED)) else None


def _insert(cache: dict[Key, Kind], key: Key, value: Kind, limit: int) -> None:
    cache[key] = value
    if len(cache) > limit:
        # Evict a tenth at a time, because a dictionary skips all deleted entries to find its oldest key.
        for old in list(cache)[: max(limit // 10, 1)]:
            cache.pop(old, None)
