# SPDX-License-Identifier: MIT
"""Alice, a user of the provider: the requests of her browser."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from registration import CLIENT, PASSWORD, SCOPES, USERNAME
from session import ProviderProblem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server import Glewlwyd
    from tessera_identity import PublicClientApplication, TokenResult

API = ["api.read"]
"""The scopes of the tests."""


class User:
    """Alice with a browser in which she has logged in."""

    def __init__(self, server: Glewlwyd) -> None:
        self._browser = server.session()
        self._browser.log_in(USERNAME, PASSWORD)

    def approve(
        self, verification_uri: str, user_code: str, scopes: Sequence[str] = SCOPES
    ) -> None:
        """Opens the verification page, enters the code, and grants some scopes to the application."""
        self._lands(self._browser.redirection(verification_uri), "device")
        entered = f"{verification_uri}?{urlencode({'code': user_code})}"
        question = _query(self._browser.redirection(entered))
        if question.get("client_id") != CLIENT:
            raise ProviderProblem("the page does not ask about the application")
        self._browser.call("PUT", f"/api/auth/grant/{CLIENT}", {"scope": " ".join(scopes)})
        self._lands(self._browser.redirection(entered + "&g_continue"), "deviceComplete")

    def revoke_everything(self, issuer: str) -> int:
        """Revokes the tokens that applications got from an issuer, on her profile page.

        Returns the number of sign-ins.
        """
        path = f"/api/{issuer}/token"
        tokens = [each for each in self._browser.call("GET", path) if each["enabled"]]
        for token in tokens:
            self._browser.call("DELETE", f"{path}/{quote(token['token_hash'], safe='')}")
        return len(tokens)

    @staticmethod
    def _lands(address: str, page: str) -> None:
        if _query(address).get("prompt") != page:
            raise ProviderProblem(f"the browser was not sent to the page {page}")


def sign_in(
    application: PublicClientApplication, user: User, granted: Sequence[str] = SCOPES
) -> TokenResult:
    """Signs in a user who grants some scopes to the application."""
    return application.acquire_token_by_device_code(
        API,
        prompt=lambda shown: user.approve(shown.verification_uri, shown.user_code, granted),
        timeout=30,
    )


def _query(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
