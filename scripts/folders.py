# SPDX-License-Identifier: MIT
"""The graph of the folders of a module.

A folder uses another one if it names a type, a function or a member that is declared there. A type or function
counts if the module declares it once at the top level. A member counts if no other declaration of the package has
its name, because the type of a value is not known here. The loose files of a module are the folder `.`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from sources import PROGRAMS, Source

MODIFIERS = (
    r"(?:@\w+(?:\([^)]*\))?\s+|(?:public|package|internal|open|final|indirect|static|mutating|nonisolated"
    r"|convenience|override)\s+)*"
)
TYPE = re.compile(rf"^{MODIFIERS}(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)")
FUNCTION = re.compile(rf"^{MODIFIERS}func\s+([a-z]\w*)")
# A member of a type or an extension at the top level. Private ones are not visible in other folders.
MEMBER = re.compile(rf"^  {MODIFIERS}(?:func|var|let)\s+(\w+)")
# Declarations of any kind: a parameter or an argument label is followed by a colon.
ANY_DECLARATION = re.compile(r"\b(?:func|var|let|case)\s+(\w+)|\b(\w+)\s*:")
# A name of two or more words: short names occur for other things as well.
LONG_NAME = re.compile(r"(?=\w{8})[a-z]+[A-Z]\w*")
# Members of the standard library, which the package also declares.
STANDARD = {"formUnion", "removeAll"}
NAME = re.compile(r"(?<!\w)[A-Za-z]\w*")
IMPORT = re.compile(r"^(?:\w+ )*import ")
ROOT_FOLDER = "."
"""The name of a module's own folder in its graph."""

Graph = dict[str, dict[str, list[str]]]
"""For each folder, the folders that it uses, with the uses."""


@dataclass(frozen=True)
class Module:
    """A Swift module: its folder below Sources, and its files."""

    name: str
    files: list[Source]

    def folder(self, source: Source) -> str:
        """Returns the folder of a file; `.` for a loose file."""
        folder, slash, _ = source.name.removeprefix(f"Sources/{self.name}/").partition("/")
        return folder if slash else ROOT_FOLDER


def modules(files: list[Source]) -> list[Module]:
    """Returns the Swift modules in Sources; each program is one."""
    found: dict[str, list[Source]] = defaultdict(list)
    for source in files:
        parts = source.name.split("/")
        depth = 3 if source.module == PROGRAMS else 2
        if source.module and source.path.suffix == ".swift" and len(parts) > depth:
            found["/".join(parts[1:depth])].append(source)
    return [Module(name, found[name]) for name in sorted(found)]


def unique_names(files: list[Source]) -> set[str]:
    """Returns the long names with one declaration in these files."""
    counts: Counter[str] = Counter()
    for source in files:
        for _, code, _ in source.code:
            counts.update(first or second for first, second in ANY_DECLARATION.findall(code))
    once = {name for name, count in counts.items() if count == 1 and LONG_NAME.fullmatch(name)}
    return once - STANDARD


def declared(module: Module, unique: set[str]) -> dict[str, str]:
    """Returns the folder of each type, function and member that is declared once."""
    places: dict[str, list[str]] = defaultdict(list)
    for source in module.files:
        for _, code, _ in source.code:
            match = TYPE.match(code) or FUNCTION.match(code)
            if match is None and (match := MEMBER.match(code)) and match[1] not in unique:
                continue
            if match:
                places[match[1]].append(module.folder(source))
    return {name: folders[0] for name, folders in places.items() if len(folders) == 1}


def uses(code: str) -> Iterator[str]:
    """Yields the names in a line of code, without members and labels with the name of a function."""
    for match in NAME.finditer(code):
        name, before, after = match[0], code[: match.start()], code[match.end() :]
        is_short = name[0].islower() and not LONG_NAME.fullmatch(name)
        if not (is_short and (before.endswith(".") or not after.startswith("("))):
            yield name


def graph(module: Module, unique: set[str]) -> Graph:
    """Returns the graph of the folders of a module."""
    folders = declared(module, unique)
    found: Graph = {module.folder(source): {} for source in module.files}
    for source in module.files:
        own = module.folder(source)
        for number, code, _ in source.code:
            if IMPORT.match(code):
                continue
            for name in uses(code):
                used = folders.get(name, own)
                if used != own:
                    found[own].setdefault(used, []).append(f"{source.name}:{number}: {name}")
    return found


def reachable(found: Graph, start: str) -> set[str]:
    """Returns the folders that a folder uses, directly or through other folders."""
    seen: set[str] = set()
    left = [start]
    while left:
        for used in found[left.pop()]:
            if used not in seen:
                seen.add(used)
                left.append(used)
    return seen


def groups(found: Graph) -> list[list[str]]:
    """Returns the folders in groups that use each other, lowest first; a group without a cycle is one folder."""
    reached = {name: reachable(found, name) for name in found}
    result: list[list[str]] = []
    for name in sorted(found, key=lambda each: (len(reached[each] | {each}), each)):
        both = [other for other in found if other in reached[name] and name in reached[other]]
        if not any(name in group for group in result):
            result.append(sorted({name, *both}))
    return result


def levels(found: Graph) -> dict[str, int]:
    """Returns the level of each folder: it uses only lower levels; the folders of a cycle have the same level."""
    result: dict[str, int] = {}
    for group in groups(found):
        used = {other for name in group for other in found[name]} - set(group)
        result.update(dict.fromkeys(group, 1 + max((result[other] for other in used), default=0)))
    return result


def cycles(found: Graph) -> list[list[str]]:
    """Returns the groups of folders that use each other, directly or through other folders."""
    return [group for group in groups(found) if len(group) > 1]


def places(found: Graph) -> Iterator[str]:
    """Yields the uses inside of cycles, with the first place of each."""
    for group in cycles(found):
        for name in group:
            for used, lines in sorted(found[name].items()):
                if used in group:
                    yield f"{name} uses {used} ({len(lines)}): {lines[0]}"
