# SPDX-License-Identifier: MIT
"""A session bus with an identity broker that has Alice's account, for blocks with a broker."""

from __future__ import annotations

import sys
from pathlib import Path

from provider import ROOT

sys.path.append(str(ROOT / "Tests/Brokers"))

from broker_account import id_token, tokens, usual  # noqa: E402
from desktop import Desktop  # noqa: E402


def started(folder: Path, client_id: str) -> Desktop:
    """Starts a desktop with a broker that knows an application."""
    desktop = Desktop(folder).__enter__()
    desktop.set_responses(**{**usual(), "acquireTokenSilently": {"answer": tokens(idToken=id_token(client_id))}})
    desktop.add_broker()
    return desktop
