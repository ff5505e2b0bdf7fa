# SPDX-License-Identifier: MIT
"""The values and methods of the binding compared with the documents of the pages, and with each other."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re

import pytest

import tessera_identity
from fake import INCLUDE
from tessera_identity import PublicClientApplication, aio
from tessera_identity._values import Value

PAGES = "\n".join(page.read_text() for page in (INCLUDE.parent / "docs").glob("*.md"))


def rows(document: str) -> dict[str, str]:
    """Returns the description of each member of a document; empty if it has no section."""
    # Tables of nested objects come after the table of the document.
    sections = "".join(re.findall(rf"(?ms)^#+ {document}\n(.*?)(?=^#|^\| member of|\Z)", PAGES))
    lines = re.findall(r"(?m)^\| (`[^|]*) \|(.*)", sections)
    return {name: text for names, text in lines for name in re.findall(r"`(\w+)`", names)}


for module in pkgutil.iter_modules(tessera_identity.__path__):
    if module.name.startswith("_"):
        importlib.import_module(f"tessera_identity.{module.name}")
VALUES = [each for each in Value.__subclasses__() if rows(each.__name__)]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value.__name__)
def test_a_value_has_members_of_its_document(value: type[Value]) -> None:
    assert {*value._required, *value._optional} <= set(rows(value.__name__))


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value.__name__)
def test_literal_types_match_the_page(value: type[Value]) -> None:
    members = rows(value.__name__)
    for name, kind in value.__annotations__.items():
        if name in members and "Literal" in kind:
            words = set(re.findall(r"""['"](\w+)['"]""", kind))
            assert words == set(re.findall(r"`\"?(\w+)\"?`", members[name])), name


@pytest.mark.parametrize(
    "name", [each for each in dir(PublicClientApplication) if not each.startswith("_")]
)
def test_coroutine_methods_have_the_parameters_of_the_blocking_ones(name: str) -> None:
    method = getattr(aio.PublicClientApplication, name)
    assert inspect.iscoroutinefunction(method)
    wanted = dict(inspect.signature(getattr(PublicClientApplication, name)).parameters)
    parameters = dict(inspect.signature(method).parameters)
    # A task has its own cancellation.
    for given in (wanted, parameters):
        given.pop("cancellation", None)
    assert parameters == wanted


def test_applications_have_the_same_arguments() -> None:
    asynchronous, blocking = (
        inspect.signature(kind).parameters for kind in (aio.PublicClientApplication, PublicClientApplication)
    )
    assert asynchronous == blocking
