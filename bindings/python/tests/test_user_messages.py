# SPDX-License-Identifier: MIT
"""Texts for users that the application replaces: on the pages after a redirect, and for a device code."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from browser_user import open_url
from real import ALICE, CLIENT, SCOPES, needs_library, provider, running, settings
from tessera_identity import PublicClientApplication, SignInPrompt

if TYPE_CHECKING:
    from provider import Provider
    from tessera_identity._options import UserMessages

__all__ = ["provider", "running", "settings"]
pytestmark = needs_library


def test_the_page_after_a_redirect_has_the_texts_of_the_application(
    settings: dict[str, Any], provider: Provider
) -> None:
    texts: UserMessages = {
        "page_language": "de", "signed_in_title": "Angemeldet bei <b>Contoso</b> & Co.",
        "signed_in_text": "Sie können dieses Fenster schließen.",
    }  # fmt: skip
    pages: list[str] = []
    browsers: list[threading.Thread] = []

    def show(prompt: SignInPrompt) -> None:
        def browse() -> None:
            pages.append(open_url(provider.visit(prompt.url)))

        browsers.append(threading.Thread(target=browse))
        browsers[-1].start()

    with PublicClientApplication(CLIENT, **settings, user_messages=texts) as application:
        application.acquire_token_interactive(SCOPES, browser="show", prompt_callback=show, timeout=60)
    browsers[0].join()
    (page,) = pages
    assert '<html lang="de">' in page
    assert page.count("Angemeldet bei &lt;b&gt;Contoso&lt;/b&gt; &amp; Co.") == 2
    assert "<p>Sie können dieses Fenster schließen.</p>" in page
    assert "You have signed in" not in page
    assert "<b>" not in page


def test_a_device_code_has_the_text_of_the_application(
    settings: dict[str, Any], provider: Provider
) -> None:
    shown: list[str] = []

    def show(prompt: tessera_identity.DeviceCodePrompt) -> None:
        shown.append(prompt.message)
        assert prompt.message == f"{prompt.user_code} auf {prompt.verification_uri}"
        provider.approve(prompt.user_code, ALICE)

    texts: UserMessages = {"device_code": "{user_code} auf {verification_uri}"}
    with PublicClientApplication(CLIENT, **settings, user_messages=texts) as application:
        application.acquire_token_by_device_code(SCOPES, prompt_callback=show, timeout=60)
    assert len(shown) == 1


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        ({"signed_in_titel": "x"}, 'Did you mean "signed_in_title"?'),
        ({"signed_in_title": "x" * 501}, "user_messages.signed_in_title must be one line"),
        ({"signed_in_text": "a\nb"}, "user_messages.signed_in_text must be one line"),
        ({"signed_in_text": " "}, "user_messages.signed_in_text must be one line"),
        ({"device_code": "{verification_uri}"}, "user_messages.device_code must contain {user_code}."),
        ({"signed_in_title": 1}, "signed_in_title"),
    ],
)
def test_texts_that_cannot_be_shown_are_errors(texts: Any, problem: str) -> None:
    with pytest.raises(tessera_identity.TesseraError) as caught:
        PublicClientApplication(CLIENT, user_messages=texts)
    assert problem in caught.value.message
