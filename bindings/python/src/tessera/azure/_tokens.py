# SPDX-License-Identifier: MIT
"""What the Azure SDK takes for a token: its own types where it is installed, equal ones otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

__all__ = ["AccessToken", "AccessTokenInfo", "access_token", "access_token_info"]

if TYPE_CHECKING:
    from azure.core.credentials import AccessToken, AccessTokenInfo

    from tessera import TokenResult
else:
    try:
        from azure.core.credentials import AccessToken
    except ImportError:

        class AccessToken(NamedTuple):
            """A token as clients of the Azure SDK take it (azure.core.credentials.AccessToken).

            Attributes:
                token: The token.
                expires_on: When it ends, in seconds since 1970.
            """

            token: str
            expires_on: int

            def __repr__(self) -> str:
                """Without the token."""
                return f"AccessToken(token=<redacted>, expires_on={self.expires_on})"

    try:
        # Since azure-core 1.31.
        from azure.core.credentials import AccessTokenInfo
    except ImportError:

        class AccessTokenInfo(NamedTuple):
            """A token with what else is known of it (azure.core.credentials.AccessTokenInfo).

            Attributes:
                token: The token.
                expires_on: When it ends, in seconds since 1970.
                token_type: How to send it, such as `Bearer`.
                refresh_on: When it should be renewed, in seconds since 1970; None if the server did not say.
            """

            token: str
            expires_on: int
            token_type: str = "Bearer"  # noqa: S105 - not a password
            refresh_on: int | None = None

            def __repr__(self) -> str:
                """Without the token."""
                return f"AccessTokenInfo(token=<redacted>, expires_on={self.expires_on})"


def access_token(result: TokenResult) -> AccessToken:
    """The token of a result for `get_token`."""
    return AccessToken(result.access_token, result.expires_on)


def access_token_info(result: TokenResult) -> AccessTokenInfo:
    """The token of a result for `get_token_info`."""
    return AccessTokenInfo(
        result.access_token,
        result.expires_on,
        token_type=result.token_type,
        refresh_on=result.refresh_on,
    )
