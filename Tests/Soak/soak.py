#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Soak tests of the store: kills, races, concurrent readers and writers, crowds.

docs/reliability.md explains the figures.

usage: soak.py kill|faults|refresh|read|many|growth|offline

The environment may contain LONG=1, RUNS=number and SEED=number; scripts/soak builds the programs.
"""

from __future__ import annotations

import importlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from setting import Outcome, Setting
from workers import BUILD, Trouble

RUNS = {
    "kill": (300, 5000),
    "faults": (12, 300),
    "refresh": (6, 100),
    "read": (30_000, 1_000_000),
    "many": (1, 5),
    "growth": (20_000, 1_000_000),
    "offline": (2, 50),
}
"""The numbers of runs in the short and the long form."""


def setting_of(name: str, home: Path) -> Setting:
    """Returns the settings of the environment."""
    is_long = os.environ.get("LONG", "0") not in ("", "0")
    seed = int(os.environ.get("SEED") or random.SystemRandom().randrange(1_000_000))
    runs = int(os.environ.get("RUNS") or RUNS[name][is_long])
    other = os.environ.get("OTHER")
    return Setting(runs, seed, is_long, home, Path(other) if other else None)


def main() -> int:
    """Runs one soak test in a temporary directory."""
    name = sys.argv[1]
    # On SIGTERM, stop the workers and remove the files first.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    BUILD.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=os.environ.get("SOAK_DIRECTORY") or BUILD))
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
        os.environ.pop(variable, None)
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
    os.environ["HOME"] = str(home)
    setting = setting_of(name, home)
    target = f"test-{name}" if name == "offline" else f"soak-{name}"
    print(f"== {target}: {setting.runs} runs, SEED={setting.seed}", flush=True)
    try:
        outcome: Outcome = importlib.import_module(name).soak(setting)
    except Trouble as trouble:
        outcome = Outcome(False, f"ended early: {trouble}")
    finally:
        shutil.rmtree(home, ignore_errors=True)
    seconds = time.monotonic() - setting.started
    print(f"{target}: {outcome.closing} ({seconds:.0f} s, SEED={setting.seed})")
    return 0 if outcome.passed else 1


if __name__ == "__main__":
    sys.exit(main())
