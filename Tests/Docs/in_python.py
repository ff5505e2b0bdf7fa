# SPDX-License-Identifier: MIT
"""Runs the Python blocks."""

from __future__ import annotations

import sys
from textwrap import indent

from blocks import Block
from home import Home
from settings import Setting


def run(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Runs a block in a separate process: tests with pytest, and a block with `await` in a coroutine."""
    if "def test_" in text:
        _run_tests(text, home)
        return
    body = f"{setting.before}\n{text}\n{setting.after}\n"
    if "await " in body and "asyncio.run(" not in body:
        body = f"async def main():\n{indent(body, '    ')}\nasyncio.run(main())\n"
    home.run([sys.executable, "-c", f"from at_home import *\n{body}", *setting.words])


def _run_tests(text: str, home: Home) -> None:
    """Runs the tests of a block, with the plugin that an installed package loads by itself."""
    tests = home.folder / "test_block.py"
    tests.write_text(text)
    home.run([sys.executable, "-m", "pytest", "-q", "-p", "tessera_identity.testing", tests])
