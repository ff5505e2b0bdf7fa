# SPDX-License-Identifier: MIT
"""The test rules of MSAL for Apple's interface: scopes, identifiers, silent calls, claims, throttling, errors."""

from __future__ import annotations

from entra import Answer
from world import SCOPES, Vector, World, expect, numbers, row


@row("scopes", "resource without slash", "resource with slash keeps double slash")
def resource(world: World, vector: Vector) -> None:
    request = {"home_account_id": "nobody", "resource": vector["input"]}
    expect(world.call("explain", request)["scopes"], [vector["expected"]])


@row("scopes", "normalize set")
def normalised_set(world: World, vector: Vector) -> None:
    home = world.sign_in(vector["expected"])
    request = {"home_account_id": home, "scopes": vector["input"]}
    expect(world.call("silent", request)["source"], "cache")


@row("scopes", "minus with normalize keeps original spelling")
def minus(world: World, vector: Vector) -> None:
    granted = " ".join(scope.strip() for scope in vector["input"]["minus"])
    world.entra.members["scope"] = f"{granted} openid profile offline_access"
    result = world.call("device", {"scopes": vector["input"]["set"]})
    # The vector keeps the spaces around the scope as well; requests contain none.
    expect(result["declined_scopes"], [scope.strip() for scope in vector["expected"]])


@row("scopes", "email not echoed by server is accepted")
def email(world: World, _: Vector) -> None:
    world.entra.members["scope"] = "user.read openid profile offline_access"
    world.sign_in(["user.read", "email"])


@row("scopes", "reserved scope rejected")
def reserved(world: World, vector: Vector) -> None:
    # MSAL for Apple rejects the request with -51112. Here the reserved scope is ignored.
    expect(vector["expected"]["msid_code"], -51112)
    request = {"home_account_id": "nobody", "scopes": vector["input"]["scopes"]}
    expect(world.call("explain", request)["scopes"], ["myscope1", "myscope2"])


@row("scopes", "mixed case scope hits cached AT")
def mixed_case(world: World, vector: Vector) -> None:
    home = world.sign_in([vector["input"]["cached_target"]])
    result = world.call("silent", {"home_account_id": home, "scopes": ["User.Read"]})
    expect((result["source"], world.entra.refreshes()), ("cache", []))


@row("account_id", "client_info parse")
def client_info(world: World, vector: Vector) -> None:
    world.entra.account.client_info = vector["input"]
    expect(world.sign_in(), vector["expected"]["home_account_id"])


@row("account_id", "bad client_info")
def bad_client_info(world: World, vector: Vector) -> None:
    world.entra.account.client_info = vector["input"]
    expect(world.call("device", {"scopes": SCOPES})["error"]["code"], "invalid_response")
    expect(world.call("accounts", {})["accounts"], [])


@row("silent", "nil account")
def nil_account(world: World, vector: Vector) -> None:
    expect(numbers(world.call("silent", {"scopes": SCOPES}))[0], vector["expected"]["code"])


@row("silent", "common authority uses home tenant")
def home_tenant(world: World, vector: Vector) -> None:
    tenant = vector["input"]["account_home_tenant"]
    world.entra.account.utid = world.entra.account.tid = tenant
    common = f"{world.entra.origin}/common"
    home = world.sign_in(authority=common)
    request = {"home_account_id": home, "scopes": SCOPES, "force_refresh": True}
    assert "access_token" in world.call("silent", request, authority=common)
    expect(world.entra.refreshes()[-1].path.split("/")[1], tenant)


@row("silent", "capabilities alone keep cached AT")
def capabilities(world: World, _: Vector) -> None:
    capable = {"client_capabilities": ["cp1"]}
    home = world.sign_in(**capable)
    result = world.call("silent", {"home_account_id": home, "scopes": SCOPES}, **capable)
    expect((result["source"], world.entra.refreshes()), ("cache", []))


@row("silent", "FRT client_mismatch")
def client_mismatch(world: World, vector: Vector) -> None:
    world.entra.members["foci"] = "1"
    request = {"home_account_id": world.sign_in(client_id="sibling"), "scopes": SCOPES}
    world.entra.answers.append(Answer(400, vector["input"]))
    answer = world.call("silent", request)
    expect(numbers(answer)[0], vector["expected"]["code"])
    expect(answer["error"]["oauth_error"], vector["expected"]["MSALOAuthErrorKey"])
    expect(answer["error"]["suberror"], vector["expected"]["MSALOAuthSubErrorKey"])
    candidates = world.call("explain", request)["candidates"]
    # The family is blank in the application's metadata.
    assert any(each["obstacles"] == ["other_family"] for each in candidates), candidates
    assert "error" in world.call("silent", request)
    expect(len(world.entra.refreshes()), 1)


@row("claims", "essential number becomes bool")
def essential(world: World, vector: Vector) -> None:
    claims = '{"id_token":{"given_name":{"essential":10}}}'
    request = {"home_account_id": world.sign_in(), "scopes": SCOPES, "claims": claims}
    assert "access_token" in world.call("silent", request)
    expect(world.entra.refreshes()[-1].form["claims"], vector["expected"])


@row("claims", "invalid target")
def invalid_target(world: World, vector: Vector) -> None:
    request = {"home_account_id": "nobody", "scopes": SCOPES, "claims": vector["input"]}
    answer = world.call("silent", request)
    expect(numbers(answer), (vector["expected"]["code"], vector["expected"]["internal"]))
    assert vector["expected"]["description_mentions"] in answer["error"]["message"], answer


@row("throttling", "Retry-After 10000")
def retry_after(world: World, vector: Vector) -> None:
    given = vector["input"]
    request = {"home_account_id": world.sign_in(), "scopes": ["other.read"]}
    world.entra.answers.append(Answer(given["status"], {}, {"Retry-After": given["Retry-After"]}))
    expected = vector["expected"]["throttle_seconds"]
    expect(world.call("silent", request)["error"]["retry_after"], expected)
    left = world.call("silent", request)["error"]["retry_after"]
    assert expected - 60 < left <= expected, left
    expect(len(world.entra.refreshes()), 1)


@row("throttling", "applicability")
def applicability(world: World, vector: Vector) -> None:
    for number, answer in enumerate(vector["input"]):
        headers = {"Retry-After": answer["Retry-After"]} if "Retry-After" in answer else {}
        request = {"home_account_id": world.sign_in(), "scopes": [f"scope{number}.read"]}
        # A status 200 with Retry-After is an error; without it, it is a success.
        if answer != {"status": 200}:
            refusal = Answer(answer["status"], {"error": "temporary"}, headers)
            world.entra.answers.append(refusal)
        before = len(world.entra.refreshes())
        answers = [world.call("silent", request) for _ in range(2)]
        is_throttled = all("error" in each for each in answers)
        expect(is_throttled, vector["expected"][number])
        expect(len(world.entra.refreshes()) - before, 1)


@row("wire", "form encoding")
def form(world: World, vector: Vector) -> None:
    world.sign_in(extra_token_parameters={"a": vector["input"]})
    fields = world.entra.seen[-1].body.split("&")
    assert f"a={vector['expected']}" in fields, fields


@row("wire", "AnchorMailbox by id")
def anchor_mailbox(world: World, vector: Vector) -> None:
    account = world.entra.account
    account.uid, account.utid = vector["input"]["uid"], vector["input"]["utid"]
    home = world.sign_in()
    world.call("silent", {"home_account_id": home, "scopes": SCOPES, "force_refresh": True})
    sent = world.entra.refreshes()[-1].headers["X-AnchorMailbox"]
    expect(f"X-AnchorMailbox: {sent}", vector["expected"])


@row("authority", "AAD strips extra path and query", "B2C trims extra segment and query", "CIAM host only")
def authority(world: World, vector: Vector) -> None:
    request = {"home_account_id": "nobody", "scopes": SCOPES}
    place = {"authority": vector["input"], "authority_type": None}
    expect(world.call("explain", request, **place)["authority"], vector["expected"])


@row("authority", "AAD without tenant", "CIAM missing tenant label (format check on)")
def no_authority(world: World, vector: Vector) -> None:
    place = {"authority": vector["input"], "authority_type": None}
    expect(world.call("accounts", {}, **place)["error"]["code"], "invalid_authority")


@row("authority", "common audience with rawTenant")
def audience(world: World, vector: Vector) -> None:
    answer = world.call(
        "accounts", {}, cloud="public", audience="AzureADandPersonalMicrosoftAccount",
        tenant=vector["input"]["rawTenant"],
    )  # fmt: skip
    expect(numbers(answer), (vector["expected"]["code"], vector["expected"]["internal"]))


@row("logging", "e-mail mask")
def masked(world: World, vector: Vector) -> None:
    world.entra.account.upn = vector["input"]
    world.sign_in()
    lines = world.log()
    assert any(vector["expected"] in line for line in lines), lines
    assert not any(vector["input"] in line for line in lines), lines


@row("error_mapping", "invalid_request + STS 50142", "authorize access_denied/tts_denied")
def words(world: World, vector: Vector) -> None:
    world.entra.answers.append(Answer(400, vector["input"]))
    expected = vector["expected"].get("app_code") or vector["expected"]["msid_code"]
    expect(numbers(world.call("device", {"scopes": SCOPES}))[0], expected)


@row("error_mapping", "HTTP 403 token response")
def forbidden(world: World, vector: Vector) -> None:
    world.entra.answers.append(Answer(vector["input"]["status"], {}))
    # The numbers of MSAL for Apple for -51500.
    expect(numbers(world.call("device", {"scopes": SCOPES})), (-50000, -42007))


@row("error_mapping", "two cached accounts, current account")
def two_accounts(world: World, vector: Vector) -> None:
    for number in range(vector["input"]["accounts"]):
        world.entra.account.uid = world.entra.account.oid = f"person{number}"
        world.sign_in()
    answer = world.call("current", {})
    expect(numbers(answer), (vector["expected"]["code"], vector["expected"]["internal"]))
    expect(len(answer["error"]["accounts"]), vector["input"]["accounts"])
