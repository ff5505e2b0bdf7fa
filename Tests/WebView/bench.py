# SPDX-License-Identifier: MIT
"""The common part of the cases: a screen, a temporary home, and the programs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from embedders import Embedders
from screen import Screen

from timeouts import until

ROOT = Path(__file__).resolve().parents[2]
HELPER = ROOT / "build/libexec/tessera-webview"
PICTURES = ROOT / "build/webview"
REDIRECT = "http://localhost/callback"


class Bench:
    """The common part of the cases: a screen, a temporary home, and the programs."""

    def __init__(self, screen: Screen, folder: Path) -> None:
        self.screen = screen
        self.home = folder / "home"
        self.home.mkdir()
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
            "DISPLAY": screen.display, "HOME": str(self.home), "GSK_RENDERER": "cairo",
            "DBUS_SESSION_BUS_ADDRESS": "disabled:", "NO_AT_BRIDGE": "1",
        }  # fmt: skip
        self.programs = Embedders(folder, self.environment, HELPER)

    def picture(self, name: str) -> None:
        """Stores a screenshot."""
        self.screen.picture(PICTURES / f"{name}.png")

    def kept(self) -> list[str]:
        """Returns the files in the home that contain data of a page."""
        files = [path for path in self.home.rglob("*") if path.is_file() and path.stat().st_size > 0]
        own = {".flatpak", "dconf", "keys"}
        return [str(path.relative_to(self.home)) for path in files if not own & set(path.parts)]


def wait_until(holds: Callable[[], bool]) -> None:
    """Waits for a condition, for a minute at most."""
    until(holds, otherwise="it has not come about", pause=0.05)
