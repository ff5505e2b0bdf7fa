# SPDX-License-Identifier: MIT
"""What the Python blocks of the pages presuppose: an application at the local provider, with Alice."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Any

import person
import tessera

__all__ = [
    "account", "accounts", "application", "asyncio", "keep", "kept", "seen", "show", "shown", "tessera",
]  # fmt: skip

AUTHORITY = os.environ["DOCS_AUTHORITY"]
_create: Callable[..., None] = tessera.PublicClientApplication.__init__


def _create_here(self: tessera.PublicClientApplication, client_id: str, **members: Any) -> None:
    """Make an application as asked for, at the local provider; a broker's is at Microsoft."""
    if "broker" not in members:
        members |= {"authority": AUTHORITY, "authority_type": "entra"}
    _create(self, client_id, **members)


tessera.PublicClientApplication.__init__ = _create_here  # type: ignore[method-assign]
application = tessera.PublicClientApplication(
    "your-client-id", bundle_id="com.contoso.app", redirect_uri="msauth.com.contoso.app://auth"
) if "authenticator" in sys.argv else tessera.PublicClientApplication("your-client-id")  # fmt: skip
accounts = application.get_accounts()
account = accounts[0] if accounts else None
shown: list[str] = []
"""Where the pages led that were shown, and codes."""
kept: list[str] = []


def show(prompt: Any) -> None:
    """Show something to Alice: a code, or the address of a page that only this shows."""
    if isinstance(prompt, str):
        shown.append(person.page(prompt))
    elif isinstance(prompt, tessera.DeviceCodePrompt):
        person.code(prompt.user_code)
        shown.append(prompt.user_code)


def keep(state: str) -> None:
    """Keep a state."""
    kept.append(state)


def seen(result: tessera.TokenResult) -> None:
    """Fail unless a token is Alice's."""
    assert result.account is not None and result.account.username == "alice@contoso.com", result
