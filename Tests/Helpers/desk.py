# SPDX-License-Identifier: MIT
"""A user with a list of services, an empty store, and the links of the helpers."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from provider import Provider

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(os.environ.get("TESSERA_COMMAND", ROOT / "build/swift-release/release/tessera-cli"))
CLIENT = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"
ALICE, BOB = "alice@contoso.com", "bob@contoso.com"
LINKS = (
    "tessera", "git-credential-tessera", "kubectl-tessera", "docker-credential-tessera",
    "cargo-credential-tessera", "terraform-credentials-tessera", "bazel-credential-tessera",
)  # fmt: skip
SCOPE = "User.Read"
# The variables that change whether a helper asks the user, or which proxy or certificates a program uses.
NOT_OURS = {
    "DISPLAY", "WAYLAND_DISPLAY", "CI", "TF_BUILD", "GIT_TERMINAL_PROMPT", "GCM_INTERACTIVE",
    "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "all_proxy", "ALL_PROXY",
    "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR",
}  # fmt: skip


class Skipped(Exception):
    """A test cannot run here; the message has the reason."""


class Desk:
    """A user with a list of services, and the programs that get tokens."""

    def __init__(self, provider: Provider, folder: Path) -> None:
        """Creates the directories and the links."""
        self.provider = provider
        self.folder = folder
        self.programs = folder / "bin"
        self.programs.mkdir()
        for name in LINKS:
            (self.programs / name).symlink_to(COMMAND)
        inherited = {key: value for key, value in os.environ.items() if key not in NOT_OURS}
        self.environment = inherited | {
            "HOME": str(folder), "PATH": f"{self.programs}:{os.environ['PATH']}",
            "XDG_CONFIG_HOME": str(folder / "config"), "XDG_DATA_HOME": str(folder / "data"),
            "XDG_STATE_HOME": str(folder / "state"), "XDG_RUNTIME_DIR": str(folder / "run"),
            "DBUS_SESSION_BUS_ADDRESS": "disabled:", "GIT_CONFIG_NOSYSTEM": "1",
        }  # fmt: skip
        for name in ("config", "run"):
            (folder / name).mkdir(mode=0o700)
        self.list = folder / "config/tessera/helpers.toml"

    @property
    def registration(self) -> list[str]:
        """The options of the application and its provider."""
        return ["--client-id", CLIENT, "--authority", self.provider.entra_authority, "--authority-type", "entra"]

    def run(
        self, *words: str, given: bytes = b"", program: str = "tessera", **variables: str
    ) -> subprocess.CompletedProcess[bytes]:
        """Runs a program without a terminal."""
        return subprocess.run(
            [self.programs / program, *words], input=given, env=self.environment | variables, capture_output=True,
            timeout=60, check=False, start_new_session=True,
        )  # fmt: skip

    def add(self, tool: str, url: str, *words: str) -> None:
        """Lists a service."""
        scope = [] if "--scope" in words else ["--scope", SCOPE]
        done = self.run("helper", "add", tool, url, *self.registration, *scope, *words)
        assert done.returncode == 0, done.stderr

    def sign_in(self, username: str = ALICE, scope: str = SCOPE) -> None:
        """Signs a user in with a device code."""
        words = ["login", *self.registration, "--device-code", "--scope", scope]
        with self.approving(username):
            done = self.run(*words)
        assert done.returncode == 0, done.stderr

    @contextlib.contextmanager
    def approving(self, username: str = ALICE, *, declines: bool = False) -> Iterator[list[str]]:
        """Enters each device code that appears; yields the codes."""
        codes: list[str] = []
        known = set(self.provider.waiting_codes())
        is_over = threading.Event()

        def enter() -> None:
            while not is_over.wait(0.05):
                for code in self.provider.waiting_codes():
                    if code in known:
                        continue
                    known.add(code)
                    codes.append(code)
                    if declines:
                        self.provider.command("decline", user_code=code)
                    else:
                        self.provider.approve(code, username)

        thread = threading.Thread(target=enter)
        thread.start()
        try:
            yield codes
        finally:
            is_over.set()
            thread.join()

    def helpers(self) -> list[int]:
        """Returns the helpers of this user that run now."""
        mark = f"XDG_RUNTIME_DIR={self.folder}/run\0".encode()
        found = []
        for process in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                command = (process / "cmdline").read_bytes().split(b"\0")[0]
                is_helper = Path(os.fsdecode(command)).name in LINKS and process.name.isdigit()
                if is_helper and mark in (process / "environ").read_bytes():
                    found.append(int(process.name))
        return found


class Session:
    """Programs with a terminal of their own."""

    def __init__(self, desk: Desk, commands: list[list[str]], **variables: str) -> None:
        """Starts the programs at the same time."""
        self._master, terminal = os.openpty()
        self._screen = b""
        self._environment = desk.environment | variables
        # The leader has the terminal as its controlling terminal. Its standard streams are not the terminal.
        leader = (
            "import fcntl, os, subprocess, sys, termios, json\n"
            "os.setsid(); fcntl.ioctl(int(sys.argv[1]), termios.TIOCSCTTY, 0)\n"
            "commands = json.loads(sys.argv[2])\n"
            "nothing, pipe = subprocess.DEVNULL, subprocess.PIPE\n"
            "run = [subprocess.Popen(c, stdin=nothing, stdout=pipe, stderr=pipe) for c in commands]\n"
            "print(json.dumps([p.pid for p in run]), flush=True)\n"
            "ends = [(p, p.communicate()) for p in run]\n"
            "print(json.dumps([[p.returncode, *(s.decode() for s in e)] for p, e in ends]), flush=True)\n"
        )
        python = shutil.which("python3") or "python3"
        self._process = subprocess.Popen(
            [python, "-c", leader, str(terminal), json.dumps(commands)], env=self._environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, pass_fds=[terminal], text=True,
        )  # fmt: skip
        os.close(terminal)
        threading.Thread(target=self._read, daemon=True).start()
        assert self._process.stdout
        self.processes: list[int] = json.loads(self._process.stdout.readline())

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            while part := os.read(self._master, 4096):
                self._screen += part

    @property
    def prompts(self) -> int:
        """The number of requests to sign in on the terminal."""
        return len(re.findall(rb"Sign in for ", self._screen))

    def results(self) -> list[tuple[int, str, str]]:
        """Waits for the programs; returns the status and the output of each."""
        assert self._process.stdout
        line = self._process.stdout.readline()
        self._process.wait()
        self._process.stdout.close()
        return [tuple(result) for result in json.loads(line)]

    def end(self, process: int) -> None:
        """Terminates one of the programs."""
        os.kill(process, signal.SIGTERM)


def until(condition: Callable[[], bool], meaning: str) -> None:
    """Waits for a condition."""
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(f"not in 30 seconds: {meaning}")
