# SPDX-License-Identifier: MIT
"""What every contestant written in Python does: read a command, measure, print one number.

warm COUNT          ask for the first COUNT tokens once; nanoseconds in all
hit COUNT SECONDS   ask for the first COUNT tokens in random order; nanoseconds a call
first COUNT         ask for the first COUNT tokens; nanoseconds that one call in a hundred exceeds
once INDEX          ask for one token once; nanoseconds
list                list the accounts once; nanoseconds
miss SECONDS        ask for a token of an account that is not there; nanoseconds a call
miss-p99 SECONDS    the same; nanoseconds that one call in a hundred exceeds
accounts SECONDS    list the accounts; nanoseconds a call
write NUMBER        store a token of a number; nanoseconds
quit
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice, repeat
from time import perf_counter_ns
from typing import Any

BATCH = 250_000
"""Nanoseconds of one batch: long against the clock, short against what else the machine does."""

Ask = Callable[[Any], object]


def median(seconds: float, ask: Ask, endless: Iterator[Any]) -> float:
    """The median of batches, in nanoseconds for one call."""
    calls = 1
    while _batch(ask, list(islice(endless, calls))) < BATCH:
        calls *= 2
    end = perf_counter_ns() + seconds * 1e9
    batches: list[float] = []
    while not batches or perf_counter_ns() < end:
        batches.append(_batch(ask, list(islice(endless, calls))) / calls)
    return statistics.median(batches)


def slowest(times: Sequence[float]) -> float:
    """What one of a hundred exceeds."""
    return sorted(times)[len(times) * 99 // 100]


def _batch(ask: Ask, requests: Sequence[Any]) -> int:
    start = perf_counter_ns()
    for request in requests:
        ask(request)
    return perf_counter_ns() - start


class Contestant:
    """A library with a store, and the requests for what is in it."""

    ask: Ask
    """Gets the token of a request; an exception if there is none."""
    miss: Callable[[], object]
    """Asks for a token of an account that is not there."""
    accounts: Callable[[], object]
    """Lists the accounts."""
    write: Callable[[int], object]
    """Stores a token of a number."""

    def __init__(self, requests: Sequence[Any]) -> None:
        self._requests = requests
        self._orders: dict[int, Iterator[Any]] = {}

    def serve(self) -> None:
        """Answer commands until there are no more."""
        gc.collect()
        gc.freeze()
        print("ready", flush=True)
        for line in sys.stdin:
            words = line.split()
            if words[0] == "quit":
                return
            print(self._answer(words[0], [float(word) for word in words[1:]]), flush=True)

    def _answer(self, command: str, numbers: Sequence[float]) -> float:
        if command == "warm":
            return _batch(self.ask, self._requests[: int(numbers[0])])
        if command == "hit":
            return median(numbers[1], self.ask, self._order(int(numbers[0])))
        if command == "once":
            return _batch(self.ask, [self._requests[int(numbers[0])]])
        if command == "write":
            return _batch(self.write, [int(numbers[0])])
        if command == "list":
            return _batch(lambda _: self.accounts(), [None])
        if command == "miss":
            return median(numbers[0], lambda _: self.miss(), repeat(None))
        if command == "first":
            chosen = self._requests[: int(numbers[0])]
            return slowest([_batch(self.ask, [request]) for request in chosen])
        if command == "miss-p99":
            end = perf_counter_ns() + numbers[0] * 1e9
            times = [_batch(lambda _: self.miss(), [None])]
            while perf_counter_ns() < end:
                times.append(_batch(lambda _: self.miss(), [None]))
            return slowest(times)
        if command == "accounts":
            return median(numbers[0], lambda _: self.accounts(), repeat(None))
        raise SystemExit(f"unknown command {command}")

    def _order(self, count: int) -> Iterator[Any]:
        """The same requests again and again; the next turn goes on where the last one ended."""
        if count not in self._orders:
            chosen = list(self._requests[:count])
            random.Random(count).shuffle(chosen)
            self._orders[count] = cycle(chosen)
        return self._orders[count]
