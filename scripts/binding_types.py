# SPDX-License-Identifier: MIT
"""The generated files of the bindings: requests and results, and the declarations of include/tessera.h."""

from __future__ import annotations

from pathlib import Path

import binding_cpp
import binding_functions
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
# These packages load the library at run time. They have only the files of their own folders.
LOADING = (GO.parent, NODE, RUBY / "ext/tessera")
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
    methods = binding_functions.methods(documents, binding_functions.read(header))
    return {
        CPP: binding_cpp.generated(documents, ordered, codes),
        GO: binding_go.generated(documents, ordered, codes),
        GO.parent / "methods.go": binding_go.methods(methods),
        RUST: binding_rust.generated(documents, ordered, codes),
        RUST_HEADER: binding_header.generated(header),
        **binding_java.generated(documents, ordered, codes, header, JAVA),
        NODE / "documents.js": binding_node.generated(documents, ordered),
        NODE / "documents.d.ts": binding_node.types(documents, ordered, codes),
        NODE / "methods.js": binding_node.methods(methods),
        RUBY / "lib/tessera/documents.rb": binding_ruby.generated(documents, ordered, codes),
        RUBY / "lib/tessera/methods.rb": binding_ruby.methods(methods),
        RUBY / "sig/tessera/documents.rbs": binding_ruby.signatures(documents, ordered),
        **{folder / name: text for folder in LOADING for name, text in _headers(header).items()},
    }


def _headers(header: str) -> dict[str, str]:
    """Returns the headers of a package that loads the library."""
    loader = (ROOT / "bindings/shared/loader.h").read_text()
    return {"tessera.h": header, "functions.h": binding_functions.table(header), "loader.h": loader}


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
