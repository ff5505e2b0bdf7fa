# SPDX-License-Identifier: MIT
"""The shared library, and the declarations of its C interface (include/tessera.h) for ctypes.

The library is searched in an order that an attacker cannot influence:

1. `_lib/libtessera.so` inside this package: a wheel is self-contained. An attacker with write access to this file
   could also change the Python files next to it.
2. TESSERA_LIBRARY, an absolute path, for builds that are not installed. A relative path is rejected, because it
   would depend on the working directory. The Python options -E and -I ignore the variable.
3. `libtessera.so.1`, found by the dynamic linker, which does not search the working directory.

The first one that exists is used. If it cannot be loaded, the search does not continue.
"""

from __future__ import annotations

import os
import sys
from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_int32,
    c_int64,
    c_size_t,
    c_uint64,
    c_void_p,
)

from ._errors import ConfigurationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

ABI_VERSION = 1
"""TESSERA_ABI_VERSION of the header with the same declarations."""

SYSTEM_NAME = f"libtessera.so.{ABI_VERSION}"
"""The SONAME under which the library is installed on the system."""

VARIABLE = "TESSERA_LIBRARY"
"""The environment variable with the path of a library that is not installed."""


def open_library() -> CDLL:
    """Loads the library.

    Raises:
        ConfigurationError: `library_missing`, with the reason from the dynamic linker.
    """
    path = _packaged_path() or _environment_path() or SYSTEM_NAME
    try:
        # CDLL releases the interpreter lock during each call, so that other threads can run.
        return CDLL(path)
    except OSError as error:
        raise missing_library(
            f"The Tessera library cannot be loaded: {error}. Install it, or set {VARIABLE} to its "
            "absolute path."
        ) from error


def missing_library(message: str) -> ConfigurationError:
    """Returns the error for a library that is not installed or not compatible."""
    return ConfigurationError(message, {"code": "library_missing"})


def _packaged_path() -> str | None:
    # pathlib would add milliseconds to the start time.
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_lib", "libtessera.so")
    return path if os.path.exists(path) else None


def _environment_path() -> str | None:
    path = None if sys.flags.ignore_environment else os.environ.get(VARIABLE)
    if path and not os.path.isabs(path):
        raise missing_library(f"{VARIABLE} must be an absolute path, not {path!r}.")
    return path or None


LogCallback = CFUNCTYPE(None, c_void_p, c_int32, c_char_p)
"""tessera_log_callback: user_data, level, message."""

PromptCallback = CFUNCTYPE(None, c_void_p, c_char_p)
"""tessera_device_code_callback, tessera_sign_in_callback: context, prompt."""

ObserveCallback = CFUNCTYPE(None, c_void_p, c_char_p, c_int64, c_char_p)
"""tessera_observe_callback: user_data, name, value, tags."""

StoreKeyCallback = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_size_t)
"""tessera_store_key_callback: user_data, key, size."""

TransportCallback = CFUNCTYPE(None, c_void_p, c_char_p, c_void_p)
"""tessera_transport_callback: user_data, request, exchange."""


ClockCallback = CFUNCTYPE(None, c_void_p, POINTER(c_int64), POINTER(c_uint64))
"""tessera_clock_callback: user_data, seconds, nanoseconds."""


class Host(Structure):
    """tessera_host: the callbacks of the host application."""

    _fields_ = (
        ("size", c_size_t),
        ("user_data", c_void_p),
        ("log", LogCallback),
        ("store_key", StoreKeyCallback),
        ("transport", TransportCallback),
        ("browser", c_void_p),
        ("clock", ClockCallback),
        ("store", c_void_p),
        ("observe", ObserveCallback),
    )


class Event(Structure):
    """tessera_event: an event of a non-blocking call."""

    _fields_ = (
        ("size", c_size_t),
        ("call", c_int64),
        ("kind", c_int32),
        ("status", c_int32),
        ("user_data", c_void_p),
        ("response", c_char_p),
    )


_status = c_int32
_application = c_void_p
_cancellation = c_void_p
# A pointer to a char * that is freed with tessera_string_free. A c_char_p variable keeps the address, unlike a
# result type. Its `value` is a copy, and the variable can be passed to the free function.
_response = POINTER(c_char_p)
_calls = c_void_p
_call = POINTER(c_int64)

PROTOTYPES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "tessera_version": (c_char_p, ()),
    "tessera_version_number": (c_int32, ()),
    "tessera_abi_version": (c_int32, ()),
    "tessera_status_name": (c_char_p, (_status,)),
    "tessera_library_features": (_status, (_response,)),
    "tessera_document_get_string": (c_void_p, (c_char_p, c_char_p)),
    "tessera_document_get_integer": (c_int64, (c_char_p, c_char_p, c_int64)),
    "tessera_string_quote": (c_void_p, (c_char_p,)),
    "tessera_application_create": (
        _status,
        (c_char_p, POINTER(Host), POINTER(_application), _response),
    ),
    "tessera_application_free": (None, (_application,)),
    "tessera_application_metrics": (_status, (_application, _response)),
    "tessera_application_get_accounts": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_get_account": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_get_current_account": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_remove_account": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_sign_out": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_migrate": (
        _status,
        (_application, c_char_p, c_void_p, c_size_t, _cancellation, _response),
    ),
    "tessera_application_export_sign_ins": (
        _status,
        (_application, c_char_p, c_void_p, c_size_t, _cancellation, _response),
    ),
    "tessera_application_read_cache": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_write_cache": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_copy_sign_ins": (
        _status,
        (_application, _application, c_char_p, _cancellation, _response),
    ),
    "tessera_application_get_store_info": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_rotate_store_key": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_acquire_token_silent": (
        _status,
        (_application, c_char_p, _cancellation, _response),
    ),
    "tessera_application_get_access_token": (
        _status,
        (_application, c_char_p, c_char_p, c_int64, _cancellation, _response),
    ),
    "tessera_application_explain": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_acquire_token_interactive": (
        _status,
        (_application, c_char_p, PromptCallback, c_void_p, _cancellation, _response),
    ),
    "tessera_application_acquire_token_by_device_code": (
        _status,
        (_application, c_char_p, PromptCallback, c_void_p, _cancellation, _response),
    ),
    "tessera_application_begin_sign_in": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_complete_sign_in": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_library_hand_over_url": (_status, (c_char_p, _cancellation, _response)),
    "tessera_sso_extension_request": (_status, (c_char_p, _response)),
    "tessera_sso_extension_response": (_status, (c_char_p, _response)),
    "tessera_application_store_sso_extension_response": (
        _status,
        (_application, c_char_p, _cancellation, _response),
    ),
    "tessera_call_group_create": (_status, (POINTER(_calls), _response)),
    "tessera_call_group_descriptor": (c_int32, (_calls,)),
    "tessera_call_group_acquire_token_silent": (
        _status,
        (_calls, _application, c_char_p, c_void_p, _call, _response),
    ),
    "tessera_call_group_acquire_token_by_device_code": (
        _status,
        (_calls, _application, c_char_p, c_void_p, _call, _response),
    ),
    "tessera_call_group_acquire_token_interactive": (
        _status,
        (_calls, _application, c_char_p, c_void_p, _call, _response),
    ),
    "tessera_call_group_begin_sign_in": (
        _status,
        (_calls, _application, c_char_p, c_void_p, _call, _response),
    ),
    "tessera_call_group_complete_sign_in": (
        _status,
        (_calls, _application, c_char_p, c_void_p, _call, _response),
    ),
    "tessera_application_acquire_token_for_client": (
        _status,
        (_application, c_char_p, _cancellation, _response),
    ),
    "tessera_call_group_acquire_token_for_client": (
        _status,
        (_calls, _application, c_char_p, c_void_p, _call, _response),
    ),
    "tessera_call_group_next_event": (_status, (_calls, c_int64, POINTER(Event))),
    "tessera_call_group_cancel": (None, (_calls, c_int64)),
    "tessera_call_group_free": (None, (_calls,)),
    "tessera_application_get_broker_version": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_get_broker_accounts": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_get_broker_sso_cookie": (_status, (_application, c_char_p, _cancellation, _response)),
    "tessera_application_get_broker_signed_http_request": (
        _status,
        (_application, c_char_p, _cancellation, _response),
    ),
    "tessera_token_describe": (_status, (c_char_p, _response)),
    "tessera_library_known_caches": (_status, (c_char_p, _cancellation, _response)),
    "tessera_contents_set": (None, (c_void_p, c_void_p, c_size_t, c_uint64)),
    "tessera_exchange_respond": (None, (c_void_p, c_char_p)),
    "tessera_exchange_is_cancelled": (c_int32, (c_void_p,)),
    "tessera_browser_session_respond": (None, (c_void_p, c_char_p)),
    "tessera_browser_session_is_cancelled": (c_int32, (c_void_p,)),
    "tessera_cancellation_create": (c_void_p, ()),
    "tessera_cancellation_cancel": (None, (_cancellation,)),
    "tessera_cancellation_free": (None, (_cancellation,)),
    "tessera_string_free": (None, (c_char_p,)),
}
"""The result and argument types of each function of the header; a test compares them with the header."""

_library: CDLL | None = None


def library() -> CDLL:
    """Returns the library, which is loaded and checked at the first use.

    Raises:
        ConfigurationError: `library_missing`: the library is not installed, cannot be loaded, lacks a function
            or has a different ABI version.
    """
    global _library  # noqa: PLW0603 - one library per process, like a module
    if _library is None:
        _library = _declared(open_library())
    return _library


def _declared(found: CDLL) -> CDLL:
    # A library with another version can lack functions, so its version is checked first.
    abi = _function(found, "tessera_abi_version")()
    if abi != ABI_VERSION:
        raise missing_library(
            f"{found._name} has ABI version {abi}, but this package requires {ABI_VERSION}: "
            "install the library and the package of the same version."
        )
    for name in PROTOTYPES:
        _function(found, name)
    return found


def _function(found: CDLL, name: str) -> Callable[..., Any]:
    try:
        function = getattr(found, name)
    except AttributeError:
        raise missing_library(f"{found._name} has no function {name}.") from None
    function.restype, function.argtypes = PROTOTYPES[name]
    return function  # type: ignore[no-any-return]
