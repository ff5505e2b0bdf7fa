# SPDX-License-Identifier: MIT
"""MSAL Python's own tests have the same results with Tessera's store as with MSAL's cache in memory."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from distributions import source_distribution
from real import needs_library

pytestmark = needs_library

HERE = Path(__file__).parent
FILES = (
    "token_cache", "application", "account_source", "individual_cache", "ccs", "region", "optional_thumbprint",
)  # fmt: skip
"""The test files that need neither Microsoft's servers nor a broker."""
ALIASES = {
    "TestClientApplicationForAuthorityMigration::test_acquire_token_silent_should_find_rt_under_different_alias",
    "TestClientApplicationForAuthorityMigration::test_get_accounts_should_find_accounts_under_different_alias",
}
"""The tests that expect a stored entry to keep the host name with which it was written.

Tessera stores the preferred name of the cloud, as MSAL for iOS and macOS does. All names find accounts and tokens.
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of the installed version of MSAL, with its tests."""
    root = source_distribution("msal", tmp_path_factory.mktemp("msal"))
    # The tests import the installed MSAL, as the binding does.
    (root / "msal").rename(root / "source")
    return root


def results(process: subprocess.Popen[str]) -> dict[str, str]:
    """Returns the result of each test."""
    output, _ = process.communicate(timeout=280)
    return {
        found[2].partition("::")[2]: found[1]
        for found in re.finditer(r"^(PASSED|FAILED|ERROR) (\S+)", output, re.MULTILINE)
    }


def test_msal_tests_pass_as_before(suite: Path, tmp_path: Path) -> None:
    """Only the host names of stored entries differ."""
    files = [f"tests/test_{name}.py" for name in FILES]
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "msal_suite_plugin", "-p", "no:cacheprovider",
               "-c", os.devnull, "--rootdir", ".", "--import-mode", "importlib", *files]  # fmt: skip
    in_memory, in_store = (
        subprocess.Popen(
            command, cwd=suite, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path]), "SUITE_CACHE": cache,
                 "SUITE_DIRECTORY": str(tmp_path)},
        )
        for cache in ("msal", "tessera")
    )  # fmt: skip
    before, now = results(in_memory), results(in_store)
    assert list(before.values()).count("PASSED") > 200
    lost = {
        name for name, result in before.items() if result == "PASSED" and now.get(name) != "PASSED"
    }
    assert lost == ALIASES
