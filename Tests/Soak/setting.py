# SPDX-License-Identifier: MIT
"""The settings of a soak test: its length, its seed, and the folder for its files."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


@dataclass
class Setting:
    """The settings of a soak test."""

    runs: int
    """The number of kills, rounds, reads or repetitions, depending on the test."""
    seed: int
    is_long: bool
    home: Path
    """An empty directory, which is removed at the end."""
    other: Path | None = None
    """The library of another version."""
    started: float = field(default_factory=time.monotonic)

    def say(self, text: str) -> None:
        """Prints the progress."""
        seconds = time.monotonic() - self.started
        print(f"soak: {seconds:6.1f} s: {text}", file=sys.stderr, flush=True)


class Outcome(NamedTuple):
    """The result of a soak test."""

    passed: bool
    closing: str
    """The important figures, in one line."""


def table(rows: dict[str, object]) -> None:
    """Prints figures, a line each."""
    for name, value in rows.items():
        print(f"{name:44} {value}", flush=True)
