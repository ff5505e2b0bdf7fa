# SPDX-License-Identifier: MIT
"""What a child of fork() may go on doing with its parent's application."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from real import SCOPES, application, needs_library, provider, running, settings, sign_in

if TYPE_CHECKING:
    from provider import Provider
    from tessera import PublicClientApplication

pytestmark = needs_library

__all__ = ["application", "provider", "running", "settings"]


def test_child_after_fork_uses_the_store(
    application: PublicClientApplication, provider: Provider
) -> None:
    result = sign_in(application, provider)
    application.acquire_token_silent(SCOPES, account=result.account)
    child = os.fork()
    if child == 0:
        try:
            token = application.acquire_token_silent(SCOPES, account=result.account)
            fresh = application.acquire_token_silent(
                SCOPES, account=result.account, force_refresh=True
            )
            good = token.access_token == result.access_token != fresh.access_token
        except BaseException:
            good = False
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
    token = application.acquire_token_silent(SCOPES, account=result.account)
    assert token.source == "cache"
    assert token.access_token != result.access_token


def test_daemon_goes_on_after_its_parent(
    application: PublicClientApplication, provider: Provider
) -> None:
    """A child that was forked while the store was open must have locks of its own, or its writes get lost."""
    result = sign_in(application, provider)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            application.acquire_token_silent(SCOPES, account=result.account)
            os.read(reading, 1)
            for _ in range(3):
                application.acquire_token_silent(SCOPES, account=result.account, force_refresh=True)
        except BaseException:
            os._exit(1)
        os._exit(0)
    application.acquire_token_silent(SCOPES, account=result.account, force_refresh=True)
    application.close()
    os.write(writing, b"x")
    assert os.waitpid(child, 0)[1] == 0
    assert provider.count("refresh_token_reuses") == 0
