# SPDX-License-Identifier: MIT
"""The device code flow: the call that shows a code and waits until a person has entered it."""

from __future__ import annotations

from ._callbacks import hand_over, keep
from ._calls import call, made, opened
from ._cancellation import Cancellation
from ._json_text import decoded
from ._native import DeviceCodeCallback, library
from ._results import DeviceCodePrompt, TokenResult
from ._waiting import cooperatively, interruptibly, shares_a_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ._handles import ApplicationHandle


def acquire_by_device_code(
    handle: ApplicationHandle,
    request: bytes,
    prompt: Callable[[DeviceCodePrompt], object],
    cancellation: Cancellation | None,
) -> TokenResult:
    """Make the call; an exception of the prompt stops it and is raised."""
    if cancellation is None and shares_a_thread():
        return made(TokenResult, opened(*cooperatively(
            "acquire_token_by_device_code", handle, request,
            lambda text: prompt(made(DeviceCodePrompt, decoded(text))),
        )))  # fmt: skip
    stop = cancellation or Cancellation()

    def show(_context: int | None, text: bytes) -> None:
        try:
            shown = made(DeviceCodePrompt, decoded(text))
            hand_over(lambda: prompt(shown))
        except BaseException as error:
            keep(error)
            stop.cancel()

    callback = DeviceCodeCallback(show)
    function = library().tessera_acquire_token_by_device_code
    status, answer = interruptibly(
        lambda: call(function, handle, request, callback, None, stop._handle), stop.cancel
    )
    return made(TokenResult, opened(status, answer))
