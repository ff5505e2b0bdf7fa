# SPDX-License-Identifier: MIT
"""The arguments `prompt` and `prompt_callback` of sign-ins: their checks, and the default callback."""

from __future__ import annotations

import sys

from ._results import DeviceCodePrompt, SignInPrompt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    # The `prompt` parameter of OpenID Connect Core 3.1.2.1 and of "Initiating User Registration".
    PagePrompt = Literal["select_account", "login", "consent", "create", "none"]


def write_prompt(prompt: DeviceCodePrompt | SignInPrompt) -> None:
    """Writes the instructions of a sign-in to standard error: the default of `prompt_callback`.

    For a device code these are the URL and the code; for a sign-in page the URL, unless a browser is opened.
    """
    if sys.stderr is None:
        return
    for line in _instructions(prompt):
        # The text of a server must not control the terminal.
        sys.stderr.write("".join(each if each.isprintable() else " " for each in line) + "\n")
    sys.stderr.flush()


def _instructions(prompt: DeviceCodePrompt | SignInPrompt) -> list[str]:
    if isinstance(prompt, DeviceCodePrompt):
        default = f"To sign in, open {prompt.verification_uri} and enter the code {prompt.user_code}."
        return [prompt.message or default]
    lines = [prompt.problem] if prompt.problem else []
    if not prompt.opens_browser:
        lines += ["To sign in, open this URL in a browser:", prompt.url]
    return lines


def check_prompts(prompt: object, callback: object, *, kind: type[object] = SignInPrompt) -> None:
    """Raises TypeError if `prompt` is a function, or if `prompt_callback` is neither a function nor None."""
    if callable(prompt):
        raise TypeError(
            "prompt must be a prompt parameter of OpenID Connect, such as 'select_account'; "
            f"pass the function that shows a {kind.__name__} as prompt_callback"
        )
    if callback is None or callable(callback):
        return
    reason = f"prompt_callback must be a function that shows a {kind.__name__}"
    if isinstance(callback, str) and kind is SignInPrompt:
        reason += f"; to set the prompt parameter of the page, pass prompt={callback!r}"
    raise TypeError(reason)
