# SPDX-License-Identifier: MIT
"""The exceptions: one class for each remedy, and their mapping from statuses."""

from __future__ import annotations

from ._values import Account

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class ErrorCause(Exception):  # noqa: N818 - it is never raised
    """One link of the chain of causes of an error, for debugging. It is never raised itself.

    Attributes:
        domain: The origin of the number or code: `http`, `libcurl`, `sqlite`, `system` (errno), `key_source`,
            `broker`, `authenticator` or `tessera`.
        number: The number, such as an HTTP status or errno; None if there is a code.
        code: The code of an earlier error, or the problem of a key source; None if there is a number.
        message: A description without secrets.
    """

    domain: str
    number: int | None
    code: str | None
    message: str

    def __init__(self, details: Mapping[str, Any] | None = None) -> None:
        """Creates a cause from the members of a cause in the JSON object `Error`."""
        details = dict(details or {})
        # Exception must have all arguments, so that the cause can be pickled and copied.
        super().__init__(details)
        self.domain = details.get("domain") or ""
        self.number = details.get("number")
        self.code = details.get("code")
        self.message = details.get("message") or ""

    def __str__(self) -> str:
        name = self.code if self.number is None else self.number
        return f"{self.message} ({self.domain} {name})"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class TesseraError(Exception):
    """The base class of all errors. Each subclass represents one remedy.

    Every application must handle `SignInRequiredError`: the user must sign in. For all other errors it is
    sufficient to display the message, and to try again later if `retryable` is true. If the server granted fewer
    scopes than requested, no error is raised: `TokenResult.declined_scopes` contains the others.

    Attributes:
        remedy: The remedy, such as `sign_in`; each subclass has one.
        code: The error code, such as `interaction_required`; docs/errors.md lists all codes.
        message: A description for developers. It contains no tokens, keys or codes.
        retryable: Whether the same call may succeed later without any change.
        retry_after: The number of seconds to wait before a retry, if known (RFC 9110 10.2.3).
        oauth_error: The `error` of the server (RFC 6749 5.2).
        suberror: The `suberror` of Entra ID.
        server_codes: The AADSTS numbers of Entra ID.
        correlation_id: The correlation ID, for the server's support.
        trace_id: The server's trace ID, for its support.
        claims: The claims to pass to an interactive request (OpenID Connect Core 5.5).
        granted_scopes: The granted scopes, if others were declined (`server_declined_scopes`).
        declined_scopes: The declined scopes.
        username: The user name of the affected account, if the server returned it.
        home_account_id: The affected account, if a policy applies to one account.
        app_link: The URL of the application that the device needs. It is not verified: show it before opening it.
        token_protection_required: Whether the organization requires tokens that are bound to the device.
        authority: The authority with the app protection policy.
        holder_process_id: The process that held the credential lock until the deadline, if known.
        accounts: The matching accounts, if the request was ambiguous.
        causes: The chain of causes, most direct first. `__cause__` is the first one, its `__cause__` the second.
        msal_code: The corresponding number of MSALErrorDomain in MSAL for Apple.
        msal_internal_code: The corresponding number of MSALInternalErrorCodeKey in MSAL for Apple.
        details: The JSON object, including members unknown to this version.
    """

    remedy: str = "report_bug"
    code: str
    message: str
    retryable: bool
    retry_after: float | None
    oauth_error: str | None
    suberror: str | None
    server_codes: tuple[int, ...]
    correlation_id: str | None
    trace_id: str | None
    claims: str | None
    granted_scopes: tuple[str, ...]
    declined_scopes: tuple[str, ...]
    username: str | None
    home_account_id: str | None
    app_link: str | None
    token_protection_required: bool
    authority: str | None
    holder_process_id: int | None
    accounts: tuple[Account, ...]
    causes: tuple[ErrorCause, ...]
    msal_code: int | None
    msal_internal_code: int | None
    details: Mapping[str, Any]

    def __init__(self, message: str = "", details: Mapping[str, Any] | None = None) -> None:
        """Creates an error from a message and the other members of the JSON object `Error`."""
        details = dict(details or {})
        # Exception must have both arguments, so that the error can be pickled and copied.
        super().__init__(message, details)
        self.message = message
        self.details = details
        self.code = details.get("code") or "internal_error"
        self.retryable = bool(details.get("retryable"))
        self.token_protection_required = bool(details.get("token_protection_required"))
        for name in _SCALARS:
            setattr(self, name, details.get(name))
        for name in _LISTS:
            setattr(self, name, tuple(details.get(name) or ()))
        self.accounts = tuple(Account(each) for each in details.get("accounts") or ())
        self.causes = tuple(ErrorCause(each) for each in details.get("causes") or ())
        link: BaseException = self
        for cause in self.causes:
            link.__cause__ = cause
            link = cause

    def __str__(self) -> str:
        return f"{self.message} ({self.code})" if self.message else self.code

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.message!r}, code={self.code!r})"


_SCALARS = (
    "retry_after",
    "oauth_error",
    "suberror",
    "correlation_id",
    "trace_id",
    "claims",
    "username",
    "home_account_id",
    "app_link",
    "authority",
    "holder_process_id",
    "msal_code",
    "msal_internal_code",
)
_LISTS = ("server_codes", "granted_scopes", "declined_scopes")


class SignInRequiredError(TesseraError):
    """The user must sign in: start an interactive flow, and pass on `claims`."""

    remedy = "sign_in"


class RetryLaterError(TesseraError):
    """The network, the server or the store is unavailable: try again after `retry_after` seconds."""

    remedy = "retry_later"


class InvalidRequestError(TesseraError):
    """The arguments are invalid: correct them as the message describes."""

    remedy = "fix_request"


class ConfigurationError(TesseraError):
    """The configuration or the registration of the application must be corrected."""

    remedy = "fix_configuration"


class StorageError(TesseraError):
    """The token store cannot be used: repair it, or choose another one."""

    remedy = "fix_storage"


class CancelledError(TesseraError):
    """The user or the application cancelled the call, or it timed out."""

    remedy = "cancelled"


class InternalError(TesseraError):
    """An internal error: report it, including the message."""

    remedy = "report_bug"


BY_STATUS: dict[int, type[TesseraError]] = {
    1: SignInRequiredError,
    2: RetryLaterError,
    3: InvalidRequestError,
    4: ConfigurationError,
    5: StorageError,
    6: CancelledError,
    7: InternalError,
}
"""The class for each status of the header except TESSERA_STATUS_OK."""

ARGUMENTS = {
    "store.key_sources": "key_sources",
    "store.key": "store_key",
    "store.kind": "store",
    "store.group": "group",
    "store.directory": "store_directory",
    "store.policy": "storage_policy",
    "store.limit_megabytes": "store_limit_megabytes",
    "store.msal_cache": "msal_cache",
    "network.proxy": "proxy",
    "network.no_proxy": "no_proxy",
    "network.ca_file": "ca_file",
    "network.timeout_milliseconds": "network_timeout_seconds (in milliseconds)",
    "network.proactive_refresh_timeout_milliseconds": "proactive_refresh_timeout_milliseconds",
    "tokens.expiry_margin_seconds": "expiry_margin_seconds",
    "tokens.extended_lifetime": "extended_lifetime",
    "tokens.request_refresh_token": "request_refresh_token",
    "tokens.offline_access_prompt": "offline_access_prompt",
    "tokens.instance_discovery": "instance_discovery",
    "intune.enrollment_ids": "intune_enrollment_ids",
    "intune.mam_resource": "intune_mam_resource",
    "advanced.slice": "slice",
    "advanced.dc": "dc",
    "advanced.server_telemetry": "server_telemetry",
    "advanced.extra_token_parameters": "extra_token_parameters",
    "advanced.extra_query_parameters": "extra_query_parameters",
    "advanced.registered_schemes": "registered_schemes",
}
"""The argument of `PublicClientApplication` for each member that messages of the library may contain."""

_BY_REMEDY = {each.remedy: each for each in BY_STATUS.values()}


def error_for(status: int, document: Mapping[str, Any]) -> TesseraError:
    """Returns the exception for a status and its error document.

    The header requires that unknown statuses are treated like TESSERA_STATUS_REPORT_BUG.
    """
    return _create(BY_STATUS.get(status, InternalError), document.get("error") or {})


def nested_error(details: Mapping[str, Any]) -> TesseraError:
    """Returns the exception for an error object inside a result, where its remedy selects the class."""
    return _create(_BY_REMEDY.get(details.get("remedy", ""), InternalError), details)


def _create(kind: type[TesseraError], details: Mapping[str, Any]) -> TesseraError:
    message = details.get("message") or ""
    if any(map(message.count, ARGUMENTS)):
        message = _with_arguments(message)
    return kind(message, details)


def _with_arguments(message: str) -> str:
    # Importing re takes milliseconds.
    import re

    # A path or an address may contain such a name, too.
    members = "|".join(map(re.escape, ARGUMENTS))
    return re.sub(
        rf"(?<![\w./-])(?:{members})(?![\w-]|\.\w)", lambda found: ARGUMENTS[found[0]], message
    )
