# SPDX-License-Identifier: MIT
"""A sample of azure-identity runs with another import and constructor."""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from browser_user import open_url
from distributions import source_distribution
from real import CLIENT, needs_library, provider, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from provider import Provider

__all__ = ["provider", "running"]

pytestmark = needs_library

SAMPLE = "samples/control_interactive_prompts.py"
IMPORT = "from azure.identity import AuthenticationRequiredError, InteractiveBrowserCredential"
CONSTRUCTOR = "InteractiveBrowserCredential(disable_automatic_authentication=True)"
HOST = "vault.contoso.test"
RESOLVER = f"""
import socket
original = socket.getaddrinfo
socket.getaddrinfo = lambda host, *more, **options: original(
    "127.0.0.1" if host == "{HOST}" else host, *more, **options
)
"""
"""A module that resolves the name of the vault without a name server."""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of the sample, from the source distribution of the installed version."""
    directory = tmp_path_factory.mktemp("azure")
    return (source_distribution("azure-identity", directory) / SAMPLE).read_text()


class Vault(BaseHTTPRequestHandler):
    """A key vault with one secret."""

    authority = ""

    def do_GET(self) -> None:
        """Requires a token, then lists the secrets."""
        port = self.server.server_port  # type: ignore[attr-defined]
        is_authorized = self.headers.get("Authorization", "").startswith("Bearer eyJ")
        secret = {"id": f"https://{HOST}:{port}/secrets/example", "attributes": {"enabled": True}}
        body = json.dumps({"value": [secret], "nextLink": None} if is_authorized else {}).encode()
        self.send_response(200 if is_authorized else 401)
        challenge = (
            f'Bearer authorization="{self.authority}", resource="https://contoso.test:{port}"'
        )
        if not is_authorized:
            self.send_header("WWW-Authenticate", challenge)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Writes nothing."""


@pytest.fixture
def vault(provider: Provider, tmp_path: Path) -> Iterator[str]:
    """The URL of a vault with a certificate in `certificate.pem`."""
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}",
         "-addext", f"subjectAltName=DNS:{HOST}", "-out", certificate, "-keyout", key],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    Vault.authority = provider.entra_authority
    with HTTPServer(("127.0.0.1", 0), Vault) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"https://{HOST}:{server.server_port}"
        server.shutdown()


def test_control_interactive_prompts_runs(
    sample: str, provider: Provider, vault: str, tmp_path: Path
) -> None:
    """The first request needs a sign-in, which `authenticate` makes with the scopes of the error."""
    assert IMPORT in sample
    assert CONSTRUCTOR in sample
    settings = {
        "authority": provider.entra_authority, "authority_type": "entra",
        "store_directory": str(tmp_path / "store"),
    }  # fmt: skip
    text = sample.replace(
        IMPORT,
        "from azure.identity import AuthenticationRequiredError\n"
        "from tessera_identity.azure import TesseraCredential",
    ).replace(CONSTRUCTOR, f"TesseraCredential({CLIENT!r}, **{settings})")
    (tmp_path / "sample.py").write_text(text + "\nprint(secret_names)\n")
    (tmp_path / "sitecustomize.py").write_text(RESOLVER)
    pipe, browser = tmp_path / "pipe", tmp_path / "browser"
    os.mkfifo(pipe)
    browser.write_text(f"#!/bin/sh\necho \"$1\" > '{pipe}'\n")
    browser.chmod(0o755)
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]), "BROWSER": str(browser),
        "VAULT_URL": vault, "REQUESTS_CA_BUNDLE": str(tmp_path / "certificate.pem"), "no_proxy": "*",
    }  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "sample.py"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        url = pipe.read_text().strip()
        scope = f"https%3A%2F%2Fcontoso.test%3A{urlsplit(vault).port}%2F.default"
        assert scope in url
        open_url(provider.visit(url))
        output, _ = program.communicate(timeout=60)
    assert program.returncode == 0
    assert output == "['example']\n"
