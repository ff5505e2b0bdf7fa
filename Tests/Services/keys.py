# SPDX-License-Identifier: MIT
"""Keys and certificates of services, made with openssl."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PASSPHRASE = "a passphrase of a test"
_KINDS = {
    "rsa": ("-newkey", "rsa:2048"),
    "p256": ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
}


@dataclass(frozen=True)
class KeyFiles:
    """The files of a certificate with its private key."""

    certificate: Path
    key: Path
    encrypted_key: Path
    pfx: Path

    @property
    def pem(self) -> str:
        """The certificate in PEM."""
        return self.certificate.read_text()

    @property
    def public_key(self) -> str:
        """The public key in PEM."""
        return _openssl("x509", "-in", str(self.certificate), "-noout", "-pubkey")


def make_keys(directory: Path, kind: str = "rsa", subject: str = "service.example") -> KeyFiles:
    """Creates a key and a certificate that it signs, in a new directory."""
    directory.mkdir()
    files = KeyFiles(
        *(directory / name for name in ("certificate.pem", "key.pem", "encrypted.pem", "key.pfx"))
    )
    certificate, key = str(files.certificate), str(files.key)
    _openssl(
        *("req", "-x509", *_KINDS[kind], "-nodes", "-keyout", key, "-out", certificate),
        *("-days", "2", "-subj", f"/CN={subject}"),
    )
    _openssl(
        *("pkcs8", "-topk8", "-in", key, "-out", str(files.encrypted_key)),
        *("-passout", f"pass:{PASSPHRASE}"),
    )
    _openssl(
        *("pkcs12", "-export", "-in", certificate, "-inkey", key, "-out", str(files.pfx)),
        *("-passout", f"pass:{PASSPHRASE}"),
    )
    return files


def _openssl(*arguments: str) -> str:
    run = subprocess.run(
        ["openssl", *arguments], check=True, capture_output=True, text=True, timeout=60
    )
    return run.stdout
