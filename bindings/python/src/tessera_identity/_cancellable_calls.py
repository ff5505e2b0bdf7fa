# SPDX-License-Identifier: MIT
"""Calls that may wait, and the ways to end them: cancellations, Ctrl-C, exceptions of prompts, cancelled tasks."""

from __future__ import annotations

from ._callbacks import run_on_caller, store_exception
from ._calls import call, create_value
from ._cancellation import Cancellation
from ._interruptible_calls import call_cooperatively, run_interruptibly, uses_cooperative_threads
from ._json_text import decoded, encoded
from ._native import PromptCallback, library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from ._call_group import Kind
    from ._handles import ApplicationHandle
    from ._values import Value

    Response = tuple[int, bytes]
    Prompt = TypeVar("Prompt", bound=Value)


def call_cancellable(
    function: Callable[..., int],
    *arguments: Any,  # noqa: ANN401 - the arguments of the C function before its cancellation
    cancellation: Cancellation | None,
) -> Response:
    """Makes a blocking call without a non-blocking form; its last argument is the cancellation."""
    stop = cancellation or Cancellation()
    return run_interruptibly(lambda: call(function, *arguments, stop._handle), stop.cancel)


def call_blocking(
    kind: Kind, handle: ApplicationHandle, request: bytes, *, cancellation: Cancellation | None
) -> Response:
    """Makes a call and waits for its response, without blocking other cooperative threads."""
    if cancellation is None and uses_cooperative_threads():
        return call_cooperatively(kind, handle, request)
    function = getattr(library(), f"tessera_{kind}")
    return call_cancellable(function, handle, request, cancellation=cancellation)


def call_with_prompt(
    kind: Kind,
    handle: ApplicationHandle,
    request: Mapping[str, Any],
    *,
    prompt_type: type[Prompt],
    prompt: Callable[[Prompt], object] | None,
    cancellation: Cancellation | None,
) -> Response:
    """Makes a call with a prompt. An exception of the prompt cancels the call, which raises it."""
    if cancellation is None and uses_cooperative_threads():
        return call_cooperatively(
            kind, handle, nonblocking_request(request, prompt), prompt_handler(prompt_type, prompt)
        )
    stop = cancellation or Cancellation()

    def show(_context: int | None, text: bytes) -> None:
        try:
            value = create_value(prompt_type, decoded(text))
            run_on_caller(lambda: None if prompt is None else prompt(value))
        except BaseException as error:
            store_exception(error)
            stop.cancel()

    callback = PromptCallback() if prompt is None else PromptCallback(show)
    function = getattr(library(), f"tessera_{kind}")
    return call_cancellable(function, handle, encoded(request), callback, None, cancellation=stop)


async def call_async(
    kind: Kind,
    handle: ApplicationHandle,
    request: bytes,
    prompt: Callable[[bytes], object] | None = None,
) -> Response:
    """Makes a call without blocking the event loop; cancelling the task cancels the call."""
    # Imported on demand, because it imports asyncio.
    from ._loop_calls import running_loop_calls

    return await running_loop_calls().call(kind, handle, request, prompt)


def prompt_handler(
    prompt_type: type[Prompt], prompt: Callable[[Prompt], object] | None
) -> Callable[[bytes], object]:
    """Returns a function that parses a prompt document and passes it to the prompt, if there is one."""
    return lambda text: None if prompt is None else prompt(create_value(prompt_type, decoded(text)))


def nonblocking_request(request: Mapping[str, Any], prompt: object) -> bytes:
    """Returns the request of a non-blocking call, which receives the URL of the page even without a prompt."""
    return encoded({**request, "shows_address": None if prompt is not None else False})
