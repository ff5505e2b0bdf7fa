# SPDX-License-Identifier: MIT
"""Tessera: sign-in with one token cache that all applications of a user on a machine share.

    import tessera_identity

    with tessera_identity.PublicClientApplication("client-id", authority="https://…/tenant") as application:
        account = application.get_account(username="alice@contoso.com")
        token = application.acquire_token_silent(["User.Read"], account=account)

Each subclass of `TesseraError` represents one remedy, such as signing in or trying again later.
"""

from ._application import ConfidentialClientApplication, PublicClientApplication
from ._calls import Cancellation
from ._errors import (
    CancelledError,
    ConfigurationError,
    ErrorCause,
    InternalError,
    InvalidRequestError,
    RetryLaterError,
    SignInRequiredError,
    StorageError,
    TesseraError,
)
from ._requests import default_scope, write_prompt
from ._results import (
    BrokerVisit,
    DeviceCodePrompt,
    Explanation,
    SignInPrompt,
    SignInSession,
    TokenCandidate,
    TokenResult,
)
from ._unsupported import unsupported_name
from ._values import Account, CurrentAccount, TenantProfile
from ._version import __version__

__all__ = [
    "Account",
    "BrokerAccount",
    "BrokerCookie",
    "BrokerVisit",
    "Cancellation",
    "CancelledError",
    "ConfidentialClientApplication",
    "ConfigurationError",
    "CopiedAccount",
    "CopyReport",
    "CurrentAccount",
    "DeviceCodePrompt",
    "ErrorCause",
    "Explanation",
    "ExportedSignIns",
    "FoundCache",
    "InternalError",
    "InvalidRequestError",
    "KeyAttempt",
    "LeftoverToken",
    "MetricHistogram",
    "MetricValue",
    "MetricsSnapshot",
    "MigratedAccount",
    "MigrationReport",
    "PublicClientApplication",
    "RetryLaterError",
    "Revocation",
    "SSOExtensionAnswer",
    "SSOExtensionOperation",
    "SignInPrompt",
    "SignInRequiredError",
    "SignInSession",
    "SignOutReport",
    "StorageError",
    "StoreInfo",
    "TenantProfile",
    "TesseraError",
    "TokenCandidate",
    "TokenDescription",
    "TokenResult",
    "__version__",
    "default_scope",
    "describe_token",
    "hand_over_url",
    "known_caches",
    "sso_extension_error",
    "sso_extension_request",
    "sso_extension_response",
    "write_prompt",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._functions import (
        describe_token,
        hand_over_url,
        known_caches,
        sso_extension_error,
        sso_extension_request,
        sso_extension_response,
    )
    from ._reports import (
        BrokerAccount,
        BrokerCookie,
        CopiedAccount,
        CopyReport,
        ExportedSignIns,
        FoundCache,
        KeyAttempt,
        LeftoverToken,
        MetricHistogram,
        MetricsSnapshot,
        MetricValue,
        MigratedAccount,
        MigrationReport,
        Revocation,
        SignOutReport,
        SSOExtensionAnswer,
        SSOExtensionOperation,
        StoreInfo,
        TokenDescription,
    )
else:  # Type checkers would accept every name.

    def __getattr__(name: str) -> object:
        """Imports a rare name of the package at its first use.

        Raises AttributeError for others, with the counterpart of a name of MSAL or azure-identity.
        """
        if name not in __all__:
            raise unsupported_name(name)
        from . import _functions, _reports

        value = globals()[name] = getattr(_reports, name, None) or getattr(_functions, name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


# Tracebacks and pickles contain the public module of a class, which stays the same if the private one changes.
for _name in __all__:
    if isinstance(globals().get(_name), type):
        globals()[_name].__module__ = __name__
del _name
