# SPDX-License-Identifier: MIT
"""A backend of the package keyring, which gives pip, uv and twine the tokens of listed package indexes.

    tessera helper add keyring https://pkgs.example.com/pypi --client-id your-client-id --scope your-scope
    pip install --keyring-provider import --index-url https://pkgs.example.com/pypi/simple your-package

keyring finds the backend by its entry point. Only this module imports keyring.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from keyring.credentials import SimpleCredential
from keyring.errors import KeyringError

from ._programs import HelperError, helper_output

if TYPE_CHECKING:
    from typing import NoReturn

    from keyring.credentials import Credential

    class KeyringBackend:
        """The base class, also for type checkers that do not find keyring."""

else:
    from keyring.backend import KeyringBackend

__all__ = ["TesseraKeyring"]

_SCHEMES = ("https://", "http://")


class TesseraKeyring(KeyringBackend):
    """Returns the tokens of package indexes that `tessera helper add keyring` has listed.

    A service is the URL of an index, and its password is the token. The list alone decides which URL gets a token:
    the scheme, the host and the port must be equal, and only https is accepted, except on this machine. All other
    services are left to the other backends of keyring.

    The token comes from the cache or by a refresh. Otherwise, the user signs in on the controlling terminal or in
    a browser. Without both, `KeyringError` is raised.
    """

    # The highest priority is tried first. artifacts-keyring, which prompts, has 9.9, and the backend that combines
    # all others has 10.
    priority: float = 9.95

    def get_password(self, service: str, username: str) -> str | None:
        """Returns the token of a service.

        Args:
            service: The URL of a package index.
            username: The user name for Basic authentication, which does not select the account.

        Returns:
            The token; None if the service is not listed.

        Raises:
            KeyringError: The user has to sign in, or the list cannot be used; the message has the remedy.
        """
        credential = self.get_credential(service, username)
        return credential.password if credential else None

    def get_credential(self, service: str, username: str | None) -> Credential | None:
        """Returns a user name for Basic authentication and the token of a service.

        Args:
            service: The URL of a package index.
            username: The user name, or None for that of the list, which is `oauth2` without `--login`.

        Returns:
            The credential; None if the service is not listed.

        Raises:
            KeyringError: The user has to sign in, or the list cannot be used; the message has the remedy.
        """
        # Other users can see arguments, and a user name or a query may come with a secret. The list has neither.
        if not service.startswith(_SCHEMES) or "@" in service or "?" in service:
            return None
        words = [service] if username is None else [service, username]
        try:
            output = helper_output("keyring", "get", "--mode", "creds", "--", *words)
        except HelperError as error:
            raise KeyringError(str(error)) from error
        except FileNotFoundError as error:
            logging.getLogger("tessera_identity").debug("%s", error)
            return None
        except ValueError:
            return None
        if output is None:
            return None
        name, _, token = output.partition("\n")
        return SimpleCredential(name, token)

    def set_password(self, service: str, username: str, password: str) -> NoReturn:
        """Stores nothing: the tokens are in Tessera's own store.

        Raises:
            NotImplementedError: Always. keyring then tries its other backends.
        """
        raise NotImplementedError("Tessera stores no passwords. Sign in with \"tessera login\".")

    def delete_password(self, service: str, username: str) -> NoReturn:
        """Deletes nothing: the tokens are in Tessera's own store.

        Raises:
            NotImplementedError: Always. keyring then tries its other backends.
        """
        raise NotImplementedError("Tessera deletes no passwords. Sign out with \"tessera logout\".")
