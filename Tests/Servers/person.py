# SPDX-License-Identifier: MIT
"""Alice, who has an account at the provider: what she does in her browser, request by request."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from registration import CLIENT, PASSWORD, SCOPES, USERNAME
from session import ProviderProblem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server import Glewlwyd
    from tessera import PublicClientApplication, TokenResult

API = ["api.read"]
"""What the tests want tokens for."""


class Person:
    """Alice with a browser in which she has logged in."""

    def __init__(self, server: Glewlwyd) -> None:
        self._browser = server.session()
        self._browser.log_in(USERNAME, PASSWORD)

    def approve(
        self, verification_uri: str, user_code: str, scopes: Sequence[str] = SCOPES
    ) -> None:
        """Open the page that the application named, enter the code, and let the application have some scopes."""
        self._lands(self._browser.redirection(verification_uri), "device")
        entered = f"{verification_uri}?{urlencode({'code': user_code})}"
        question = _query(self._browser.redirection(entered))
        if question.get("client_id") != CLIENT:
            raise ProviderProblem("the page does not ask about the application")
        self._browser.call("PUT", f"/api/auth/grant/{CLIENT}", {"scope": " ".join(scopes)})
        self._lands(self._browser.redirection(entered + "&g_continue"), "deviceComplete")

    def revoke_everything(self, issuer: str) -> int:
        """Take back what applications got from an issuer, on the page of her profile; the number of sign-ins."""
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
    application: PublicClientApplication, person: Person, granted: Sequence[str] = SCOPES
) -> TokenResult:
    """Sign a person in who lets the application have some scopes."""
    return application.acquire_token_by_device_code(
        API,
        prompt=lambda shown: person.approve(shown.verification_uri, shown.user_code, granted),
        timeout=30,
    )


def _query(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
