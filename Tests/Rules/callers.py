# SPDX-License-Identifier: MIT
"""The same call in C and in Python: each returns a document, the result or the error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bindings/python/src")]
LIBRARY = Path(os.environ.setdefault("TESSERA_LIBRARY", str(ROOT / "build/lib/libtessera.so")))

import tessera_identity  # noqa: E402

from compiling import compiled  # noqa: E402
from configurations import nested  # noqa: E402

Document = dict[str, Any]
ERROR_MEMBERS = (
    "remedy", "code", "message", "retry_after", "oauth_error", "suberror", "msal_code",
    "msal_internal_code", "declined_scopes",
)  # fmt: skip


class InC:
    """A program in C, started for each configuration."""

    name = "C"

    def __init__(self, folder: Path) -> None:
        source = ROOT / "Tests/Scopes/calls.c"
        self._program = compiled(source, to=folder / "calls", library=LIBRARY)
        self.log: list[str] = []

    def calls(self, configuration: Document, *calls: tuple[str, Document]) -> list[Document]:
        """Makes calls with one application."""
        lines = "".join(f"{name}\t{json.dumps(request)}\n" for name, request in calls)
        ended = subprocess.run(
            [self._program, json.dumps(nested(configuration)), "log"], input=lines, text=True, capture_output=True,
            timeout=60,
        )
        self.log += [line for line in ended.stderr.splitlines() if line.startswith("log ")]
        if ended.returncode == 2:
            return [json.loads(ended.stderr.splitlines()[-1])]
        answers = [line.partition("\t") for line in ended.stdout.splitlines()]
        return [json.loads(rest) for first, _, rest in answers if first != "prompt"]


class InPython:
    """The binding, in this process."""

    name = "Python"

    def __init__(self, _: Path) -> None:
        self.log: list[str] = []

    def calls(self, configuration: Document, *calls: tuple[str, Document]) -> list[Document]:
        """Makes calls with one application."""
        try:
            with tessera_identity.PublicClientApplication(
                **configuration, log=lambda _, line: self.log.append(line)
            ) as application:
                return [self._call(application, name, dict(request)) for name, request in calls]
        except tessera_identity.TesseraError as error:
            return [_error(error)]

    def _call(
        self, application: tessera_identity.PublicClientApplication, name: str, request: Document
    ) -> Document:
        if "resource" in request:
            request["scopes"] = [tessera_identity.default_scope(request.pop("resource"))]
        home: tessera_identity.Account | str | None = request.pop("home_account_id", None)
        try:
            if name in ("silent", "sign_out") and "username" in request:
                # In C, both names are members of the request.
                home = application.get_account(username=request.pop("username"))
            if name == "migrate":
                value: Any = application.migrate(**request)
            elif name == "export":
                value = application.export_sign_ins(**request)
            elif name == "silent":
                value = application.acquire_token_silent(account=home, **request)
            elif name == "explain":
                value = application.explain(account=home or "", **request)
            elif name == "device":
                value = application.acquire_token_by_device_code(prompt_callback=lambda _: None, **request)
            elif name == "begin":
                value = application.begin_sign_in(account=home, **request)
            elif name == "complete":
                value = application.complete_sign_in(**request)
            elif name == "sign_out":
                value = application.sign_out(home, **request)
            elif name == "current":
                value = application.get_current_account(**request)
            elif name == "account":
                return {"account": application.get_account(**request)._document}
            else:
                return {"accounts": [each._document for each in application.get_accounts(**request)]}
        except tessera_identity.TesseraError as error:
            return _error(error)
        return dict(value._document)


def _error(error: tessera_identity.TesseraError) -> Document:
    members = {name: getattr(error, name) for name in ERROR_MEMBERS}
    members["declined_scopes"] = list(members["declined_scopes"] or ())
    found = {name: value for name, value in members.items() if value is not None}
    return {"error": {**found, "accounts": list(error.accounts)}}


Speaker = InC | InPython
SPEAKERS = (InC, InPython)
