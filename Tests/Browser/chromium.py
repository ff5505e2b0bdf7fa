# SPDX-License-Identifier: MIT
"""A real browser: headless Chromium, controlled through the pipe of its DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

PHONE = (390, 844, True)
DESKTOP = (1280, 800, False)
SECONDS = 90


class BrowserProblem(Exception):
    """The browser did not behave as expected; the message is shown to the user."""


class Chromium:
    """A browser with its own profile and one page; a context manager that stops it."""

    def __init__(
        self, *more: str, settings: dict[str, Any] | None = None, environment: dict[str, str] | None = None
    ) -> None:
        """Starts the browser. `more` are command-line options, `settings` those of the profile.

        It has a window if `environment` contains a display.
        """
        program = shutil.which("chromium") or shutil.which("google-chrome")
        if program is None:
            raise BrowserProblem("there is no Chromium: apt-get install chromium")
        self._profile = tempfile.TemporaryDirectory(prefix="tessera-chromium-")
        to_browser, self._to = os.pipe()
        self._from, from_browser = os.pipe()
        preferences = Path(self._profile.name) / "Default/Preferences"
        preferences.parent.mkdir()
        preferences.write_text(json.dumps(settings or {}))
        options = [
            *(["--headless=new"] if environment is None else []),
            "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
            "--disable-dev-shm-usage", "--disable-background-networking", "--no-proxy-server",
            f"--user-data-dir={self._profile.name}", *more,
        ]  # fmt: skip
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        # The protocol uses the descriptors 3 and 4, because sh may support descriptors of one digit only.
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}', program, *options],
            pass_fds=(to_browser, from_browser), env=environment, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        self._number = 0
        self._rest = b""
        self._session: str | None = None
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        attached = self.command("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        self.command("Page.enable")

    def __enter__(self) -> Chromium:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.wait(10)
        os.close(self._to)
        os.close(self._from)
        # Helper processes may still write to the profile.
        shutil.rmtree(self._profile.name, ignore_errors=True)

    def command(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Sends a command and returns its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserProblem(f"{method}: {answer['error']}")
                return dict(answer["result"])

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            if not select.select([self._from], [], [], SECONDS)[0]:
                raise BrowserProblem("the browser does not answer")
            piece = os.read(self._from, 1 << 16)
            if not piece:
                raise BrowserProblem("the browser has ended")
            self._rest += piece
        text, self._rest = self._rest.split(b"\0", 1)
        return dict(json.loads(text))

    def evaluate(self, expression: str) -> Any:
        """Returns the value of an expression on the page; None while there is no page."""
        try:
            result = self.command("Runtime.evaluate", expression=expression, returnByValue=True)
        except BrowserProblem:
            return None
        return result["result"].get("value")

    def open(self, url: str) -> None:
        """Opens an address."""
        self.command("Page.navigate", url=url)

    def wait_for(self, expression: str) -> None:
        """Waits until an expression on the page is true."""
        end = time.monotonic() + SECONDS
        while not self.evaluate(f"document.readyState === 'complete' && !!({expression})"):
            if time.monotonic() > end:
                raise BrowserProblem(f"{expression} did not come at {self.address}: {self.text!r}")
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        """Clicks the element of a selector, as soon as it exists."""
        quoted = json.dumps(selector)
        self.wait_for(f"document.querySelector({quoted})")
        self.evaluate(f"document.querySelector({quoted}).click()")

    def type(self, selector: str, text: str) -> None:
        """Types into the element of a selector, as soon as it exists."""
        quoted = json.dumps(selector)
        self.wait_for(f"document.querySelector({quoted})")
        self.evaluate(f"document.querySelector({quoted}).focus()")
        self.command("Input.insertText", text=text)

    @property
    def address(self) -> str:
        """Returns the address of the page."""
        return str(self.evaluate("location.href"))

    @property
    def text(self) -> str:
        """Returns the text of the page."""
        return str(self.evaluate("document.body ? document.body.innerText : ''"))

    def history(self) -> list[str]:
        """Returns the addresses in the history."""
        entries = self.command("Page.getNavigationHistory")["entries"]
        return [entry["url"] for entry in entries]

    def picture(self, path: Path, size: tuple[int, int, bool]) -> None:
        """Takes a screenshot at a screen size, and checks that the page fits the width."""
        width, height, is_mobile = size
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height,
            deviceScaleFactor=1, mobile=is_mobile,
        )  # fmt: skip
        needed = self.evaluate("document.documentElement.scrollWidth")
        if needed > width:
            raise BrowserProblem(f"{self.address} needs {needed} of {width} pixels")
        data = self.command("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))
