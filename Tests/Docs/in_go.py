# SPDX-License-Identifier: MIT
"""Runs the Go blocks: programs unmodified, and statements in a function with an application."""

from __future__ import annotations

import re

from blocks import Block
from home import Home
from settings import Setting

from provider import ROOT

# The packages of the statements, without the ones that every block has.
PACKAGES = {"errors": "errors", "fmt": "fmt", "http": "net/http", "log": "log", "os": "os", "time": "time"}
AROUND = """package main

import (
	"context"
{imports}
	tessera "example.com/tessera/bindings/go"
)

func main() {{
	ctx := context.Background()
	authority, kind := os.Getenv("DOCS_AUTHORITY"), "entra"
	application, err := tessera.NewApplication(tessera.Configuration{{
		ClientID: "your-client-id", Authority: &authority, AuthorityType: &kind,
	}}, nil)
	check := func(holds bool) {{
		if !holds {{
			panic("what must hold after the block does not")
		}}
	}}
	check(err == nil)
	// The block has its own names.
	func(ctx context.Context, application *tessera.Application) {{
{text}
		{after}
	}}(ctx, application)
}}
"""
MODULE = """module block

go 1.19

require example.com/tessera/bindings/go v0.1.0

replace example.com/tessera/bindings/go v0.1.0 => {root}/bindings/go
"""


def run(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Compiles a block and runs it."""
    if "func main(" not in text:
        body = text + setting.after + " os."
        used = [path for name, path in PACKAGES.items() if re.search(rf"\b{name}\.", body)]
        imports = "\n".join(f'\t"{path}"' for path in used)
        text = AROUND.format(imports=imports, text=text, after=setting.after)
    folder = home.folder / "block"
    folder.mkdir()
    (folder / "main.go").write_text(text)
    (folder / "go.mod").write_text(MODULE.format(root=ROOT))
    cache = ROOT / "build/runtimes/go-cache"
    options = ["GOPROXY=off", "GOFLAGS=-mod=mod", f"GOCACHE={cache}"]
    command = 'cd "$1" && go build -o ../program .'
    home.run(["env", *options, "sh", "-c", command, "sh", folder])
    home.run(["env", *setting.words, home.folder / "program"])
