# SPDX-License-Identifier: MIT
"""Arguments that other libraries take: refused at the call, with the argument that is meant."""

from __future__ import annotations

import asyncio
import pickle
from typing import Any

import pytest

from fake import CREATE, GET_ACCOUNTS, INTERACTIVE, SILENT, TOKEN, Fake
from tessera import PublicClientApplication, TokenResult
from tessera.azure import TesseraCredential, aio

STORAGE = "https://storage.azure.com/.default"


def test_authorization_header_is_ready_to_send() -> None:
    for token_type in ("Bearer", "bearer"):
        result = TokenResult({**TOKEN, "token_type": token_type})
        assert result.authorization_header == f"Bearer {result.access_token}"
        assert result.access_token not in repr(result)


