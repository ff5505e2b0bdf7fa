# SPDX-License-Identifier: MIT
"""Commands with a store that cannot be written: they fail before the user signs in."""

from __future__ import annotations

import json
import os
import pwd
import stat
import subprocess
from pathlib import Path
from typing import Any

from desk import ALICE, COMMAND, Desk
from sign_ins import SCOPE

# A user without privileges; root could write to any directory.
_NOBODY = 65534
_USER: dict[str, Any] = (
    {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
)
ENCRYPTED = ["--storage-policy", "require_encrypted"]
SIGN_INS = (
    ("login", "--device-code", *SCOPE), ("login", "--paste", *SCOPE), ("login", *SCOPE),
    ("begin-login", *SCOPE),
)  # fmt: skip


def _home(desk: Desk, mode: int) -> Path:
    """Creates the home directory of the user with a mode."""
    home = desk.folder / "home"
    home.mkdir(exist_ok=True)
    if _USER:
        # The parent is a temporary directory that only its owner can enter.
        desk.folder.chmod(0o711)
        for path in [home, *home.rglob("*")]:
            os.chown(path, _NOBODY, _NOBODY)
    home.chmod(mode)
    return home


def _environment(desk: Desk, home: Path | None) -> dict[str, str]:
    """Returns the environment of a program with a home directory, or without HOME."""
    left_out = {"HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"}
    environment = {key: value for key, value in desk.environment.items() if key not in left_out}
    environment["XDG_CONFIG_HOME"] = str(desk.folder / "no-profiles")
    desk.folder.chmod(0o711)
    return environment | ({} if home is None else {"HOME": str(home)})


def _ran(desk: Desk, home: Path | None, *words: str, answer: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a command with a home directory instead of the store directory."""
    name, *rest = words
    place = desk.options.index("--store-directory")
    options = ["--key-source", "key_file"]
    options += desk.options[:place]
    try:
        return subprocess.run(
            [COMMAND, name, *options, *rest], env=_environment(desk, home), input=answer, capture_output=True,
            text=True, timeout=20, check=False, **_USER,
        )  # fmt: skip
    except subprocess.TimeoutExpired as problem:
        raise AssertionError(f"{name} waits for the user, and has printed {problem.stdout!r}") from None


def _store(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """Returns the document of the store that `doctor --json` printed."""
    (section,) = [each for each in json.loads(done.stdout)["sections"] if each["name"] == "Store"]
    details: dict[str, Any] = section["details"]
    return details


def _rows(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """Returns the findings of `doctor` about the store."""
    records = [line.split("\t") for line in done.stdout.splitlines()]
    return {name: value for section, name, value in records if section == "Store"}


def _fails_alone(done: subprocess.CompletedProcess[str], code: str) -> dict[str, Any]:
    """Returns the error of a command that printed nothing else and ended with status 5."""
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(documents) == 1 and "error" in documents[0], documents
    error: dict[str, Any] = documents[0]["error"]
    assert (done.returncode, error["code"]) == (5, code), done
    return error


def read_only_home(desk: Desk) -> None:
    """In a read-only home directory, sign-in fails before the user is prompted."""
    home = _home(desk, 0o500)
    for words in SIGN_INS:
        error = _fails_alone(_ran(desk, home, *words, "--json"), "store_unavailable")
        assert str(home) in error["message"], error
        done = _ran(desk, home, *words)
        assert done.returncode == 5 and not done.stdout, (words, done)
        message = error["message"].replace("store.directory", "--store-directory")
        assert message in done.stderr and "http" not in done.stderr, (words, done)


def policy_without_a_keyring(desk: Desk) -> None:
    """If the policy requires a keyring and there is none, sign-in fails before the user is prompted."""
    home = _home(desk, 0o700)
    for words in SIGN_INS:
        done = _ran(desk, home, *words, *ENCRYPTED, "--json")
        _fails_alone(done, "encryption_unavailable")
    told = _store(_ran(desk, home, "doctor", *ENCRYPTED, "--json"))
    assert told["problem"]["code"] == "encryption_unavailable", told


def store_lost_before_completion(desk: Desk) -> None:
    """A code is not redeemed while the store is read-only, and can be redeemed later."""
    home = _home(desk, 0o700)
    begun = json.loads(_ran(desk, home, "begin-login", *SCOPE, "--json").stdout)
    address = desk.provider.visit(begun["url"])
    words = ("complete-login", "--state", begun["state"], "--json")
    store = home / ".local/share/tessera"
    names = [store, *store.iterdir()]
    for path in names:
        path.chmod(0o500 if path.is_dir() else 0o400)
    _fails_alone(_ran(desk, home, *words, answer=address), "store_unavailable")
    told = _ran(desk, home, "doctor", "--json")
    assert told.returncode == 5 and _store(told)["state"] == "read_only", told
    for path in names:
        path.chmod(0o700 if path.is_dir() else 0o600)
    done = _ran(desk, home, *words, answer=address)
    assert done.returncode == 0 and ALICE in done.stdout, done


def store_lost_during_the_sign_in(desk: Desk) -> None:
    """A sign-in that could not be stored ends with status 5."""
    home = _home(desk, 0o700)
    place = desk.options.index("--store-directory")
    with subprocess.Popen(
        [COMMAND, "login", *desk.options[:place], "--key-source", "key_file", "--device-code", *SCOPE, "--json"],
        env=_environment(desk, home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **_USER,
    ) as process:  # fmt: skip
        assert process.stdout and process.stderr
        prompt = json.loads(process.stdout.readline())
        store = home / ".local/share/tessera"
        (home / ".local/share/kept").mkdir()
        store.rename(home / ".local/share/kept/tessera")
        store.write_text("not a directory")
        desk.provider.approve(prompt["user_code"], ALICE)
        end, failure = (json.loads(line) for line in process.stdout)
    assert (process.returncode, failure["error"]["remedy"]) == (5, "fix_storage"), failure
    assert end["persisted"] is False and end["account"]["username"] == ALICE, end


def doctor_names_the_directory(desk: Desk) -> None:
    """`doctor` reports a store that cannot be created, with the directory that cannot be written."""
    home = _home(desk, 0o500)
    done = _ran(desk, home, "doctor")
    assert done.returncode == 5, done
    assert f"cannot be created: {home} is read-only" in _rows(done)["problem"], done.stdout
    told = _store(_ran(desk, home, "doctor", "--json"))
    assert (told["state"], told["problem"]["code"]) == ("unavailable", "store_unavailable"), told
    home.chmod(0o700)
    done = _ran(desk, home, "doctor")
    assert done.returncode == 0 and "missing" in done.stdout, done


def doctor_without_a_home(desk: Desk) -> None:
    """`doctor` reports a missing store of a user without a home directory."""
    if not _USER:
        return  # The user of the tests has a home directory in the user database.
    done = _ran(desk, None, "doctor")
    rows = _rows(done)
    assert done.returncode == 5, done
    assert rows["store"] == "none: no home directory", rows
    assert "key source" not in rows and "in memory" not in done.stdout, rows
    assert "--store-directory" in rows["problem"] + rows.get("step", ""), rows
    assert "configuration" not in rows["problem"], rows
    for words in SIGN_INS:
        _fails_alone(_ran(desk, None, *words, "--json"), "store_unavailable")
    memory = _rows(_ran(desk, None, "doctor", "--storage-policy", "memory_only"))
    assert memory["store"] == "in memory", memory


def a_service_without_a_home(desk: Desk) -> None:
    """Without HOME, a service of systemd has its store and its key in the first of its state directories."""
    state = _home(desk, 0o700)
    variables = {"STATE_DIRECTORY": f"{state}:{desk.folder}/other"}
    options = desk.options[:desk.options.index("--store-directory")]
    with subprocess.Popen(
        [COMMAND, "login", *options, "--key-source", "key_file", "--device-code", *SCOPE, "--json"],
        env=_environment(desk, None) | variables, stdout=subprocess.PIPE, text=True, **_USER,
    ) as process:  # fmt: skip
        assert process.stdout
        desk.provider.approve(json.loads(process.stdout.readline())["user_code"], ALICE)
        end = json.loads(process.stdout.readline())
    assert process.returncode == 0 and end["account"]["username"] == ALICE, end
    assert (state / "tessera/default.db").exists() and list((state / "tessera-keys/keys").iterdir())
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    done = subprocess.run(
        [COMMAND, "token", *options, *SCOPE, "--json"], env=_environment(desk, None) | variables,
        capture_output=True, text=True, check=True, **_USER,
    )  # fmt: skip
    assert json.loads(done.stdout)["source"] == "cache", done
    # HOME takes precedence, so that a service of a user shares the sign-ins of the user.
    home = desk.folder / "empty"
    home.mkdir()
    done = subprocess.run(
        [COMMAND, "doctor", *options, "--json"], env=_environment(desk, home) | variables, capture_output=True,
        text=True, check=False, **_USER,
    )  # fmt: skip
    assert _store(done)["path"] == f"{home}/.local/share/tessera/default.db", done.stdout


def the_home_of_the_user_database(desk: Desk) -> None:
    """Without HOME, the store is in the home directory of the user database."""
    done = subprocess.run(
        [COMMAND, "doctor", *desk.options[:2], "--json"], env=_environment(desk, None), capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert _store(done)["path"] == f"{pwd.getpwuid(os.geteuid()).pw_dir}/.local/share/tessera/default.db", done
