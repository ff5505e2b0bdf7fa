# SPDX-License-Identifier: MIT
"""Runs the Rust blocks: programs unmodified, and statements in a function with an application."""

from __future__ import annotations

import os
from pathlib import Path

from blocks import Block
from home import Home
from settings import Setting

from examples import STAGE
from provider import ROOT

AROUND = """#![allow(unused_variables)]
use tessera::*;

/// Waits for a future on this thread.
fn block_on<Output>(mut future: impl std::future::Future<Output = Output> + Unpin) -> Output {{
    struct Unpark(std::thread::Thread);
    impl std::task::Wake for Unpark {{
        fn wake(self: std::sync::Arc<Self>) {{
            self.0.unpark();
        }}
    }}
    let waker = std::sync::Arc::new(Unpark(std::thread::current())).into();
    loop {{
        let mut context = std::task::Context::from_waker(&waker);
        match std::pin::Pin::new(&mut future).poll(&mut context) {{
            std::task::Poll::Ready(output) => return output,
            std::task::Poll::Pending => std::thread::park(),
        }}
    }}
}}

fn main() -> Result<()> {{
    let configuration = Configuration {{
        client_id: "your-client-id".into(),
        authority: std::env::var("DOCS_AUTHORITY").ok(),
        authority_type: Some("entra".into()),
        ..Default::default()
    }};
    let application = Application::new(&configuration, Host::default())?;
    let _ = block_on(std::future::ready(()));
{text}
    {after}
    Ok(())
}}
"""
MANIFEST = """[package]
name = "block"
version = "0.1.0"
edition = "2021"

[dependencies]
tessera = {{ path = "{root}/bindings/rust/tessera" }}

[workspace]
"""


def run(block: Block, text: str, setting: Setting, home: Home) -> None:
    """Compiles a block and runs it."""
    if "fn main(" not in text:
        text = AROUND.format(text=text, after=setting.after)
    folder = home.folder / "block"
    (folder / "src").mkdir(parents=True)
    (folder / "src/main.rs").write_text(text)
    (folder / "Cargo.toml").write_text(MANIFEST.format(root=ROOT))
    target = ROOT / "build/runtimes/cargo-docs"
    # Rust may be installed in the home of the developer.
    rustup = os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup"))
    options = [f"RUSTUP_HOME={rustup}", f"CARGO_TARGET_DIR={target}", f"TESSERA_LIB_DIR={STAGE}/lib"]
    command = ["cargo", "build", "--quiet", "--offline", "--manifest-path", f"{folder}/Cargo.toml"]
    home.run(["env", *options, *command])
    home.run(["env", *setting.words, target / "debug/block"])
