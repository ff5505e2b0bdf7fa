# SPDX-License-Identifier: MIT
"""Runs and counts the tests of brokers. Each test of the Linux broker has its own session bus.

usage: brokers.py [--skipped REASON] [WORD]...   (with --skipped, the Linux tests are counted as skipped)
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from desktop import ROOT, Desktop, Failed

sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bindings/python/src")]

import accounts_tests  # noqa: E402
import apple_tests  # noqa: E402
import asking_tests  # noqa: E402
import coming_and_going_tests  # noqa: E402
import silence_tests  # noqa: E402
import trouble_tests  # noqa: E402
import windows_tests  # noqa: E402
from clients import LIBRARY, DesktopUser  # noqa: E402
from sanitizers import RUNTIME, preload  # noqa: E402

from compiling import compiled  # noqa: E402
from timeouts import at_most  # noqa: E402

Test = Callable[[DesktopUser], None]
TESTS: list[Test] = [
    *asking_tests.TESTS, *accounts_tests.TESTS, *trouble_tests.TESTS, *silence_tests.TESTS,
    *coming_and_going_tests.TESTS, *windows_tests.TESTS,
]  # fmt: skip


@at_most(600)
def problem_of(test: Test, folder: Path, program: Path) -> str:
    """Runs a test and returns its error; empty if it passed."""
    try:
        with Desktop(folder) as desktop:
            desktop.add_broker()
            test(DesktopUser(desktop, program))
    except Failed as problem:
        return str(problem)
    except Exception as problem:  # noqa: BLE001 - whatever a test raises is its failure
        return repr(problem)
    return ""


def print_result(name: str, problem: str, start: float, *, note: str = "") -> None:
    """Prints the result of a test."""
    result = "failed" if problem else "passed"
    detail = f": {problem}" if problem else ""
    print(f"{result:7} {name}{note} ({time.monotonic() - start:.1f} s){detail}", flush=True)


def linux(base: Path, names: dict[str, Test]) -> Iterator[bool]:
    """Yields whether each test of the Linux broker passed."""
    source = ROOT / "Tests/Brokers/program.c"
    program = compiled(source, "-pthread", to=base / "program", library=LIBRARY)
    for number, (name, test) in enumerate(names.items()):
        start = time.monotonic()
        problem = problem_of(test, base / str(number), program)
        print_result(name, problem, start)
        yield not problem


def apple(base: Path, names: list[str]) -> Iterator[bool]:
    """Yields whether each test of the Apple brokers passed; prints a line for each file."""
    for name in names:
        start = time.monotonic()
        try:
            ended = apple_tests.ended(name, base)
        except Failed as problem:
            print_result(name, str(problem), start)
            yield False
            continue
        print_result(name, ", ".join(ended.failed), start, note=f": {ended.passed} tests")
        yield from [True] * ended.passed + [False] * len(ended.failed)


def left_out_with_sanitizer() -> Iterator[tuple[Test, str]]:
    """Yields the tests that do not apply to a library with a sanitizer, with the reasons."""
    if RUNTIME:
        yield coming_and_going_tests.the_examples_list_the_accounts, "the examples are built without a sanitizer"
    if os.environ.get("TESSERA_SANITIZER") == "thread":
        # The test recognizes the threads of the concurrency runtime by their attributes.
        busy = windows_tests.a_signal_closes_the_window_while_the_runtime_is_busy
        yield busy, "ThreadSanitizer starts every thread with attributes"


def main() -> int:
    """Runs and counts the tests."""
    preload()
    words = sys.argv[1:]
    skipped = words.pop(1) if words[:1] == ["--skipped"] else ""
    words = [word for word in words if word != "--skipped"]

    def is_wanted(name: str) -> bool:
        return not words or any(word in name for word in words)

    left_out = dict(left_out_with_sanitizer())
    tests = {test.__name__.replace("_", " "): test for test in TESTS}
    wanted = {name: test for name, test in tests.items() if is_wanted(name)}
    for name in [name for name, test in wanted.items() if test in left_out]:
        print(f"skipped {name}: {left_out[wanted.pop(name)]}", flush=True)
    # A short path: the path of a socket has at most 107 bytes.
    base = Path(tempfile.mkdtemp(prefix="tessera-brokers-"))
    try:
        of_linux = [] if skipped or not wanted else list(linux(base, wanted))
        of_apple = list(apple(base, [name for name in apple_tests.FILES if is_wanted(name)]))
    finally:
        shutil.rmtree(base, ignore_errors=True)
    results = of_linux + of_apple
    closing = f"brokers: {results.count(True)} passed, {results.count(False)} failed"
    if skipped:
        closing += f", {len(wanted)} skipped: {skipped}"
    print(f"{closing}; {len(of_apple)} of them are brokers of Apple systems")
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
