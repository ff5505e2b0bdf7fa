# SPDX-License-Identifier: MIT
"""Calls that may wait, and what ends them: a cancellation, Ctrl-C, what a prompt raises, the end of a task."""

from __future__ import annotations

from ._callbacks import hand_over, keep
from ._calls import call, made
from ._cancellation import Cancellation
from ._json_text import decoded, encoded
from ._native import PromptCallback, library
from ._waiting import cooperatively, interruptibly, shares_a_thread

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
    """Make a call that has no other form; its last argument is the cancellation."""
    stop = cancellation or Cancellation()
    return interruptibly(lambda: call(function, *arguments, stop._handle), stop.cancel)


def answer_of(
    kind: Kind, handle: ApplicationHandle, request: bytes, *, cancellation: Cancellation | None
) -> Answer:
    """Make a call that has a form which does not block: the one of both that the program's threads want."""
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
    """The same for a call that shows a person something; an exception of the prompt stops it and is raised."""
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
    """Make a call without blocking the event loop; cancelling the task cancels it."""
    # Programs without asyncio do not load it.
    from ._loop_calls import calls_of_this_loop

    return await calls_of_this_loop().answer(kind, handle, request, tell)


def teller(
    shows: type[Shown], prompt: Callable[[Shown], object] | None
) -> Callable[[bytes], object]:
    """What hands a document to a prompt, and drops it where there is none."""
    return lambda text: None if prompt is None else prompt(made(shows, decoded(text)))


def unblocked(request: Mapping[str, Any], prompt: object) -> bytes:
    """The request of a call that does not block, which hears of the address of a page with or without a prompt."""
    return encoded({**request, "shows_address": None if prompt is not None else False})
