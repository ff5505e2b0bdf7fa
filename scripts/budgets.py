# SPDX-License-Identifier: MIT
"""The named exceptions from limits of the structure, with the number that each one may have at most.

The numbers only fall: an entry above the present number must be lowered, and one within the limit removed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sources import ROOT

BUDGETS = ROOT / "scripts/structure-budgets.tsv"
HEAD = "# measure, name, budget; a budget may only fall (scripts/check-structure --lower)"

Budgets = dict[tuple[str, str], int]


@dataclass(frozen=True)
class Counted:
    """The present number of a named declaration, and its place."""

    name: str
    number: int
    place: str


def read() -> Budgets:
    """Reads the exceptions."""
    rows = [line.split("\t") for line in BUDGETS.read_text().splitlines() if not line.startswith("#")]
    return {(measure, name): int(number) for measure, name, number in rows}


def write(budgets: Budgets) -> None:
    """Writes the exceptions, one row for each measure and name."""
    rows = [f"{measure}\t{name}\t{number}" for (measure, name), number in sorted(budgets.items())]
    BUDGETS.write_text("\n".join([HEAD, *rows]) + "\n")


def largest(counted: list[Counted]) -> dict[str, Counted]:
    """Returns the largest number of each name, because declarations can have the same name."""
    found: dict[str, Counted] = {}
    for each in counted:
        if each.name not in found or each.number > found[each.name].number:
            found[each.name] = each
    return found


def faults(
    measure: str, limit: int, counted: list[Counted], budgets: Budgets, slack: int = 0
) -> Iterator[str]:
    """Yields the numbers above their limit or budget, and the budgets that are too high by more than a slack."""
    found = largest(counted)
    for name, each in sorted(found.items()):
        allowed = max(limit, budgets.get((measure, name), 0))
        if each.number > allowed:
            yield f"{each.place}: {name}: {each.number}, at most {allowed}"
    for (_, name), budget in sorted(item for item in budgets.items() if item[0][0] == measure):
        number = found[name].number if name in found else 0
        if number <= limit:
            yield f"{BUDGETS.name}: {name}: {number} is within the limit {limit}: remove the entry (--lower)"
        elif number < budget - slack:
            yield f"{BUDGETS.name}: {name}: {number} is less than the budget {budget}: lower the entry (--lower)"


def lowered(measure: str, limit: int, counted: list[Counted], budgets: Budgets) -> Budgets:
    """Returns the exceptions of a measure, lowered to the present numbers."""
    found = largest(counted)
    kept = {
        name: min(budget, found[name].number)
        for (kind, name), budget in budgets.items() if kind == measure and name in found
    }  # fmt: skip
    return {(measure, name): number for name, number in kept.items() if number > limit}
