# SPDX-License-Identifier: MIT
"""The functions of include/tessera.h that the bindings call, and their table for C (functions.h)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from document_table import Documents

HEAD = "Generated from include/tessera.h by scripts/check-documents --write."
# A prototype: its result, its name and its parameters.
PROTOTYPE = re.compile(r"^TESSERA_API (?:TESSERA_WARN_UNUSED\s)?(\w+ \*?)(tessera_\w+)\(([^)]*)\);", re.MULTILINE)
CALLBACK = re.compile(r"^typedef (\w+) \(\*tessera_(log|store_key|transport)_callback\)\(([^)]*)\);", re.MULTILINE)
# Functions of callbacks that the bindings do not have, of another platform, and for programs without JSON.
UNBOUND = (
    "tessera_browser", "tessera_contents", "tessera_document", "tessera_sso", "tessera_string_quote",
    "tessera_version", "tessera_application_store", "tessera_application_get_access_token",
)  # fmt: skip


@dataclass(frozen=True)
class Function:
    """A function of the C interface."""

    name: str
    result: str
    parameters: list[str]
    """Type and name of each parameter."""
    is_request_optional: bool

    @property
    def names(self) -> list[str]:
        """The names of the parameters."""
        return [re.findall(r"\w+", each)[-1] for each in self.parameters]

    @property
    def action(self) -> str:
        """The name without the object, such as `get_accounts`."""
        return re.sub(r"tessera_(?:application|call_group|library|token)_", "", self.name)

    @property
    def is_start(self) -> bool:
        """Whether the function starts a call of a group."""
        return "call" in self.names and "response" in self.names

    @property
    def is_call(self) -> bool:
        """Whether the function returns the response of a request."""
        has_response = self.result.strip() == "tessera_status" and self.names[-1:] == ["response"]
        return has_response and not self.is_start and "_create" not in self.name

    @property
    def number(self) -> str:
        """The name of its number."""
        return f"{'START' if self.is_start else 'CALL'}_{self.action.upper()}"


def read(header: str) -> list[Function]:
    """Returns the functions that bindings call. The calls of a group return prompts as events."""
    return [
        Function(
            name, result, _parameters(parameters),
            f"{name}(\n    tessera_application *application, const char *TESSERA_NULLABLE request" in header
        )
        for result, name, parameters in PROTOTYPE.findall(header.replace("TESSERA_NULLABLE ", ""))
        if not name.startswith(UNBOUND) and "_callback" not in parameters
    ]  # fmt: skip


def callbacks(header: str) -> list[Function]:
    """Returns the callbacks that bindings have."""
    return [
        Function(name, result, _parameters(parameters), False)
        for result, name, parameters in CALLBACK.findall(header)
    ]


def _parameters(text: str) -> list[str]:
    return [] if text == "void" else [" ".join(each.split()) for each in text.split(",")]


def without_blocking_forms(functions: list[Function]) -> list[Function]:
    """Returns the functions without those that calls of a group replace."""
    started = {each.action for each in functions if each.is_start}
    return [each for each in functions if each.is_start or each.action not in started]


@dataclass(frozen=True)
class Method:
    """A method of an application that passes a request to a function."""

    function: Function
    request: str
    result: str
    effect: str

    @property
    def form(self) -> str:
        """The parameters: `call` for the request, `start` for a call of a group, or more: `data` or `from`."""
        if self.function.is_start:
            return "start"
        return next((name for name in ("from", "data") if name in self.function.names), "call")


def methods(documents: Documents, functions: list[Function]) -> list[Method]:
    """Returns the methods of the functions whose request or result has an effect."""
    found = []
    for function in without_blocking_forms(functions):
        described = [each for each in documents.values() if function.name in each.functions]
        effects = [each.effect for each in described if each.effect]
        if effects:
            request, result = (next(e.name for e in described if e.kind == kind) for kind in ("request", "result"))
            found.append(Method(function, request, result, f"{effects[0]}."))
    return found


def table(header: str) -> str:
    """Generates functions.h."""
    functions = without_blocking_forms(read(header))
    starts = [each for each in functions if each.is_start]
    calls = [each for each in functions if each.is_call]
    return "\n".join(
        [
            "/* SPDX-License-Identifier: MIT */",
            f"/* {HEAD} */",
            "/** @file functions.h The functions of the Tessera library, loaded at run time. */",
            "#ifndef TESSERA_FUNCTIONS_H",
            "#define TESSERA_FUNCTIONS_H",
            "",
            '#include "tessera.h"',
            "",
            *_list("FUNCTIONS", "FUNCTION", [each.name for each in functions]),
            "",
            "/** The numbers of the functions of tessera_start() and tessera_perform(). */",
            *_list("NUMBERS", "NUMBER", [each.number for each in starts + calls]),
            "",
            "#define TESSERA_ENUMERATOR(name) name,",
            "enum { TESSERA_NUMBERS(TESSERA_ENUMERATOR) };",
            "",
            "#define TESSERA_MEMBER(name) __typeof__(name) *name;",
            "typedef struct tessera_functions {",
            "  TESSERA_FUNCTIONS(TESSERA_MEMBER)",
            "} tessera_functions;",
            "",
            *ARGUMENTS,
            *_dispatcher("start", "Starts a call of a group", START_PARAMETERS, starts),
            "",
            *_dispatcher("perform", "Makes a blocking call", "char **response", calls),
            "",
            "#endif /* TESSERA_FUNCTIONS_H */",
        ]
    ) + "\n"  # fmt: skip


START_PARAMETERS = "tessera_call_group *calls, int64_t *call, char **response"
ARGUMENTS = (
    "/** The arguments of a call. A function ignores those that it does not have. */",
    "typedef struct tessera_arguments {",
    "  tessera_application *application;",
    "  tessera_application *from;",
    "  const char *request;",
    "  const void *data;",
    "  size_t size;",
    "  tessera_cancellation *cancellation;",
    "} tessera_arguments;",
    "",
)


def _list(name: str, macro: str, entries: list[str]) -> Iterator[str]:
    """Yields the lines of a macro that applies another one to each entry."""
    *most, last = [f"  {macro}({entry})" for entry in entries]
    yield f"#define TESSERA_{name}({macro}) \\"
    yield from (f"{each} \\" for each in most)
    yield last


def _dispatcher(name: str, about: str, parameters: str, functions: list[Function]) -> Iterator[str]:
    yield f"/** {about} with the number of its function. */"
    yield f"static inline tessera_status tessera_{name}("
    yield "    const tessera_functions *library, int32_t function, const tessera_arguments *a,"
    yield f"    {parameters}) {{"
    yield "  switch (function) {"
    for function in functions:
        yield f"    case {function.number}:"
        yield f"      return library->{function.name}("
        yield f"          {', '.join(_argument(each) for each in function.names)});"
    yield "    default:"
    yield "      return TESSERA_STATUS_REPORT_BUG;"
    yield "  }"
    yield "}"


def _argument(name: str) -> str:
    """Returns the argument for a parameter. URLs and tokens are requests too."""
    if name in ("calls", "call", "response"):
        return name
    return {"user_data": "NULL", "url": "a->request", "token": "a->request"}.get(name, f"a->{name}")
