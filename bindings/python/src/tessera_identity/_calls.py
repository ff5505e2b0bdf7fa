# SPDX-License-Identifier: MIT
"""A single call of the library, with a JSON object or an exception as its result."""

from __future__ import annotations

from ctypes import byref, c_char_p

from ._callbacks import pending, raise_pending
from ._errors import InternalError, error_for
from ._json_text import decoded
from ._native import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeVar

    from ._values import Value

    Kind = TypeVar("Kind", bound=Value)


def call(function: Any, *arguments: Any) -> tuple[int, bytes]:  # noqa: ANN401 - the arguments of the C function
    """Calls a function that writes a response; returns its status and a copy of the response.

    Raises:
        MemoryError: The function wrote no response, which means that memory is exhausted.
        BaseException: The exception of a callback during the call.
    """
    buffer = c_char_p()
    try:
        status: int = function(*arguments, byref(buffer))
        response = buffer.value
    finally:
        library().tessera_string_free(buffer)
    if pending:
        raise_pending()
    if response is None:
        raise MemoryError("The Tessera library ran out of memory.")
    return status, response


def parse_response(status: int, response: bytes) -> dict[str, Any]:
    """Returns the JSON object of a response; raises the TesseraError of its status.

    A token with declined scopes is a result, although its status requires a sign-in.
    """
    try:
        document = decoded(response)
    except ValueError as error:
        raise _unexpected(f"The response of the library cannot be parsed: {error}.") from None
    if status != 0 and ("error" in document or "declined_scopes" not in document):
        raise error_for(status, document)
    return document


def call_json(function: Any, *arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - as for `call`
    """Calls a function and parses its response."""
    return parse_response(*call(function, *arguments))


def create_value(kind: type[Kind], document: Mapping[str, Any]) -> Kind:
    """Creates a value of a class from its JSON object."""
    try:
        return kind(document)
    except (KeyError, TypeError) as error:
        raise _unexpected(f"The response of the library is not a valid {kind.__name__}: {error}.") from None


def _unexpected(message: str) -> InternalError:
    return InternalError(message, {"code": "internal_error"})
