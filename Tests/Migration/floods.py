# SPDX-License-Identifier: MIT
"""Imports a malicious cache that costs time or memory, and prints the cost for this process.

usage: floods.py NAME MEGABYTES FOLDER   (NAME: one of FLOODS; FOLDER: for the store)
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import tessera_identity

Entry = dict[str, object]


def entry(person: int, place: int, token: str) -> Entry:
    """Returns an entry of ADAL for Python for an account at an authority."""
    return {
        "refreshToken": token, "userId": f"{person}@x.y", "isMRRT": True, "resource": "r",
        "_clientId": "client", "_authority": f"https://login.microsoftonline.com/{place}",
    }  # fmt: skip


def all_accounts(_: int) -> Iterator[Entry]:
    """Many accounts, each with a token."""
    number = 0
    while True:
        number += 1
        yield entry(number, 0, f"token {number}")


def one_account(_: int) -> Iterator[Entry]:
    """Many tokens of one account, each of another tenant."""
    number = 0
    while True:
        number += 1
        yield entry(0, number, f"token {number}")


def one_key(_: int) -> Iterator[Entry]:
    """Many tokens of one account with the same keys, each newer than the one before."""
    number = 0
    while True:
        number += 1
        yield entry(0, number % 4000, f"token {number}")


def large_accounts(size: int) -> Iterator[Entry]:
    """Accounts with names of the maximum size, and then many small tokens of all of them in turn."""
    long = "x" * (1 << 17)
    count = max(size // (16 << 20), 1)
    for place in range(64):
        for person in range(count):
            yield entry(person, place, f"token {person} {place} {long}")
    number = 0
    while True:
        number += 1
        yield entry(number % count, 100 + number % 50, f"token {number}")


FLOODS: dict[str, Callable[[int], Iterator[Entry]]] = {
    "accounts": all_accounts, "one-account": one_account, "one-key": one_key, "large-accounts": large_accounts,
}  # fmt: skip


def cache(name: str, size: int) -> bytes:
    """Returns a cache of at most a size."""
    parts: list[bytes] = []
    length = 2
    for each in FLOODS[name](size):
        text = json.dumps(each).encode()
        length += len(text) + 1
        if length > size:
            break
        parts.append(text)
    return b"[" + b",".join(parts) + b"]"


def moved() -> int:
    """Returns the bytes that this process has read and written; 0 if the system does not report it."""
    path = Path("/proc/self/io")
    if not path.exists():
        return 0
    lines = dict(line.split(": ") for line in path.read_text().splitlines())
    return int(lines["rchar"]) + int(lines["wchar"])


def main(name: str, megabytes: str, folder: str) -> None:
    """Imports a cache.

    Prints the processor time in milliseconds, the megabytes of memory and of I/O, and the accounts.
    """
    data = cache(name, int(megabytes) << 20)
    with tessera_identity.PublicClientApplication("client", store_directory=folder) as application:
        # Load the modules before the measurement.
        application.migrate(data=b"[]", format="adal_python")
        before, bytes_before = resource.getrusage(resource.RUSAGE_SELF), moved()
        report = application.migrate(data=data, format="adal_python")
        after, bytes_after = resource.getrusage(resource.RUSAGE_SELF), moved()
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    memory = (after.ru_maxrss - before.ru_maxrss) >> 10
    print(int(seconds * 1000), memory, (bytes_after - bytes_before) >> 20, len(report.accounts), sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
