# SPDX-License-Identifier: MIT
"""Programs in C, Python and Swift that sign in with a web view."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from compiling import compiled
from configurations import nested
from provider import Provider

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Path(os.environ.setdefault("TESSERA_LIBRARY", str(ROOT / "build/lib/libtessera.so")))
COMMAND = os.environ.get("TESSERA_COMMAND", str(ROOT / "build/swift-release/release/tessera-cli"))

PROGRAM = """
import asyncio, json, os, signal, sys, time
sys.path.insert(0, sys.argv[1])
import tessera_identity
import tessera_identity.aio
form, configuration, request = sys.argv[2], *(json.loads(text) for text in sys.argv[3:])
timeout = request.pop("timeout_milliseconds", None)
request["timeout"] = timeout and timeout / 1000

def sockets():
    links = [os.path.realpath(f"/proc/self/fd/{each}") for each in os.listdir("/proc/self/fd")]
    return [link for link in links if "socket:" in link]

async def sign_in():
    turns = 0
    async def turn():
        nonlocal turns
        while True:
            await asyncio.sleep(0.01)
            turns += 1
    turning = asyncio.ensure_future(turn())
    application = tessera_identity.aio.PublicClientApplication(**configuration)
    signing_in = asyncio.ensure_future(application.acquire_token_interactive(prompt_callback=None, **request))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, signing_in.cancel)
    try:
        return await signing_in
    finally:
        await application.close()
        turning.cancel()
        assert turns > 20, turns

with tessera_identity.PublicClientApplication(**configuration) as application:
    try:
        if form == "awaits":
            result = asyncio.run(sign_in())
        else:
            result = application.acquire_token_interactive(prompt_callback=None, **request)
    except tessera_identity.TesseraError as error:
        answer = {"error": {"code": error.code, "message": error.message}}
    except asyncio.CancelledError:
        answer = {"error": {"code": "CancelledError"}}
    else:
        answer = {"account": {"username": result.account.username}}
    end = time.monotonic() + (5 if "CancelledError" in str(answer) else 0)
    while sockets() and time.monotonic() < end:
        time.sleep(0.01)
    assert not sockets(), sockets()
try:
    os.waitpid(-1, os.WNOHANG | 0x40000000)
    raise SystemExit("there is a child")
except ChildProcessError:
    pass
print(json.dumps(answer))
"""


class Program(subprocess.Popen[str]):
    """A process that is stopped with its test."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.kill()
        super().__exit__(kind, value, traceback)


class Embedders:
    """A folder for programs and stores."""

    def __init__(self, folder: Path, environment: dict[str, str], helper: Path) -> None:
        self._folder = folder
        self._environment = environment
        self._helper = helper
        self._number = 0
        self._program = folder / "sign_in"

    def start(
        self, language: str, provider: Provider, redirect: str, display: str | None = None,
        **members: Any,
    ) -> Program:  # fmt: skip
        """Starts a program that signs in at the local provider; it opens a window."""
        configuration = {
            "client_id": "client", "authority": provider.authorities["entra"],
            "authority_type": "entra",
        }  # fmt: skip
        return self.run(
            language, configuration, redirect=redirect, scopes=["User.Read"], display=display, **members
        )

    def run(
        self, language: str, configuration: dict[str, str], *, redirect: str, scopes: list[str],
        display: str | None = None, **members: Any,
    ) -> Program:  # fmt: skip
        """Starts a program; its `members` are those of the request."""
        self._number += 1
        store = str(self._folder / f"store-{self._number}")
        documents = [
            json.dumps({
                **configuration, "store_directory": store, "redirect_uri": redirect,
                "key_sources": ["key_file"],
            }),
            # The library finds the web view next to itself; the program in Swift gets its path.
            json.dumps({"scopes": scopes, "webview_type": "embedded", **members}),
        ]  # fmt: skip
        python = [sys.executable, "-c", PROGRAM, str(ROOT / "bindings/python/src")]
        commands: dict[str, list[Any]] = {
            "c": [self._program, json.dumps(nested(json.loads(documents[0]))), documents[1]],
            "python": [*python, "blocks", *documents],
            "python-async": [*python, "awaits", *documents],
            "swift": [
                COMMAND, "login", "--client-id", configuration["client_id"], "--authority",
                configuration["authority"], "--authority-type", configuration["authority_type"],
                "--store-directory", store, "--scope", *scopes, "--redirect-uri", redirect, "--json",
                "--webview", "--webview-program", self._helper,
            ],
        }  # fmt: skip
        if language == "c":
            self._compile()
        environment = {**self._environment, **({} if display is None else {"DISPLAY": display})}
        return Program(
            commands[language], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=environment, start_new_session=True,
        )  # fmt: skip

    def answer(self, program: Program) -> dict[str, Any]:
        """Returns the final output of a program. Checks that the process list never contained the address."""
        try:
            output = program.communicate(timeout=90)[0]
        except subprocess.TimeoutExpired:
            program.kill()
            raise
        if not output:
            raise RuntimeError(f"the program ended with {program.returncode}")
        return dict(json.loads(output.splitlines()[-1]))

    def helpers(self) -> list[int]:
        """Returns the processes of the web view; no address may be in their arguments."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                variables = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            home = f"HOME={self._environment['HOME']}".encode()
            if words[0] == str(self._helper).encode() and home in variables:
                assert words[1:] == [b""], words
                found.append(int(folder.name))
        return found

    def _compile(self) -> None:
        if not self._program.exists():
            compiled(ROOT / "Tests/Browser/sign_in.c", to=self._program, library=LIBRARY)
