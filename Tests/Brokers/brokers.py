# SPDX-License-Identifier: MIT
"""Runs the tests of the identity broker, each at a desktop of its own, and counts them.

usage: brokers.py [WORD...] | --skip REASON [WORD...]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from desktop import ROOT, Desktop, Failed

sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bindings/python/src")]

import accounts_tests  # noqa: E402
import asking_tests  # noqa: E402
import coming_and_going_tests  # noqa: E402
import silence_tests  # noqa: E402
import trouble_tests  # noqa: E402
from clients import Person, compiled  # noqa: E402

Test = Callable[[Person], None]
TESTS: list[Test] = [
    *asking_tests.TESTS, *accounts_tests.TESTS, *trouble_tests.TESTS, *silence_tests.TESTS,
    *coming_and_going_tests.TESTS,
]  # fmt: skip


def problem_of(test: Test, folder: Path, program: Path) -> str:
    """What is wrong; empty if the test passed."""
    try:
        with Desktop(folder) as desktop:
            desktop.add_broker()
            test(Person(desktop, program))
    except Failed as problem:
        return str(problem)
    except Exception as problem:  # noqa: BLE001 - whatever a test raises is its failure
        return repr(problem)
    return ""


def chosen(words: list[str]) -> dict[str, Test]:
    """The tests whose names hold one of the words, or all of them."""
    names = {test.__name__.replace("_", " "): test for test in TESTS}
    return {name: test for name, test in names.items() if not words or any(word in name for word in words)}


def skip(reason: str, tests: dict[str, Test]) -> int:
    """Say of each test why it does not run."""
    for name in tests:
        print(f"skipped {name}: {reason}")
    print(f"brokers: 0 passed, 0 failed, {len(tests)} skipped: {reason}")
    return 0


def main() -> int:
    """Run the tests, count."""
    words = sys.argv[1:]
    if words[:1] == ["--skip"]:
        return skip(words[1], chosen(words[2:]))
    counts = {"passed": 0, "failed": 0}
    # A short path: that of a socket has at most 107 bytes.
    base = Path(tempfile.mkdtemp(prefix="tessera-brokers-"))
    try:
        program = compiled(base)
        for number, (name, test) in enumerate(chosen(words).items()):
            start = time.monotonic()
            problem = problem_of(test, base / str(number), program)
            result = "failed" if problem else "passed"
            counts[result] += 1
            detail = f": {problem}" if problem else ""
            print(f"{result:7} {name} ({time.monotonic() - start:.1f} s){detail}", flush=True)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    print(f"brokers: {counts['passed']} passed, {counts['failed']} failed")
    return 0 if counts["passed"] and not counts["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())
