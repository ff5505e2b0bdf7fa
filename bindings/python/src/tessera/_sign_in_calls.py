# SPDX-License-Identifier: MIT
"""The calls of an application that sign a person in."""

from __future__ import annotations

from ._account_calls import AccountCalls
from ._arguments import mapping, several
from ._calls import made, opened
from ._results import DeviceCodePrompt, TokenResult
from ._silent import milliseconds
from ._stopping import prompted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from ._cancellation import Cancellation


class SignInCalls(AccountCalls):
    """The part of an application that signs a person in."""

    def acquire_token_by_device_code(
        self,
        scopes: Iterable[str],
        *,
        prompt: Callable[[DeviceCodePrompt], object],
        authority: str | None = None,
        claims: str | None = None,
        extra_token_parameters: Mapping[str, str] | None = None,
        extra_query_parameters: Mapping[str, str] | None = None,
        timeout: float | None = None,
        correlation_id: str | None = None,
        cancellation: Cancellation | None = None,
        explain: bool = False,
    ) -> TokenResult:
        """Sign a person in on another device: show a code, wait until the person has entered it (RFC 8628).

        Args:
            scopes: What the token is for, such as `["User.Read"]`.
            prompt: Shows the code. Called once, on the calling thread, while the library already waits; an
                exception that it raises stops the flow and comes out of this call.
            authority: Another authority than the application's.
            claims: The `claims` of the error that made this sign-in necessary.
            extra_token_parameters: Fields that are added to the body of token requests; they win over the
                configuration's.
            extra_query_parameters: Fields that are added to the query of the endpoints likewise.
            timeout: Seconds after which the call gives up with `Cancelled` (`deadline_exceeded`); without it
                the code's own lifetime ends the call.
            correlation_id: An id for the server's logs; otherwise a new one.
            cancellation: A way to stop the call from another thread.
            explain: Whether the result has an `explanation`: what took how long.

        Raises:
            SignInRequired: The code expired before it was entered (`code_expired`): start again.
            RetryLater: The network or the server failed.
            ConfigurationProblem: The server does not accept the application, or has no device code flow
                (`flow_unsupported`), which an application with `broker="require"` has not either.
            Cancelled: It was cancelled, the timeout passed, or the person declined (`access_denied`).
        """
        request = device_code_request(
            scopes, prompt, authority=authority, claims=claims,
            extra_token_parameters=extra_token_parameters,
            extra_query_parameters=extra_query_parameters, timeout=timeout,
            correlation_id=correlation_id, explain=explain,
        )  # fmt: skip
        return made(TokenResult, opened(*prompted(
            "acquire_token_by_device_code", self._open(), request, shows=DeviceCodePrompt,
            prompt=prompt, cancellation=cancellation,
        )))  # fmt: skip


def device_code_request(
    scopes: Iterable[str],
    prompt: object,
    *,
    authority: str | None,
    claims: str | None,
    extra_token_parameters: Mapping[str, str] | None,
    extra_query_parameters: Mapping[str, str] | None,
    timeout: float | None,
    correlation_id: str | None,
    explain: bool = False,
) -> dict[str, Any]:
    """The members of `DeviceCodeRequest`; nobody could enter a code that is not shown."""
    if not callable(prompt):
        raise TypeError("prompt must be a function that shows a DeviceCodePrompt")
    return {
        "scopes": several(scopes, "scopes"),
        "authority": authority,
        "claims": claims,
        "extra_token_parameters": mapping(extra_token_parameters),
        "extra_query_parameters": mapping(extra_query_parameters),
        "timeout_milliseconds": milliseconds(timeout),
        "correlation_id": correlation_id,
        "explain": True if explain else None,
    }
