# SPDX-License-Identifier: MIT
"""Caches in the formats of older libraries, with refresh tokens from the local provider."""

from __future__ import annotations

import base64
import json
import plistlib
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Left:
    """The data of a sign-in in an older library."""

    authority: str
    client_id: str
    refresh_token: str
    id_token: str
    client_info: str
    username: str
    object_id: str
    tenant_id: str
    home_account_id: str

    def named(self, username: str) -> Left:
        """Returns the same sign-in under a name, with an ID token in the format of Entra's older endpoint."""
        header, claims, _ = self.id_token.split(".")
        members = json.loads(base64.urlsafe_b64decode(claims + "=="))
        for name in ("upn", "preferred_username", "unique_name"):
            members.pop(name, None)
        members["upn"] = username
        text = base64.urlsafe_b64encode(json.dumps(members).encode()).decode().rstrip("=")
        return replace(self, username=username, id_token=f"{header}.{text}.")


def adal_python(*all_left: Left) -> bytes:
    """Returns a cache of ADAL for Python: an array of flat entries."""
    return json.dumps([_entry(left) for left in all_left]).encode()


def azure_cli(*all_left: Left) -> bytes:
    """Returns a cache of the Azure CLI before 2.30: the same entries, mixed with service principals."""
    principal = {"servicePrincipalId": "app", "servicePrincipalTenant": "t", "accessToken": "s"}
    kept = [{k: v for k, v in _entry(left).items() if k not in _DROPPED} for left in all_left]
    return json.dumps([principal, *kept]).encode()


_DROPPED = ("familyName", "givenName", "isUserIdDisplayable", "tenantId")


def _entry(left: Left) -> dict[str, Any]:
    return {
        "tokenType": "Bearer", "accessToken": "long over", "refreshToken": left.refresh_token,
        "expiresIn": 3599, "expiresOn": "2021-01-01 00:00:00.000001",
        "resource": "https://graph.windows.net", "userId": left.username,
        "isUserIdDisplayable": True, "tenantId": left.tenant_id, "oid": left.object_id,
        "isMRRT": True, "_clientId": left.client_id, "_authority": left.authority,
    }  # fmt: skip


def adal_dotnet(*all_left: Left) -> bytes:
    """Returns a cache of ADAL.NET, version 3: keys and values with 7-bit encoded lengths."""
    data = struct.pack("<ii", 3, len(all_left))
    for left in all_left:
        key = f"{left.authority}/:::https://graph.windows.net:::{left.client_id}:::0"
        user = {
            "DisplayableId": left.username, "UniqueId": left.object_id, "IdentityProvider": "idp",
        }  # fmt: skip
        value = json.dumps({
            "RawClientInfo": left.client_info, "RefreshToken": left.refresh_token,
            "ResourceInResponse": "https://graph.windows.net",
            "Result": {
                "AccessToken": "long over", "AccessTokenType": "Bearer",
                "ExpiresOn": {"DateTime": "/Date(1609459200000)/", "OffsetMinutes": 0},
                "IdToken": None, "TenantId": left.tenant_id, "UserInfo": user,
            },
        })  # fmt: skip
        for text in (key, value):
            raw = text.encode()
            data += _length(len(raw)) + raw
    return data


def _length(number: int) -> bytes:
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


class Archive:
    """A builder of keyed archives (NSKeyedArchiver)."""

    def __init__(self) -> None:
        """Starts with `$null`."""
        self._objects: list[Any] = ["$null"]
        self._classes: dict[str, plistlib.UID] = {}

    def add(self, value: Any) -> plistlib.UID:  # noqa: ANN401 - whatever a property list holds
        """Adds an object to the table."""
        if value is None:
            return plistlib.UID(0)
        self._objects.append(value)
        return plistlib.UID(len(self._objects) - 1)

    def object(self, kind: str, **members: Any) -> plistlib.UID:
        """Adds an object of a class to the table."""
        if kind not in self._classes:
            self._classes[kind] = self.add({"$classname": kind, "$classes": [kind, "NSObject"]})
        return self.add({**members, "$class": self._classes[kind]})

    def dictionary(self, pairs: list[tuple[plistlib.UID, plistlib.UID]]) -> plistlib.UID:
        """Adds a mutable dictionary to the table."""
        keys = {"NS.keys": [key for key, _ in pairs], "NS.objects": [value for _, value in pairs]}
        return self.object("NSMutableDictionary", **keys)

    def data(self, root: plistlib.UID) -> bytes:
        """Returns the archive."""
        return plistlib.dumps(
            {
                "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": root},
                "$objects": self._objects,
            },
            fmt=plistlib.FMT_BINARY,
        )  # fmt: skip

    def item(self, left: Left, *, version: str) -> plistlib.UID:
        """Adds an item as a version of ADAL for Apple writes it: older ones lack members."""
        user = self.object("ADUserInformation", rawIdToken=self.add(left.id_token))
        members: dict[str, Any] = {
            "authority": self.add(left.authority), "clientId": self.add(left.client_id),
            "resource": self.add(None), "accessToken": self.add(None),
            "accessTokenType": self.add("Bearer"), "refreshToken": self.add(left.refresh_token),
            "expiresOn": self.add(None), "userInformation": user,
        }  # fmt: skip
        if version >= "2.2":
            members |= {"familyId": self.add(None), "additionalServer": self.dictionary([])}
        if version == "2.7":
            members["homeAccountId"] = self.add(left.home_account_id)
        return self.object("ADTokenCacheStoreItem", **members)


def adal_apple(version: str) -> Callable[..., bytes]:
    """Returns an exported keychain with items of a version of ADAL for Apple, as JSON lines."""

    def written(*all_left: Left) -> bytes:
        lines = []
        for left in all_left:
            archive = Archive()
            value = archive.data(archive.item(left, version=version))
            service = "|".join(
                ["MSOpenTech.ADAL.1", _b64(left.authority),
                 "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132", _b64(left.client_id)]
            )  # fmt: skip
            lines.append(json.dumps({
                "account": _b64(left.username), "service": service,
                "generic": base64.b64encode(b"MSOpenTech.ADAL.1").decode(),
                "value": base64.b64encode(value).decode(),
            }))  # fmt: skip
        return "\n".join(lines).encode()

    return written


def _b64(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def adal_macos(*all_left: Left) -> bytes:
    """Returns the cache of ADAL for macOS as one archive."""
    archive = Archive()
    users = []
    for left in all_left:
        key = archive.object(
            "ADTokenCacheKey", authority=archive.add(left.authority), resource=archive.add(None),
            clientId=archive.add(left.client_id),
        )  # fmt: skip
        items = archive.dictionary([(key, archive.item(left, version="2.6"))])
        users.append((archive.add(left.username), items))
    tokens = archive.dictionary([(archive.add("tokens"), archive.dictionary(users))])
    root = [(archive.add("version"), archive.add(1.0)), (archive.add("tokenCache"), tokens)]
    return archive.data(archive.dictionary(root))


FORMATS: dict[str, tuple[Callable[..., bytes], bool]] = {
    "ADAL for Apple 1.x": (adal_apple("1.2"), False),
    "ADAL for Apple 2.2": (adal_apple("2.2"), False),
    "ADAL for Apple 2.6": (adal_apple("2.6"), False),
    "ADAL for Apple 2.7": (adal_apple("2.7"), True),
    "ADAL for macOS": (adal_macos, False),
    "ADAL.NET 3": (adal_dotnet, True),
    "ADAL for Python": (adal_python, False),
    "Azure CLI": (azure_cli, False),
}
"""The writer of each format, and whether the format has the home account ID."""
