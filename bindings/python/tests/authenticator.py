# SPDX-License-Identifier: MIT
"""A fake Microsoft Authenticator: parses a request, and returns an encrypted response."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import ProxyHandler, Request, build_opener

if TYPE_CHECKING:
    from provider import Provider

VERIFIER = "a" * 43
_opener = build_opener(ProxyHandler({}))


def base64url_encoded(data: bytes) -> str:
    """Returns base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def base64url_decoded(text: str) -> bytes:
    """Decodes base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def parameters(url: str) -> dict[str, str]:
    """Returns the parameters of a request."""
    pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True, strict_parsing=True)
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


def encrypted(key: bytes, plain: bytes) -> bytes:
    """Encrypts with AES-256-CBC and an initialization vector of zeros."""
    words = ["openssl", "enc", "-aes-256-cbc", "-K", key.hex(), "-iv", "00" * 16]
    return subprocess.run(words, input=plain, capture_output=True, check=True).stdout


def response_url(url: str, fields: dict[str, str], **outer: str | None) -> str:
    """Returns the response URL for a request, with some fields; `outer` changes the fields around them."""
    request = parameters(url)
    plain = urlencode({"broker_nonce": request["broker_nonce"], **fields}).encode()
    query: dict[str, str | None] = {
        "msg_protocol_ver": "3",
        "response": base64url_encoded(encrypted(base64url_decoded(request["broker_key"]), plain)),
        "hash": hashlib.sha256(plain).hexdigest().upper(),
        **outer,
    }
    place = request.get("brk_redirect_uri") or request["redirect_uri"]
    return f"{place}?{urlencode({name: text for name, text in query.items() if text is not None})}"


def tokens(url: str, provider: Provider, username: str) -> dict[str, str]:
    """Returns the provider's tokens for a sign-in with Authenticator, as response fields."""
    request = parameters(url)
    base = f"{request['authority']}/oauth2/v2.0"
    form = {
        "client_id": request["client_id"], "redirect_uri": request["redirect_uri"],
        "scope": f"{request['scope']} {request['extra_oidc_scopes']}", "client_info": "1",
    }  # fmt: skip
    challenge = base64url_encoded(hashlib.sha256(VERIFIER.encode()).digest())
    page = {
        **form, "response_type": "code", "state": "s", "nonce": "n",
        "code_challenge": challenge, "code_challenge_method": "S256",
    }  # fmt: skip
    code = parameters(provider.visit(f"{base}/authorize?{urlencode(page)}", username))["code"]
    body = {**form, "grant_type": "authorization_code", "code": code, "code_verifier": VERIFIER}
    with _opener.open(Request(f"{base}/token", urlencode(body).encode()), timeout=10) as response:
        document: dict[str, Any] = json.load(response)
    return {
        **{name: str(value) for name, value in document.items()},
        "authority": request["authority"], "success": "1",
    }  # fmt: skip
