# SPDX-License-Identifier: MIT
"""The declarations for the Python blocks of the pages: an application at the local provider, with Alice."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Any

import alice
import tessera_identity
from tessera_identity._application import ApplicationBase

__all__ = [
    "account", "accounts", "application", "asyncio", "keep", "kept", "seen", "show", "shown", "tessera_identity",
]  # fmt: skip

AUTHORITY = os.environ["DOCS_AUTHORITY"]
_create: Callable[..., None] = ApplicationBase.__init__


def _create_here(self: ApplicationBase, client_id: str, **members: Any) -> None:
    """Creates the application at the local provider; one for a broker uses Microsoft's authority."""
    if "broker" not in members:
        members |= {"authority_type": "entra"}
        if members.get("authority") != os.environ["DOCS_TENANT"]:
            members["authority"] = AUTHORITY
    _create(self, client_id, **members)


ApplicationBase.__init__ = _create_here  # type: ignore[assignment, method-assign]
application = tessera_identity.PublicClientApplication(
    "your-client-id", bundle_id="com.contoso.app", redirect_uri="msauth.com.contoso.app://auth"
) if "authenticator" in sys.argv else tessera_identity.PublicClientApplication("your-client-id")  # fmt: skip
accounts = application.get_accounts()
account = accounts[0] if accounts else None
shown: list[str] = []
"""The redirect URLs of the shown pages, and the shown codes."""
kept: list[str] = []


def show(prompt: Any) -> None:
    """Shows a code or the address of a page to Alice."""
    if isinstance(prompt, str):
        shown.append(alice.page(prompt))
    elif isinstance(prompt, tessera_identity.DeviceCodePrompt):
        alice.code(prompt.user_code)
        shown.append(prompt.user_code)


def keep(state: str) -> None:
    """Stores a state."""
    kept.append(state)


def seen(result: tessera_identity.TokenResult) -> None:
    """Fails unless a token belongs to Alice."""
    assert result.account is not None and result.account.username == "alice@contoso.com", result
