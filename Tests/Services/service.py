# SPDX-License-Identifier: MIT
"""A confidential client, called through the C interface."""

from __future__ import annotations

import base64
import json
from ctypes import byref, c_char_p, c_void_p
from dataclasses import dataclass
from typing import Any

from tessera_identity._native import library


@dataclass(frozen=True)
class Result:
    """The result of a call: its status and its document."""

    status: int
    document: dict[str, Any]

    @property
    def token(self) -> str:
        """The access token of a successful call."""
        assert self.status == 0, self.document
        return str(self.document["access_token"])

    @property
    def source(self) -> str:
        """`cache` or `network`, of a successful call."""
        assert self.status == 0, self.document
        return str(self.document["source"])

    @property
    def error(self) -> dict[str, Any]:
        """The error of a failed call."""
        assert self.status != 0, "the call succeeded"
        return dict(self.document["error"])


def claims(token: str) -> dict[str, Any]:
    """Returns the claims of a JWT without verification."""
    part = token.split(".")[1]
    return dict(json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))))


class Service:
    """An application with a credential."""

    def __init__(self, **configuration: Any) -> None:
        self._library = library()
        self._application = c_void_p()
        response = c_char_p()
        text = json.dumps(configuration).encode()
        status = self._library.tessera_application_create(
            text, None, byref(self._application), byref(response)
        )
        result = self._result(status, response)
        if status != 0:
            raise AssertionError(f"the application was not created: {result.document}")

    def token_for_client(self, **request: Any) -> Result:
        """Acquires a token of the application itself."""
        return self._call("acquire_token_for_client", request)

    def close(self) -> None:
        """Frees the application."""
        self._library.tessera_application_free(self._application)
        self._application = c_void_p()

    def _call(self, name: str, request: dict[str, Any]) -> Result:
        response = c_char_p()
        function = getattr(self._library, f"tessera_application_{name}")
        status = function(self._application, json.dumps(request).encode(), None, byref(response))
        return self._result(status, response)

    def _result(self, status: int, response: c_char_p) -> Result:
        document = json.loads(response.value or b"{}")
        self._library.tessera_string_free(response)
        return Result(status, document)
