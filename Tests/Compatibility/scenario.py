# SPDX-License-Identifier: MIT
"""Calls that write a store with records of every kind, read it, and then change it."""

from __future__ import annotations

import json
import urllib.parse
from typing import Any

from authorities import CONTOSO, ENTRA, EXPIRES_ON, FABRIKAM, FAMILY, encoded, object_id
from stores import Call, Document, Store

MAIN, SECOND = FAMILY
OTHER = "00001111-aaaa-4000-8000-00000000000c"
API = "https://api.contoso.com/read"
HOST = "login.microsoftonline.com"


def home(name: str) -> Document:
    """Returns the home account ID of a user, as a member of a request."""
    return {"home_account_id": f"{object_id(name)}.{CONTOSO}"}


ALICE, BOB = home("alice"), home("bob")
THROTTLED = {**ALICE, "scopes": ["Throttled.Read"]}
REJECTED = {**BOB, "scopes": ["Rejected.Read"]}
APPLICATION: Document = {
    "AccessToken": {
        f"-{HOST}-accesstoken-{OTHER}-{CONTOSO}-https://graph.microsoft.com/.default": {
            "credential_type": "AccessToken", "secret": "fake-access-token-application", "home_account_id": None,
            "environment": HOST, "client_id": OTHER, "realm": CONTOSO, "token_type": "Bearer",
            "target": "https://graph.microsoft.com/.default", "cached_at": "1700000000",
            "expires_on": str(EXPIRES_ON), "extended_expires_on": str(EXPIRES_ON),
            "member_of_a_later_version": [1, 2.5, None, {"a": "b"}],
        },
    },
}  # fmt: skip
"""An app-only token as MSAL stores it, with a member that Tessera does not know."""
JUDY: Document = {
    "Account": {
        f"{home('judy')['home_account_id']}-{HOST}-{CONTOSO}": {
            **home("judy"), "environment": HOST, "realm": CONTOSO, "local_account_id": object_id("judy"),
            "username": "judy@contoso.com", "authority_type": "MSSTS",
            "client_info": encoded({"uid": object_id("judy"), "utid": CONTOSO}),
        },
    },
    "RefreshToken": {
        f"{home('judy')['home_account_id']}-{HOST}-refreshtoken-{MAIN}--": {
            **home("judy"), "credential_type": "RefreshToken", "secret": "fake-refresh-token-judy-0",
            "environment": HOST, "client_id": MAIN, "last_modification_time": "1700000000",
        },
    },
}  # fmt: skip
"""The sign-in of a user as MSAL stores it."""
ADAL = [{
    "tokenType": "Bearer", "accessToken": "fake", "refreshToken": "fake-refresh-token-grace-0",
    "expiresIn": 3599, "expiresOn": "2021-01-01 00:00:00.000001", "resource": "https://graph.windows.net",
    "userId": "grace@contoso.com", "isMRRT": True, "_clientId": MAIN, "_authority": f"{ENTRA}/common",
}]  # fmt: skip
"""A cache of ADAL for Python."""


class Scenario:
    """Calls in a store, each in a new process, and their results."""

    def __init__(self, store: Store) -> None:
        assert store.front
        self.store, self.front = store, store.front
        self.results: list[list[Any]] = []
        """The function, the status and the document of each call."""

    def call(self, name: str, request: Document | None = None, **members: Any) -> Document:
        """Makes a call with an application whose configuration has additional members."""
        [result] = self.store.calls(self.store.configuration(**members), (name, request))
        self.results.append([name, *result])
        return dict(result[1])

    def silent(self, request: Document, **members: Any) -> None:
        """Requests a token silently."""
        self.call("acquire_token_silent", request, **members)

    def begin(self, user: str, *scopes: str, claims: str | None = None, **members: Any) -> Document:
        """Starts the sign-in of a user, which is valid for a day."""
        self.front.username = f"{user}@contoso.com"
        request = {"login_hint": self.front.username, "lifetime_seconds": 86400, "claims": claims}
        return self.call("begin_sign_in", {"scopes": scopes, **request}, **members)

    def complete(self, begun: Document, **members: Any) -> None:
        """Completes a sign-in with the redirect after a successful login."""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(begun["url"]).query))
        self.front.nonce = query["nonce"]
        response = urllib.parse.urlencode({"code": "fake-code", "state": query["state"]})
        redirect = {"state": begun["state"], "url": f"{begun['redirect_uri']}?{response}"}
        self.call("complete_sign_in", redirect, **members)

    def sign_in(self, user: str, *scopes: str, **members: Any) -> None:
        """Signs a user in, in two processes."""
        self.complete(self.begin(user, *scopes, **members), **members)

    def write(self) -> Document:
        """Stores records of every kind; returns a pending sign-in."""
        self.call("acquire_token_by_device_code", {"scopes": ["User.Read", "Mail.Read"]})
        self.front.refresh_on = EXPIRES_ON - 86400
        self.sign_in("bob", "User.Read", extra_token_parameters={"fake_parameter": "value"})
        for user, at in (("carol", "openid"), ("dave", "b2c"), ("erin", "ciam"), ("frank", "adfs")):
            self.sign_in(user, API, at=at)
        self.silent({**ALICE, "scopes": ["Files.Read"]}, client=SECOND)
        self.silent({**BOB, "scopes": ["Files.Read"]}, client=SECOND)
        self.call("sign_out", BOB, client=SECOND)
        self.silent({**ALICE, "scopes": ["User.Read"], "authority": f"{ENTRA}/{FABRIKAM}"})
        self.silent({**ALICE, "scopes": ["User.Read"]}, client_capabilities=["CP1"])
        self.silent({**ALICE, "scopes": ["Tasks.Read"], "claims": '{"access_token":{"nbf":{}}}'})
        self.sign_in("henry", "User.Read")
        self.call("sign_out", {**home("henry"), "end_session": True})
        self.sign_in("ivy", "read", at="openid")
        revoked = {"home_account_id": "subject-ivy", "revoke_tokens": True, "end_session": True}
        self.call("sign_out", revoked, at="openid")
        self.sign_in("alice", "Contacts.Read", client=OTHER)
        self.call("get_current_account", client=OTHER)
        self.call("write_cache", {"before": "", "after": json.dumps(APPLICATION)})
        if self.store.kind == "sqlite":
            old = self.store.folder / "adal.json"
            old.write_text(json.dumps(ADAL))
            self.call("migrate", {"path": str(old)})
        self._fail()
        return self.begin("alice", "Notes.Read", claims='{"id_token":{"email":null}}')

    def _fail(self) -> None:
        """Requests tokens while the server is unavailable, and while it rejects requests."""
        self.front.failure = (503, {})
        self.silent(THROTTLED)
        challenge = '{"access_token":{"fake":{"essential":true}}}'
        self.front.failure = (400, {
            "error": "invalid_grant", "suberror": "message_only", "error_codes": [50076], "claims": challenge,
            "correlation_id": "fake-correlation", "trace_id": "fake-trace",
        })  # fmt: skip
        self.silent(REJECTED)
        self.front.failure = None

    def proceed(self, begun: Document) -> None:
        """Uses a written store: completes the sign-in, refreshes, imports, removes and signs out."""
        self.front.username = "alice@contoso.com"
        self.complete(begun)
        self.complete(begun)
        self.silent({**ALICE, "scopes": ["User.Read"], "force_refresh": True})
        self.silent({**ALICE, "scopes": ["Chat.Read"]}, client=SECOND)
        for user, at in (("subject-carol", "openid"), ("subject-frank", "adfs")):
            self.silent({"home_account_id": user, "scopes": [API], "force_refresh": True}, at=at)
        self.silent({**home("erin"), "scopes": [API], "force_refresh": True}, at="ciam")
        if self.store.kind == "sqlite":
            self.silent({"username": "grace@contoso.com", "scopes": ["User.Read"]})
        self.call("remove_account", home("dave"), at="b2c")
        self.call("write_cache", {"before": "", "after": json.dumps(JUDY)})
        self.silent({**home("judy"), "scopes": ["User.Read"]})
        self.call("sign_out", {**BOB, "scope": "every_application"})
        self.call("get_accounts", {"claims": True})
        if self.store.kind == "sqlite":
            self.call("rotate_store_key")
        self.call("get_store_info")
        self.call("read_cache")


READS: dict[str, tuple[Document, list[Call]]] = {
    "main": ({}, [
        ("get_accounts", {"claims": True}), ("get_accounts", {"signed_in_only": False}),
        ("get_account", {"username": "bob@contoso.com"}), ("get_account", {"username": "zoe@contoso.com"}),
        ("acquire_token_silent", {**ALICE, "scopes": ["user.read"]}),
        ("acquire_token_silent", {**ALICE, "scopes": ["Mail.Read", "User.Read"]}),
        ("acquire_token_silent", {**ALICE, "scopes": ["User.Read"], "authority": f"{ENTRA}/{FABRIKAM}"}),
        ("acquire_token_silent", {**BOB, "scopes": ["User.Read"], "explain": True}),
        ("acquire_token_silent", {**home("henry"), "scopes": ["User.Read"]}),
        ("acquire_token_silent", {**ALICE, "scopes": []}), ("acquire_token_silent", {"scope": "User.Read"}),
        ("acquire_token_silent", {**ALICE, "scopes": ["New.Read"], "timeout_milliseconds": 9000}),
        ("explain", {**ALICE, "scopes": ["User.Read"]}), ("explain", {**ALICE, "scopes": ["New.Read"]}),
        ("explain", THROTTLED), ("acquire_token_silent", THROTTLED), ("acquire_token_silent", REJECTED),
        ("get_store_info", None), ("export_sign_ins", {"format": "apple_keychain"}),
        ("export_sign_ins", {"format": "adal_macos"}),
    ]),
    "second": ({"client": SECOND}, [
        ("get_accounts", None), ("acquire_token_silent", {**ALICE, "scopes": ["Files.Read"]}),
        ("explain", {**ALICE, "scopes": ["Files.Read"]}), ("explain", {**BOB, "scopes": ["Files.Read"]}),
    ]),
    "other": ({"client": OTHER}, [
        ("get_accounts", None), ("acquire_token_silent", {**ALICE, "scopes": ["Contacts.Read"]}),
        ("acquire_token_silent", {
            "for_application": True, "scopes": ["https://graph.microsoft.com/.default"],
            "authority": f"{ENTRA}/{CONTOSO}",
        }),
        ("get_current_account", None),
    ]),
    "capabilities": ({"client_capabilities": ["CP1"]}, [
        ("acquire_token_silent", {**ALICE, "scopes": ["User.Read"]}),
    ]),
    **{
        at: ({"at": at}, [
            ("get_accounts", None), ("acquire_token_silent", {**account, "scopes": [API]}),
        ])
        for at, account in (
            ("openid", {"home_account_id": "subject-carol"}), ("b2c", home("dave")),
            ("ciam", home("erin")), ("adfs", {"home_account_id": "subject-frank"}),
        )
    },
}  # fmt: skip
"""The calls that read a store: members of the configuration, and requests."""


def read(store: Store) -> list[list[Any]]:
    """Makes the calls that read; returns the application, function, status and document of each."""
    return [
        [name, call[0], *result]
        for name, (members, calls) in READS.items()
        for call, result in zip(
            calls, store.calls(store.configuration(**members), *calls), strict=True
        )
    ]
