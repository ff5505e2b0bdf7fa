# SPDX-License-Identifier: MIT
"""Runs the Ruby blocks with the installed gem: programs unmodified, and statements with an application."""

from __future__ import annotations

import functools
import subprocess
from pathlib import Path

from blocks import Block
from home import Home
from settings import Setting

from examples import expect
from provider import ROOT

AROUND = """require "tessera"

application = Tessera::Application.new(
  client_id: "your-client-id", authority: ENV.fetch("DOCS_AUTHORITY"), authority_type: "entra"
)
"""
CHECK = """
def check(holds)
  holds or abort "what must hold after the block does not"
end
"""
GEMS = ROOT / "build/runtimes/gems"


def run(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Runs a block."""
    if 'require "tessera"\n' not in text:
        text = AROUND + text
    program = home.folder / "program.rb"
    program.write_text(f"{setting.before}\n{text}\n{CHECK}{setting.after}\n")
    install()
    home.run(["env", f"GEM_HOME={GEMS}", *setting.words, "ruby", program])


@functools.cache
def install() -> None:
    """Builds and installs the gem, as the page describes."""
    GEMS.mkdir(parents=True, exist_ok=True)
    package = GEMS / "tessera.gem"
    commands: tuple[list[str | Path], ...] = (
        ["gem", "build", "--quiet", "--strict", "--output", package, "tessera.gemspec"],
        ["gem", "install", "--quiet", "--local", "--no-document", "--install-dir", GEMS, package],
    )
    for command in commands:
        done = subprocess.run(
            command, cwd=ROOT / "bindings/ruby", text=True, timeout=300, check=False, capture_output=True
        )
        expect(done.returncode == 0, f"{command[1]} ended with {done.returncode}: {done.stderr}{done.stdout}")
