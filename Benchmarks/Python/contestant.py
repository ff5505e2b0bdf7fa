# SPDX-License-Identifier: MIT
"""A contestant written in Python.

usage: contestant.py tessera|tessera-shared|msal|msal-file|dict|ctypes STORE GROUP REQUESTS
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from contest import Contestant
from workload import AUTHORITY, CLIENT

Requests = list[dict[str, Any]]


def tessera_contestant(
    store: str, group: str, requests: Requests, *, is_shared: bool = False
) -> Contestant:
    """Returns Tessera's Python binding, with its own store or the shared MSAL cache file."""
    import tessera_identity

    place = {"group": group, "store_directory": store}
    if is_shared:
        place = {"store": "msal_file", "msal_cache": str(Path(store) / f"{group}.json")}
    application = tessera_identity.PublicClientApplication(CLIENT, authority=AUTHORITY, **place)  # type: ignore[arg-type]
    contestant = Contestant([(each["scopes"], each["home_account_id"]) for each in requests])

    def acquire(request: tuple[list[str], str]) -> None:
        application.acquire_token_silent(request[0], account=request[1])

    def miss() -> None:
        try:
            application.acquire_token_silent(requests[0]["scopes"], account="nobody.nowhere")
        except tessera_identity.SignInRequired:
            return
        raise SystemExit("there is a token of no account")

    contestant.acquire, contestant.miss = acquire, miss
    contestant.accounts = application.get_accounts
    return contestant


def msal_contestant(store: str, group: str, requests: Requests, *, in_file: bool) -> Contestant:
    """Returns MSAL Python, with its cache in memory or in the file of msal-extensions."""
    from msal_cache import application_of

    application = application_of(Path(store) / f"{group}.json", in_file=in_file)
    accounts = {each["home_account_id"]: each for each in application.get_accounts()}
    contestant = Contestant(
        [(each["scopes"], accounts[each["home_account_id"]]) for each in requests]
    )
    nobody = {**next(iter(accounts.values())), "home_account_id": "nobody.nowhere"}

    def acquire(request: tuple[list[str], dict[str, Any]]) -> None:
        if application.acquire_token_silent(request[0], request[1]) is None:
            raise SystemExit("a token is missing")

    def miss() -> None:
        if application.acquire_token_silent(requests[0]["scopes"], nobody) is not None:
            raise SystemExit("there is a token of no account")

    def write(number: int) -> None:
        token = next(iter(application.token_cache.search("AccessToken")))
        token = {**token, "target": f"written.{number % 8}", "client_id": "writer"}
        application.token_cache.modify("AccessToken", token, token)

    contestant.acquire, contestant.miss, contestant.write = acquire, miss, write
    contestant.accounts = application.get_accounts
    return contestant


def dict_contestant(requests: Requests) -> Contestant:
    """Returns a plain dictionary, which measures the overhead of the harness."""
    tokens = {(each["home_account_id"], *each["scopes"]): "x" * 2048 for each in requests}
    contestant = Contestant([(each["scopes"], each["home_account_id"]) for each in requests])

    def acquire(request: tuple[list[str], str]) -> str:
        return tokens[(request[1], *request[0])]

    contestant.acquire = acquire
    return contestant


def ctypes_contestant(requests: Requests) -> Contestant:
    """Returns one C call with a string through ctypes: the minimum cost of such a binding."""
    import ctypes

    function = ctypes.CDLL(None).strncmp
    function.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
    contestant = Contestant([json.dumps(each).encode() for each in requests])

    def acquire(request: bytes) -> None:
        function(request, request, 1)

    contestant.acquire = acquire
    return contestant


def main() -> None:
    """Creates the contestant and executes commands."""
    kind, store, group, path = sys.argv[1:]
    with Path(path).open() as file:
        requests: Requests = [json.loads(line) for line in file]
    makers: dict[str, Callable[[], Contestant]] = {
        "tessera": lambda: tessera_contestant(store, group, requests),
        "tessera-shared": lambda: tessera_contestant(store, group, requests, is_shared=True),
        "msal": lambda: msal_contestant(store, group, requests, in_file=False),
        "msal-file": lambda: msal_contestant(store, group, requests, in_file=True),
        "dict": lambda: dict_contestant(requests),
        "ctypes": lambda: ctypes_contestant(requests),
    }
    makers[kind]().serve()


if __name__ == "__main__":
    main()
