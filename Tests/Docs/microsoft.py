# SPDX-License-Identifier: MIT
"""Microsoft's host in MSAL Python: the local provider under that name."""

from __future__ import annotations

import os
import urllib.parse
from typing import Any

import alice
import msal  # type: ignore[import-not-found, import-untyped, unused-ignore]
from peer import Answer
from peer_program import Direct

HOST = "login.microsoftonline.com"


class Network(Direct):
    """A network with this host only."""

    def __init__(self) -> None:
        """Uses the provider of this home."""
        self._origin = os.environ["DOCS_AUTHORITY"].rpartition("/")[0]
        super().__init__(HOST, self._origin)

    def get(self, url: str, params: Any = None, **_: Any) -> Answer:
        """Sends a query; addresses in its parameters are replaced by those of the provider."""
        query = urllib.parse.urlencode(params or {}).replace(
            urllib.parse.quote(f"https://{HOST}", safe=""), urllib.parse.quote(self._origin, safe="")
        )
        answer: Answer = self._sent(f"{url}?{query}" if query else url, None)
        return answer

    def _sent(self, url: str, body: bytes | None) -> Any:
        answer = super()._sent(url, body)
        return Answer(answer.status_code, answer.text.replace(self._origin, f"https://{HOST}"))


def application(client_id: str) -> Any:
    """Returns an application of MSAL Python to which Alice is signed in."""
    app = msal.PublicClientApplication(
        client_id, authority=f"https://{HOST}/contoso.onmicrosoft.com", http_client=Network()
    )
    flow = app.initiate_device_flow(["User.Read"])
    alice.code(flow["user_code"])
    app.acquire_token_by_device_flow(flow)
    return app
