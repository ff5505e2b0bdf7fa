# SPDX-License-Identifier: MIT
"""The sizes of declarations: lines of Swift types, and parameters of functions in Swift and Python."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

from budgets import Counted
from folders import MODIFIERS, Module
from sources import ALLOWED, Function, Source

TYPE = re.compile(rf"^(\s*){MODIFIERS}(struct|class|enum|protocol|actor|extension)\s+([A-Z][\w.]*)")
GENERIC = re.compile(r"\b(?:func\s+\S+?|init[?!]?|subscript)\s*<")
NAME = re.compile(r"\b(func|init|subscript)\b\s*([\w`]*|[^\s(<]+)")


def ends(source: Source, start: int) -> int:
    """Returns the index of the last line of a type that starts at an index: the first closing brace below it."""
    indent = re.match(r"\s*", source.lines[start])
    closing = (indent[0] if indent else "") + "}"
    if re.search(r"\{.*\}\s*$", source.lines[start]):
        return start
    below = range(start, len(source.lines))
    return next((end for end in below if source.lines[end].rstrip() == closing), start)


def blocks(source: Source) -> Iterator[tuple[str, str, int, int]]:
    """Yields the keyword, the name, the first and the last index of each type and extension at the top level."""
    for start, line in enumerate(source.lines):
        if (match := TYPE.match(line)) and not match[1]:
            yield match[2], match[3], start, ends(source, start)


def lines_of_types(modules: list[Module]) -> list[Counted]:
    """Counts the lines of each type of the package with those of its extensions in all modules."""
    homes: dict[str, list[tuple[str, Source, int]]] = defaultdict(list)
    for module in modules:
        for source in module.files:
            for keyword, name, start, _ in blocks(source):
                if keyword != "extension":
                    homes[name].append((module.name, source, start))
    lines: dict[tuple[str, str], int] = defaultdict(int)
    for module in modules:
        for source in module.files:
            for _, name, start, end in blocks(source):
                name = name.partition(".")[0]
                owners = [owner for owner, _, _ in homes.get(name, [])]
                owner = module.name if module.name in owners else owners[0] if len(owners) == 1 else ""
                if owner:
                    lines[owner, name] += end - start + 1
    return [
        Counted(f"{owner}.{name}", lines[owner, name], f"{source.name}:{start + 1}")
        for name, declared in homes.items() for owner, source, start in declared
    ]  # fmt: skip


def parameters(function: Function) -> int:
    """Returns the number of parameters of a function or an initializer."""
    head = function.head[function.head.index("(") :] if "(" in function.head else ""
    # A generic parameter list comes before the parameters, and may contain colons.
    if (opened := GENERIC.search(function.head.split("(")[0])) is not None:
        depth = 0
        for position in range(opened.end() - 1, len(function.head)):
            depth += (function.head[position] == "<") - (function.head[position] == ">")
            if depth == 0:
                head = function.head[position + 1 :]
                break
    depth, count = 0, 0
    for position, letter in enumerate(head):
        depth += (letter in "([{<") - (letter in ")]}>" and head[position - 1] != "-")
        count += depth == 1 and letter == ":"
        if depth == 0:
            break
    return count


def parameters_of_swift(modules: list[Module]) -> Iterator[Counted]:
    """Counts the parameters of functions and initializers in Swift.

    Those of exported functions are given by the header.
    """
    for module in modules:
        for source in module.files:
            if "@_cdecl" in "".join(source.lines):
                continue
            for each in source.functions:
                if ALLOWED.search(each.head.split("\n")[0]) or not (match := NAME.search(each.head)):
                    continue
                name = f"{module.name}.{owner(source, each.line)}{match[2] if match[1] == 'func' else match[1]}"
                yield Counted(name, parameters(each), f"{source.name}:{each.line}")


def owner(source: Source, line: int) -> str:
    """Returns the type of a function with a period; empty for a function at the top level."""
    indent = len(source.lines[line - 1]) - len(source.lines[line - 1].lstrip())
    for above in range(line - 1, -1, -1):
        if (match := TYPE.match(source.lines[above])) and len(match[1]) < indent:
            return f"{match[3]}."
    return ""


def parameters_of_python(files: list[Source]) -> Iterator[Counted]:
    """Counts the parameters of functions in Python without `self`.

    An options type (`**options`) is one parameter.
    """
    for source in files:
        text = "\n".join(source.lines)
        if source.path.suffix != ".py" and not (source.lines and source.lines[0].endswith("python3")):
            continue
        yield from _of_functions(source, ast.parse(text), source.name)


def _of_functions(source: Source, parent: ast.AST, path: str) -> Iterator[Counted]:
    for node in ast.iter_child_nodes(parent):
        name = path
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{path}:{node.name}"
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            extra = sum(each is not None for each in (node.args.vararg, node.args.kwarg))
            number = sum(each not in ("self", "cls") for each in names) + extra
            yield Counted(name, number, f"{source.name}:{node.lineno}")
        yield from _of_functions(source, node, name)
