# SPDX-License-Identifier: MIT
"""The generated files of the bindings: requests and results, and the declarations of include/tessera.h."""

from __future__ import annotations

from pathlib import Path

import binding_cpp
import binding_go
import binding_header
import binding_java
import binding_node
import binding_ruby
import binding_rust
import error_table
from document_table import ROOT, Document, Documents, all_members

CPP = ROOT / "bindings/cpp/include/tessera_documents.hpp"
GO = ROOT / "bindings/go/documents.go"
JAVA = ROOT / "bindings/java/tessera/src/main/java/tessera"
NODE = ROOT / "bindings/node"
RUBY = ROOT / "bindings/ruby"
RUST = ROOT / "bindings/rust/tessera/src/documents.rs"
RUST_HEADER = ROOT / "bindings/rust/tessera-sys/src/declarations.rs"
# Documents of callbacks that the bindings do not have, of another platform, and without members of their own.
LEFT_OUT = ("Browser", "SSOExtension", "NoResult", "ErrorResponse")


def generated(documents: Documents) -> dict[Path, str]:
    """Returns the files of the bindings with their contents."""
    bound = [
        each
        for each in documents.values()
        if each.kind != "part" and not each.name.startswith(LEFT_OUT)
    ]
    ordered = _ordered(documents, bound)
    codes = [each.code for each in error_table.read(error_table.TABLE.read_text())[0]]
    header = (ROOT / "include/tessera.h").read_text()
    return {
        CPP: binding_cpp.generated(documents, ordered, codes),
        GO: binding_go.generated(documents, ordered, codes),
        RUST: binding_rust.generated(documents, ordered, codes),
        RUST_HEADER: binding_header.generated(header),
        **binding_java.generated(documents, ordered, codes, JAVA),
        NODE / "documents.js": binding_node.generated(documents, ordered),
        NODE / "documents.d.ts": binding_node.types(documents, ordered, codes),
        RUBY / "lib/tessera/documents.rb": binding_ruby.generated(documents, ordered, codes),
        RUBY / "sig/tessera/documents.rbs": binding_ruby.signatures(documents, ordered),
        # These packages have only the files of their own folders.
        GO.parent / "tessera.h": header,
        NODE / "tessera.h": header,
        RUBY / "ext/tessera/tessera.h": header,
    }


def _ordered(documents: Documents, bound: list[Document]) -> list[Document]:
    """Returns the documents, each after the ones that its members have."""
    found: list[Document] = []
    while len(found) < len(bound):
        names = [each.name for each in found]
        found += [
            each
            for each in bound
            if each not in found
            and all(member.document in ("", *names) for member in all_members(documents, each.name))
        ]
    return found
