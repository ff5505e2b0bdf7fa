# SPDX-License-Identifier: MIT
"""What a soak is told: how long, from which seed, and where its files may lie."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


@dataclass
class Setting:
    """What a soak is told."""

    runs: int
    """Kills, rounds, reads or repetitions, as the soak counts."""
    seed: int
    is_long: bool
    home: Path
    """A directory that is empty, and removed at the end."""
    other: Path | None = None
    """The library of another version."""
    started: float = field(default_factory=time.monotonic)

    def say(self, text: str) -> None:
        """Tell whoever waits what is going on."""
        seconds = time.monotonic() - self.started
        print(f"soak: {seconds:6.1f} s: {text}", file=sys.stderr, flush=True)


class Outcome(NamedTuple):
    """How a soak ended."""

    passed: bool
    closing: str
    """The figures that matter, in one line."""


def table(rows: dict[str, object]) -> None:
    """Print figures, a line each."""
    for name, value in rows.items():
        print(f"{name:44} {value}", flush=True)
