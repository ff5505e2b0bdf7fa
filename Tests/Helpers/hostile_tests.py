# SPDX-License-Identifier: MIT
"""Requests that must not get a token, and lists that other users can change."""

from __future__ import annotations

import json
import os

from desk import Desk

HOST = "git.example.com"
VERSION = "client.authentication.k8s.io/v1"
# The attributes of a request of Git for a service that is not listed, or in a form that is not accepted.
ROWS: list[tuple[str, bytes]] = [
    ("foreign host", b"protocol=https\nhost=evil.example\n"),
    ("look-alike suffix", b"protocol=https\nhost=git.example.com.evil.example\n"),
    ("look-alike prefix", b"protocol=https\nhost=evilgit.example.com\n"),
    ("subdomain", b"protocol=https\nhost=a.git.example.com\n"),
    ("parent domain", b"protocol=https\nhost=example.com\n"),
    ("hyphen instead of dot", b"protocol=https\nhost=git-example.com\n"),
    ("missing dot", b"protocol=https\nhost=gitexample.com\n"),
    ("other top-level domain", b"protocol=https\nhost=git.example.co\n"),
    ("digit for a letter", b"protocol=https\nhost=g1t.example.com\n"),
    ("wildcard", b"protocol=https\nhost=*.example.com\n"),
    ("wildcard alone", b"protocol=https\nhost=*\n"),
    ("http", b"protocol=http\nhost=git.example.com\n"),
    ("http on the port of https", b"protocol=http\nhost=git.example.com:443\n"),
    ("other scheme", b"protocol=ftp\nhost=git.example.com\n"),
    ("ssh", b"protocol=ssh\nhost=git.example.com\n"),
    ("scheme in upper case", b"protocol=HTTPS\nhost=git.example.com\n"),
    ("scheme with a suffix", b"protocol=https:\nhost=git.example.com\n"),
    ("empty scheme", b"protocol=\nhost=git.example.com\n"),
    ("no scheme", b"host=git.example.com\n"),
    ("certificate", b"protocol=cert\nhost=git.example.com\n"),
    ("other port", b"protocol=https\nhost=git.example.com:8443\n"),
    ("port of http", b"protocol=https\nhost=git.example.com:80\n"),
    ("empty port", b"protocol=https\nhost=git.example.com:\n"),
    ("port with a zero", b"protocol=https\nhost=git.example.com:0443\n"),
    ("port with a sign", b"protocol=https\nhost=git.example.com:+443\n"),
    ("port beyond 16 bits", b"protocol=https\nhost=git.example.com:65979\n"),
    ("port beyond 64 bits", b"protocol=https\nhost=git.example.com:18446744073709552059\n"),
    ("port in other digits", "protocol=https\nhost=git.example.com:٤٤٣\n".encode()),
    ("two ports", b"protocol=https\nhost=git.example.com:443:443\n"),
    ("user part", b"protocol=https\nhost=git.example.com@evil.example\n"),
    ("user part before the host", b"protocol=https\nhost=alice@git.example.com\n"),
    ("user part with a password", b"protocol=https\nhost=alice:x@git.example.com\n"),
    ("empty user part", b"protocol=https\nhost=@git.example.com\n"),
    ("user part after a port", b"protocol=https\nhost=git.example.com:443@evil.example\n"),
    ("trailing dot", b"protocol=https\nhost=git.example.com.\n"),
    ("trailing dot and port", b"protocol=https\nhost=git.example.com.:443\n"),
    ("two dots", b"protocol=https\nhost=git..example.com\n"),
    ("leading dot", b"protocol=https\nhost=.git.example.com\n"),
    ("no host", b"protocol=https\n"),
    ("empty host", b"protocol=https\nhost=\n"),
    ("fullwidth letters", "protocol=https\nhost=ｇit.example.com\n".encode()),
    ("Cyrillic letter", "protocol=https\nhost=gіt.example.com\n".encode()),
    ("ideographic full stop", "protocol=https\nhost=git。example。com\n".encode()),
    ("Kelvin sign", "protocol=https\nhost=\u212aube.example.com\n".encode()),
    ("soft hyphen", "protocol=https\nhost=git\u00ad.example.com\n".encode()),
    ("zero-width space", "protocol=https\nhost=git.example.com\u200b\n".encode()),
    ("combining letter", "protocol=https\nhost=git.example.com\u0301\n".encode()),
    ("form with xn--", b"protocol=https\nhost=xn--gt-lmc.example.com\n"),
    ("unlisted international name", b"protocol=https\nhost=xn--bcher-kva.example.com\n"),
    ("international name", "protocol=https\nhost=bücher.example\n".encode()),
    ("slash in the host", b"protocol=https\nhost=git.example.com/x\n"),
    ("foreign host after a slash", b"protocol=https\nhost=evil.example/git.example.com\n"),
    ("backslash", b"protocol=https\nhost=evil.example\\git.example.com\n"),
    ("query", b"protocol=https\nhost=git.example.com?x\n"),
    ("fragment", b"protocol=https\nhost=git.example.com#x\n"),
    ("percent encoding", b"protocol=https\nhost=git%2eexample.com\n"),
    ("space after the host", b"protocol=https\nhost=git.example.com \n"),
    ("space before the host", b"protocol=https\nhost= git.example.com\n"),
    ("tab", b"protocol=https\nhost=git.example.com\t\n"),
    ("brackets", b"protocol=https\nhost=[git.example.com]\n"),
    ("underscore", b"protocol=https\nhost=git_.example.com\n"),
    ("carriage return", b"protocol=https\r\nhost=git.example.com\r\n"),
    ("carriage return in the host", b"protocol=https\nhost=git.example.com\r\n"),
    ("carriage return in the user name", b"protocol=https\nhost=git.example.com\nusername=a\rb\n"),
    ("NUL in the host", b"protocol=https\nhost=git.example.com\0.evil.example\n"),
    ("NUL in the user name", b"protocol=https\nhost=git.example.com\nusername=a\0b\n"),
    ("escape in the path", b"protocol=https\nhost=git.example.com\npath=a\x1bb\n"),
    ("invalid UTF-8", b"protocol=https\nhost=git.example.com\nusername=\xff\n"),
    ("second host", b"protocol=https\nhost=git.example.com\nhost=evil.example\n"),
    ("second host first", b"protocol=https\nhost=evil.example\nhost=git.example.com\n"),
    ("second protocol", b"protocol=http\nhost=git.example.com\nprotocol=https\n"),
    ("second user name", b"protocol=https\nhost=git.example.com\nusername=a\nusername=b\n"),
    ("newline before the host", b"protocol=https\n\nhost=git.example.com\n"),
    ("URL instead of a host", b"url=https://git.example.com\n"),
    ("URL with another host", b"protocol=https\nhost=git.example.com\nurl=https://evil.example\n"),
    ("line without a value", b"protocol=https\nhost=git.example.com\nx\n"),
    ("path above", b"protocol=https\nhost=paths.example.com\npath=org/../other\n"),
    ("path beside", b"protocol=https\nhost=paths.example.com\npath=organization/x\n"),
    ("no path", b"protocol=https\nhost=paths.example.com\n"),
    ("encoded path", b"protocol=https\nhost=paths.example.com\npath=org%2fx\n"),
    ("path with two slashes", b"protocol=https\nhost=paths.example.com\npath=/org/x\n"),
    ("dots and combining letter", "protocol=https\nhost=paths.example.com\npath=org/../\u0301x\n".encode()),
    ("dots and joiner", "protocol=https\nhost=paths.example.com\npath=org/../\u200dx\n".encode()),
    ("empty segment and combining letter", "protocol=https\nhost=paths.example.com\npath=org//\u0301x\n".encode()),
    ("Kelvin sign in the path", "protocol=https\nhost=paths.example.com\npath=\u212aube/x\n".encode()),
    ("IPv6 with a zone", b"protocol=https\nhost=[::1%25eth0]\n"),
    ("decimal address", b"protocol=https\nhost=2130706433\n"),
    ("empty request", b""),
    ("too long", b"protocol=https\nhost=git.example.com\nx=" + b"a" * 70000 + b"\n"),
]  # fmt: skip
URLS = (
    f"http://{HOST}", f"https://alice@{HOST}", f"https://{HOST}.", f"https://{HOST}?x", f"https://{HOST}/%61",
    f"https://{HOST}/a/../b", "https://bücher.example", "https://*.example.com", f"ftp://{HOST}", HOST,
    "https://", f"https://{HOST}:0", f"https://{HOST} ", "http://127.0.0.1:8080",
)  # fmt: skip


def hostile_requests_get_nothing(desk: Desk) -> None:
    """More than 60 requests for other services, and in other forms, get no token."""
    desk.add("git", f"https://{HOST}")
    desk.add("git", "https://paths.example.com/org")
    desk.add("git", "https://paths.example.com/Kube")
    desk.add("git", "https://kube.example.com")
    desk.sign_in()
    good = b"capability[]=authtype\nprotocol=https\nhost=GIT.example.com:443\n"
    assert b"credential=ey" in desk.run("get", given=good, program="git-credential-tessera").stdout
    good = b"protocol=https\nhost=paths.example.com\npath=org/x\n"
    assert b"password=ey" in desk.run("get", given=good, program="git-credential-tessera").stdout
    assert len(ROWS) >= 60
    for name, given in ROWS:
        done = desk.run("get", given=given, program="git-credential-tessera")
        assert done.stdout == b"", (name, done)


def invalid_urls_are_not_listed(desk: Desk) -> None:
    """URLs in other forms cannot be listed, and a list with one is refused."""
    for url in URLS:
        done = desk.run("helper", "add", "git", url, *desk.registration, "--scope", "User.Read")
        assert done.returncode == 64 and not desk.list.exists(), (url, done)
    desk.add("git", f"https://{HOST}")
    text = desk.list.read_text()
    request = f"protocol=https\nhost={HOST}\n".encode()
    for changed in (
        text.replace(HOST, HOST.upper()), text.replace(HOST, "alice@" + HOST), text + text, text + "x = 'y'\n",
        text.replace("https", "http"), text.replace("client_id", "#"), text.replace("[[helper]]", "[[helpers]]"),
        text.replace("[[helper]]\n", ""),
    ):  # fmt: skip
        desk.list.write_text(changed)
        done = desk.run("get", given=request, program="git-credential-tessera")
        assert done.returncode == 4 and done.stdout == b"" and str(desk.list).encode() in done.stderr, done
        # The message names keys of the file, not options.
        assert b"--" not in done.stderr, done


def a_list_of_others_is_refused(desk: Desk) -> None:
    """A list is refused if another user can write or replace it."""
    desk.add("git", f"https://{HOST}")
    desk.sign_in()
    request = f"protocol=https\nhost={HOST}\n".encode()

    def stdout() -> bytes:
        return desk.run("get", given=request, program="git-credential-tessera").stdout

    assert b"password=ey" in stdout()
    for path in (desk.list, desk.list.parent, desk.list.parents[1], desk.folder):
        before = path.stat().st_mode
        for mode in (0o020, 0o002):
            path.chmod(before | mode)
            assert stdout() == b"", (path, oct(mode))
        path.chmod(before)
    target = desk.folder / "shared"
    target.mkdir()
    target.chmod(0o777)
    desk.list.rename(target / "list.toml")
    desk.list.symlink_to(target / "list.toml")
    assert stdout() == b""
    target.chmod(0o755)
    assert b"password=ey" in stdout()
    if os.geteuid() == 0:
        os.chown(target / "list.toml", 65534, 65534)
        assert stdout() == b""


def other_clusters_and_resources_get_nothing(desk: Desk) -> None:
    """Other clusters, tenants and resources get no token."""
    desk.add("kubectl", f"https://{HOST}")
    desk.add("azure", "https://management.azure.com", "--scope", "User.Read")
    desk.add("azure", "api://Kube", "--scope", "User.Read")
    desk.sign_in()

    def asked(server: object, version: str = VERSION, kind: str = "ExecCredential") -> bytes:
        document = {"kind": kind, "apiVersion": version, "spec": {"cluster": {"server": server}}}
        return desk.run("get", program="kubectl-tessera", KUBERNETES_EXEC_INFO=json.dumps(document)).stdout

    assert b'"token":"ey' in asked(f"https://{HOST}")
    for server in (
        f"https://{HOST}.evil.example", f"http://{HOST}", f"https://{HOST}:6443", f"https://a@{HOST}", None, 1, "",
        f"https://{HOST}\n", f"https://{HOST}.",
    ):  # fmt: skip
        assert asked(server) == b"", server
    assert asked(f"https://{HOST}", "client.authentication.k8s.io/v1alpha1") == b""
    assert asked(f"https://{HOST}", "v1") == b"" and asked(f"https://{HOST}", kind="Pod") == b""
    for text in ("", "x", "[]", "{}"):
        assert desk.run("get", program="kubectl-tessera", KUBERNETES_EXEC_INFO=text).stdout == b""
    az = ("helper", "az", "account", "get-access-token")
    assert b'"accessToken":"ey' in desk.run(*az, "--resource", "https://management.azure.com/").stdout
    for words in (
        (), ("--resource", "https://vault.azure.net"), ("--resource", "https://management.azure.com.evil.example"),
        # The Kelvin sign is canonically equivalent to the letter.
        ("--resource", "api://\u212aube"),
        ("--resource", "https://management.azure.com", "--tenant", "other"), ("--resource",),
        ("--resource", "https://management.azure.com", "--resource", "https://vault.azure.net"),
        ("--scope", "https://management.azure.com/x"), ("--resource", "https://management.azure.com", "--debug"),
        ("--resource", "https://management.azure.com", "--output", "table"),
    ):  # fmt: skip
        done = desk.run(*az, *words)
        assert done.stdout == b"" and b"az login" in done.stderr and done.returncode == 1, (words, done)


def _authorities() -> list[tuple[str, bytes]]:
    """Returns the hosts of the rows that differ from a listed service in the host and the port only."""
    found = []
    for name, given in ROWS:
        lines = given.split(b"\n")
        if lines[0] == b"protocol=https" and lines[1].startswith(b"host=") and lines[2:] == [b""]:
            found.append((name, lines[1].removeprefix(b"host=")))
    assert len(found) >= 45, len(found)
    return found


# Rows in which the host is followed by a part that a URL may have.
NOT_IN_URLS = ("slash in the host", "query", "fragment")


def registries_of_others_get_nothing(desk: Desk) -> None:
    """Other registries of Docker, and servers in other forms, get no token."""
    desk.add("docker", f"https://{HOST}", "--login", "alice")
    desk.add("docker", "https://paths.example.com/org", "--login", "alice")
    desk.sign_in()

    def output(server: bytes) -> bytes:
        return desk.run("get", given=server, program="docker-credential-tessera").stdout

    for server in (HOST.encode(), f"https://{HOST}".encode(), f"https://{HOST.upper()}:443/v2/".encode()):
        assert b'"Secret":"ey' in output(server), server
    further = [
        ("http", f"http://{HOST}".encode()), ("other scheme", f"oci://{HOST}".encode()),
        ("newline", f"{HOST}\nevil.example\n".encode()), ("newline first", f"\n{HOST}".encode()),
        ("two newlines", f"{HOST}\n\n".encode()), ("JSON", f'"{HOST}"'.encode()), ("invalid UTF-8", b"\xff"),
        ("two schemes", f"https://https://{HOST}".encode()), ("path beside", b"paths.example.com/organization"),
        ("path above", b"paths.example.com/org/../x"), ("no path", b"paths.example.com"), ("nothing", b""),
        ("NUL", HOST.encode() + b"\0"), ("too long", HOST.encode() + b"/" + b"a" * 70000),
    ]  # fmt: skip
    for name, authority in _authorities():
        further.append((f"{name} with the scheme", b"https://" + authority))
        if name != "slash in the host":
            further.append((name, authority))
    for name, server in further:
        if name.removesuffix(" with the scheme") != "slash in the host":
            assert b"eyJ" not in output(server), name


def packages_of_others_get_nothing(desk: Desk) -> None:
    """Other hosts, and URLs in other forms, get no token from the helpers of Cargo, Terraform and Bazel."""
    for tool in ("cargo", "terraform", "bazel"):
        desk.add(tool, f"https://{HOST}")
    desk.sign_in()
    rows = [(name, each) for name, each in _authorities() if name not in NOT_IN_URLS]
    # In the host of an URL, a backslash or a newline is a part of a JSON string.
    urls = [(name, f"https://{each.decode()}/index/") for name, each in rows]
    urls += [
        ("http", f"http://{HOST}/index/"), ("two schemes", f"sparse+https://https://{HOST}"), ("nothing", ""),
        ("newline", f"https://{HOST}\n.evil.example/"), ("carriage return", f"https://{HOST}\r/"),
        ("NUL", f"https://{HOST}\0/"), ("scheme in upper case", f"HTTPS://{HOST}/"), ("no scheme", HOST),
        ("ssh", f"ssh://git@{HOST}/"), ("file", f"file://{HOST}/"), ("look-alike scheme", f"sparse+http+https://{HOST}/"),
    ]  # fmt: skip
    lines = [
        json.dumps({"v": 1, "kind": "get", "operation": "read", "registry": {"index-url": prefix + url}})
        for _, url in urls for prefix in ("", "sparse+")
    ]  # fmt: skip
    good = lines[0].replace(urls[0][1], f"https://{HOST}/index/")
    requests = "\n".join([good, *lines, ""]).encode()
    done = desk.run("--cargo-plugin", program="cargo-credential-tessera", given=requests)
    hello, first, *others = done.stdout.splitlines()
    assert b'"token":"Bearer ey' in first and len(others) == len(lines), done
    assert set(others) == {b'{"Err":{"kind":"url-not-supported"}}'}, others
    assert b'"token":"ey' in desk.run("get", HOST.upper(), program="terraform-credentials-tessera").stdout
    for name, authority in rows:
        if b"\0" in authority:
            continue
        done = desk.run("get", os.fsdecode(authority), program="terraform-credentials-tessera")
        assert b"eyJ" not in done.stdout, (name, done)
    for host in (f"https://{HOST}", f"{HOST}/", f"{HOST}/x", f"{HOST}\n", ""):
        assert b"eyJ" not in desk.run("get", host, program="terraform-credentials-tessera").stdout, host
    given = json.dumps({"uri": f"https://{HOST}/x"}).encode()
    assert b'"Bearer ey' in desk.run("get", program="bazel-credential-tessera", given=given).stdout
    for name, url in urls:
        done = desk.run("get", program="bazel-credential-tessera", given=json.dumps({"uri": url}).encode())
        assert done.stdout == b"" and done.returncode != 0, (name, done)


def no_helper_reads_a_list_of_others(desk: Desk) -> None:
    """No helper returns a token if another user can write the list."""
    role, audience = "arn:aws:iam::123456789012:role/x", "//iam.googleapis.com/x"
    desk.add("docker", f"https://{HOST}", "--login", "alice")
    for tool in ("cargo", "terraform", "bazel"):
        desk.add(tool, f"https://{HOST}")
    desk.add("aws", role, "--endpoint", "http://127.0.0.1:9", "--allow-http-loopback", "--token", "access")
    desk.add("google", audience, "--token", "access")
    desk.sign_in()
    line = json.dumps({"v": 1, "kind": "get", "registry": {"index-url": f"https://{HOST}"}}) + "\n"
    google = {
        "GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE": audience,
        "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE": "urn:ietf:params:oauth:token-type:jwt",
    }
    runs: list[tuple[str, list[str], bytes, dict[str, str]]] = [
        ("docker-credential-tessera", ["get"], HOST.encode(), {}),
        ("cargo-credential-tessera", ["--cargo-plugin"], line.encode(), {}),
        ("terraform-credentials-tessera", ["get", HOST], b"", {}),
        ("bazel-credential-tessera", ["get"], json.dumps({"uri": f"https://{HOST}"}).encode(), {}),
        ("tessera", ["helper", "aws", "token-file", role], b"", {}),
        ("tessera", ["helper", "google", "get"], b"", google),
    ]
    for is_open in (False, True):
        desk.list.chmod(0o622 if is_open else 0o600)
        for program, words, given, variables in runs:
            done = desk.run(*words, program=program, given=given, **variables)
            text = done.stdout + done.stderr
            assert (b"chmod go-w" in text) == is_open, (program, done)
            assert (b"ey" in done.stdout or b".token" in done.stdout) != is_open, (program, done)


def incomplete_entries_are_not_listed(desk: Desk) -> None:
    """An entry needs what its program requires, on the command line and in the file."""
    role = "arn:aws:iam::123456789012:role/x"
    for words in (
        ("docker", f"https://{HOST}"), ("docker", f"https://{HOST}", "--exchange", "acr", "--login", "a"),
        ("docker", f"https://{HOST}", "--exchange", "other"), ("git", f"https://{HOST}", "--exchange", "acr"),
        ("git", f"https://{HOST}", "--endpoint", "https://sts.amazonaws.com"), ("aws", role),
        ("aws", role, "--endpoint", "http://sts.amazonaws.com"), ("aws", role, "--endpoint", "https://h/x"),
        ("aws", role, "--endpoint", "https://STS.amazonaws.com"), ("aws", role, "--endpoint", "http://127.0.0.1:9"),
        ("aws", "arn:aws:iam::12345678901:role/x", "--endpoint", "https://sts.amazonaws.com"),
        ("aws", "arn:aws:iam::123456789012:user/x", "--endpoint", "https://sts.amazonaws.com"),
        ("aws", role + " ", "--endpoint", "https://sts.amazonaws.com"), ("google", "//iam.googleapis.com/ x"),
        ("google", ""), ("bazel", f"https://{HOST}/x"), ("other", f"https://{HOST}"),
        ("git", f"https://{HOST}", "--login", "a:b"), ("docker", f"https://{HOST}", "--login", ":"),
    ):  # fmt: skip
        done = desk.run("helper", "add", *words, *desk.registration, "--scope", "User.Read")
        assert done.returncode in (3, 4, 64) and not desk.list.exists(), (words, done)
    desk.add("docker", f"https://{HOST}", "--exchange", "acr")
    desk.add("aws", role, "--endpoint", "https://sts.amazonaws.com")
    assert desk.run("helper", "check", "aws", role).returncode == 0
    assert desk.run("helper", "check", "aws", role + "x").returncode == 1
    text = desk.list.read_text()
    for changed in (
        text.replace('exchange = "acr"', ""), text.replace('exchange = "acr"', 'exchange = "x"'),
        text.replace("https://sts", "http://sts"), text.replace("https://sts", "https://a@sts"),
        text.replace('endpoint = "https://sts.amazonaws.com"', ""), text.replace("role/x", "role/"),
    ):  # fmt: skip
        desk.list.write_text(changed)
        done = desk.run("get", given=HOST.encode(), program="docker-credential-tessera")
        assert done.returncode == 1 and str(desk.list).encode() in done.stdout, (changed, done)


def a_profile_names_no_scope_of_a_service(desk: Desk) -> None:
    """A service is not listed with the scopes of the profile or the variables, which are for another one."""
    desk.sign_in()
    for scopes in ("", "User.Read"):
        done = desk.run("helper", "add", "git", f"https://{HOST}", *desk.registration, TESSERA_SCOPE=scopes)
        assert done.returncode != 0 and b"--scope" in done.stderr, done
    assert not desk.list.exists()


def a_cached_token_needs_no_directory(desk: Desk) -> None:
    """A cached token is returned although the directory of the state cannot be created."""
    desk.add("git", f"https://{HOST}")
    desk.sign_in()
    request = f"protocol=https\nhost={HOST}\n".encode()
    done = desk.run(
        "get", given=request, program="git-credential-tessera", HOME="/proc", XDG_RUNTIME_DIR="/proc/none"
    )
    assert done.returncode == 0 and b"password=ey" in done.stdout, done


def a_real_program_is_not_replaced(desk: Desk) -> None:
    """az-shim writes over its own programs only, which run the real one."""
    folder = desk.folder / "shim"
    for _ in range(2):
        assert desk.run("helper", "az-shim", str(folder)).returncode == 0
    text = (folder / "az").read_text()
    real = folder / "azd"
    real.write_text("#!/bin/sh\necho real\n")
    done = desk.run("helper", "az-shim", str(folder))
    assert done.returncode != 0 and b"exists" in done.stderr and real.read_text() == "#!/bin/sh\necho real\n", done
    assert (folder / "az").read_text() == text and sorted(os.listdir(folder)) == ["az", "azd"]
    # A directory with the name of the program is not run, like by a shell.
    (desk.folder / "directory/az").mkdir(parents=True)
    program = desk.folder / "program/az"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho real\n")
    program.chmod(0o755)
    path = f"{folder}:{desk.folder}/directory:{program.parent}:{desk.environment['PATH']}"
    (desk.programs / "az").symlink_to(folder / "az")
    done = desk.run("login", program="az", PATH=path)
    assert done.returncode == 0 and done.stdout == b"real\n", done


TESTS = [
    hostile_requests_get_nothing, invalid_urls_are_not_listed, a_list_of_others_is_refused,
    other_clusters_and_resources_get_nothing, a_profile_names_no_scope_of_a_service,
    registries_of_others_get_nothing, packages_of_others_get_nothing, no_helper_reads_a_list_of_others,
    incomplete_entries_are_not_listed, a_cached_token_needs_no_directory, a_real_program_is_not_replaced,
]  # fmt: skip
