# SPDX-License-Identifier: MIT
"""Brokers of Apple systems, end to end: runs the matching test files of the Python binding, a row each."""

from __future__ import annotations

import os
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

from clients import LIBRARY
from desktop import ROOT, Failed, check
from sanitizers import preloaded

BINDING = ROOT / "bindings/python"
FILES = {
    "microsoft authenticator": "test_authenticator.py",
    "single sign-on extension": "test_sso_extension.py",
    "intune": "test_intune.py",
}
# The results of pytest for a test that did not pass.
WRONG = ("failure", "error", "skipped")


@dataclass
class Ended:
    """The results of the tests of a file."""

    passed: int
    failed: list[str]


def python() -> Path:
    """Returns the Python that has pytest."""
    done = subprocess.run([ROOT / "scripts/venv"], capture_output=True, text=True, check=False)
    check(done.returncode == 0, "scripts/venv:", done.stderr.strip()[-200:])
    return Path(done.stdout.strip())


def ended(name: str, folder: Path) -> Ended:
    """Runs the tests of a file with the built library; a skipped test has failed."""
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    words = [
        str(python()), "-m", "pytest", "--quiet", "-p", "no:cacheprovider", f"--junitxml={report}",
        f"--basetemp={folder / 'pytest'}", f"tests/{FILES[name]}",
    ]  # fmt: skip
    environment = os.environ | {
        "TESSERA_LIBRARY": str(LIBRARY),
        "TESSERA_PROVIDER": str(ROOT / "build/swift-release/release/tessera-provider"),
    } | preloaded()
    done = subprocess.run(
        words, cwd=BINDING, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    if not report.exists():
        raise Failed(f"pytest: {(done.stdout + done.stderr).strip()[-500:]}")
    cases = list(ET.parse(report).iter("testcase"))
    failed = [str(case.get("name")) for case in cases if any(each.tag in WRONG for each in case)]
    check(bool(cases), "there is no test in", FILES[name])
    return Ended(len(cases) - len(failed), failed)
