# SPDX-License-Identifier: MIT
"""A pytest plugin that runs MSAL Python's own tests without a network, with the token cache of `SUITE_CACHE`.

The source distribution has the tests without their helper modules, which this plugin defines.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import types
import unittest
from pathlib import Path
from typing import Any

import msal
import msal.application
import msal.authority
import pytest
import requests

from tessera_identity.msal import TesseraTokenCache

ALIASES = (
    "login.microsoftonline.com",
    "login.windows.net",
    "login.microsoft.com",
    "sts.windows.net",
)
CACHES = ("TokenCache", "SerializableTokenCache")


class MinimalResponse:
    """A response of a server."""

    def __init__(self, status_code: int = 200, text: str = "", headers: Any = None) -> None:
        self.status_code, self.text, self.headers = status_code, text, headers or {}

    def raise_for_status(self) -> None:
        if self.status_code >= 400:
            raise requests.HTTPError(str(self.status_code))


class MinimalHttpClient(requests.Session):
    """An HTTP client."""

    def __init__(self, **_: Any) -> None:
        super().__init__()


class StoreTokenCache(TesseraTokenCache):
    """A cache on a new store."""

    def __init__(self) -> None:
        directory = Path(tempfile.mkdtemp(dir=os.environ["SUITE_DIRECTORY"]))
        super().__init__(store_directory=directory, key_sources=["key_file"])


def _module(name: str, **members: Any) -> types.ModuleType:
    module = types.ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module
    return module


def _openid_configuration(endpoint: str, *_: Any, **__: Any) -> dict[str, str]:
    issuer = endpoint.partition("/.well-known/")[0]
    endpoints = f"{issuer.removesuffix('/v2.0')}/oauth2/v2.0"
    return {
        "authorization_endpoint": f"{endpoints}/authorize", "token_endpoint": f"{endpoints}/token",
        "device_authorization_endpoint": f"{endpoints}/devicecode", "issuer": issuer,
    }  # fmt: skip


def _aliases(_: msal.ClientApplication, instance: str) -> list[str]:
    return [alias for alias in ALIASES if instance in ALIASES and alias != instance]


def pytest_configure() -> None:
    tests = _module("tests", unittest=unittest, Oauth2TestCase=unittest.TestCase)
    tests.__path__ = [str(Path.cwd() / "tests")]
    _module(
        "tests.http_client", MinimalResponse=MinimalResponse, MinimalHttpClient=MinimalHttpClient
    )
    _module("tests.broker_util", is_pymsalruntime_installed=lambda: False)
    msal.authority.tenant_discovery = _openid_configuration
    msal.ClientApplication._get_authority_aliases = _aliases
    if os.environ["SUITE_CACHE"] == "tessera":
        msal.TokenCache = msal.SerializableTokenCache = msal.application.TokenCache = (
            StoreTokenCache
        )


def _check_refresh_on(_: unittest.TestCase, result: dict[str, Any], refresh_in: int) -> None:
    """Allows a minute: MSAL's check fails if a second begins between its two readings of the clock."""
    assert abs(result.get("refresh_on", 0) - time.time() - refresh_in) < 60


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Replaces the classes in the test modules. MSAL's own module needs the original ones as base classes."""
    for item in items:
        case = getattr(item, "cls", None)
        if hasattr(case, "assertRefreshOn"):
            case.assertRefreshOn = _check_refresh_on  # type: ignore[union-attr]
    if os.environ["SUITE_CACHE"] != "tessera":
        return
    for module in {item.getparent(pytest.Module).obj for item in items}:  # type: ignore[union-attr]
        for name in CACHES:
            if hasattr(module, name):
                setattr(module, name, StoreTokenCache)
