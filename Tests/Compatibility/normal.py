# SPDX-License-Identifier: MIT
"""Normalization for comparing runs: values that differ in each run are replaced by their names."""

from __future__ import annotations

import base64
import json
import re
import urllib.parse
from typing import Any

# Texts for developers, which may change between versions. Codes do not change.
TEXTS = ("message", "hint")
RANDOM = (
    "state", "nonce", "code_challenge", "code_verifier", "sign_in_key", "correlation_id", "client-request-id",
)  # fmt: skip
# Values that depend on the machine, the version or the run.
MEASURED = (
    "bytes", "file_bytes", "retry_after", "read_microseconds", "network_microseconds", "total_microseconds",
    "x-client-ver", "x-client-os", "x-client-cpu", "user-agent", "content-length", "accept-encoding",
)  # fmt: skip
UNORDERED = ("candidates",)
"""Lists in the order in which the store returns its records, which depends on the layout."""
ADDED = ("id_token_hint",)
"""Members that were added since the fixtures were made; CHANGELOG.md lists them."""
TIMES = re.compile(r".*_(?:on|at|time|until|moment|received|began)|iat|adal_python")
JWT = re.compile(r"[\w-]{10,}\.[\w-]{10,}\.[\w-]+")


def normal(value: Any, *, times: bool = False, name: str = "") -> Any:
    """Returns a document without the values that differ in each run. Idempotent.

    Args:
        value: The document.
        times: Whether to replace times as well, to compare documents of two runs.
        name: The name of the member.
    """
    lower = name.lower()
    if lower in MEASURED or (times and TIMES.fullmatch(lower)):
        return f"<{lower}>"
    if lower == "warnings" and isinstance(value, list):
        return len(value)
    if lower == "used" and isinstance(value, dict):
        return len(value)
    if isinstance(value, dict):
        return {
            key: normal(item, times=times, name=key)
            for key, item in value.items()
            if key not in TEXTS and key not in ADDED
        }
    if isinstance(value, list):
        items = [normal(item, times=times, name=name) for item in value]
        return sorted(items, key=lambda item: json.dumps(item, sort_keys=True)) if lower in UNORDERED else items
    if not isinstance(value, str):
        return value
    # The state of a store is a short word; random values are longer.
    return f"<{lower}>" if lower in RANDOM and len(value) > 20 else _text(value, times)


def _text(value: str, times: bool) -> Any:
    if JWT.fullmatch(value):
        claims = _decoded(value.split(".")[1])
        return f"<JWT of {claims['sub']} for {claims['aud']} from {claims['iss']}>"
    if value.startswith("https://") and "?" in value:
        address, _, query = value.partition("?")
        return {
            "url": address,
            "query": normal(dict(urllib.parse.parse_qsl(query, True)), times=times),
        }
    if value.startswith("{"):
        return {"json": normal(json.loads(value), times=times)}
    if value.startswith("eyJ") and "." not in value:
        return {"base64": normal(_decoded(value), times=times)}
    return value


def _decoded(text: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(text + "==="))
