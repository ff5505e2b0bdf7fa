# SPDX-License-Identifier: MIT
"""The measured tokens, equal for Tessera and MSAL Python."""

from __future__ import annotations

import base64
import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

CLIENT = "b1ec0de0-0000-4000-8000-00000000c11e"
TENANT = "7e55e2a0-0000-4000-8000-0000000007e4"
AUTHORITY = f"https://login.microsoftonline.com/{TENANT}"
# The host under which each library stores tokens of the public cloud.
TESSERA_HOST = "login.windows.net"
MSAL_HOST = "login.microsoftonline.com"
RESERVED = "openid profile offline_access"
EXPIRY = 4_000_000_000
CACHED = 1_700_000_000
LARGEST_OF_RIVALS = 100_000
"""The number of tokens up to which other libraries are measured. With a million, they take seconds per call."""

Record = dict[str, Any]


class Workload(NamedTuple):
    """A number of access tokens, distributed over users and resources."""

    layout: str
    """`users`: ten resources per user; `one-user`: all tokens belong to one user."""
    tokens: int
    asked: str
    """`equal`: all granted scopes are requested; `subset`: the token has the reserved scopes in addition."""

    @property
    def name(self) -> str:
        """The name of the files and of the store group."""
        return f"{self.layout}-{self.tokens}-{self.asked}"

    @property
    def has_rivals(self) -> bool:
        """Whether other libraries are measured as well."""
        return self.tokens <= LARGEST_OF_RIVALS

    @property
    def users(self) -> int:
        """The number of users."""
        return 1 if self.layout == "one-user" else -(-self.tokens // 10)

    def requests(self) -> Iterator[Record]:
        """Returns the request for each token in random order, starting with the middle one."""
        numbers = list(range(self.tokens))
        random.Random(self.tokens).shuffle(numbers)
        numbers.remove(self.tokens // 2)
        for number in [self.tokens // 2, *numbers]:
            user, resource = self._user_and_resource(number)
            yield {"home_account_id": home(user), "scopes": [scope(resource)]}

    def records(self, host: str) -> Iterator[tuple[int, Record]]:
        """Returns all records with their type numbers (kSecAttrType of the unified schema)."""
        for number in range(self.tokens):
            yield 2001, self._access_token(number, host)
        for user in range(self.users):
            refresh_token = {"secret": secret("r", user, 1300)}
            yield 2002, {**credential("RefreshToken", user, host), **refresh_token}
            id_token = {"realm": TENANT, "secret": jwt(user)}
            yield 2003, {**credential("IdToken", user, host), **id_token}
            yield 1003, account(user, host)
            yield 5001, sign_in(user)
        yield 3001, {"client_id": CLIENT, "environment": host, "family_id": ""}

    def _user_and_resource(self, number: int) -> tuple[int, int]:
        return (0, number) if self.layout == "one-user" else (number // 10, number % 10)

    def _access_token(self, number: int, host: str) -> Record:
        user, resource = self._user_and_resource(number)
        return {
            **credential("AccessToken", user, host),
            "realm": TENANT,
            "target": scope(resource) + (f" {RESERVED}" if self.asked == "subset" else ""),
            "cached_at": str(CACHED),
            "expires_on": str(EXPIRY),
            "extended_expires_on": str(EXPIRY),
            "secret": secret("a", number, 2048),
        }


def home(user: int) -> str:
    """Returns a home account ID."""
    return f"00000000-0000-4000-8000-{user:012x}.{TENANT}"


def scope(resource: int) -> str:
    """Returns the scope of a resource."""
    return f"https://resource{resource}.example/read"


def secret(kind: str, number: int, length: int) -> str:
    """Returns a token of a given length that differs for each number."""
    return f"eyJ{kind}{number:08d}.".ljust(length, "x")


def jwt(user: int) -> str:
    """Returns an ID token of 1,100 characters without a real signature."""
    claims = {
        "aud": CLIENT, "iss": f"{AUTHORITY}/v2.0", "iat": CACHED, "exp": EXPIRY, "tid": TENANT,
        "sub": f"subject-{user}", "oid": home(user).split(".")[0], "name": f"User {user}",
        "preferred_username": username(user),
    }  # fmt: skip
    documents = [json.dumps(each).encode() for each in ({"alg": "RS256"}, claims)]
    parts = [base64.urlsafe_b64encode(each).decode().rstrip("=") for each in documents]
    return f"{'.'.join(parts)}.".ljust(1100, "s")


def username(user: int) -> str:
    """Returns the user name of a user."""
    return f"user{user}@contoso.example"


def credential(kind: str, user: int, host: str) -> Record:
    """Returns the members that all tokens of a user share."""
    return {
        "credential_type": kind, "home_account_id": home(user), "environment": host,
        "client_id": CLIENT,
    }  # fmt: skip


def account(user: int, host: str) -> Record:
    """Returns the account of a user."""
    return {
        "home_account_id": home(user), "environment": host, "realm": TENANT,
        "local_account_id": home(user).split(".")[0], "username": username(user),
        "name": f"User {user}", "authority_type": "MSSTS",
    }  # fmt: skip


def sign_in(user: int) -> Record:
    """Returns Tessera's record of a user's sign-in to the application."""
    entry = {
        "client_id": CLIENT, "home_account_id": home(user), "athority_map": {},
        "sign_in_state": "signed_in",
    }  # fmt: skip
    return {
        "client_id": CLIENT, "home_account_id": home(user),
        "account_metadata_map": {home(user): entry},
    }  # fmt: skip


def fill_tessera(
    workload: Workload, program: Path, directory: Path, environment: dict[str, str]
) -> None:
    """Writes a workload into a Tessera store."""
    command = [str(program), "fill", str(directory), workload.name, CLIENT, AUTHORITY]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as filler:
        assert filler.stdin is not None
        for kind, record in workload.records(TESSERA_HOST):
            filler.stdin.write(json.dumps({"type": kind, "record": record}).encode() + b"\n")
    if filler.returncode != 0:
        raise SystemExit(f"{program} could not fill {workload.name}")


def write_requests(workload: Workload, path: Path) -> None:
    """Writes the requests, one per line, in the format of the C interface."""
    with path.open("w") as file:
        file.writelines(
            json.dumps(each, separators=(",", ":")) + "\n" for each in workload.requests()
        )
