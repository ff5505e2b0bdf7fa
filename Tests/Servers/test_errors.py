# SPDX-License-Identifier: MIT
"""Errors of a real provider, and the errors that the library reports."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

import tessera_identity
from registration import SCOPES
from user import API, sign_in

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Applications, Examples
    from server import Glewlwyd
    from tessera_identity import PublicClientApplication
    from user import User


def nobody(_prompt: tessera_identity.DeviceCodePrompt) -> None:
    """Does not enter the code."""


def refused(
    application: PublicClientApplication, kind: type[tessera_identity.TesseraError]
) -> tessera_identity.TesseraError:
    """Returns the error of a sign-in that fails before it shows a code."""
    with pytest.raises(kind) as caught:
        application.acquire_token_by_device_code(API, prompt_callback=nobody, timeout=30)
    return caught.value


def test_the_user_revokes_the_sign_in(applications: Applications, alice: User) -> None:
    application = applications()
    account = sign_in(application, alice).account
    assert alice.revoke_everything("main") > 0
    # The provider reports this on request only; until then, the token is valid.
    assert application.acquire_token_silent(API, account=account).source == "cache"
    with pytest.raises(tessera_identity.SignInRequiredError) as caught:
        application.acquire_token_silent(API, account=account, force_refresh=True)
    assert caught.value.code == "refresh_token_rejected"
    assert sign_in(application, alice).account == account


def test_the_user_grants_fewer_scopes(applications: Applications, alice: User) -> None:
    granted = tuple(each for each in SCOPES if each not in API)
    result = sign_in(applications(), alice, granted)
    assert list(result.declined_scopes) == API


@pytest.mark.skip(reason="glewlwyd's pages offer no way to decline a device code")
def test_the_user_declines() -> None:
    """The tests with the local provider cover this case."""


def test_the_user_does_nothing(applications: Applications) -> None:
    began = time.monotonic()
    with pytest.raises(tessera_identity.CancelledError) as caught:
        applications().acquire_token_by_device_code(API, prompt_callback=nobody, timeout=2.5)
    assert caught.value.code == "deadline_exceeded"
    assert 2.4 < time.monotonic() - began < 3.5


def test_server_is_away(
    applications: Applications, examples: Examples, alice: User, server: Glewlwyd, tmp_path: Path
) -> None:
    lasting, brief = applications(), applications("brief", store_directory=tmp_path / "brief")
    account = sign_in(lasting, alice).account
    short = sign_in(brief, alice)
    server.stop()
    time.sleep(max(short.expires_on + 0.5 - time.time(), 0))

    assert lasting.acquire_token_silent(API, account=account).source == "cache"
    assert examples().run("get_token").answer["source"] == "cache"
    with pytest.raises(tessera_identity.RetryLaterError) as caught:
        brief.acquire_token_silent(API, account=short.account)
    assert caught.value.code == "network_failed"
    assert caught.value.retryable
    mine = examples(issuer="brief", store=tmp_path / "brief")
    unreachable = mine.run("get_token")
    assert unreachable.status == 2
    assert "try again later" in unreachable.complaint

    server.start()
    assert mine.run("get_token").answer["source"] == "network"
    assert brief.acquire_token_silent(API, account=short.account).source == "cache"


def test_unknown_authority_of_certificates(applications: Applications) -> None:
    error = refused(applications(ca_file=None), tessera_identity.ConfigurationError)
    assert error.code == "certificate_untrusted"
    assert "ca_file" in error.message
    assert "localhost" in error.message


def test_no_file_of_certificates(applications: Applications, tmp_path: Path) -> None:
    error = refused(applications(ca_file=tmp_path / "none"), tessera_identity.ConfigurationError)
    assert error.code == "certificate_untrusted"
    assert str(tmp_path / "none") in error.message


def test_issuer_with_a_slash_too_many(applications: Applications, running: Glewlwyd) -> None:
    slash = running.issuer("main") + "/"
    error = refused(applications(authority=slash), tessera_identity.ConfigurationError)
    assert error.code == "issuer_mismatch"
    assert "exactly" in error.message


def test_issuer_that_does_not_exist(applications: Applications) -> None:
    error = refused(applications("nothing"), tessera_identity.ConfigurationError)
    assert error.code == "invalid_authority"


def test_application_that_does_not_exist(applications: Applications) -> None:
    error = refused(applications(client_id="nobody"), tessera_identity.ConfigurationError)
    assert error.code == "client_rejected"
