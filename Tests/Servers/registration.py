# SPDX-License-Identifier: MIT
"""The configuration of a new glewlwyd: its users, its application and its issuers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from certificates import make_signing_key

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from session import Session

CLIENT = "tessera-example"
USERNAME = "alice"
PASSWORD = "a password of a test"
SCOPES = ("openid", "profile", "email", "offline_access", "api.read")


def register(
    session: Session,
    directory: Path,
    origin: str,
    lifetimes: Mapping[str, int],
    redirect_uri: str,
) -> None:
    """Configures a new provider with its administration interface.

    Args:
        session: A session without a login.
        directory: A directory for files.
        origin: The provider's own address.
        lifetimes: The issuers by name, each with the lifetime of its access tokens in seconds.
        redirect_uri: The redirect URI of the application.
    """
    session.log_in("admin", "password")
    for name in SCOPES[1:]:
        scope = {"name": name, "display_name": name, "description": name, "scheme": {}}
        session.call("POST", "/api/scope/", {**scope, "password_required": False})
    user = {
        "username": USERNAME,
        "name": "Alice Example",
        "email": "alice@example.test",
        "password": PASSWORD,
        "scope": [*SCOPES, "g_profile"],
        "enabled": True,
    }
    session.call("POST", "/api/user/", user)
    application = {
        "client_id": CLIENT,
        "name": "The examples of Tessera",
        "confidential": False,
        "enabled": True,
        "scope": [],
        "redirect_uri": [redirect_uri],
        "token_endpoint_auth_method": ["none"],
        "authorization_type": ["code", "device_authorization", "refresh_token"],
    }
    session.call("POST", "/api/client/", application)
    key, public_key = make_signing_key(directory)
    for name, lifetime in lifetimes.items():
        settings = {"iss": f"{origin}/api/{name}", "key": key, "cert": public_key}
        plugin = {
            "module": "oidc",
            "name": name,
            "display_name": name,
            "order_rank": 0,
            "parameters": {**issuer_settings(lifetime), **settings},
        }
        session.call("POST", "/api/mod/plugin/", plugin)


def issuer_settings(lifetime: int) -> dict[str, Any]:
    """Returns the settings of an OpenID Connect issuer, in glewlwyd's format."""
    return {
        "jwt-type": "rsa",
        "jwt-key-size": "256",
        "access-token-duration": lifetime,
        "refresh-token-duration": 86400,
        "refresh-token-rolling": True,
        # Each refresh rotates the refresh token; use of an old one revokes the new one as well.
        "refresh-token-one-use": "always",
        "code-duration": 600,
        "auth-type-code-enabled": True,
        "auth-type-code-revoke-replayed": True,
        "pkce-allowed": True,
        "pkce-method-plain-allowed": False,
        "pkce-required": True,
        "auth-type-token-enabled": False,
        "auth-type-id-token-enabled": True,
        "auth-type-none-enabled": False,
        "auth-type-password-enabled": False,
        "auth-type-client-enabled": False,
        "auth-type-device-enabled": True,
        "auth-type-refresh-enabled": True,
        "device-authorization-expiration": 600,
        "device-authorization-interval": 1,
        "allow-non-oidc": True,
        "jwks-show": True,
        "secret-type": "public",
        "subject-type": "public",
        "allowed-scope": list(SCOPES),
        "name-claim": "mandatory",
        "name-claim-scope": [],
        "email-claim": "mandatory",
        "email-claim-scope": [],
        "scope-claim": "no",
        "address-claim": {"type": "no"},
        "claims": [
            {
                "name": "preferred_username",
                "user-property": "username",
                "type": "string",
                "mandatory": True,
                "on-demand": False,
                "scope": [],
            }
        ],
        "session-management-allowed": False,
        "session-cookie-name": "TESSERA_TEST_SID",
        "session-cookie-expiration": 3600,
        "request-parameter-allow": False,
        "oauth-dpop-allowed": False,
        "oauth-par-allowed": False,
        "oauth-rar-allowed": False,
        "oauth-ciba-allowed": False,
        "resource-allowed": False,
    }
