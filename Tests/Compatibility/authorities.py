# SPDX-License-Identifier: MIT
"""Authorities of every kind under https names, with fixed fake tokens, and a record of each request."""

from __future__ import annotations

import base64
import json
import time
import urllib.parse
from pathlib import Path
from typing import Any

from front import Front

EXPIRES_ON = 4102444800
"""The expiry of every access token: 1 January 2100."""
ENTRA, B2C, CIAM, ADFS, OPENID = (
    "https://login.microsoftonline.com", "https://customers.b2clogin.com",
    "https://external.ciamlogin.com", "https://fs.contoso.com", "https://accounts.example.com",
)  # fmt: skip
CONTOSO, FABRIKAM = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
AUTHORITIES = {
    "entra": f"{ENTRA}/common",
    "b2c": f"{B2C}/customers.onmicrosoft.com/b2c_1_signin",
    "ciam": f"{CIAM}/external.onmicrosoft.com",
    "adfs": f"{ADFS}/adfs",
    "openid": OPENID,
}
FAMILY = ("00001111-aaaa-4000-8000-00000000000a", "00001111-aaaa-4000-8000-00000000000b")
"""The client IDs that share refresh tokens."""


def object_id(name: str) -> str:
    """Returns the object ID of a user: the first letters of the name in hexadecimal."""
    return f"{name.encode().hex():0<8}"[:8] + "-0000-4000-8000-000000000000"


def encoded(claims: dict[str, Any]) -> str:
    """Encodes a JSON object in base64url."""
    text = json.dumps(claims, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


class Authorities(Front):
    """A proxy in front of all authorities, which issues numbered, unsigned tokens."""

    def __init__(self, folder: Path) -> None:
        hosts = [urllib.parse.urlsplit(address).netloc for address in AUTHORITIES.values()]
        super().__init__(folder, dict.fromkeys(hosts, ""))
        self.reset()

    def reset(self, step: int = 0) -> None:
        """Clears the requests and restores valid responses; `step` is added to the wall clock, in seconds."""
        self._step = step
        self.seen: list[dict[str, Any]] = []
        """Every request: method, URL, headers and form."""
        self.username = "alice@contoso.com"
        """The user of the next sign-in."""
        self.nonce: str | None = None
        """The nonce of the next ID token."""
        self.failure: tuple[int, dict[str, Any]] | None = None
        """The response to token requests instead of tokens; None for tokens."""
        self.refresh_on: int | None = None
        """The time from which the next token should be refreshed."""

    def asked(
        self, method: str, url: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[int, bytes]:
        """Records a request; returns the status and the body of its response."""
        form = dict(urllib.parse.parse_qsl((body or b"").decode(), keep_blank_values=True))
        self.seen.append({"method": method, "url": url, "headers": headers, "form": form})
        address = urllib.parse.urlsplit(url)
        status, document = self._response(f"https://{address.netloc}", address.path, form)
        return status, json.dumps(document).encode()

    def _response(self, origin: str, path: str, form: dict[str, str]) -> tuple[int, Any]:
        if path.endswith("openid-configuration"):
            return 200, _configuration(origin, path.partition("/.well-known")[0])
        if path.endswith("/devicecode"):
            return 200, {
                "device_code": "fake-device-code", "user_code": "FAKE-CODE", "expires_in": 900,
                "verification_uri": f"{origin}/device", "interval": 1,
            }  # fmt: skip
        if not path.endswith("/token"):
            return 200, {}
        if self.failure:
            return self.failure
        return 200, self._tokens(origin, path, form)

    def _tokens(self, origin: str, path: str, form: dict[str, str]) -> dict[str, Any]:
        name = self.username.partition("@")[0]
        if form["grant_type"] == "refresh_token":
            name = form["refresh_token"].split("-")[3]
        number = sum(each["url"].endswith("/token") for each in self.seen)
        client = form["client_id"]
        now = int(time.time()) + self._step
        body = {
            "token_type": "Bearer", "expires_in": EXPIRES_ON - now,
            "access_token": f"fake-access-token-{name}-{number}",
            "refresh_token": f"fake-refresh-token-{name}-{number}",
            "id_token": _id_token(origin, path, {
                "aud": client, "sub": f"subject-{name}", "iat": now, "exp": EXPIRES_ON, "name": name.title(),
                "preferred_username": f"{name}@contoso.com", "oid": object_id(name),
                **({"nonce": self.nonce} if self.nonce else {}),
            }),
        }  # fmt: skip
        if self.refresh_on:
            body["refresh_in"] = self.refresh_on - now
        self.nonce = self.refresh_on = None
        if "scope" in form:
            body["scope"] = form["scope"]
        if origin in (ENTRA, B2C, CIAM):
            body["client_info"] = encoded({"uid": object_id(name), "utid": CONTOSO})
        if origin == ENTRA:
            body["ext_expires_in"] = EXPIRES_ON + 3600 - now
            if client in FAMILY:
                body["foci"] = "1"
        return body


def _configuration(origin: str, path: str) -> dict[str, Any]:
    base = f"{origin}{path.removesuffix('/v2.0')}"
    endpoints = f"{base}/oauth2/v2.0" if origin in (ENTRA, B2C, CIAM) else f"{base}/oauth2"
    return {
        "issuer": _issuer(origin, path), "token_endpoint": f"{endpoints}/token",
        "authorization_endpoint": f"{endpoints}/authorize", "jwks_uri": f"{endpoints}/keys",
        "device_authorization_endpoint": f"{endpoints}/devicecode",
        "end_session_endpoint": f"{endpoints}/logout", "revocation_endpoint": f"{endpoints}/revoke",
    }  # fmt: skip


def _issuer(origin: str, path: str) -> str:
    tenant = path.split("/")[1] if "/" in path else ""
    if origin == ENTRA:
        return f"{ENTRA}/{'{tenantid}' if tenant == 'common' else tenant}/v2.0"
    if origin in (B2C, CIAM):
        return f"{origin}/{CONTOSO}/v2.0"
    return f"{origin}/adfs" if origin == ADFS else origin


def _id_token(origin: str, path: str, claims: dict[str, Any]) -> str:
    tenant = path.split("/")[1]
    if tenant == "common" or origin != ENTRA:
        tenant = CONTOSO
    own = {"iss": _issuer(origin, f"/{tenant}" if origin == ENTRA else path), **claims}
    if origin in (ENTRA, B2C, CIAM):
        own |= {"tid": tenant, "ver": "2.0"}
    header = {"alg": "RS256", "typ": "JWT", "kid": "fake"}
    return ".".join(encoded(part) for part in (header, own, {"signature": "fake"}))
