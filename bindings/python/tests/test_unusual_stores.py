# SPDX-License-Identifier: MIT
"""Stores under a strict umask, on odd file systems, in mounted files, and in programs without descriptors 0-2."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from own_process import SIGN_IN, USE, output, run
from real import CLIENT, needs_library, provider, running, settings, sign_in
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provider import Provider

pytestmark = needs_library

__all__ = ["provider", "running", "settings"]

is_root = os.geteuid() == 0
needs_root = pytest.mark.skipif(not is_root, reason="only root can mount file systems")


@pytest.fixture(autouse=True)
def removed_cache_files(tmp_path: Path) -> Iterator[None]:
    """Removes the cache files of other libraries, which contain unencrypted tokens."""
    yield
    for path in tmp_path.rglob("cache.json"):
        path.unlink()


@pytest.mark.parametrize("umask", ["0177", "0777"])
def test_umask_does_not_reduce_modes(
    settings: dict[str, Any], tmp_path: Path, umask: str
) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    settings.pop("store_directory")
    output(
        f"os.umask(0o{umask})" + SIGN_IN, settings, HOME=str(home), XDG_DATA_HOME="",
        XDG_STATE_HOME=str(home / "state/deep"),
    )
    found = {path: path.stat().st_mode & 0o777 for path in home.rglob("*")}
    assert any(path.name == "default.db" for path in found)
    assert {path.name: oct(mode) for path, mode in found.items() if path.is_dir() and mode != 0o700} == {}
    assert {path.name: oct(mode) for path, mode in found.items() if path.is_file() and mode != 0o600} == {}


FAIL = """
with application() as made:
    try:
        made.begin_sign_in(SCOPES)
    except TesseraError as error:
        print(json.dumps([error.code, str(error)]))
"""


@needs_root
def test_read_only_home_is_reported_as_such(settings: dict[str, Any], mounted: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)
    settings.pop("store_directory")
    code, message = json.loads(output(FAIL, settings, HOME=str(mounted), XDG_DATA_HOME=""))
    assert code == "store_unavailable"
    assert f"{mounted}/.local: Read-only file system" in message


@pytest.fixture
def mounted(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A separate file system; its options are the parameter."""
    place = tmp_path / "mounted"
    place.mkdir()
    options = getattr(request, "param", "mode=0700")
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", place]
    if subprocess.run(mount, check=False, stderr=subprocess.DEVNULL).returncode != 0:
        pytest.skip("a file system cannot be mounted here")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


@needs_root
@pytest.mark.parametrize("mounted", [f"mode=0700,nr_inodes={count}" for count in range(2, 9)], indirect=True)
def test_lack_of_inodes_is_a_full_store(settings: dict[str, Any], mounted: Path) -> None:
    settings["store_directory"] = mounted / "store"
    done = run(FAIL, settings)
    assert done.returncode == 0, done.stderr
    if done.stdout:
        assert json.loads(done.stdout)[0] == "store_full", done.stdout


@needs_root
@pytest.mark.parametrize("mounted", ["mode=0700,size=2m"], indirect=True)
def test_full_disk_leaves_no_part_of_a_key(settings: dict[str, Any], provider: Provider, mounted: Path) -> None:
    settings.pop("store_directory")
    settings["msal_cache"] = str(mounted / "cache.json")
    filler = mounted / "filler"
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(mounted).free)
    code, _ = json.loads(output(FAIL, settings))
    assert code == "store_full"
    assert [path.name for path in mounted.iterdir()] == ["filler"]
    filler.unlink()
    with PublicClientApplication(CLIENT, **settings) as made:
        assert sign_in(made, provider).access_token
    assert {path.name for path in mounted.iterdir()} == {"cache.json", "cache.json.tessera-sign-ins"}


@pytest.fixture
def shared(settings: dict[str, Any], provider: Provider, tmp_path: Path) -> dict[str, Any]:
    """Returns the settings of a cache file of other libraries, with a sign-in in it."""
    settings.pop("store_directory")
    settings["store"] = "msal_file"
    settings["msal_cache"] = str(tmp_path / "shared/cache.json")
    with PublicClientApplication(CLIENT, **settings) as made:
        sign_in(made, provider)
    return settings


REFRESH = """
with application() as made:
    info = made.store_info()
    (account,) = made.get_accounts()
    cached = made.acquire_token_silent(SCOPES, account=account)
    codes = []
    for _ in range(2):
        try:
            made.acquire_token_silent(SCOPES, account=account, force_refresh=True)
            codes.append("refreshed")
        except TesseraError as error:
            codes.append([error.code, str(error)])
    print(json.dumps([info.state, cached.source, codes]))
"""


def check_read_only(settings: dict[str, Any], provider: Provider, advice: str) -> None:
    """Checks that cached tokens work, no refresh token is redeemed, and the error has a remedy."""
    requests = provider.count("requests")
    state, source, failures = json.loads(output(REFRESH, settings))
    assert (state, source) == ("read_only", "cache")
    for code, message in failures:
        assert code == "store_read_only"
        assert advice in message
    assert provider.count("requests") == requests


@needs_root
def test_mounted_cache_file_spends_no_refresh_token(
    shared: dict[str, Any], provider: Provider, tmp_path: Path
) -> None:
    other = tmp_path / "inside/cache.json"
    other.parent.mkdir(mode=0o700)
    other.touch(mode=0o600)
    mount = ["mount", "--bind", shared["msal_cache"], other]
    if subprocess.run(mount, check=False, stderr=subprocess.DEVNULL).returncode != 0:
        pytest.skip("a file cannot be mounted here")
    try:
        check_read_only({**shared, "msal_cache": str(other)}, provider, "Mount its directory")
    finally:
        subprocess.run(["umount", "-l", other], check=True)


def test_unusable_lock_of_a_cache_file_spends_no_refresh_token(
    shared: dict[str, Any], provider: Provider
) -> None:
    Path(shared["msal_cache"] + ".lockfile").mkdir()
    check_read_only(shared, provider, ".lockfile")


PRINT = """
with application() as made:
    (account,) = made.get_accounts()
is_over = threading.Event()
def write():
    while not is_over.is_set():
        for descriptor in (0, 1, 2):
            try:
                os.write(descriptor, b"printed by the host" * 100)
            except OSError:
                pass
threads = [threading.Thread(target=write) for _ in range(2)]
[each.start() for each in threads]
result = 0
try:
    for _ in range(10):
        with application() as made:
            os.closerange(0, 3)
            made.acquire_token_silent(SCOPES, account=account, force_refresh=True)
except BaseException as error:
    with open(os.environ["PROBLEM"], "w") as file:
        file.write(repr(error))
    result = 1
is_over.set()
[each.join() for each in threads]
os._exit(result)
"""


def locks(folder: Path) -> list[Path]:
    """Returns the lock files of caches in a folder, which are in the user's directory for this machine."""
    name = f"tessera-msal-{folder.stat().st_ino}-*"
    return [*Path(f"/tmp/tessera-{os.geteuid()}").glob(name)]


@pytest.mark.parametrize("kind", ["sqlite", "msal_file"])
def test_output_of_the_host_does_not_reach_the_store(
    settings: dict[str, Any], provider: Provider, tmp_path: Path, kind: str
) -> None:
    """Descriptors 0 to 2 are closed, and threads print while the store is opened and used."""
    if kind == "msal_file":
        settings.pop("store_directory")
        settings.update(store="msal_file", msal_cache=str(tmp_path / "store/cache.json"))
    with PublicClientApplication(CLIENT, **settings) as made:
        sign_in(made, provider)
    for path in locks(tmp_path / "store"):
        # An earlier folder may have had the same number.
        path.write_bytes(b"")
    problem = tmp_path / "problem"
    problem.touch()
    done = run(PRINT, settings, PROBLEM=str(problem))
    assert done.returncode == 0, problem.read_text() + done.stderr
    files = [*(tmp_path / "store").iterdir(), *locks(tmp_path / "store")]
    for path in files:
        assert b"printed by the host" not in path.read_bytes(), path
    assert output(USE, settings) == "used"
