# SPDX-License-Identifier: MIT
"""Changes of the bytes of a file, each derived from a seed and a number."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

Change = Callable[[random.Random, bytearray], None]


def one_byte(chance: random.Random, data: bytearray) -> None:
    """Changes one byte."""
    place = chance.randrange(len(data))
    data[place] ^= chance.randrange(1, 256)


def one_bit(chance: random.Random, data: bytearray) -> None:
    """Flips one bit."""
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def head_byte(chance: random.Random, data: bytearray) -> None:
    """Changes one of the first 128 bytes, where file headers are."""
    data[chance.randrange(min(len(data), 128))] ^= chance.randrange(1, 256)


def some_bytes(chance: random.Random, data: bytearray) -> None:
    """Replaces up to 64 bytes with random ones."""
    place = chance.randrange(len(data))
    count = chance.randrange(1, 65)
    data[place : place + count] = chance.randbytes(min(count, len(data) - place))


def sector_of_zeros(chance: random.Random, data: bytearray) -> None:
    """Replaces a sector with zeros."""
    place = chance.randrange(0, len(data), 512)
    data[place : place + 512] = bytes(min(512, len(data) - place))


def sectors_swapped(chance: random.Random, data: bytearray) -> None:
    """Replaces a sector with another one."""
    one, other = (chance.randrange(0, len(data), 512) for _ in range(2))
    if one != other and max(one, other) + 512 <= len(data):
        data[one : one + 512] = data[other : other + 512]


def truncated(chance: random.Random, data: bytearray) -> None:
    """Removes the end."""
    del data[chance.randrange(len(data)) :]


def longer(chance: random.Random, data: bytearray) -> None:
    """Appends bytes."""
    data += chance.randbytes(chance.randrange(1, 5000))


# One byte is the usual damage; the others occur with disks and restores.
CHANGES: list[tuple[int, Change]] = [
    (10, one_byte), (3, one_bit), (3, head_byte), (2, some_bytes), (1, sector_of_zeros),
    (1, sectors_swapped), (1, truncated), (1, longer),
]  # fmt: skip
# The database matters most; an empty lock file can only grow.
FILES = [(14, "default.db"), (5, "default.db-wal"), (2, "default.fresh"), (1, "default.lock")]


class Damage:
    """One change of one file of a store."""

    def __init__(self, seed: int, number: int, files: list[str]) -> None:
        """Derives the damage with a number for a store with these files."""
        self.number = number
        self._chance = random.Random(f"{seed}/{number}")
        present = [(weight, name) for weight, name in FILES if name in files]
        self.file: str = self._pick(present)
        self._change: Change = self._pick(CHANGES)

    def apply(self, directory: Path) -> None:
        """Changes the file, and replaces it by one with the same name and mode."""
        path = directory / self.file
        data = bytearray(path.read_bytes())
        change = self._change if data else longer
        change(self._chance, data)
        path.write_bytes(bytes(data))

    def __str__(self) -> str:
        return f"#{self.number} {self.file} {self._change.__name__}"

    def _pick(self, choices: list[tuple[int, Any]]) -> Any:
        weights = [weight for weight, _ in choices]
        return self._chance.choices([choice for _, choice in choices], weights)[0]
