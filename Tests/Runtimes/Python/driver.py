# SPDX-License-Identifier: MIT
"""The driver of the Python binding; Tests/Runtimes/run describes the commands."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import tessera_identity
import tessera_identity.aio
from tessera_identity import (
    Cancellation,
    DeviceCodePrompt,
    PublicClientApplication,
    TesseraError,
    TokenResult,
)

Document = dict[str, Any]
log: list[str] = []
NAMES = {"directory": "store_directory", "group": "group", "key_sources": "key_sources"}


class Driver:
    """An application and the commands."""

    def __init__(self) -> None:
        """Creates no application yet."""
        self.application: PublicClientApplication | None = None
        self.configuration: Document = {}

    def perform(self, command: Document) -> Document:
        """Performs a command and returns its result."""
        return getattr(self, command["do"])(command)  # type: ignore[no-any-return]

    def create(self, command: Document) -> Document:
        """Creates the application."""
        if "transport" in command:
            return {"skipped": "the binding has no transport"}
        if "clientid" in command["configuration"]:
            return {"skipped": "an unknown argument is a TypeError of Python"}
        self.configuration = arguments(command)
        return described(lambda: setattr(self, "application", PublicClientApplication(**self.configuration)))

    def silent(self, command: Document) -> Document:
        """Acquires a token without user interaction."""
        request = options(command, self._made)
        if command.get("asynchronous"):
            return described(lambda: asyncio.run(self._silent(request)))
        return described(lambda: self._made.acquire_token_silent(request.pop("scopes"), **request))

    async def _silent(self, request: Document) -> TokenResult:
        async with tessera_identity.aio.PublicClientApplication(**self.configuration) as application:
            return await application.acquire_token_silent(request.pop("scopes"), **request)

    def asynchronous_device_code(self, command: Document) -> Document:
        """Signs in with a device code in an event loop."""
        return described(lambda: asyncio.run(self._device_code(command["request"]["scopes"])))

    async def _device_code(self, scopes: list[str]) -> TokenResult:
        def show(prompt: DeviceCodePrompt) -> None:
            respond({"user_code": prompt.user_code})

        async with tessera_identity.aio.PublicClientApplication(**self.configuration) as application:
            return await application.acquire_token_by_device_code(scopes, prompt_callback=show)

    def device_code(self, command: Document) -> Document:
        """Signs in with a device code."""
        cancellation = Cancellation()
        if "cancel_after_milliseconds" in command:
            threading.Timer(command["cancel_after_milliseconds"] / 1000, cancellation.cancel).start()

        def show(prompt: DeviceCodePrompt) -> None:
            if "throws" in command:
                raise LookupError(command["throws"])
            respond({"user_code": prompt.user_code})

        request = options(command, self._made)
        return described(
            lambda: self._made.acquire_token_by_device_code(
                request.pop("scopes"), prompt_callback=show, cancellation=cancellation, **request
            )
        )

    def device_code_on_a_thread(self, command: Document) -> Document:
        """Signs in on another thread. This thread cancels the call after an interrupt."""
        cancellation = Cancellation()
        results: SimpleQueue[Document] = SimpleQueue()

        def work() -> None:
            results.put(
                described(
                    lambda: self._made.acquire_token_by_device_code(
                        command["request"]["scopes"], prompt_callback=show, cancellation=cancellation
                    )
                )
            )

        def show(prompt: DeviceCodePrompt) -> None:
            respond({"user_code": prompt.user_code})

        threading.Thread(target=work).start()
        try:
            result = results.get()
        except KeyboardInterrupt:
            cancellation.cancel()
            result = results.get()
        return {**result, "interrupted": result["status"] == "cancelled"}

    def accounts(self, _command: Document) -> Document:
        """Lists the accounts."""
        return {"status": "ok", "usernames": [each.username for each in self._made.get_accounts()]}

    def log(self, _command: Document) -> Document:
        """Returns the log lines."""
        return {"status": "ok", "lines": log}

    def repeat(self, command: Document) -> Document:
        """Repeats a call, and measures the growth of the memory."""
        for _ in range(1000):
            result = self.silent(command)
        before = kilobytes()
        for _ in range(command["count"]):
            result = self.silent(command)
        return {**result, "kilobytes": kilobytes() - before}

    def threads(self, command: Document) -> Document:
        """Repeats a call on eight threads."""
        results: list[Document] = []

        def work() -> None:
            results.extend(self.silent(command) for _ in range(command["count"]))

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return {**results[0], "tokens": len({each["token"] for each in results})}

    def collect(self, command: Document) -> Document:
        """Makes calls while the garbage collector runs and frees other applications."""
        tokens: set[str] = set()

        def work() -> None:
            for _ in range(command["count"]):
                application = PublicClientApplication(**arguments(command))
                cycle: list[object] = [application]
                cycle.append(cycle)
                tokens.add(application.acquire_token_silent(command["request"]["scopes"]).access_token)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            gc.collect()
        self.create(command)
        return {**self.silent(command), "tokens": len(tokens)}

    def drop(self, command: Document) -> Document:
        """Uses applications without closing them."""
        before = descriptors(), kilobytes()
        for _ in range(command["count"]):
            self.create(command)
            result = self.silent(command)
        self.application = None
        gc.collect()
        after = descriptors(), kilobytes()
        return {**result, "descriptors": after[0] - before[0], "kilobytes": after[1] - before[1]}

    def fork(self, command: Document) -> Document:
        """Makes a call in a child process."""
        sys.stdout.flush()
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writer, json.dumps(self.silent(command)).encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            text = pipe.read()
        os.waitpid(child, 0)
        return dict(json.loads(text or '{"status": "crashed"}'))

    @property
    def _made(self) -> PublicClientApplication:
        assert self.application is not None
        return self.application


def arguments(command: Document) -> Document:
    """Returns the arguments of an application."""
    members = dict(command["configuration"])
    found = {NAMES[name]: value for name, value in members.pop("store").items()}

    def write(_level: int, message: str) -> None:
        if "throws" in command:
            raise LookupError(command["throws"])
        log.append(message)

    members["log"] = write
    return {**members, **found}


def options(command: Document, application: PublicClientApplication) -> Document:
    """Returns the arguments of a request."""
    request = dict(command["request"])
    if "username" in request:
        request["account"] = application.get_account(username=request.pop("username"))
    if "timeout_milliseconds" in request:
        request["timeout"] = request.pop("timeout_milliseconds") / 1000
    if request.get("home_account_id") == "":
        del request["home_account_id"]
    return request


def described(call: Callable[[], object]) -> Document:
    """Makes a call, and returns the members of its result."""
    try:
        result = call()
    except TesseraError as error:
        return {"status": error.remedy, "code": error.code, "claims": error.claims}
    except LookupError as error:
        return {"thrown": error.args[0]}
    except KeyboardInterrupt:
        return {"interrupted": True}
    if not isinstance(result, TokenResult):
        return {"status": "ok"}
    declined = list(result.declined_scopes)
    return {
        "status": "sign_in" if declined else "ok", "token": result.access_token, "source": result.source,
        "username": result.account.username if result.account else None, "declined": declined,
    }  # fmt: skip


def kilobytes() -> int:
    """Returns the memory of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def descriptors() -> int:
    """Returns the number of open files."""
    return len(os.listdir("/proc/self/fd"))


def respond(document: Document) -> None:
    """Prints a line."""
    print(json.dumps(document), flush=True)


if __name__ == "__main__":
    driver = Driver()
    for line in sys.stdin:
        respond(driver.perform(json.loads(line)))
