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


def test_prompt_of_msal_is_refused_before_anything_is_opened(
    fake: Fake, application: PublicClientApplication
) -> None:
    prompt: Any = "select_account"
    with pytest.raises(TypeError, match="page_prompt='select_account'"):
        application.acquire_token_interactive(["a"], prompt=prompt)
    call = application.acquire_token_interactive_async(["a"], prompt=prompt)
    with pytest.raises(TypeError, match="page_prompt='select_account'"):
        asyncio.run(call)
    assert fake.request(INTERACTIVE) is None


def test_authorization_header_is_ready_to_send() -> None:
    for token_type in ("Bearer", "bearer"):
        result = TokenResult({**TOKEN, "token_type": token_type})
        assert result.authorization_header == f"Bearer {result.access_token}"
        assert result.access_token not in repr(result)


