# SPDX-License-Identifier: MIT
"""The test rules of interactive sign-ins: started and completed by two applications."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit

from callers import Document
from entra import UTID
from world import SCOPES, Vector, World, expect, numbers, row


def fields(begun: Document) -> dict[str, str]:
    """Returns the fields of the authorization request."""
    return dict(parse_qsl(urlsplit(begun["url"]).query))


@row("interactive", "response without state when one was sent")
def no_state(world: World, vector: Vector) -> None:
    place = {"redirect_uri": "https://host/msal"}
    begun = world.call("begin", {"scopes": SCOPES}, **place)
    # The state that is sent is the library's own; the response of the vector has none in either case.
    assert fields(begun)["state"], begun
    answer = world.call("complete", {"state": begun["state"], "url": vector["input"]["response"]}, **place)
    expected = vector["expected"]["app"]
    expect(numbers(answer), (expected["code"], expected["internal"]))


@row("interactive", "different account signed in still succeeds")
def somebody_else(world: World, vector: Vector) -> None:
    world.entra.account.uid = vector["input"]["returned_uid"]
    asked = {"home_account_id": f"{vector['input']['requested_uid']}.{UTID}", "scopes": SCOPES}

    def signed_in(**members: bool) -> Document:
        begun = world.call("begin", {**asked, **members})
        page = fields(begun)
        world.entra.claims["nonce"] = page["nonce"]
        answer = urlencode({"code": "code", "state": page["state"]})
        return world.call("complete", {"state": begun["state"], "url": f"http://localhost?{answer}"})

    expect(signed_in()["error"]["code"], "account_mismatch")
    # Only with accept_other_account: docs/differences.md.
    account = signed_in(accept_other_account=True)["account"]
    expect(account["home_account_id"], f"{vector['input']['returned_uid']}.{UTID}")
