# SPDX-License-Identifier: MIT
"""The list of all accounts: parsed when used, and updated after a change."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from fake import ACCOUNT
from tessera_identity import Account
from tessera_identity._results import AccountList


def document(number: int, **changes: Any) -> dict[str, Any]:
    return {**ACCOUNT, "home_account_id": f"uid{number}.utid", **changes}


def response(*accounts: dict[str, Any]) -> bytes:
    """Returns a list in the form of the library: without white space, and with unescaped characters."""
    return json.dumps({"accounts": accounts}, separators=(",", ":"), ensure_ascii=False).encode()


MISLEADING = 'x"},{"home_account_id":"y"}]}'


@pytest.mark.parametrize("count", [1, 2, 50])
def test_a_list_has_the_accounts_of_the_response(count: int) -> None:
    documents = [document(number, name=f"Zoë {MISLEADING} {number}") for number in range(count)]
    assert AccountList(response(*documents)).accounts == tuple(map(Account, documents))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([0], [1]), ([0], [0]), ([0, 1, 2], [0, 1, 2]), ([0, 1, 2], [0, 2]), ([0, 2], [0, 1, 2]),
        ([1, 2], [0, 1, 2]), ([0, 1], [0, 1, 2]), ([0, 1, 2], [3]), ([0, 0, 0], [0, 0]), ([0, 0], [0, 0, 0]),
    ],
)  # fmt: skip
def test_an_updated_list_equals_a_new_one(before: list[int], after: list[int]) -> None:
    older = AccountList(response(*map(document, before)))
    updated = AccountList(response(*map(document, after)), older)
    assert updated.accounts == tuple(Account(document(number)) for number in after)
    assert updated.accounts == AccountList(updated.response).accounts


def test_any_change_of_a_list_is_found() -> None:
    random = Random(1)
    numbers = list(range(20))
    older = AccountList(response(*map(document, numbers)))
    for step in range(300):
        index = random.randrange(len(numbers))
        change = random.choice(["insert", "remove", "replace"])
        if change != "insert" and len(numbers) > 1:
            del numbers[index]
        if change != "remove":
            numbers.insert(index, random.choice([step, *numbers]))
        expected = [document(number) for number in numbers]
        older = AccountList(response(*expected), older)
        assert [account.to_dict() for account in older.accounts] == expected


def test_unchanged_accounts_stay_the_same_objects() -> None:
    older = AccountList(response(*map(document, range(10))))
    changed = [document(number, name="new" if number == 5 else None) for number in range(10)]
    unchanged = [document(number, name=None) for number in range(10)]
    older = AccountList(response(*unchanged))
    newer = AccountList(response(*changed), older)
    assert [one is other for one, other in zip(older.accounts, newer.accounts)] == [
        number != 5 for number in range(10)
    ]
    assert newer.accounts[5].name == "new"


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b'{"accounts": []}', b'{"accounts":[]}', b'{"accounts":[{"a":1}]}', b'{"accounts":null}'],
)
def test_another_form_is_parsed_by_the_caller(text: bytes) -> None:
    with pytest.raises(ValueError, match="not a list of accounts"):
        AccountList(text)
