# SPDX-License-Identifier: MIT
"""The description of the measured machine."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from datetime import datetime, timezone
from pathlib import Path


def day() -> str:
    """Returns the current date as text."""
    now = datetime.now(timezone.utc)
    return f"{now.day} {now:%B %Y}"


def machine(place: Path) -> str:
    """Describes processors, system, file system, versions and the current load of the machine."""
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    parts = [
        f"{os.cpu_count()} x {processor()}",
        system,
        output_of("findmnt", "-no", "FSTYPE", "-T", str(place)),
        f"Python {platform.python_version()}",
        " ".join(re.findall(r"Swift version [0-9.]+", output_of("swift", "--version"))[:1]),
        f"a load of {os.getloadavg()[0]:.1f} before",
    ]
    return ", ".join(part for part in parts if part)


def processor() -> str:
    """Returns the name of the processor."""
    names = re.findall(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return names[0] if names else platform.machine()


def output_of(*command: str) -> str:
    """Returns the output of a command; an empty string if it is not installed."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""
