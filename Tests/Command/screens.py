# SPDX-License-Identifier: MIT
"""The output at a terminal of 80 columns, and at a pipe."""

from __future__ import annotations

import json
import struct
import subprocess
from typing import Any

from desk import ALICE, BOB, CLIENT, COMMAND, Desk
from sign_ins import SCOPE, Terminal

COLUMNS = 80
LONG = "a-person-with-a-long-name@a-department.of.a-company.example.com"


def shown(desk: Desk, *words: str) -> list[str]:
    """Returns the lines that a subcommand prints at a terminal."""
    options = [word for word in desk.options if word != "--json"]
    if words[0] in ("doctor", "copy"):
        options = options[options.index("--store-directory"):]
    # Set the size in the parent, so that the command never sees another one.
    size = struct.pack("HHHH", 24, COLUMNS, 0, 0)
    starter = [
        "python3", "-c", "import fcntl, os, sys, termios; "
        f"fcntl.ioctl(1, termios.TIOCSWINSZ, {size!r}); os.execv(sys.argv[1], sys.argv[1:])",
    ]  # fmt: skip
    terminal = Terminal([*starter, COMMAND, *words, *options], desk.environment)
    lines = terminal.rest().splitlines()
    terminal.status()
    return lines


def leave_an_older_cache(desk: Desk) -> str:
    """Creates a cache of an Azure CLI before 2.30 with a long name, and with one without a refresh token."""
    common = {
        "tokenType": "Bearer", "isMRRT": True, "_clientId": CLIENT,
        "resource": "https://management.core.windows.net/",
        "_authority": "https://login.microsoftonline.com/common",
    }  # fmt: skip
    entries: list[dict[str, Any]] = [
        {**common, "refreshToken": "a token", "userId": LONG},
        {**common, "accessToken": "a token", "expiresOn": "2016-01-01 00:00:00.000000", "userId": "dan"},
    ]
    path = desk.folder / "accessTokens.json"
    path.write_text(json.dumps(entries))
    return str(path)


def lines_fit_a_terminal(desk: Desk) -> None:
    """At a terminal every line fits, even with long names, and the columns are aligned."""
    assert shown(desk, "accounts") == ['Nobody has signed in. Run "tessera login" with the same options.']
    alice, _ = desk.sign_in(ALICE), desk.sign_in(BOB)
    cache = leave_an_older_cache(desk)
    for words in (
        ("accounts",), ("doctor",), ("token", *SCOPE), ("explain", *SCOPE, "--username", ALICE),
        ("migrate", cache, "--dry-run"), ("migrate", cache), ("accounts",), ("logout", "--username", BOB),
        ("copy", "--from-group", "default", "--group", "new", "--dry-run"), ("token", *SCOPE, "--claims", "[]"),
    ):  # fmt: skip
        lines = shown(desk, *words)
        # A path or an address is not broken, because it has no spaces.
        wide = [line for line in lines if len(line) > COLUMNS and " " in line.strip()]
        assert not wide, (words, wide)
        assert not any("\t" in line for line in lines), (words, lines)
    lines = shown(desk, "accounts")
    assert f"    {alice['home_account_id']}" in lines and ALICE in lines and LONG in lines, lines
    values = {line.index(value) for line in shown(desk, "doctor") for value in ("usable", "prefer_", "a key file")
              if value in line}  # fmt: skip
    assert len(values) == 1, values


def a_pipe_gets_a_line_a_record(desk: Desk) -> None:
    """At a pipe, each record is one line with tabs between its fields."""
    alice = desk.sign_in(ALICE)
    words = [word for word in desk.options if word != "--json"]
    done = subprocess.run(
        [COMMAND, "accounts", *words], env=desk.environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{ALICE}\t{alice['home_account_id']}\n", done.stdout
    desk.sign_in(BOB)
    done = subprocess.run(
        [COMMAND, "token", *words, *SCOPE], env=desk.environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (3, 1), done.stderr


def write_errors_are_reported(desk: Desk) -> None:
    """Failed writes, as on a full disk, end with status 74, for help as well as for a token."""
    desk.sign_in(ALICE)
    for words in (["--help"], ["--version"], ["token", "--help"], ["accounts", *desk.options]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([COMMAND, *words], env=desk.environment, stdout=full, check=False)
        assert done.returncode == 74, (words, done.returncode)


def help_fits_a_terminal(_: Desk) -> None:
    """The help of every subcommand fits 80 columns."""
    main = subprocess.run([COMMAND, "help"], capture_output=True, text=True, check=True).stdout
    listed = main.split("SUBCOMMANDS:")[1].splitlines()
    names = [line.split()[0] for line in listed if line.startswith("  ") and line[2:3].islower()]
    assert {"login", "doctor", "copy"} <= set(names), names
    names += ["broker version", "broker accounts", "broker cookie", "broker sign"]
    for name in ["", *names]:
        text = subprocess.run([COMMAND, "help", *name.split()], capture_output=True, text=True, check=True).stdout
        wide = [line for line in text.splitlines() if len(line) > COLUMNS]
        assert not wide, (name, wide)
