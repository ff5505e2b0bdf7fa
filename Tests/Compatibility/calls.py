# SPDX-License-Identifier: MIT
"""Calls the C interface in a separate process, with a library of this version or of 0.1.0.

usage: calls.py LIBRARY <WORK

WORK is {"configuration": {…}, "configuration_0_1": {…}, "calls": [[FUNCTION, REQUEST], …]}, with both forms of the
configuration. Prints a JSON array of [STATUS, DOCUMENT]. A request of null is passed as NULL.
"""

from __future__ import annotations

import json
import sys
from ctypes import CDLL, CFUNCTYPE, byref, c_char_p, c_int32, c_void_p
from typing import Any

PROMPT = CFUNCTYPE(None, c_void_p, c_char_p)
# The parameters between the request and the response, where they are not a cancellation only.
BETWEEN: dict[str, tuple[Any, ...]] = {
    "acquire_token_by_device_code": (PROMPT(lambda *_: None), None, None),
    "migrate": (None, 0, None),
    "export_sign_ins": (None, 0, None),
}
BETWEEN_0_1: dict[str, tuple[Any, ...]] = {
    "acquire_token_silent": (None,),
    "acquire_token_by_device_code": (PROMPT(lambda *_: None), None, None),
    "begin_sign_in": (None,),
    "complete_sign_in": (None,),
    "sign_out": (None,),
    "migrate": (None, 0),
    "export_sign_ins": (None, 0),
}
"""The same parameters in 0.1.0, where they are not empty."""
NAMES_0_1 = {
    "begin_sign_in": "sign_in_begin",
    "complete_sign_in": "sign_in_complete",
    "get_store_info": "store_info",
    "read_cache": "cache_read",
    "rotate_store_key": "store_rotate_key",
    "write_cache": "cache_write",
}
"""The functions that had another name in 0.1.0."""


def main() -> int:
    """Makes the calls."""
    work = json.load(sys.stdin)
    library = CDLL(sys.argv[1])
    response, application = c_char_p(), c_void_p()
    create = library.tessera_application_create
    configuration = work["configuration_0_1" if _is_0_1(library) else "configuration"]
    status = create(_text(configuration), None, byref(application), byref(response))
    results = []
    if status != 0:
        results.append([status, _taken(library, response)])
    for name, request in work["calls"] if status == 0 else ():
        function, between = _function(library, name)
        function.restype = c_int32
        status = function(application, _text(request), *between, byref(response))
        results.append([status, _taken(library, response)])
    library.tessera_application_free(application)
    print(json.dumps(results))
    return 0


def _is_0_1(library: CDLL) -> bool:
    return not hasattr(library, "tessera_application_acquire_token_silent")


def _function(library: CDLL, name: str) -> tuple[Any, tuple[Any, ...]]:
    if _is_0_1(library):
        return getattr(library, f"tessera_{NAMES_0_1.get(name, name)}"), BETWEEN_0_1.get(name, ())
    return getattr(library, f"tessera_application_{name}"), BETWEEN.get(name, (None,))


def _text(request: Any) -> bytes | None:
    return None if request is None else json.dumps(request).encode()


def _taken(library: CDLL, response: c_char_p) -> Any:
    document = json.loads(response.value or b"null")
    library.tessera_string_free(response)
    return document


if __name__ == "__main__":
    sys.exit(main())
