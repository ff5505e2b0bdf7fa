# SPDX-License-Identifier: MIT
"""Intended differences between the earlier version's records and those of the current one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from authorities import FAMILY

MAIN, SECOND = FAMILY
HTTP = {"domain": "http", "number": 400}
TOKEN = {"credential_type": "RefreshToken", "family_id": "1", "role": "not_used"}


def refresh_token(name: str) -> str:
    """Returns a refresh token of the fake server."""
    return f"fake-refresh-token-{name}"


@dataclass(frozen=True)
class Edit:
    """A change of the documents that have certain members."""

    members: dict[str, Any]
    """The members that a document has; nested documents may have more members."""
    replacement: dict[str, Any] | None = None
    """The new values of members; None removes a member. Without a replacement, the document is removed."""
    added: Mapping[str, list[Any]] = field(default_factory=dict)
    """The rows that sorted lists of the document have in addition, by member."""


# The information about a store states which processes exclude each other.
LOCK_SCOPE = Edit({"network_file_system": False}, {"lock_scope": "machine"})
# The first commit converts the store to layout 3 (docs/store.md).
LAYOUT_VERSION = Edit({"layout_version": 2000}, {"layout_version": 3000})
# Once a member of a token family has redeemed the family's refresh token, the other members send its successor
# and not their own copies of the redeemed one (RFC 9700, section 4.14.2). In a store of the earlier version each
# member kept and sent its own copy, so that a rejected request was sent once for each copy.
EDITS: dict[tuple[str, str], list[Edit]] = {
    ("sqlite", "written"): [
        Edit({"causes": [HTTP, {"code": "mfa_required", "domain": "tessera"}, HTTP]}, {"causes": [HTTP]}),
    ],
    ("sqlite", "requests"): [
        Edit({"form": {"refresh_token": refresh_token("alice-1"),
                       "scope": "User.Read openid profile offline_access"}},
             {"form": {"refresh_token": refresh_token("alice-7")}}),
        Edit({"form": {"refresh_token": refresh_token("bob-2"),
                       "scope": "Rejected.Read openid profile offline_access"}}),
    ],
    ("sqlite", "records"): [
        Edit({"client_id": SECOND, "secret": refresh_token("alice-7")}, {"secret": refresh_token("alice-11")}),
        Edit({"client_id": MAIN, "secret": refresh_token("bob-2")}, {"secret": refresh_token("bob-8")}),
        Edit({"body": {"throttle": "05b9f50a2007e4dd0edfa2b77151519f22bf399fa198aabd99e93506767b9552"}}),
        # The token of an application is also found by its scope and tenant.
        Edit({"layout": 2000}, {"layout": 3000}, {"scopes": [[4423327880948031457, 8559703334008406271]]}),
    ],
    ("sqlite", "read"): [
        Edit({**TOKEN, "obstacles": ["not_needed"]}, {"obstacles": ["same_token", "not_needed"]}),
        Edit({"client_id": MAIN, "secret": refresh_token("bob-2")}, {"secret": refresh_token("bob-8")}),
    ],
    ("sqlite", "read today"): [LOCK_SCOPE, LAYOUT_VERSION],
    ("sqlite", "proceeded"): [LOCK_SCOPE, LAYOUT_VERSION],
    ("msal_file", "records"): [Edit({"client_id": MAIN, "secret": refresh_token("bob-2")})],
    ("msal_file", "read today"): [LOCK_SCOPE],
    ("msal_file", "proceeded"): [
        LOCK_SCOPE,
        # The earlier version searched for the redeemed token after the commit, and missed its successor.
        Edit({"account": {"username": "judy@contoso.com"}, "persisted": False},
             {"persisted": True, "warnings": None}),
    ],
}  # fmt: skip
"""The edits of the fixtures, by the kind of store and the part of the fixture."""


class Unused(Exception):
    """An edit of nothing."""


def edited(kind: str, part: str, value: Any) -> Any:
    """Returns a part of a fixture as the current version writes it.

    Raises:
        Unused: No document has the members of an edit.
    """
    for edit in EDITS.get((kind, part), []):
        uses: list[Any] = []
        value = _edited(value, edit, uses)
        if not uses:
            raise Unused(f"nothing in the {part} of {kind} has {edit.members}")
    return value


def _edited(value: Any, edit: Edit, uses: list[Any]) -> Any:
    if isinstance(value, list):
        return [_edited(each, edit, uses) for each in value if not _is_removed(each, edit, uses)]
    if not isinstance(value, dict):
        return value
    document = {
        name: _edited(each, edit, uses)
        for name, each in value.items()
        if not _is_removed(each, edit, uses)
    }
    if edit.replacement is None or not _has(document, edit.members):
        return document
    uses.append(document)
    document = _updated(document, edit.replacement)
    return {**document, **{name: sorted([*document[name], *rows], key=list) for name, rows in edit.added.items()}}


def _is_removed(value: Any, edit: Edit, uses: list[Any]) -> bool:
    removed = edit.replacement is None and _has(value, edit.members)
    if removed:
        uses.append(value)
    return removed


def _has(value: Any, members: Any) -> bool:
    if not isinstance(members, dict):
        return bool(value == members)
    return isinstance(value, dict) and all(
        name in value and _has(value[name], each) for name, each in members.items()
    )


def _updated(document: Any, changes: Any) -> Any:
    if not isinstance(changes, dict):
        return changes
    new = {name: _updated(document.get(name), each) for name, each in changes.items() if each is not None}
    return {name: each for name, each in {**document, **new}.items() if name not in changes or name in new}
