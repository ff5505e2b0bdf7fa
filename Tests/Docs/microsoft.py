# SPDX-License-Identifier: MIT
"""Microsoft's host as MSAL Python sees it: the local provider under that name."""

from __future__ import annotations

import os
from typing import Any

from peer import Answer
from peer_program import Direct

HOST = "login.microsoftonline.com"


class Network(Direct):
    """A network with that host alone."""

    def __init__(self) -> None:
        """Stand for the provider of this home."""
        self._origin = os.environ["DOCS_AUTHORITY"].rpartition("/")[0]
        super().__init__(HOST, self._origin)

    def _sent(self, url: str, body: bytes | None) -> Any:
        answer = super()._sent(url, body)
        return Answer(answer.status_code, answer.text.replace(self._origin, f"https://{HOST}"))
