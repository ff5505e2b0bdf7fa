# SPDX-License-Identifier: MIT
"""A plugin of HTTPie: `http --auth-type tessera` sends the tokens of listed services.

    tessera helper add http https://api.example.com --client-id your-client-id --scope your-scope
    http --auth-type tessera https://api.example.com/items

HTTPie finds the plugin by its entry point. Only this module imports HTTPie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .requests import TesseraAuth

if TYPE_CHECKING:

    class AuthPlugin:
        """The base class. HTTPie has no types."""

        raw_auth: str | None

else:
    from httpie.plugins import AuthPlugin

__all__ = ["TesseraPlugin"]


class TesseraPlugin(AuthPlugin):
    """The authentication type `tessera` of HTTPie.

    The list of services decides which request gets a token, and `--auth` must not be used.
    """

    name = "Tessera"
    description = "Tokens of the services that \"tessera helper add http\" has listed"
    auth_type = "tessera"
    auth_require = False
    auth_parse = False
    prompt_password = False

    def get_auth(self, username: str | None = None, password: str | None = None) -> TesseraAuth:
        """Returns the authentication of a request.

        Args:
            username: Not used.
            password: Not used.

        Raises:
            ValueError: The command has `--auth`, which would have no effect.
        """
        if self.raw_auth is not None:
            raise ValueError("--auth-type tessera has no --auth: the list of services selects the account.")
        return TesseraAuth()
