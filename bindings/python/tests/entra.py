# SPDX-License-Identifier: MIT
"""A network for MSAL Python in which Entra issues tokens to every user, and counts the requests."""

from __future__ import annotations

import base64
import json
from typing import Any

TENANT = "aaaabbbb-0000-cccc-1111-dddd2222eeee"
AUTHORITY = f"https://login.microsoftonline.com/{TENANT}"
CLIENT = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"
SCOPES = ["User.Read"]


def _coded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


class Answer:
    """A response in the form that MSAL reads."""

    def __init__(self, document: object) -> None:
        self.status_code = 200
        self.text = json.dumps(document)
        self.headers: dict[str, str] = {}

    def raise_for_status(self) -> None:
        pass


class Entra:
    """An `http_client` for MSAL."""

    def __init__(self, name: str = "alice", **more: object) -> None:
        self.name = name
        self.more = more
        self.posts: list[dict[str, Any]] = []

    def get(self, url: str, **_options: object) -> Answer:
        assert url.endswith("openid-configuration"), url
        return Answer({
            "issuer": f"{AUTHORITY}/v2.0",
            "authorization_endpoint": f"{AUTHORITY}/oauth2/v2.0/authorize",
            "token_endpoint": f"{AUTHORITY}/oauth2/v2.0/token",
        })  # fmt: skip

    def post(self, _url: str, *, data: dict[str, Any], **_options: object) -> Answer:
        self.posts.append(data)
        answer = {
            "token_type": "Bearer", "expires_in": 3600,
            "access_token": f"token {len(self.posts)} of {self.name}", **self.more,
        }  # fmt: skip
        if data["grant_type"] == "client_credentials":
            return Answer(answer)
        uid = f"{self.name}-0000-1111"
        claims = {
            "iss": f"{AUTHORITY}/v2.0", "aud": CLIENT, "sub": uid, "oid": uid, "tid": TENANT,
            "preferred_username": f"{self.name}@contoso.com", "exp": 4102444800, "iat": 1,
        }  # fmt: skip
        return Answer({
            **answer, "scope": data["scope"],
            "refresh_token": f"refresh {len(self.posts)} of {self.name}",
            "client_info": _coded({"uid": uid, "utid": TENANT}),
            "id_token": f"{_coded({'alg': 'none'})}.{_coded(claims)}.",
        })  # fmt: skip

    def close(self) -> None:
        pass
