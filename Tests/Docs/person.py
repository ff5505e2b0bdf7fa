#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Somebody in front of a browser: Alice, who approves.

usage: person.py browser ADDRESS         signs in at a page, and goes where it leads
       person.py page ADDRESS            signs in at a page, and prints where it leads
       person.py code USER_CODE          enters a code
       person.py authenticator ADDRESS   signs in in Microsoft Authenticator, and prints its answer
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path

from provider import Provider


class Known(Provider):
    """A provider that somebody else has started."""

    def __init__(self) -> None:
        """Nothing is started."""
        self.control = os.environ["DOCS_CONTROL"]


def page(address: str) -> str:
    """Where a page leads after the sign-in."""
    return Known().visit(address)


def code(user_code: str) -> None:
    """Approve what shows a code."""
    Known().approve(user_code)


def browser(address: str) -> None:
    """Sign in, and open the page to which that leads, or hand the address to who has registered its scheme."""
    place = page(address)
    if place.startswith("http"):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(place, timeout=30) as answer:
            answer.read()
    else:
        scheme = place.partition(":")[0]
        entry = Path(os.environ["XDG_DATA_HOME"], f"applications/tessera-{scheme}.desktop")
        (command,) = (line[5:] for line in entry.read_text().splitlines() if line.startswith("Exec="))
        words = [place if word in ("%u", "%U") else word for word in shlex.split(command)]
        subprocess.run(words, check=True, timeout=30)


def authenticator(address: str) -> str:
    """The address with which Microsoft Authenticator answers a request."""
    from authenticator import answer, tokens  # of the binding's tests

    return str(answer(address, tokens(address, Known(), "alice@contoso.com")))


if __name__ == "__main__":
    does = {"browser": browser, "page": page, "code": code, "authenticator": authenticator}
    said = does[sys.argv[1]](sys.argv[2])
    if said:
        print(said)
