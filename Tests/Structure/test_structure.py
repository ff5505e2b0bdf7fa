# SPDX-License-Identifier: MIT
"""Tests of the measures of the structure: the graph of the folders, and the named exceptions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import bindings
import budgets
import declarations
import folders
import measures
import public_types
import sources
import ways
from budgets import Counted
from folders import Graph, Module
from sources import Source

LOW = "struct LowValue {\n  let knownNumber = 1\n}\n"
HIGH = "struct HighValue {\n  let value: LowValue\n}\n"
EXTENSION = "extension LowValue {\n  var highNumber: Int { 2 }\n}\n"


def module(root: Path, texts: dict[str, str]) -> Module:
    """Writes the files of a module."""
    for name, text in texts.items():
        path = root / "Sources/Example" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folders.modules([Source(path) for path in sorted(root.rglob("*.swift"))])[0]


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Replaces the repository by an empty directory."""
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    return tmp_path


def graph(root: Path, texts: dict[str, str]) -> Graph:
    """Returns the graph of a module with these files."""
    example = module(root, texts)
    return folders.graph(example, folders.unique_names(example.files))


def test_uses_in_one_direction_are_no_cycle(root: Path) -> None:
    """A folder may use a lower one."""
    found = graph(root, {"Low/Low.swift": LOW, "High/High.swift": HIGH})
    assert folders.cycles(found) == []
    assert folders.levels(found) == {"Low": 1, "High": 2}


@pytest.mark.parametrize(
    "line",
    ["let upward: HighValue", "func f(_ value: LowValue) -> Int { value.highNumber }", "let value = makeHigh()"],
)
def test_type_member_and_function_of_a_higher_folder_are_a_cycle(root: Path, line: str) -> None:
    """Types, members of extensions and functions count as uses."""
    function = "func makeHigh() -> Int { 3 }\n"
    high = {"High/High.swift": HIGH, "High/LowValue+High.swift": EXTENSION, "High/Function.swift": function}
    found = graph(root, {"Low/Low.swift": LOW, "Low/User.swift": f"struct User {{\n  {line}\n}}\n", **high})
    assert folders.cycles(found) == [["High", "Low"]]
    assert any("Low/User.swift:2" in place for place in folders.places(found))


def test_comments_and_strings_are_not_uses(root: Path) -> None:
    """Names in comments and strings do not count."""
    low = LOW + '// HighValue\nlet text = "HighValue"\n'
    assert folders.cycles(graph(root, {"Low/Low.swift": low, "High/High.swift": HIGH})) == []


def test_loose_files_are_a_folder(root: Path) -> None:
    """The files of the module itself have the folder `.`."""
    low = LOW + "struct Other { let top: TopValue }\n"
    found = graph(root, {"Low/Low.swift": low, "Top.swift": "struct TopValue { let low: LowValue }\n"})
    assert folders.cycles(found) == [[".", "Low"]]


def test_a_folder_above_a_cycle_has_a_higher_level() -> None:
    """The folders of a cycle have the same level, also if a folder above them has a lower name."""
    found: Graph = {"Above": {"Middle": []}, "Middle": {"Other": []}, "Other": {"Middle": []}}
    assert folders.levels(found) == {"Middle": 1, "Other": 1, "Above": 2}
    assert folders.cycles(found) == [["Middle", "Other"]]


def test_lines_of_a_type_include_its_extensions(root: Path) -> None:
    """Extensions in other files belong to the type."""
    example = module(root, {"Low/Low.swift": LOW, "High/LowValue+High.swift": EXTENSION})
    assert {each.name: each.number for each in declarations.lines_of_types([example])} == {"Example.LowValue": 6}


def test_parameters_of_functions_and_initializers_are_counted(root: Path) -> None:
    """Generic parameters do not count, labels in function types do not either."""
    text = """struct Value {
  init(a: Int, b: [String: Int], _ c: (Int, Int) -> Int) {
  }
  func generic<Other: Sendable>(_ a: Other, b: Int = 1) -> Result<Int, Never> {
  }
}
"""
    found = declarations.parameters_of_swift([module(root, {"Value.swift": text})])
    assert {each.name: each.number for each in found} == {"Example.Value.init": 3, "Example.Value.generic": 2}


def test_parameters_in_python_are_counted_without_self(root: Path) -> None:
    """An options type is one parameter."""
    path = root / "example.py"
    path.write_text("class Value:\n    def change(self, a, b=1, *, c, **options):\n        pass\n")
    found = declarations.parameters_of_python([Source(path)])
    assert [(each.name, each.number) for each in found] == [("example.py:Value:change", 4)]


def test_exceptions_only_fall() -> None:
    """A number above its budget is a fault, and so is a budget that is too high or not needed."""
    exceptions = {("lines", "A"): 500, ("lines", "B"): 500, ("lines", "C"): 500, ("lines", "D"): 500}
    counted = [Counted("A", 501, "a"), Counted("B", 500, "b"), Counted("C", 499, "c"), Counted("D", 400, "d")]
    found = list(budgets.faults("lines", 400, counted, exceptions))
    assert [fault.split(": ")[1] for fault in found] == ["A", "C", "D"]
    assert budgets.lowered("lines", 400, counted, exceptions) == {
        ("lines", "A"): 500, ("lines", "B"): 500, ("lines", "C"): 499,
    }  # fmt: skip


def test_lists_of_traced_files_allow_few_differences() -> None:
    """A generated list agrees with its trace; more differences than the slack are a fault, and so is no list."""
    entered = {"hit": {"TesseraC/Tokens.swift", "TesseraWire/Text/Time.swift"}}
    text = ways.page("before\n<!-- made from a trace: hit -->\n<!-- end -->\nafter\n", entered)
    assert "| `TesseraWire/Text` | `Time.swift` |" in text
    assert list(ways.faults(text, entered, 0)) == []
    other = {"hit": {"TesseraC/Tokens.swift", "TesseraWire/Text/Bytes.swift"}}
    assert list(ways.faults(text, other, 2)) == []
    assert [fault.split(": ")[1:3] for fault in ways.faults(text, other, 1)] == [
        ["hit", "TesseraWire/Text/Bytes.swift, TesseraWire/Text/Time.swift"]
    ]
    assert len(list(ways.faults("", entered, 1))) == 1


PUBLIC = """public struct Report {
  public enum Kind { case small }
  public struct Item {
    public enum Kind { case new }
  }
  enum Hidden { case here }
}
package struct Internal {}
extension Report {
  public enum Format { case json }
}
@dynamicMemberLookup
public final class Session {}
"""
USE = """import Tessera
let report: Report = Report.make()
let kinds = (Report.Kind.small, Report.Item.Kind.new)
let item: Report.Item = report.item
let format = Report.Format.json, session = Session()
"""


def unused(root: Path, use: str, folder: str = "Tests/External") -> list[str]:
    """Returns the public types that a program in a folder does not use."""
    library = module(root, {"Report.swift": PUBLIC}).files
    program = root / folder / "main.swift"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(use)
    return [fault.split(": ")[1] for fault in public_types.unused(library, [*library, Source(program)])]


def test_public_types_used_by_an_external_package_are_no_fault(root: Path) -> None:
    """All public types count, also nested ones and those in extensions."""
    assert unused(root, USE) == []
    assert unused(root, USE, "examples/swift/Sources") == []
    types = ["Report", "Report.Kind", "Report.Item", "Report.Item.Kind", "Report.Format", "Session"]
    assert unused(root, "import Tessera\n") == types
    # The tests of Tessera are not an external package.
    assert unused(root, USE, "Tests/ExampleTests") == types


@pytest.mark.parametrize(
    ("line", "replacement", "missing"),
    [
        ("Session()", "SessionList()", "Session"),
        ("Report.Item.Kind.new", "Item.new", "Report.Item.Kind"),
        ("Report.Kind.small", "Kind.small", "Report.Kind"),
        ("Report.Format.json", '"Report.Format"', "Report.Format"),
        (": Report = Report.make()", " = make() // Report", "Report"),
    ],
)
def test_public_type_without_a_use_is_a_fault(
    root: Path, line: str, replacement: str, missing: str
) -> None:
    """Other types with the same last name, comments and strings are not uses."""
    use = USE.replace(line, replacement)
    if missing == "Report":
        use = use.replace("Report.", "Other.")
    assert missing in unused(root, use)


def test_external_packages_import_public_products_only(root: Path) -> None:
    """Internal modules and testable imports are faults in an external package."""
    program = root / "Tests/External/main.swift"
    program.parent.mkdir(parents=True)
    program.write_text("import Tessera\nimport TesseraTesting\n@testable import Tessera\nimport TesseraEngine\n")
    found = [fault.split(":")[1] for fault in measures.imports_of_programs([Source(program)])]
    assert found == ["3", "4"]


@pytest.mark.parametrize(
    ("name", "text", "number"),
    [
        ("a.c", "/**\n * text\n */\nint a; /* b */\n\n  // c\n#define D 1\n", 2),
        ("a.rb", "# a\n\ndef b = 1 # c\n", 1),
    ],
)
def test_comments_and_blank_lines_are_no_code(name: str, text: str, number: int) -> None:
    """A line with code and a comment counts."""
    assert bindings.lines_of_code(Path(name), text) == number


@pytest.mark.parametrize(
    "name", ["node/methods.js", "node/tessera.h", "node/tests/a.mjs", "node/azure.js", "node/index.d.ts"]
)
def test_other_lines_of_a_binding_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Generated files, copies, tests, adapters and declarations of types are left out."""
    monkeypatch.setattr(bindings, "ROOT", tmp_path)
    generated = "// Generated from include/tessera.h.\n" if name.endswith("methods.js") else ""
    for path, head in ((name, generated), ("node/index.js", "")):
        (tmp_path / "bindings" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "bindings" / path).write_text(f"{head}a\n")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    assert [each.name for each in bindings.files("node")] == ["index.js"]
