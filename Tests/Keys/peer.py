# SPDX-License-Identifier: MIT
"""A program with its token cache in the keyring, with msal-extensions or with libsecret like .NET.

usage: peer.py PLACE save|load   (the document on standard input, or on standard output)
       peer.py PLACE accounts    (prints the user names that MSAL Python reads)
       peer.py PLACE write NAME  (stores 20 access tokens, one after the other, and prints each one)
"""

from __future__ import annotations

import base64
import json
import sys
import time
from pathlib import Path
from typing import Any

import gi
import msal
from msal_extensions import LibsecretPersistence, PersistedTokenCache

gi.require_version("Secret", "1")
from gi.repository import Secret  # noqa: E402

CLIENT = {"MsalClientID": "Microsoft.Developer.IdentityService"}


class DotNET:
    """The item of Extensions.Msal: found by its attributes only, in base64, its file touched with one byte."""

    def __init__(self, signal: Path, label: str) -> None:
        """As `WithLinuxKeyring` of Azure.Identity does."""
        self.signal, self.label = signal, label
        self.attributes = {**CLIENT, "Microsoft.Developer.IdentityService": "1.0.0.0"}
        kinds = dict.fromkeys(self.attributes, Secret.SchemaAttributeType.STRING)
        self.schema = Secret.Schema.new("msal.cache", Secret.SchemaFlags.DONT_MATCH_NAME, kinds)

    def save(self, text: str) -> None:
        """Stores the document, and touches the file."""
        value = base64.b64encode(text.encode()).decode()
        Secret.password_store_sync(self.schema, self.attributes, "default", self.label, value, None)
        self.signal.write_bytes(b"\1")

    def load(self) -> str:
        """Reads the document."""
        return base64.b64decode(Secret.password_lookup_sync(self.schema, self.attributes, None)).decode()


def persistence(location: str) -> Any:  # noqa: ANN401 - one of two unrelated types
    """Returns the persistence of a location."""
    home = Path.home()
    azure, identity = home / ".azure", home / ".IdentityService"
    dotnet = home / ".local/share/.IdentityService"
    for folder in (azure, identity, dotnet):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if location == "azure_cli":
        attributes = {"my_attr1": "foo", "my_attr2": "bar"}
        return LibsecretPersistence(str(azure / "msal_token_cache.bin"), "my_schema_name", attributes)
    if location == "azure_cli_newer":
        signal = str(azure / "msal_token_cache.sig")
        return LibsecretPersistence(signal, "Microsoft Azure CLI", {"type": "Token cache"})
    if location == "azure_identity":
        name = "msal.cache.nocae"
        return LibsecretPersistence(str(identity / name), name, CLIENT, label="MSALCache")
    return DotNET(dotnet / "msal.cache.nocae", "msal.cache.nocae")


def write(kept: Any, name: str) -> None:  # noqa: ANN401 - as above
    """Stores tokens like MSAL Python: each under the lock, merged into the current cache."""
    cache = PersistedTokenCache(kept)
    end = str(int(time.time()) + 36000)
    for number in range(20):
        entry = {
            "credential_type": "AccessToken", "secret": f"token-of-{name}-{number}", "home_account_id": "uid.utid",
            "environment": "login.microsoftonline.com", "client_id": name, "target": f"{name}.{number}",
            "realm": "utid", "token_type": "Bearer", "cached_at": "1", "expires_on": end,
            "extended_expires_on": end,
        }  # fmt: skip
        cache.modify(msal.TokenCache.CredentialType.ACCESS_TOKEN, entry, entry)
        print(entry["secret"], flush=True)


def main() -> int:
    """Runs the command in the arguments."""
    kept = persistence(sys.argv[1])
    if sys.argv[2] == "save":
        kept.save(sys.stdin.read())
    elif sys.argv[2] == "load":
        print(kept.load(), end="")
    elif sys.argv[2] == "write":
        write(kept, sys.argv[3])
    else:
        cache = PersistedTokenCache(kept)
        accounts = cache.search(msal.TokenCache.CredentialType.ACCOUNT)
        print(json.dumps([account["username"] for account in accounts]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
