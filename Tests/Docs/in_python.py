# SPDX-License-Identifier: MIT
"""Runs the Python blocks."""

from __future__ import annotations

import sys
from textwrap import indent

from blocks import Block
from home import Home
from settings import Setting


def run(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Run a block in a process of its own; what waits runs in a coroutine."""
    body = f"{setting.before}\n{text}\n{setting.after}\n"
    if "await " in body:
        body = f"async def main():\n{indent(body, '    ')}\nasyncio.run(main())\n"
    home.run([sys.executable, "-c", f"from at_home import *\n{body}", *setting.words])
