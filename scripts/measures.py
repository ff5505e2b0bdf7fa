# SPDX-License-Identifier: MIT
"""Measures of the code with their limits, and the places that exceed them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import bindings
import budgets
import folders
import public_types
from budgets import Budgets, Counted
from declarations import lines_of_types, parameters_of_python, parameters_of_swift
from sources import ALLOWED, PROGRAMS, PURE, Source

MEMBER = r'"[a-z0-9]+(?:_[a-z0-9]+)+"'
# Access to a JSON member by its name.
NAMED_MEMBER = re.compile(rf"\[{MEMBER}\]|\b(?:append|add|text|string|integer)\({MEMBER}")
# The folders where names of members are allowed: messages, records, documents, errors, and requests of C
# programs. They are also allowed in the JSON form of a type, in a file of its own.
MESSAGES = (
    "TesseraWire", "TesseraCache/Records", "TesseraApple", "TesseraBroker/Messages", "TesseraLegacy/Formats",
    "TesseraMSALFile/Unified", "TesseraMSALFile/Documents", "TesseraEngine/Errors", "TesseraC", PROGRAMS,
)  # fmt: skip
TRAPS = re.compile(
    r"\btry!|\bfatalError\(|\bprecondition(?:Failure)?\(|\bas!|(?<!\.)\bassert(?:ionFailure)?\(|\bAny\b|[\w)\]]!(?!=)"
)
SYSTEM_ACCESS = re.compile(r"\bDate\(\)|\bgetenv\(|\bProcessInfo\b|\bDate\.now\b|\bFileManager\b")
CONDITION = re.compile(r"^\s*#(?:if|elseif) (?:os|canImport|arch)")
IMPORT = re.compile(r"\s*(?:\w+ )?import ")
# The modules of Tessera that a Swift program imports.
PRODUCTS = ("Tessera", "TesseraTesting")
CLASS = re.compile(r"\bclass\s+(?:[A-Z]\w*)")
# The limits whose named exceptions are in scripts/structure-budgets.tsv.
LINES_OF_A_TYPE = 400
PARAMETERS_IN_SWIFT = 6
PARAMETERS_IN_PYTHON = 8
# The packages of the Python binding, with the limits of their modules and of the levels of these modules.
PACKAGES = {
    "bindings/python/src/tessera_identity": (24, 6),
    "bindings/python/src/tessera_identity/azure": (4, 2),
}
PUBLIC = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*public\s+(?:static |final |mutating |indirect )*"
    r"(?:func|var|let|struct|class|enum|protocol|init|typealias|subscript|actor)\b"
)


@dataclass(frozen=True)
class Measure:
    """A number, its limit, and the places that exceed it."""

    name: str
    found: float
    limit: float
    places: list[str]


def largest(name: str, limit: int, numbers: list[tuple[int, str]]) -> Measure:
    """Returns the largest of some numbers; each comes with its place."""
    exceeding = [f"{place}: {number}, at most {limit}" for number, place in numbers if number > limit]
    return Measure(name, max((number for number, _ in numbers), default=0), limit, exceeding)


def none(name: str, places: Iterator[str]) -> Measure:
    """Returns a measure with the limit 0."""
    found = list(places)
    return Measure(name, len(found), 0, found)


def lines_with(
    files: list[Source], pattern: re.Pattern[str], applies: Callable[[Source], bool]
) -> Iterator[str]:
    """Yields the lines of code that match a pattern, in the files to which a rule applies."""
    for source in files:
        if applies(source):
            for number, code, line in source.code:
                if pattern.search(code):
                    yield f"{source.name}:{number}: {line.strip()}"


def in_messages(source: Source) -> bool:
    """Whether names of members are allowed in a file."""
    folder = source.name.removeprefix("Sources/")
    return folder.endswith("+JSON.swift") or any(folder.startswith(f"{module}/") for module in MESSAGES)


def named_members(library: list[Source]) -> Iterator[str]:
    """Yields members that are accessed by name outside of messages."""
    for source in library:
        if source.module == "TesseraTesting" or in_messages(source):
            continue
        for number, line in enumerate(source.lines, 1):
            if NAMED_MEMBER.search(line.split("//")[0]):
                yield f"{source.name}:{number}: {line.strip()}"


def conditions(library: list[Source]) -> Iterator[str]:
    """Yields conditional compilation below the platform module, except around an import."""
    for source in library:
        if source.module not in PURE:
            continue
        for number, line in enumerate(source.lines):
            imports = IMPORT.match("".join(source.lines[number + 1 : number + 2]))
            if CONDITION.match(line) and not imports and not ALLOWED.search(line):
                yield f"{source.name}:{number + 1}: {line.strip()}"


def classes(library: list[Source]) -> Iterator[str]:
    """Yields classes that are not final, and classes in modules of pure values, except a cipher with its key."""
    for source in library:
        for number, code, line in source.code:
            if not CLASS.search(code):
                continue
            is_value = source.module in ("TesseraWire", "TesseraCache") and "Cipher" not in source.name
            if "final class" not in code or is_value:
                yield f"{source.name}:{number}: {line.strip()}"


def undocumented_swift(library: list[Source]) -> Iterator[str]:
    """Yields public Swift declarations without a documentation comment."""
    for source in library:
        for number, line in enumerate(source.lines):
            if not PUBLIC.match(line) or source.module == PROGRAMS:
                continue
            above = number - 1
            while above >= 0 and source.lines[above].lstrip().startswith("@"):
                above -= 1
            # Exported functions are documented in the header.
            exported = "@_cdecl" in "".join(source.lines[above + 1 : number])
            if not exported and not source.lines[above].lstrip().startswith("///"):
                yield f"{source.name}:{number + 1}: {line.strip()}"


def undocumented_c(headers: list[Source]) -> Iterator[str]:
    """Yields functions and types of the header without a documentation comment."""
    for source in headers:
        for number, line in enumerate(source.lines):
            declares = re.match(r"(?:TESSERA_\w+ )?\w[\w *]*\btessera_\w+\(|typedef ", line)
            # The attributes of a function are on a line of their own.
            above = number - 2 if source.lines[number - 1].startswith("TESSERA_API") else number - 1
            if declares and not re.search(r"\*/\s*$", source.lines[above]):
                yield f"{source.name}:{number + 1}: {line.strip()}"


def undocumented_python(modules: list[Source]) -> Iterator[str]:
    """Yields public Python declarations without a docstring."""
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


def imported(modules: dict[str, Source]) -> dict[str, set[str]]:
    """Returns the modules of a package that each one imports, also in functions and for type checkers."""
    found: dict[str, set[str]] = {name: set() for name in modules}
    for name, source in modules.items():
        for node in ast.walk(ast.parse("\n".join(source.lines))):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                names = [node.module] if node.module else [each.name for each in node.names]
                found[name].update(each for each in names if each in modules)
    return found


def levels(imports: dict[str, set[str]]) -> tuple[int, list[str]]:
    """Returns the number of levels, on which a module imports only from lower ones, and the modules in cycles."""
    left, count = dict(imports), 0
    while lowest := {name for name, used in left.items() if not used & set(left)}:
        left = {name: used for name, used in left.items() if name not in lowest}
        count += 1
    return count, sorted(left)


def of_packages(files: list[Source]) -> Iterator[Measure]:
    """Measures the modules of the Python packages and their imports."""
    for package, (most_modules, most_levels) in PACKAGES.items():
        modules = {
            source.path.stem: source for source in files
            if source.name.rpartition("/")[0] == package and source.path.suffix == ".py"
        }  # fmt: skip
        name = package.rpartition("/")[2]
        count, cycle = levels(imported(modules))
        yield largest(f"modules of {name}", most_modules, [(len(modules), package)])
        yield largest(f"levels of modules of {name}", most_levels, [(count, package)])
        # Modules above a cycle are also left over.
        yield none(f"modules in import cycles of {name}", iter(cycle))


def of_sizes(files: list[Source]) -> Iterator[Measure]:
    """Measures the lines of functions."""
    functions = [
        (source, each) for source in files if source.path.suffix == ".swift"
        for each in source.functions
    ]  # fmt: skip
    numbers = [(each.length, f"{source.name}:{each.line}") for source, each in functions]
    yield largest("lines of a function", 40, numbers)


def counted(files: list[Source]) -> Iterator[tuple[str, int, list[Counted]]]:
    """Yields the measures with named exceptions: the name, the limit and the numbers."""
    modules = folders.modules(files)
    yield "lines of a type", LINES_OF_A_TYPE, lines_of_types(modules)
    yield "parameters in Swift", PARAMETERS_IN_SWIFT, list(parameters_of_swift(modules))
    yield "parameters in Python", PARAMETERS_IN_PYTHON, list(parameters_of_python(files))
    yield "lines of a binding", bindings.LIMIT, bindings.counted()


def of_declarations(files: list[Source]) -> Iterator[Measure]:
    """Measures the lines of types and the parameters of functions, apart from the named exceptions."""
    exceptions = budgets.read()
    for name, limit, numbers in counted(files):
        yield none(f"{name} above {limit} or the budget", budgets.faults(name, limit, numbers, exceptions))


def of_bindings() -> Iterator[Measure]:
    """Measures the hand-written lines of each binding."""
    exceptions = budgets.read()
    for each in bindings.counted():
        limit = max(bindings.LIMIT, exceptions.get(("lines of a binding", each.name), 0))
        yield largest(f"lines of {each.place}", limit, [(each.number, each.place)])


def lowered_budgets(exceptions: Budgets, files: list[Source]) -> Budgets:
    """Returns the named exceptions, lowered to the present numbers; those of other measures are kept."""
    found = dict(exceptions)
    for name, limit, numbers in counted(files):
        found = {key: number for key, number in found.items() if key[0] != name}
        found |= budgets.lowered(name, limit, numbers, exceptions)
    return found


def of_folders(files: list[Source]) -> Iterator[Measure]:
    """Measures the folders of each module that use each other, directly or through other folders."""
    unique = folders.unique_names([s for s in files if s.module and s.path.suffix == ".swift"])
    for module in folders.modules(files):
        graph = folders.graph(module, unique)
        number = sum(len(group) for group in folders.cycles(graph))
        yield Measure(f"folders in cycles of {module.name}", number, 0, list(folders.places(graph)))


def imports_of_programs(files: list[Source]) -> Iterator[str]:
    """Yields imports of the programs and of external packages that are not a public product of Tessera."""
    for source in files:
        for number, line in enumerate(source.lines, 1):
            found = re.match(r"\s*(@\w+(?:\([^)]*\))?\s+)?(?:(\w+)\s+)?import\s+(\w+)", line)
            if not (source.module == PROGRAMS or public_types.is_external(source)) or not found:
                continue
            attribute, access, module = found.groups()
            internal = module.startswith(("Tessera", "CTessera")) and module not in PRODUCTS
            if attribute or access == "package" or internal:
                yield f"{source.name}:{number}: {line.strip()}"


def of_constructs(library: list[Source]) -> Iterator[Measure]:
    """Measures the use of restricted constructs in the library."""
    hosted = [source for source in library if source.module != PROGRAMS]
    yield none("possible traps in the library", lines_with(hosted, TRAPS, lambda _: True))
    pure = [source for source in library if source.module in PURE]
    yield none("system access below the platform module", lines_with(pure, SYSTEM_ACCESS, lambda _: True))
    # An indented import is inside #if, for platforms without a smaller module.
    foundation = re.compile(r"^(?:\w+\s+)?import Foundation\s*$")
    yield none("imports of all of Foundation", lines_with(hosted, foundation, lambda _: True))
    yield none("conditions on systems below the platform", conditions(library))
    yield none("classes that are not final, or values", classes(library))
    yield none("member names outside of messages", named_members(hosted))


def of_external_packages(files: list[Source], library: list[Source]) -> Iterator[Measure]:
    """Measures the use of the public interface by programs and external packages."""
    yield none("imports of the programs that are not public", imports_of_programs(files))
    yield none("public types without an external test", public_types.unused(library, files))


def of_documentation(files: list[Source]) -> Iterator[Measure]:
    """Measures public declarations without documentation."""
    library = [source for source in files if source.module and source.path.suffix == ".swift"]
    yield none("undocumented declarations in Swift", undocumented_swift(library))
    headers = [source for source in files if source.name == "include/tessera.h"]
    yield none("undocumented declarations in C", undocumented_c(headers))
    package = "bindings/python/src/tessera_identity"
    modules = [s for s in files if s.name.startswith(package) and s.path.suffix == ".py"]
    yield none("undocumented declarations in Python", undocumented_python(modules))


def measures(files: list[Source]) -> Iterator[Measure]:
    """Yields all measures."""
    library = [source for source in files if source.module and source.path.suffix == ".swift"]
    yield from of_sizes(files)
    yield from of_declarations(files)
    yield from of_folders(files)
    yield from of_constructs(library)
    yield from of_external_packages(files, library)
    yield from of_packages(files)
    yield from of_bindings()
    yield from of_documentation(files)
