# SPDX-License-Identifier: MIT
"""Account selection: exactly the right account or an error, with test cases shared with Swift and C."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tessera_identity
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from tessera_identity import Account

CASES = json.loads(
    (Path(__file__).parents[3] / "Tests/Vectors/accounts.json").read_text(encoding="utf-8")
)
PROGRAM = os.environ.get("TESSERA_FIXTURES")

pytestmark = pytest.mark.skipif(
    not (PROGRAM and os.environ.get("TESSERA_LIBRARY")),
    reason="TESSERA_LIBRARY and TESSERA_FIXTURES do not name the library and what fills the stores",
)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert PROGRAM is not None
    directory = tmp_path_factory.mktemp("stores")
    directory.chmod(0o700)
    done = subprocess.run([PROGRAM, directory], check=True, capture_output=True, text=True)
    assert int(done.stdout) == len(CASES) >= 40
    return directory


@pytest.mark.parametrize("index", range(len(CASES)), ids=[each["name"] for each in CASES])
def test_right_account_or_a_question_back(stores: Path, index: int) -> None:
    given = CASES[index]["input"]
    with PublicClientApplication(
        given["client_id"],
        authority=given["authority"],
        authority_type=given.get("authority_type"),
        group=f"case-{index}",
        store_directory=stores,
        storage_policy="allow_plaintext",
        # The proxy has no listener: every request fails.
        proxy="http://127.0.0.1:9",
    ) as application:
        for row in CASES[index]["expected"]:
            response = response_of(application, row["call"], dict(row["request"]))
            assert matches(row["answer"], response), (row, response)


def response_of(application: PublicClientApplication, name: str, request: dict[str, Any]) -> Any:
    """Returns the response to a request, or the error as the member `error`."""
    try:
        if name == "get_accounts":
            return {"accounts": application.get_accounts(**request)}
        if name == "get_account":
            return {"account": application.get_account(**request)}
        account = named(application, request.pop("home_account_id"), request.pop("environment", None))
        return application.acquire_token_silent(account=account, **request)
    except tessera_identity.TesseraError as error:
        return {"error": error}


def named(
    application: PublicClientApplication, home_account_id: str, environment: str | None
) -> Account | str:
    """Returns the account of an environment as a value, or only the identifier."""
    for account in application.get_accounts(signed_in_only=False):
        if (account.home_account_id, account.environment) == (home_account_id, environment):
            return account
    return home_account_id


def matches(expected: Any, found: Any) -> bool:
    """Whether a response has all expected members: lists of equal length, None for a missing one."""
    if isinstance(expected, dict):
        return all(matches(value, member(found, name)) for name, value in expected.items())
    if isinstance(expected, list):
        return len(expected) == len(found) and all(map(matches, expected, found))
    return bool(expected == found)


def member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else getattr(value, name)


# One case for each kind of authority with a cached token, at real addresses of such authorities.
PLACES = {
    each["input"]["authority"]: index
    for index, each in reversed(list(enumerate(CASES)))
    if any(row["answer"].get("source") == "cache" for row in each["expected"])
}
READER = """
import json, sys, tessera_identity
settings, request = json.loads(sys.argv[1]), json.loads(sys.argv[2])
with tessera_identity.PublicClientApplication("app", **settings) as application:
    accounts = application.get_accounts()
    request["account"] = request.pop("home_account_id")
    request.pop("environment", None)
    print(json.dumps([len(accounts), application.acquire_token_silent(**request).source]))
"""


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize("authority", PLACES)
def test_a_new_process_opens_no_connection(stores: Path, tmp_path: Path, authority: str) -> None:
    case = CASES[PLACES[authority]]
    settings = {
        "authority": authority, "authority_type": case["input"].get("authority_type"),
        "group": f"case-{PLACES[authority]}", "store_directory": str(stores),
        "storage_policy": "allow_plaintext",
    }  # fmt: skip
    (request, *_) = [
        row["request"] for row in case["expected"] if row["answer"].get("source") == "cache"
    ]
    trace = tmp_path / "trace"
    done = subprocess.run(
        ["strace", "-f", "-e", "trace=network", "-o", trace, sys.executable, "-c", READER,
         json.dumps(settings), json.dumps(request)],
        env={**os.environ, "PYTHONPATH": str(Path(tessera_identity.__file__).parents[1])},
        stdout=subprocess.PIPE, text=True, timeout=60, check=False,
    )  # fmt: skip
    if done.returncode != 0 and not re.search("exited with", trace.read_text()):
        pytest.skip("strace may not trace here")
    count, source = json.loads(done.stdout)
    assert count >= 1
    assert source == "cache"
    assert not re.findall(r"\b(?:connect|sendto|sendmsg|sendmmsg)\(.*", trace.read_text())


def test_every_kind_of_authority_is_among_them() -> None:
    hosts = {authority.split("/")[2] for authority in PLACES}
    assert hosts >= {
        "login.microsoftonline.com", "login.microsoftonline.us", "login.chinacloudapi.cn",
        "login.microsoftonline.de", "login.sovcloud-identity.fr", "login.sovcloud-identity.de",
        "login.sovcloud-identity.sg", "login.disconnected.example", "contoso.b2clogin.com",
        "contoso.ciamlogin.com", "adfs.contoso.example", "id.example",
    }  # fmt: skip
