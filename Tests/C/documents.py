# SPDX-License-Identifier: MIT
"""Compares docs/documents.toml with the requests that the library accepts and the responses of the C tests.

usage: documents.py LIBRARY   (prints the differences)
"""

from __future__ import annotations

import base64
import ctypes
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from document_table import ROOT, TABLE, Document, Documents, Member, all_members, read  # noqa: E402

JSON = dict[str, Any]
CONFIGURATION = {"client_id": "app", "store": {"kind": "memory"}, "authority": "http://127.0.0.1:9/contoso.com"}
# A value of each type, and values that are not of the type.
SAMPLES: dict[str, object] = {
    "string": "sample", "boolean": True, "integer": 1, "object": {}, "key": base64.b64encode(bytes(32)).decode(),
    "hexadecimal": "00ff", "strings": "sample",
}  # fmt: skip
WRONG: dict[str, object] = {
    "string": 5, "boolean": "yes", "integer": "soon", "object": [], "key": "%", "hexadecimal": "zz", "strings": 5,
}  # fmt: skip
PARAMETER = re.compile(r"(?:const )?(\w+)[^,]*?(\w+)\s*(?:,|$)")
# Values of members that have a format.
EXAMPLES: JSON = {
    "authority": "http://127.0.0.1:9/contoso.com", "claims": "{}", "before": "", "after": "",
    "msal_cache": "azure_cli", "directory": "/tmp", "intune_enrollment_ids": {"enrollment_ids": []},
    "enrollment_ids": {"enrollment_ids": []},
    "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tracestate": "vendor=value",
}  # fmt: skip


class Library:
    """The functions of the library, called with parameters that their names in the header determine."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        headers = "".join(each.read_text() for each in (ROOT / "include").rglob("*.h"))
        found = re.findall(r"tessera_status (tessera_\w+)\(([^)]*)\)", headers)
        self._parameters = {name: PARAMETER.findall(" ".join(text.split())) for name, text in found}
        self._library.tessera_string_free.argtypes = [ctypes.c_void_p]
        self._library.tessera_string_free.restype = None
        self._library.tessera_cancellation_create.restype = ctypes.c_void_p
        self._cancellation = ctypes.c_void_p(self._library.tessera_cancellation_create())
        self._library.tessera_cancellation_cancel(self._cancellation)
        self._applications = [self._application() for _ in range(2)]
        self._group, response = ctypes.c_void_p(), ctypes.c_void_p()
        self._library.tessera_call_group_create(ctypes.byref(self._group), ctypes.byref(response))
        self._library.tessera_string_free(response)

    def _application(self) -> ctypes.c_void_p:
        application, response = ctypes.c_void_p(), ctypes.c_void_p()
        text = json.dumps(CONFIGURATION).encode()
        create = self._library.tessera_application_create
        assert create(text, None, ctypes.byref(application), ctypes.byref(response)) == 0
        self._library.tessera_string_free(response)
        return application

    def blocks(self, function: str) -> bool:
        """Whether the function does its work before it returns."""
        return "tessera_call_group" not in dict(self._parameters[function])

    def error(self, function: str, request: JSON, *, cancelled: bool = True) -> JSON:
        """Calls a function and returns the members of the error; empty if there is none.

        A call that is cancelled ends after its request was parsed. Others validate values, too.
        """
        response, made, call = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int64()
        text = json.dumps(request).encode()
        handles = {
            "tessera_application": self._applications[0], "tessera_call_group": self._group,
            "tessera_cancellation": self._cancellation if cancelled else None,
        }  # fmt: skip
        others = {
            "from": self._applications[1], "request": text, "configuration": text, "size": ctypes.c_size_t(0),
            "call": ctypes.byref(call), "response": ctypes.byref(response),
        }  # fmt: skip
        if function.endswith("_create"):
            others["application"] = ctypes.byref(made)
        arguments = [others.get(name, handles.get(kind)) for kind, name in self._parameters[function]]
        status = getattr(self._library, function)(*arguments)
        document = json.loads(ctypes.string_at(response.value)) if response.value else {}
        self._library.tessera_string_free(response)
        self._library.tessera_application_free(made)
        # An explanation has an error, too.
        error: JSON = document["error"] if status != 0 else {}
        return error


def described() -> Documents:
    """Returns the description."""
    return read(TABLE.read_text())


def sample(documents: Documents, member: Member) -> object:
    """Returns an accepted value of a member."""
    if member.document:
        return base(documents, documents[member.document])
    if member.name in EXAMPLES and member.type != "boolean":
        return EXAMPLES[member.name]
    value = member.values[0] if member.values else SAMPLES[member.element]
    if member.minimum is not None:
        value = max(member.minimum, 0)
    if member.type.startswith("array"):
        return [value]
    return {"name": value} if member.type.startswith("object of") else value


def others(member: Member) -> Iterator[object]:
    """Yields values that are not accepted."""
    wrong = [] if member.document else WRONG[member.element]
    if member.type.startswith("array"):
        yield from ("sample", [5])
    elif member.type.startswith("object of"):
        yield from ([], {"name": 5})
    else:
        yield wrong
    if member.values:
        yield ["no_such_value"] if member.type.startswith("array") else "no_such_value"
    if member.maximum is not None:
        yield from (member.maximum + 1, (member.minimum or 0) - 1)


def base(documents: Documents, document: Document, choice: str = "") -> JSON:
    """Returns a request with the required members, and those that a value of another member makes necessary."""
    request: JSON = {}
    for member in all_members(documents, document.name):
        unless = "unless" in str(member.required)
        if member.required is True or unless or (choice and f"`{choice}`" in str(member.required)):
            request[member.name] = sample(documents, member)
        if choice in member.values and choice:
            request[member.name] = choice
        if member.name == "operation":
            request[member.name] = document.operations[0]
    return request


def requests(documents: Documents, document: Document, name: str) -> Iterator[JSON]:
    """Yields requests to which a member can be added."""
    methods = [each.values for each in document.members if each.name == "method"]
    for choice in methods[0] if methods else [""]:
        request = base(documents, document, choice)
        # A member that replaces another one.
        members = all_members(documents, document.name)
        for each in members:
            if re.search(rf"unless (?:there is an?|the) `{name}`", str(each.required)):
                request.pop(each.name, None)
        yield request


def names(error: JSON, member: str) -> bool:
    """Whether an error rejects the value of a member."""
    rejection = rf'\b{member}"? (?:must be (?:an? |one of|between|\d)|is not|contains)'
    return error.get("code") == "unknown_member" or bool(re.search(rejection, error.get("message", "")))


def differences(library: Library, documents: Documents) -> Iterator[str]:
    """Yields the differences between the description and what the functions accept."""
    for document in documents.values():
        if document.kind != "request" or not document.functions:
            continue
        for function in document.functions:
            call = partial(library.error, function)
            yield from _of_document(documents, document, function, call, library.blocks(function))


def _of_document(
    documents: Documents, document: Document, path: str, call: Callable[..., JSON], blocks: bool
) -> Iterator[str]:
    unknown = call(base(documents, document) | {"no_such_member": 1})
    if unknown.get("code") != "unknown_member" or "no_such_member" not in unknown["message"]:
        yield f"{path} does not reject an unknown member: {unknown}"
    for member in all_members(documents, document.name):
        known = [*requests(documents, document, member.name)]
        value = sample(documents, member)
        if member.name == "operation":
            value = document.operations[0]
        errors = [call(each | {member.name: value, "no_such_member": 1}) for each in known]
        if any(f'"{member.name}"' in each.get("message", "").split(".")[0] for each in errors):
            yield f"{path} does not know {member.name}: {errors[0]}"
        if blocks:
            # Only requests that start no work on another thread are sent completely.
            values: list[object] = [[one] if member.type.startswith("array") else one for one in member.values]
            values += [limit for limit in (member.minimum, member.maximum) if limit is not None]
            for each in values if values and member.name != "operation" else [value]:
                errors = [call(one | {member.name: each}) for one in known]
                if all(names(error, member.name) for error in errors):
                    yield f"{path} rejects {member.name} {each!r}: {errors[0]}"
        for wrong in others(member):
            if not blocks and isinstance(wrong, int) and member.type == "integer":
                continue  # The thread of the call checks the limits.
            limited = isinstance(wrong, int) and member.type == "integer"
            errors = [call(each | {member.name: wrong}, cancelled=not limited) for each in known]
            if not any(member.name in error.get("message", "") for error in errors):
                yield f"{path} accepts {member.name} {wrong!r}: {errors[0]}"
        if member.document:
            inner = partial(_with, call, known[0], member.name)
            nested = documents[member.document]
            yield from _of_document(documents, nested, f"{path}, {member.name}", inner, blocks)


def _with(
    call: Callable[..., JSON], request: JSON, name: str, value: JSON, *, cancelled: bool = True
) -> JSON:
    return call(request | {name: value}, cancelled=cancelled)


def faults(documents: Documents, name: str, value: object, path: str = "") -> Iterator[str]:
    """Yields the differences between a result and its description."""
    if not isinstance(value, dict):
        yield f"{path} is not an object"
        return
    members = {each.name: each for each in all_members(documents, name)}
    yield from (f"{path}.{each} is not described" for each in value if each not in members)
    for member in members.values():
        where = f"{path}.{member.name}"
        if member.name not in value:
            if member.present == "always":
                yield f"{where} is missing"
        elif value[member.name] is None:
            if not member.nullable:
                yield f"{where} is null"
        else:
            yield from _fault_of_member(documents, member, value[member.name], where)


def _fault_of_member(documents: Documents, member: Member, value: object, where: str) -> Iterator[str]:
    elements: Iterable[object] = [value]
    if member.type.startswith("array"):
        if not isinstance(value, list):
            yield f"{where} is not an array"
            return
        elements = value
    if member.type.startswith("object of"):
        if not isinstance(value, dict):
            yield f"{where} is not an object"
            return
        elements = value.values()
    kinds = {"string": str, "boolean": bool, "integer": int, "object": dict, "any": object}
    for each in elements:
        if member.document:
            yield from faults(documents, member.document, each, where)
        elif not isinstance(each, kinds[member.element.removesuffix("s")]):
            yield f"{where} is not of the type {member.type}"
        elif member.values and each not in member.values:
            yield f"{where} has the undescribed value {each}"


def undescribed(documents: Documents, responses: Path) -> Iterator[str]:
    """Yields the responses of the C tests that are not like a described result."""
    results = [each.name for each in documents.values() if each.kind == "result" and each.functions]
    results += ["DeviceCodePrompt", "SignInPrompt"]
    for line in dict.fromkeys(responses.read_text().splitlines()):
        status, _, text = line.partition(" ")
        response = json.loads(text)
        candidates = results if status == "0" else ["ErrorResponse"]
        if "declined_scopes" in response:
            candidates = ["TokenResult"]
        found = [[*faults(documents, name, response, name)] for name in candidates]
        if all(found):
            yield f"{min(found, key=len)}: {line[:300]}"


def main() -> int:
    """Prints the differences."""
    documents = described()
    with tempfile.TemporaryDirectory():
        found = [*differences(Library(Path(sys.argv[1])), documents)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
