# SPDX-License-Identifier: MIT
"""The functions that need no application."""

from __future__ import annotations

from ._calls import call_cancellable, call_json, create_value, parse_response
from ._json_text import encoded
from ._native import library
from ._reports import FoundCache, SSOExtensionAnswer, SSOExtensionOperation, TokenDescription
from ._requests import mapping, milliseconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ._calls import Cancellation


def describe_token(token: str) -> TokenDescription:
    """Parses a token without verifying it. No request is sent.

    Raises:
        InvalidRequestError: The text contains a NUL character or is longer than 1 MB.
    """
    # C would ignore the text after a NUL. A token cannot contain surrogates.
    text = token.encode("utf-8", "surrogatepass").replace(b"\0", b"\xff")
    return create_value(TokenDescription, call_json(library().tessera_token_describe, text))


def known_caches(*, timeout: float | None = None) -> list[FoundCache]:
    """Returns the possible locations of the token caches of Microsoft's tools, and their states.

    The function takes no lock, changes nothing, sends no request and shows no prompt. docs/interop.md lists the
    locations.

    Args:
        timeout: The total timeout in seconds; by default 3 seconds for a keyring that does not respond, and 1
            second for each file that is being written.

    Returns:
        All locations, whether a cache exists or not.

    Raises:
        StorageError: `store_unavailable`: the environment does not determine the user's directories.
        CancelledError: The call timed out (`deadline_exceeded`).
    """
    request = encoded({"timeout_milliseconds": milliseconds(timeout)})
    document = call_json(library().tessera_library_known_caches, request, None)
    return [create_value(FoundCache, each) for each in document["caches"]]


def hand_over_url(url: str, *, cancellation: Cancellation | None = None) -> None:
    """Delivers the redirect URL with which this program was opened to the waiting sign-in of the same user.

    A program that is registered for the scheme of a redirect URI calls this function, like `tessera handle-url`.
    The URL is delivered to the `acquire_token_interactive` call with the same `state`, in any process of this
    user. Other sign-ins remain pending. The call times out after 10 seconds.

    Args:
        url: The complete URL.
        cancellation: Cancels the call from another thread.

    Raises:
        RetryLaterError: The process has no free file descriptor (`too_many_open_files`).
        InvalidRequestError: No sign-in waits for the URL (`state_mismatch`). It was not redeemed: a sign-in that
            was begun with `begin_sign_in` can still be completed with it.
        CancelledError: The call was cancelled, or the waiting process did not respond (`deadline_exceeded`).
    """
    # C would ignore the text after a NUL.
    text = url.encode("utf-8", "surrogatepass").replace(b"\0", b"\xff")
    function = library().tessera_library_hand_over_url
    parse_response(*call_cancellable(function, text, cancellation=cancellation))


def sso_extension_request(
    operation: str,
    *,
    broker_key: str | None = None,
    without_broker_key: bool | None = None,
    **members: object,
) -> SSOExtensionOperation:
    """Creates a request to the extension. Nothing is sent.

    Args:
        operation: The name of the operation, such as `login` or `refresh`; docs/brokers.md lists all operations.
        broker_key: The application's key for its broker: 32 bytes in base64url.
        without_broker_key: True for a macOS application without a broker key.
        members: The other members of "SSOExtensionRequest" in docs/brokers.md, such as `authority` and `scopes`.

    Raises:
        InvalidRequestError: A required member is missing (`missing_parameter`) or invalid.
    """
    request = {
        "operation": operation,
        "broker_key": broker_key,
        "without_broker_key": without_broker_key,
        **members,
    }
    return create_value(
        SSOExtensionOperation, call_json(library().tessera_sso_extension_request, encoded(request))
    )


def sso_extension_response(headers: Mapping[str, str]) -> SSOExtensionAnswer:
    """Parses a response of the extension. Nothing is sent or stored.

    Args:
        headers: The `allHeaderFields` of the `authenticatedResponse`.

    Raises:
        SignInRequiredError: The response is invalid (`sso_extension_failed`), or contains an error of the server.
        ConfigurationError: The response contains an error of the server, such as `protection_policy_required`.
    """
    return create_value(SSOExtensionAnswer, _outcome({"headers": mapping(headers, "headers")}))


def sso_extension_error(
    domain: str,
    code: int,
    *,
    message: str | None = None,
    details: Mapping[str, str] | None = None,
    underlying: Mapping[str, object] | None = None,
) -> None:
    """Raises the error that corresponds to an `NSError` of the extension.

    Args:
        domain: The `domain` of the error.
        code: The `code` of the error.
        message: The `localizedDescription` of the error.
        details: The members of `userInfo` that are strings.
        underlying: The `NSUnderlyingErrorKey`, as a dictionary with `domain`, `code`, `message` and `details`.

    Raises:
        SignInRequiredError: `interaction_required`: send a `login` request. `sso_extension_failed`: sign in with a
            browser. Or an error of the server or the broker.
        ConfigurationError: `protection_policy_required`, or another error of the server.
        CancelledError: The user closed the page (`access_denied`).
    """
    error = {
        "domain": domain,
        "code": code,
        "message": message,
        "details": mapping(details, "details"),
        "underlying": None if underlying is None else dict(underlying),
    }
    _outcome({"error": {name: value for name, value in error.items() if value is not None}})


def _outcome(request: dict[str, Any]) -> dict[str, Any]:
    return call_json(library().tessera_sso_extension_response, encoded(request))
