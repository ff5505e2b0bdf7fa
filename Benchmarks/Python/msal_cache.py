# SPDX-License-Identifier: MIT
"""The tokens of a workload in the cache format of MSAL Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msal import PublicClientApplication, SerializableTokenCache, TokenCache  # type: ignore
from workload import AUTHORITY, CLIENT, MSAL_HOST, Workload

SECTIONS = {
    2001: "AccessToken",
    2002: "RefreshToken",
    2003: "IdToken",
    1003: "Account",
    3001: "AppMetadata",
}


def write_msal(workload: Workload, path: Path) -> None:
    """Writes a workload as the file of msal-extensions."""
    cache: dict[str, dict[str, Any]] = {}
    for document in msal_documents(workload):
        for section, entries in document.items():
            cache.setdefault(section, {}).update(entries)
    path.write_text(json.dumps(cache, indent=4))


def msal_documents(workload: Workload) -> Iterator[dict[str, dict[str, Any]]]:
    """Returns the records of a workload as cache documents of at most 100 records each, with MSAL's own keys."""
    keys = TokenCache().key_makers
    cache: dict[str, dict[str, Any]] = {}
    for number, (kind, record) in enumerate(workload.records(MSAL_HOST)):
        section = SECTIONS.get(kind)
        if section is not None:
            cache.setdefault(section, {})[keys[section](**record)] = record
        if number % 100 == 99:
            yield cache
            cache = {}
    yield cache


class _Response:
    """A response of the stub."""

    status_code = 200

    def __init__(self, document: dict[str, Any]) -> None:
        self.text = json.dumps(document)
        self.headers: dict[str, str] = {}

    def raise_for_status(self) -> None:
        """Does nothing: every response succeeds."""


class Stub:
    """An HTTP client for MSAL Python that returns the two discovery documents at once."""

    def get(self, url: str, **_: Any) -> _Response:
        """Returns a discovery document."""
        if "discovery/instance" in url:
            return _Response(
                {"tenant_discovery_endpoint": f"{AUTHORITY}/v2.0/.well-known/openid-configuration"}
            )
        return _Response(
            {
                "issuer": f"{AUTHORITY}/v2.0",
                "authorization_endpoint": f"{AUTHORITY}/oauth2/v2.0/authorize",
                "token_endpoint": f"{AUTHORITY}/oauth2/v2.0/token",
                "device_authorization_endpoint": f"{AUTHORITY}/oauth2/v2.0/devicecode",
            }
        )

    def post(self, url: str, **_: Any) -> _Response:
        """Ends the program: no measured call requests a new token."""
        raise SystemExit(f"MSAL Python asked {url}")

    def close(self) -> None:
        """Does nothing: no connection is open."""


def application_of(path: Path, *, in_file: bool) -> PublicClientApplication:
    """Returns MSAL Python with a cache file, or with its content in memory."""
    cache: TokenCache
    if in_file:
        from msal_extensions import FilePersistence, PersistedTokenCache  # type: ignore

        cache = PersistedTokenCache(FilePersistence(str(path)))
    else:
        memory = SerializableTokenCache()
        memory.deserialize(path.read_text())
        cache = memory
    return PublicClientApplication(
        CLIENT, authority=AUTHORITY, token_cache=cache, http_client=Stub(), instance_discovery=False
    )
