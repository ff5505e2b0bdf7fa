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
from tessera_identity import PublicClientApplication
from tessera_identity._values import Value

PAGES = "\n".join(page.read_text() for page in (INCLUDE.parent / "docs").glob("*.md"))


def rows(document: str) -> dict[str, str]:
    """Returns the description of each member of a document; empty if it has no section."""
    sections = "".join(re.findall(rf"(?ms)^#+ {document}\n(.*?)(?=^#|\Z)", PAGES))
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
    "name", [each for each in dir(PublicClientApplication) if each.endswith("_async")]
)
def test_async_methods_have_the_parameters_of_the_blocking_ones(name: str) -> None:
    blocks = getattr(PublicClientApplication, name.removesuffix("_async"))
    wanted = dict(inspect.signature(blocks).parameters)
    # A task has its own cancellation.
    del wanted["cancellation"]
    assert dict(inspect.signature(getattr(PublicClientApplication, name)).parameters) == wanted
