# SPDX-License-Identifier: MIT
"""Errors for arguments that do not exist here, with the name of the argument that does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_OF_METHODS = {
    "acquire_token_by_device_code": {
        "prompt": "pass the function that shows the code as prompt_callback=",
    },
}
"""The counterpart of each argument of another library, by the method here."""


def unsupported_arguments(method: str, named: Mapping[str, object]) -> TypeError:
    """Returns the error for arguments that a method does not have."""
    name = next(iter(named))
    reason = f"{method}() got an unexpected keyword argument {name!r}"
    counterpart = _OF_METHODS.get(method, {}).get(name)
    return TypeError(f"{reason}: {counterpart}" if counterpart else reason)
