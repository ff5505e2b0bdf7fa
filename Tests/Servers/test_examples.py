# SPDX-License-Identifier: MIT
"""A user's steps with the examples: sign in, get tokens in several programs, refresh, sign out."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING

import pytest

import programs
from programs import run_at_once

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Examples
    from server import Glewlwyd
    from user import User

EACH_LANGUAGE = pytest.mark.parametrize("language", programs.LANGUAGES)


@EACH_LANGUAGE
def test_sign_in_and_everything_after(
    language: Callable[[str], list[str]], examples: Examples, alice: User
) -> None:
    mine = examples(language)
    assert mine.run("get_token").status == 1
    signed_in = mine.sign_in(alice.approve)
    assert (signed_in.status, signed_in.complaint) == (0, "")
    assert signed_in.answer["source"] == "network"
    assert signed_in.answer["username"] == "alice"
    assert 3500 < signed_in.answer["expires_on"] - time.time() <= 3600

    # Programs of all languages have the same token without a request to the provider.
    for command in programs.LANGUAGES:
        assert examples(command).run("get_token").answer == {**signed_in.answer, "source": "cache"}
    (account,) = mine.run("accounts").answer["accounts"]
    assert account["username"] == "alice"

    assert mine.run("sign_out").answer["removed"] is True
    assert mine.run("accounts").answer == {"accounts": []}
    signed_out = mine.run("get_token")
    assert signed_out.status == 1
    assert "sign in with sign_in" in signed_out.complaint


@EACH_LANGUAGE
def test_forced_refresh_rotates_the_refresh_token(
    language: Callable[[str], list[str]], examples: Examples, alice: User, tmp_path: Path
) -> None:
    mine = examples(language)
    tokens = [mine.sign_in(alice.approve).answer["fingerprint"]]
    shutil.copytree(tmp_path / "store", tmp_path / "old")
    for _ in range(2):
        refreshed = mine.run("get_token", "--force-refresh")
        assert (refreshed.status, refreshed.answer["source"]) == (0, "network")
        tokens.append(refreshed.answer["fingerprint"])
        assert mine.run("get_token").answer == {**refreshed.answer, "source": "cache"}
    assert len(set(tokens)) == 3

    # The copy still has the first refresh token. Its use revokes the whole sign-in.
    old = examples(language, store=tmp_path / "old")
    for reused in (old, mine):
        refused = reused.run("get_token", "--force-refresh")
        assert refused.status == 1
        assert "The server rejected" in refused.complaint
        assert "sign in with sign_in" in refused.complaint


def test_expired_token_is_renewed(examples: Examples, alice: User) -> None:
    mine = examples(issuer="brief")
    first = mine.sign_in(alice.approve).answer
    for _ in range(2):
        time.sleep(max(first["expires_on"] + 0.5 - time.time(), 0))
        renewed = mine.run("get_token").answer
        assert renewed["source"] == "network"
        assert renewed["fingerprint"] != first["fingerprint"]
        assert renewed["expires_on"] > first["expires_on"]
        first = renewed


def test_programs_at_once_share_a_refresh(examples: Examples, alice: User) -> None:
    """Programs that use the same refresh token would end the sign-in."""
    languages = [examples(language, "brief") for language in programs.LANGUAGES]
    first = languages[0].sign_in(alice.approve).answer
    time.sleep(max(first["expires_on"] + 0.5 - time.time(), 0))
    outcomes = run_at_once(languages * 3, "get_token")
    assert [each.status for each in outcomes] == [0] * 9
    refreshes = [each for each in outcomes if each.answer["source"] == "network"]
    # One, unless the machine is so loaded that its token expires before the last program runs.
    assert len(refreshes) == len({each.answer["fingerprint"] for each in outcomes})
    assert languages[1].run("get_token", "--force-refresh").status == 0


def test_certificates_of_the_environment(
    examples: Examples, alice: User, server: Glewlwyd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(server.ca_file))
    assert examples(ca_file=None).sign_in(alice.approve).status == 0
