# SPDX-License-Identifier: MIT
"""A Python program like a user's: does the same as program.c, with the same arguments and output."""

from __future__ import annotations

import json
import sys
import threading
from typing import Any

import tessera_identity


def work(
    application: tessera_identity.PublicClientApplication, command: str, request: dict[str, Any]
) -> dict[str, Any]:
    """Runs a command."""
    if command == "info":
        return dict(application.store_info().__reduce__()[1][0])
    options: dict[str, Any] = {}
    if "timeout_milliseconds" in request:
        options["timeout"] = request["timeout_milliseconds"] / 1000
    if "cancel_after" in request:
        options["cancellation"] = stop = tessera_identity.Cancellation()
        threading.Timer(request["cancel_after"], stop.cancel).start()
    if command == "sign_in":
        token = application.acquire_token_by_device_code(
            request["scopes"],
            prompt=lambda prompt: print(json.dumps({"user_code": prompt.user_code}), flush=True),
            **options,
        )
    else:
        token = application.acquire_token_silent(
            request["scopes"], account=request["home_account_id"],
            force_refresh=request.get("force_refresh", False), **options,
        )  # fmt: skip
    return dict(token.__reduce__()[1][0])


def main() -> int:
    """Runs one command and prints its result."""
    configuration = json.loads(sys.argv[1])
    if len(sys.argv) > 4:
        configuration["store_key"] = lambda: bytes([int(sys.argv[4])]) * 32
    status = 0
    try:
        with tessera_identity.PublicClientApplication(
            log=lambda level, line: print(level, line, file=sys.stderr), **configuration
        ) as application:
            answer = work(application, sys.argv[2], json.loads(sys.argv[3]))
    except tessera_identity.TesseraError as error:
        members = {"remedy": error.remedy, "code": error.code, "message": str(error)}
        status, answer = 1, {"error": members}
    print(json.dumps({"status": status, "answer": answer}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
