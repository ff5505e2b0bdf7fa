# SPDX-License-Identifier: MIT
"""The libraries of AWS and Google Cloud, with their token services on this machine."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import stat
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from desk import CLIENT, Desk, until
from installed import clouds
from services import Handler, Server, claims_of

ROLE = "arn:aws:iam::123456789012:role/Reader"
AUDIENCE = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/provider"
AWS = """
import json, sys
import botocore.session
session = botocore.session.Session()
credentials = session.get_credentials()
frozen = [credentials.get_frozen_credentials() for _ in range(5)]
client = session.create_client("sts", region_name="us-east-1", endpoint_url=sys.argv[1])
print(json.dumps({
    "arn": client.get_caller_identity()["Arn"], "keys": sorted({each.access_key for each in frozen}),
    "method": credentials.method,
}))
"""
GOOGLE = """
import json, sys
import google.auth.exceptions, google.auth.pluggable, google.auth.transport.requests
credentials = google.auth.pluggable.Credentials.from_file(sys.argv[1], scopes=["https://example.com/x"])
try:
    credentials.refresh(google.auth.transport.requests.Request())
    print(json.dumps({"token": credentials.token}))
except google.auth.exceptions.RefreshError as error:
    print(json.dumps({"error": str(error)}))
"""


class TokenService(Server):
    """A token service that counts its requests, and forwards them to another one or returns a fixed response."""

    def __init__(self, target: str = "") -> None:
        """Starts the service."""
        self.forms: list[dict[str, str]] = []
        """The fields of each request."""
        self.status = 200
        self.response = b""
        self.location = ""
        service = self

        class Requests(Handler):
            def do_POST(self) -> None:  # noqa: N802
                body = self.body()
                service.forms.append(dict(urllib.parse.parse_qsl(body.decode())))
                content = service.response
                if target and not content and service.status == 200:
                    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
                    with direct.open(target, body, timeout=30) as response:
                        content = response.read()
                location = [("Location", service.location)] if service.location else []
                self.send(service.status, content, *location)

        super().__init__(Requests)


@contextlib.contextmanager
def _moto() -> Iterator[str]:
    """Starts moto's server for AWS; yields its URL."""
    python = clouds()
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        port = reserved.getsockname()[1]
    process = subprocess.Popen(
        [python.with_name("moto_server"), "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip

    def responds() -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
        return False

    try:
        until(responds, "moto's server")
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.wait()


def _add_role(desk: Desk, service: TokenService) -> None:
    """Lists the role."""
    desk.add("aws", ROLE, "--endpoint", service.url, "--allow-http-loopback", "--scope", "openid")


def _credentials(desk: Desk, role: str = ROLE) -> subprocess.CompletedProcess[bytes]:
    """Runs the helper like the AWS SDKs."""
    return desk.run("helper", "aws", "credentials", role)


def botocore_gets_credentials(desk: Desk) -> None:
    """Botocore gets the credentials of a role by credential_process, with one request in two runs."""
    with _moto() as moto, TokenService(moto) as service:
        _add_role(desk, service)
        desk.sign_in(scope="openid")
        configuration = desk.folder / "aws.ini"
        configuration.write_text(
            f"[default]\ncredential_process = {desk.programs}/tessera helper aws credentials {ROLE}\n"
        )
        keys = set()
        for _ in range(2):
            done = subprocess.run(
                [clouds(), "-c", AWS, moto], env=desk.environment | {"AWS_CONFIG_FILE": str(configuration)},
                capture_output=True, text=True, timeout=60, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            found = json.loads(done.stdout)
            assert found["method"] == "custom-process" and ":assumed-role/Reader/alice@contoso.com" in found["arn"]
            keys |= set(found["keys"])
        (form,) = service.forms
        assert len(keys) == 1 and form["RoleArn"] == ROLE and claims_of(form["WebIdentityToken"])["aud"] == CLIENT


def botocore_reads_the_token_file(desk: Desk) -> None:
    """Botocore gets the credentials of a role with AWS_WEB_IDENTITY_TOKEN_FILE, which only the user can read."""
    with _moto() as moto, TokenService(moto) as service:
        _add_role(desk, service)
        desk.sign_in(scope="openid")
        paths = set()
        for _ in range(2):
            written = desk.run("helper", "aws", "token-file", ROLE)
            assert written.returncode == 0, written.stderr
            paths.add(written.stdout.decode().strip())
        (path,) = map(Path, paths)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600 and path.parent == desk.folder / "run/tessera"
        assert claims_of(path.read_text())["aud"] == CLIENT and not service.forms
        done = subprocess.run(
            [clouds(), "-c", AWS, moto], capture_output=True, text=True, timeout=60, check=False,
            env=desk.environment | {
                "AWS_WEB_IDENTITY_TOKEN_FILE": str(path), "AWS_ROLE_ARN": ROLE, "AWS_REGION": "us-east-1",
                "AWS_ENDPOINT_URL_STS": service.url, "AWS_CONFIG_FILE": "/dev/null",
            },
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["method"] == "assume-role-with-web-identity"
        assert service.forms[0]["WebIdentityToken"] == path.read_text()
        written = desk.run("helper", "aws", "token-file", ROLE, XDG_RUNTIME_DIR="")
        assert written.returncode == 4 and b"Set XDG_RUNTIME_DIR" in written.stderr, written


def _response(expiry: str, key: str = "KEY") -> bytes:
    """Returns a response of the Security Token Service."""
    return (
        f"<R><Credentials><AccessKeyId>{key}</AccessKeyId><SecretAccessKey>s/+=</SecretAccessKey>"
        f"<SessionToken>t/+=</SessionToken><Expiration>{expiry}</Expiration></Credentials></R>"
    ).encode()


def the_responses_of_a_token_service(desk: Desk) -> None:
    """Credentials are stored until 15 minutes before they expire, and errors have the service's reason."""
    with TokenService() as service, TokenService() as other:
        _add_role(desk, service)
        assert _credentials(desk).returncode == 1
        desk.sign_in(scope="openid")
        service.response = _response("2000-01-01T00:00:00Z")
        for _ in range(2):
            done = _credentials(desk)
            assert json.loads(done.stdout) == {
                "Version": 1, "AccessKeyId": "KEY", "SecretAccessKey": "s/+=", "SessionToken": "t/+=",
                "Expiration": "2000-01-01T00:00:00Z",
            }, done  # fmt: skip
        assert len(service.forms) == 2
        for body in (b"", b"<R>", _response("tomorrow"), _response("2099-01-01T00:00:00Z", "a&amp;b"),
                     _response("2099-01-01T00:00:00Z", "a\nb")):  # fmt: skip
            service.response = body
            done = _credentials(desk)
            assert done.returncode == 2 and done.stdout == b"", (body, done)
        service.status = 307
        service.location = other.url
        done = _credentials(desk)
        assert done.returncode == 4 and b"redirects to another URL" in done.stderr and not other.forms, done
        service.status = 500
        assert _credentials(desk).returncode == 2
        service.status = 400
        token = service.forms[-1]["WebIdentityToken"]
        service.response = (
            f"<R><Error><Code>InvalidIdentityToken</Code><Message>not {token}</Message></Error></R>".encode()
        )
        count = len(service.forms)
        for _ in range(2):
            done = _credentials(desk)
            assert done.returncode == 4 and b"InvalidIdentityToken not \xe2\x80\xa6." in done.stderr, done
        assert len(service.forms) == count + 1


def google_auth_gets_a_token(desk: Desk) -> None:
    """google-auth exchanges the ID token, and shows the reason without a sign-in and for another audience."""
    python = clouds()
    with TokenService() as service:
        service.response = json.dumps(
            {
                "access_token": "google", "issued_token_type": "urn:ietf:params:oauth:token-type:access_token",
                "token_type": "Bearer", "expires_in": 3600,
            }
        ).encode()  # fmt: skip

        def refreshed(audience: str = AUDIENCE, kind: str = "id_token") -> dict[str, str]:
            path = desk.folder / "google.json"
            path.write_text(json.dumps({
                "type": "external_account", "audience": audience, "token_url": f"{service.url}/v1/token",
                "subject_token_type": f"urn:ietf:params:oauth:token-type:{kind}",
                "credential_source": {"executable": {
                    "command": f"{desk.programs}/tessera helper google get", "timeout_millis": 30000}},
            }))  # fmt: skip
            done = subprocess.run(
                [python, "-c", GOOGLE, path], capture_output=True, text=True, timeout=60, check=False,
                env=desk.environment | {"GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1"},
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            found: dict[str, str] = json.loads(done.stdout)
            return found

        assert re.search("code: invalid_configuration, message: .* is not listed", refreshed()["error"])
        desk.add("google", AUDIENCE, "--scope", "openid")
        assert re.search("code: .*, message: .*tessera login", refreshed()["error"])
        desk.sign_in(scope="openid")
        for kind in ("id_token", "jwt"):
            assert refreshed(kind=kind) == {"token": "google"}
            assert claims_of(service.forms[-1]["subject_token"])["aud"] == CLIENT
        count = len(service.forms)
        for audience, kind in ((AUDIENCE, "saml2"), (AUDIENCE + "x", "jwt"), (AUDIENCE.upper(), "jwt")):
            assert "code: invalid_configuration" in refreshed(audience, kind)["error"]
        assert len(service.forms) == count


TESTS = [
    botocore_gets_credentials, botocore_reads_the_token_file, the_responses_of_a_token_service,
    google_auth_gets_a_token,
]  # fmt: skip
