# SPDX-License-Identifier: MIT
"""Profiles: the file, the order of the sources, and commands without options."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import subprocess
from pathlib import Path
from typing import Any

from desk import ALICE, BOB, CLIENT, COMMAND, OTHER, Desk
from sign_ins import SCOPE

WORK = f'[profile.work]\nclient_id = "{CLIENT}"\ntenant = "contoso.com"\nscopes = ["User.Read"]\n'
HOME = '[profile.home]\nclient_id = "home"\nauthority = "https://login.example/x"\ngroup = "shared"\n'
_NOBODY = 65534


def profile_file(desk: Desk) -> Path:
    """Returns the path of the profile file."""
    return Path(desk.environment["XDG_CONFIG_HOME"]) / "tessera/config.toml"


def write(desk: Desk, text: str) -> Path:
    """Writes the profile file."""
    path = profile_file(desk)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.write_text(text)
    path.chmod(0o600)
    return path


def ran(desk: Desk, *words: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the command with the store of the environment, and with no options of its own."""
    variables = desk.environment | {"XDG_DATA_HOME": str(desk.folder / "data")} | (environment or {})
    return subprocess.run(
        [COMMAND, *words], env=variables, capture_output=True, text=True, timeout=60, check=False, cwd=desk.folder
    )


def output(desk: Desk, *words: str, environment: dict[str, str] | None = None) -> str:
    """Returns the output of the command, which must succeed."""
    done = ran(desk, *words, environment=environment)
    assert done.returncode == 0, (words, done)
    return done.stdout


def signed_in(desk: Desk, username: str, *words: str) -> str:
    """Signs a user in with the store of the environment, and returns the output after the prompt."""
    options = ["--client-id", CLIENT, "--authority", desk.provider.entra_authority, "--authority-type", "entra"]
    variables = desk.environment | {"XDG_DATA_HOME": str(desk.folder / "data")}
    with subprocess.Popen(
        [COMMAND, "login", *options, "--key-source", "key_file", "--device-code", *SCOPE, *words],
        env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout and process.stderr
        code = ""
        while "2. Enter" not in code:
            code = process.stderr.readline()
            assert code, process.stdout.read()
        desk.provider.approve(code.split()[-1], username)
        said = process.stdout.read()
    assert process.returncode == 0, said
    return said


def the_first_login_stores_a_profile(desk: Desk) -> None:
    """After the first `login`, `token`, `status`, `accounts` and `logout` need no options."""
    said = signed_in(desk, ALICE)
    assert 'Stored the profile "default". Print a token with "tessera token".' in said, said
    path = profile_file(desk)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not list(path.parent.glob("*.new")), list(path.parent.iterdir())
    token = output(desk, "token")
    assert token.startswith("ey") and token.endswith("\n") and token.count("\n") == 1, token
    assert token.strip() not in path.read_text()
    status = json.loads(output(desk, "status", "--json"))
    sources = {each["name"]: each["source"] for each in status["settings"]}
    assert sources["client_id"] == sources["authority"] == sources["scopes"] == 'the profile "default"', status
    assert (sources["group"], status["account"]["username"]) == ("the default", ALICE), status
    assert status["token"].startswith("valid for "), status
    # A second sign-in changes the profile only on request.
    before = path.read_text()
    assert "Stored the profile" not in signed_in(desk, BOB)
    assert path.read_text() == before
    assert ran(desk, "token").returncode == 3
    output(desk, "use", BOB.upper())
    assert f'username = "{BOB}"' in path.read_text(), path.read_text()
    assert json.loads(output(desk, "token", "--json"))["account"]["username"] == BOB
    (row,) = [line for line in output(desk, "accounts").splitlines() if line.startswith("*")]
    assert BOB in row, row
    assert ran(desk, "use", "dan@contoso.com").returncode == 1
    output(desk, "logout")
    done = ran(desk, "status")
    assert done.returncode == 1 and f"{BOB} is not signed in." in done.stderr, done
    assert "Run: tessera login" in done.stderr and "--client-id" not in done.stderr, done
    assert output(desk, "logout") == "No account was signed in.\n"


def profiles_are_chosen_and_removed(desk: Desk) -> None:
    """`--profile` and TESSERA_PROFILE choose a profile; `login` stores one, `profile` lists and removes them."""
    assert 'Stored the profile "work"' in signed_in(desk, ALICE, "--profile", "work")
    write(desk, profile_file(desk).read_text() + "\n# A comment.\n" + HOME)
    listed = json.loads(output(desk, "profile", "list", "--json"))["profiles"]
    assert [(each["name"], each["default"]) for each in listed] == [("work", True), ("home", False)], listed
    for words, variables in ((("-p", "home"), {}), ((), {"TESSERA_PROFILE": "home"})):
        status = json.loads(ran(desk, "status", "--json", *words, environment=variables).stdout)
        chosen = {"name": "client_id", "value": "home", "source": 'the profile "home"'}
        assert status["settings"][0] == chosen, status
    done = ran(desk, "token", "-p", "hmoe")
    assert done.returncode == 4 and 'The profile "hmoe" does not exist. Did you mean "home"?' in done.stderr, done
    done = ran(desk, "token", "-p", "home", "--client-id", "x")
    assert done.returncode == 4 and "--profile home excludes --client-id" in done.stderr, done
    output(desk, "use", "--profile", "home")
    assert output(desk, "profile", "show").startswith("profile\thome\n")
    assert output(desk, "accounts", "--all", "-p", "work").split("\t")[3] == f"client {CLIENT}"
    output(desk, "profile", "remove", "home")
    text = profile_file(desk).read_text()
    assert "home" not in text and "# A comment." in text and "default" not in text, text
    assert ran(desk, "profile", "remove", "home").returncode == 4
    assert output(desk, "token").startswith("ey")


SOURCES: list[tuple[list[str], dict[str, str], str, str, str]] = [
    # The options, the variables, and the client ID, the provider and the source that follow from them.
    ([], {}, CLIENT, "contoso.com", 'the profile "work"'),
    (["--client-id", "o", "--tenant", "t.example"], {}, "o", "t.example", "the options"),
    (["--client-id", "o", "--tenant", "t.example"], {"TESSERA_CLIENT_ID": "v"}, "o", "t.example", "the options"),
    (["--client-id", "o", "--authority", "https://a.example/x"], {}, "o", "https://a.example/x", "the options"),
    ([], {"TESSERA_CLIENT_ID": "v", "TESSERA_TENANT": "t"}, "v", "t", "the TESSERA_* variables"),
    ([], {"TESSERA_CLIENT_ID": "v", "TESSERA_AUTHORITY": "http://a"}, "v", "http://a", "the TESSERA_* variables"),
    ([], {"TESSERA_CLIENT_ID": "", "TESSERA_TENANT": ""}, CLIENT, "contoso.com", 'the profile "work"'),
    (["-p", "work"], {"TESSERA_CLIENT_ID": "v"}, CLIENT, "contoso.com", 'the profile "work"'),
    ([], {"AZURE_CLIENT_ID": "a", "AZURE_TENANT_ID": "t"}, CLIENT, "contoso.com", 'the profile "work"'),
    (["--azure-env"], {"AZURE_CLIENT_ID": "a", "AZURE_TENANT_ID": "t"}, "a", "t", "the AZURE_* variables"),
    (["--azure-env"], {"AZURE_CLIENT_ID": "a", "AZURE_AUTHORITY_HOST": "login.microsoftonline.us"}, "a",
     "https://login.microsoftonline.us/organizations", "the AZURE_* variables"),
]  # fmt: skip

CONFLICTS: list[tuple[list[str], dict[str, str], tuple[str, ...]]] = [
    (["--tenant", "t"], {}, ("by the options", 'by the profile "work"', "pass --client-id")),
    (["--client-id", "o"], {}, ("by the options", 'by the profile "work"', "pass --tenant or --authority")),
    (["--client-id", "o"], {"TESSERA_TENANT": "t"}, ("by the options", "by the TESSERA_* variables")),
    ([], {"TESSERA_TENANT": "t"}, ("by the TESSERA_* variables", 'the profile "work"', "set TESSERA_CLIENT_ID")),
    ([], {"TESSERA_CLIENT_ID": "v"}, ("by the TESSERA_* variables", "set TESSERA_TENANT or TESSERA_AUTHORITY")),
    ([], {"TESSERA_AUTHORITY_TYPE": "x"}, ("TESSERA_AUTHORITY_TYPE must be one of",)),
    (["--azure-env"], {"AZURE_CLIENT_ID": "a"}, ("by the AZURE_* variables", "set AZURE_TENANT_ID")),
    (["--azure-env"], {}, ("AZURE_CLIENT_ID is not",)),
    (["--azure-env", "-p", "work"], {"AZURE_CLIENT_ID": "a"}, ("--profile and --azure-env exclude each other",)),
    (["--client-id", "o", "--tenant", "t", "--authority", "a"], {}, ("--tenant and --authority exclude",)),
]


def one_source_has_all(desk: Desk) -> None:
    """The client ID and the provider come from one source; a partial set names both sources."""
    write(desk, WORK)
    for words, variables, client_id, provider, source in SOURCES:
        status = json.loads(ran(desk, "status", "--json", *words, environment=variables).stdout)
        values = {each["name"]: (each["value"], each["source"]) for each in status["settings"]}
        assert values["client_id"] == (client_id, source), (words, variables, status)
        assert (values.get("tenant") or values["authority"]) == (provider, source), (words, variables, status)
        scopes = ("User.Read", source) if "profile" in source else ("not set", "the default")
        assert values["scopes"] == scopes, (words, variables, status)
    for words, variables, parts in CONFLICTS:
        done = ran(desk, "status", *words, environment=variables)
        assert done.returncode == 4, (words, variables, done)
        for part in parts:
            assert part in done.stderr, (words, variables, part, done.stderr)
    variables = {"TESSERA_SCOPE": "Mail.Read,Mail.Send", "TESSERA_GROUP": "g"}
    status = json.loads(ran(desk, "status", "--json", environment=variables).stdout)
    values = {each["name"]: (each["value"], each["source"]) for each in status["settings"]}
    assert values["scopes"] == ("Mail.Read Mail.Send", "the TESSERA_* variables"), status
    assert values["group"] == ("g", "the TESSERA_* variables"), status
    # A complete set does not read the profiles.
    write(desk, "invalid")
    done = ran(desk, "status", "--client-id", "o", "--tenant", "t")
    assert done.returncode == 1 and "the options" in done.stdout, done


INVALID: list[tuple[str, str]] = [
    (WORK + 'clientid = "x"\n', 'line 5: unknown key "clientid". Did you mean "client_id"?'),
    (WORK + 'password = "x"\n', 'line 5: unknown key "password". Known keys: client_id, '),
    ('default = "x"\n' + WORK, 'the default profile "x" does not exist'),
    ('name = "x"\n', 'line 1: unknown key "name"'),
    ("[other.work]\n", "line 1: unknown table"),
    ("[profile.a b]\n", "line 1: invalid name of a profile"),
    (WORK + WORK, 'line 5: the profile "work" exists twice'),
    (WORK + 'tenant = "x"\n', 'line 5: "tenant" is set twice'),
    ('[profile.x]\ntenant = "x"\n', 'the profile "x" has no client_id'),
    (WORK + 'authority = "https://x"\n', "has a tenant and an authority"),
    (WORK + "group = 'x'\n", "line 5: a value is a string in quotation marks"),
    (WORK + "group = 1\n", "line 5: a value is a string in quotation marks"),
    (WORK + 'group = ""\n', "line 5: group must be a string"),
    (WORK + 'group = ["x"]\n', "line 5: group must be a string"),
    (WORK + 'group = "x" y\n', "line 5: unexpected text after the value"),
    (WORK + 'group = "x\n', "line 5: a string does not end"),
    (WORK + 'group = "\\n"\n', "line 5: an escape sequence is unknown"),
    (WORK + 'group = "\x1b"\n', "line 5: a string contains a control character"),
    (WORK + "group\n", 'line 5: "group" has no value'),
    (WORK + "= 1\n", "line 5: a line must be a comment"),
    (WORK + 'authority_type = "x"\n', "line 5: authority_type must be one of"),
    ('[profile.x]\nclient_id = "x"\nscopes = "x"\n', "line 3: scopes must be an array"),
    ('[profile.x]\nclient_id = "x"\nscopes = ["x"\n', "line 3: the array does not end"),
]


def an_invalid_file_is_an_error(desk: Desk) -> None:
    """Each invalid line of the profile file is an error with its number and the path."""
    for text, message in INVALID:
        path = write(desk, text)
        done = ran(desk, "profile", "list")
        assert done.returncode == 4 and f"{path}: " in done.stderr, (text, done)
        assert message in " ".join(done.stderr.split()), (text, done.stderr)
    spaced = '\t[ profile.x ] # y\n  client_id="a\\"\\\\b"#z\nscopes = [ ]\n'
    for text in ("", "# x\n", WORK.replace("\n", "\r\n"), spaced):
        write(desk, text)
        assert ran(desk, "profile", "list").returncode == 0, (text, ran(desk, "profile", "list"))
    shown = json.loads(output(desk, "profile", "show", "x", "--json"))
    assert shown["client_id"] == 'a"\\b', shown


def only_its_owner_can_change_the_file(desk: Desk) -> None:
    """A file that another user could have written is not used, nor one in the working directory."""
    path = write(desk, WORK)
    for target, mode, good in (
        (path, 0o620, 0o600), (path, 0o602, 0o600), (path.parent, 0o770, 0o700), (path.parent, 0o702, 0o700),
        (path.parent.parent, 0o770, 0o700),
    ):  # fmt: skip
        target.chmod(mode)
        done = ran(desk, "profile", "list")
        assert done.returncode == 4 and f"chmod go-w {target}" in done.stderr, (target, done)
        assert ran(desk, "token").returncode == 4
        target.chmod(good)
    path.chmod(0o644)
    assert "work" in output(desk, "profile", "list")
    if os.geteuid() == 0:
        os.chown(path, _NOBODY, _NOBODY)
        done = ran(desk, "profile", "list")
        assert done.returncode == 4 and "belongs to another user" in done.stderr, done
    # A relative directory would depend on the working directory.
    (desk.folder / "here/tessera").mkdir(parents=True)
    (desk.folder / "here/tessera/config.toml").write_text(WORK)
    home = {"XDG_CONFIG_HOME": "here", "HOME": str(desk.folder / "home")}
    assert output(desk, "profile", "list", environment=home) == ""


def a_change_does_not_wait_without_end(desk: Desk) -> None:
    """A change ends although another process holds the lock."""
    path = write(desk, WORK)
    folder = os.open(path.parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    done = ran(desk, "profile", "remove", "work")
    os.close(folder)
    assert done.returncode == 2 and "another process" in done.stderr and path.read_text() == WORK, done


def concurrent_changes_are_kept(desk: Desk) -> None:
    """Processes that change the file at once lose no change, and keep comments."""
    names = [f"p{number}" for number in range(12)]
    text = "".join(f'# About {name}.\n[profile.{name}]\nclient_id = "{name}"\n' for name in [*names, "last"])
    path = write(desk, 'default = "last"\n' + text)
    started = [
        subprocess.Popen([COMMAND, "profile", "remove", name], env=desk.environment, stdout=subprocess.DEVNULL)
        for name in names
    ]
    assert [process.wait(60) for process in started] == [0] * len(names)
    assert "[profile.last]" in path.read_text() and "[profile.p" not in path.read_text(), path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    link = path.with_name("target.toml")
    path.rename(link)
    path.symlink_to(link)
    output(desk, "profile", "remove", "last")
    assert path.is_symlink() and "[profile." not in link.read_text(), link.read_text()


COMMENTED = f"""# My profiles.
default = "work"  # the usual one

# About work.
[profile.work]
client_id = "{CLIENT}"   # from the portal
# The tenant of the customer.
tenant = "contoso.com"
scopes = [ "User.Read" ]# few

# About home.
[profile.home] # the other one
client_id = "home"
username = "old@contoso.com"\t# the first account
authority = "https://login.example/x"

# The end.
"""


def comments_are_kept(desk: Desk) -> None:
    """A change of a profile changes only its lines, and a removal keeps the comments around the profile."""
    path = write(desk, COMMENTED)
    output(desk, "use", "--profile", "home")
    after = COMMENTED.replace('default = "work"', 'default = "home"')
    assert path.read_text() == after, path.read_text()
    output(desk, "profile", "remove", "work")
    start, end = after.index("[profile.work]"), after.index("# About home.")
    assert path.read_text() == f"{after[:start]}\n{after[end:]}", path.read_text()
    signed_in(desk, ALICE, "--profile", "home")
    text = path.read_text()
    lines = [f'client_id = "{CLIENT}"', f'authority = "{desk.provider.entra_authority}"', 'scopes = ["User.Read"]']
    assert all(line in text.splitlines() for line in lines), text
    assert "old@contoso.com" not in text and "[profile.home] # the other one\n" in text, text
    assert text.endswith("\n\n# The end.\n"), text
    output(desk, "use", ALICE)
    assert f'username = "{ALICE}"\n' in path.read_text(), path.read_text()
    windows = WORK.replace("\n", "\r\n").replace('"contoso.com"', '"contoso.com" # x')
    write(desk, windows)
    output(desk, "use", "--profile", "work")
    assert path.read_bytes().decode() == f'default = "work"\n\n{windows}', path.read_bytes()


def comments_of_services_are_kept(desk: Desk) -> None:
    """`helper remove` keeps the comments around the entry of a service."""
    entry = '[[helper]]\ntool = "git"\nurl = "https://{}.example"\nclient_id = "x"\nscopes = ["y"]  # z\n\n'
    text = "".join(f"# About {name}.\n{entry.format(name)}" for name in ("one", "two", "three"))
    path = write(desk, "").with_name("helpers.toml")
    path.write_text(text)
    path.chmod(0o600)
    output(desk, "helper", "remove", "git", "https://two.example")
    assert path.read_text() == text.replace(entry.format("two"), "\n"), path.read_text()


def concurrent_first_logins(desk: Desk) -> None:
    """Of two first logins at the same time, the second one keeps the profile of the first and prints a hint."""
    variables = desk.environment | {"XDG_DATA_HOME": str(desk.folder / "data")}
    place = ["--authority", desk.provider.entra_authority, "--authority-type", "entra", "--key-source", "key_file"]
    started: list[tuple[subprocess.Popen[str], str]] = []
    for client in (CLIENT, OTHER, CLIENT):
        process = subprocess.Popen(
            [COMMAND, "login", "--client-id", client, *place, "--device-code", *SCOPE], env=variables,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stderr
        code = ""
        while "2. Enter" not in code:
            code = process.stderr.readline()
            assert code, process.communicate()
        started.append((process, code.split()[-1]))
    said = []
    for process, code in started:
        desk.provider.approve(code, ALICE)
        said.append(process.communicate(timeout=60)[0])
        assert process.returncode == 0, said
    assert 'Stored the profile "default"' in said[0], said
    assert "Profiles exist, so these options were not stored. Add --profile NAME" in said[1], said
    assert said[2] == f"Signed in as {ALICE}.\n", said
    assert json.loads(output(desk, "profile", "show", "default", "--json"))["client_id"] == CLIENT


def other_clients(desk: Desk) -> None:
    """Without a client ID, `accounts` lists the sign-ins of all applications in the store."""
    desk.sign_in(ALICE)
    desk.sign_in(BOB, "--client-id", OTHER)
    place = desk.options[desk.options.index("--store-directory"):]
    done = subprocess.run(
        [COMMAND, "accounts", *place], env=desk.environment, capture_output=True, text=True, check=True
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)["sign_ins"]
    assert {each["client_id"] for each in found} == {CLIENT, OTHER}, found
    assert all(each["refreshable"] and each["expires_on"] for each in found), found
