# SPDX-License-Identifier: MIT
"""Programs of MSAL Python with Tessera's store, with the real MSAL."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msal
import pytest
from msal_extensions.persistence import BasePersistence, PersistenceNotFound

import tessera_identity
from entra import AUTHORITY, CLIENT, SCOPES, TENANT, Entra
from msal_programs import confidential, new_cache, program, signed_in, store_settings
from real import needs_library
from tessera_identity import PublicClientApplication
from tessera_identity.msal import TesseraPersistence, TesseraTokenCache

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["new_cache", "store_settings"]

pytestmark = needs_library


def test_the_next_process_finds_the_token(new_cache: Callable[[], Any]) -> None:
    result = signed_in(new_cache())
    server = Entra()
    app = program(new_cache(), server)
    (account,) = app.get_accounts()
    assert account["username"] == "alice@contoso.com"
    again = app.acquire_token_silent(SCOPES, account=account)
    assert again["access_token"] == result["access_token"]
    assert server.posts == []


def test_a_running_process_sees_records_of_another_one(new_cache: Callable[[], Any]) -> None:
    first, second = program(new_cache()), new_cache()
    assert first.get_accounts() == []
    signed_in(second, "bob")
    assert [each["username"] for each in first.get_accounts()] == ["bob@contoso.com"]
    signed_in(second, "carol")
    assert len(first.get_accounts()) == 2
    signed_in(first.token_cache, "dave")
    assert len(program(second).get_accounts()) == 3


def test_sign_out_removes_everywhere(
    new_cache: Callable[[], Any], store_settings: dict[str, Any]
) -> None:
    cache = new_cache()
    signed_in(cache)
    signed_in(cache, "bob")
    other = program(new_cache())
    alice, bob = sorted(other.get_accounts(), key=lambda each: str(each["username"]))
    other.remove_account(alice)
    app = program(cache)
    assert app.get_accounts() == [bob]
    assert app.acquire_token_silent(SCOPES, account=alice) is None
    with PublicClientApplication(CLIENT, authority=AUTHORITY, **store_settings) as application:
        assert [each.username for each in application.get_accounts()] == ["bob@contoso.com"]
        assert "alice" not in application.read_cache()


def test_a_refresh_keeps_one_refresh_token(new_cache: Callable[[], Any]) -> None:
    signed_in(new_cache())
    server = Entra()
    server.posts.append({})
    app = program(new_cache(), server)
    account = app.get_accounts()[0]
    result = app.acquire_token_silent(SCOPES, account=account, force_refresh=True)
    assert server.posts[1]["refresh_token"] == "refresh 1 of alice"
    cache = new_cache()
    (token,) = cache.search("RefreshToken")
    assert token["secret"] == "refresh 2 of alice"
    again = program(cache).acquire_token_silent(SCOPES, account=account)
    assert again["access_token"] == result["access_token"] == "token 2 of alice"


def test_tessera_uses_tokens_stored_by_msal(
    new_cache: Callable[[], Any], store_settings: dict[str, Any]
) -> None:
    result = signed_in(new_cache())
    with PublicClientApplication(
        # The proxy has no listener: every request fails.
        CLIENT, authority=AUTHORITY, proxy="http://127.0.0.1:9", **store_settings,
    ) as application:  # fmt: skip
        (account,) = application.get_accounts()
        assert account.username == "alice@contoso.com"
        token = application.acquire_token_silent(SCOPES, account=account)
        assert (token.access_token, token.source) == (result["access_token"], "cache")
        assert token.tenant_id == TENANT
        # The host is another one here, but MSAL finds the stored tokens.
        assert account.environment == "login.windows.net"
        application.remove_account(account)
    assert program(new_cache()).get_accounts() == []
    signed_in(new_cache())
    with PublicClientApplication(CLIENT, authority=AUTHORITY, **store_settings) as application:
        assert application.acquire_token_silent(SCOPES, account=account).source == "cache"


def test_tokens_of_an_application_itself_come_back(
    new_cache: Callable[[], Any], store_settings: dict[str, Any]
) -> None:
    scopes = ["https://graph.microsoft.com/.default"]
    server = Entra("the application")
    app = confidential(new_cache(), server)
    plain = app.acquire_token_for_client(scopes)
    special = app.acquire_token_for_client(scopes, fmi_path="a/path")
    assert len(server.posts) == 2
    assert plain["access_token"] != special["access_token"]
    signed_in(new_cache())
    silent = Entra("another server")
    app = confidential(new_cache(), silent)
    assert app.acquire_token_for_client(scopes)["access_token"] == plain["access_token"]
    again = app.acquire_token_for_client(scopes, fmi_path="a/path")
    assert again["access_token"] == special["access_token"]
    assert silent.posts == []
    with PublicClientApplication(CLIENT, authority=AUTHORITY, **store_settings) as application:
        assert len(application.get_accounts()) == 1
    app.remove_tokens_for_client()
    assert app.acquire_token_for_client(scopes)["access_token"] == "token 1 of another server"


def test_a_token_of_another_type_is_found_under_the_host_of_its_account(
    new_cache: Callable[[], Any],
) -> None:
    host = "https://login.windows.net"
    server = Entra(token_type="ssh-cert")
    app = msal.PublicClientApplication(
        CLIENT, authority=f"{host}/{TENANT}", token_cache=new_cache(), http_client=server,
        instance_discovery=False,
    )  # fmt: skip
    data = {"token_type": "ssh-cert", "key_id": "key 1", "req_cnf": "{}"}
    first = app.acquire_token_by_refresh_token("theirs", SCOPES, data=data)
    assert "access_token" in first, first
    silent = Entra("another server")
    again = program(new_cache(), silent)
    (account,) = again.get_accounts()
    cached = again.acquire_token_silent(SCOPES, account=account, data=data)
    assert cached is not None
    assert cached["access_token"] == first["access_token"]
    assert silent.posts == []
    # Removing the account removes the token, whichever host its entry has.
    again.remove_account(account)
    assert list(new_cache().search("AccessToken")) == []


WRITER = """
import json, sys
from msal_extensions import PersistedTokenCache
from entra import Entra
from tessera_identity.msal import TesseraPersistence, TesseraTokenCache
import msal_programs
kind, directory, name = sys.argv[1:]
settings = {"store_directory": directory}
cache = TesseraTokenCache(**settings) if kind == "cache" else PersistedTokenCache(TesseraPersistence(**settings))
for number in range(10):
    msal_programs.signed_in(cache, f"{name}-{number}")
"""


@pytest.mark.parametrize("kind", ["cache", "both"])
def test_processes_that_write_at_once_lose_nothing(
    store_settings: dict[str, Any], kind: str
) -> None:
    directory = str(store_settings["store_directory"])
    folders = [Path(tessera_identity.__file__).parents[1], Path(__file__).parent]
    kinds = ["cache"] * 4 if kind == "cache" else ["cache", "persistence", "cache", "persistence"]
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, each, directory, f"p{number}"],
            env={**os.environ, "PYTHONPATH": ":".join(map(str, folders))},
        )
        for number, each in enumerate(kinds)
    ]
    assert [each.wait(timeout=120) for each in writers] == [0] * len(kinds)
    cache = TesseraTokenCache(**store_settings)
    assert len(program(cache).get_accounts()) == 40
    for kind in ("AccessToken", "RefreshToken", "IdToken"):
        assert len(list(cache.search(kind))) == 40


def test_unknown_things_come_back(store_settings: dict[str, Any]) -> None:
    before = {
        "Account": {"strange-key": {"no": "account", "nothing": None}},
        "Novelty": {"a": {"b": 1.50}},
        "version": 3,
        "AccessToken": {"atext": {"credential_type": "AccessToken", "ext_cache_key": "x"}},
    }
    text = json.dumps(before)
    persistence = TesseraPersistence(**store_settings)
    with pytest.raises(PersistenceNotFound):
        persistence.load()
    persistence.save(text)
    assert json.loads(TesseraPersistence(**store_settings).load()) == before
    persistence.save(text)
    signed_in(TesseraTokenCache(**store_settings))
    persistence.save(json.dumps({"version": 4, "Novelty": {}}))
    after = json.loads(TesseraPersistence(**store_settings).load())
    assert after["version"] == 4
    assert "Novelty" not in after
    assert len(after["Account"]) == 1
    assert len(after["RefreshToken"]) == 1


def test_large_changes_are_written_in_pieces(store_settings: dict[str, Any]) -> None:
    entries = {f"{number}": {"number": number, "text": "x" * 3000} for number in range(500)}
    TesseraPersistence(**store_settings).save(json.dumps({"Novelty": entries}))
    persistence = TesseraPersistence(**store_settings)
    assert json.loads(persistence.load()) == {"Novelty": entries}
    persistence.save("{}")
    with pytest.raises(PersistenceNotFound):
        persistence.load()


def test_data_without_a_cache_is_rejected(store_settings: dict[str, Any]) -> None:
    signed_in(TesseraTokenCache(**store_settings))
    with PublicClientApplication(CLIENT, **store_settings) as application:
        before = application.read_cache()
        for pair in (("{}", "no"), ("[]", "{}"), ("{}", '{"a":1} 2'), ("{}", "7")):
            with pytest.raises(tessera_identity.InvalidRequest) as caught:
                application.write_cache(*pair)
            assert caught.value.code == "invalid_member"
        assert application.write_cache(before, before) == (0, 0)
        assert json.loads(application.read_cache()) == json.loads(before)
        assert application.write_cache(before, "")[0] == 0
        assert application.read_cache() == "{}"


def test_it_is_a_persistence_of_msal_extensions(store_settings: dict[str, Any]) -> None:
    persistence = TesseraPersistence(**store_settings)
    assert isinstance(persistence, BasePersistence)
    assert persistence.is_encrypted is False
    directory = Path(persistence.get_location()).parent
    assert directory == store_settings["store_directory"]
    assert directory.stat().st_mode & 0o077 == 0
    with pytest.raises(ValueError, match="both"):
        TesseraTokenCache(PublicClientApplication(CLIENT, **store_settings), group="other")


WITHOUT = """
import sys
sys.modules["msal"] = None
import tessera_identity
try:
    import tessera_identity.msal
except ImportError as error:
    print(error)
"""


def test_without_msal_the_error_names_the_package() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(Path(tessera_identity.__file__).parents[1])},
    )  # fmt: skip
    assert "pip install msal" in done.stdout
