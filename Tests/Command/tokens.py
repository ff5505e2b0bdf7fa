# SPDX-License-Identifier: MIT
"""The formats of `token`, `exec`, `import`, `doctor` and QR codes."""

from __future__ import annotations

import base64
import contextlib
import email.utils
import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import qr
from desk import ALICE, CLIENT, COMMAND, Desk
from profiles import output, profile_file, ran, write
from sign_ins import SCOPE

AZURE_CLI = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
EXEC_INFO = '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","spec":{}}'


def plain(desk: Desk, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a subcommand without `--json`."""
    options = [word for word in desk.options if word != "--json"]
    return subprocess.run(
        [COMMAND, words[0], *options, *words[1:]], env=desk.environment | variables, capture_output=True,
        text=True, timeout=60, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def every_format(desk: Desk) -> None:
    """Each format of `token` has the form that its consumer expects."""
    desk.sign_in(ALICE)
    result = desk.good("token", *SCOPE)
    token, end = result["access_token"], result["expires_on"]

    def shown(name: str, *words: str, **variables: str) -> str:
        done = plain(desk, "token", *SCOPE, "--format", name, *words, **variables)
        assert done.returncode == 0 and done.stdout.count("\n") == 1 and not done.stderr, done
        return done.stdout.rstrip("\n")

    utc = datetime.fromtimestamp(end, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert plain(desk, "token", *SCOPE).stdout == f"{token}\n"
    assert shown("raw") == token
    assert shown("header") == f"Authorization: Bearer {token}"
    assert json.loads(shown("json")) == result
    az = json.loads(shown("az", TZ="America/New_York"))
    os.environ["TZ"] = "America/New_York"
    time.tzset()
    local = datetime.fromtimestamp(end).strftime("%Y-%m-%d %H:%M:%S.000000")
    del os.environ["TZ"]
    time.tzset()
    assert az == {
        "accessToken": token, "expiresOn": local, "expires_on": end, "tenant": result["tenant_id"],
        "tokenType": "Bearer",
    }, (az, local)  # fmt: skip
    assert json.loads(shown("azd")) == {"token": token, "expiresOn": utc}
    for variables, version in (({}, "v1"), ({"KUBERNETES_EXEC_INFO": EXEC_INFO}, "v1beta1")):
        assert json.loads(shown("execcredential", **variables)) == {
            "apiVersion": f"client.authentication.k8s.io/{version}", "kind": "ExecCredential",
            "status": {"token": token, "expirationTimestamp": utc},
        }  # fmt: skip
    assert base64.b64decode(shown("xoauth2")).decode() == f"user={ALICE}\1auth=Bearer {token}\1\1"
    words = ("--host", "imap.example", "--port", "993")
    bearer = base64.b64decode(shown("oauthbearer", *words)).decode()
    assert bearer == f"n,a={ALICE},\1host=imap.example\1port=993\1auth=Bearer {token}\1\1", bearer
    assert shown("netrc", *words[:2]) == f"machine imap.example login {ALICE} password {token}"
    done = plain(desk, "token", *SCOPE, "--format", "netrc")
    assert (done.returncode, done.stdout) == (3, "") and "--host" in done.stderr, done
    done = plain(desk, "token", *SCOPE, "--format", "netrc", "--host", "a\nmachine b")
    assert (done.returncode, done.stdout) == (3, ""), done


def long_lifetimes_end_in_the_year_9999(desk: Desk) -> None:
    """The formats of times have four digits for the year."""
    desk.provider.command("set", access_token_lifetime_seconds=10**15)
    desk.sign_in(ALICE)
    for name in ("az", "azd", "execcredential"):
        done = plain(desk, "token", *SCOPE, "--format", name, TZ="UTC")
        assert done.returncode == 0 and "9999-12-31" in done.stdout, done
    assert plain(desk, "accounts").returncode == 0


def tokens_have_a_minimum_validity(desk: Desk) -> None:
    """`--min-validity` gets a new token if the cached one ends earlier."""
    desk.provider.command("set", access_token_lifetime_seconds=1800)
    desk.sign_in(ALICE)
    desk.provider.command("set", access_token_lifetime_seconds=7200)
    for least, source in (("0", "cache"), ("20m", "cache"), ("1h", "network")):
        assert desk.good("token", *SCOPE, "--min-validity", least)["source"] == source, least
    done = plain(desk, "token", *SCOPE, "--min-validity", "3h")
    assert done.stdout.startswith("ey") and "Warning: The token is valid for " in done.stderr, done
    for invalid in ("-1", "1d", "m", "1.5"):
        assert plain(desk, "token", *SCOPE, f"--min-validity={invalid}").returncode == 64, invalid
    done = plain(desk, "token", *SCOPE, "--min-validity", "25h")
    assert done.stderr.startswith("tessera: --min-validity must be between "), done


def programs_get_tokens(desk: Desk) -> None:
    """`exec` passes the token in a descriptor or in a variable, and the exit status of the program is its own."""
    desk.sign_in(ALICE)
    token = desk.good("token", *SCOPE)["access_token"]
    script = 'cat <&"$TESSERA_TOKEN_FD"; cat <&"$TESSERA_TOKEN_FD"; tr "\\0" "\\n" </proc/$$/environ >env; exit 7'
    done = plain(desk, "exec", *SCOPE, "--", "sh", "-c", f"cd {desk.folder}; {script}")
    assert (done.returncode, done.stdout) == (7, token), done
    assert token not in (desk.folder / "env").read_text()
    script = 'echo "$MY_TOKEN$TESSERA_TOKEN_FD $1"'
    done = plain(desk, "exec", *SCOPE, "--env", "MY_TOKEN", "--", "sh", "-c", script, "x", "--json")
    assert (done.returncode, done.stdout) == (0, f"{token} --json\n"), done
    for words, status, message in (
        ((*SCOPE, "--", "/nonexistent/program"), 127, "cannot be started: No such file"),
        ((*SCOPE, "--", "/dev"), 126, "cannot be started"), (SCOPE, 64, 'Specify a program after "--"'),
        ((*SCOPE, "--env", "1=x", "--", "true"), 64, "--env must be the name"),
        ((*SCOPE, "--username", "bob@contoso.com", "--", "true"), 1, "bob@contoso.com is not signed in"),
    ):  # fmt: skip
        done = plain(desk, "exec", *words)
        assert (done.returncode, done.stdout) == (status, "") and message in done.stderr, (words, done)


def an_import_ends_in_a_profile(desk: Desk) -> None:
    """`import az` copies the sign-ins of the Azure CLI and stores a profile with which `token` works."""
    desk.environment |= {"AZURE_CONFIG_DIR": str(desk.folder / "azure"), "HOME": str(desk.folder)}
    place = ["--authority", desk.provider.entra_authority, "--authority-type", "entra", "--key-source", "key_file"]
    done = ran(desk, "import", "az", *place)
    assert done.returncode == 1 and "No token cache of the Azure CLI was found." in done.stderr, done
    assert not profile_file(desk).exists()
    desk.sign_in(ALICE, "--client-id", AZURE_CLI)
    (desk.folder / "azure").mkdir(mode=0o700)
    cache = desk.folder / "azure/msal_token_cache.json"
    assert desk.copy("--msal-cache", str(cache), "--from-group", "default")[0] == 0
    before = cache.read_bytes()
    for _ in range(2):
        said = output(desk, "import", "az", *place, *SCOPE)
        assert f"Imported {ALICE}." in said and '"tessera token --profile az"' in said, said
        assert output(desk, "token", "--profile", "az").startswith("ey")
    assert cache.read_bytes() == before
    assert output(desk, "token").startswith("ey")
    shown = json.loads(output(desk, "profile", "show", "az", "--json"))
    assert (shown["client_id"], shown["username"], shown["scopes"]) == (AZURE_CLI, ALICE, ["User.Read"]), shown
    # A repeated import keeps what the user changed in the profile.
    path = profile_file(desk)
    path.write_text(path.read_text().replace(f'username = "{ALICE}"', f'username = "{ALICE}" # mine'))
    output(desk, "import", "az", *place)
    assert f'username = "{ALICE}" # mine' in path.read_text(), path.read_text()
    again = json.loads(output(desk, "profile", "show", "az", "--json"))
    assert again["scopes"] == ["User.Read"] and again["username"] == ALICE, again
    done = ran(desk, "import", "azure-powershell", *place, "--profile", "az")
    assert done.returncode == 4 and 'The profile "az" has another client ID.' in done.stderr, done
    done = ran(desk, "import", "az", *place, "--client-id", "another", "--profile", "other")
    assert done.returncode == 1 and "no sign-in of the client ID another" in done.stderr, done
    assert ran(desk, "import", "gcloud").returncode == 64


def diagnostics_cover_the_whole_way(desk: Desk) -> None:
    """`doctor` checks every part, and names a command for a problem."""
    desk.sign_in(ALICE)
    sections = {each["name"]: each for each in desk.good("doctor", "--online")["sections"]}
    names = ["Program", "Profile", "Store", "Sign-in", "Network", "Other caches", "Broker"]
    assert list(sections) == names, sections
    assert sections["Store"]["details"]["state"] == "usable", sections
    found = {each["name"]: each["value"] for each in sections["Network"]["findings"]}
    assert found["discovery"].startswith(desk.provider.entra_authority), found
    proxy = {"HTTPS_PROXY": "http://user:password@127.0.0.1:9"}
    done = plain(desk, "doctor", "--online", **proxy)
    assert "http://…@127.0.0.1:9" in done.stdout and "password" not in done.stdout, done
    unreachable = ("--authority", "http://127.0.0.1:9/common")
    done = plain(desk, "doctor", "--online", *unreachable)
    assert done.returncode == 2 and "Network\tproblem\t" in done.stdout and "Network\tstep\t" in done.stdout, done


def network_problems_are_found(desk: Desk) -> None:
    """`doctor --online` finds a wrong clock, a proxy with Negotiate, and the proxy settings of a desktop."""
    application = ["doctor", "--online", "--client-id", CLIENT, "--authority-type", "openid", "--authority"]
    with clock_server(-3600) as late, clock_server(7200) as early, clock_server(0) as right:
        for server, text in (
            (late, "is 60 minutes ahead of that of the provider"), (right, "like the clock of the provider"),
            (early, "minutes behind that of the provider"),
        ):  # fmt: skip
            said = ran(desk, *application, server).stdout
            assert text in said and ("timedatectl" in said) == ("minutes" in text), said
    with proxy_server("Negotiate") as proxy:
        said = ran(desk, *application, "https://login.example", environment={"HTTPS_PROXY": proxy}).stdout
        assert "The proxy requires Negotiate or NTLM, but only Basic" in said, said
        assert "Network\tstep\tSet HTTPS_PROXY" in said, said
    programs = desk.folder / "programs"
    programs.mkdir()
    script = """[ "$*" = "get org.gnome.system.proxy mode" ] && echo "'auto'"\n"""
    (programs / "gsettings").write_text(f"#!/bin/sh\n{script}")
    (programs / "gsettings").chmod(0o755)
    (desk.folder / "config").mkdir(exist_ok=True)
    (desk.folder / "config/kioslaverc").write_text("[Proxy Settings]\nProxyType=1\n")
    path = f"{programs}:{os.environ['PATH']}"
    for desktop, text in (("ubuntu:GNOME", "(PAC), which is not used"), ("KDE", "set there, but not used")):
        variables = {"XDG_CURRENT_DESKTOP": desktop, "PATH": path}
        assert text in ran(desk, "doctor", "--online", environment=variables).stdout
        assert text not in ran(desk, "doctor", "--online", environment={**variables, "HTTPS_PROXY": "http://x"}).stdout


@contextlib.contextmanager
def clock_server(seconds: float) -> Iterator[str]:
    """Starts a server with a clock that differs by a time; yields its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # noqa: N802
            self.send_response_only(404)
            self.send_header("Date", email.utils.formatdate(time.time() + seconds, usegmt=True))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            """Prints nothing."""

    with running(Handler) as url:
        yield url


@contextlib.contextmanager
def proxy_server(scheme: str) -> Iterator[str]:
    """Starts a proxy that requires authentication; yields its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_CONNECT(self) -> None:  # noqa: N802
            self.send_response(407)
            self.send_header("Proxy-Authenticate", scheme)
            self.send_header("proxy-authenticate", "NTLM")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            """Prints nothing."""

    with running(Handler) as url:
        yield url


@contextlib.contextmanager
def running(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Starts a server; yields its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def a_report_has_no_personal_data(desk: Desk) -> None:
    """`doctor --report` has no name, ID, address and path of the user, also for problems; other words are kept."""
    text = f'[profile.acme]\nclient_id = "{desk.options[1]}"\ntenant = "t.acme.example"\nscopes = ["api://acme/a"]\n'
    write(desk, text + 'group = "e"\nusername = "eve@acme.example"\n')
    variables = {
        "HTTPS_PROXY": "http://user:password@proxy.acme.example:9", "NO_PROXY": "intranet.acme.example",
        "XDG_DATA_HOME": str(desk.folder / "customers/acme"), "HOME": str(desk.folder / "home/eve"),
    }  # fmt: skip
    for words in ((), ("--json",), ("--online",), ("--online", "--json")):
        done = ran(desk, "doctor", "--report", *words, environment=variables)
        for personal in ("acme", "eve", str(desk.folder), desk.options[1], "password"):
            assert personal not in done.stdout, (words, personal, done.stdout)
    report = ran(desk, "doctor", "--report", "--online", environment=variables).stdout
    rows = {line.split("\t")[1]: line.split("\t")[2] for line in report.splitlines()}
    assert rows["client ID"] == "set, from a profile" and rows["provider"] == "a tenant", rows
    assert (rows["scopes"], rows["group"], rows["HTTPS_PROXY"]) == ("1", "not the default", "set"), rows
    assert rows["store"] == "a path outside of HOME" and rows["policy"] == "prefer_encrypted", rows
    assert rows["problem"].startswith("network_failed"), rows
    home = plain(desk, "doctor", "--report", HOME=str(desk.folder)).stdout
    assert "Store\tstore\ta path in HOME" in home and "set, from the options" in home, home


def a_code_for_a_phone(desk: Desk) -> None:
    """`login --qr` prints the address as a QR code."""
    words = [word for word in desk.options if word != "--json"]
    with subprocess.Popen(
        [COMMAND, "login", *words, "--device-code", "--qr", "--timeout", "1", *SCOPE], env=desk.environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        _, said = process.communicate(timeout=60)
    lines = [line for line in said.splitlines() if "█" in line]
    (address,) = [line.split()[-1] for line in said.splitlines() if "1. Open" in line]
    read = qr.decoded(lines)
    assert read == address or read.startswith(address), (read, address)
    # A page has a long URL, which needs a larger code.
    done = plain(desk, "login", "--paste", "--qr", "--timeout", "2", *SCOPE)
    lines = [line for line in done.stderr.splitlines() if "█" in line]
    (address,) = [line.split()[-1] for line in done.stderr.splitlines() if line.startswith("  http")]
    assert qr.decoded(lines) == address, (lines, address)
