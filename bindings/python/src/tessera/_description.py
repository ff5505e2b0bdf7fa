# SPDX-License-Identifier: MIT
"""What a token says of itself, for a developer who wonders why it was refused; nothing of it is checked."""

from __future__ import annotations

from ._calls import ask, made
from ._native import library
from ._values import Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class TokenDescription(Value):
    """What a token says of itself: unverified, for display and for finding mistakes, never for a decision.

    Attributes:
        kind: `jwt`, or `opaque` for something that only its maker can read.
        verified: False, always.
        hint: What is worth knowing about such a token.
        algorithm: `alg` of its header.
        issuer: `iss`: who says to have issued it.
        audiences: `aud`: for whom it is.
        subject: `sub`: about whom it is.
        tenant_id: `tid`: the tenant.
        client_id: `azp`, `appid` or `client_id`: the application that it was issued to.
        username: The name the person signs in with.
        scopes: `scp` or `scope`: what a person has delegated.
        roles: `roles`: what an application or a person was assigned.
        issued_on: `iat`, in seconds since 1970.
        not_before_on: `nbf`, in seconds since 1970.
        expires_on: `exp`, in seconds since 1970.
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
        """Take the members of the JSON object `TokenDescription`."""
        super().__init__(document)
        for name in ("audiences", "scopes", "roles"):
            assign(self, name, tuple(document.get(name) or ()))


def describe_token(token: str) -> TokenDescription:
    """Say what a token says of itself. Nothing of it is verified, and nobody is asked.

    Raises:
        InvalidRequest: The text has a NUL in it, or is longer than a megabyte.
    """
    # A NUL would truncate the token; a surrogate cannot occur in a token.
    text = token.encode("utf-8", "surrogatepass").replace(b"\0", b"\xff")
    return made(TokenDescription, ask(library().tessera_describe_token, text))
