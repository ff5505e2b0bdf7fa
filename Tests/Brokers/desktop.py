# SPDX-License-Identifier: MIT
"""A private session bus, on which a broker is started, stopped, or activated by the bus."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from sanitizers import OPTIONS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NAME = "com.microsoft.identity.broker1"
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={path}</listen><servicedir>{services}</servicedir>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>
"""


class Failed(Exception):
    """A test failed; the message contains the observed values."""


def check(holds: bool, *what: object) -> None:
    """Fails unless a condition holds."""
    if not holds:
        raise Failed(" ".join(str(each) for each in what))


def end(process: subprocess.Popen[Any]) -> None:
    """Stops a process that was started here."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)


class Desktop:
    """A bus, a home, and the broker of a test; a context manager that stops all of them."""

    def __init__(self, folder: Path, *, python: str = sys.executable) -> None:
        self.folder, self._python = folder, python
        self.services = folder / "services"
        self.services.mkdir(parents=True)
        self.scenario, self.journal = folder / "scenario", folder / "journal"
        self.scenario.write_text("{}")
        self.journal.write_text("")
        self.path = folder / "bus"
        self._bus: subprocess.Popen[bytes] | None = None
        self._broker: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Desktop:
        configuration = self.folder / "bus.conf"
        configuration.write_text(BUS.format(path=self.path, services=self.services))
        words = ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile"]
        self._bus = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        self._await("the bus", self._listens)
        return self

    def __exit__(self, *_details: object) -> None:
        self.remove_broker()
        if self._bus is not None:
            end(self._bus)

    @property
    def address(self) -> str:
        """The address of the bus."""
        return f"unix:path={self.path}"

    @property
    def bus(self) -> subprocess.Popen[bytes]:
        """The bus."""
        check(self._bus is not None, "there is no bus")
        assert self._bus is not None
        return self._bus

    @property
    def broker(self) -> subprocess.Popen[bytes]:
        """The broker that was started here."""
        check(self._broker is not None, "there is no broker")
        assert self._broker is not None
        return self._broker

    def set_responses(self, **methods: dict[str, Any] | str) -> None:
        """Sets the responses of the broker."""
        fresh = self.scenario.with_suffix(".new")
        fresh.write_text(json.dumps(methods))
        fresh.rename(self.scenario)

    def calls(self, method: str = "") -> list[dict[str, Any]]:
        """Returns the calls that the broker received."""
        lines = [json.loads(line) for line in self.journal.read_text().splitlines()]
        return [line for line in lines if method in ("", line["method"])]

    def add_broker(self) -> None:
        """Starts a broker, and waits until it owns its name."""
        self._broker = subprocess.Popen(self._words(), env=self.environment())
        self._await("the broker", self._has_broker)

    def remove_broker(self) -> None:
        """Stops the broker, if one was started here."""
        if self._broker is not None:
            end(self._broker)
            self._broker = None

    def add_service_file(self) -> None:
        """Lets the bus start the broker on the first request."""
        program = self.folder / "broker"
        # The words of the file are split at white space, without shell quotes.
        program.write_text("#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in self._words()) + "\n")
        program.chmod(0o755)
        (self.services / f"{NAME}.service").write_text(f"[D-BUS Service]\nName={NAME}\nExec={program}\n")

    def environment(self) -> dict[str, str]:
        """Returns the environment for a program of this session."""
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
            "XDG_STATE_HOME": str(self.folder / "state"), "DBUS_SESSION_BUS_ADDRESS": self.address,
            **{name: os.environ[name] for name in OPTIONS if name in os.environ},
        }  # fmt: skip

    def _words(self) -> list[str]:
        return [self._python, str(HERE / "fake_broker.py"), str(self.scenario), str(self.journal)]

    def _listens(self) -> bool:
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(str(self.path)) == 0

    def _has_broker(self) -> bool:
        words = [
            "dbus-send", f"--bus={self.address}", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
            "org.freedesktop.DBus.NameHasOwner", f"string:{NAME}",
        ]  # fmt: skip
        answer = subprocess.run(words, capture_output=True, text=True, check=False)
        return "true" in answer.stdout

    @staticmethod
    def _await(what: str, comes: Any) -> None:
        for _ in range(600):
            if comes():
                return
            time.sleep(0.05)
        raise Failed(f"{what} did not start")
