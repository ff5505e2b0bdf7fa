# SPDX-License-Identifier: MIT
"""Calls that may wait, and the ways to end them: cancellations, Ctrl-C, exceptions of prompts, cancelled tasks."""

from __future__ import annotations

from ._callbacks import hand_over, keep
from ._calls import call, made
from ._cancellation import Cancellation
from ._interruptible_calls import cooperatively, interruptibly, shares_a_thread
from ._json_text import decoded, encoded
from ._native import PromptCallback, library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from ._call_group import Kind
    from ._handles import ApplicationHandle
    from ._values import Value

    Answer = tuple[int, bytes]
    Shown = TypeVar("Shown", bound=Value)


def stoppable(
    function: Callable[..., int],
    *arguments: Any,  # noqa: ANN401 - the arguments of the C function before its cancellation
    cancellation: Cancellation | None,
) -> Answer:
    """Makes a blocking call without a non-blocking form; its last argument is the cancellation."""
    stop = cancellation or Cancellation()
    return interruptibly(lambda: call(function, *arguments, stop._handle), stop.cancel)


def answer_of(
    kind: Kind, handle: ApplicationHandle, request: bytes, *, cancellation: Cancellation | None
) -> Answer:
    """Makes a call in its blocking or, if the threads are cooperative, in its non-blocking form."""
    if cancellation is None and shares_a_thread():
        return cooperatively(kind, handle, request)
    function = getattr(library(), f"tessera_{kind}")
    return stoppable(function, handle, request, cancellation=cancellation)


def prompted(
    kind: Kind,
    handle: ApplicationHandle,
    request: Mapping[str, Any],
    *,
    shows: type[Shown],
    prompt: Callable[[Shown], object] | None,
    cancellation: Cancellation | None,
) -> Answer:
    """Makes a call with a prompt, like `answer_of`; an exception of the prompt cancels the call and is raised."""
    if cancellation is None and shares_a_thread():
        return cooperatively(kind, handle, unblocked(request, prompt), teller(shows, prompt))
    stop = cancellation or Cancellation()

    def show(_context: int | None, text: bytes) -> None:
        try:
            shown = made(shows, decoded(text))
            hand_over(lambda: None if prompt is None else prompt(shown))
        except BaseException as error:
            keep(error)
            stop.cancel()

    callback = PromptCallback() if prompt is None else PromptCallback(show)
    function = getattr(library(), f"tessera_{kind}")
    return stoppable(function, handle, encoded(request), callback, None, cancellation=stop)


async def awaited(
    kind: Kind,
    handle: ApplicationHandle,
    request: bytes,
    tell: Callable[[bytes], object] | None = None,
) -> Answer:
    """Makes a call without blocking the event loop; cancelling the task cancels the call."""
    # Imported on demand, because it imports asyncio.
    from ._loop_calls import calls_of_this_loop

    return await calls_of_this_loop().answer(kind, handle, request, tell)


def teller(
    shows: type[Shown], prompt: Callable[[Shown], object] | None
) -> Callable[[bytes], object]:
    """Returns a function that parses a prompt document and passes it to the prompt, if there is one."""
    return lambda text: None if prompt is None else prompt(made(shows, decoded(text)))


def unblocked(request: Mapping[str, Any], prompt: object) -> bytes:
    """Returns the request of a non-blocking call, which receives the URL of the page even without a prompt."""
    return encoded({**request, "shows_address": None if prompt is not None else False})
