# SPDX-License-Identifier: MIT
"""A plugin for pytest: every application logs all that it can, and a proxy remembers its tokens and codes.

What the applications of a test suite logged, and what is secret, comes into the files that CANARY_LOG and
CANARY_SECRETS name.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import tessera
from wiretap import Wiretap

_TAP = Wiretap()
_LINES: list[str] = []


def pytest_configure() -> None:
    """Have all requests pass the proxy, and all applications log."""
    _TAP.__enter__()
    os.environ["http_proxy"] = _TAP.address
    make = tessera.PublicClientApplication.__init__

    def logging(self: Any, client_id: str, **settings: Any) -> None:
        seen = settings.get("log")

        def log(level: int, line: str) -> None:
            _LINES.append(f"{level} {line}")
            if seen is not None and level <= wanted:
                seen(level, line)

        wanted = settings.get("log_level") or 3
        make(self, client_id, **{**settings, "log": log, "log_level": 4})

    tessera.PublicClientApplication.__init__ = logging  # type: ignore[method-assign]


def pytest_unconfigure() -> None:
    """Write down what was seen."""
    _TAP.__exit__()
    Path(os.environ["CANARY_LOG"]).write_text("\n".join(_LINES))
    Path(os.environ["CANARY_SECRETS"]).write_text(json.dumps(sorted(_TAP.all())))
