# SPDX-License-Identifier: MIT
"""The rows of a database, decrypted as documented in docs/store.md, without the library."""

from __future__ import annotations

import json
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def rows(database: Path, keys: Path) -> dict[str, Any]:
    """Returns the layout and the records of a database whose keys are in key files."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        ciphers = {
            number: AESGCM(
                _derived((keys / f"{name}.key").read_bytes(), salt, b"tessera row key 2")
            )
            for number, name, salt in connection.execute("SELECT id, name, salt FROM seal")
        }
        layout = connection.execute("PRAGMA user_version").fetchone()[0]
        # In layout 2, the name of a record was the key of its row.
        name = "record.name" if layout >= 3000 else "record.key"
        query = f"SELECT {name}, type, owner, key_id, expires, body FROM record ORDER BY type, 1"
        scopes = f"SELECT scope.name, {name} FROM scope JOIN record ON record.key = scope.record ORDER BY 1, 2"
        return {
            "application_id": connection.execute("PRAGMA application_id").fetchone()[0],
            "layout": layout,
            "records": [
                {"key": key, "type": kind, "owner": owner, "expires_on": expires, "body": _opened(
                    ciphers[number], body, struct.pack(">qqq", key, kind, number)
                )}
                for key, kind, owner, number, expires, body in connection.execute(query)
            ],
            "scopes": connection.execute(scopes).fetchall(),
        }  # fmt: skip


def integrity(database: Path) -> str:
    """Returns the result of SQLite's integrity check."""
    with closing(sqlite3.connect(database)) as connection:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])


def _opened(cipher: AESGCM, body: bytes, place: bytes) -> Any:
    return json.loads(cipher.decrypt(body[:12], body[12:], b"tessera record 2" + place))


def _derived(key: bytes, salt: bytes, use: bytes) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=salt, info=use).derive(key)
