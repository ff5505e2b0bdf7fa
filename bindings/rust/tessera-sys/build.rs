// SPDX-License-Identifier: MIT
//! Finds the library: in TESSERA_LIB_DIR, or else by pkg-config.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=TESSERA_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rustc-link-lib=dylib=tessera");
    if let Ok(folder) = env::var("TESSERA_LIB_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
        return;
    }
    let found = Command::new("pkg-config").args(["--variable=libdir", "tessera"]).output();
    match found {
        Ok(output) if output.status.success() => {
            let folder = String::from_utf8_lossy(&output.stdout);
            println!("cargo:rustc-link-search=native={}", folder.trim());
        }
        _ => panic!(
            "pkg-config does not find the Tessera library. Install it with `make install`, set PKG_CONFIG_PATH to \
             PREFIX/lib/pkgconfig, or set TESSERA_LIB_DIR to the folder of libtessera.so."
        ),
    }
}
