# SPDX-License-Identifier: MIT
"""Users of every kind, their authorities, and both libraries with one file."""

from __future__ import annotations

import contextlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import peer
import tessera_identity
from front import Front

from examples import expect
from provider import Provider

CLIENT = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"
CONTOSO = "11111111-1111-4111-8111-111111111111"
PUBLIC, B2C, ADFS = "login.microsoftonline.com", "contoso.b2clogin.com", "fs.contoso.com"


@dataclass(frozen=True)
class Kind:
    """An authority, a user, and the requested scope."""

    authority: str
    username: str
    scope: str

    @property
    def host(self) -> str:
        """Returns the host of the authority."""
        return self.authority.split("/")[2]


KINDS = {
    "work": Kind(f"https://{PUBLIC}/{CONTOSO}", "alice@contoso.com", "User.Read"),
    "work, any tenant": Kind(f"https://{PUBLIC}/organizations", "bob@contoso.com", "User.Read"),
    "personal": Kind(f"https://{PUBLIC}/consumers", "dave@outlook.example", "User.Read"),
    "B2C": Kind(
        f"https://{B2C}/customers.onmicrosoft.com/b2c_1_signin", "alice@contoso.com",
        "https://customers.onmicrosoft.com/api/read",
    ),
    "ADFS": Kind(f"https://{ADFS}/adfs", "alice@contoso.com", "user_impersonation"),
}  # fmt: skip
"""The kinds; every row runs for each."""


class World:
    """The authorities behind one front, and a file that programs share; a context manager that stops them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "msal_token_cache.json"
        self._end = contextlib.ExitStack()
        self._providers = {
            host: self._end.enter_context(
                Provider("--interval", "1", "--origin", f"https://{host}")
            )
            for host in (PUBLIC, B2C, ADFS)
        }
        control = {
            host: each.control.removesuffix("/_control") for host, each in self._providers.items()
        }
        # An alias of the public cloud, which libraries try next.
        control["login.windows.net"] = control[PUBLIC]
        self.front = Front(folder, control)
        self._end.callback(self.front.close)

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self._end.close()

    def provider(self, kind: Kind) -> Provider:
        """Returns the provider of an authority."""
        return self._providers[kind.host]

    def clear(self) -> None:
        """Removes the file."""
        for each in self.folder.glob(f"{self.file.name}*"):
            shutil.rmtree(each) if each.is_dir() else each.unlink()

    def document(self) -> dict[str, dict[str, Any]]:
        """Returns the contents of the file."""
        return dict(json.loads(self.file.read_bytes()))

    # The peer.

    def theirs(self, kind: Kind, *, client: str = CLIENT, is_online: bool = False) -> Any:
        """Returns a program with MSAL Python; by default without a network."""
        network = peer.Network(self.front) if is_online else peer.NoNetwork()
        return peer.public(self.file, client, kind.authority, network)

    def they_sign_in(
        self, kind: Kind, *, client: str = CLIENT, scope: str | None = None
    ) -> dict[str, Any]:
        """Signs in with MSAL Python."""
        application = self.theirs(kind, client=client, is_online=True)
        flow = application.initiate_device_flow([scope or kind.scope])
        expect("user_code" in flow, f"MSAL Python got no code: {flow}")
        self.provider(kind).approve(flow["user_code"], kind.username)
        flow["interval"] = 0
        return peer.expect_token(
            application.acquire_token_by_device_flow(flow), "identity_provider"
        )

    def they_hit(self, kind: Kind, *, client: str = CLIENT, scope: str | None = None) -> str:
        """Returns the token of MSAL Python without a network."""
        application = self.theirs(kind, client=client)
        (account,) = application.get_accounts()
        result = application.acquire_token_silent([scope or kind.scope], account)
        return str(peer.expect_token(result, "cache")["access_token"])

    # Tessera.

    def ours(
        self, kind: Kind, *, client: str = CLIENT, is_online: bool = False
    ) -> tessera_identity.PublicClientApplication:
        """Returns a program with Tessera; by default with an unresponsive proxy."""
        proxy = self.front.address if is_online else "http://127.0.0.1:9"
        # Last, because type checkers do not know the store options of the mapping.
        store: dict[str, Any] = {"store": "msal_file", "msal_cache": str(self.file)}
        return tessera_identity.PublicClientApplication(
            client,
            authority=kind.authority,
            proxy=proxy,
            no_proxy="",
            ca_file=self.front.ca_file,
            **store,
        )

    def we_sign_in(self, kind: Kind, *, scope: str | None = None) -> tessera_identity.TokenResult:
        """Signs in with Tessera."""
        prompt = self.provider(kind).approves(kind.username)
        with self.ours(kind, is_online=True) as application:
            return application.acquire_token_by_device_code(
                [scope or kind.scope], prompt=prompt, timeout=60
            )

    def we_hit(self, kind: Kind, *, client: str = CLIENT, scope: str | None = None) -> str:
        """Returns the token of Tessera without a network."""
        asked = len(self.front.requests)
        with self.ours(kind, client=client) as application:
            (account,) = application.get_accounts()
            result = application.acquire_token_silent([scope or kind.scope], account=account)
        expect(result.source == "cache", f"Tessera got it from {result.source}")
        expect(len(self.front.requests) == asked, f"Tessera asked {self.front.requests[asked:]}")
        return result.access_token
