# SPDX-License-Identifier: MIT
"""The device code method of an application."""

from __future__ import annotations

from ._account_calls import AccountCalls
from ._arguments import mapping, several
from ._calls import create_value, parse_response
from ._cancellable_calls import call_with_prompt
from ._results import DeviceCodePrompt, TokenResult
from ._silent import milliseconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from ._cancellation import Cancellation


class SignInCalls(AccountCalls):
    """The methods of an application that sign a user in on another device."""

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
        """Signs a user in on another device: shows a code and waits until the user has entered it (RFC 8628).

        Args:
            scopes: The requested scopes, such as `["User.Read"]`.
            prompt: The function that shows the code. It is called once, on the calling thread. On the main thread,
                the library polls in the meantime; on other threads, it polls after the function has returned. An
                exception of the function ends the call, which raises it.
            authority: The authority to use instead of the application's.
            claims: The `claims` value of the error that made this sign-in necessary.
            extra_token_parameters: Additional form fields for token requests. They override the fields configured
                for the application.
            extra_query_parameters: Additional query parameters for the endpoints, with the same precedence.
            timeout: The timeout in seconds; by default the lifetime of the code. The call then raises `Cancelled`
                (`deadline_exceeded`).
            correlation_id: The correlation ID sent to the server; by default a new one.
            cancellation: Cancels the call from another thread.
            explain: Whether to set `explanation` with timings in the result.

        Returns:
            The access token with its account, scopes and expiry time.

        Raises:
            SignInRequired: The code expired before the user entered it (`code_expired`): start again.
            RetryLater: The network or the server is unavailable.
            ConfigurationProblem: The server rejected the application or has no device code flow, or the
                application has `broker="require"` (`flow_unsupported`).
            Cancelled: The call was cancelled or timed out, or the user declined (`access_denied`).
        """
        request = device_code_request(
            scopes, prompt, authority=authority, claims=claims,
            extra_token_parameters=extra_token_parameters,
            extra_query_parameters=extra_query_parameters, timeout=timeout,
            correlation_id=correlation_id, explain=explain,
        )  # fmt: skip
        return create_value(TokenResult, parse_response(*call_with_prompt(
            "acquire_token_by_device_code", self._open(), request, prompt_type=DeviceCodePrompt,
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
    """Returns the members of `DeviceCodeRequest`; raises TypeError if `prompt` is not a function."""
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
