# SPDX-License-Identifier: MIT
"""The pytest plugin: its fixtures in the tests of a program."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from real import needs_library
from tessera_identity.testing import USERNAME, LocalProvider

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_library

TESTS = """
import pytest
import tessera_identity

def test_signed_in(tessera_signed_in_application):
    (account,) = tessera_signed_in_application.get_accounts()
    token = tessera_signed_in_application.acquire_token_silent(["User.Read"], account=account)
    assert (token.account.username, token.source) == ("alice@contoso.com", "cache")

def test_another_test_has_an_empty_store(tessera_provider, tessera_application):
    assert tessera_application.get_accounts() == ()
    token = tessera_application.acquire_token_by_device_code(
        ["User.Read"], prompt_callback=tessera_provider.approver("bob@contoso.com")
    )
    assert token.account.username == "bob@contoso.com"

def test_failures(tessera_provider, tessera_application):
    begun = tessera_application.begin_sign_in(["User.Read"])
    declined = tessera_provider.visit(begun.url, decision="decline")
    with pytest.raises(tessera_identity.CancelledError):
        tessera_application.complete_sign_in(begun.state, url=declined)
"""


def test_fixtures_work_in_another_project(tmp_path: Path) -> None:
    (tmp_path / "test_program.py").write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tessera_identity.testing", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert "3 passed" in done.stdout, done.stdout


def test_provider_can_be_used_without_pytest(tmp_path: Path) -> None:
    with LocalProvider() as provider, provider.application(tmp_path / "store") as application:
        begun = application.begin_sign_in(["User.Read"])
        result = application.complete_sign_in(begun.state, url=provider.visit(begun.url))
        assert result.account.username == USERNAME
        with pytest.raises(RuntimeError, match="did not redirect"):
            provider.visit(provider.control)


def test_provider_that_cannot_start_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="ended with status"):
        LocalProvider("--no-such-option")
