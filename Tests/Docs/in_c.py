# SPDX-License-Identifier: MIT
"""Runs the C blocks: programs unmodified, and statements in a function with an application."""

from __future__ import annotations

from blocks import Block
from home import HERE, Home
from settings import Setting

FLAGS = [
    "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-D_POSIX_C_SOURCE=200809L", f"-I{HERE}",
]  # fmt: skip
AROUND = """#include "at_home.h"

int main(void) {{
  tessera_application *application = at_home();
  char *response = NULL;
  {before}
#line {line} "{page}"
{text}
  {after}
  tessera_string_free(response);
  tessera_application_free(application);
  return 0;
}}
"""


def run(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Compiles a block and runs it."""
    if "int main(" not in text:
        text = AROUND.format(
            before=setting.before, line=block.line + 1, page=block.page, text=text, after=setting.after
        )
    source, program = home.folder / "block.c", home.folder / "block"
    source.write_text(text)
    found = home.run(["pkg-config", "--cflags", "--libs", "tessera", "jansson", "libcurl"]).split()
    home.run(["cc", *FLAGS, source, "-o", program, *found])
    home.run(["env", *setting.words, program])
