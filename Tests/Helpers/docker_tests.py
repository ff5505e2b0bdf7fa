# SPDX-License-Identifier: MIT
"""The real Docker, Skopeo, Podman and Buildah with a registry that requires a token."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

from desk import CLIENT, Desk, Session, Skipped, until
from installed import unpacked
from registries import USERNAME, Daemon, Registry
from services import certificate, claims_of

PARALLEL = 20
LINK = "docker-credential-tessera"
NOT_FOUND = b"credentials not found in native keychain\n"


def _skopeo(desk: Desk, host: str) -> list[str]:
    """Returns a command of Skopeo that reads a manifest."""
    if not shutil.which("skopeo"):
        raise Skipped("skopeo is missing")
    return ["skopeo", "inspect", "--raw", "--tls-verify=false", f"docker://{host}/app:latest"]


def _docker(desk: Desk, host: str) -> list[str]:
    """Returns a command of the Docker in PATH, or else of Debian's, that reads a manifest without its daemon."""
    return [*_docker_program(), "manifest", "inspect", "--insecure", f"{host}/app:latest"]


def _docker_program() -> list[str]:
    """Returns the Docker in PATH, or else Debian's."""
    program = shutil.which("docker")
    return [program] if program else _docker_of_this_debian()


def _older_docker(desk: Desk, host: str) -> list[str]:
    """Returns a command of Debian's Docker that reads a manifest."""
    return [*_docker_of_this_debian(), "manifest", "inspect", "--insecure", f"{host}/app:latest"]


def _docker_of_this_debian() -> list[str]:
    """Returns Docker 20.10 of Debian 12, which requires a variable for manifests."""
    program, libraries = unpacked("docker", "docker.io")
    return ["env", libraries, "DOCKER_CLI_EXPERIMENTAL=enabled", str(program)]


def _storage(desk: Desk) -> list[str]:
    """Returns the options of a storage of images that requires no file system of its own."""
    return [f"--root={desk.folder}/storage", f"--runroot={desk.folder}/runroot", "--storage-driver=vfs"]


PODMAN = ("podman", "buildah", "libsubid4", "conmon", "crun")


def _podman(desk: Desk, host: str) -> list[str]:
    """Returns a command of Podman that pulls an image."""
    program, libraries = unpacked("podman", *PODMAN)
    parts = [f"--conmon={program.with_name('conmon')}", f"--runtime={program.with_name('crun')}"]
    pull = ["pull", "--tls-verify=false", f"{host}/app:latest"]
    return ["env", libraries, str(program), *_storage(desk), *parts, *pull]


def _buildah(desk: Desk, host: str) -> list[str]:
    """Returns a command of Buildah that pulls an image."""
    program, libraries = unpacked("podman", *PODMAN)
    pull = ["pull", "--tls-verify=false", f"{host}/app:latest"]
    return ["env", libraries, str(program.with_name("buildah")), *_storage(desk), *pull]


def _configure(desk: Desk, host: str) -> None:
    """Names the helper in the file that all programs read."""
    folder = desk.folder / ".docker"
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"credHelpers": {host: "tessera"}}))


def _listed(desk: Desk, registry: Registry, *words: str) -> None:
    """Lists a registry."""
    desk.add("docker", registry.url, "--allow-http-loopback", *words)
    _configure(desk, registry.host)


def _ask(desk: Desk, operation: str, given: str, **variables: str) -> tuple[int, bytes]:
    """Runs the helper like Docker; returns its status and output."""
    done = desk.run(operation, given=given.encode(), program=LINK, **variables)
    assert done.stderr == b"", done
    return done.returncode, done.stdout


def _is_stored(secret: str, folder: Path) -> bool:
    """Whether a file in a directory contains a secret."""
    return any(secret.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def _pulls(desk: Desk, command: Callable[[Desk, str], list[str]], *, encrypted: bool = False) -> None:
    """Reads an image by an exchange, then one with a user name."""
    place = certificate(desk.folder) if encrypted else None
    with (
        Registry(exchanges=True, certificate=place) as registry,
        Registry(exchanges=False, certificate=place) as plain,
    ):
        words = command(desk, registry.host)
        # The second variable takes precedence in the helper, and may be set here.
        names = ("SSL_CERT_FILE", "CURL_CA_BUNDLE")
        trust = {name: str(place / "cert.pem") for name in names} if place else {}
        _listed(desk, registry, "--exchange", "acr")
        desk.sign_in()
        for _ in range(2):
            ((status, _, error),) = Session(desk, [words], **trust).results()
            assert status == 0, error
        (fields,) = registry.exchanged
        assert fields["grant_type"] == "access_token" and fields["service"] == registry.host, fields
        assert claims_of(fields["access_token"])["azp"] == CLIENT
        assert not any(each[2] == fields["access_token"] for each in registry.received)
        _listed(desk, plain, "--login", "alice")
        ((status, _, error),) = Session(desk, [command(desk, plain.host)], **trust).results()
        assert status == 0, error
        assert {each[:2] for each in plain.received} == {("Basic", "alice")}, plain.received
        assert claims_of(plain.received[0][2])["azp"] == CLIENT


def skopeo_gets_a_token(desk: Desk) -> None:
    """Skopeo reads an image by one exchange in two runs, and one with a user name."""
    _pulls(desk, _skopeo)


def docker_gets_a_token(desk: Desk) -> None:
    """Docker reads an image by one exchange in two runs, and one with a user name."""
    _pulls(desk, _docker, encrypted=True)


def docker_of_debian_12_gets_a_token(desk: Desk) -> None:
    """Docker 20.10 reads an image by one exchange in two runs, and one with a user name."""
    _pulls(desk, _older_docker, encrypted=True)


def podman_gets_a_token(desk: Desk) -> None:
    """Podman pulls an image by one exchange in two runs, and one with a user name."""
    _pulls(desk, _podman)


def buildah_gets_a_token(desk: Desk) -> None:
    """Buildah pulls an image by one exchange in two runs, and one with a user name."""
    _pulls(desk, _buildah)


def parallel_runs_share_one_exchange(desk: Desk) -> None:
    """20 parallel runs of Skopeo with an empty store ask the user once, and share one exchange."""
    with Registry(exchanges=True) as registry, desk.approving() as codes:
        _listed(desk, registry, "--exchange", "acr")
        session = Session(desk, [_skopeo(desk, registry.host)] * PARALLEL)
        results = session.results()
        assert [status for status, _, _ in results] == [0] * PARALLEL, results
        assert (session.prompts, len(codes), len(registry.exchanged)) == (1, 1, 1)


def a_refused_exchange_is_reported_to_all_runs(desk: Desk) -> None:
    """20 parallel runs of Skopeo fail after one refused exchange; the message has no token."""
    with Registry(exchanges=True) as registry:
        _listed(desk, registry, "--exchange", "acr")
        desk.sign_in()
        registry.status = 403
        results = Session(desk, [_skopeo(desk, registry.host)] * PARALLEL).results()
        assert [status for status, _, _ in results] == [1] * PARALLEL, results
        assert len(registry.exchanged) == 1
        token = registry.exchanged[0]["access_token"]
        status, output = _ask(desk, "get", registry.host)
        assert status == 1 and b"refused the token with the status 403: UNAUTHORIZED no: " in output, output
        assert not _is_stored(token, desk.folder / "run")
        assert token.encode() not in output and all(token not in "".join(each[1:]) for each in results)
        # The user logs out to try again at once.
        registry.status = 200
        assert _ask(desk, "erase", registry.host) == (0, b"")
        assert _ask(desk, "get", registry.host)[0] == 0


def a_failed_exchange_ends_the_wait(desk: Desk) -> None:
    """20 parallel runs fail after one failed exchange, and a later run sends another one."""
    with Registry(exchanges=True) as registry:
        _listed(desk, registry, "--exchange", "acr")
        desk.sign_in()
        registry.status = 503
        registry.is_open.clear()
        session = Session(desk, [["sh", "-c", f"printf {registry.host} | {LINK} get"]] * PARALLEL)
        until(lambda: _waiting(desk) == PARALLEL, "all runs wait for the exchange")
        registry.is_open.set()
        results = session.results()
        assert [status for status, _, _ in results] == [1] * PARALLEL, results
        assert {output.count("returned the status 503") for _, output, _ in results} == {1}, results
        assert len(registry.exchanged) == 1
        registry.status = 200
        assert _ask(desk, "get", registry.host)[0] == 0 and len(registry.exchanged) == 2


def _waiting(desk: Desk) -> int:
    """Returns the number of helpers that have the lock of an exchange, or wait for it."""
    count = 0
    for process in desk.helpers():
        with contextlib.suppress(OSError):
            files = [os.readlink(each) for each in Path(f"/proc/{process}/fd").iterdir()]
            count += any(name.endswith(".lock") and "/run/tessera/" in name for name in files)
    return count


def the_operations_of_the_protocol(desk: Desk) -> None:
    """The operations, and the exact texts of errors on standard output."""
    with Registry(exchanges=True) as registry:
        _listed(desk, registry, "--exchange", "acr")
        host = registry.host
        status, output = _ask(desk, "get", host)
        assert status == 1 and b'Run "tessera login --client-id' in output and output.count(b"\n") == 1, output
        desk.sign_in()
        for server in (host, f"{host}\n", registry.url, f"{registry.url}/"):
            status, output = _ask(desk, "get", server)
            found = json.loads(output)
            assert status == 0 and found["Username"] == USERNAME and found["ServerURL"] == server.strip(), output
        assert len(registry.exchanged) == 1
        # The registry's token is in one file of this user, and is not returned to another application.
        (path,) = (desk.folder / "run/tessera").glob("*.credential")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600 and path.stat().st_uid == os.geteuid()
        path.chmod(0o640)
        assert _ask(desk, "get", host)[0] == 0 and len(registry.exchanged) == 2
        text = path.read_text()
        path.write_text(text.replace(CLIENT, CLIENT[::-1]))
        assert _ask(desk, "get", host)[0] == 0 and len(registry.exchanged) == 3
        assert _ask(desk, "get", "registry.example.com") == (1, NOT_FOUND)
        for operation in ("get", "erase"):
            assert _ask(desk, operation, "") == (1, b"no credentials server URL\n")
        assert _ask(desk, "list", "") == (0, b"{}\n")
        assert _ask(desk, "version", "")[1].startswith(b"docker-credential-tessera ")
        assert _ask(desk, "else", host)[0] == 1
        login = {"ServerURL": host, "Username": "a", "Secret": "b"}
        assert _ask(desk, "store", json.dumps(login)) == (0, b"")
        status, output = _ask(desk, "store", json.dumps(login | {"ServerURL": "registry.example.com"}))
        assert status == 1 and b"stores no passwords" in output, output
        assert _ask(desk, "store", json.dumps(login | {"ServerURL": ""})) == (1, b"no credentials server URL\n")
        assert _ask(desk, "store", json.dumps(login | {"Username": ""})) == (1, b"no credentials username\n")
        assert _ask(desk, "erase", "registry.example.com") == (0, b"")


def docker_logs_in_and_out(desk: Desk) -> None:
    """Docker login uses the helper, and docker logout causes a new exchange, but no new sign-in."""
    with Registry(exchanges=True) as registry, Daemon() as daemon:
        _listed(desk, registry, "--exchange", "acr")
        desk.sign_in()
        for operation in ("login", "logout"):
            ((status, output, error),) = Session(
                desk, [[*_docker_program(), operation, registry.host]], DOCKER_HOST=daemon.address
            ).results()
            assert status == 0, output + error
        (login,) = daemon.logins
        assert login["username"] == USERNAME and login["serveraddress"] == registry.host, login
        assert len(registry.exchanged) == 1
        assert _ask(desk, "get", registry.host)[0] == 0 and len(registry.exchanged) == 2
        assert desk.provider.token_requests("refresh_token") == 1


def a_stored_credential_ends_with_its_lifetime(desk: Desk) -> None:
    """A registry's token is kept until it expires or the user signs out, in the runtime directory only."""
    with Registry(exchanges=True) as registry:
        _listed(desk, registry, "--exchange", "acr")
        desk.sign_in()
        registry.lifetime = 200
        for _ in range(2):
            assert _ask(desk, "get", registry.host)[0] == 0
        assert len(registry.exchanged) == 2
        registry.lifetime = 10_000
        for _ in range(2):
            assert _ask(desk, "get", registry.host)[0] == 0
        assert len(registry.exchanged) == 3
        for _ in range(2):
            assert _ask(desk, "get", registry.host, XDG_RUNTIME_DIR="")[0] == 0
        assert len(registry.exchanged) == 5
        secret = json.loads(_ask(desk, "get", registry.host)[1])["Secret"]
        assert _is_stored(secret, desk.folder / "run") and not _is_stored(secret, desk.folder / ".cache")
        assert desk.run("logout", *desk.registration).returncode == 0
        status, output = _ask(desk, "get", registry.host)
        assert status == 1 and b"tessera login" in output, output


def a_redirect_gets_no_token(desk: Desk) -> None:
    """An exchange that redirects to another host sends it nothing."""
    with Registry(exchanges=True) as registry, Registry(exchanges=True) as other:
        _listed(desk, registry, "--exchange", "acr")
        desk.sign_in()
        registry.location = f"{other.url}/oauth2/exchange"
        for status in (301, 302, 303, 307, 308):
            registry.status = status
            found, output = _ask(desk, "get", registry.host)
            assert found == 1 and b"redirects to another URL" in output, output
        assert not other.exchanged and not other.received


TESTS = [
    skopeo_gets_a_token, docker_gets_a_token, parallel_runs_share_one_exchange,
    a_refused_exchange_is_reported_to_all_runs, a_failed_exchange_ends_the_wait, the_operations_of_the_protocol,
    docker_logs_in_and_out, a_stored_credential_ends_with_its_lifetime, a_redirect_gets_no_token,
]  # fmt: skip
LONG = [docker_of_debian_12_gets_a_token, podman_gets_a_token, buildah_gets_a_token]
