# SPDX-License-Identifier: MIT
"""pip, uv and twine, which get the token of a package index from the package keyring or a program of that name."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from desk import CLIENT, Desk, Skipped
from python_programs import PythonPrograms, wheel
from services import Service, certificate, claims_of

# The pip of Debian, which its package python3-pip-whl contains.
DEBIAN_PIPS = Path("/usr/share/python-wheels")
SAMPLE = "tessera-sample"
BACKEND = """
import json, sys
import keyring, keyring.backend, keyring.errors

class Memory(keyring.backend.KeyringBackend):
    priority = 1
    passwords = {}
    def get_password(self, service, username):
        return self.passwords.get((service, username))
    def set_password(self, service, username, password):
        self.passwords[service, username] = password
    def delete_password(self, service, username):
        del self.passwords[service, username]

def ask(url):
    try:
        found = keyring.get_credential(url, None)
    except keyring.errors.KeyringError as error:
        return "error: " + str(error)
    password = keyring.get_password(url, "bob")
    return [found and found.username, found and found.password, password]

keyring.backend.KeyringBackend._classes = {
    each for each in keyring.backend.KeyringBackend._classes if each.__module__.startswith(("__main__", "tessera"))
} | {type(keyring.get_keyring())}
"""
ANSWERS = BACKEND + "print(json.dumps([ask(url) for url in json.loads(sys.argv[1])]))\n"
STORES = BACKEND + """
url = sys.argv[1]
names = [type(each).__name__ for each in keyring.get_keyring().backends]
keyring.set_password("https://other.example", "bob", "secret")
keyring.set_password(url, "bob", "secret")
found = [keyring.get_password("https://other.example", "bob"), keyring.get_password(url, "bob")]
keyring.delete_password("https://other.example", "bob")
print(json.dumps([names, *found, keyring.get_password("https://other.example", "bob")]))
"""


class PackageIndex(Service):
    """A package index with one package, which also accepts uploads."""

    def __init__(self, folder: Path, *, is_secure: bool = True) -> None:
        """Creates the package."""
        self.uploads = 0
        self.wheel = wheel(folder)
        super().__init__(certificate(folder) if is_secure else None)

    def respond(
        self, request: BaseHTTPRequestHandler, body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Returns a page, the package, or the result of an upload."""
        if request.command == "POST":
            self.uploads += 1
            return 200, [], b""
        if request.path.endswith(".whl"):
            return 200, [("Content-Type", "application/octet-stream")], self.wheel.read_bytes()
        page = f'<!doctype html><html><body><a href="/files/{self.wheel.name}">{self.wheel.name}</a></body></html>'
        is_known = request.path == f"/feed/simple/{SAMPLE}/"
        return 200 if is_known else 404, [("Content-Type", "text/html")], page.encode() if is_known else b""


@contextlib.contextmanager
def _listed(desk: Desk, *words: str, is_secure: bool = True) -> Iterator[PackageIndex]:
    """Starts an index, and lists it."""
    with PackageIndex(desk.folder, is_secure=is_secure) as index:
        loopback = () if is_secure else ("--allow-http-loopback",)
        desk.add("keyring", f"{index.url}/feed", *loopback, *words)
        yield index


def _pip(index: PackageIndex, desk: Desk, *words: str) -> list[str]:
    """Returns the arguments of an installation."""
    return [
        "-m", "pip", "install", "--isolated", "--no-cache-dir", "--disable-pip-version-check",
        "--retries", "0", "--cert", str(desk.folder / "cert.pem"), "--target", str(desk.folder / "target"),
        "--index-url", f"{index.url}/feed/simple", *words, SAMPLE,
    ]  # fmt: skip


def _check(index: PackageIndex, username: str = "oauth2") -> None:
    """Checks that the index received a token of the user."""
    assert {each[:2] for each in index.received} == {("Basic", username)}, index.received
    assert len({each[2] for each in index.received}) == 1
    assert claims_of(index.received[0][2])["azp"] == CLIENT


def _programs_named_keyring(desk: Desk, programs: PythonPrograms) -> list[str]:
    """Returns directories with the program of PyPI, as a tool of its own, and with the script of the page."""
    found: list[str] = []
    for command in (f"{programs.folder}/keyring", "tessera helper keyring"):
        folder = desk.folder / f"keyring{len(found)}"
        folder.mkdir()
        (folder / "keyring").write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        (folder / "keyring").chmod(0o755)
        found.append(str(folder))
    return found


def pip_imports_the_backend(desk: Desk) -> None:
    """The program pip installs a package of a listed index by the backend for keyring."""
    programs = PythonPrograms(desk)
    with _listed(desk) as index:
        desk.sign_in()
        done = programs.run("python", *_pip(index, desk, "--no-input", "--keyring-provider", "import"))
        assert done.returncode == 0 and (desk.folder / "target/tessera_sample.py").exists(), done
        _check(index)


def pip_of_debian_imports_the_backend(desk: Desk) -> None:
    """The program pip 23.0 of Debian 12 installs a package of a listed index by the backend for keyring."""
    found = sorted(DEBIAN_PIPS.glob("pip-*.whl"))
    if not found:
        raise Skipped("the package python3-pip-whl is missing")
    programs = PythonPrograms(desk)
    with _listed(desk, "--login", "build") as index:
        desk.sign_in()
        done = programs.run("python", *_pip(index, desk), PYTHONPATH=str(found[0]))
        assert done.returncode == 0, done
        _check(index, "build")


def pip_runs_keyring(desk: Desk) -> None:
    """The program pip installs a package with the program keyring, and with a script in its place."""
    programs = PythonPrograms(desk)
    with _listed(desk) as index:
        desk.sign_in()
        for path in _programs_named_keyring(desk, programs):
            command = _pip(index, desk, "--no-input", "--keyring-provider", "subprocess")
            done = programs.run("python", *command, path=path)
            assert done.returncode == 0, (path, done)
            _check(index)
            index.received.clear()


def uv_runs_keyring(desk: Desk) -> None:
    """The program uv installs a package with the program keyring, and with a script in its place."""
    programs = PythonPrograms(desk)
    with _listed(desk, is_secure=False) as index:
        desk.sign_in()
        for path in _programs_named_keyring(desk, programs):
            url = index.url.replace("://", "://alice@")
            done = programs.run(
                "uv", "pip", "install", "--keyring-provider", "subprocess", "--no-cache", "--no-config",
                "--python", programs.folder / "python", "--target", f"{path}/target",
                "--index-url", f"{url}/feed/simple", SAMPLE, path=path,
            )  # fmt: skip
            assert done.returncode == 0, (path, done)
            _check(index, "alice")
            index.received.clear()


def twine_uploads_with_a_token(desk: Desk) -> None:
    """The program twine uploads a package to a listed index."""
    programs = PythonPrograms(desk)
    with _listed(desk) as index:
        desk.sign_in()
        done = programs.run(
            "twine", "upload", "--non-interactive", "--disable-progress-bar", "--cert", desk.folder / "cert.pem",
            "--repository-url", f"{index.url}/feed/legacy/", index.wheel,
        )  # fmt: skip
        assert done.returncode == 0 and index.uploads == 1, done
        _check(index)


def an_unlisted_index_gets_nothing(desk: Desk) -> None:
    """The program pip sends no token to an index that is not listed, or if other users can change the list."""
    programs = PythonPrograms(desk)
    with _listed(desk) as index, PackageIndex(desk.folder) as other:
        desk.sign_in()
        for provider in ("import", "subprocess"):
            # The file of the certificate is that of the second index.
            done = programs.run("python", *_pip(other, desk, "--keyring-provider", provider))
            assert done.returncode != 0 and not other.received, (provider, done)
        desk.list.chmod(0o666)
        (found,) = _answers(programs, f"{index.url}/feed")
        assert "Run chmod go-w" in str(found), found
        assert _command(desk, f"{index.url}/feed").stdout == b""


def _command(desk: Desk, url: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Runs the helper."""
    return desk.run("helper", "keyring", "get", *words, "--", url)


def _answers(programs: PythonPrograms, *urls: str) -> list[object]:
    """Returns the user name and the passwords that keyring has for URLs, or its error."""
    done = programs.run("python", "-c", ANSWERS, json.dumps(urls))
    assert done.returncode == 0, done
    found: list[object] = json.loads(done.stdout)
    return found


def other_services_get_nothing(desk: Desk) -> None:
    """The backend returns nothing for other services, and for URLs in other forms."""
    programs = PythonPrograms(desk)
    desk.add("keyring", "https://pkgs.example.com/feed")
    desk.add("git", "https://git.example.com")
    desk.sign_in()
    good = ("https://pkgs.example.com/feed", "https://PKGS.example.com:443/feed/simple/")
    bad = (
        "pkgs.example.com", "pkgs.example.com/feed", "http://pkgs.example.com/feed", "https://pkgs.example.com",
        "https://pkgs.example.com/feeds", "https://pkgs.example.com/feed/../x", "https://pkgs.example.com/feed%2f",
        "https://pkgs.example.com:8443/feed", "https://pkgs.example.com./feed", "https://a.pkgs.example.com/feed",
        "https://alice:secret@pkgs.example.com/feed", "https://pkgs.example.com@evil.example/feed", "system", "",
        "https://pkgs.example.com.evil.example/feed", "https://pkgs.example.com\\\\.evil.example/feed", "--help",
        "https://pkgs.example.com/feed?x", "https://pkgs.example.com/feed\\n",
        "https://pkgs.example.com/feed\\u0000", "https://pkgs.example.com/\\ud800",
        "https://pkgs.\\u0435xample.com/feed", "https://git.example.com",
    )  # fmt: skip
    urls = [json.loads(f'"{url}"') for url in (*good, *bad)]
    for url, found in zip(urls, _answers(programs, *urls), strict=True):
        if url in good:
            assert isinstance(found, list), found
            username, token, password = found
            assert username == "oauth2" and token == password and str(token).startswith("ey"), found
        else:
            assert found == [None, None, None], (url, found)
    for url in bad:
        if "\\" not in url:
            done = _command(desk, url)
            assert (done.returncode, done.stdout, done.stderr) == (1, b"", b""), (url, done)


def keyring_keeps_its_other_backends(desk: Desk) -> None:
    """Passwords of other services are stored by the other backends, and nothing is stored for a listed one."""
    programs = PythonPrograms(desk)
    desk.add("keyring", "https://pkgs.example.com")
    desk.sign_in()
    done = programs.run("python", "-c", STORES, "https://pkgs.example.com")
    assert done.returncode == 0, done
    names, other, listed, deleted = json.loads(done.stdout)
    assert names == ["TesseraKeyring", "Memory"] and other == "secret" and deleted is None, done
    assert listed.startswith("ey"), done


def without_a_sign_in_the_message_has_the_command(desk: Desk) -> None:
    """Without a sign-in and a terminal, the error of keyring has the command to sign in."""
    programs = PythonPrograms(desk)
    desk.add("keyring", "https://pkgs.example.com")
    (found,) = _answers(programs, "https://pkgs.example.com")
    assert 'Run "tessera login --client-id' in str(found), found
    assert not desk.provider.waiting_codes()


def the_helper_has_the_outputs_of_keyring(desk: Desk) -> None:
    """The helper prints the values and the JSON object of the program keyring, and stores nothing."""
    desk.add("keyring", "https://pkgs.example.com", "--login", "build")
    desk.sign_in()
    url = "https://pkgs.example.com"
    token = _command(desk, url).stdout.decode().strip()
    assert token.startswith("ey") and "\n" not in token
    assert _command(desk, url, "--mode", "creds").stdout.decode() == f"build\n{token}\n"
    named = desk.run("helper", "keyring", "--mode=creds", "--output=json", "get", url, "alice")
    assert json.loads(named.stdout) == {"username": "alice", "password": token}
    assert json.loads(_command(desk, url, "--output", "json").stdout) == {"password": token}
    for name in ("a\nb", "a\rb", "a\x1bb"):
        done = desk.run("helper", "keyring", "get", "--mode", "creds", "--", url, name)
        assert done.returncode == 64 and done.stdout == b"", done
    for operation in ("set", "del"):
        done = desk.run("helper", "keyring", operation, url, "alice", given=b"secret\n")
        assert done.returncode == 64 and done.stdout == b"", done


def only_the_modules_import_other_packages(desk: Desk) -> None:
    """The package imports neither keyring nor requests nor HTTPie."""
    program = (
        "import sys, tessera_identity, tessera_identity.aio, tessera_identity.azure\n"
        "print({'keyring', 'requests', 'httpie'} & set(sys.modules))"
    )
    done = PythonPrograms(desk).run("python", "-c", program)
    assert done.stdout.strip() == "set()", done


TESTS = [
    pip_imports_the_backend, pip_of_debian_imports_the_backend, uv_runs_keyring, twine_uploads_with_a_token,
    an_unlisted_index_gets_nothing, other_services_get_nothing, keyring_keeps_its_other_backends,
    the_helper_has_the_outputs_of_keyring,
]  # fmt: skip
LONG = [
    pip_runs_keyring, without_a_sign_in_the_message_has_the_command, only_the_modules_import_other_packages,
]  # fmt: skip
