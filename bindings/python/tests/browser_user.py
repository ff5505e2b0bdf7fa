# SPDX-License-Identifier: MIT
"""A user with a browser, for tests: signs in on the provider's page, and opens the redirect URL."""

from __future__ import annotations

import http.client
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

    from provider import Provider
    from tessera_identity import SignInPrompt

WITHOUT_A_BROWSER = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "WSL_INTEROP", "WSL_DISTRO_NAME")
"""The variables without which no browser is opened."""


def open_url(url: str) -> str:
    """Opens an address and its redirect; returns the text of the last page."""
    address = urlsplit(url)
    assert address.hostname is not None
    path = f"{address.path or '/'}?{address.query}"
    for _ in range(2):
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
        connection.request("GET", path)
        response = connection.getresponse()
        page = response.read().decode()
        connection.close()
        if response.status != 303:
            return page
        path = response.headers["Location"]
    raise AssertionError(f"{path} leads on")


def user_who_signs_in(
    provider: Provider, username: str = "alice@contoso.com"
) -> Callable[[SignInPrompt], object]:
    """Returns a prompt function that does the steps of a user in a browser."""
    import threading

    def show(prompt: SignInPrompt) -> None:
        def visit() -> None:
            open_url(provider.visit(prompt.url, username))

        threading.Thread(target=visit, daemon=True).start()

    return show
