# SPDX-License-Identifier: MIT
"""The real kubectl with an API server that requires a token."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import newer
from desk import CLIENT, Desk, Session, Skipped
from installed import unpacked
from services import ClusterServer, certificate, claims_of

PARALLEL = 20


def _of_this_debian() -> Path:
    """Returns kubectl 1.20 of Debian 12, which may be installed beside another one."""
    return unpacked("kubectl", "kubernetes-client")[0]


def _of_a_newer_debian() -> Path:
    """Returns kubectl 1.30 or later, which needs no library of its system."""
    newer.root()
    return newer.FOLDER / "usr/bin/kubectl"


@contextlib.contextmanager
def _listed(desk: Desk, *words: str) -> Iterator[ClusterServer]:
    """Starts a server, and lists it."""
    with ClusterServer(certificate(desk.folder)) as server:
        desk.add("kubectl", server.url, *words)
        yield server


def _command(desk: Desk, program: Path, server: ClusterServer, version: str, **members: object) -> list[str]:
    """Writes a kubeconfig file; returns a command that needs a token."""
    plugin = {
        "apiVersion": f"client.authentication.k8s.io/{version}", "command": "kubectl-tessera", "args": ["get"],
        "provideClusterInfo": True, "interactiveMode": "IfAvailable",
    } | members  # fmt: skip
    document = {
        "apiVersion": "v1", "kind": "Config", "current-context": "test",
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "alice"}}],
        "clusters": [{"name": "test", "cluster": {
            "server": server.url, "certificate-authority": str(desk.folder / "cert.pem")}}],
        "users": [{"name": "alice", "user": {"exec": plugin}}],
    }  # fmt: skip
    path = desk.folder / "kubeconfig"
    path.write_text(json.dumps(document))
    return [str(program), f"--kubeconfig={path}", "get", "--raw", "/version"]


def _answers(desk: Desk, program: Path, version: str) -> None:
    """Checks a command with an access token, and one with an ID token."""
    with _listed(desk) as server:
        desk.sign_in()
        ((status, output, error),) = Session(desk, [_command(desk, program, server, version)]).results()
        assert status == 0 and json.loads(output)["major"] == "1", error
        assert {each[0] for each in server.received} == {"Bearer"}, server.received
        assert desk.run("helper", "remove", "kubectl", server.url).returncode == 0
        desk.add("kubectl", server.url, "--token", "id")
        server.received.clear()
        ((status, _, error),) = Session(desk, [_command(desk, program, server, version)]).results()
        assert status == 0, error
        claims = claims_of(server.received[-1][2])
        assert claims["aud"] == CLIENT, claims


def kubectl_of_debian_12_gets_a_token(desk: Desk) -> None:
    """With kubectl 1.20, a command gets an access token and an ID token by the version v1beta1."""
    _answers(desk, _of_this_debian(), "v1beta1")


def newer_kubectl_gets_a_token(desk: Desk) -> None:
    """With kubectl 1.30 or later, a command gets an access token and an ID token by the version v1."""
    _answers(desk, _of_a_newer_debian(), "v1")


def newer_kubectl_gets_a_token_by_v1beta1(desk: Desk) -> None:
    """With kubectl 1.30 or later, a command gets both tokens by the version v1beta1."""
    _answers(desk, _of_a_newer_debian(), "v1beta1")


def _parallel(desk: Desk, program: Path, *, declines: bool) -> None:
    with _listed(desk) as server, desk.approving(declines=declines) as codes:
        session = Session(desk, [_command(desk, program, server, "v1beta1")] * PARALLEL)
        results = session.results()
        assert [status for status, _, _ in results] == [1 if declines else 0] * PARALLEL, results
        assert (session.prompts, len(codes)) == (1, 1)
        assert len({each[2] for each in server.received}) == (0 if declines else 1)


def parallel_runs_share_one_sign_in(desk: Desk) -> None:
    """20 parallel runs of kubectl with an empty store ask the user once, and all get the token."""
    _parallel(desk, _of_this_debian(), declines=False)


def a_declined_sign_in_ends_all_runs(desk: Desk) -> None:
    """20 parallel runs of kubectl fail after one declined sign-in."""
    _parallel(desk, _of_this_debian(), declines=True)


def a_request_without_the_server_fails(desk: Desk) -> None:
    """Without provideClusterInfo, kubectl shows the correction."""
    with _listed(desk) as server:
        desk.sign_in()
        command = _command(desk, _of_this_debian(), server, "v1beta1", provideClusterInfo=False)
        ((status, _, error),) = Session(desk, [command]).results()
        assert status == 1 and "Set provideClusterInfo to true" in error and not server.received, error


def the_kubectl_in_path_gets_a_token(desk: Desk) -> None:
    """The kubectl in PATH, if there is one, gets both tokens by the version v1beta1."""
    found = shutil.which("kubectl")
    if not found:
        raise Skipped("no kubectl is in PATH")
    _answers(desk, Path(found), "v1beta1")


TESTS = [
    kubectl_of_debian_12_gets_a_token, newer_kubectl_gets_a_token, newer_kubectl_gets_a_token_by_v1beta1,
    the_kubectl_in_path_gets_a_token, parallel_runs_share_one_sign_in, a_declined_sign_in_ends_all_runs,
    a_request_without_the_server_fails,
]  # fmt: skip
