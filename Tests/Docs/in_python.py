# SPDX-License-Identifier: MIT
"""Runs the Python blocks."""

from __future__ import annotations

import sys
from textwrap import indent

from blocks import Block
from home import Home
from settings import Setting


def run(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Runs a block in a separate process; a block with `await` runs in a coroutine."""
    body = f"{setting.before}\n{text}\n{setting.after}\n"
    if "await " in body:
        body = f"async def main():\n{indent(body, '    ')}\nasyncio.run(main())\n"
    home.run([sys.executable, "-c", f"from at_home import *\n{body}", *setting.words])
