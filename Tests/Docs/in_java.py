# SPDX-License-Identifier: MIT
"""Runs the Java blocks: programs unmodified, and statements in a method with an application."""

from __future__ import annotations

import re

from blocks import Block
from home import Home
from settings import Setting

from provider import ROOT

JNA = "/usr/share/java/jna.jar"
BINDING = ROOT / "bindings/java/tessera/src/main/java"
CLASSES = ROOT / "build/runtimes/java-docs"
AROUND = """import tessera.*;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

public class Block {{
  static void check(boolean holds) {{
    if (!holds) {{
      throw new AssertionError("what must hold after the block does not");
    }}
  }}

  static void block(Application application) {{
{text}
    {after}
  }}

  public static void main(String[] arguments) {{
    Configuration.Builder configuration = Configuration.builder("your-client-id");
    configuration.authority(System.getenv("DOCS_AUTHORITY")).authorityType("entra");
    try (Application application = Application.create(configuration.build())) {{
      block(application);
    }}
  }}
}}
"""


def run(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Compiles a block with the binding and runs it."""
    if "void main(" not in text:
        text = AROUND.format(text=text, after=setting.after)
    found = re.search(r"^public class (\w+)", text, re.MULTILINE)
    name = found[1] if found else "Block"
    folder = home.folder / "block"
    folder.mkdir()
    (folder / f"{name}.java").write_text(text)
    _compile_binding(home)
    path = ["-cp", f"{JNA}:{CLASSES}:{folder}"]
    home.run(["javac", *path, "-d", folder, folder / f"{name}.java"])
    home.run(["env", *setting.words, "java", *path, name])


def _compile_binding(home: Home) -> None:
    """Compiles the binding, unless its classes are newer than the sources."""
    sources = sorted(BINDING.rglob("*.java"))
    mark = CLASSES / "compiled"
    if not mark.exists() or any(mark.stat().st_mtime < each.stat().st_mtime for each in sources):
        home.run(["javac", "-cp", JNA, "-d", CLASSES, *sources])
        mark.touch()
