# SPDX-License-Identifier: MIT
"""Sign-out: requests and results with the fake library, the effects with the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tessera_identity
from fake import SIGN_OUT, Fake
from real import SCOPES, needs_library, provider, running, sign_in
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from pathlib import Path

    from provider import Provider

__all__ = ["provider", "running"]


def test_request_and_report(application: PublicClientApplication, fake: Fake) -> None:
    error = {"remedy": "retry_later", "code": "network_failed", "message": "No."}
    report = {
        "scope": "every_application", "accounts": [], "removed": {"refresh_tokens": 2},
        "remaining": [{"kind": "handed_out_access_tokens", "expires_on": 5}],
        "revocations": [
            {"client_id": "a", "revoked": True},
            {"client_id": "b", "revoked": False, "error": error},
        ],
        "end_session_url": "https://login.example/logout", "warnings": ["w"],
    }  # fmt: skip
    fake.set_response(SIGN_OUT, report)
    made = application.sign_out(
        "uid.utid", scope="every_application", revoke_tokens=True, end_session=True, timeout=2
    )
    assert fake.request(SIGN_OUT) == {
        "home_account_id": "uid.utid", "scope": "every_application", "revoke_tokens": True,
        "end_session": True, "timeout_milliseconds": 2000,
    }  # fmt: skip
    assert made.removed["refresh_tokens"] == 2
    assert made.remaining[0].kind == "handed_out_access_tokens"
    assert made.remaining[0].expires_on == 5
    assert [each.revoked for each in made.revocations] == [True, False]
    assert isinstance(made.revocations[1].error, tessera_identity.RetryLater)
    assert made.revocations[0].error is None
    assert made.warnings == ("w",)


@needs_library
def test_signed_out_of_the_machine(provider: Provider, tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "authority": provider.oidc_issuer,
        "authority_type": "openid",
        "store_directory": tmp_path / "store",
    }
    with PublicClientApplication("one", **settings) as one:
        account = sign_in(one, provider).account
        assert one.acquire_token_silent(SCOPES, account=account).source == "cache"
        before = provider.count("revocations")
        report = one.sign_out(account, revoke_tokens=True, end_session=True)
        assert provider.count("revocations") == before + 1
        assert [each.revoked for each in report.revocations] == [True]
        assert report.end_session_url is not None
        assert one.get_accounts() == ()
        sign_in(one, provider)
        with PublicClientApplication("else", group="other", **settings) as other:
            sign_in(other, provider)
            with PublicClientApplication("two", **settings) as two:
                report = two.sign_out(scope="machine")
            assert report.removed["accounts"] == 1
            # Programs that never shared the store keep their tokens, and are reported.
            paths = [each.path for each in report.remaining if each.kind == "other_group"]
            assert paths == [str(tmp_path / "store/other.db")]
            assert len(other.get_accounts()) == 1
        assert one.get_accounts() == ()
