# SPDX-License-Identifier: MIT
"""The worker in Python: runs the commands of docs/reliability.md with the package.

usage: worker.py CONFIGURATION
"""

from __future__ import annotations

import itertools
import json
import select
import sys
import threading
import time
from typing import Any

import tessera_identity

NOW = time.monotonic_ns


class Reading:
    """The observations of a reader: the latest result, since when, and the durations of reads."""

    def __init__(self) -> None:
        self._text = ""
        self._first_end = 0
        self._last_start = 0
        self._counts: dict[int, int] = {}
        self._longest = 0

    def note(self, start: int, end: int, text: str) -> None:
        """Records one read. Prints the previous result when the result changes."""
        index = bucket(end - start)
        self._counts[index] = self._counts.get(index, 0) + 1
        self._longest = max(self._longest, end - start)
        if text != self._text:
            self._say()
            self._text, self._first_end = text, end
        self._last_start = start

    def finish(self) -> None:
        """Prints the last result, and the durations of the reads."""
        self._say()
        counts = " ".join(f"{index}:{count}" for index, count in sorted(self._counts.items()))
        say(f"times {self._longest} {counts}")

    def _say(self) -> None:
        if self._text:
            say(f"{self._first_end} {self._last_start} {self._text}")


class Worker:
    """An application that makes calls on command."""

    def __init__(self, configuration: dict[str, Any]) -> None:
        client_id = configuration.pop("client_id")
        self._application = tessera_identity.PublicClientApplication(client_id, **configuration)

    def call(self, request: dict[str, Any]) -> tuple[int, int, str]:
        """Makes one call. Returns the times of its begin and its end, and its result."""
        start = NOW()
        try:
            result = self._application.acquire_token_silent(request.pop("scopes"), **request)
        except tessera_identity.TesseraError as error:
            return start, NOW(), f"refused {error.code} {error}"
        end = NOW()
        kind = "cached" if result.source == "cache" else "fetched"
        words = [kind if result.persisted else "unkept", result.access_token, *result.warnings[:1]]
        return start, end, " ".join(map(str, words))

    def ask(self, count: int, text: str) -> None:
        """Makes a number of calls, or calls without an end."""
        while True:
            say("{} {} {}".format(*self.call(request_of(text))))
            count -= 1
            if count == 0:
                break

    def read(self, count: int, text: str) -> None:
        """Makes a number of reads, or reads until the next command."""
        reading = Reading()
        request = request_of(text)
        for _ in range(count) if count else itertools.repeat(None):
            reading.note(*self.call(dict(request)))
            if count == 0 and select.select([sys.stdin], [], [], 0)[0]:
                break
        reading.finish()

    def stop(self, _count: int, _text: str) -> None:
        """Does nothing: the arrival of a command stops a reading."""

    def threads(self, count: int, text: str) -> None:
        """Makes calls from a number of threads at the same time."""
        barrier = threading.Barrier(count)
        answers: list[tuple[int, int, str]] = []

        def run() -> None:
            barrier.wait()
            answers.append(self.call(request_of(text)))

        callers = [threading.Thread(target=run) for _ in range(count)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        for answer in answers:
            say("{} {} {}".format(*answer))

    def list(self, count: int, _text: str) -> None:
        """Lists the accounts a number of times."""
        for _ in range(count):
            start, printed = NOW(), "listed"
            try:
                self._application.get_accounts()
            except tessera_identity.TesseraError as error:
                printed = f"refused {error.code} {error}"
            say(f"{start} {NOW()} {printed}")


def bucket(nanoseconds: int) -> int:
    """Returns one of sixteen buckets for each power of two."""
    bits = nanoseconds.bit_length()
    return nanoseconds if bits < 5 else bits << 4 | nanoseconds >> (bits - 5) & 15


def request_of(text: str) -> dict[str, Any]:
    """Returns the arguments for a request in JSON."""
    members = json.loads(text)
    members["account"] = members.pop("home_account_id")
    if "timeout_milliseconds" in members:
        members["timeout"] = members.pop("timeout_milliseconds") / 1000
    return dict(members)


def say(line: str) -> None:
    """Prints a line without buffering."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Executes the commands."""
    worker = Worker(json.loads(sys.argv[1]))
    say("ready")
    # Unbuffered, so that select() reports a waiting command.
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as commands:
        for line in commands:
            verb, at, count, *request = line.decode().rstrip("\n").split(" ", 3)
            time.sleep(max(int(at) - NOW(), 0) / 1e9 if at != "0" else 0)
            getattr(worker, verb)(int(count), request[0] if request else "")
            say("done")


if __name__ == "__main__":
    main()
