# SPDX-License-Identifier: MIT
"""The same call in C, Python and Swift: each answers with a status and a document."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Path(os.environ.get("TESSERA_LIBRARY", ROOT / "build/lib/libtessera.so.0"))
SWIFT = Path(os.environ.get("TESSERA_ERRORS", ROOT / ".build/debug/tessera-errors"))
sys.path.insert(0, str(ROOT / "bindings/python/src"))

Answer = tuple[int, dict[str, Any]]
Approve = Callable[[str], None]
MEMBERS = (
    "retry_after", "oauth_error", "suberror", "server_codes", "correlation_id", "trace_id", "claims",
    "granted_scopes", "declined_scopes", "username", "home_account_id", "holder_process_id",
    "msal_code", "msal_internal_code", "accounts", "result",
)  # fmt: skip


class ByLines:
    """A program that makes one call after the other, as lines tell it."""

    name = ""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def call(
        self, function: str, configuration: dict[str, Any], request: dict[str, Any], approve: Approve
    ) -> Answer:
        """Make a call."""
        assert self._process.stdin and self._process.stdout
        line = "\t".join((function, json.dumps(configuration), json.dumps(request)))
        self._process.stdin.write(line + "\n")
        while True:
            first, _, rest = self._process.stdout.readline().partition("\t")
            if first != "prompt":
                return int(first), json.loads(rest)
            approve(json.loads(rest)["user_code"])

    def close(self) -> None:
        """End it."""
        self._process.communicate()


class InC(ByLines):
    """A program in C."""

    name = "C"

    def __init__(self, folder: Path) -> None:
        program = folder / "situations"
        source = Path(__file__).parent / "situations.c"
        subprocess.run(
            [os.environ.get("CC", "gcc"), "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-g",
             f"-I{ROOT / 'include'}", "-o", program, source, LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}"],
            check=True,
        )  # fmt: skip
        super().__init__(program)


class InSwift(ByLines):
    """A program in Swift."""

    name = "Swift"

    def __init__(self, _: Path) -> None:
        super().__init__(SWIFT)


class InPython:
    """The binding, in this process."""

    name = "Python"

    def __init__(self, _: Path) -> None:
        os.environ["TESSERA_LIBRARY"] = str(LIBRARY)
        import tessera

        self._tessera = tessera
        from tessera._errors import BY_STATUS

        self._statuses = {kind: status for status, kind in BY_STATUS.items()}

    def call(
        self, function: str, configuration: dict[str, Any], request: dict[str, Any], approve: Approve
    ) -> Answer:
        """Make a call."""
        options = dict(request)
        if (timeout := options.pop("timeout_milliseconds", None)) is not None:
            options["timeout"] = timeout / 1000
        try:
            with self._tessera.PublicClientApplication(**configuration) as application:
                if function == "silent":
                    account = options.pop("home_account_id")
                    application.acquire_token_silent(account=account, **options)
                elif function == "device":
                    application.acquire_token_by_device_code(
                        prompt=lambda shown: approve(shown.user_code), **options
                    )
                else:
                    application.get_accounts(**options)
        except self._tessera.TesseraError as error:
            return self._statuses[type(error)], {"error": self._members(error)}
        return 0, {}

    def _members(self, error: Any) -> dict[str, Any]:  # noqa: ANN401 - of a module that is loaded late
        members = {
            "remedy": error.remedy, "code": error.code, "message": error.message,
            "retryable": error.retryable,
        }  # fmt: skip
        for name in MEMBERS:
            value = getattr(error, name)
            if value not in (None, ()):
                members[name] = list(value) if isinstance(value, tuple) else value
        if error.result is not None:
            members["result"] = {"access_token": error.result.access_token}
        return members

    def close(self) -> None:
        """Nothing to end."""
