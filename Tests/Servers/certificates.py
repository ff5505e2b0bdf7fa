# SPDX-License-Identifier: MIT
"""Certificates for one run of the tests: a private certificate authority, and a server on this machine."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
_SERVER = """basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = DNS:localhost, DNS:provider.example, IP:127.0.0.1
"""


@dataclass(frozen=True)
class Certificates:
    """The files of a certificate authority and of a server with its certificate."""

    ca_file: Path
    server_file: Path
    server_key: Path


def make_certificates(directory: Path, authority: str = "Authority of a test") -> Certificates:
    """Creates an authority in a directory, which signs a certificate for localhost and provider.example."""

    def openssl(*arguments: str) -> None:
        command = ["openssl", *arguments]
        subprocess.run(command, cwd=directory, check=True, capture_output=True)

    (directory / "server.ext").write_text(_SERVER)
    openssl(
        *("req", "-x509", *_KEY, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2"),
        *("-subj", f"/CN={authority}", "-addext", "keyUsage=critical,keyCertSign"),
    )
    openssl("req", *_KEY, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    openssl(
        *("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2"),
        *("-CAcreateserial", "-extfile", "server.ext", "-out", "server.pem"),
    )
    return Certificates(directory / "ca.pem", directory / "server.pem", directory / "server.key")


def make_signing_key(directory: Path) -> tuple[str, str]:
    """Returns the private and the public half of a key for signing tokens (RS256)."""
    key = directory / "signing.key"
    for arguments in (
        ["genrsa", "-out", str(key), "2048"],
        ["rsa", "-in", str(key), "-pubout", "-out", f"{key}.pub"],
    ):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, timeout=60)
    return key.read_text(), (directory / "signing.key.pub").read_text()
