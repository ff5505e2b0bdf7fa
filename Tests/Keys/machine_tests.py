# SPDX-License-Identifier: MIT
"""Stores whose key the kernel, a file or the program keeps, and stores without one."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import kernel
from surroundings import CLI, Outcome, Person, Skipped, check


def _keys(person: Person) -> list[Path]:
    return sorted((person.home / "state/tessera/keys").glob("*"))


def kernel_keyring_is_cleared(person: Person) -> None:
    """A restart clears it: the store is left alone, with advice; whoever has the key again is signed in."""
    kernel.keyring_must_work()
    person.settings = {"key_sources": ["kernel_keyring"], "storage_policy": "require_encrypted"}
    check(person.sign_in("C").answer.get("persisted") is True, "sign_in")
    person.says(state="usable", protection="encrypted", key_source="kernel_keyring")
    person.has_token(force_refresh=True)
    key = kernel.KernelKey(person.store)
    key.clear()
    person.is_refused("key_unavailable", "kernel's keyring", "when the machine starts anew")
    person.says(state="locked", set_aside=[])
    key.restore()
    person.has_token(force_refresh=True)
    key.clear()


def kernel_keyring_is_blocked(person: Person) -> None:
    """A filter of system calls, as containers have: the store is left alone, a new one gets the next source."""
    kernel.keyring_must_work()
    person.settings = {"key_sources": ["kernel_keyring", "key_file"]}
    check(person.sign_in().answer.get("persisted") is True, "sign_in")
    person.says(key_source="kernel_keyring")
    person.prepare = kernel.block
    person.is_refused("key_unavailable", "does not allow it", "Nothing was changed")
    second = Person(person.provider, person.home / "second", person.compiled, person.settings)
    second.home.mkdir()
    second.prepare = kernel.block
    second.sign_in("C")
    info = second.says(key_source="key_file", protection="obfuscated")
    tried = [(each["source"], each["problem"]) for each in info["attempts"]]
    check(tried == [("kernel_keyring", "blocked")], tried)
    person.prepare = None
    person.has_token()
    kernel.KernelKey(person.store).clear()


def key_file_outlives_a_restart(person: Person) -> None:
    """No session at all: a key file, announced before the first write; without the file nothing changes."""
    result = person.sign_in("C")
    warning = result.log.find("key in a private file")
    check(warning >= 0 and "no session bus" in result.log, "no warning in", result.log)
    (key,) = _keys(person)
    check(key.stat().st_mode & 0o777 == 0o600, "mode", oct(key.stat().st_mode))
    check(person.store not in key.parents, "the key lies in the store's directory")
    person.says(state="usable", protection="obfuscated", key_source="key_file")
    person.has_token(force_refresh=True)
    key.rename(person.home / "elsewhere")
    person.is_refused("key_unavailable", "a key file", "Put the file back")
    person.is_refused("key_unavailable", force_refresh=True)
    (person.home / "elsewhere").rename(key)
    person.has_token()


def key_file_that_others_could_have_made(person: Person) -> None:
    """Owner, mode, links and directories above are looked at; nothing is read from what is not the user's own."""
    person.sign_in()
    (key,) = _keys(person)
    spare = person.home / "spare"
    os.link(key, spare)
    person.is_refused("key_unavailable", "second name")
    spare.unlink()
    key.chmod(0o660)
    person.is_refused("key_unavailable", "can be written by others")
    key.chmod(0o644)
    person.has_token()
    check(key.stat().st_mode & 0o777 == 0o600, "a readable key was not tightened")
    key.rename(spare)
    key.symlink_to(spare)
    person.is_refused("key_unavailable", "not a plain file")
    key.unlink()
    spare.rename(key)
    above = key.parent.parent.parent
    above.chmod(0o777)
    person.is_refused("key_unavailable", "can be written by everybody")
    above.chmod(0o700)
    if os.geteuid() == 0:
        os.chown(key, 65533, 65533)
        person.is_refused("key_unavailable", "belongs to another user")
        os.chown(key, 0, 0)
    person.has_token()


def as_self(person: Person) -> Outcome:
    """Sign in as the one who runs the tests."""
    return replace(person, wrapper=()).sign_in()


def foreign_users(person: Person) -> None:
    """A user who borrows somebody's home, as under sudo, gets neither store nor key and leaves no file."""
    if os.geteuid() != 0:
        raise Skipped("it takes root to run as another user")
    person.home.chmod(0o777)
    person.wrapper = ("setpriv", "--reuid=65533", "--regid=65533", "--clear-groups")
    refused = person.info()
    check(refused["problem"]["code"] == "encryption_unavailable", refused)
    check([each["problem"] for each in refused["attempts"]][1:] == ["unsafe"], refused)
    answer = person.sign_in().answer
    check(answer.get("persisted") is False, answer)
    check(not [path for path in person.home.rglob("*") if path.is_file()], "files were made")
    # What another user made is not used either.
    check(person.store.exists(), "no directory")
    answer = as_self(person).answer
    check(answer.get("persisted") is False, answer)
    person.store.rmdir()
    person.home.chmod(0o755)
    person.wrapper = ()
    person.sign_in()
    person.wrapper = ("setpriv", "--reuid=65533", "--regid=65533", "--clear-groups")
    outcome = person.silent("C")
    check(outcome.code in ("store_unavailable", "store_unsafe"), outcome.answer)
    person.wrapper = ()
    person.has_token()


def require_encrypted_writes_nothing(person: Person) -> None:
    """A policy that cannot be met: nothing is written before or after the sign-in, and the reasons are named."""
    person.settings = {"storage_policy": "require_encrypted"}
    info = person.says(state="missing")
    check(info["problem"]["code"] == "encryption_unavailable", info)
    tried = [(each["source"], each["problem"]) for each in info["attempts"]]
    check(tried == [("secret_service", "no_bus"), ("key_file", "policy")], tried)
    answer = person.sign_in().answer
    check(answer.get("persisted") is False, answer)
    check("require_encrypted" in " ".join(answer["warnings"]), answer["warnings"])
    check(not person.store.exists() or not list(person.store.iterdir()), "files were made")
    check(not _keys(person), "a key file was made")


def plain_text_is_announced(person: Person) -> None:
    """In clear only where the policy says so, with a warning, and said by the store."""
    person.settings = {"storage_policy": "allow_plaintext", "key_sources": ["secret_service"]}
    result = person.sign_in("C")
    check("not sealed" in result.log and "no session bus" in result.log, result.log)
    info = person.says(protection="plaintext", state="usable")
    tried = [(each["source"], each["problem"]) for each in info["attempts"]]
    check(tried == [("secret_service", "no_bus")], tried)
    person.settings = {"storage_policy": "prefer_encrypted"}
    person.has_token(force_refresh=True)
    person.says(protection="obfuscated", key_source="key_file")


def memory_only_writes_nothing(person: Person) -> None:
    """Nothing at all on disk."""
    person.settings = {"storage_policy": "memory_only"}
    person.sign_in("C")
    person.says(protection="memory", state="usable")
    check(not person.store.exists() and not _keys(person), "files were made")


def program_keeps_the_key(person: Person) -> None:
    """A function in C and in Python, and bytes in the configuration, are one key; another one changes nothing."""
    person.key = 7
    person.settings = {"storage_policy": "require_encrypted"}
    person.sign_in("C")
    person.says(protection="encrypted", key_source="caller")
    person.has_token(force_refresh=True)
    person.key = 8
    person.is_refused("cache_undecryptable", "store_key", "Nothing was changed")
    person.key = None
    person.is_refused("key_unavailable", "no store_key was given", "Nothing was changed")
    person.key = 7
    person.has_token()
    check(not _keys(person), "a key file was made")


def key_is_rotated(person: Person) -> None:
    """`tessera rotate-key` seals the store anew, and C and Python go on; without the old key nothing changes."""
    person.settings = {"key_sources": ["key_file"]}
    person.sign_in("C")
    words = [str(CLI), "rotate-key", "--store-directory", str(person.store), "--json"]
    words += ["--key-source", "key_file"]
    environment = person.environment()
    (old,) = _keys(person)
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    check(done.returncode == 0 and json.loads(done.stdout) == {"rotated": True}, done)
    check(len(_keys(person)) == 2, _keys(person))
    old.unlink()
    person.has_token(force_refresh=True)
    (new,) = _keys(person)
    kept = new.read_bytes()
    new.unlink()
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    check(done.returncode == 5 and "Put the file back" in done.stderr + done.stdout, done)
    check(not _keys(person), "a key file was made")
    new.write_bytes(kept)
    new.chmod(0o600)
    person.has_token()


def doctor_reports_all(person: Person) -> None:
    """`tessera doctor` says what C and Python say."""
    person.sign_in()
    info = person.says()
    words = [str(CLI), "doctor", "--store-directory", str(person.store)]
    environment = person.environment()
    done = subprocess.run([*words, "--json"], env=environment, capture_output=True, text=True)
    check(done.returncode == 0 and json.loads(done.stdout) == info, done.stdout, done.stderr)
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    for part in ("obfuscated", "a key file", "no session bus (no_bus)", "prefer_encrypted"):
        check(part in done.stdout, f"no {part!r} in", done.stdout)
    (key,) = _keys(person)
    key.unlink()
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    check(done.returncode == 5 and "Put the file back" in done.stderr, done.stderr)


TESTS = [
    kernel_keyring_is_cleared, kernel_keyring_is_blocked, key_file_outlives_a_restart,
    key_file_that_others_could_have_made, foreign_users, require_encrypted_writes_nothing,
    plain_text_is_announced, memory_only_writes_nothing, program_keeps_the_key, key_is_rotated, doctor_reports_all,
]  # fmt: skip
