# SPDX-License-Identifier: MIT
"""MSAL Python as applications use it: with a file of msal-extensions, and the network of a test."""

from __future__ import annotations

import json
import urllib.parse
from pathlib import Path
from typing import Any

from front import Front
from msal import ClientApplication, ConfidentialClientApplication, PublicClientApplication  # type: ignore
from msal_extensions import FilePersistence, PersistedTokenCache  # type: ignore

from examples import Mismatch


class Answer:
    """A response in the form that MSAL Python reads."""

    def __init__(self, status: int, text: str) -> None:
        self.status_code = status
        self.text = text
        self.headers: dict[str, str] = {}

    def raise_for_status(self) -> None:
        """Raises an error unless the response is a success."""
        if self.status_code >= 400:
            raise Mismatch(f"MSAL Python was answered {self.status_code}: {self.text[:200]}")


def instances(host: str) -> Answer:
    """Returns Microsoft's metadata about the hosts of its public cloud."""
    hosts = [
        "login.microsoftonline.com",
        "login.windows.net",
        "login.microsoft.com",
        "sts.windows.net",
    ]
    cloud = {"preferred_network": hosts[0], "preferred_cache": hosts[1], "aliases": hosts}
    endpoint = f"https://{host}/common/v2.0/.well-known/openid-configuration"
    return Answer(200, json.dumps({"tenant_discovery_endpoint": endpoint, "metadata": [cloud]}))


class Network:
    """The network through the front."""

    def __init__(self, front: Front) -> None:
        self._front = front

    def get(self, url: str, params: dict[str, str] | None = None, **_: Any) -> Answer:
        """Sends a query."""
        if "/discovery/instance" in url:
            return instances(url.split("/")[2])
        address = f"{url}?{urllib.parse.urlencode(params)}" if params else url
        status, body = self._front.asked("GET", address, None, {"Accept": "application/json"})
        return Answer(status, body.decode())

    def post(self, url: str, data: Any = None, **_: Any) -> Answer:
        """Sends a form."""
        body = data if isinstance(data, bytes) else urllib.parse.urlencode(data or {}).encode()
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        }
        status, answer = self._front.asked("POST", url, body, headers)
        return Answer(status, answer.decode())

    def close(self) -> None:
        """Closes nothing."""


class NoNetwork:
    """No network: only the metadata that the constructor requires is returned."""

    def get(self, url: str, **_: Any) -> Answer:
        """Returns discovery metadata derived from the address."""
        if "/discovery/instance" in url:
            return instances(url.split("/")[2])
        if not url.endswith("/.well-known/openid-configuration"):
            raise Mismatch(f"MSAL Python asked {url}")
        base = url[: -len("/.well-known/openid-configuration")].removesuffix("/v2.0")
        middle = "oauth2" if base.endswith("/adfs") else "oauth2/v2.0"
        endpoints = {
            f"{name}_endpoint": f"{base}/{middle}/{name}" for name in ("authorization", "token")
        }
        return Answer(200, json.dumps({"issuer": base, **endpoints}))

    def post(self, url: str, **_: Any) -> Answer:
        """Raises an error."""
        raise Mismatch(f"MSAL Python asked {url}")

    def close(self) -> None:
        """Closes nothing."""


class Refusing(NoNetwork):
    """No network, with a count of rejected requests and an error in MSAL Python's form."""

    def __init__(self) -> None:
        self.refused: list[str] = []

    def post(self, url: str, **_: Any) -> Answer:
        """Responds with a server error."""
        self.refused.append(url)
        return Answer(
            400, json.dumps({"error": "invalid_grant", "error_description": "refused by the test"})
        )


def cache_at(path: Path) -> PersistedTokenCache:
    """Returns the cache of a file, not read before."""
    return PersistedTokenCache(FilePersistence(str(path)))


def public(path: Path, client: str, authority: str, network: Any) -> PublicClientApplication:
    """Returns a public client with a file."""
    return made(PublicClientApplication, path, client, authority, network)


def confidential(
    path: Path, client: str, authority: str, network: Any
) -> ConfidentialClientApplication:
    """Returns a confidential client with a file."""
    return made(
        ConfidentialClientApplication,
        path,
        client,
        authority,
        network,
        client_credential="a secret",
    )


def made(
    kind: type[ClientApplication],
    path: Path,
    client: str,
    authority: str,
    network: Any,
    **more: Any,
) -> Any:
    """Returns an application of MSAL Python."""
    return kind(
        client, authority=authority, token_cache=cache_at(path), http_client=network, **more
    )


def expect_token(result: Any, source: str) -> dict[str, Any]:
    """Returns the token if it has the expected source, otherwise raises Mismatch."""
    if not isinstance(result, dict) or "access_token" not in result:
        raise Mismatch(f"MSAL Python got no token: {result!r:.300}")
    if result["token_source"] != source:
        raise Mismatch(f"MSAL Python got it from {result['token_source']}, not {source}")
    return result
