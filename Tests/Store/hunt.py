# SPDX-License-Identifier: MIT
"""Searches files and texts for secrets, in all possible encodings."""

from __future__ import annotations

import base64
import re
import urllib.parse
from collections.abc import Iterable, Iterator
from pathlib import Path

# Parts of this length are searched, so that half a token is found as well.
PIECE = 40
# The common part of all encodings of tokens, at least as long as the shortest searched part.
START = 16
RUN = re.compile(rb"[A-Za-z0-9+/=_%%.~-]{%d,}" % START)


def spellings(secret: bytes) -> set[bytes]:
    """Returns the encodings of a secret: plain, escaped, in base64, in hexadecimal, and parts of it."""
    found = {secret, secret.hex().encode(), secret.hex().upper().encode()}
    found.add(urllib.parse.quote(secret, safe="").encode())
    # Base64 differs at each of three offsets.
    for start in range(3):
        text = base64.b64encode(secret[start : start + (len(secret) - start) // 3 * 3])
        found |= {text, text.translate(bytes.maketrans(b"+/", b"-_"))}
    for part in secret.split(b".") if secret.count(b".") == 2 else [secret]:
        # The first part of a JWT only states the signature algorithm.
        if part != secret.split(b".")[0] or part == secret:
            found |= {part[:PIECE], part[-PIECE:], part[len(part) // 2 :][:PIECE]}
    # Short parts occur by chance; a short secret is searched as a whole.
    return {each for each in found if len(each) >= 16} | {secret}


def files(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yields every file below a directory, with its content."""
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(root)), path.read_bytes()


class Needles:
    """The searched values, by their beginning: a content is read once, however many values there are."""

    def __init__(self, needles: set[bytes]) -> None:
        self.starts: dict[bytes, list[bytes]] = {}
        self.others: list[bytes] = []
        for needle in needles:
            if RUN.fullmatch(needle):
                self.starts.setdefault(needle[:START], []).append(needle)
            else:
                self.others.append(needle)

    def count(self, content: bytes) -> int:
        """Returns the number of values found in a content."""
        found = {needle for needle in self.others if needle in content}
        starts = self.starts
        for run in RUN.findall(content) if starts else ():
            for place in range(len(run) - START + 1):
                if (start := run[place : place + START]) in starts:
                    found |= {each for each in starts[start] if run.startswith(each, place)}
        return len(found)


class Hunt:
    """The searched contents, and the findings."""

    def __init__(self) -> None:
        self.places = 0
        self.bytes = 0
        self.hits: list[str] = []

    def search(
        self, what: str, secrets: Iterable[bytes], places: Iterable[tuple[str, bytes]],
        whole: bool = False,
    ) -> None:  # fmt: skip
        """Searches contents for secrets; `what` names the secrets, which are not printed."""
        for name, found in self._found(secrets, places, whole):
            if found:
                self.hits.append(f"{what} in {name} ({found} spellings)")

    def control(
        self, what: str, secrets: Iterable[bytes], places: Iterable[tuple[str, bytes]]
    ) -> None:
        """Searches contents that must contain secrets: without a finding, the search does not work."""
        if not any(found for _, found in self._found(secrets, places, whole=False)):
            self.hits.append(f"no trace of {what}, though it has to be there: the search is blind")

    def _found(
        self, secrets: Iterable[bytes], places: Iterable[tuple[str, bytes]], whole: bool
    ) -> Iterator[tuple[str, int]]:
        needles = Needles(
            {each for secret in secrets for each in ({secret} if whole else spellings(secret))}
        )
        for name, content in places:
            self.places += 1
            self.bytes += len(content)
            yield name, needles.count(content)
