# SPDX-License-Identifier: MIT
"""A sign-in that two processes share: sign_in.c takes one step at a time."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from provider import Provider


def cross_processes(run: Callable[..., str], program: Path) -> None:
    """Begin in one process, complete in another one, once; what is not the answer leaves it waiting."""
    with Provider() as provider, tempfile.TemporaryDirectory() as directory:
        configuration = json.dumps({
            "client_id": "app", "authority": provider.oidc_issuer, "store_directory": directory,
            "redirect_uri": "com.example.app://auth", "registered_schemes": ["com.example.app"],
        })  # fmt: skip

        def step(name: str, **request: object) -> dict[str, Any]:
            status, answer = run(program, name, configuration, json.dumps(request)).split(" ", 1)
            document = dict(json.loads(answer))
            return document if status == "0" else dict(document["error"])

        begun, other = step("begin", scopes=["read"]), step("begin", scopes=["read"])
        assert begun["redirect_uri"] == "com.example.app://auth", begun
        url = provider.visit(begun["url"])
        wrong = step("complete", state=begun["state"], url=provider.visit(other["url"]))
        assert wrong["code"] == "state_mismatch", wrong
        result = step("complete", state=begun["state"], url=url)
        assert result["account"]["username"] == "alice@contoso.com", result
        again = step("complete", state=begun["state"], url=url)
        assert again["code"] == "sign_in_used", again
        posted = step("complete", state=other["state"], form="code=c")
        assert posted["code"] == "state_mismatch", posted
