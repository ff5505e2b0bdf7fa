# SPDX-License-Identifier: MIT
"""The test rules of MSAL for Apple's cache, as far as the interface shows them: removed and listed accounts."""

from __future__ import annotations

from typing import Any

from world import SCOPES, Vector, World, expect, row

NAMES = {
    "AccessToken": "access_tokens", "RefreshToken": "refresh_tokens", "IdToken": "id_tokens",
    "Account": "accounts",
}  # fmt: skip


def removed(world: World, home: str, **members: Any) -> dict[str, int]:
    """Returns the counts of removed records of an account."""
    request = {"home_account_id": home, "scope": "every_application"}
    return dict(world.call("sign_out", request, **members)["removed"])


@row("identity.home-account-id", "AAD", "B2C with policy in uid")
def home_account_id(world: World, vector: Vector) -> None:
    world.entra.account.client_info = vector["input"]["client_info"]
    expect(world.sign_in(), vector["expected"])


@row("behaviour", "MSAL save writes only the unified cache", "no refresh token in the response")
def saved(world: World, vector: Vector) -> None:
    unified = vector["expected"]["unified"]
    if unified["RefreshToken"] == 0:
        world.entra.members["refresh_token"] = None
    found = removed(world, world.sign_in())
    for name, count in unified.items():
        expect((name, found[NAMES[name]]), (name, count))


@row("behaviour", "MSAL save, family response")
def family(world: World, vector: Vector) -> None:
    world.entra.members["foci"] = "1"
    found = removed(world, world.sign_in())
    expect(found["refresh_tokens"], vector["expected"]["unified"]["RefreshToken"])


@row("behaviour", "family query is not satisfied by a client-only token")
def not_of_the_family(world: World, _: Vector) -> None:
    request = {"home_account_id": world.sign_in(client_id="sibling"), "scopes": SCOPES}
    expect(world.call("silent", request)["error"]["remedy"], "sign_in")
    expect(world.entra.refreshes(), [])


@row("behaviour", "lookup by username only")
def by_username(world: World, vector: Vector) -> None:
    world.entra.account.upn = vector["input"]["query"]["displayableId"]
    home = world.sign_in()
    account = world.call("account", {"username": world.entra.account.upn.upper()})["account"]
    expect(account["home_account_id"], home)
    request = {"home_account_id": home, "scopes": SCOPES, "force_refresh": True}
    expect(world.call("silent", request)["source"], "network")


@row("behaviour", "account with signed_in metadata but no refresh token is returned")
def remembered(world: World, vector: Vector) -> None:
    world.entra.members.update(refresh_token=None, id_token=None)
    home = world.sign_in()
    listed = [each["home_account_id"] for each in world.call("accounts", {})["accounts"]]
    expect(home in listed, vector["expected"]["included"])


@row("behaviour", "clear cache without client id removes every client")
def every_client(world: World, vector: Vector) -> None:
    clients = vector["input"]["clients"]
    for client in clients:
        home = world.sign_in(client_id=client)
    found = removed(world, home, client_id=clients[0])
    for name, left in vector["expected"].items():
        expect((name, found[NAMES[name]], left), (name, len(clients), 0))
    for client in clients:
        expect(world.call("accounts", {}, client_id=client)["accounts"], [])
    expect(sum(removed(world, home, client_id=clients[0]).values()), 0)


@row("behaviour", "realm hint picks the matching tenant account")
def realm_hint(world: World, vector: Vector) -> None:
    account = world.entra.account
    for realm in ("a", "b"):
        account.tid, account.oid = realm, f"{account.uid} in {realm}"
        home = world.sign_in(authority=f"{world.entra.origin}/{realm}")
    place = {"authority": f"{world.entra.origin}/{vector['input']['realmHint']}"}
    result = world.call("silent", {"home_account_id": home, "scopes": SCOPES}, **place)
    expect((result["source"], result["tenant_id"].upper()), ("cache", vector["expected"]["realm"]))
    expect(len(result["account"]["tenant_profiles"]), 2)
