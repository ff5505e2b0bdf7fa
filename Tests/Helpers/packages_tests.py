# SPDX-License-Identifier: MIT
"""The real Cargo and Terraform with registries that require a token, and the protocols of their helpers."""

from __future__ import annotations

import datetime
import json
import os
import shutil
import subprocess
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from desk import CLIENT, LINKS, ROOT, Desk, Session, Skipped
from installed import unpacked
from services import Service, certificate, claims_of

CARGO = "cargo-credential-tessera"
TERRAFORM = "terraform-credentials-tessera"
BAZEL = "bazel-credential-tessera"
HOST = "packages.example.com"
CARGO_LIBRARIES = (
    "libgit2-1.5", "libssh2-1", "libhttp-parser2.9", "libmbedtls14", "libmbedcrypto7", "libmbedx509-1",
)  # fmt: skip
INDEX = f"sparse+https://{HOST}/index/"


class CargoIndex(Service):
    """A sparse index of Cargo without crates."""

    def respond(
        self, request: BaseHTTPRequestHandler, body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Returns the configuration."""
        if request.path != "/index/config.json":
            return 404, [], b""
        return 200, [], json.dumps({"dl": f"{self.url}/dl", "api": self.url, "auth-required": True}).encode()


class ModuleRegistry(Service):
    """A registry of Terraform with one module without versions. Its discovery document requires a token, too."""

    def respond(
        self, request: BaseHTTPRequestHandler, body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Returns a document."""
        if request.path == "/.well-known/terraform.json":
            content: dict[str, Any] = {"modules.v1": "/modules/"}
        else:
            content = {"modules": [{"versions": []}]}
        return 200, [("Content-Type", "application/json")], json.dumps(content).encode()


def _cargo(desk: Desk, *requests: bytes) -> list[dict[str, Any]]:
    """Runs the provider with lines of Cargo; returns its responses."""
    done = desk.run("--cargo-plugin", program=CARGO, given=b"".join(line + b"\n" for line in requests))
    assert done.returncode == 0 and done.stderr == b"", done
    hello, *responses = [json.loads(line) for line in done.stdout.splitlines()]
    assert hello == {"v": [1]} and len(responses) == len(requests), done
    return responses


def _request(url: str = INDEX, kind: str = "get", **members: object) -> bytes:
    """Returns a line of Cargo."""
    registry = {"index-url": url, "name": "example", "headers": ["WWW-Authenticate: Bearer realm=https://evil.example"]}
    document = {"v": 1, "kind": kind, "operation": "read", "registry": registry, "args": ["x"], **members}
    return json.dumps(document).encode()


def cargo_responses(desk: Desk) -> None:
    """The responses to Cargo, in one run with several requests."""
    desk.add("cargo", f"https://{HOST}/index")
    (failure,) = _cargo(desk, _request())
    assert failure["Err"]["kind"] == "other" and "tessera login" in failure["Err"]["message"], failure
    desk.sign_in()
    responses = _cargo(
        desk, _request(), _request(operation="publish"), _request("sparse+https://other.example/index/"),
        _request(kind="login", token="secret"), _request(kind="logout"), _request(kind="later"), b"{}", b"x",
        _request(v=2), _request(f"https://{HOST}/index"),
    )  # fmt: skip
    kinds = [next(iter(each.values()))["kind"] for each in responses]
    assert kinds == [
        "get", "get", "url-not-supported", "operation-not-supported", "not-found", "operation-not-supported",
        "other", "other", "other", "get",
    ], kinds  # fmt: skip
    found = responses[0]["Ok"]
    token = found.pop("token")
    assert token.startswith("Bearer ") and claims_of(token.removeprefix("Bearer "))["azp"] == CLIENT
    assert 0 <= found.pop("expiration") - claims_of(token)["exp"] <= 30
    assert found == {"kind": "get", "cache": "expires", "operation_independent": True}, found
    assert desk.run(program=CARGO).returncode == 64
    # Cargo waits for a response before it sends the next request, or closes the input.
    with subprocess.Popen(
        [desk.programs / CARGO, "--cargo-plugin"], env=desk.environment, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout and process.stdout.readline() == b'{"v":[1]}\n'
        process.stdin.write(_request() + b"\n")
        process.stdin.flush()
        assert b'"token":"Bearer ey' in process.stdout.readline()


def _cargo_program() -> list[str]:
    """Returns a Cargo with credential providers, which is 1.74 or later: that in PATH, or else one of Debian."""
    program = shutil.which("cargo")
    if program:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        version = done.stdout.split()[1:2]
        if version and tuple(map(int, version[0].split(".")[:2])) >= (1, 74):
            return [program]
    path, libraries = unpacked("cargo", "cargo-web", *CARGO_LIBRARIES)
    return ["env", libraries, str(path)]


def cargo_gets_a_token(desk: Desk) -> None:
    """Cargo reads an index with the token, and asks the next provider for another index."""
    with CargoIndex() as index:
        project = desk.folder / "project"
        (project / "src").mkdir(parents=True)
        (project / "src/lib.rs").write_text("")
        (project / "Cargo.toml").write_text(
            '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n'
            '[dependencies]\nsome = { version = "1", registry = "example" }\n'
        )
        home = desk.folder / "cargo"
        home.mkdir()
        (home / "config.toml").write_text(
            f'[registries.example]\nindex = "sparse+{index.url}/index/"\n'
            f'[registry]\nglobal-credential-providers = ["cargo:token", "{CARGO}"]\n'
        )
        settings = {
            "CARGO_HOME": str(home),
            # The program of rustup finds its toolchains in the home directory of the user.
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup")),
        }  # fmt: skip
        command = [*_cargo_program(), "generate-lockfile", "--manifest-path", str(project / "Cargo.toml")]
        ((_, _, error),) = Session(desk, [command], **settings).results()
        assert not index.received and "no token found" in error, error
        desk.add("cargo", index.url, "--allow-http-loopback")
        desk.sign_in()
        ((_, _, error),) = Session(desk, [command], **settings).results()
        # The index has no crates.
        assert "no matching package named `some` found" in error, error
        assert {each[0] for each in index.received} == {"Bearer"}, index.received
        assert claims_of(index.received[0][2])["azp"] == CLIENT


def terraform_responses(desk: Desk) -> None:
    """The responses to Terraform, and the status of errors."""

    def asked(operation: str, host: str, given: bytes = b"") -> tuple[int, bytes]:
        done = desk.run(operation, host, program=TERRAFORM, given=given)
        assert (done.returncode == 0) == (done.stderr == b""), done
        return done.returncode, done.stdout

    desk.add("terraform", f"https://{HOST}")
    assert asked("get", HOST) == (1, b"")
    desk.sign_in()
    status, output = asked("get", HOST)
    (name, token), = json.loads(output).items()
    assert status == 0 and name == "token" and claims_of(token)["azp"] == CLIENT, output
    assert asked("get", "other.example") == (0, b"{}\n")
    assert asked("store", HOST, b'{"token":"x"}') == (0, b"")
    assert asked("store", "other.example", b'{"token":"x"}') == (3, b"")
    assert asked("forget", HOST) == (0, b"") and asked("forget", "other.example") == (0, b"")
    assert asked("get", HOST)[1] != output and desk.provider.token_requests("refresh_token") == 1
    assert asked("else", HOST)[0] == 3


def terraform_gets_a_token(desk: Desk) -> None:
    """Terraform reads a list of modules with the token."""
    program = shutil.which("terraform")
    if not program:
        raise Skipped("no terraform is in PATH")
    with ModuleRegistry(certificate(desk.folder)) as registry:
        plugins = desk.folder / ".terraform.d/plugins"
        plugins.mkdir(parents=True)
        (plugins / TERRAFORM).symlink_to(desk.programs / TERRAFORM)
        (desk.folder / "terraform.rc").write_text('credentials_helper "tessera" {}\ndisable_checkpoint = true\n')
        project = desk.folder / "project"
        project.mkdir()
        host = registry.url.removeprefix("https://")
        (project / "main.tf").write_text(f'module "x" {{\n  source = "{host}/a/b/c"\n}}\n')
        desk.add("terraform", registry.url)
        desk.sign_in()
        command = [program, f"-chdir={project}", "init", "-no-color", "-input=false"]
        ((_, output, error),) = Session(
            desk, [command], TF_CLI_CONFIG_FILE=str(desk.folder / "terraform.rc"),
            SSL_CERT_FILE=str(desk.folder / "cert.pem"),
        ).results()  # fmt: skip
        # The module has no versions.
        assert "has no versions" in (output + error).replace("\n", " "), output + error
        assert {each[0] for each in registry.received} == {"Bearer"}, registry.received
        assert claims_of(registry.received[0][2])["azp"] == CLIENT


def bazel_responses(desk: Desk) -> None:
    """The responses to Bazel, which has no terminal."""

    def asked(uri: str) -> tuple[int, bytes, bytes]:
        done = desk.run("get", program=BAZEL, given=json.dumps({"uri": uri}).encode())
        return done.returncode, done.stdout, done.stderr

    desk.add("bazel", f"https://{HOST}")
    status, output, error = asked(f"https://{HOST}/x")
    assert (status, output, error.count(b"\n")) == (1, b"", 1) and b"tessera login" in error, error
    desk.sign_in()
    for uri in (f"https://{HOST}", f"https://{HOST}/a%2Bb/c?d=e%20f#g", f"https://{HOST}:443?x"):
        status, output, error = asked(uri)
        found = json.loads(output)
        assert status == 0 and set(found) == {"headers", "expires"} and set(found["headers"]) == {"Authorization"}
        (header,) = found["headers"]["Authorization"]
        assert header.startswith("Bearer ") and claims_of(header.removeprefix("Bearer "))["azp"] == CLIENT
        expiry = datetime.datetime.strptime(found["expires"], "%Y-%m-%dT%H:%M:%S%z")
        assert expiry.timestamp() > time.time()
    status, output, error = asked("https://other.example/x")
    assert (status, output) == (4, b"") and b"other.example is not listed" in error, error
    done = desk.run("helper", "add", "bazel", f"https://{HOST}/x", *desk.registration, "--scope", "User.Read")
    assert done.returncode == 64, done
    for given in (b"", b"{}", b'{"uri": 1}', b"x"):
        done = desk.run("get", program=BAZEL, given=given)
        assert (done.returncode, done.stdout) == (3, b""), done
    assert desk.run("else", program=BAZEL).returncode == 64


def make_install_has_every_link(desk: Desk) -> None:
    """The list of links in scripts/install has the names of the tests."""
    text = (ROOT / "scripts/install").read_text()
    for name in LINKS[1:]:
        assert f" {name}" in text, name


TESTS = [
    cargo_responses, cargo_gets_a_token, terraform_responses, terraform_gets_a_token, bazel_responses,
    make_install_has_every_link,
]  # fmt: skip
