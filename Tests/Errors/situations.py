#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the calls of Tests/Errors/run.

Each line has a function, a configuration and a request, separated by tabs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings/python/src"))

import tessera_identity  # noqa: E402
from tessera_identity._errors import BY_STATUS  # noqa: E402

METHODS = {
    "account": "get_account", "accounts": "get_accounts", "current": "get_current_account",
    "complete": "complete_sign_in", "interactive": "acquire_token_interactive",
    "migrate": "migrate", "shown": "acquire_token_interactive",
}  # fmt: skip
"""The methods with the members of a request as arguments."""
STATUSES = {kind: status for status, kind in BY_STATUS.items()}
MEMBERS = (
    "remedy", "code", "message", "retryable", "retry_after", "oauth_error", "suberror", "server_codes",
    "correlation_id", "trace_id", "claims", "granted_scopes", "declined_scopes", "username", "home_account_id",
    "authority", "holder_process_id", "msal_code", "msal_internal_code",
)  # fmt: skip


def print_line(word: object, document: object) -> None:
    """Prints a line for the caller."""
    print(word, json.dumps(document), sep="\t", flush=True)


def call(function: str, configuration: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Makes a call. Returns the document of a started sign-in, otherwise an empty one."""
    options = dict(request)
    if (timeout := options.pop("timeout_milliseconds", None)) is not None:
        options["timeout"] = timeout / 1000
    with tessera_identity.PublicClientApplication(**configuration) as application:
        home = None if function == "account" else options.pop("home_account_id", None)
        if function == "begin":
            begun = application.begin_sign_in(account=home, **options)
            return {name: getattr(begun, name) for name in ("url", "state", "redirect_uri")}
        if function == "stopped":
            options["cancellation"] = tessera_identity.Cancellation()
            options["cancellation"].cancel()
        if function in ("interactive", "shown"):
            options["prompt_callback"] = None if function == "interactive" else lambda _: None
        if function in ("silent", "stopped"):
            application.acquire_token_silent(account=home, **options)
        elif function == "device":
            application.acquire_token_by_device_code(
                prompt_callback=lambda shown: print_line("prompt", {"user_code": shown.user_code}), **options
            )
        elif function == "remove":
            application.remove_account(home or "", **options)
        elif function == "sign_out":
            application.sign_out(home, **options)
        else:
            getattr(application, METHODS[function])(**options)
    return {}


def members(error: tessera_identity.TesseraError) -> dict[str, Any]:
    """Returns the attributes of an error by their member names."""
    found = {}
    for name in MEMBERS:
        value = getattr(error, name)
        if value not in (None, ()):
            found[name] = list(value) if isinstance(value, tuple) else value
    if error.accounts:
        found["accounts"] = [{"username": account.username} for account in error.accounts]
    names = ("domain", "number", "code", "message")
    causes = [{name: getattr(cause, name) for name in names} for cause in error.causes]
    if causes:
        found["causes"] = [{name: value for name, value in each.items() if value is not None} for each in causes]
    return found


def main() -> None:
    """Makes the calls."""
    for line in sys.stdin:
        function, configuration, request = line.rstrip("\n").split("\t")
        try:
            print_line(0, call(function, json.loads(configuration), json.loads(request)))
        except tessera_identity.TesseraError as error:
            print_line(STATUSES[type(error)], {"error": members(error)})


if __name__ == "__main__":
    main()
