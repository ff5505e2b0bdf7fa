# SPDX-License-Identifier: MIT
"""The test rules of MSAL for Apple with ADAL's cache: imported, listed, redeemed, signed out."""

from __future__ import annotations

import base64
import json
import plistlib
import struct
from pathlib import Path
from typing import Any

from callers import Document
from entra import Answer, encoded
from world import SCOPES, Vector, World, expect, row

CLIENT = "test_client_id"
REFUSED = Answer(400, {"error": "invalid_grant", "error_description": "refused"})


def entry(world: World, name: str, token: str = "legacy token", **more: Any) -> Document:
    """Returns an entry of ADAL for Python at the server."""
    return {
        "tokenType": "Bearer", "refreshToken": token, "userId": name, "isMRRT": True, "_clientId": CLIENT,
        "_authority": f"{world.entra.origin}/common", **more,
    }  # fmt: skip


def migrated(world: World, cache: Any, **request: Any) -> Document:
    """Returns the report on a cache: bytes, or a value to serialize as JSON."""
    path = Path(world.store, "cache")
    path.write_bytes(cache if isinstance(cache, bytes) else json.dumps(cache).encode())
    return world.call("migrate", {"path": str(path), **request}, client_id=CLIENT)


def usernames(world: World, client: str = CLIENT) -> list[str]:
    """Returns the listed user names."""
    return [each["username"] for each in world.call("accounts", {}, client_id=client)["accounts"]]


def presented(world: World) -> list[str]:
    """Returns the refresh tokens that the server received."""
    return [seen.form["refresh_token"] for seen in world.entra.refreshes()]


def silent(world: World, **request: str) -> Document:
    """Makes a silent call of ADAL's application."""
    named = {"home_account_id": "", **request} if "username" in request else request
    return world.call("silent", {**named, "scopes": SCOPES}, client_id=CLIENT)


@row("behaviour", "refresh token found in the secondary cache")
def found_beside(world: World, vector: Vector) -> None:
    name = vector["input"]["query"]["displayableId"]
    migrated(world, [entry(world, name.upper()), entry(world, "upn2@test.com", "another token")])
    expect(silent(world, username=name)["source"], "network")
    expect(presented(world), [vector["expected"]["found"]])


@row("behaviour", "signed-out account hidden in both caches (legacy without home id matched by username)")
def hidden(world: World, vector: Vector) -> None:
    client = vector["input"]["query"]["clientId"]
    world.entra.members["foci"] = "1"
    world.sign_in(client_id=CLIENT)
    migrated(world, [entry(world, "upn2@test.com", _clientId=client)])
    account = world.entra.account
    account.upn, account.uid, account.oid = "upn2@test.com", "uid2", "uid2"
    home = world.sign_in(client_id=client)
    expect(usernames(world, client), ["upn2@test.com", "upn@test.com"][::-1])
    world.call("sign_out", {"home_account_id": home}, client_id=client)
    expect(usernames(world, client), vector["expected"]["usernames"])


@row(
    "behaviour",
    "legacy lookup by home account id only (no username): the only cached item is returned for any account",
)
def no_stranger(world: World, vector: Vector) -> None:
    migrated(world, [entry(world, "upn@test.com")])
    # MSAL finds it. Tessera never uses a token of another account: docs/differences.md.
    assert vector["expected"]["found"]
    answer = silent(world, home_account_id=vector["input"]["query"]["homeAccountId"])
    expect(answer["error"]["remedy"], "sign_in")
    expect(presented(world), [])


@row("behaviour", "legacy lookup without a user: two users are an error")
def two_users(world: World, _: Vector) -> None:
    migrated(world, [entry(world, "upn@test.com"), entry(world, "upn2@test.com", "another token")])
    error = world.call("current", {}, client_id=CLIENT)["error"]
    expect(error["code"], "ambiguous_account")
    expect(presented(world), [])


@row("behaviour", "legacy clear by user only")
def cleared(world: World, vector: Vector) -> None:
    people = vector["input"]["legacy"]
    migrated(world, [entry(world, name, f"token of {name}") for name in people])
    name = vector["input"]["call"]["displayableId"]
    request = {"home_account_id": "", "username": name, "scope": "every_application"}
    world.call("sign_out", request, client_id=CLIENT)
    expect(usernames(world), vector["expected"]["remaining"])


@row("behaviour", "single-resource response stays legacy only")
def single_resource(world: World, _: Vector) -> None:
    single = {"isMRRT": False, "accessToken": "for it", "resource": "https://graph.windows.net"}
    migrated(world, [
        entry(world, "upn@test.com", "for one resource", **single), entry(world, "upn@test.com", "for all"),
    ])  # fmt: skip
    world.entra.answers.append(REFUSED)
    expect(silent(world, username="upn@test.com")["source"], "network")
    expect(presented(world), ["for all", "for one resource"])


def exported(world: World, family: str | None = None) -> tuple[list[Document], list[str]]:
    """Returns the records of a sign-in that MSAL for Apple finds, and the applications that ADAL finds."""
    world.entra.members["foci"] = family
    world.sign_in(client_id=CLIENT)
    items = world.call("export", {"format": "apple_keychain"}, client_id=CLIENT)["items"]
    data = world.call("export", {"format": "adal_macos"}, client_id=CLIENT)["data"]
    objects = plistlib.loads(base64.b64decode(data))["$objects"]
    tokens = [each for each in objects if isinstance(each, dict) and "refreshToken" in each]
    clients = sorted(objects[token["clientId"].data] for token in tokens)
    return [json.loads(base64.b64decode(item["value"])) for item in items], clients


@row("behaviour", "ADAL 2.7 save writes legacy AT+MRRT and unified RT+Account+AppMetadata")
def saved(world: World, vector: Vector) -> None:
    # The record that ADAL 2.7 would write, without the access token, which has no use.
    records, clients = exported(world)
    unified = vector["expected"]["unified"]
    expect(len(clients), vector["expected"]["legacy"]["RefreshToken"])
    tokens = [record for record in records if record.get("credential_type") == "RefreshToken"]
    expect(len(tokens), unified["RefreshToken"])
    accounts = [record for record in records if "authority_type" in record]
    expect([each["username"] for each in accounts], [unified["Account"]["username"]])
    expect(accounts[0]["home_account_id"], tokens[0]["home_account_id"])


@row("behaviour", "ADAL 2.7 save, family response")
def saved_family(world: World, vector: Vector) -> None:
    records, clients = exported(world, vector["input"]["foci"])
    expect(clients, sorted(vector["expected"]["legacy"]["client_ids"]))
    tokens = [record for record in records if record.get("credential_type") == "RefreshToken"]
    unified = vector["expected"]["unified"]
    expect({each["client_id"] for each in tokens}, {unified["client_id_on_both"]})
    families = {each.get("family_id") or None for each in tokens}
    expect(families, set(unified["family_ids"]))


@row("legacy.family-client-id", "named family")
def named_family(world: World, vector: Vector) -> None:
    _, clients = exported(world, vector["input"]["familyId"])
    expect(clients, [vector["expected"], CLIENT])


@row("legacy.user-id", "upn wins", "email next", "oid next", "unique_name next")
def user_id(world: World, vector: Vector) -> None:
    token = f"{encoded({'alg': 'none'})}.{encoded(vector['input']['claims'])}.c2ln"
    key = f"{world.entra.origin}/common/:::r:::{CLIENT}:::0"
    value = json.dumps({"RefreshToken": "a token", "ResourceInResponse": "r", "Result": {"IdToken": token}})
    cache = struct.pack("<ii", 3, 1)
    for text in (key, value):
        length = len(text)
        cache += bytes([length & 0x7F | 0x80, length >> 7]) + text.encode()
    report = migrated(world, cache)
    expect([each["outcome"] for each in report["accounts"]], ["migrated"])
    expected = vector["expected"]["userId"]
    account = world.call("account", {"username": expected}, client_id=CLIENT)
    expect(account.get("error"), None)


@row(
    "shared-accounts",
    "ADAL account on common",
    "ADAL account in a guest tenant",
    "wrong type",
    "missing endpoint",
)
def shared_account(world: World, vector: Vector) -> None:
    accounts = {"lastWriteTimestamp": 1, "ACC-ID": vector["input"]["json"]}
    item = {"account": "AccountsV3", "service": "com.microsoft", "value": accounts}
    report = migrated(world, item, dry_run=True)
    expected = vector["expected"]
    if "error" in expected:
        expect([each["message"] for each in report["damaged"]], [expected["error"]])
        return
    [account] = report["accounts"]
    expect((account["environment"], account["home_account_id"], account["reason"]),
           (expected["environment"], expected["identifier"], "name_only"))  # fmt: skip
    expect(account["username"], vector["input"]["json"]["username"])
