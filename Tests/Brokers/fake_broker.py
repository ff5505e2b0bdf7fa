# SPDX-License-Identifier: MIT
"""A fake identity broker with the D-Bus interface of Microsoft's and Himmelblau's.

A file contains its responses.

usage: fake_broker.py SCENARIO JOURNAL   (both are files; the scenario is read again for each call)

The scenario is a JSON object with a member for each method. A response is an object, or a text that is sent
unmodified. Besides "answer" (the response), a method may have "by_account" (responses by home account ID), "delay"
(seconds), "dbus_error" (a name), "crash" and "until_cancelled". "interface" names another interface than the
real one, as another version would. The journal gets a line of JSON for each call.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from dbus_next import Message, MessageType
from dbus_next.aio import MessageBus

NAME = "com.microsoft.identity.broker1"
PATH = "/com/microsoft/identity/broker1"
INTERFACE = "com.microsoft.identity.Broker1"
METHODS = {
    "acquireTokenInteractively", "acquireTokenSilently", "getAccounts", "removeAccount", "acquirePrtSsoCookie",
    "generateSignedHttpRequest", "cancelInteractiveFlow", "getLinuxBrokerVersion",
}  # fmt: skip
CANCELLED = {"brokerTokenResponse": {"error": {"status": 8, "context": "cancelled by the application"}}}


class Broker:
    """Responds to calls; several may wait at once."""

    def __init__(self, bus: MessageBus, scenario: Path, journal: Path) -> None:
        self._bus, self._scenario, self._journal = bus, scenario, journal
        self._windows: dict[str, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def receive(self, message: Message) -> bool:
        """Handles a message if it is a call of a method."""
        if message.message_type != MessageType.METHOD_CALL or message.path != PATH:
            return False
        scenario = json.loads(self._scenario.read_text())
        known = message.interface == scenario.get("interface", INTERFACE) and message.member in METHODS
        if not known or message.signature != "sss":
            error = "UnknownMethod" if known is False else "InvalidArgs"
            self._fail(message, f"org.freedesktop.DBus.Error.{error}")
            return True
        task = asyncio.ensure_future(self._answer(message, scenario.get(message.member, {})))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _answer(self, message: Message, wanted: dict[str, Any]) -> None:
        version, correlation_id, body = message.body
        with self._journal.open("a") as journal:
            line = {"method": message.member, "version": version, "id": correlation_id, "body": json.loads(body)}
            journal.write(json.dumps(line) + "\n")
        if message.member == "cancelInteractiveFlow" and correlation_id in self._windows:
            self._windows[correlation_id].set()
        await asyncio.sleep(wanted.get("delay", 0))
        if wanted.get("crash"):
            os._exit(1)
        if "dbus_error" in wanted:
            self._fail(message, wanted["dbus_error"])
            return
        account = json.loads(body).get("account") or {}
        answer = wanted.get("by_account", {}).get(account.get("homeAccountId"), wanted.get("answer", {}))
        if wanted.get("until_cancelled"):
            window = self._windows[correlation_id] = asyncio.Event()
            await window.wait()
            answer = CANCELLED
        text = answer if isinstance(answer, str) else json.dumps(answer)
        self._bus.send(Message.new_method_return(message, wanted.get("signature", "s"), [text]))

    def _fail(self, message: Message, name: str) -> None:
        self._bus.send(Message.new_error(message, name, "as the scenario requires"))


async def main() -> None:
    """Owns the name, and responds until the bus stops."""
    bus = await MessageBus().connect()
    broker = Broker(bus, Path(sys.argv[1]), Path(sys.argv[2]))
    bus.add_message_handler(broker.receive)
    await bus.request_name(NAME)
    await bus.wait_for_disconnect()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (EOFError, ConnectionError):
        sys.exit(0)
