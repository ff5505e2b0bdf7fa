# SPDX-License-Identifier: MIT
"""The arguments of methods: their checks, their conversion, and requests to the library."""

from __future__ import annotations

import sys
from os import fspath

from ._json_text import encoded
from ._results import DeviceCodePrompt, SignInPrompt
from ._values import identifiers_of, username_without_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike
    from typing import Any, Literal, TypedDict, TypeVar

    from ._options import ClientTokenRequest
    from ._values import Account, Observe

    Text = TypeVar("Text", bound=str)
    # The `prompt` parameter of OpenID Connect Core 3.1.2.1 and of "Initiating User Registration".
    PagePrompt = Literal["select_account", "login", "consent", "create", "none"]
    # The home account ID, scopes, authority, claims, timeout and environment of a call, and the user name of an
    # account without a home account ID.
    Key = tuple[
        str | None, tuple[str, ...], str | None, str | None, float | None, str | None, str | None
    ]
    # The additional form fields and query parameters of a call, and its trace context.
    Extras = tuple[dict[str, str] | None, dict[str, str] | None, Mapping[str, object]]

    class TraceContext(TypedDict, total=False):
        """The optional arguments of a call in a trace (W3C Trace Context level 1)."""

        traceparent: str | None
        tracestate: str | None

    class CallIdentifiers(TraceContext, total=False):
        """The optional arguments by which the server's log and a trace identify a call."""

        correlation_id: str | None

    class ApplicationOptions(TypedDict, total=False):
        """The optional arguments of an application that few programs need."""

        observe: Observe | None


def several(values: Iterable[Text] | None, name: str) -> tuple[Text, ...] | None:
    """Returns the strings as a tuple; None for None."""
    return None if values is None else strings(values, name)


def strings(values: Iterable[Text], name: str) -> tuple[Text, ...]:
    """Returns the strings as a tuple; raises TypeError for a single string, which would be split."""
    if isinstance(values, str):
        raise TypeError(f"{name} must be a list or another iterable of strings, not one string")
    return tuple(values)


def path(path: str | PathLike[str] | None, name: str) -> str | None:
    """Returns a path as a string; None for None. Raises TypeError for bytes, such as the content of a file."""
    text: object = None if path is None else fspath(path)
    if text is None or isinstance(text, str):
        return text
    raise TypeError(f"{name} must be a path as str or os.PathLike[str], not {type(text).__name__}")


def mapping(values: Mapping[str, Any] | None, name: str) -> dict[str, Any] | None:
    """Returns a copy of a mapping; None for None. Raises TypeError for anything else."""
    try:
        return None if values is None else dict(values)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a dictionary, not {type(values).__name__}") from None


def json_text(value: str | None, name: str) -> str | None:
    """Returns JSON text unchanged; None for None. Raises TypeError for parsed JSON."""
    if value is None or isinstance(value, str):
        return value
    raise TypeError(f"{name} must be JSON text, not {type(value).__name__}: pass json.dumps({name})")


def filled(members: Mapping[str, object]) -> dict[str, object]:
    """Returns the members without nested objects that have no values."""
    return {
        name: value
        for name, value in members.items()
        if not isinstance(value, dict) or any(each is not None for each in value.values())
    }


def thousandfold(seconds: int | None, name: str) -> int | None:
    """Returns seconds in milliseconds; None for None. Raises TypeError for a value that is not an integer."""
    if seconds is None or isinstance(seconds, int):
        return None if seconds is None else seconds * 1000
    raise TypeError(f"{name} must be a whole number of seconds as int, not {seconds!r}")


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


def key_text(key: bytes | bytearray | Callable[[], bytes] | None) -> str | None:
    """Returns the member `store_key` for a key that is passed as bytes; None for a function."""
    if not isinstance(key, (bytes, bytearray)):
        return None
    # A separate library in most builds of Python.
    from binascii import b2a_base64

    return b2a_base64(key, newline=False).decode()


MAX_TIMEOUT = 1_000_000_000
"""The maximum timeout in seconds, more than 30 years."""


def silent_request(
    key: Key,
    *,
    force_refresh: bool,
    correlation_id: str | None = None,
    explain: bool = False,
    for_application: bool = False,
    extras: Extras | None = None,
) -> bytes:
    """Serializes the JSON object `SilentRequest` for a key and the options of one call."""
    home_account_id, scopes, authority, claims, timeout, environment, username = key
    fields, query, trace = extras or (None, None, {})
    members: dict[str, Any] = {
        "home_account_id": home_account_id,
        "username": username,
        "environment": environment,
        "for_application": True if for_application else None,
        "scopes": scopes,
        "authority": authority,
        "force_refresh": True if force_refresh else None,
        "claims": json_text(claims, "claims"),
        "extra_token_parameters": fields,
        "extra_query_parameters": query,
        "timeout_milliseconds": milliseconds(timeout),
        "correlation_id": correlation_id,
        "explain": True if explain else None,
        **trace,
    }
    return encoded(members)


def client_request(
    scopes: tuple[str, ...],
    tenant: str | None,
    *,
    timeout: float | None,
    claims: str | None = None,
    force_refresh: bool = False,
    token_sha256_to_refresh: str | None = None,
    identifiers: Mapping[str, object] | None = None,
) -> bytes:
    """Serializes the JSON object `ClientTokenRequest`."""
    members: ClientTokenRequest = {
        "scopes": list(scopes),
        "tenant": tenant,
        "claims": json_text(claims, "claims"),
        "force_refresh": True if force_refresh else None,
        "token_sha256_to_refresh": token_sha256_to_refresh,
        "timeout_milliseconds": milliseconds(timeout),
    }
    return encoded({**members, **(identifiers or {})})


def default_scope(resource: str) -> str:
    """Returns the scope for all permissions granted at a resource, which ADAL requested.

    A slash at the end of the resource is kept, because Entra requires the double slash.
    """
    return f"{resource}/.default"


def milliseconds(seconds: float | None) -> int | None:
    """Converts a timeout to milliseconds; None for None."""
    if seconds is None:
        return None
    if isinstance(seconds, (str, bytes)) or not 0 <= seconds < MAX_TIMEOUT:
        raise ValueError(f"a timeout must be a number of seconds from 0 to {MAX_TIMEOUT}")
    return round(seconds * 1000)


def timeout_member(seconds: float | None) -> dict[str, int | None]:
    """Returns the timeout member of a request."""
    return {"timeout_milliseconds": milliseconds(seconds)}


def account_query(
    *,
    home_account_id: str | None,
    username: str | None,
    local_account_id: str | None,
    environment: str | None,
    signed_in_only: bool,
    claims: bool,
    timeout: float | None,
) -> dict[str, object]:
    """Returns the request for matching accounts; default values are None, which selects the faster plain list."""
    return {
        "home_account_id": home_account_id,
        "username": username,
        "local_account_id": local_account_id,
        "environment": environment,
        "signed_in_only": None if signed_in_only else False,
        "claims": True if claims else None,
        **timeout_member(timeout),
    }


def device_code_request(
    scopes: Iterable[str],
    prompt_callback: object,
    *,
    authority: str | None,
    claims: str | None,
    extra_token_parameters: Mapping[str, str] | None,
    extra_query_parameters: Mapping[str, str] | None,
    timeout: float | None,
    correlation_id: str | None,
    explain: bool = False,
) -> dict[str, Any]:
    """Returns the members of `DeviceCodeRequest`; raises TypeError if `prompt_callback` is not a function."""
    check_prompts(None, False if prompt_callback is None else prompt_callback, kind=DeviceCodePrompt)
    return {
        "scopes": several(scopes, "scopes"),
        "authority": authority,
        "claims": json_text(claims, "claims"),
        "extra_token_parameters": mapping(extra_token_parameters, "extra_token_parameters"),
        "extra_query_parameters": mapping(extra_query_parameters, "extra_query_parameters"),
        "timeout_milliseconds": milliseconds(timeout),
        "correlation_id": correlation_id,
        "explain": True if explain else None,
    }


def page_request(
    scopes: Iterable[str],
    *,
    account: Account | str | None,
    accept_other_account: bool | None,
    extra_scopes_to_consent: Iterable[str] | None,
    authority: str | None,
    login_hint: str | None,
    domain_hint: str | None,
    ui_locales: str | None,
    prompt: str | None,
    claims: str | None,
    extra_query_parameters: Mapping[str, str] | None,
    extra_token_parameters: Mapping[str, str] | None,
    response_mode: str | None,
    timeout: float | None,
    correlation_id: str | None,
) -> dict[str, Any]:
    """Returns the common members of all requests for a sign-in on a page."""
    home, _ = identifiers_of(account)
    name = username_without_id(account)
    return {
        "scopes": several(scopes, "scopes"),
        "home_account_id": None if name else home,
        "accept_other_account": accept_other_account,
        "extra_scopes_to_consent": several(extra_scopes_to_consent, "extra_scopes_to_consent"),
        "authority": authority,
        "login_hint": login_hint or name,
        "domain_hint": domain_hint,
        "ui_locales": ui_locales,
        "prompt": prompt,
        "claims": json_text(claims, "claims"),
        "extra_query_parameters": mapping(extra_query_parameters, "extra_query_parameters"),
        "extra_token_parameters": mapping(extra_token_parameters, "extra_token_parameters"),
        "response_mode": response_mode,
        "timeout_milliseconds": milliseconds(timeout),
        "correlation_id": correlation_id,
    }


def browser_request(
    *,
    silent_first: bool | None,
    browser: str | None,
    webview_type: str | None,
    prefers_ephemeral_web_browser_session: bool | None,
    webview_program: str | None,
    success_page: str | None,
    failure_page: str | None,
    answer_descriptor: int | None,
) -> dict[str, Any]:
    """Returns the members of requests that open the page in a browser."""
    return {
        "silent_first": silent_first,
        "browser": browser,
        "webview_type": webview_type,
        "prefers_ephemeral_web_browser_session": prefers_ephemeral_web_browser_session,
        "webview_program": webview_program,
        "success_page": success_page,
        "failure_page": failure_page,
        "answer_descriptor": answer_descriptor,
    }


def begin_request(
    *,
    delivery: str | None,
    source_application: str | None,
    lifetime_seconds: int | None,
    authenticator: Mapping[str, object] | None,
) -> dict[str, Any]:
    """Returns the members of requests for a page that the application shows."""
    return {
        "delivery": delivery,
        "source_application": source_application,
        "lifetime_seconds": lifetime_seconds,
        "authenticator": None if authenticator is None else dict(authenticator),
    }


def completion(
    state: str,
    *,
    url: str | None,
    form: str | None,
    source_application: str | None,
    timeout: float | None,
) -> bytes:
    """Returns the request that completes a sign-in."""
    return encoded({
        "state": state, "url": url, "form": form, "source_application": source_application,
        "timeout_milliseconds": milliseconds(timeout),
    })  # fmt: skip
