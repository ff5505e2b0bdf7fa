# SPDX-License-Identifier: MIT
"""The token types of the Azure SDK, or equivalent ones if it is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

__all__ = ["AccessToken", "AccessTokenInfo", "access_token", "access_token_info"]

if TYPE_CHECKING:
    from azure.core.credentials import AccessToken, AccessTokenInfo

    from tessera_identity import TokenResult
else:
    try:
        from azure.core.credentials import AccessToken
    except ImportError:

        class AccessToken(NamedTuple):
            """An access token, like azure.core.credentials.AccessToken.

            Attributes:
                token: The access token.
                expires_on: The expiry time, in seconds since 1970.
            """

            token: str
            expires_on: int

            def __repr__(self) -> str:
                """Returns a description without the token."""
                return f"AccessToken(token=<redacted>, expires_on={self.expires_on})"

    try:
        # Since azure-core 1.31.
        from azure.core.credentials import AccessTokenInfo
    except ImportError:

        class AccessTokenInfo(NamedTuple):
            """An access token with its type and refresh time, like azure.core.credentials.AccessTokenInfo.

            Attributes:
                token: The access token.
                expires_on: The expiry time, in seconds since 1970.
                token_type: The token type, such as `Bearer`.
                refresh_on: The recommended refresh time, in seconds since 1970; None if the server returned none.
            """

            token: str
            expires_on: int
            token_type: str = "Bearer"  # noqa: S105 - not a password
            refresh_on: int | None = None

            def __repr__(self) -> str:
                """Returns a description without the token."""
                return f"AccessTokenInfo(token=<redacted>, expires_on={self.expires_on})"


def access_token(result: TokenResult) -> AccessToken:
    """Converts a result for `get_token`."""
    return AccessToken(result.access_token, result.expires_on)


def access_token_info(result: TokenResult) -> AccessTokenInfo:
    """Converts a result for `get_token_info`."""
    return AccessTokenInfo(
        result.access_token,
        result.expires_on,
        token_type=result.token_type,
        refresh_on=result.refresh_on,
    )
