# SPDX-License-Identifier: MIT
"""Errors: one class for each thing that the application should do, and the table from statuses to them."""

from __future__ import annotations

from ._accounts import Account

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ._results import TokenResult


class ErrorCause(Exception):
    """One link of the chain that led to an error, for a developer who looks for the fault. Never raised by itself.

    Attributes:
        domain: Whose number or name it is: `http`, `libcurl`, `sqlite`, `system` (errno), `key_source`, `broker`,
            `authenticator` or `tessera`.
        number: The number, such as a status or errno; None where there is a code.
        code: The code of an earlier error, or what is wrong with a source of keys; None where there is a number.
        message: What it means; it holds no secret.
    """

    domain: str
    number: int | None
    code: str | None
    message: str

    def __init__(self, details: Mapping[str, Any] | None = None) -> None:
        """A cause with the members of a cause in the JSON object `Error`."""
        details = dict(details or {})
        # Passed to Exception, so that the cause can be pickled and copied.
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
    """Why a call failed, and what to do about it. Catch a subclass to do it.

    Every program has to handle two situations, both of them `SignInRequired`: somebody has to sign in; and fewer
    scopes were granted than asked for (`code` is `server_declined_scopes`, `result` the token for what was).
    All else is optional: a program that shows the message and tries again later where `retryable` is true is
    complete.

    Attributes:
        remedy: The thing to do, such as `sign_in`; each subclass stands for one.
        code: The name of the situation, such as `interaction_required`; docs/errors.md lists them.
        message: What happened, for a developer. It holds no token, key or code.
        retryable: Whether the same call may succeed later without any change.
        retry_after: Seconds after which trying again makes sense, if the server said so (RFC 9110 10.2.3).
        oauth_error: `error`, as the server sent it (RFC 6749 5.2).
        suberror: `suberror`, as Entra ID sent it.
        server_codes: The AADSTS numbers, as Entra ID sent them.
        correlation_id: The id of the exchange, for the server's support.
        trace_id: The server's own id of the exchange, for its support.
        claims: The claims to pass on to an interactive request (OpenID Connect Core 5.5).
        granted_scopes: The scopes that were granted, when others were declined.
        declined_scopes: The scopes that were declined.
        result: The token for the scopes that were granted, when others were declined; it is stored as well.
        username: The name of the person whom the error is about, if the server said it.
        home_account_id: The account that the error is about, where a policy is for one person.
        app_link: Where the program is that the device needs; anybody can have made it, so show it first.
        token_protection_required: Whether the organization wants tokens that are bound to the device.
        authority: The authority that applies a policy of app protection.
        holder_process_id: The process that held the credential until the deadline, if the system told.
        accounts: The accounts that fit, when the request was ambiguous.
        causes: What led to it, the nearest first; `__cause__` is the first, whose `__cause__` is the second.
        msal_code: The number of MSALErrorDomain that MSAL for Apple reports in this situation.
        msal_internal_code: The number of MSALInternalErrorCodeKey that MSAL for Apple reports with it.
        details: The whole JSON object without `result`, with members that this version does not know.
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
    result: TokenResult | None
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
        """An error with a message and the other members of the JSON object `Error`."""
        details = dict(details or {})
        # Separate from the other members, which may be printed: it contains tokens.
        token = details.pop("result", None)
        # Both passed to Exception, so that the error can be pickled and copied.
        super().__init__(message, details)
        self.message = message
        self.details = details
        self.code = details.get("code") or "internal_error"
        self.retryable = bool(details.get("retryable"))
        self.token_protection_required = bool(details.get("token_protection_required"))
        for name in _PLAIN:
            setattr(self, name, details.get(name))
        for name in _LISTS:
            setattr(self, name, tuple(details.get(name) or ()))
        self.result = _result(token) if token else None
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


def _result(document: Mapping[str, Any]) -> TokenResult:
    # Imported here, because _results imports this module.
    from ._results import TokenResult

    return TokenResult(document)


_PLAIN = (
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


class SignInRequired(TesseraError):
    """Only the user can continue: start an interactive flow, passing on `claims`."""

    remedy = "sign_in"


class RetryLater(TesseraError):
    """The network, the server or the store is busy: try again after `retry_after` seconds."""

    remedy = "retry_later"


class InvalidRequest(TesseraError):
    """The call is wrong: change it as the message says."""

    remedy = "fix_request"


class ConfigurationProblem(TesseraError):
    """The configuration or the registration of the application has to change."""

    remedy = "fix_configuration"


class StorageProblem(TesseraError):
    """The token store has to be repaired, or another one chosen."""

    remedy = "fix_storage"


class Cancelled(TesseraError):
    """The user or the program said stop, or the timeout passed; there is nothing to do."""

    remedy = "cancelled"


class InternalProblem(TesseraError):
    """A bug of Tessera: tell its makers; the message says where it happened."""

    remedy = "report_bug"


BY_STATUS: dict[int, type[TesseraError]] = {
    1: SignInRequired,
    2: RetryLater,
    3: InvalidRequest,
    4: ConfigurationProblem,
    5: StorageProblem,
    6: Cancelled,
    7: InternalProblem,
}
"""The class for each status of the header except TESSERA_OK."""

_BY_REMEDY = {each.remedy: each for each in BY_STATUS.values()}


def error_for(status: int, document: Mapping[str, Any]) -> TesseraError:
    """The exception for a status and the error document that came with it.

    The header asks to treat an unknown status like TESSERA_REPORT_BUG.
    """
    return _made(BY_STATUS.get(status, InternalProblem), document.get("error") or {})


def error_inside(details: Mapping[str, Any]) -> TesseraError:
    """The exception for an error object inside of a result, where no status says its class."""
    return _made(_BY_REMEDY.get(details.get("remedy", ""), InternalProblem), details)


def _made(kind: type[TesseraError], details: Mapping[str, Any]) -> TesseraError:
    return kind(details.get("message") or "", details)
