# SPDX-License-Identifier: MIT
"""Programs of a newer Debian, in a directory with its root file system."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from desk import ROOT, Desk, Skipped
from installed import exclusive

SUITE = "trixie"
MIRROR = "http://deb.debian.org/debian"
PACKAGES = "git,kubernetes-client,libsqlite3-0,libcurl4t64,ca-certificates"
FOLDER = ROOT / "build/helpers" / SUITE


class System:
    """A root file system."""

    def run(self, desk: Desk, command: list[str]) -> subprocess.CompletedProcess[str]:
        """Runs a program there, with the files of the user and of the helpers."""
        places = [str(ROOT), str(desk.folder)]
        mounts = "".join(
            f"mkdir -p {shlex.quote(f'{FOLDER}{place}')} && mount --rbind {shlex.quote(place)} "
            f"{shlex.quote(f'{FOLDER}{place}')} && "
            for place in [*places, "/dev", "/proc"]
        )
        script = f"{mounts}exec chroot {shlex.quote(str(FOLDER))} {shlex.join(command)}"
        return subprocess.run(
            ["unshare", "-m", "sh", "-c", script], env=desk.environment, capture_output=True, text=True,
            timeout=120, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip


def root() -> System:
    """Returns the root file system, which is downloaded once.

    Raises Skipped without root, without debootstrap, or if the mirror does not respond.
    """
    if os.geteuid() != 0:
        raise Skipped("a newer Debian requires root")
    if not shutil.which("debootstrap"):
        raise Skipped("debootstrap is missing")
    with exclusive(SUITE):
        if not FOLDER.exists():
            new = Path(f"{FOLDER}.new")
            shutil.rmtree(new, ignore_errors=True)
            new.parent.mkdir(parents=True, exist_ok=True)
            done = subprocess.run(
                ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, new, MIRROR],
                capture_output=True, text=True, timeout=400, check=False,
            )  # fmt: skip
            if done.returncode:
                raise Skipped(f"{MIRROR} has no {SUITE}: {done.stdout.strip().splitlines()[-1:]}")
            new.rename(FOLDER)
    return System()
