# SPDX-License-Identifier: MIT
"""A pytest plugin: fixtures for applications at a local identity provider, without a network.

    def test_my_program(tessera_signed_in_application):
        (account,) = tessera_signed_in_application.get_accounts()
        token = tessera_signed_in_application.acquire_token_silent(["User.Read"], account=account)
        assert token.account.username == "alice@contoso.com"

An installed package provides the fixtures automatically. The provider is the program `tessera-provider`
(docs/local-provider.md). `TESSERA_PROVIDER` is its path if the package does not contain it.
"""

from __future__ import annotations

import json
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from ._application import PublicClientApplication
from ._programs import program_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import TracebackType

    from ._results import DeviceCodePrompt

__all__ = [
    "CLIENT_ID",
    "USERNAME",
    "LocalProvider",
    "tessera_application",
    "tessera_provider",
    "tessera_signed_in_application",
]

CLIENT_ID = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"
"""The client ID of the applications. The provider accepts every client ID."""

USERNAME = "alice@contoso.com"
"""The user name of the signed-in account."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Does not follow redirects, which are for the application."""

    def redirect_request(self, *_arguments: object) -> None:
        """Returns nothing, so that redirects are not followed."""


class LocalProvider:
    """A running local identity provider. Use it as a context manager, which stops it.

    Attributes:
        entra_authority: The address of an Entra authority, for `authority_type="entra"`.
        oidc_issuer: The address of an OpenID Connect issuer.
        authorities: An authority of each `authority_type`.
        control: The address of the control interface.
    """

    def __init__(self, *options: str) -> None:
        """Starts the provider.

        Args:
            options: Options of `tessera-provider`, such as `--interval`, `1`.

        Raises:
            FileNotFoundError: The program is missing.
            RuntimeError: The program ended.
        """
        self._process = subprocess.Popen(  # noqa: S603 - the program of this package
            [program_path("tessera-provider"), "--port", "0", *options], stdout=subprocess.PIPE, text=True
        )
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            raise RuntimeError(f"tessera-provider ended with status {self._process.wait()}")
        addresses: dict[str, str] = json.loads(line)
        self.entra_authority: str = addresses["entra_authority"]
        self.oidc_issuer: str = addresses["oidc_issuer"]
        kinds = ("entra", "b2c", "ciam", "adfs")
        self.authorities: dict[str, str] = {kind: addresses[f"{kind}_authority"] for kind in kinds}
        self.authorities["openid"] = self.oidc_issuer
        self.control: str = addresses["control"]
        # The provider is on this machine: a proxy of the environment is not used.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects)

    def __enter__(self) -> LocalProvider:
        """Returns the provider, which is stopped at the end of the `with` block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stops the provider."""
        self.close()

    def close(self) -> None:
        """Stops the provider."""
        self._process.terminate()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def command(self, name: str, **members: Any) -> None:  # noqa: ANN401 - the members of the command
        """Sends a command of the control interface, such as `set` or `revoke`; see docs/local-provider.md.

        Args:
            name: The command.
            **members: The members of its JSON object.
        """
        body = json.dumps(members).encode()
        request = urllib.request.Request(  # noqa: S310 - the address of the provider
            f"{self.control}/{name}", body, {"Content-Type": "application/json"}
        )
        self._opener.open(request, timeout=10).close()

    def approve(self, user_code: str, username: str = USERNAME) -> None:
        """Signs a user in on the device page.

        Args:
            user_code: The code that the application shows.
            username: The user name.
        """
        self.command("approve", user_code=user_code, username=username)

    def approver(self, username: str = USERNAME) -> Callable[[DeviceCodePrompt], None]:
        """Returns a `prompt_callback` for device codes that signs a user in at once.

        Args:
            username: The user name.
        """
        return lambda prompt: self.approve(prompt.user_code, username)

    def visit(self, url: str, username: str = USERNAME, *, decision: str = "approve") -> str:
        """Signs a user in on the page of a browser sign-in; returns the URL of the redirect.

        Args:
            url: The URL of `begin_sign_in` or of a `SignInPrompt`.
            username: The user name.
            decision: `approve` or `decline`.

        Raises:
            RuntimeError: The page did not redirect.
        """
        form = urllib.parse.urlencode({"username": username, "decision": decision}).encode()
        try:
            self._opener.open(url, form, timeout=10).close()
        except urllib.error.HTTPError as error:
            if error.code == 303:
                return str(error.headers["Location"])
        raise RuntimeError(f"the page did not redirect: {url.partition('?')[0]}")

    def application(
        self, store_directory: str | Path, **configuration: Any  # noqa: ANN401 - arguments of the application
    ) -> PublicClientApplication:
        """Returns an application at the Entra authority of this provider.

        Args:
            store_directory: The directory of its store.
            **configuration: Other arguments of `PublicClientApplication`.
        """
        arguments: dict[str, Any] = {
            "client_id": CLIENT_ID, "authority": self.entra_authority, "authority_type": "entra",
            "store_directory": store_directory, **configuration,
        }  # fmt: skip
        return PublicClientApplication(**arguments)


@pytest.fixture(scope="session")
def tessera_provider() -> Iterator[LocalProvider]:
    """A local identity provider for all tests of the session."""
    with LocalProvider("--interval", "1") as provider:
        yield provider


@pytest.fixture
def tessera_application(
    tessera_provider: LocalProvider, tmp_path: Path
) -> Iterator[PublicClientApplication]:
    """An application at the local provider with an empty store."""
    with tessera_provider.application(tmp_path / "store") as application:
        yield application


@pytest.fixture
def tessera_signed_in_application(
    tessera_provider: LocalProvider, tessera_application: PublicClientApplication
) -> PublicClientApplication:
    """An application in which alice@contoso.com has signed in with the scope `User.Read`."""
    begun = tessera_application.begin_sign_in(["User.Read"])
    tessera_application.complete_sign_in(begun.state, url=tessera_provider.visit(begun.url))
    return tessera_application
