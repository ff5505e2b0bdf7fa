# SPDX-License-Identifier: MIT
"""The account of the fake broker, and the tokens for it."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

CLIENT = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"
AUTHORITY = "https://login.microsoftonline.com/common"
REDIRECT = AUTHORITY + "/oauth2/nativeclient"
OBJECT, TENANT = "11111111-2222-4333-8444-555555555555", "99999999-8888-4777-8666-555555555555"
HOME = f"{OBJECT}.{TENANT}"
REFRESH_TOKEN = "a-refresh-token-of-the-broker"  # noqa: S105 - not a valid secret
ACCOUNT = {
    "environment": "login.windows.net", "givenName": "Alice", "homeAccountId": HOME, "localAccountId": OBJECT,
    "name": "Alice Example", "passwordExpiry": 0, "realm": TENANT, "username": "alice@contoso.com",
}  # fmt: skip


def encoded(value: dict[str, Any]) -> str:
    """Returns a part of a token."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def id_token(client: str = CLIENT) -> str:
    """Returns an ID token for Alice. Its signature is invalid, because clients need not verify it."""
    claims = {
        "iss": f"https://login.microsoftonline.com/{TENANT}/v2.0", "aud": client, "tid": TENANT, "oid": OBJECT,
        "sub": "subject", "preferred_username": "alice@contoso.com", "name": "Alice Example",
        "exp": int(time.time()) + 3600,
    }  # fmt: skip
    return encoded({"alg": "RS256", "typ": "JWT"}) + "." + encoded(claims) + ".c2lnbmF0dXJl"


def tokens(access_token: str = "a-token-of-the-broker", **members: Any) -> dict[str, Any]:
    """Returns the response with tokens for Alice."""
    ends = (int(time.time()) + 3600) * 1000
    response = {
        "accessToken": access_token, "accessTokenType": 0,
        "expiresOn": ends, "extendedExpiresOn": ends + 3_600_000,
        "clientInfo": encoded({"uid": OBJECT, "utid": TENANT}), "grantedScopes": "User.Read openid profile",
        "idToken": id_token(), "refreshToken": REFRESH_TOKEN, **members,
    }  # fmt: skip
    return {"brokerTokenResponse": response, "telemetry": {}}


def error(status: int, sub_error: str | None = None, **members: Any) -> dict[str, Any]:
    """Returns the response with an error instead of tokens."""
    details = {"context": "", "diagnostics": None, "errorCode": 0, "status": status, "subStatus": 0, "tag": 1}
    return {"brokerTokenResponse": {"error": {**details, **members}, "subError": sub_error}, "telemetry": {}}


def usual() -> dict[str, Any]:
    """Returns a broker with Alice's account that supports all methods."""
    return {
        "getLinuxBrokerVersion": {"answer": {"linuxBrokerVersion": "2.5.2"}},
        "getAccounts": {"answer": {"accounts": [ACCOUNT]}},
        "acquireTokenSilently": {"answer": tokens()},
        "acquireTokenInteractively": {"answer": tokens("a-token-of-the-window")},
        "acquirePrtSsoCookie": {
            "answer": {"cookieItems": [{"cookieName": "x-ms-RefreshTokenCredential", "cookieContent": "jwt"}]}
        },
        "generateSignedHttpRequest": {"answer": {"signedHttpRequest": "s.h.r"}},
        "removeAccount": {"answer": {}},
    }
