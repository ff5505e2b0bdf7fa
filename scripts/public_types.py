# SPDX-License-Identifier: MIT
"""The public Swift types, and the packages outside of Tessera's own that use them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sources import PROGRAMS, Source

# The packages that import only the public products, and run as tests.
EXTERNAL = ("examples/swift/", "Tests/External/")
TYPE = re.compile(
    r"^(\s*)(?:@\w+(?:\([^)]*\))?\s+)*((?:(?:public|package|internal|fileprivate|private|final|indirect)\s+)*)"
    r"(struct|class|enum|protocol|actor|extension)\s+([A-Z][\w.]*)"
)


def is_external(source: Source) -> bool:
    """Whether a file is in an external package."""
    return source.name.startswith(EXTERNAL) and source.path.suffix == ".swift"


def public_types(library: list[Source]) -> Iterator[tuple[str, str]]:
    """Yields the public types of the library with their places; a nested type has a qualified name."""
    for source in library:
        if source.module == PROGRAMS:
            continue
        around: list[tuple[int, str]] = []
        for number, line in enumerate(source.lines, 1):
            if (match := TYPE.match(line)) is None:
                continue
            indent, modifiers, keyword, name = len(match[1]), match[2], match[3], match[4]
            around = [each for each in around if each[0] < indent]
            name = ".".join([*(outer for _, outer in around), name])
            around.append((indent, match[4]))
            if keyword != "extension" and "public" in modifiers.split():
                yield name, f"{source.name}:{number}"


def uses(name: str) -> re.Pattern[str]:
    """Matches a use of a type: its name, and for a nested type also the name of the type around it."""
    outer, _, own = name.rpartition(".")
    return re.compile(rf"\b{outer.rpartition('.')[2]}\.{own}\b" if outer else rf"(?<![\w.]){own}\b")


def unused(library: list[Source], files: list[Source]) -> Iterator[str]:
    """Yields the public types that no external package uses."""
    code = "\n".join(line for source in files if is_external(source) for _, line, _ in source.code)
    for name, place in public_types(library):
        if not uses(name).search(code):
            yield f"{place}: {name}"
