# SPDX-License-Identifier: MIT
"""The dry run of a silent call, and the explanation of a result."""

from __future__ import annotations

import pytest

from fake import ACCOUNT, EXPLAIN, SILENT, TOKEN, Fake
from tessera_identity import Account, PublicClientApplication, SignInRequired

EXPLANATION = {
    "decision": "sign_in",
    "reason": "interaction_required",
    "message": "m",
    "home_account_id": "uid.utid",
    "authority": "https://login.microsoftonline.com/common",
    "tenant_id": "utid",
    "environments": ["login.windows.net"],
    "scopes": ["User.Read"],
    "candidates": [
        {
            "credential_type": "AccessToken",
            "role": "not_used",
            "obstacles": ["expired", "scopes_missing"],
            "client_id": "client",
            "environment": "login.windows.net",
            "tenant_id": "utid",
            "scopes": ["Mail.Read"],
            "missing_scopes": ["User.Read"],
            "expires_on": 5,
        }
    ],
    "error": {"remedy": "sign_in", "code": "interaction_required", "message": "m"},
    "store": "sqlite",
    "read_microseconds": 70,
}


def test_every_member_becomes_an_attribute(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(EXPLAIN, EXPLANATION)
    found = application.explain(["User.Read"], account=Account(ACCOUNT), claims="{}", timeout=2)
    for name in ("decision", "reason", "message", "authority", "tenant_id", "store"):
        assert getattr(found, name) == EXPLANATION[name]
    assert found.scopes == ("User.Read",)
    assert isinstance(found.error, SignInRequired)
    assert found.total_microseconds is None
    (candidate,) = found.candidates
    assert (candidate.role, candidate.obstacles) == ("not_used", ("expired", "scopes_missing"))
    assert (candidate.missing_scopes, candidate.refresh_on) == (("User.Read",), None)
    assert found.extra == candidate.extra == {}
    assert fake.request(EXPLAIN) == {
        "home_account_id": "uid.utid",
        "environment": ACCOUNT["environment"],
        "scopes": ["User.Read"],
        "claims": "{}",
        "timeout_milliseconds": 2000,
    }


def test_a_result_has_an_explanation_on_request(
    fake: Fake, application: PublicClientApplication
) -> None:
    explanation = {**EXPLANATION, "decision": "use", "reason": "valid", "total_microseconds": 9}
    fake.set_response(SILENT, TOKEN)
    first = application.acquire_token_silent(["a"], account="uid.utid")
    fake.set_response(SILENT, {**TOKEN, "explanation": explanation})
    result = application.acquire_token_silent(["a"], account="uid.utid", explain=True)
    assert result.explanation is not None
    assert result.explanation.total_microseconds == 9
    assert fake.request(SILENT)["explain"] is True
    fake.set_response(SILENT, TOKEN)
    assert application.acquire_token_silent(["a"], account="uid.utid") is first
    assert first.explanation is None
    assert "explain" not in fake.request(SILENT)


def test_one_string_is_not_several_scopes(application: PublicClientApplication) -> None:
    with pytest.raises(TypeError):
        application.explain("User.Read", account="uid.utid")
