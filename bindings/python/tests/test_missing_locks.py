# SPDX-License-Identifier: MIT
"""Stores on systems without locks of open file descriptions, or without shared mappings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from failing import FAILURES, shim
from own_process import PRELUDE, SIGN_IN, USE, output
from real import CLIENT, LIBRARY, needs_library, provider, running, settings, sign_in
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from provider import Provider

pytestmark = needs_library

__all__ = ["provider", "running", "settings", "shim"]


@pytest.fixture(params=FAILURES, ids=str)
def failing(request: pytest.FixtureRequest, shim: Path, tmp_path: Path) -> dict[str, str]:
    """Returns an environment in which some system calls fail for the files of the store."""
    return {"LD_PRELOAD": str(shim), "TEST_FOLDER": str(tmp_path), **FAILURES[request.param]}


def test_store_works_where_locks_or_mappings_fail(
    settings: dict[str, Any], provider: Provider, failing: dict[str, str]
) -> None:
    """A cached token is read, and commits are stored."""
    with PublicClientApplication(CLIENT, **settings) as made:
        sign_in(made, provider)
    assert output(USE, settings, **failing) == "used"
    assert output(USE, settings, **failing) == "used"
    assert output(USE, settings) == "used"


def test_new_store_is_made_where_locks_or_mappings_fail(
    settings: dict[str, Any], provider: Provider, failing: dict[str, str]
) -> None:
    state, url = json.loads(output(SIGN_IN, settings, **failing))
    settings_again = f"""
with application() as made:
    result = made.complete_sign_in({state!r}, url={provider.visit(url)!r})
    print(result.persisted)
"""
    assert output(settings_again, settings, **failing) == "True"
    assert output(USE, settings, **failing) == "used"


RACE = """
with application() as made:
    (account,) = made.get_accounts()
    for _ in range(8):
        fresh = made.acquire_token_silent(SCOPES, account=account, force_refresh=True)
        assert fresh.persisted, fresh
print("done")
"""


def test_processes_exclude_each_other_without_description_locks(
    settings: dict[str, Any], provider: Provider, shim: Path, tmp_path: Path
) -> None:
    """Two processes with two threads each refresh one account; no rotated refresh token is sent twice."""
    with PublicClientApplication(CLIENT, **settings) as made:
        sign_in(made, provider)
    reuses = provider.count("refresh_token_reuses")
    text = json.dumps(settings, default=os.fspath)
    threads = RACE.replace("\n", "\n    ")
    code = PRELUDE + f"""
failures = []
def work():
  try:
    {threads}
  except BaseException as error:
    failures.append(repr(error))
threads = [threading.Thread(target=work) for _ in range(2)]
[each.start() for each in threads]
[each.join() for each in threads]
sys.exit("; ".join(failures) or 0)
"""
    failing = {"LD_PRELOAD": str(shim), "TEST_FOLDER": str(tmp_path), **FAILURES["locks EINVAL"]}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, text], env=os.environ | failing,
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    for each in started:
        problem = each.communicate(timeout=200)[1]
        assert each.returncode == 0, problem
    assert provider.count("refresh_token_reuses") == reuses


def test_second_copy_in_a_process_is_refused_without_description_locks(
    settings: dict[str, Any], provider: Provider, shim: Path, tmp_path: Path
) -> None:
    with PublicClientApplication(CLIENT, **settings) as made:
        sign_in(made, provider)
    copy = tmp_path.parent / f"{tmp_path.name}-libtessera.so"
    copy.write_bytes(Path(LIBRARY or "").read_bytes())
    code = f"""
from ctypes import CDLL
from tessera_identity import _native
with application() as made:
    (account,) = made.get_accounts()
    made.acquire_token_silent(SCOPES, account=account, force_refresh=True)
    _native._library = _native._declared(CDLL({str(copy)!r}))
    with application() as other:
        try:
            other.get_accounts()
        except TesseraError as error:
            print(error.code, "another copy" in str(error))
        else:
            print("allowed")
    os._exit(0) if sys.stdout.flush() is None else None
"""
    failing = {"LD_PRELOAD": str(shim), "TEST_FOLDER": str(tmp_path), **FAILURES["locks EINVAL"]}
    assert output(code, settings, **failing) == "store_unavailable True"
    assert output(code, settings) == "allowed"


def test_child_is_refused_the_store_of_its_parent_without_description_locks(
    settings: dict[str, Any], provider: Provider, shim: Path, tmp_path: Path
) -> None:
    """Also after the child has used another store."""
    for group in (settings.get("group"), "other"):
        with PublicClientApplication(CLIENT, **{**settings, "group": group}) as made:
            sign_in(made, provider)
    code = """
with application() as made:
    made.get_accounts()
    if os.fork() == 0:
        own, settings["group"] = settings.get("group"), "other"
        with application() as other:
            other.get_accounts()
        settings["group"] = own
        try:
            with application() as again:
                again.get_accounts()
            print("allowed", flush=True)
        except TesseraError as error:
            print(error.code, "parent process" in str(error), flush=True)
        os._exit(0)
    os.wait()
"""
    failing = {"LD_PRELOAD": str(shim), "TEST_FOLDER": str(tmp_path), **FAILURES["locks EINVAL"]}
    assert output(code, settings, **failing) == "store_unavailable True"
    assert output(code, settings) == "allowed"
