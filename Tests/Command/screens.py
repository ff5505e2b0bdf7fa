# SPDX-License-Identifier: MIT
"""The output at a terminal of 80 columns, and at a pipe."""

from __future__ import annotations

import json
import re
import struct
import subprocess
from typing import Any

import tomllib
from desk import ALICE, BOB, CLIENT, COMMAND, ROOT, Desk
from sign_ins import SCOPE, Terminal

COLUMNS = 80
LONG = "a-person-with-a-long-name@a-department.of.a-company.example.com"


def shown(desk: Desk, *words: str) -> list[str]:
    """Returns the lines that a subcommand prints at a terminal."""
    options = [word for word in desk.options if word != "--json"]
    if words[0] == "store" and words[1] == "copy":
        options = options[options.index("--store-directory"):]
    return at_a_terminal([*words, *options], desk.environment)[1]


def at_a_terminal(words: list[str], environment: dict[str, str]) -> tuple[int, list[str]]:
    """Returns the exit status of a command at a terminal, and the lines that it prints."""
    # Set the size in the parent, so that the command never sees another one.
    size = struct.pack("HHHH", 24, COLUMNS, 0, 0)
    starter = [
        "python3", "-c", "import fcntl, os, sys, termios; "
        f"fcntl.ioctl(1, termios.TIOCSWINSZ, {size!r}); os.execv(sys.argv[1], sys.argv[1:])",
    ]  # fmt: skip
    terminal = Terminal([*starter, COMMAND, *words], environment)
    lines = terminal.rest().splitlines()
    return terminal.status(), lines


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
    assert shown(desk, "accounts") == ['No account is signed in. Run "tessera login".']
    alice, _ = desk.sign_in(ALICE), desk.sign_in(BOB)
    cache = leave_an_older_cache(desk)
    for words in (
        ("accounts",), ("doctor",), ("token", *SCOPE), ("explain", *SCOPE, "--username", ALICE),
        ("store", "migrate", cache, "--dry-run"), ("store", "migrate", cache), ("accounts",), ("status",),
        ("store", "copy", "--from-group", "default", "--group", "new", "--dry-run"), ("profile", "list"),
        ("logout", "--username", BOB), ("token", *SCOPE, "--claims", "[]"),
    ):  # fmt: skip
        lines = shown(desk, *words)
        # A path or an address is not broken, because it has no spaces.
        wide = [line for line in lines if len(line) > COLUMNS and " " in line.strip()]
        assert not wide, (words, wide)
        assert not any("\t" in line for line in lines), (words, lines)
    report = " ".join(" ".join(shown(desk, "store", "migrate", cache)).split())
    assert 'contains only access tokens of the account. Run "tessera login".' in report, report
    lines = shown(desk, "accounts")
    assert f"    {alice['home_account_id']}" in lines and f"  {LONG}" in lines, lines
    assert any(line.startswith(f"  {ALICE}  valid for ") for line in lines), lines
    words = ("usable", "prefer_", "the key file")
    values = {line.index(word) for line in shown(desk, "doctor") for word in words if word in line}
    assert len(values) == 1, values


GIT = ("git", "https://dev.azure.com")
# The exit status of each command without a sign-in and a profile.
FIRST_SCREENS: list[tuple[int, tuple[str, ...]]] = [
    (4, ("login",)), (4, ("token",)), (4, ("status",)), (0, ("accounts",)), (64, ("use",)), (4, ("use", BOB)),
    (4, ("logout",)), (64, ("exec",)), (4, ("exec", "--", "true")), (0, ("doctor",)), (0, ("doctor", "--online")),
    (0, ("profile", "list")), (4, ("profile", "show")), (4, ("profile", "remove", "work")), (1, ("import", "az")),
    (64, ("import",)), (64, ("import", "gcloud")), (0, ("helper", "list")), (4, ("helper", "add", *GIT)),
    (64, ("helper", "add", "git", "http://dev.azure.com")), (0, ("helper", "remove", *GIT)),
    (1, ("helper", "check", *GIT)), (1, ("helper", "az", "account", "get-access-token")), (64, ("loign",)),
    (64, ("login", "--tennant", "x")), (4, ("login", "--tenant", "x", "--authority", "https://login.example")),
]  # fmt: skip
# The same with a sign-in, in this order.
LATER_SCREENS: list[tuple[int, tuple[str, ...]]] = [
    (0, ("status",)), (0, ("accounts",)), (0, ("accounts", "--all")), (0, ("doctor",)),
    (0, ("doctor", "--online")), (0, ("doctor", "--report")), (1, ("token", "--username", BOB)),
    (3, ("token", "--format", "netrc")), (64, ("token", "--format", "yaml")),
    (64, ("token", "--min-validity", "5d")), (64, ("token", "--port", "99999")),
    (1, ("use", BOB)), (0, ("use", ALICE)), (0, ("profile", "list")), (0, ("profile", "show")),
    (127, ("exec", "--", "/nonexistent")), (3, ("helper", "add", *GIT)),
    (3, ("helper", "add", "docker", "https://registry.example", *SCOPE)), (0, ("helper", "add", *GIT, *SCOPE)),
    (3, ("helper", "add", *GIT, *SCOPE)), (0, ("helper", "list")), (0, ("helper", "check", *GIT)),
    (0, ("helper", "remove", *GIT)), (0, ("logout",)), (0, ("logout",)), (0, ("logout", "--username", BOB)),
    (0, ("logout", "--from", "machine")), (64, ("logout", "--from", "User.Read")),
    (0, ("profile", "remove", "default")),
]  # fmt: skip


def everyday_screens_fit_a_terminal(desk: Desk) -> None:
    """The screens of everyday commands and of their main errors fit 80 columns."""
    folders = {"XDG_DATA_HOME": "data", "XDG_RUNTIME_DIR": "run", "AZURE_CONFIG_DIR": "azure"}
    environment = desk.environment | {name: str(desk.folder / path) for name, path in folders.items()}
    environment |= {"HOME": str(desk.folder), "TERM": "dumb"}

    def check(screens: list[tuple[int, tuple[str, ...]]]) -> None:
        for expected, words in screens:
            status, lines = at_a_terminal([*words], environment)
            assert status == expected and lines, (words, status, lines)
            # A path or an address is not broken, because it has no spaces.
            wide = [line for line in lines if len(line) > COLUMNS and " " in line.strip()]
            assert not wide, (words, wide)

    check(FIRST_SCREENS)
    application = desk.options[: desk.options.index("--store-directory")]
    with subprocess.Popen(
        [COMMAND, "login", *application, *SCOPE, "--device-code", "--json"], env=environment,
        stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout
        desk.provider.approve(json.loads(process.stdout.readline())["user_code"], ALICE)
        assert json.loads(process.stdout.readline())["account"]["username"] == ALICE
    check(LATER_SCREENS)


def a_pipe_gets_a_line_a_record(desk: Desk) -> None:
    """At a pipe, each record is one line with tabs between its fields."""
    alice = desk.sign_in(ALICE)
    words = [word for word in desk.options if word != "--json"]
    done = subprocess.run(
        [COMMAND, "accounts", *words], env=desk.environment, capture_output=True, text=True, check=True
    )
    (record,) = done.stdout.splitlines()
    name, validity, tenant, client, home_account_id = record.split("\t")
    assert (name, client, home_account_id) == (f"  {ALICE}", f"client {CLIENT}", alice["home_account_id"]), record
    assert validity.startswith("valid for ") and tenant == alice["tenant_profiles"][0]["tenant_id"], record
    desk.sign_in(BOB)
    done = subprocess.run(
        [COMMAND, "token", *words, *SCOPE], env=desk.environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (3, 1), done.stderr


STEERING = "\u202e\u2066\u200f\u2028\x1b[31m\x85\n"
NAME = f"eve{STEERING}@example.com"
"""A name with characters that change the writing direction, line breaks and an escape sequence."""


def names_do_not_steer_a_terminal(desk: Desk) -> None:
    """Names are printed without line breaks, escape sequences and direction changes; JSON escapes them."""
    entry = {
        "tokenType": "Bearer", "isMRRT": True, "_clientId": CLIENT, "refreshToken": "a token", "userId": NAME,
        "resource": "https://management.core.windows.net/",
        "_authority": "https://login.microsoftonline.com/common",
    }  # fmt: skip
    path = desk.folder / "accessTokens.json"
    path.write_text(json.dumps([entry]))
    words = [word for word in desk.options if word != "--json"]
    for arguments, lines in (
        (["store", "migrate", str(path), "--dry-run", *words], 2), (["store", "migrate", str(path), *words], 2),
        (["accounts", *words], 1), (["accounts", *desk.options], 1),
        (["accounts", "--username", f"nobody{STEERING}", *words], 1),
    ):  # fmt: skip
        done = subprocess.run(
            [COMMAND, *arguments], env=desk.environment, capture_output=True, check=True, timeout=60
        )
        text = (done.stdout + done.stderr).decode()
        assert text.count("\n") == lines == len(text.splitlines()), (arguments, text)
        assert not set(STEERING) & set(text.replace("\n", "")) - set("[31m"), (arguments, text)
    (account,) = desk.good("accounts")["accounts"]
    assert account["username"] == NAME.lower(), account


def write_errors_are_reported(desk: Desk) -> None:
    """Failed writes, as on a full disk, end with status 74, for help as well as for a token."""
    desk.sign_in(ALICE)
    plain = [word for word in desk.options if word != "--json"]
    for words in (
        ["--help"], ["--version"], ["token", "--help"], ["accounts", *desk.options],
        *(["token", *plain, *SCOPE, "--format", name] for name in ("raw", "header", "json")),
    ):  # fmt: skip
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [COMMAND, *words], env=desk.environment, stdout=full, stderr=subprocess.PIPE, text=True,
                check=False,
            )  # fmt: skip
        assert done.returncode == 74, (words, done.returncode)
        assert done.stderr == "tessera: The output could not be written: No space left on device.\n", done


def invalid_arguments_are_reported(desk: Desk) -> None:
    """Errors about arguments are printed as plain text, and arguments must be UTF-8."""
    for words in (["accounts", *desk.options, "--\x1b[31mfoo\u202e"], ["\x1b[31mfoo\u202e"]):
        done = subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 64, (words, done)
        assert "foo" in done.stderr, (words, done)
        assert not {"\x1b", "\u202e"} & set(done.stderr), (words, done)
    arguments: list[bytes | str] = [str(COMMAND), "accounts", *desk.options, "--group", b"\xff"]
    invalid = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert invalid.returncode == 64, invalid
    assert "Argument " in invalid.stderr, invalid
    assert "is not valid UTF-8" in invalid.stderr, invalid


def caches_need_a_home(_: Desk) -> None:
    """`store caches` without HOME advises to set it."""
    done = subprocess.run([COMMAND, "store", "caches"], env={}, capture_output=True, text=True, check=False)
    assert done.returncode == 5, done
    assert done.stderr.endswith("Set HOME.\n"), done


def help_of(name: str) -> str:
    """Returns the help text of a subcommand."""
    return subprocess.run([COMMAND, "help", *name.split()], capture_output=True, text=True, check=True).stdout


def subcommands() -> list[str]:
    """Returns the names of the subcommands."""
    names = []
    for name in listed_in(""):
        groups = listed_in(name) if name in GROUPS else []
        names += [f"{name} {each}" for each in groups] if groups else [name]
    # The arguments after these two are those of other programs.
    return [name for name in names if name not in ("helper az", "helper azd")]


GROUPS = ("profile", "helper", "store", "scheme", "broker")


def listed_in(group: str) -> list[str]:
    """Returns the subcommands that the help of a group lists."""
    listed = help_of(group).partition("SUBCOMMANDS:")[2].splitlines()
    return [line.split()[0].rstrip(",") for line in listed if line.startswith("  ") and line[2:3].islower()]


def help_fits_a_terminal(_: Desk) -> None:
    """The help of every subcommand fits 80 columns."""
    names = subcommands()
    assert {"login", "doctor", "store copy", "broker sign"} <= set(names), names
    for name in ["", *names]:
        for text in (help_of(name), all_help_of(name)):
            wide = [line for line in text.splitlines() if len(line) > COLUMNS]
            assert not wide, (name, wide)
            # An example that does not fit would be continued at the start of the next line.
            examples = re.search(r"^Examples?:\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
            assert not examples or all(line.startswith("  ") for line in examples[1].splitlines()), (name, text)
            assert f"USAGE: tessera {name}".rstrip() in text, (name, text)


def errors_show_the_usage_of_their_command(desk: Desk) -> None:
    """An error about arguments shows the usage of its command, and help names `--help-all` if there is more."""
    for words, path in (
        (("token",), "token"), (("helper", "add", "git", "http://dev.azure.com"), "helper add"),
        (("helper", "remove", "git", "x"), "helper remove"), (("helper", "kubectl", "x"), "helper kubectl"),
        (("helper", "http", "x", "https://x"), "helper http"), (("helper", "bazel", "x"), "helper bazel"),
        (("helper", "git"), "helper git"),
    ):  # fmt: skip
        done = subprocess.run(
            [COMMAND, *words], env=desk.environment | {"CI": "1"}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 64 and f"\nUsage: tessera {path} " in done.stderr, done
    for name in subcommands():
        for text in (help_of(name), subprocess.check_output([COMMAND, *name.split(), "--help"], text=True)):
            is_whole = {*re.findall(r"--[a-z-]+", text)} >= {*re.findall(r"--[a-z-]+", all_help_of(name))}
            assert (f"See 'tessera {name} --help-all' for all options." in text) != is_whole, (name, text)


def help_is_short(_: Desk) -> None:
    """The help of an everyday command has at most eight options and three examples; `--help-all` has the rest."""
    for name in ("login", "token", "status", "accounts", "use", "logout", "exec", "doctor", "import", "explain"):
        text = help_of(name)
        options = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.MULTILINE)) - {"--help", "--version"}
        assert len(options) <= 8, (name, options)
        examples = re.findall(r"^  (?:tessera|curl) ", text.partition("USAGE:")[0], re.MULTILINE)
        assert len(examples) == 3, (name, text)
        assert "--store-directory" not in text and "--store-directory" in all_help_of(name), name
    for name in subcommands():
        text = help_of(name)
        options = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.MULTILINE)) - {"--help", "--version"}
        assert len(options) <= 8, (name, options)
        assert len(re.findall(r"^  tessera ", text.partition("USAGE:")[0], re.MULTILINE)) <= 3, (name, text)


SIMILAR: list[tuple[tuple[str, ...], str]] = [
    (("lo",), 'Error: "tessera" has no command "lo". Did you mean "login" or "logout"?'),
    (("loign",), 'Error: "tessera" has no command "loign". Did you mean "login"?'),
    (("profile", "lst"), 'Error: "tessera profile" has no command "lst". Did you mean "list"?'),
    (("xyz",), 'Error: "tessera" has no command "xyz". Run "tessera --help" for a list.'),
    (("login", "--clientid", "x"), "Error: Unknown option '--clientid'. Did you mean '--client-id'?"),
    (("token", "--forc"), "Error: Unknown option '--forc'. Did you mean '--force-refresh'?"),
    (("token", "--local"), "Error: Unknown option '--local'. Did you mean '--local-account-id'?"),
    (("login", "--qwertz"), "Error: Unknown option '--qwertz'."),
    (("login", "--timeout", "5d"),
     "Error: The value '5d' is invalid for '--timeout': must be a time of at most a year, such as 90, 5m or 1h."),
]  # fmt: skip


def similar_words_are_suggested(desk: Desk) -> None:
    """Misspelt commands and options are errors with all similar words, and with the usage of the right command."""
    for words, message in SIMILAR:
        done = subprocess.run(
            [COMMAND, *words], env=desk.environment, capture_output=True, text=True, check=False
        )
        first, usage, *_ = done.stderr.splitlines()
        assert (done.returncode, first, done.stdout) == (64, message, ""), (words, done)
        group = "tessera profile" if words[0] == "profile" else "tessera"
        assert usage.startswith(f"Usage: {group} "), done


def all_help_of(name: str) -> str:
    """Returns the help text of a subcommand with all options."""
    return subprocess.run(
        [COMMAND, *name.split(), "--help-all"], capture_output=True, text=True, check=True
    ).stdout


def errors_name_options(desk: Desk) -> None:
    """Errors name options instead of members, and the next step."""
    desk.sign_in(ALICE)
    plain = [word for word in desk.options if word != "--json"]
    for words, message, step in (
        (("begin-login", *SCOPE, "--broker", "require"),
         "begin-login does not use the broker, but --broker is ", None),
        (("token", *SCOPE, "--username", BOB), f"{BOB} is ",
         f"Run: tessera login --client-id {CLIENT} --authority {desk.provider.entra_authority} "
         "--authority-type entra --scope User.Read"),
    ):
        done = subprocess.run(
            [COMMAND, *words, *plain], env=desk.environment, capture_output=True, text=True, check=False
        )
        first, *rest = done.stderr.splitlines()
        assert done.returncode != 0 and first.startswith(f"tessera: {message}"), done
        assert rest == ([f"  {step}"] if step else []), done


def next_steps_exist(_: Desk) -> None:
    """The next steps of errors name subcommands and options that exist."""
    names = subcommands()
    options = set(re.findall(r"--[a-z-]+", "".join(all_help_of(name) for name in names)))
    table = tomllib.loads((ROOT / "docs/errors.toml").read_text())
    texts = [row["command"] for row in table["codes"] if "command" in row]
    assert len(texts) > 30, texts
    for text in texts:
        assert set(re.findall(r"--[a-z-]+", text)) <= options, text
        assert set(re.findall(r'"tessera ([a-z -]+)"', text)) <= set(names), text
