# SPDX-License-Identifier: MIT
"""Ways in which the bytes of a file change: each one follows from a seed and a number."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

Change = Callable[[random.Random, bytearray], None]


def one_byte(chance: random.Random, data: bytearray) -> None:
    """Another value for one byte."""
    place = chance.randrange(len(data))
    data[place] ^= chance.randrange(1, 256)


def one_bit(chance: random.Random, data: bytearray) -> None:
    """One bit is the other one."""
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def head_byte(chance: random.Random, data: bytearray) -> None:
    """Another value for one of the first 128 bytes, where a file says what it is."""
    data[chance.randrange(min(len(data), 128))] ^= chance.randrange(1, 256)


def some_bytes(chance: random.Random, data: bytearray) -> None:
    """Up to 64 bytes that mean nothing."""
    place = chance.randrange(len(data))
    count = chance.randrange(1, 65)
    data[place : place + count] = chance.randbytes(min(count, len(data) - place))


def sector_of_zeros(chance: random.Random, data: bytearray) -> None:
    """A sector that reads as zeros."""
    place = chance.randrange(0, len(data), 512)
    data[place : place + 512] = bytes(min(512, len(data) - place))


def sectors_swapped(chance: random.Random, data: bytearray) -> None:
    """A sector with the content of another one."""
    one, other = (chance.randrange(0, len(data), 512) for _ in range(2))
    if one != other and max(one, other) + 512 <= len(data):
        data[one : one + 512] = data[other : other + 512]


def truncated(chance: random.Random, data: bytearray) -> None:
    """The end is missing."""
    del data[chance.randrange(len(data)) :]


def longer(chance: random.Random, data: bytearray) -> None:
    """Something follows the end."""
    data += chance.randbytes(chance.randrange(1, 5000))


# One byte is the usual damage, the others are what disks and restores do.
CHANGES: list[tuple[int, Change]] = [
    (10, one_byte), (3, one_bit), (3, head_byte), (2, some_bytes), (1, sector_of_zeros),
    (1, sectors_swapped), (1, truncated), (1, longer),
]  # fmt: skip
# The database matters most; an empty file of locks can only grow.
FILES = [(14, "default.db"), (5, "default.db-wal"), (2, "default.fresh"), (1, "default.lock")]


class Damage:
    """One change of one file of a store."""

    def __init__(self, seed: int, number: int, files: list[str]) -> None:
        """The damage with a number, to a store with these files."""
        self.number = number
        self._chance = random.Random(f"{seed}/{number}")
        present = [(weight, name) for weight, name in FILES if name in files]
        self.file: str = self._pick(present)
        self._change: Change = self._pick(CHANGES)

    def apply(self, directory: Path) -> None:
        """Change the file; it becomes another one with the same name and mode."""
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
