# SPDX-License-Identifier: MIT
"""The entries that each library reads of the other one: accounts, tokens, sign-outs, and entries to ignore."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import peer
import tessera_identity
from world import CLIENT, KINDS, Kind, World

from examples import expect

OTHER = "0ddba115-0000-4000-8000-00000000c11e"
WORK = KINDS["work"]

Entry = dict[str, Any]
FIELDS = (
    "credential_type", "secret", "home_account_id", "environment", "client_id", "target", "realm",
    "token_type",
)  # fmt: skip
"""The members of an access token in every library, except times."""


def they_write(world: World, kind: Kind) -> None:
    """An account and token of MSAL Python are available to Tessera without a network."""
    theirs = world.they_sign_in(kind)
    (known,) = world.theirs(kind).get_accounts()
    with world.ours(kind) as application:
        (account,) = application.get_accounts()
    expect(account.home_account_id == known["home_account_id"], f"the account is {account}")
    # MSAL Python would store no name for B2C.
    expect(
        account.username == known["username"] or not known["username"],
        f"the name is {account.username}",
    )
    expect(world.we_hit(kind) == theirs["access_token"], "it is another token")
    unharmed(world)


def we_write(world: World, kind: Kind) -> None:
    """An account and token of Tessera are available to MSAL Python without a network."""
    ours = world.we_sign_in(kind)
    (known,) = world.theirs(kind).get_accounts()
    expect(known["home_account_id"] == ours.account.home_account_id, f"the account is {known}")
    expect(known["username"] == ours.account.username, f"the name is {known['username']}")
    expect(world.they_hit(kind) == ours.access_token, "it is another token")
    unharmed(world)


def we_refresh(world: World, kind: Kind) -> None:
    """Tessera redeems the refresh token of MSAL Python, which finds the new token and can redeem the next."""
    first = world.they_sign_in(kind)
    with world.ours(kind, is_online=True) as application:
        (account,) = application.get_accounts()
        result = application.acquire_token_silent([kind.scope], account=account, force_refresh=True)
    expect(result.source == "network", "nothing was refreshed")
    expect(result.access_token != first["access_token"], "the token is the old one")
    expect(world.they_hit(kind) == result.access_token, "MSAL Python has another token")
    they_redeem(world, kind)


def they_refresh(world: World, kind: Kind) -> None:
    """MSAL Python redeems the refresh token of Tessera, which finds the new token and can redeem the next."""
    world.we_sign_in(kind)
    with world.ours(kind, is_online=True) as application:
        # It has read the file before, like a long-running program.
        (account,) = application.get_accounts()
        application.acquire_token_silent([kind.scope], account=account)
        # Times are whole seconds: two tokens of the same second are equally new.
        time.sleep(1 - time.time() % 1)
        newest = they_redeem(world, kind)
        result = application.acquire_token_silent([kind.scope], account=account)
        expect(result.access_token == newest, "Tessera has another token")
        result = application.acquire_token_silent([kind.scope], account=account, force_refresh=True)
        expect(result.source == "network", "nothing was refreshed")


def they_redeem(world: World, kind: Kind) -> str:
    """Returns the new token that MSAL Python gets with the refresh token in the file."""
    application = world.theirs(kind, is_online=True)
    (account,) = application.get_accounts()
    result = application.acquire_token_silent([kind.scope], account, force_refresh=True)
    return str(peer.expect_token(result, "identity_provider")["access_token"])


def unharmed(world: World) -> None:
    """The file is accessible to its owner only, and no lock is left."""
    expect(world.file.stat().st_mode & 0o777 == 0o600, f"the mode is {world.file.stat().st_mode:o}")
    left = sorted(each.name for each in world.folder.glob(f"{world.file.name}?*"))
    expect(not left, f"there are left {left}")


def services(world: World) -> None:
    """A service's tokens are kept when users sign in and out, and MSAL Python still finds them."""

    class Granting(peer.NoNetwork):
        """A server that returns a token to a service."""

        def post(self, url: str, **_: Any) -> peer.Answer:
            return peer.Answer(
                200, '{"token_type":"Bearer","expires_in":3600,"access_token":"a service\'s"}'
            )

    scopes = ["https://graph.microsoft.com/.default"]
    service = peer.confidential(world.file, CLIENT, WORK.authority, Granting())
    peer.expect_token(service.acquire_token_for_client(scopes), "identity_provider")
    before = world.document()
    world.we_sign_in(WORK)
    with world.ours(WORK) as application:
        (account,) = application.get_accounts()
        application.remove_account(account)
    for section, entries in before.items():
        for key, entry in entries.items():
            expect(
                world.document()[section].get(key) == entry,
                f"{key} is {world.document()[section].get(key)}",
            )
    service = peer.confidential(world.file, CLIENT, WORK.authority, peer.NoNetwork())
    result = peer.expect_token(service.acquire_token_for_client(scopes), "cache")
    expect(result["access_token"] == "a service's", "it is another token")
    with world.ours(WORK) as application:
        ours = application.acquire_token_silent(scopes, account=None, for_application=True)
    expect((ours.access_token, ours.source) == ("a service's", "cache"), "Tessera has another one")
    expect(not ours.account.home_account_id, f"it is a token of {ours.account}")
    service.remove_tokens_for_client()
    with world.ours(WORK) as application:
        try:
            application.acquire_token_silent(scopes, account=None, for_application=True)
        except tessera_identity.SignInRequired:
            return
    expect(False, "Tessera has a token that is gone")


def nothing_for_us(
    world: World, ask: Callable[[tessera_identity.PublicClientApplication, Any], Any], client: str
) -> None:
    """Checks that Tessera finds no token without a network."""
    (known,) = world.theirs(WORK).get_accounts()
    with world.ours(WORK, client=client) as application:
        try:
            result = ask(application, known["home_account_id"])
        except (tessera_identity.SignInRequired, tessera_identity.RetryLater, tessera_identity.InvalidRequest):
            return
    expect(False, f"Tessera took a token that is not for it: {result.source}")


def nothing_for_them(world: World, client: str, account: dict[str, Any], scope: str) -> None:
    """Checks that MSAL Python finds no token without a network."""
    network = peer.Refusing()
    application = peer.public(world.file, client, WORK.authority, network)
    result = application.acquire_token_silent([scope], account)
    expect(
        not result or "access_token" not in result, "MSAL Python took a token that is not for it"
    )


def not_for_them(world: World, *, is_ours: bool) -> None:
    """Another client, another account and another scope get no token, whichever library wrote."""
    if is_ours:
        world.we_sign_in(WORK)
    else:
        world.they_sign_in(WORK)
    (account,) = world.theirs(WORK).get_accounts()
    somebody = {**account, "home_account_id": "nobody.nowhere"}
    nothing_for_us(
        world, lambda app, home: app.acquire_token_silent([WORK.scope], account=home), OTHER
    )
    nothing_for_us(
        world,
        lambda app, _: app.acquire_token_silent([WORK.scope], account="nobody.nowhere"),
        CLIENT,
    )
    nothing_for_us(
        world, lambda app, home: app.acquire_token_silent(["Mail.Read"], account=home), CLIENT
    )
    nothing_for_them(world, OTHER, account, WORK.scope)
    nothing_for_them(world, CLIENT, somebody, WORK.scope)
    nothing_for_them(world, CLIENT, account, "Mail.Read")


def ending_soon(world: World, *, is_ours: bool) -> None:
    """No library returns a token that expires within five minutes, whichever library wrote it."""
    if is_ours:
        world.we_sign_in(WORK)
    else:
        world.they_sign_in(WORK)
    now = int(time.time())
    times = {"cached_at": now - 3400, "expires_on": now + 200, "extended_expires_on": now + 200}
    texts = {name: str(moment) for name, moment in times.items()}

    def aged(key: str, entry: Entry) -> tuple[str, Entry]:
        # For its own tokens, Tessera also uses a clock that cannot be set.
        return key, {**{name: entry[name] for name in FIELDS}, **texts}

    rewritten(world, "AccessToken", aged)
    (account,) = world.theirs(WORK).get_accounts()
    nothing_for_us(
        world, lambda app, home: app.acquire_token_silent([WORK.scope], account=home), CLIENT
    )
    nothing_for_them(world, CLIENT, account, WORK.scope)


def rewritten(
    world: World, section: str, change: Callable[[str, Entry], tuple[str, Entry]]
) -> None:
    """Modifies entries of the file, like a user with an editor."""
    document = world.document()
    document[section] = dict(change(key, entry) for key, entry in document[section].items())
    world.file.write_text(json.dumps(document))


def keys_of_any_kind(world: World) -> None:
    """Records are found by their contents, regardless of their keys."""
    theirs = world.they_sign_in(WORK)
    sections = ("AccessToken", "RefreshToken", "IdToken", "Account", "AppMetadata")
    for number, section in enumerate(sections):
        start = f"{number}, "

        def renamed(key: str, entry: Entry, start: str = start) -> tuple[str, Entry]:
            return start + str(len(key)), entry

        rewritten(world, section, renamed)
    expect(world.we_hit(WORK) == theirs["access_token"], "it is another token")


def they_sign_out(world: World) -> None:
    """A sign-out with MSAL Python is visible to a running program with Tessera."""
    world.they_sign_in(WORK)
    with world.ours(WORK) as application:
        (account,) = application.get_accounts()
        application.acquire_token_silent([WORK.scope], account=account)
        program = world.theirs(WORK)
        program.remove_account(program.get_accounts()[0])
        expect(not application.get_accounts(), "Tessera still lists the removed account")
        try:
            application.acquire_token_silent([WORK.scope], account=account)
        except tessera_identity.TesseraError:
            return
    expect(False, "Tessera still has a token of the removed account")


def we_sign_out(world: World) -> None:
    """A sign-out with Tessera is visible to a running program with MSAL Python."""
    world.we_sign_in(WORK)
    program = world.theirs(WORK)
    (known,) = program.get_accounts()
    peer.expect_token(program.acquire_token_silent([WORK.scope], known), "cache")
    with world.ours(WORK) as application:
        (account,) = application.get_accounts()
        application.remove_account(account)
    expect(not program.get_accounts(), "MSAL Python still lists the removed account")
    expect(
        program.acquire_token_silent([WORK.scope], known) is None, "MSAL Python still has a token"
    )
    for section in ("AccessToken", "RefreshToken", "IdToken"):
        expect(not world.document().get(section), f"there are left {world.document()[section]}")


def family(world: World) -> None:
    """An application of a family uses the refresh token of another one, whichever library wrote it."""
    provider = world.provider(WORK)
    provider.command("set", family_client_ids=[CLIENT, OTHER], rotates_refresh_tokens=False)
    try:
        world.they_sign_in(WORK)
        with world.ours(WORK, client=OTHER, is_online=True) as application:
            (account,) = application.get_accounts()
            result = application.acquire_token_silent([WORK.scope], account=account)
        expect(result.source == "network", "the sibling's token is not of its own")
        world.clear()
        world.we_sign_in(WORK)
        program = world.theirs(WORK, client=OTHER, is_online=True)
        (known,) = program.get_accounts()
        peer.expect_token(program.acquire_token_silent([WORK.scope], known), "identity_provider")
    finally:
        provider.command("set", family_client_ids=[], rotates_refresh_tokens=True)


ROWS: dict[str, Callable[[World], None]] = {
    **{
        f"{title}: {name}": (lambda world, row=row, kind=kind: row(world, kind))  # type: ignore[misc]
        for title, row in {
            "they sign in, we read": they_write, "we sign in, they read": we_write,
            "they sign in, we refresh": we_refresh, "we sign in, they refresh": they_refresh,
        }.items()
        for name, kind in KINDS.items()
    },
    "tokens of services": services,
    "separate records, theirs": lambda world: not_for_them(world, is_ours=False),
    "separate records, ours": lambda world: not_for_them(world, is_ours=True),
    "ends soon, theirs": lambda world: ending_soon(world, is_ours=False),
    "ends soon, ours": lambda world: ending_soon(world, is_ours=True),
    "keys of any kind": keys_of_any_kind,
    "they sign out": they_sign_out,
    "we sign out": we_sign_out,
    "a family of applications": family,
}  # fmt: skip
