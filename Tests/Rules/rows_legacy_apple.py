# SPDX-License-Identifier: MIT
"""Genuine and generated caches of ADAL, with the contents in the migration report."""

from __future__ import annotations

import json
import plistlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from callers import ROOT, Document
from world import Vector, World, expect, row

SAMPLES = ROOT / "Tests/Vectors/legacy-archives"
CLOUD = ("login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net")
Objects = list[Any]


def reported(world: World, cache: bytes, **request: Any) -> Document:
    """Returns the report on a cache that would be imported; the store is unchanged."""
    path = Path(world.store, "cache")
    path.write_bytes(cache)
    report = world.call("migrate", {"path": str(path), "dry_run": True, **request})
    expect(world.call("accounts", {})["accounts"], [])
    return report


def outcomes(report: Document) -> list[tuple[Any, ...]]:
    """Returns each account with its outcome."""
    return [
        (each["username"].lower(), each["client_id"].lower(), each["environment"], each["outcome"],
         each.get("reason")) for each in report["accounts"]
    ]  # fmt: skip


def expected(item: Document, user: str = "") -> tuple[Any, ...]:
    """Returns the expected report on an item of ADAL for Apple, which a macOS cache has under a user."""
    account = item["userInformation"] or {}
    name = user or account.get("userId") or (account.get("allClaims") or {}).get("upn") or ""
    reason = None
    if not name:
        reason = "unknown_person"
    elif not item["refreshToken"]:
        reason = "no_refresh_token"
    elif item["refreshToken"] == "<tombstone>":
        reason = "refused"
    host = item["authority"].split("/")[2]
    if not reason and host not in CLOUD:
        reason = "unknown_authority"
    return (name, item["clientId"].lower(), host, "not_migrated" if reason else "migrated", reason)


@row(
    "legacy.archive",
    "adal-objc-genuine-1.x-no-resource.bplist",
    "adal-objc-genuine-1.x-with-resource.bplist",
)
def genuine(world: World, vector: Vector) -> None:
    archive(world, vector)


@row(
    "legacy.archive.generated",
    "generated-2.6-ios-access-token.bplist",
    "generated-2.6-ios-mrrt.bplist",
    "generated-2.6-ios-frt.bplist",
    "generated-2.6-ios-single-resource.bplist",
    "generated-2.6-ios-adfs.bplist",
    "generated-2.2-ios-tombstone.bplist",
    "generated-2.6-mac-blob.bplist",
    "generated-msid-ios-access-token.bplist",
    "generated-msid-ios-mrrt.bplist",
    "generated-msid-ios-frt.bplist",
    "generated-msid-ios-single-resource.bplist",
    "generated-msid-ios-adfs.bplist",
    "generated-msid-mac-blob.bplist",
    "generated-wipe.bplist",
)
def archive(world: World, vector: Vector) -> None:
    decoded = vector["expected"]["decoded"]
    report = reported(world, (SAMPLES / vector["input"]["file"]).read_bytes())
    expect(report["damaged"], [])
    if "wipeTime" in decoded:
        expect((report["preserved"], report["accounts"]), ({"wipe_marker": 1}, []))
        return
    if "tokenCache" not in decoded:
        expect((report["format"], outcomes(report)), ("adal_apple_item", [expected(decoded)]))
        return
    expect(report["format"], "adal_macos")
    users = decoded["tokenCache"]["tokens"]
    found = {expected(item, user) for user, items in users.items() for _, item in items["$pairs"]}
    # The best item of one account at one application.
    best = {each[:3]: each for each in sorted(found, key=lambda each: each[3], reverse=True)}
    expect(sorted(outcomes(report), key=str), sorted(best.values(), key=str))


def place(objects: Objects, value: Any) -> int:
    """Returns the index of an object."""
    return next(index for index, each in enumerate(objects) if each == value and type(each) is type(value))


def dictionary(objects: Objects, key: str) -> tuple[Document, int]:
    """Returns a dictionary of an archive with a key, and the position of the pair."""
    name = place(objects, key)
    for each in objects:
        names = [uid.data for uid in each.get("NS.keys", ())] if isinstance(each, dict) else []
        if name in names:
            return each, names.index(name)
    raise KeyError(key)


def user_items(objects: Objects) -> tuple[Document, Document]:
    """Returns the dictionary of users, and that of the items of the first one."""
    cache, index = dictionary(objects, "tokens")
    users = objects[cache["NS.objects"][index].data]
    return users, objects[users["NS.objects"][0].data]


def root(archive: Document) -> None:
    archive["$top"]["root"] = plistlib.UID(place(archive["$objects"], "tokenCache"))


def version(archive: Document) -> None:
    wrapper, index = dictionary(archive["$objects"], "version")
    archive["$objects"].append(2.0)
    wrapper["NS.objects"][index] = plistlib.UID(len(archive["$objects"]) - 1)


def no_token_cache(archive: Document) -> None:
    archive["$objects"][place(archive["$objects"], "tokenCache")] = "something else"


def immutable(archive: Document) -> None:
    users, _ = user_items(archive["$objects"])
    archive["$objects"].append({"$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]})
    users["$class"] = plistlib.UID(len(archive["$objects"]) - 1)


def number_as_user(archive: Document) -> None:
    users, _ = user_items(archive["$objects"])
    archive["$objects"].append(7)
    users["NS.keys"][0] = plistlib.UID(len(archive["$objects"]) - 1)


def text_as(part: str) -> Callable[[Document], None]:
    """Returns a change that puts a text in place of a key or an item."""

    def changed(archive: Document) -> None:
        _, items = user_items(archive["$objects"])
        items[part][0] = plistlib.UID(place(archive["$objects"], "tokens"))

    return changed


CHANGES: dict[str, Callable[[Document], None]] = {
    "root not a dictionary": root, "version 2": version, "tokenCache missing": no_token_cache,
    "tokens immutable": immutable, "user id not a string": number_as_user,
    "key of wrong class": text_as("NS.keys"), "token of wrong class": text_as("NS.objects"),
}  # fmt: skip


@row(
    "legacy.mac-blob",
    "valid",
    "root not a dictionary",
    "version 2",
    "tokenCache missing",
    "tokens immutable",
    "user id not a string",
    "key of wrong class",
    "token of wrong class",
)
def mac_blob(world: World, vector: Vector) -> None:
    archive = plistlib.loads((SAMPLES / "generated-2.6-mac-blob.bplist").read_bytes())
    if change := CHANGES.get(vector["name"]):
        change(archive)
    data = plistlib.dumps(archive, fmt=plistlib.FMT_BINARY, sort_keys=False)
    report = reported(world, data, format="adal_macos")
    if vector["expected"] is True:
        expect(report["damaged"], [])
    elif "error" in report:
        expect(report["error"]["code"], "legacy_cache_invalid")
        expect(report["error"]["message"], vector["expected"])
    else:
        expect([each["message"] for each in report["damaged"]], [vector["expected"]])


@row("import.adal-dotnet-v3", "genuine file written by ADAL.NET", "generated, one user token")
def adal_dotnet(world: World, vector: Vector) -> None:
    report = reported(world, (SAMPLES / Path(vector["input"]["file"]).name).read_bytes())
    expect((report["format"], report["damaged"], report["preserved"]), ("adal_dotnet", [], {}))
    # The genuine cache has random texts as authorities: no application knows them.
    reason = None if "key" in vector["expected"] else "unknown_authority"
    outcome = "not_migrated" if reason else "migrated"
    expect({(each["outcome"], each.get("reason")) for each in report["accounts"]}, {(outcome, reason)})
    if "key" in vector["expected"]:
        user = vector["expected"]["value"]["Result"]["UserInfo"]["DisplayableId"]
        client = vector["expected"]["key"].split(":::")[2]
        [account] = report["accounts"]
        found = (account["username"], account["client_id"], account["home_account_id"])
        expect(found, (user, client, "uid.utid"))


@row("import.adal-python", "user token, as serialised by TokenCache")
def adal_python(world: World, vector: Vector) -> None:
    report = reported(world, json.dumps(vector["input"]["json"]).encode())
    wanted = vector["expected"]
    host = wanted["authority"].split("/")[2]
    expect(report["format"], "adal_python")
    expect(outcomes(report), [(wanted["username"], wanted["client_id"], host, "migrated", None)])


@row("import.azure-cli", "accessTokens.json with one user and two service principals")
def azure_cli(world: World, vector: Vector) -> None:
    report = reported(world, json.dumps(vector["input"]["json"]).encode())
    wanted = vector["expected"]
    expect(report["format"], "azure_cli")
    expect([each["outcome"] for each in report["accounts"]], ["migrated"] * wanted["user_refresh_tokens"])
    expect(report["preserved"], {"service_principal": len(wanted["service_principals"])})
