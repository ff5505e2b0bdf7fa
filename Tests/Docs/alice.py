#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The user Alice, with a browser to approve sign-ins.

usage: alice.py browser ADDRESS         signs in on a page, and follows the redirect
       alice.py page ADDRESS            signs in on a page, and prints the redirect URL
       alice.py code USER_CODE          enters a code
       alice.py authenticator ADDRESS   signs in with Microsoft Authenticator, and prints its response
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
    """A provider that another process has started."""

    def __init__(self) -> None:
        """Starts nothing."""
        self.control = os.environ["DOCS_CONTROL"]


def page(address: str) -> str:
    """Returns the redirect URL of a page after the sign-in."""
    return Known().visit(address)


def code(user_code: str) -> None:
    """Approves a device code."""
    Known().approve(user_code)


def browser(address: str) -> None:
    """Signs in, and opens the redirect URL or passes it to the handler of its scheme."""
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
    """Returns the response URL of Microsoft Authenticator."""
    from authenticator import response_url, tokens  # of the binding's tests

    return str(response_url(address, tokens(address, Known(), "alice@contoso.com")))


if __name__ == "__main__":
    does = {"browser": browser, "page": page, "code": code, "authenticator": authenticator}
    said = does[sys.argv[1]](sys.argv[2])
    if said:
        print(said)
