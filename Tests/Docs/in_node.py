# SPDX-License-Identifier: MIT
"""Runs the JavaScript blocks: programs unmodified, and statements in a module with an application."""

from __future__ import annotations

import sys

from blocks import Block
from home import Home
from settings import Setting

from provider import ROOT

sys.path.insert(0, str(ROOT / "Tests/Runtimes"))

import node  # noqa: E402

AROUND = """import assert from 'node:assert/strict';
import * as tessera from 'tessera-identity';
const {{ Application, RetryLaterError, SignInRequiredError, TesseraError, features }} = tessera;

const application = new Application({{
  clientId: 'your-client-id', authority: process.env.DOCS_AUTHORITY, authorityType: 'entra',
}});
{{
{text}
{after}
}}
"""


def run(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Runs a block with the package in a folder of modules."""
    if "from 'tessera-identity'" not in text:
        text = AROUND.format(text=text, after=setting.after)
    node.installed(home.folder / "node_modules")
    program = home.folder / "program.mjs"
    program.write_text(text)
    home.run(["env", *setting.words, "node", program])
