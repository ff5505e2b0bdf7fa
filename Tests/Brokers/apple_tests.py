# SPDX-License-Identifier: MIT
"""Brokers of Apple systems from end to end: the files of the Python binding's tests that meet them, a row each."""

from __future__ import annotations

import os
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

from desktop import ROOT, Failed, check

BINDING = ROOT / "bindings/python"
FILES = {
    "microsoft authenticator": "test_authenticator.py",
    "single sign-on extension": "test_sso_extension.py",
    "intune": "test_intune.py",
}
# How pytest marks a test that did not pass.
WRONG = ("failure", "error", "skipped")


@dataclass
class Ended:
    """How the tests of a file ended."""

    passed: int
    failed: list[str]


def python() -> Path:
    """The python that has pytest."""
    done = subprocess.run([ROOT / "scripts/venv"], capture_output=True, text=True, check=False)
    check(done.returncode == 0, "scripts/venv:", done.stderr.strip()[-200:])
    return Path(done.stdout.strip())


def ended(name: str, folder: Path) -> Ended:
    """Run the tests of a file with the library that was built; one that is skipped has failed."""
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    words = [
        str(python()), "-m", "pytest", "--quiet", "-p", "no:cacheprovider", f"--junitxml={report}",
        f"--basetemp={folder / 'pytest'}", f"tests/{FILES[name]}",
    ]  # fmt: skip
    environment = os.environ | {
        "TESSERA_LIBRARY": str(ROOT / "build/lib/libtessera.so.0"),
        "TESSERA_PROVIDER": str(ROOT / "build/swift-release/release/tessera-provider"),
    }
    done = subprocess.run(
        words, cwd=BINDING, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    if not report.exists():
        raise Failed(f"pytest: {(done.stdout + done.stderr).strip()[-500:]}")
    cases = list(ET.parse(report).iter("testcase"))
    failed = [str(case.get("name")) for case in cases if any(each.tag in WRONG for each in case)]
    check(bool(cases), "there is no test in", FILES[name])
    return Ended(len(cases) - len(failed), failed)
