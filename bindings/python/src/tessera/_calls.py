# SPDX-License-Identifier: MIT
"""One call of the library: from arguments to a JSON object or an exception."""

from __future__ import annotations

from ctypes import byref, c_char_p

from ._callbacks import raise_kept, raised
from ._errors import InternalProblem, error_for
from ._json_text import decoded
from ._native import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from ._values import Value

    Kind = TypeVar("Kind", bound=Value)


def call(function: Any, *arguments: Any) -> tuple[int, bytes]:  # noqa: ANN401 - the arguments of the C function
    """Call a function that writes a response, and return its status and a copy of the response.

    Raises:
        MemoryError: There is no response, which the header reserves for this.
        BaseException: What a callback of the program raised during the call.
    """
    response = c_char_p()
    try:
        status: int = function(*arguments, byref(response))
        answer = response.value
    finally:
        library().tessera_string_free(response)
    if raised:
        raise_kept()
    if answer is None:
        raise MemoryError("The Tessera library ran out of memory.")
    return status, answer


def opened(status: int, answer: bytes) -> dict[str, Any]:
    """The JSON object of a response; raises the TesseraError that the status says."""
    try:
        document = decoded(answer)
    except ValueError as error:
        raise _unexpected(f"The library's answer cannot be read: {error}.") from None
    if status != 0:
        raise error_for(status, document)
    return document


def ask(function: Callable[..., int], *arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - as for `call`
    """Call a function and open its response."""
    return opened(*call(function, *arguments))


def made(kind: type[Kind], document: Mapping[str, Any]) -> Kind:
    """A value of a kind from its JSON object."""
    try:
        return kind(document)
    except (KeyError, TypeError) as error:
        raise _unexpected(f"The library's answer is no {kind.__name__}: {error}.") from None


def _unexpected(message: str) -> InternalProblem:
    return InternalProblem(message, {"code": "internal_error"})
