# SPDX-License-Identifier: MIT
"""POSIX locks of a process, where the system refuses locks of open file descriptions for some files."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from failing import FAILURES, shim
from own_process import PRELUDE, output, run
from real import CLIENT, needs_library, provider, running, settings, sign_in
from tessera_identity import PublicClientApplication

if TYPE_CHECKING:
    from pathlib import Path

    from provider import Provider

pytestmark = needs_library

__all__ = ["provider", "running", "settings", "shim"]

LOCKS = f"""
import pathlib, re
CLIENT = {CLIENT!r}
""" + """
def locks(inode):
    \"\"\"Return the kinds of locks that this process has on a file.\"\"\"
    found = set()
    for entry in pathlib.Path("/proc/self/fdinfo").iterdir():
        try:
            text = entry.read_text()
        except OSError:
            continue
        found |= {line.split()[2] for line in re.findall("lock:.*", text) if f":{inode} " in line}
    return sorted(found)
def opened():
    return [str(entry.readlink()) for entry in pathlib.Path("/proc/self/fd").iterdir() if entry.exists()]
def used(**changes):
    made = PublicClientApplication(CLIENT, **{**settings, **changes})
    made.get_accounts()
    return made
def database(**changes):
    return pathlib.Path({**settings, **changes}["store_directory"]) / "default.db"
"""


def test_store_keeps_its_locks_when_another_store_has_no_description_locks(
    settings: dict[str, Any], provider: Provider, shim: Path, tmp_path: Path
) -> None:
    """The kind of lock is decided for each file."""
    other = tmp_path / "other"
    for directory in (settings["store_directory"], other):
        with PublicClientApplication(CLIENT, **{**settings, "store_directory": directory}) as made:
            sign_in(made, provider)
    code = LOCKS + f"""
other = {str(other)!r}
inode = database().stat().st_ino
first = used()
refused = used(store_directory=other)
second = used()
first.close()
print(locks(database(store_directory=other).stat().st_ino), locks(inode))
"""
    failing = {"LD_PRELOAD": str(shim), "TEST_FOLDER": str(other), **FAILURES["locks EINVAL"]}
    assert output(code, settings, **failing) == "['POSIX'] ['OFDLCK']"


def test_closing_an_earlier_opening_keeps_process_locks(
    settings: dict[str, Any], provider: Provider, shim: Path, tmp_path: Path
) -> None:
    """A sandbox may refuse description locks after the first connection was opened."""
    with PublicClientApplication(CLIENT, **settings) as made:
        sign_in(made, provider)
    code = LOCKS + f"""
inode = database().stat().st_ino
index = database().with_name("default.db-shm").stat().st_ino
first = used()
os.environ["TEST_LOCK_ERROR"] = "{errno.EINVAL}"
second = used()
both = locks(inode)
del os.environ["TEST_LOCK_ERROR"]
first.close()
print(both, locks(inode), locks(index))
second.close()
print(locks(inode), locks(index), [path for path in opened() if path.endswith("-shm")])
"""
    failing = {"LD_PRELOAD": str(shim), "TEST_FOLDER": str(tmp_path)}
    done = run(code, settings, **failing)
    assert done.stdout.splitlines() == [
        "['OFDLCK', 'POSIX'] ['POSIX'] ['POSIX']",
        "[] [] []",
    ], done.stderr


def test_repair_of_a_store_keeps_process_locks(
    settings: dict[str, Any], provider: Provider, shim: Path, tmp_path: Path
) -> None:
    """The repair copies the damaged database, and closes it."""
    with PublicClientApplication(CLIENT, **settings) as made:
        sign_in(made, provider)
    code = LOCKS + """
import subprocess
inode = database().stat().st_ino
first = used()
# In another process: to close the file in this one would drop the locks.
damage = ["dd", "if=/dev/zero", f"of={database()}", "bs=100", "count=1", "conv=notrunc", "status=none"]
subprocess.run(damage, check=True)
with application() as second:
    second.begin_sign_in(SCOPES)
print(inode != database().stat().st_ino, locks(inode))
"""
    failing = {"LD_PRELOAD": str(shim), "TEST_FOLDER": str(tmp_path), **FAILURES["locks EINVAL"]}
    assert output(code, settings, **failing) == "True ['POSIX']"


HOLD = """
import fcntl, pathlib, sys, time
cache, text = pathlib.Path(sys.argv[1]), sys.argv[2]
with open(f"{cache}.lockfile", "w") as lock:
    fcntl.lockf(lock, fcntl.LOCK_EX)
    cache.write_text("{")
    print("held", flush=True)
    time.sleep(1.5)
    cache.write_text(text)
"""


def test_writer_of_a_shared_cache_is_waited_for_without_description_locks(
    settings: dict[str, Any], provider: Provider, shim: Path, tmp_path: Path
) -> None:
    """MSAL for Java holds the lock as a POSIX lock alone."""
    cache = tmp_path / "cache.json"
    shared = {**settings, "msal_cache": str(cache)}
    with PublicClientApplication(CLIENT, **shared) as made:
        sign_in(made, provider)
    command = [sys.executable, "-c", HOLD, str(cache), cache.read_text()]
    failing = {"LD_PRELOAD": str(shim), "TEST_FOLDER": str(tmp_path), **FAILURES["locks EINVAL"]}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        code = "with application() as made: print(len(made.get_accounts()))"
        assert output(code, shared, **failing) == "1"
    # MSAL caches contain the tokens unencrypted, and the remaining files are searched for tokens.
    cache.unlink()


def test_threads_exclude_each_other_when_description_locks_begin_to_be_refused(
    settings: dict[str, Any], provider: Provider, shim: Path, tmp_path: Path
) -> None:
    """A sandbox may refuse description locks while a thread refreshes."""
    with PublicClientApplication(CLIENT, **settings) as made:
        sign_in(made, provider)
    code = LOCKS + f"""
import time
first = used()
(account,) = first.get_accounts()
def refresh(made, timeout):
    made.acquire_token_silent(SCOPES, account=account, force_refresh=True, timeout=timeout)
thread = threading.Thread(target=refresh, args=(first, 60))
print("ready", flush=True)
sys.stdin.readline()
thread.start()
while not locks(database().with_name("default.lock").stat().st_ino):
    time.sleep(0.01)
os.environ["TEST_LOCK_ERROR"] = "{errno.EINVAL}"
try:
    refresh(application(), 1)
except TesseraError as error:
    print(error.code, flush=True)
thread.join()
"""
    text = json.dumps(settings, default=os.fspath)
    failing = {"LD_PRELOAD": str(shim), "TEST_FOLDER": str(tmp_path)}
    command = [sys.executable, "-c", PRELUDE + code, text]
    with subprocess.Popen(
        command, env=os.environ | failing, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as started:  # fmt: skip
        assert started.stdin is not None
        assert started.stdout is not None
        assert started.stdout.readline() == "ready\n"
        with provider.held():
            started.stdin.write("\n")
            started.stdin.flush()
            assert started.stdout.readline() == "store_busy\n"
