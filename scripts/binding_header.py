# SPDX-License-Identifier: MIT
"""The declarations of the crate tessera-sys, generated from include/tessera.h."""

from __future__ import annotations

import re
from collections.abc import Iterator

HEAD = "Generated from include/tessera.h by scripts/check-documents --write."
TYPES = {
    "char": "c_char", "void": "c_void", "int": "c_int", "size_t": "usize", "int32_t": "i32", "uint8_t": "u8",
    "int64_t": "i64", "uint64_t": "u64",
}  # fmt: skip
Declaration = tuple[str, str]
"""A declaration without its last semicolon, and the members between its braces."""


def generated(header: str) -> str:
    """Generates the constants, types and functions for Rust."""
    constants = re.findall(r"^#define (TESSERA_\w+) (\d+)$", header, re.MULTILINE)
    declarations = list(_declarations(header))
    structures = {_last_name(text) for text, members in declarations if members and "struct" in text}
    functions, types = [], []
    for text, members in declarations:
        if text.startswith("enum"):
            constants += re.findall(r"(TESSERA_\w+) = (-?\d+)", members)
        elif text.startswith("typedef struct"):
            name = _last_name(text)
            if members or name not in structures:
                types += ["", *_structure(name, members)]
        elif text.startswith("typedef"):
            types += ["", _alias(text.removeprefix("typedef "))]
        else:
            functions.append(f"    pub fn {_signature(text)};")
    lines = [
        "// SPDX-License-Identifier: MIT",
        "//! The declarations.",
        f"// {HEAD}",
        "",
        "use std::os::raw::{c_char, c_int, c_void};",
        "",
        *(f"pub const {name}: {_constant_type(name)} = {value};" for name, value in constants),
        *types,
        "",
        'extern "C" {',
        *functions,
        "}",
    ]
    return "\n".join(lines) + "\n"


def _declarations(header: str) -> Iterator[Declaration]:
    """Yields the declarations of the header, on one line each."""
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.DOTALL)
    text = re.sub(r"^#.*$", " ", text, flags=re.MULTILINE)
    text = re.sub(r'TESSERA_(API|WARN_UNUSED|NULLABLE|DEPRECATED\(".*?"\))|extern "C" \{', " ", text)
    text = " ".join(text.split())
    for match in re.finditer(r"([^;{}]+)(?:\{([^}]*)\})?([^;{}]*);", text):
        yield f"{match[1].strip()} {match[3].strip()}".strip(), (match[2] or "").strip()


def _last_name(declaration: str) -> str:
    return declaration.split()[-1]


def _constant_type(name: str) -> str:
    return "tessera_status" if name.startswith("TESSERA_STATUS_") else "i32"


def _structure(name: str, members: str) -> list[str]:
    lines = ["#[repr(C)]", f"pub struct {name} {{"]
    for member in filter(None, members.split(";")):
        member_name, kind = _variable(member)
        # The library accepts NULL for each callback.
        kind = f"Option<{kind}>" if kind.endswith("_callback") else kind
        lines.append(f"    pub {member_name}: {kind},")
    return [*lines, *([] if members else ["    _private: [u8; 0],"]), "}"]


def _alias(declaration: str) -> str:
    """Returns the type of a callback, or another name of a type."""
    callback = re.match(r"(.*)\(\*(\w+)\)\((.*)\)$", declaration)
    if callback is None:
        name, kind = _variable(declaration)
        return f"pub type {name} = {kind};"
    kinds = ", ".join(_variable(each)[1] for each in callback[3].split(","))
    return f'pub type {callback[2]} = unsafe extern "C" fn({kinds}){_result(callback[1])};'


def _signature(declaration: str) -> str:
    start, _, parameters = declaration.removesuffix(")").partition("(")
    name = re.findall(r"\w+", start)[-1]
    given = "" if parameters == "void" else ", ".join(map(_parameter, parameters.split(",")))
    return f"{name}({given}){_result(start[: -len(name)])}"


def _parameter(declaration: str) -> str:
    name, kind = _variable(declaration)
    return f"{name}: Option<{kind}>" if kind.endswith("_callback") else f"{name}: {kind}"


def _result(kind: str) -> str:
    return "" if kind.strip() == "void" else f" -> {_type(kind)}"


def _variable(declaration: str) -> tuple[str, str]:
    """Returns the name and the type of a variable."""
    match = re.match(r"(.*?)(\w+)$", declaration.strip())
    if match is None:
        raise SystemExit(f"binding_header: include/tessera.h has an unknown declaration: {declaration}")
    return match[2], _type(match[1])


def _type(kind: str) -> str:
    """Returns a type for Rust."""
    is_constant = kind.strip().startswith("const ")
    base, *pointers = kind.replace("const ", "").replace("*", " * ").split()
    found = TYPES.get(base, base)
    for depth in range(len(pointers)):
        found = f"*{'const' if is_constant and depth == 0 else 'mut'} {found}"
    return found
