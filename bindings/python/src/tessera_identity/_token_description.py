# SPDX-License-Identifier: MIT
"""The unverified contents of a token, for debugging."""

from __future__ import annotations

from ._calls import call_json, create_value
from ._native import library
from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class TokenDescription(Value):
    """The unverified contents of a token, for display and debugging; never use them for a decision.

    Attributes:
        kind: `jwt`, or `opaque` for a format that only the issuer can read.
        verified: Always False.
        hint: A hint about the use of such a token.
        algorithm: The `alg` header parameter.
        issuer: The claimed issuer (`iss`).
        audiences: The audiences (`aud`).
        subject: The subject (`sub`).
        tenant_id: The tenant (`tid`).
        client_id: The application to which the token was issued (`azp`, `appid` or `client_id`).
        username: The user name.
        scopes: The delegated permissions (`scp` or `scope`).
        roles: The roles assigned to the application or the user (`roles`).
        issued_on: The time of issue in seconds since 1970 (`iat`).
        not_before_on: The start of validity in seconds since 1970 (`nbf`).
        expires_on: The expiry time in seconds since 1970 (`exp`).
    """

    _required = ("kind", "verified", "hint")
    _optional = (
        "algorithm", "issuer", "audiences", "subject", "tenant_id", "client_id", "username", "scopes",
        "roles", "issued_on", "not_before_on", "expires_on",
    )  # fmt: skip
    __slots__ = _required + _optional

    kind: str
    verified: bool
    hint: str
    algorithm: str | None
    issuer: str | None
    audiences: tuple[str, ...]
    subject: str | None
    tenant_id: str | None
    client_id: str | None
    username: str | None
    scopes: tuple[str, ...]
    roles: tuple[str, ...]
    issued_on: int | None
    not_before_on: int | None
    expires_on: int | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object `TokenDescription`."""
        super().__init__(document)
        for name in ("audiences", "scopes", "roles"):
            assign(self, name, tuple(document.get(name) or ()))


def describe_token(token: str) -> TokenDescription:
    """Parses a token without verifying it. No request is sent.

    Raises:
        InvalidRequest: The text contains a NUL character or is longer than 1 MB.
    """
    # C would ignore the text after a NUL. A token cannot contain surrogates.
    text = token.encode("utf-8", "surrogatepass").replace(b"\0", b"\xff")
    return create_value(TokenDescription, call_json(library().tessera_token_describe, text))
