# SPDX-License-Identifier: MIT
"""The operations of the canary test in Python, C and on the command line, at the most detailed log level."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from common import (
    ALICE,
    BOB,
    CAROL,
    CLIENT,
    DAVE,
    ROOT,
    SCOPES,
    Provider,
    application,
    sign_in,
    tessera_identity,
)  # fmt: skip

from compiling import compiled
from configurations import nested

COMMAND = ROOT / "build/swift-release/release/tessera-cli"
HERE = Path(__file__).resolve().parent


class Scene(NamedTuple):
    """The environment of the programs."""

    home: Path
    provider: Provider
    options: dict[str, Any]
    """Additional options of the applications."""

    @property
    def store(self) -> Path:
        """The store directory."""
        return self.home / "store"

    def keep(self, name: str) -> None:
        """Copies the current store, with all files next to the database."""
        shutil.copytree(self.store, self.home / "kept" / name)


class Notes:
    """The log and the errors of a program, as in a bug report."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, level: int, line: str) -> None:
        """Records a log line."""
        self.lines.append(f"{level} {line}")

    def attempt(self, name: str, call: Callable[[], Any]) -> Any:
        """Makes a call, and records its result or error in every form."""
        try:
            result = call()
        except tessera_identity.TesseraError as error:
            self.lines += [name, str(error), repr(error), repr(dict(error.details)), error.message]
            self.lines.append(traceback.format_exc())
            return None
        self.lines += [name, str(result), repr(result), f"{result}"]
        return result


def in_python(scene: Scene) -> list[str]:
    """Signs two users in, and makes all calls, also with invalid arguments."""
    notes = Notes()
    with application(
        scene.provider, scene.store, log=notes.log, log_level=4, **scene.options
    ) as made:
        for username in (ALICE, BOB):
            notes.attempt("sign in", lambda: sign_in(made, scene.provider, username))  # noqa: B023
        for account in made.get_accounts():
            use(notes, made, account)
            misuse(notes, made, account, scene.provider)
        scene.keep("live-python")
    return notes.lines


def use(notes: Notes, made: Any, account: Any) -> None:
    """Makes all calls that succeed."""

    def silent(*scopes: str, **more: Any) -> None:
        notes.attempt("silent", lambda: made.acquire_token_silent(scopes, account=account, **more))

    silent(*SCOPES)
    silent(*SCOPES)
    silent(*SCOPES, force_refresh=True)
    silent("Mail.Read")
    silent(*SCOPES, claims='{"id_token":{"auth_time":null}}')
    notes.attempt("account", lambda: made.get_account(username=account.username))


def misuse(notes: Notes, made: Any, account: Any, provider: Provider) -> None:
    """Makes all calls that fail: requests, the network, the server, the user."""

    def refresh(**more: Any) -> None:
        notes.attempt(
            "refresh",
            lambda: made.acquire_token_silent(SCOPES, account=account, force_refresh=True, **more),
        )

    notes.attempt("no scope", lambda: made.acquire_token_silent([], account=account))
    notes.attempt("nobody", lambda: made.acquire_token_silent(SCOPES, account="nobody.nowhere"))
    refresh(timeout=0.001)
    # Invalid responses that contain a token.
    answers = [("fail_token_requests", {"status": each[0], "body": each[1]}) for each in ANSWERS]
    troubles: list[tuple[str, dict[str, Any]]] = [
        ("outage", {"requests": 1}),
        ("throttle", {"requests": 1, "retry_after_seconds": 1}),
        *answers,
    ]
    for name, members in troubles:
        provider.command(name, **members)
        refresh()
        provider.command("recover")
    for end in ("decline", "expire"):
        notes.attempt(
            end,
            lambda: made.acquire_token_by_device_code(
                SCOPES,
                prompt_callback=lambda prompt: provider.command(end, user_code=prompt.user_code),  # noqa: B023
            ),
        )


# The server's own texts are kept, so they contain no token.
_TOKEN = "C4nary" + "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" * 2
CANARIES = {_TOKEN.encode()}
ANSWERS = [
    (200, json.dumps({"access_token": _TOKEN, "token_type": "Strange", "refresh_token": _TOKEN})),
    (200, json.dumps({"access_token": _TOKEN + "\n", "token_type": "Bearer"})),
    (200, json.dumps({"access_token": [_TOKEN], "id_token": _TOKEN})),
    (200, '{"access_token":"' + _TOKEN),
    (200, json.dumps({"access_token": "x", "id_token": f"{_TOKEN}.{_TOKEN}.{_TOKEN}"})),
    (400, json.dumps({"error": "invalid_grant", "suberror": "x", "refresh_token": _TOKEN})),
    (500, f"<html>{_TOKEN}</html>"),
]


def in_python_removed(scene: Scene) -> list[str]:
    """Removes one account, and copies the files while the store is open."""
    return removed(scene, ALICE, "removed-python")


def in_python_removed_all(scene: Scene) -> list[str]:
    """Removes the last account."""
    return removed(scene, BOB, "removed-all")


def in_python_again(scene: Scene) -> list[str]:
    """Signs two users in again, in one store and in that of another group."""
    notes = Notes()
    for group in ("default", "other"):
        with application(
            scene.provider, scene.store, log=notes.log, log_level=4, group=group,
            **scene.options,
        ) as made:  # fmt: skip
            for username in (ALICE, DAVE):
                notes.attempt("sign in", lambda: sign_in(made, scene.provider, username))  # noqa: B023
    scene.keep("live-again")
    return notes.lines


def in_python_machine(scene: Scene) -> list[str]:
    """Signs all users out of the machine.

    The store is emptied; the one of another group remains and is reported.
    """
    notes = Notes()
    for group, others in (("default", 1), ("other", 1)):
        with application(
            scene.provider, scene.store, log=notes.log, log_level=4, group=group, **scene.options
        ) as made:
            report = notes.attempt("machine", lambda: made.sign_out(scope="machine"))  # noqa: B023
            kinds = [each.kind for each in report.remaining]
            if report.removed["accounts"] != 2 or kinds.count("other_group") != others:
                raise RuntimeError(f"the machine was not signed out: {report}")
    scene.keep("removed-machine")
    return notes.lines


def removed(scene: Scene, username: str, name: str) -> list[str]:
    """Removes an account."""
    notes = Notes()
    with application(
        scene.provider, scene.store, log=notes.log, log_level=4, **scene.options
    ) as made:
        account = made.get_account(username=username)
        if notes.attempt("remove", lambda: made.remove_account(account)) is not True:
            raise RuntimeError(f"{username} could not be removed")
        scene.keep(name)
    return notes.lines


def in_python_damaged(scene: Scene) -> list[str]:
    """Uses a copy of the store with damaged rows and pages, and signs in."""
    notes = Notes()
    directory = scene.home / "damaged"
    shutil.copytree(scene.store, directory)
    database = directory / "default.db"
    content = bytearray(database.read_bytes())
    for place in range(4096 + 1000, len(content), 4096):
        content[place : place + 40] = bytes(40)
    database.write_bytes(content)
    for _ in range(2):
        with application(
            scene.provider, directory, log=notes.log, log_level=4,
            **scene.options,
        ) as made:  # fmt: skip
            for account in notes.attempt("accounts", made.get_accounts) or ():
                use(notes, made, account)
            notes.attempt("sign in", lambda: sign_in(made, scene.provider, CAROL))  # noqa: B023
    return notes.lines


def in_c(scene: Scene) -> list[str]:
    """Signs a user in with a C program, uses the account, removes it."""
    library = Path(os.environ["TESSERA_LIBRARY"])
    program = compiled(HERE / "canary.c", to=scene.home / "program", library=library)
    configuration = {
        "client_id": CLIENT, "authority": scene.provider.entra_authority,
        "authority_type": "entra", "store_directory": str(scene.store),
        "log_level": 4, **scene.options,
    }  # fmt: skip
    account = "ca201000-0000-4000-8000-000000000003.22222222-2222-4222-8222-222222222222"
    lines = approved(scene, [str(program), json.dumps(nested(configuration)), account], CAROL)
    if not all(done in lines[-1] for done in ("device code: 0", "silent: 0", "remove: 0")):
        raise RuntimeError(lines[-1])
    return lines


def on_the_command_line(scene: Scene) -> list[str]:
    """Signs a user in with the command, gets tokens, signs out; its token output is left out."""
    common = [
        "--client-id", CLIENT, "--authority", scene.provider.entra_authority,
        "--authority-type", "entra", "--store-directory", str(scene.store), "--verbose",
        # An unavailable source: with another one, the command would encrypt the store.
        *(["--storage-policy", "allow_plaintext", "--key-source", "secret_service"]
          if scene.options else []),
    ]  # fmt: skip
    lines = approved(
        scene, [str(COMMAND), "login", *common, "--device-code", "--scope", SCOPES[0], "--json"],
        DAVE,
        hidden=("access_token", "id_token"),
    )  # fmt: skip
    for words in (
        ["accounts"], ["accounts", "--json"], ["token", "--scope", SCOPES[0], "--username", DAVE],
        ["token", "--scope", "Mail.Read", "--username", DAVE],
        ["token", "--scope", SCOPES[0], "--username", "nobody@contoso.com"],
        ["logout", "--username", DAVE],
    ):  # fmt: skip
        done = subprocess.run(
            [COMMAND, words[0], *common, *words[1:]], capture_output=True, text=True
        )
        lines += [done.stderr, "" if words[0] == "token" else done.stdout]
    return lines


def approved(
    scene: Scene, command: list[str], username: str, hidden: tuple[str, ...] = ()
) -> list[str]:
    """Runs a program that signs in, approves its code, and returns its output."""
    lines: list[str] = []
    errors = scene.home / "errors"
    with errors.open("w") as stream, subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=stream, text=True
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            document = json.loads(line)
            if "user_code" in document:
                scene.provider.approve(document["user_code"], username)
            lines.append(json.dumps({k: v for k, v in document.items() if k not in hidden}))
    lines.append(errors.read_text())
    errors.unlink()
    return lines
