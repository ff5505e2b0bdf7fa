# SPDX-License-Identifier: MIT
"""The command loop of the contestants written in Python: read a command, measure, print one number.

warm COUNT          acquire the first COUNT tokens once; total nanoseconds
hit COUNT SECONDS   acquire the first COUNT tokens in random order; nanoseconds per call
first COUNT         acquire the first COUNT tokens; 99th percentile in nanoseconds
first-median N COUNT  acquire COUNT tokens, starting with number N; median in nanoseconds
first-p99 N COUNT   the same; 99th percentile in nanoseconds
once INDEX          acquire one token once; nanoseconds
list                list the accounts once; nanoseconds
miss SECONDS        request a token of an unknown account; nanoseconds per call
miss-p99 SECONDS    the same; 99th percentile in nanoseconds
accounts SECONDS    list the accounts; nanoseconds per call
write NUMBER        store a token with a number; nanoseconds
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
"""The duration of a batch in nanoseconds: much longer than a clock read, and short for interruptions."""

Acquire = Callable[[Any], object]


def median(seconds: float, acquire: Acquire, endless: Iterator[Any]) -> float:
    """Returns the median of the batches, in nanoseconds per call."""
    calls = 1
    while _batch(acquire, list(islice(endless, calls))) < BATCH:
        calls *= 2
    end = perf_counter_ns() + seconds * 1e9
    batches: list[float] = []
    while not batches or perf_counter_ns() < end:
        batches.append(_batch(acquire, list(islice(endless, calls))) / calls)
    return statistics.median(batches)


def slowest(times: Sequence[float]) -> float:
    """Returns the 99th percentile."""
    return sorted(times)[len(times) * 99 // 100]


def _batch(acquire: Acquire, requests: Sequence[Any]) -> int:
    start = perf_counter_ns()
    for request in requests:
        acquire(request)
    return perf_counter_ns() - start


class Contestant:
    """A library with a store, and the requests for its tokens."""

    acquire: Acquire
    """Acquires the token of a request; raises an exception if there is none."""
    miss: Callable[[], object]
    """Requests a token of an unknown account."""
    accounts: Callable[[], object]
    """Lists the accounts."""
    write: Callable[[int], object]
    """Stores a token with a number."""

    def __init__(self, requests: Sequence[Any]) -> None:
        self._requests = requests
        self._orders: dict[int, Iterator[Any]] = {}

    def serve(self) -> None:
        """Executes commands until the end of the input."""
        gc.collect()
        gc.freeze()
        print("ready", flush=True)
        for line in sys.stdin:
            words = line.split()
            if words[0] == "quit":
                return
            print(self._execute(words[0], [float(word) for word in words[1:]]), flush=True)

    def _execute(self, command: str, numbers: Sequence[float]) -> float:
        if command == "warm":
            return _batch(self.acquire, self._requests[: int(numbers[0])])
        if command == "hit":
            return median(numbers[1], self.acquire, self._order(int(numbers[0])))
        if command == "once":
            return _batch(self.acquire, [self._requests[int(numbers[0])]])
        if command == "write":
            return _batch(self.write, [int(numbers[0])])
        if command == "list":
            return _batch(lambda _: self.accounts(), [None])
        if command == "miss":
            return median(numbers[0], lambda _: self.miss(), repeat(None))
        if command == "first":
            chosen = self._requests[: int(numbers[0])]
            return slowest([_batch(self.acquire, [request]) for request in chosen])
        if command in ("first-median", "first-p99"):
            first, count = map(int, numbers)
            times = [_batch(self.acquire, [each]) for each in self._requests[first : first + count]]
            return slowest(times) if command == "first-p99" else statistics.median(times)
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
        """Returns an endless iterator over the shuffled requests. A later call continues the same iterator."""
        if count not in self._orders:
            chosen = list(self._requests[:count])
            random.Random(count).shuffle(chosen)
            self._orders[count] = cycle(chosen)
        return self._orders[count]
