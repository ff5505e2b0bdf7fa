# SPDX-License-Identifier: MIT
"""Accounts outside of a company's tenant: personal accounts, and those of a B2C directory."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Callable

import tessera_identity
from failures import Move

from examples import Desk, expect

PERSONAL, CUSTOMER = "dave@outlook.example", "alice@contoso.com"
HOME_OF_PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad"


def personal(move: Move) -> None:
    """A personal account, known to ADAL as a guest, has the home tenant of personal accounts."""
    expect(move.take(move.left(PERSONAL)) == {PERSONAL: "migrated"}, "dave was not taken over")
    with move.refreshes(1):
        expect(move.token(PERSONAL)["source"] == "network", "dave got no token")
    home = move.accounts()[PERSONAL]
    expect(home.endswith(HOME_OF_PERSONAL), f"dave is at home in {home}")
    with move.refreshes(0):
        expect(move.token(home, "--home-account-id")["source"] == "cache", "another refresh")


def customer(move: Move) -> None:
    """An account of a B2C directory, which only MSAL has signed in, is imported with a token that is refreshed."""
    with tempfile.TemporaryDirectory() as folder:
        before = move.elsewhere(folder, "b2c")
        with contextlib.closing(before.desk):
            before.desk.sign_in(move.language, move.provider.approve_in_browser, CUSTOMER)
            authority = move.provider.authorities["b2c"]
            with tessera_identity.PublicClientApplication(
                Desk.client_id, authority=authority, authority_type="b2c", store_directory=folder
            ) as application:
                cache = json.loads(application.read_cache())
    # The access token could be used for an hour.
    cache.pop("AccessToken")
    with tempfile.TemporaryDirectory() as folder:
        there = move.elsewhere(folder, "b2c")
        with contextlib.closing(there.desk):
            taken = there.take(json.dumps(cache).encode())
            expect(taken == {CUSTOMER: "migrated"}, f"the customer is {taken}")
            with move.refreshes(1):
                expect(there.token(CUSTOMER)["source"] == "network", "the customer got no token")


ROWS: dict[str, Callable[[Move], None]] = {
    "a personal account": personal, "a customer of B2C": customer,
}  # fmt: skip
