# SPDX-License-Identifier: MIT
"""The fake library in Python: builds it, sets its responses, and reads its requests."""

from __future__ import annotations

import json
import subprocess
from ctypes import CDLL, c_char_p, c_int32, c_void_p, string_at
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
INCLUDE = HERE.parents[2] / "include"
HEADER = INCLUDE / "tessera.h"

CREATE, GET_ACCOUNTS, GET_ACCOUNT, REMOVE_ACCOUNT, SILENT, DEVICE_CODE, STORE_INFO = range(7)
ROTATE_KEY, EXPLAIN, SIGN_OUT, DESCRIBE, CURRENT, INTERACTIVE, METRICS = range(7, 14)

ACCOUNT: dict[str, Any] = {
    "home_account_id": "uid.utid",
    "environment": "login.microsoftonline.com",
    "username": "alice@contoso.com",
    "name": "Alice Ångström",
    "tenant_profiles": [{"tenant_id": "utid", "local_account_id": "uid", "is_home_tenant": True}],
}

TOKEN: dict[str, Any] = {
    "access_token": "very-secret",
    "token_type": "Bearer",
    "expires_on": 4102444800,
    "scopes": ["User.Read"],
    "id_token": "also-secret",
    "id_token_claims": {"name": "Alice Ångström"},
    "account": ACCOUNT,
    "tenant_id": "utid",
    "authority": "https://login.microsoftonline.com/utid",
    "source": "cache",
    "persisted": True,
}

PROMPT: dict[str, Any] = {
    "user_code": "ABCD-EFGH",
    "verification_uri": "https://microsoft.com/devicelogin",
    "message": "Gehe zu … und gib den Code ein.",
    "expires_on": 4102444800,
    "interval_seconds": 5,
}


def build(folder: Path, *options: str) -> Path:
    """Compiles the fake library."""
    path = folder / "libfake_tessera.so"
    command = ["cc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-shared"]
    command += ["-fPIC", "-pthread", f"-I{INCLUDE}", *options]
    command += [str(HERE / name) for name in ("fake_tessera.c", "fake_calls.c", "fake_others.c")]
    subprocess.run([*command, "-o", str(path)], check=True)
    return path


class Fake:
    """The control of the fake library. There is one library, so use one object at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._library = CDLL(str(path))
        self._library.fake_answer.argtypes = (c_int32, c_int32, c_char_p)
        self._library.fake_request.restype = c_char_p
        self._library.fake_prompt.argtypes = (c_char_p,)
        self._library.fake_log.argtypes = (c_char_p,)
        self._library.fake_key.restype = c_void_p
        self._library.fake_reset()

    def set_response(self, function: int, document: object, status: int = 0) -> None:
        """Sets the response of a function: a JSON document, bytes unmodified, or None for no memory."""
        if document is not None and not isinstance(document, bytes):
            # The library writes no spaces between members.
            document = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
        self._library.fake_answer(function, status, document)

    def set_error(self, function: int, status: int, **members: object) -> None:
        """Sets an error as the response of a function."""
        self.set_response(function, {"error": members}, status)

    def set_prompt(self, prompt: object) -> None:
        """Sets the device code of the flow."""
        self._library.fake_prompt(json.dumps(prompt, ensure_ascii=False).encode())

    @property
    def key(self) -> bytes:
        """Returns the store key of the program, or zeros for none."""
        return string_at(self._library.fake_key(), 32)

    def set_log_line(self, line: str) -> None:
        """Sets a log line of each call."""
        self._library.fake_log(line.encode())

    def block_calls(self) -> None:
        """Makes blocking calls wait until they are cancelled."""
        self._library.fake_wait(1)

    def release_calls(self) -> None:
        """Makes the waiting calls continue."""
        self._library.fake_wait(0)

    @property
    def waiting_calls(self) -> int:
        """Returns the number of waiting calls."""
        return int(self._library.fake_callers())

    @property
    def live_objects(self) -> int:
        """Returns the number of strings, applications and cancellations that were not freed."""
        return int(self._library.fake_alive())

    def request(self, function: int) -> Any:
        """Returns the decoded last request of a function."""
        text = self._library.fake_request(function)
        return None if text is None else json.loads(text)
