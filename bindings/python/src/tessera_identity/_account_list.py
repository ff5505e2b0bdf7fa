# SPDX-License-Identifier: MIT
"""The list of all accounts, of which each account is parsed at its first use.

After a sign-in or a sign-out, most accounts of a long list are unchanged. Their objects are reused.
"""

from __future__ import annotations

from ._json_text import decoded
from ._values import Account

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_START = b'{"accounts":['
_END = b"]}"
_ACCOUNT = b'{"home_account_id":'
_NEXT = b"," + _ACCOUNT


class AccountList:
    """A response of the library with all accounts, and the accounts in it.

    The library writes no white space, and the identifier of an account first. No string contains the beginning of
    an account, because quotation marks in strings are escaped.
    """

    __slots__ = ("accounts", "response")

    def __init__(self, response: bytes, older: AccountList | None = None) -> None:
        """Creates the list of a response.

        Args:
            response: The response of the library.
            older: The previous list, whose accounts are reused as far as they are unchanged.

        Raises:
            ValueError: The response is not in the form in which the library writes a long list. Parse it as JSON.
        """
        if not response.startswith(_START + _ACCOUNT) or not response.endswith(_END):
            raise ValueError("not a list of accounts")
        self.response = response
        if older is None:
            self.accounts = _parsed_later(response[len(_START) : -len(_END)])
            return
        before = older.response
        # The changed accounts are those between a common beginning and a common end, both of whole accounts.
        comma = before.rfind(_NEXT, 0, _common_beginning(before, response))
        start = len(_START) if comma < 0 else comma + 1
        end = before.find(_NEXT, len(before) - _common_end(before, response, start))
        end = len(before) - len(_END) if end < 0 else end
        first = 0 if comma < 0 else before.count(_NEXT, 0, comma + len(_NEXT))
        last = before.count(_NEXT, end)
        changed = response[start : len(response) - (len(before) - end)]
        self.accounts = (
            *older.accounts[:first],
            *_parsed_later(changed),
            *older.accounts[len(older.accounts) - last :],
        )


def _parsed_later(texts: bytes) -> tuple[Account, ...]:
    """Returns the accounts in a part of a list."""
    if not texts:
        return ()
    return tuple([Account.parsed_later(_parse, text) for text in texts[len(_ACCOUNT) :].split(_NEXT)])


def _parse(text: bytes) -> dict[str, Any]:
    """Parses the text of an account after its beginning, which all accounts share."""
    return decoded(_ACCOUNT + text)


def _common_beginning(one: bytes, other: bytes) -> int:
    """Returns the number of equal bytes at the beginning of two texts."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(one: bytes, other: bytes, start: int) -> int:
    """Returns the number of equal bytes at the end of two texts, without those before a start."""
    low, high = 0, min(len(one), len(other)) - start
    while low < high:
        middle = (low + high + 1) // 2
        end = len(one) - low
        if one.startswith(other[len(other) - middle : len(other) - low], end - (middle - low)):
            low = middle
        else:
            high = middle - 1
    return low
