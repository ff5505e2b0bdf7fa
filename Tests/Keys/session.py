# SPDX-License-Identifier: MIT
"""Desktop sessions: a private bus, a real keyring, an unresponsive service, an unresponsive bus."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from common import KeyringCrashed, Skipped, check

NAME = "org.freedesktop.secrets"
PASSWORD = "a password of the keyring"


def need(program: str) -> None:
    """Skips the test unless a program is installed."""
    if shutil.which(program) is None:
        raise Skipped(f"{program} is not installed")


def end(process: subprocess.Popen[bytes]) -> None:
    """Stops a process that was started here, in any state."""
    process.send_signal(signal.SIGCONT)
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(5)


def listens(path: Path) -> bool:
    """Whether a process accepts connections; the socket exists a moment before that."""
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


@contextmanager
def bus(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Runs a private session bus without activation; yields its address and its process."""
    need("dbus-daemon")
    folder.mkdir(exist_ok=True)
    path = folder / "bus"
    configuration = folder / "session.conf"
    configuration.write_text(
        '<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" '
        '"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">\n'
        f"<busconfig><type>session</type><listen>unix:path={path}</listen>"
        '<policy context="default"><allow send_destination="*" eavesdrop="true"/>'
        '<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>\n'
    )
    path.unlink(missing_ok=True)
    words = ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile"]
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        for _ in range(500):
            if listens(path):
                break
            time.sleep(0.01)
        check(listens(path), "the bus did not start")
        yield f"unix:path={path}", process
    finally:
        end(process)


@contextmanager
def keyring(folder: Path, home: Path, *, unlocked: bool) -> Iterator[str]:
    """Runs a session with a real keyring, locked or unlocked; yields the address of its bus."""
    need("gnome-keyring-daemon")
    with bus(folder) as (address, _):
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": str(folder),
            "XDG_DATA_HOME": str(home / "data"), "DBUS_SESSION_BUS_ADDRESS": address,
        }  # fmt: skip
        words = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]
        said = folder / "keyring.log"
        with said.open("wb") as log:
            process = subprocess.Popen(
                [*words, "--unlock"] if unlocked else words, env=environment, stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, stderr=log,
            )  # fmt: skip
        assert process.stdin is not None
        if unlocked:
            process.stdin.write(PASSWORD.encode())
        process.stdin.close()
        try:
            await_name(address)
            yield address
        except Exception as problem:
            if process.poll() is None:
                raise
            raise KeyringCrashed(f"{process.returncode}: {said.read_text()[-500:]}") from problem
        finally:
            end(process)


class Connection:
    """A bus client that uses the same D-Bus library as Tessera."""

    def __init__(self, address: str) -> None:
        """Connects, and waits for the reply of the bus."""
        self._library = ctypes.CDLL("libsystemd.so.0")
        self._bus = ctypes.c_void_p()
        self._do("sd_bus_new", ctypes.byref(self._bus))
        self._do("sd_bus_set_address", self._bus, address.encode())
        self._do("sd_bus_set_bus_client", self._bus, 1)
        self._do("sd_bus_start", self._bus)

    def own(self, name: str) -> None:
        """Requests a name."""
        self._do("sd_bus_request_name", self._bus, name.encode(), ctypes.c_uint64(0))

    def has(self, name: str) -> bool:
        """Whether a name has an owner."""
        return self._call("sd_bus_get_name_creds", self._bus, name.encode(), ctypes.c_uint64(0), None) >= 0

    def close(self) -> None:
        """Closes the connection."""
        self._library.sd_bus_close.restype = None
        self._library.sd_bus_close(self._bus)
        self._library.sd_bus_unref.restype = ctypes.c_void_p
        self._library.sd_bus_unref(self._bus)

    def _call(self, name: str, *arguments: object) -> int:
        return int(getattr(self._library, name)(*arguments))

    def _do(self, name: str, *arguments: object) -> None:
        result = self._call(name, *arguments)
        check(result >= 0, f"{name} gave {result}")


def await_name(address: str) -> None:
    """Waits until a bus has a secret service."""
    connection = Connection(address)
    for _ in range(1000):
        if connection.has(NAME):
            break
        time.sleep(0.01)
    found = connection.has(NAME)
    connection.close()
    check(found, "the keyring did not start")


@contextmanager
def silent_service(folder: Path) -> Iterator[str]:
    """Runs a bus with an unresponsive owner of the keyring's name; yields its address."""
    with bus(folder) as (address, _):
        connection = Connection(address)
        connection.own(NAME)
        try:
            yield address
        finally:
            connection.close()


@contextmanager
def silent_socket(folder: Path) -> Iterator[str]:
    """Runs a socket that accepts connections and never responds; yields its address."""
    folder.mkdir(exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        path = folder / "mute"
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        listener.listen(64)
        yield f"unix:path={path}"


@contextmanager
def watched(address: str) -> Iterator[list[str]]:
    """Collects the messages of a bus; the list is filled at the end."""
    need("dbus-monitor")
    heard: list[str] = []
    process = subprocess.Popen(
        ["dbus-monitor", "--address", address], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    time.sleep(0.3)
    try:
        yield heard
    finally:
        time.sleep(0.3)
        process.terminate()
        output, _ = process.communicate(timeout=10)
        heard += output.decode(errors="replace").splitlines()


