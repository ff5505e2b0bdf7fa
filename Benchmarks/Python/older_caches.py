# SPDX-License-Identifier: MIT
"""Writes large caches of older libraries, for `tessera-bench older`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

AUTHORITY = "https://login.microsoftonline.com/common"
RESOURCE = "https://graph.windows.net"


def secret(user: int, length: int) -> str:
    """Returns a token of the length of Entra's tokens."""
    return f"{user}." + "x" * length


def entry(user: int) -> dict[str, object]:
    """Returns an entry of ADAL for Python."""
    return {
        "_authority": AUTHORITY, "_clientId": "app", "userId": f"user{user}@example.com",
        "accessToken": secret(user, 1500), "refreshToken": secret(user, 1200), "isMRRT": True,
        "resource": RESOURCE, "expiresOn": "2030-01-01 00:00:00.123456",
    }  # fmt: skip


def records(user: int) -> tuple[dict[str, str], dict[str, str]]:
    """Returns a refresh token and an account of the unified schema."""
    place = {"home_account_id": f"{user}.home", "environment": "login.windows.net"}
    token = {"credential_type": "RefreshToken", "client_id": "app", "secret": secret(user, 1200)}
    account = {"authority_type": "MSSTS", "realm": "home", "username": f"user{user}@example.com"}
    return place | token, place | account


def dot_net(users: int) -> Iterator[bytes]:
    """Serializes the cache of ADAL.NET, version 3."""
    yield (3).to_bytes(4, "little") + users.to_bytes(4, "little")
    for user in range(users):
        person = {"DisplayableId": f"user{user}@example.com", "UniqueId": str(user)}
        expires = {"DateTime": "/Date(1893456000000)/", "OffsetMinutes": 0}
        result = {"AccessToken": secret(user, 1500), "ExpiresOn": expires, "UserInfo": person}
        value = {
            "RefreshToken": secret(user, 1200), "ResourceInResponse": RESOURCE, "Result": result,
        }  # fmt: skip
        yield text(f"{AUTHORITY}/:::{RESOURCE}:::app:::0") + text(json.dumps(value))


def text(content: str) -> bytes:
    """Serializes a string like BinaryWriter of .NET."""
    data = content.encode()
    length, prefix = len(data), bytearray()
    while length > 0x7F:
        prefix.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes([*prefix, length]) + data


def main() -> None:
    """Writes one cache of each format: `older_caches.py DIRECTORY USERS`."""
    directory, users = Path(sys.argv[1]), int(sys.argv[2])
    tokens = [records(user)[0] for user in range(users)]
    accounts = [records(user)[1] for user in range(users)]
    lists = {"refresh_tokens": tokens, "accounts": accounts}
    dictionary = [{"Key": key, "Value": [json.dumps(row) for row in rows]} for key, rows in lists.items()]
    unified = {"RefreshToken": dict(enumerate(tokens)), "Account": dict(enumerate(accounts))}
    (directory / "adal_dotnet").write_bytes(b"".join(dot_net(users)))
    (directory / "adal_python").write_text(json.dumps([entry(user) for user in range(users)]))
    (directory / "msal_dotnet").write_text(json.dumps(dictionary))
    (directory / "msal_macos").write_text(json.dumps(unified))


if __name__ == "__main__":
    main()
