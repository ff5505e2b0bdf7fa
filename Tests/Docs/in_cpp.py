# SPDX-License-Identifier: MIT
"""Runs the C++ blocks: programs unmodified, and statements in a function with an application."""

from __future__ import annotations

from blocks import Block
from home import HERE, Home
from settings import Setting

FLAGS = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-variable", f"-I{HERE}"]
AROUND = """#include "at_home.hpp"

int main() {{
  tessera::application application = at_home();
  {before}
#line {line} "{page}"
{text}
  {after}
}}
"""


def run(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Compiles a block and runs it."""
    if "int main(" not in text:
        text = AROUND.format(
            before=setting.before, line=block.line + 1, page=block.page, text=text, after=setting.after
        )
    source, program = home.folder / "block.cpp", home.folder / "block"
    source.write_text(text)
    found = home.run(["pkg-config", "--cflags", "--libs", "tessera"]).split()
    home.run(["c++", *FLAGS, source, "-o", program, *found])
    home.run(["env", *setting.words, program])
