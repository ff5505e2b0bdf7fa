# SPDX-License-Identifier: MIT
"""Stores with their key in the kernel, in a file or in the program, and stores without a key."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import kernel
from common import CLI, DesktopUser, Outcome, Skipped, check


def _keys(user: DesktopUser) -> list[Path]:
    return sorted((user.home / "state/tessera/keys").glob("*"))


def kernel_keyring_is_cleared(user: DesktopUser) -> None:
    """After a restart, the store is unchanged and the error has a remedy; with the key, the account is back."""
    kernel.keyring_must_work()
    user.settings = {"key_sources": ["kernel_keyring"], "storage_policy": "require_encrypted"}
    check(user.sign_in("C").answer.get("persisted") is True, "sign_in")
    user.reports(state="usable", protection="encrypted", key_source="kernel_keyring")
    user.has_token(force_refresh=True)
    key = kernel.KernelKey(user.store)
    key.clear()
    user.fails_with("key_unavailable", "kernel keyring", "cleared on reboot")
    user.reports(state="locked", set_aside=[])
    key.restore()
    user.has_token(force_refresh=True)
    key.clear()


def kernel_keyring_is_blocked(user: DesktopUser) -> None:
    """With a system call filter, as in containers, the store is unchanged; a new one gets the next source."""
    kernel.keyring_must_work()
    user.settings = {"key_sources": ["kernel_keyring", "key_file"]}
    check(user.sign_in().answer.get("persisted") is True, "sign_in")
    user.reports(key_source="kernel_keyring")
    user.prepare = kernel.block
    user.fails_with("key_unavailable", "the system denies access", "Nothing was changed")
    second = DesktopUser(user.provider, user.home / "second", user.compiled, user.settings)
    second.home.mkdir()
    second.prepare = kernel.block
    second.sign_in("C")
    info = second.reports(key_source="key_file", protection="obfuscated")
    tried = [(each["source"], each["problem"]) for each in info["attempts"]]
    check(tried == [("kernel_keyring", "blocked")], tried)
    user.prepare = None
    user.has_token()
    kernel.KernelKey(user.store).clear()


def key_file_outlives_a_restart(user: DesktopUser) -> None:
    """Without a session: a key file, announced before the first write; without the file, nothing changes."""
    result = user.sign_in("C")
    warning = result.log.find("key is in a file on the same disk")
    check(warning >= 0 and "no_bus" in result.log, "no warning in", result.log)
    (key,) = _keys(user)
    check(key.stat().st_mode & 0o777 == 0o600, "mode", oct(key.stat().st_mode))
    check(user.store not in key.parents, "the key lies in the store's directory")
    user.reports(state="usable", protection="obfuscated", key_source="key_file")
    user.has_token(force_refresh=True)
    key.rename(user.home / "elsewhere")
    user.fails_with("key_unavailable", "the key file", "Restore the file")
    user.fails_with("key_unavailable", force_refresh=True)
    (user.home / "elsewhere").rename(key)
    user.has_token()


def key_file_that_others_could_have_made(user: DesktopUser) -> None:
    """Owner, mode, links and parent directories are checked; files of other users are not read."""
    user.sign_in()
    (key,) = _keys(user)
    spare = user.home / "spare"
    os.link(key, spare)
    user.fails_with("key_unavailable", "more than one hard link")
    spare.unlink()
    key.chmod(0o660)
    user.fails_with("key_unavailable", "is writable by others")
    key.chmod(0o644)
    user.has_token()
    check(key.stat().st_mode & 0o777 == 0o600, "a readable key was not tightened")
    key.rename(spare)
    key.symlink_to(spare)
    user.fails_with("key_unavailable", "not a regular file")
    key.unlink()
    spare.rename(key)
    above = key.parent.parent.parent
    above.chmod(0o777)
    user.fails_with("key_unavailable", "is writable by all users")
    above.chmod(0o700)
    if os.geteuid() == 0:
        os.chown(key, 65533, 65533)
        user.fails_with("key_unavailable", "is owned by another user")
        os.chown(key, 0, 0)
    user.has_token()


def as_self(user: DesktopUser) -> Outcome:
    """Signs in as the user of the tests."""
    return replace(user, wrapper=()).sign_in()


def foreign_users(user: DesktopUser) -> None:
    """With another user's home, as under sudo, a user gets neither store nor key and creates no file."""
    if os.geteuid() != 0:
        raise Skipped("it takes root to run as another user")
    user.home.chmod(0o777)
    user.wrapper = ("setpriv", "--reuid=65533", "--regid=65533", "--clear-groups")
    refused = user.info()
    check(refused["problem"]["code"] == "encryption_unavailable", refused)
    check([each["problem"] for each in refused["attempts"]][1:] == ["unsafe"], refused)
    answer = user.sign_in().answer
    check(answer.get("persisted") is False, answer)
    check(not [path for path in user.home.rglob("*") if path.is_file()], "files were made")
    # Files of another user are not used either.
    check(user.store.exists(), "no directory")
    answer = as_self(user).answer
    check(answer.get("persisted") is False, answer)
    user.store.rmdir()
    user.home.chmod(0o755)
    user.wrapper = ()
    user.sign_in()
    user.wrapper = ("setpriv", "--reuid=65533", "--regid=65533", "--clear-groups")
    outcome = user.silent("C")
    check(outcome.code in ("store_unavailable", "store_unsafe"), outcome.answer)
    user.wrapper = ()
    user.has_token()


def require_encrypted_writes_nothing(user: DesktopUser) -> None:
    """An unsatisfiable policy: nothing is written before or after the sign-in, and the reasons are reported."""
    user.settings = {"storage_policy": "require_encrypted"}
    info = user.reports(state="missing")
    check(info["problem"]["code"] == "encryption_unavailable", info)
    tried = [(each["source"], each["problem"]) for each in info["attempts"]]
    check(tried == [("secret_service", "no_bus"), ("key_file", "policy")], tried)
    answer = user.sign_in().answer
    check(answer.get("persisted") is False, answer)
    check("require_encrypted" in " ".join(answer["warnings"]), answer["warnings"])
    check(not user.store.exists() or not list(user.store.iterdir()), "files were made")
    check(not _keys(user), "a key file was made")


def plain_text_is_announced(user: DesktopUser) -> None:
    """Unencrypted only if the policy allows it, with a warning and a report of the store."""
    user.settings = {"storage_policy": "allow_plaintext", "key_sources": ["secret_service"]}
    result = user.sign_in("C")
    check("not encrypted" in result.log and "no_bus" in result.log, result.log)
    info = user.reports(protection="plaintext", state="usable")
    tried = [(each["source"], each["problem"]) for each in info["attempts"]]
    check(tried == [("secret_service", "no_bus")], tried)
    user.settings = {"storage_policy": "prefer_encrypted"}
    user.has_token(force_refresh=True)
    user.reports(protection="obfuscated", key_source="key_file")


def memory_only_writes_nothing(user: DesktopUser) -> None:
    """No file on disk."""
    user.settings = {"storage_policy": "memory_only"}
    user.sign_in("C")
    user.reports(protection="memory", state="usable")
    check(not user.store.exists() and not _keys(user), "files were made")


def program_keeps_the_key(user: DesktopUser) -> None:
    """A function in C and in Python, and bytes in the configuration, are one key; another key changes nothing."""
    user.key = 7
    user.settings = {"storage_policy": "require_encrypted"}
    user.sign_in("C")
    user.reports(protection="encrypted", key_source="caller")
    user.has_token(force_refresh=True)
    user.key = 8
    user.fails_with("cache_undecryptable", "a different key", "Nothing was changed")
    user.key = None
    user.fails_with("key_unavailable", "is missing", "Nothing was changed")
    user.key = 7
    user.has_token()
    check(not _keys(user), "a key file was made")


def key_is_rotated(user: DesktopUser) -> None:
    """`store rotate-key` encrypts the store again; C and Python continue. With a wrong key nothing changes."""
    user.settings = {"key_sources": ["key_file"]}
    user.sign_in("C")
    words = [str(CLI), "store", "rotate-key", "--store-directory", str(user.store), "--json"]
    words += ["--key-source", "key_file"]
    environment = user.environment()
    (old,) = _keys(user)
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    check(done.returncode == 0 and json.loads(done.stdout) == {"rotated": True}, done)
    check(len(_keys(user)) == 2, _keys(user))
    old.unlink()
    user.has_token(force_refresh=True)
    (new,) = _keys(user)
    kept = new.read_bytes()
    new.unlink()
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    check(done.returncode == 5 and "Restore the file" in done.stderr + done.stdout, done)
    check(not _keys(user), "a key file was made")
    new.write_bytes(kept)
    new.chmod(0o600)
    user.has_token()


def doctor_reports_all(user: DesktopUser) -> None:
    """`tessera doctor` reports the same as C and Python."""
    user.sign_in()
    info = user.reports()
    words = [str(CLI), "doctor", "--store-directory", str(user.store)]
    environment = user.environment()
    done = subprocess.run([*words, "--json"], env=environment, capture_output=True, text=True)
    sections = {each["name"]: each for each in json.loads(done.stdout or "{}").get("sections", [])}
    check(done.returncode == 0 and sections["Store"]["details"] == info, done.stdout, done.stderr)
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    for part in ("obfuscated", "the key file", "no session bus (no_bus)", "prefer_encrypted"):
        check(part in done.stdout, f"no {part!r} in", done.stdout)
    (key,) = _keys(user)
    key.unlink()
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    check(done.returncode == 5 and "Restore the file" in done.stdout, done.stdout, done.stderr)


TESTS = [
    kernel_keyring_is_cleared, kernel_keyring_is_blocked, key_file_outlives_a_restart,
    key_file_that_others_could_have_made, foreign_users, require_encrypted_writes_nothing,
    plain_text_is_announced, memory_only_writes_nothing, program_keeps_the_key, key_is_rotated, doctor_reports_all,
]  # fmt: skip
