# SPDX-License-Identifier: MIT
"""A virtual screen (Xvfb), with simulated user input (xdotool) and screenshots."""

from __future__ import annotations

import hashlib
import os
import re
import struct
import subprocess
import tempfile
import time
import zlib
from pathlib import Path
from types import TracebackType

WIDTH, HEIGHT = 800, 800
SECONDS = 90
CLOSE = (493, 27)
"""The position of the button that closes a window of 520 pixels in the upper left corner."""


class ScreenProblem(Exception):
    """The expected content did not appear; the message is shown to the user."""


class Screen:
    """A private display; a context manager that closes it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tessera-screen-")
        number, from_server = os.pipe()
        # A server that resets when its last client leaves rejects clients at that moment.
        self._process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(from_server), "-screen", "0", f"{WIDTH}x{HEIGHT}x24",
             "-nolisten", "tcp", "-noreset", "-fbdir", self._folder.name],
            pass_fds=(from_server,), stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(from_server)
        with os.fdopen(number) as stream:
            self.display = f":{stream.readline().strip()}"

    def __enter__(self) -> Screen:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.wait(10)
        self._folder.cleanup()

    def windows(self) -> list[tuple[str, str]]:
        """Returns the visible windows: their numbers and titles."""
        found = self._do("search", "--onlyvisible", "--name", ".").split()
        titles = [(each, self._do("getwindowname", each)) for each in found]
        return [(each, title) for each, title in titles if title]

    def wait_for_window(self, part: str) -> str:
        """Waits until a window is drawn whose title contains a text; returns its number."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            for number, title in self.windows():
                if part in title:
                    self._do("windowfocus", number)
                    self.settle()
                    return number
            time.sleep(0.05)
        raise ScreenProblem(f"no window has {part}, only {self.windows()}")

    def write(self, text: str) -> None:
        """Types into the focused element."""
        self._do("type", "--delay", "5", text)

    def type(self, text: str) -> None:
        """Types, and presses return."""
        self.write(text)
        self._do("key", "Return")

    def press(self, *keys: str) -> None:
        """Presses keys, one after the other."""
        for key in keys:
            self._do("key", key)

    def click(self, place: tuple[int, int]) -> None:
        """Clicks on a position."""
        self._do("mousemove", *map(str, place), "click", "1")

    def wait_for_colour(self, red: int, green: int, blue: int) -> tuple[int, int]:
        """Waits for an area of a colour; returns a position inside."""
        # The fourth byte of a pixel is unused.
        line = re.compile(b"(?:" + re.escape(bytes([blue, green, red])) + b".){40}", re.DOTALL)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            data = self._memory()
            header = struct.unpack(">25I", data[:100])
            start, width = header[0] + header[19] * 12, header[12]
            found = line.search(data, start)
            if found is not None:
                row, column = divmod(found.start() - start, width)
                return column // 4 + 20, row + 5
            time.sleep(0.1)
        raise ScreenProblem(f"nothing has the colour {red}, {green}, {blue}")

    def after(self, act: object = None) -> None:
        """Waits until the screen has changed and is stable."""
        before = self._look()
        if callable(act):
            act()
        end = time.monotonic() + SECONDS
        while self._look() == before:
            if time.monotonic() > end:
                raise ScreenProblem("nothing changes on the screen")
            time.sleep(0.05)
        self.settle()

    def settle(self) -> None:
        """Waits until nothing has changed for a while, except a blinking cursor."""
        end, quiet, last = time.monotonic() + 5, 0, ""
        while quiet < 4 and time.monotonic() < end:
            seen = self._look()
            quiet, last = (quiet + 1, last) if seen == last else (0, seen)
            time.sleep(0.1)

    def picture(self, path: Path) -> None:
        """Stores a screenshot."""
        data = self._memory()
        header = struct.unpack(">25I", data[:100])
        start, width, height, line = header[0] + header[19] * 12, header[4], header[5], header[12]
        rows = bytearray()
        for row in range(height):
            pixels = data[start + row * line : start + row * line + width * 4]
            colours = bytearray(width * 3)
            colours[0::3], colours[1::3], colours[2::3] = pixels[2::4], pixels[1::4], pixels[0::4]
            rows += b"\0" + colours
        head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(rows))), (b"IEND", b""))
        path.write_bytes(
            b"\x89PNG\r\n\x1a\n"
            + b"".join(
                struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
                for kind, content in chunks
            )
        )

    def _memory(self) -> bytes:
        return (Path(self._folder.name) / "Xvfb_screen0").read_bytes()

    def _look(self) -> str:
        return hashlib.sha256(self._memory()).hexdigest()

    def _do(self, *words: str) -> str:
        environment = {**os.environ, "DISPLAY": self.display}
        done = subprocess.run(
            ["xdotool", *words], env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        return done.stdout.strip()
