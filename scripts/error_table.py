# SPDX-License-Identifier: MIT
"""The table of errors, docs/errors.toml: parses and checks it, and generates the page and the Swift tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import tomllib

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs/errors.toml"
PAGE = ROOT / "docs/errors.md"
SOURCES = ROOT / "Sources/TesseraEngine/Errors"
COMMAND = ROOT / "Sources/Programs/TesseraCommand"
REMEDIES = (
    "sign_in", "retry_later", "fix_request", "fix_configuration", "fix_storage", "cancelled", "report_bug",
)  # fmt: skip
START = """// SPDX-License-Identifier: MIT
// {}

// Generated from docs/errors.toml by scripts/check-errors --write.

"""


@dataclass(frozen=True)
class Code:
    """A row: a code with its meaning, causes and numbers."""

    code: str
    remedy: str
    means: str
    what: str
    do: str
    msal: list[int]
    command: str = ""
    swift: str = ""
    errors: list[str] = field(default_factory=list)
    suberrors: list[str] = field(default_factory=list)
    aadsts: list[str] = field(default_factory=list)
    msal_for: dict[str, list[int]] = field(default_factory=dict)

    @property
    def swift_name(self) -> str:
        """The name of the Swift constant."""
        return self.swift or camel(self.code)

    @property
    def numbers(self) -> list[tuple[int, str]]:
        """The AADSTS numbers, with their names."""
        return [(int(row.split(" ", 1)[0]), row.split(" ", 1)[1]) for row in self.aadsts]


@dataclass(frozen=True)
class Condition:
    """An internal error condition of MSAL for Apple, with the code here or the reason for its absence."""

    name: str
    number: int
    msal: list[int]
    code: str = ""
    why: str = ""


def camel(name: str) -> str:
    """Converts a name from snake case to camel case."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def read(text: str) -> tuple[list[Code], list[Condition]]:
    """Parses the table."""
    table = tomllib.loads(text)
    return (
        [Code(**row) for row in table["codes"]],
        [Condition(**row) for row in table["msal"]["conditions"]],
    )


def faults(codes: list[Code], conditions: list[Condition]) -> Iterator[str]:
    """Yields the errors of the table itself."""
    words: list[object] = []
    for code in codes:
        if code.remedy not in REMEDIES:
            yield f"{code.code} has the unknown remedy {code.remedy}"
        if not re.fullmatch(r"[a-z]+(_[a-z]+)*", code.code):
            yield f"{code.code} is not in snake case"
        if re.search(r"`|[a-z]_[a-z]", code.command) or len(code.command) > 90:
            yield f"the command text of {code.code} names a member, or has more than 90 characters"
        words += [code.code, *(f"error {each.lower()}" for each in code.errors)]
        words += [f"suberror {each.lower()}" for each in code.suberrors]
        words += [number for number, _ in code.numbers]
    yield from (f"{word} occurs twice" for word in sorted({str(w) for w in words if words.count(w) > 1}))
    names = {code.code for code in codes}
    for condition in conditions:
        if condition.code not in names and not condition.why:
            yield f"{condition.name} has neither a code nor a reason"


def swift_files(codes: list[Code], conditions: list[Condition]) -> dict[Path, str]:
    """Generates the Swift sources."""
    return {
        SOURCES / "ErrorCodes.swift": _constants(codes),
        SOURCES / "ErrorRemedies.swift": _remedies(codes),
        SOURCES / "ErrorNumbers.swift": _numbers(codes),
        SOURCES / "ServerErrorTable.swift": _words(codes),
        SOURCES / "MSALErrorNumbers.swift": _msal(codes),
        SOURCES / "BrokerErrorTable.swift": _conditions(codes, conditions),
        COMMAND / "NextSteps.swift": _steps(codes),
    }


def _constants(codes: list[Code]) -> str:
    lines = ["extension TesseraError.Code {"]
    for remedy in REMEDIES:
        lines.append(f"  // Remedy: {remedy.replace('_', ' ')}.\n")
        for code in (each for each in codes if each.remedy == remedy):
            lines.append("\n".join(f"  /// {line}".rstrip() for line in code.means.splitlines()))
            lines.append(f'  public static let {code.swift_name} = Self("{code.code}")')
        lines.append("")
    lines.pop()
    head = START.format("The error codes.")
    return _joined(head, *lines, "}")


def _remedies(codes: list[Code]) -> str:
    return _joined(
        START.format("The default remedy of each error code."),
        "extension TesseraError.Code {",
        "  /// The default remedies, by code.",
        "  package static let remedies: [TesseraError.Code: TesseraError.Remedy] = [",
        *(f"    .{code.swift_name}: .{camel(code.remedy)}," for code in codes),
        "  ]",
        "}",
    )


def _numbers(codes: list[Code]) -> str:
    rows = sorted((number, code.swift_name) for code in codes for number, _ in code.numbers)
    return _joined(
        START.format("The AADSTS numbers of Entra that are more specific than `error`."),
        "extension ServerErrorTable {",
        "  /// The codes by number in `error_codes`.",
        "  ///",
        "  /// For other numbers, `error` and `suberror` decide.",
        "  static let numbers: [Int64: TesseraError.Code] = [",
        *(f"    {number}: .{name}," for number, name in rows),
        "  ]",
        "}",
    )


def _words(codes: list[Code]) -> str:
    head = START.format("The error codes by `error` and `suberror` of a server.")
    lines = ["/// The values of servers: RFC 6749, RFC 8628, OpenID Connect, Entra.", "enum ServerErrorTable {"]
    for title, name in (("error", "errors"), ("suberror", "suberrors")):
        rows = sorted((word.lower(), code.swift_name) for code in codes for word in getattr(code, name))
        lines.append(f"  /// The codes by `{title}`, in lower case.")
        lines.append(f"  static let {name}: [String: TesseraError.Code] = [")
        lines += [f'    "{word}": .{swift},' for word, swift in rows] + ["  ]", ""]
    return _joined(head, *lines[:-1], "}")


def _msal(codes: list[Code]) -> str:
    def value(numbers: list[int]) -> str:
        return f"MSALErrorNumbers({', '.join(map(str, numbers))})"

    rows = [f"    .{code.swift_name}: {value(code.msal)}," for code in codes if code.msal]
    special = [
        f'    "{code.code} {word}": {value(numbers)},'
        for code in codes
        for word, numbers in code.msal_for.items()
    ]
    return _joined(
        START.format("The error numbers of MSAL for Apple for the same errors."),
        "extension MSALErrorNumbers {",
        "  /// The numbers by code.\n  ///\n  /// A code without numbers belongs to another error domain in MSAL.",
        "  static let codes: [TesseraError.Code: MSALErrorNumbers] = [", *rows, "  ]", "",
        "  /// The numbers by code and `error` or `suberror`, for codes with different numbers.",
        "  static let errorNames: [String: MSALErrorNumbers] = [", *special, "  ]", "}",
    )  # fmt: skip


def _conditions(codes: list[Code], conditions: list[Condition]) -> str:
    names = {code.code: code.swift_name for code in codes}
    return _joined(
        START.format("The internal error numbers of MSAL for Apple, which brokers report."),
        "/// The error codes of brokers.",
        "package enum BrokerErrorTable {",
        "  /// The codes by number in `MSIDErrorDomain`.\n  ///\n  /// Other numbers have no code of their own.",
        "  package static let codes: [Int64: TesseraError.Code] = [",
        *(f"    {row.number}: .{names[row.code]}," for row in conditions if row.code),
        "  ]",
        "}",
    )


def _steps(codes: list[Code]) -> str:
    return _joined(
        START.format("The next steps of a user of the command line, for errors that need their own."),
        "import Tessera",
        "",
        "/// The next step of a user of the command line after an error.",
        "enum NextSteps {",
        "  /// The texts by code.",
        "  static let codes: [TesseraError.Code: String] = [",
        *(_step(code) for code in codes if code.command),
        "  ]",
        "}",
    )


def _step(code: Code) -> str:
    text = '"' + code.command.replace('"', '\\"') + '",'
    line = f"    .{code.swift_name}: {text}"
    return line if len(line) <= 100 else f"    .{code.swift_name}:\n      {text}"


def _joined(head: str, *lines: str) -> str:
    return head + "\n".join(lines) + "\n"


def page(text: str, codes: list[Code], conditions: list[Condition]) -> str:
    """Returns the page with new tables."""
    for name, lines in (
        ("codes", list(_code_tables(codes))),
        ("words", list(_word_table(codes))),
        ("numbers", list(_number_table(codes))),
        ("msal", list(_condition_table(codes, conditions))),
    ):
        before, mark, rest = text.partition(f"<!-- made from errors.toml: {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not end:
            raise ValueError(f"{PAGE} has no markers for the table {name}")
        text = "\n".join([before + mark, *lines, "", end + after])
    return text


def _code_tables(codes: list[Code]) -> Iterator[str]:
    for remedy in REMEDIES:
        yield f"{'' if remedy == REMEDIES[0] else chr(10)}### {remedy}\n"
        yield "| code | what happened | what to do | MSAL |\n|---|---|---|---|"
        for code in (each for each in codes if each.remedy == remedy):
            yield f"| `{code.code}` | {code.what} | {code.do} | {_msal_text(code)} |"


def _msal_text(code: Code) -> str:
    texts = [", ".join(map(str, code.msal)) or "–"]
    for word, numbers in code.msal_for.items():
        texts.append(f"{numbers[-1]} for {f'`{word}`' if word else 'a response without either'}")
    return "; ".join(texts)


def _word_table(codes: list[Code]) -> Iterator[str]:
    yield "| remedy | code | `error` | `suberror` |\n|---|---|---|---|"
    for code in codes:
        if code.errors or code.suberrors:
            words = (", ".join(f"`{word}`" for word in each) or "–" for each in (code.errors, code.suberrors))
            yield f"| `{code.remedy}` | `{code.code}` | {' | '.join(words)} |"


def _number_table(codes: list[Code]) -> Iterator[str]:
    yield "| AADSTS | Entra's name | code |\n|---|---|---|"
    for number, name, here in sorted((*row, code.code) for code in codes for row in code.numbers):
        yield f"| {number} | {name} | `{here}` |"


def _condition_table(codes: list[Code], conditions: list[Condition]) -> Iterator[str]:
    remedies = {code.code: code.remedy for code in codes}
    yield "| condition of MSAL | number | an application sees | code here | remedy |\n|---|---|---|---|---|"
    for row in conditions:
        numbers = ", ".join(map(str, row.msal))
        here = f"`{row.code}` | `{remedies[row.code]}`" if row.code else f"none: {row.why} | –"
        yield f"| `{row.name}` | {row.number} | {numbers} | {here} |"
