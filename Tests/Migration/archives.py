# SPDX-License-Identifier: MIT
"""Checks archives with Python's own reader of property lists: they must equal those of Apple's archiver.

usage: archives.py FOLDER   (the folder in TESSERA_ARCHIVES during the tests of TesseraCache)

`Tests/Migration/run archives` does both.
"""

from __future__ import annotations

import plistlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CONTAINERS = ("NSDictionary", "NSMutableDictionary")


def places(value: Any) -> Iterator[int]:
    """Yields the references in a value."""
    if isinstance(value, plistlib.UID):
        yield value.data
    elif isinstance(value, dict):
        for inner in value.values():
            yield from places(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from places(inner)


def class_name(objects: list[Any], each: dict[str, Any]) -> str | None:
    """Returns the class of an object; None if its record is not an object."""
    place = each.get("$class")
    record = objects[place.data] if isinstance(place, plistlib.UID) else None
    if not isinstance(record, dict) or record["$classes"][0] != record["$classname"]:
        return None
    return str(record["$classname"]) if record["$classes"][-1] == "NSObject" else None


def faults(data: bytes) -> Iterator[str]:
    """Yields the differences from an archive of Apple's archiver."""
    archive = plistlib.loads(data, fmt=plistlib.FMT_BINARY)
    objects = archive["$objects"]
    if set(archive) != {"$version", "$archiver", "$top", "$objects"} or objects[0] != "$null":
        yield "not a keyed archive"
    if archive["$version"] != 100000 or archive["$archiver"] != "NSKeyedArchiver":
        yield "of another archiver"
    open_places, reached = list(places(archive["$top"])), {0}
    while open_places:
        place = open_places.pop()
        if place not in reached:
            reached.add(place)
            open_places.extend(places(objects[place]))
    if len(reached) != len(objects):
        yield f"{len(objects) - len(reached)} objects that nothing names"
    for place, each in enumerate(objects):
        if not isinstance(each, dict) or "$classname" in each:
            continue
        name = class_name(objects, each)
        if name is None:
            yield f"object {place} has no class"
        if name in CONTAINERS and len(each["NS.keys"]) != len(each["NS.objects"]):
            yield f"dictionary {place} lacks keys or values"
        if name == "NSDate" and not isinstance(each["NS.time"], float):
            yield f"date {place} is no number with a fraction"


def check(paths: list[Path]) -> list[str]:
    """Returns the errors in archives with the file names."""
    return [f"{path.name}: {fault}" for path in paths for fault in faults(path.read_bytes())]


def rewritten(data: bytes) -> bytes:
    """Returns the archive that Python writes for the contents."""
    return plistlib.dumps(plistlib.loads(data), fmt=plistlib.FMT_BINARY, sort_keys=False)


def main() -> int:
    """Checks every file of a folder."""
    paths = sorted(Path(sys.argv[1]).iterdir())
    found = check(paths)
    print(*found, f"archives: {len(paths)} read, {len(found)} faults", sep="\n")
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
