# SPDX-License-Identifier: MIT
"""Silent first, then a page: with the real library, its listener, and the provider's pages."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from browser_user import user_who_signs_in
from expiry import wait_until_over
from real import SCOPES, application, needs_library, provider, running, settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from provider import Provider
    from tessera_identity import PublicClientApplication, SignInPrompt, TokenResult

    Ask = Callable[..., TokenResult]

__all__ = ["application", "provider", "running", "settings"]
pytestmark = needs_library


def blocking(application: PublicClientApplication, **options: Any) -> TokenResult:
    return application.acquire_token_interactive(SCOPES, silent_first=True, timeout=60, **options)


def awaited(application: PublicClientApplication, **options: Any) -> TokenResult:
    return asyncio.run(
        application.acquire_token_interactive_async(
            SCOPES, silent_first=True, timeout=60, **options
        )
    )


def unexpected_prompt(prompt: SignInPrompt) -> None:
    raise AssertionError(f"a page was shown: {prompt.reason}")


@pytest.fixture
def short(provider: Provider) -> Iterator[None]:
    """Access tokens with a lifetime of a second."""
    provider.command("set", access_token_lifetime_seconds=1)
    yield
    provider.command("set", access_token_lifetime_seconds=3600)


def expired(result: TokenResult) -> TokenResult:
    """Returns the same result, after its token has expired."""
    wait_until_over(result.expires_on)
    return result


@pytest.mark.parametrize("ask", [blocking, awaited])
def test_the_user_is_prompted_only_if_needed(
    application: PublicClientApplication, provider: Provider, ask: Ask
) -> None:
    first = ask(application, browser="show", prompt=user_who_signs_in(provider))
    assert first.browser_reason == "chosen"
    for account in (None, first.account):
        again = ask(application, account=account, prompt=unexpected_prompt)
        assert (again.source, again.access_token) == ("cache", first.access_token)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("ask", [blocking, awaited])
def test_an_expired_token_is_refreshed_without_interaction(
    application: PublicClientApplication, provider: Provider, ask: Ask
) -> None:
    first = expired(ask(application, browser="show", prompt=user_who_signs_in(provider)))
    again = expired(ask(application, account=first.account, prompt=unexpected_prompt))
    assert again.source == "network"
    assert again.access_token != first.access_token
    assert again.browser_reason is None
    provider.command("revoke_refresh_tokens", username="alice@contoso.com")
    again = ask(
        application, account=first.account, browser="show", prompt=user_who_signs_in(provider)
    )
    assert again.browser_reason == "chosen"


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("ask", [blocking, awaited])
def test_claims_of_the_rejection_are_requested(
    application: PublicClientApplication, provider: Provider, ask: Ask
) -> None:
    shown: list[str] = []

    def show(prompt: SignInPrompt) -> None:
        shown.append(prompt.url)
        user_who_signs_in(provider)(prompt)

    first = expired(ask(application, browser="show", prompt=user_who_signs_in(provider)))
    wanted = '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}'
    body = {"error": "interaction_required", "claims": wanted}
    provider.command("fail_token_requests", status=400, body=body)
    ask(application, account=first.account, browser="show", prompt=show)
    assert len(shown) == 1
    assert "acrs" in shown[0]
