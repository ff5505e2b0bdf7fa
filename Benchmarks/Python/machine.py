# SPDX-License-Identifier: MIT
"""What figures were measured on: they mean little without."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from datetime import datetime, timezone
from pathlib import Path


def day() -> str:
    """Today, in words."""
    now = datetime.now(timezone.utc)
    return f"{now.day} {now:%B %Y}"


def machine(place: Path) -> str:
    """Processors, system, file system of a place, versions, and how busy the machine is already."""
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    parts = [
        f"{os.cpu_count()} x {processor()}",
        system,
        answer("findmnt", "-no", "FSTYPE", "-T", str(place)),
        f"Python {platform.python_version()}",
        " ".join(re.findall(r"Swift version [0-9.]+", answer("swift", "--version"))[:1]),
        f"a load of {os.getloadavg()[0]:.1f} before",
    ]
    return ", ".join(part for part in parts if part)


def processor() -> str:
    """Its name."""
    names = re.findall(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return names[0] if names else platform.machine()


def answer(*command: str) -> str:
    """What a command says; nothing if it is not there."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""
