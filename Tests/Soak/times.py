# SPDX-License-Identifier: MIT
"""The durations of reads, as workers report them: counts in sixteen buckets for each power of two."""

from __future__ import annotations


class Times:
    """Durations in nanoseconds, with a precision of six percent."""

    def __init__(self) -> None:
        self.count = 0
        self.longest = 0
        self._buckets: dict[int, int] = {}

    def add(self, lines: list[str]) -> None:
        """Adds the lines of a worker, and empties its list."""
        for line in lines:
            longest, *buckets = line.split()
            self.longest = max(self.longest, int(longest))
            for text in buckets:
                index, count = map(int, text.split(":"))
                self._buckets[index] = self._buckets.get(index, 0) + count
                self.count += count
        lines.clear()

    def percentile(self, percent: float) -> float:
        """Returns the duration that a percentage of the reads did not exceed."""
        left = self.count * percent / 100
        for index, count in sorted(self._buckets.items()):
            left -= count
            if left <= 0:
                return _end_of(index)
        return float(self.longest)

    def __str__(self) -> str:
        values = " ".join(
            f"p{percent} {self.percentile(percent) / 1e6:.4f}" for percent in (50, 99, 99.9)
        )
        return f"{self.count}, ms: {values} max {self.longest / 1e6:.2f}"


def _end_of(index: int) -> float:
    """Returns the end of a bucket: five leading bits, the first of which is always set."""
    bits = index >> 4
    return float(index if bits < 5 else ((16 | (index & 15)) + 1) << (bits - 5))
