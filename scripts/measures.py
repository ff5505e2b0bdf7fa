# SPDX-License-Identifier: MIT
"""What keeps the code readable, as numbers with limits, and each place that goes beyond one."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sources import ALLOWED, PROGRAMS, PURE, Function, Source

MEMBER = r'"[a-z0-9]+(?:_[a-z0-9]+)+"'
# A member that is read or written by its name.
NAMED_MEMBER = re.compile(rf"\[{MEMBER}\]|\b(?:append|add|text|string|integer)\({MEMBER}")
# Where names of members stand: messages, records, documents, errors, and what C programs hand in.
MESSAGES = (
    "TesseraWire", "TesseraCache/Records", "TesseraCache/Legacy", "TesseraCache/Unified", "TesseraCache/Documents",
    "TesseraEngine/Documents", "TesseraEngine/Errors", "TesseraC", *PROGRAMS,
)  # fmt: skip
TRAPS = re.compile(
    r"\btry!|\bfatalError\(|\bprecondition(?:Failure)?\(|\bas!|\bassert\w*\(|\bAny\b|[\w)\]]!(?!=)"
)
WORLD = re.compile(r"\bDate\(\)|\bgetenv\(|\bProcessInfo\b|\bDate\.now\b|\bFileManager\b")
CONDITION = re.compile(r"^\s*#(?:if|elseif) (?:os|canImport|arch)")
IMPORT = re.compile(r"\s*(?:\w+ )?import ")
CLASS = re.compile(r"\bclass\s+(?:[A-Z]\w*)")
PUBLIC = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*public\s+(?:static |final |mutating |indirect )*"
    r"(?:func|var|let|struct|class|enum|protocol|init|typealias|subscript|actor)\b"
)


@dataclass(frozen=True)
class Measure:
    """A number, its limit, and the places beyond it."""

    name: str
    found: float
    limit: float
    places: list[str]


def largest(name: str, limit: int, numbers: list[tuple[int, str]]) -> Measure:
    """The largest of some numbers, each with its place."""
    beyond = [f"{place}: {number}, at most {limit}" for number, place in numbers if number > limit]
    return Measure(name, max((number for number, _ in numbers), default=0), limit, beyond)


def none(name: str, places: Iterator[str]) -> Measure:
    """What should not be there at all."""
    found = list(places)
    return Measure(name, len(found), 0, found)


def lines_with(
    files: list[Source], pattern: re.Pattern[str], applies: Callable[[Source], bool]
) -> Iterator[str]:
    """The lines of code with a pattern, in the files that a rule applies to."""
    for source in files:
        if applies(source):
            for number, code, line in source.code:
                if pattern.search(code):
                    yield f"{source.name}:{number}: {line.strip()}"


def parameters(function: Function) -> int:
    """How many parameters a function takes; a value may be made of all that it has."""
    if ALLOWED.search(function.head.split("\n")[0]) or not re.match(r"^\s*(?:[\w@()]+\s+)*func\s", function.head):
        return 0
    depth, count, seen = 0, 0, False
    for position, letter in enumerate(function.head):
        depth += (letter in "([{<") - (letter in ")]}>" and function.head[position - 1] != "-")
        if depth == 1 and letter == ":":
            count += 1
        seen = seen or letter == "("
        if seen and depth == 0:
            break
    return count


def in_messages(source: Source) -> bool:
    """Whether names of members may stand in a file."""
    folder = source.name.removeprefix("Sources/")
    return any(folder.startswith(f"{room}/") for room in MESSAGES)


def named_members(library: list[Source]) -> Iterator[str]:
    """Members that are read or written by their names elsewhere than in messages."""
    for source in library:
        if source.room == "TesseraTesting" or in_messages(source):
            continue
        for number, line in enumerate(source.lines, 1):
            if NAMED_MEMBER.search(line.split("//")[0]):
                yield f"{source.name}:{number}: {line.strip()}"


def conditions(library: list[Source]) -> Iterator[str]:
    """Conditions on the system below the platform, other than around an import."""
    for source in library:
        if source.room not in PURE:
            continue
        for number, line in enumerate(source.lines):
            imports = IMPORT.match("".join(source.lines[number + 1 : number + 2]))
            if CONDITION.match(line) and not imports and not ALLOWED.search(line):
                yield f"{source.name}:{number + 1}: {line.strip()}"


def classes(library: list[Source]) -> Iterator[str]:
    """Classes that others may inherit from, and classes among what has no identity."""
    for source in library:
        for number, code, line in source.code:
            if not CLASS.search(code):
                continue
            if "final class" not in code or source.room in ("TesseraWire", "TesseraCache"):
                yield f"{source.name}:{number}: {line.strip()}"


def undocumented_swift(library: list[Source]) -> Iterator[str]:
    """Public declarations of Swift without a comment above them."""
    for source in library:
        for number, line in enumerate(source.lines):
            if not PUBLIC.match(line) or source.room in PROGRAMS:
                continue
            above = number - 1
            while above >= 0 and source.lines[above].lstrip().startswith("@"):
                above -= 1
            # What C programs call is documented in the header.
            exported = "@_cdecl" in "".join(source.lines[above + 1 : number])
            if not exported and not source.lines[above].lstrip().startswith("///"):
                yield f"{source.name}:{number + 1}: {line.strip()}"


def undocumented_c(headers: list[Source]) -> Iterator[str]:
    """Functions and types of the header without a comment above them."""
    for source in headers:
        for number, line in enumerate(source.lines):
            declares = re.match(r"(?:TESSERA_\w+ )?\w[\w *]*\btessera_\w+\(|typedef ", line)
            if declares and not re.search(r"\*/\s*$", source.lines[number - 1]):
                yield f"{source.name}:{number + 1}: {line.strip()}"


def undocumented_python(modules: list[Source]) -> Iterator[str]:
    """What Python programs may use, without a docstring."""
    for source in modules:
        module = ast.parse("\n".join(source.lines))
        classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
        parents: list[ast.Module | ast.ClassDef] = [module, *classes]
        for node in (each for parent in parents for each in parent.body):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                continue
            overload = any("overload" in ast.unparse(one) for one in node.decorator_list)
            if not (node.name.startswith("_") or overload or ast.get_docstring(node)):
                yield f"{source.name}:{node.lineno}: {node.name}"


def of_sizes(files: list[Source]) -> Iterator[Measure]:
    """Lines and parameters of functions."""
    functions = [
        (source, each) for source in files if source.path.suffix == ".swift"
        for each in source.functions
    ]  # fmt: skip
    at = [f"{source.name}:{each.line}" for source, each in functions]
    yield largest("lines of a function", 40, [(f.length, p) for (_, f), p in zip(functions, at)])
    # What C programs call is as the header says.
    exported = {source.name for source in files if "@_cdecl" in "".join(source.lines)}
    library = [
        (parameters(f), p) for (s, f), p in zip(functions, at) if s.room and s.name not in exported
    ]
    yield largest("parameters of a function", 6, library)


def of_constructs(library: list[Source]) -> Iterator[Measure]:
    """What may stand in the library, and where."""
    hosted = [source for source in library if source.room not in PROGRAMS]
    yield none("what may trap in a host", lines_with(hosted, TRAPS, lambda _: True))
    pure = [source for source in library if source.room in PURE]
    yield none("the world below the platform", lines_with(pure, WORLD, lambda _: True))
    # Indented it stands under #if, where a platform has nothing smaller.
    foundation = re.compile(r"^(?:\w+\s+)?import Foundation\s*$")
    yield none("imports of all of Foundation", lines_with(hosted, foundation, lambda _: True))
    yield none("conditions on systems below the platform", conditions(library))
    yield none("classes to inherit from, or among values", classes(library))
    yield none("names of members outside of messages", named_members(hosted))


def of_documentation(files: list[Source]) -> Iterator[Measure]:
    """Public declarations without documentation."""
    library = [source for source in files if source.room and source.path.suffix == ".swift"]
    yield none("undocumented declarations in Swift", undocumented_swift(library))
    headers = [source for source in files if source.name.startswith("include/tessera")]
    yield none("undocumented declarations in C", undocumented_c(headers))
    package = "bindings/python/src/tessera"
    modules = [s for s in files if s.name.startswith(package) and s.path.suffix == ".py"]
    yield none("undocumented declarations in Python", undocumented_python(modules))


def measures(files: list[Source]) -> Iterator[Measure]:
    """All of them."""
    library = [source for source in files if source.room and source.path.suffix == ".swift"]
    yield from of_sizes(files)
    yield from of_constructs(library)
    yield from of_documentation(files)
