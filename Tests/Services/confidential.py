# SPDX-License-Identifier: MIT
"""The confidential clients of glewlwyd, and the issuer that authenticates them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from certificates import make_signing_key
from registration import SCOPES, issuer_settings

if TYPE_CHECKING:
    from pathlib import Path

    from server import Glewlwyd

    from keys import KeyFiles

ISSUER = "services"
SECRET_CLIENT = "daemon-secret"
# The provider does not decode the form-encoding of Basic credentials (RFC 6749 section 2.3.1).
SECRET = "a-secret-of-a-daemon"
KEY_CLIENT = "daemon-key"
SCOPE = "api.read"


def register_services(server: Glewlwyd, directory: Path, keys: KeyFiles) -> None:
    """Registers a client with a secret, one with a public key, and an issuer for both."""
    session = server.session()
    session.log_in("admin", "password")
    usual: dict[str, Any] = {
        "name": "A daemon", "confidential": True, "enabled": True, "scope": [SCOPE],
        "redirect_uri": [], "authorization_type": ["client_credentials"],
    }  # fmt: skip
    secret = {
        "client_id": SECRET_CLIENT,
        "client_secret": SECRET,
        "token_endpoint_auth_method": ["client_secret_basic", "client_secret_post"],
    }
    key = {
        "client_id": KEY_CLIENT,
        "pubkey": keys.public_key,
        "token_endpoint_auth_method": ["private_key_jwt"],
    }
    for client in (secret, key):
        session.call("POST", "/api/client/", {**usual, **client})
    private, public = make_signing_key(directory)
    settings = {
        "iss": server.issuer(ISSUER), "key": private, "cert": public, "allowed-scope": list(SCOPES),
        "auth-type-client-enabled": True, "request-parameter-allow": True,
        "request-maximum-exp": 3600, "client-pubkey-parameter": "pubkey",
        "client-jwks-parameter": "jwks", "client-jwks_uri-parameter": "jwks_uri",
    }  # fmt: skip
    plugin = {
        "module": "oidc", "name": ISSUER, "display_name": ISSUER, "order_rank": 0,
        "parameters": {**issuer_settings(3600), **settings},
    }  # fmt: skip
    session.call("POST", "/api/mod/plugin/", plugin)
