# SPDX-License-Identifier: MIT
"""Signed-in accounts of a store, and their newest known tokens."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tessera_identity
from workers import Answer, version

from provider import Provider

CLIENT = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"
SCOPES = ["User.Read"]
PEOPLE = ("alice@contoso.com", "bob@contoso.com", "carol@fabrikam.com", "dave@outlook.example")
FRESH: dict[str, Any] = {"force_refresh": True}


@dataclass
class Credential:
    """A sign-in of one user at one authority in one store."""

    configuration: dict[str, Any]
    home_account_id: str
    newest: int
    """The number of the newest token that a call returned as persisted."""
    known: list[tuple[int, int]] = field(default_factory=list)
    """The times at which calls returned tokens as persisted, and their numbers."""

    def request(self, **members: Any) -> dict[str, Any]:
        """Returns a request for its token."""
        return {"home_account_id": self.home_account_id, "scopes": SCOPES, **members}

    def note(self, answer: Answer) -> None:
        """Records a token that a worker got as persisted."""
        # A forced refresh may join one that began later: then the token came from the store.
        if answer.kind in ("fetched", "cached"):
            self.newest = max(self.newest, answer.version)
            self.known.append((answer.end, answer.version))

    def check(self) -> tuple[str, float]:
        """Requests the token like a new program. Returns the error, "" for none, and the duration."""
        expected = self.newest
        start = time.monotonic()
        try:
            with application(self.configuration) as app:
                result = app.acquire_token_silent(SCOPES, account=self.home_account_id)
        except tessera_identity.TesseraError as error:
            return f"{error.code}: {error}", time.monotonic() - start
        seconds = time.monotonic() - start
        if result.source != "cache":
            return "the token was not in the store", seconds
        found = version(result.access_token)
        return ("" if found >= expected else f"{found} instead of {expected}"), seconds


def application(configuration: dict[str, Any]) -> tessera_identity.PublicClientApplication:
    """Returns an application of this process."""
    members = dict(configuration)
    return tessera_identity.PublicClientApplication(members.pop("client_id"), **members)


def sign_in(provider: Provider, store: Path, authority: str, person: str) -> Credential:
    """Signs a user in; an authority is an `authority_type` or the name of a plain issuer."""
    kind = authority if authority in provider.authorities else "openid"
    configuration = {
        "client_id": CLIENT,
        "authority": provider.authorities.get(authority) or issuer(provider, authority),
        "authority_type": kind,
        "store_directory": str(store),
    }
    with application(configuration) as app:
        prompt = provider.approves(person)
        result = app.acquire_token_by_device_code(SCOPES, timeout=60, prompt=prompt)
    newest = version(result.access_token)
    return Credential(
        configuration, result.account.home_account_id, newest, [(time.monotonic_ns(), newest)]
    )


def issuer(provider: Provider, name: str) -> str:
    """Returns the address of a plain issuer."""
    return provider.oidc_issuer.rsplit("/", 1)[0] + f"/{name}"
