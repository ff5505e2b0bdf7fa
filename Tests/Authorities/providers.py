# SPDX-License-Identifier: MIT
"""The authorities of the test: each type at the local provider, and glewlwyd, an independent provider."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from provider import Provider

if TYPE_CHECKING:
    from collections.abc import Callable

KINDS = ("entra", "b2c", "ciam", "adfs", "openid")
CLAIMS = '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}'
"""A claims challenge of a resource."""


@dataclass(frozen=True)
class AuthorityCase:
    """An authority with its user, and the actions of the user and the provider."""

    name: str
    authority: str
    kind: str
    user: str
    approve: Callable[[str, str, str], object]
    """Enters a code at an address and consents, as the user."""
    refuse: Callable[[], object]
    """Makes the provider reject the next refresh until the user signs in again."""
    scope: str = "User.Read"
    others: tuple[str, ...] = ()
    """Additional options of the programs."""


@contextmanager
def local(kind: str) -> Iterator[AuthorityCase]:
    """An authority type of the local provider."""
    body = json.dumps({"error": "interaction_required", "claims": CLAIMS})
    with Provider("--interval", "1") as provider:
        yield AuthorityCase(
            name=f"the local provider's {kind} face", authority=provider.authorities[kind],
            kind=kind, user="alice@contoso.com", approve=provider.approve_in_browser,
            refuse=lambda: provider.command(
                "fail_token_requests", requests=1, status=400, body=body
            ),
        )  # fmt: skip


@contextmanager
def glewlwyd() -> Iterator[AuthorityCase]:
    """An OpenID provider from a Debian package."""
    from registration import CLIENT, USERNAME
    from server import Glewlwyd
    from user import User

    with tempfile.TemporaryDirectory() as directory:
        server = Glewlwyd(Path(directory), {"main": 3600})
        try:
            alice = User(server)
            yield AuthorityCase(
                name="glewlwyd", authority=server.issuer("main"), kind="openid", user=USERNAME,
                approve=lambda address, code, _person: alice.approve(address, code),
                refuse=lambda: alice.revoke_everything("main"), scope="api.read",
                others=("--client-id", CLIENT, "--ca-file", str(server.ca_file)),
            )  # fmt: skip
        finally:
            server.stop()


def has_glewlwyd() -> bool:
    """Whether the provider is installed."""
    return shutil.which("glewlwyd") is not None
