# SPDX-License-Identifier: MIT
"""Tessera: sign-in with one token cache that all applications of a user on a machine share.

    import tessera_identity

    with tessera_identity.PublicClientApplication("client-id", authority="https://…/tenant") as application:
        account = application.get_account(username="alice@contoso.com")
        token = application.acquire_token_silent(["User.Read"], account=account)

Each subclass of `TesseraError` stands for one remedy, such as signing in or trying again later.
"""

from ._accounts import Account, CurrentAccount, TenantProfile
from ._application import PublicClientApplication
from ._broker import BrokerAccount, BrokerCookie
from ._cancellation import Cancellation
from ._copy_report import CopiedAccount, CopyReport
from ._errors import (
    Cancelled,
    ConfigurationProblem,
    ErrorCause,
    InternalProblem,
    InvalidRequest,
    RetryLater,
    SignInRequired,
    StorageProblem,
    TesseraError,
)
from ._explain import BrokerVisit, Explanation, TokenCandidate
from ._known_caches import FoundCache, known_caches
from ._migration import ExportedSignIns, MigratedAccount, MigrationReport
from ._redirect_delivery import hand_over_url
from ._results import DeviceCodePrompt, SignInPrompt, TokenResult
from ._sign_in import BegunSignIn
from ._sign_out import LeftoverToken, Revocation, SignOutReport
from ._silent import default_scope
from ._sso_extension import (
    SSOExtensionAnswer,
    SSOExtensionOperation,
    sso_extension_error,
    sso_extension_request,
    sso_extension_response,
)
from ._store import KeyAttempt, StoreInfo
from ._token_description import TokenDescription, describe_token
from ._version import __version__

__all__ = [
    "Account",
    "BegunSignIn",
    "BrokerAccount",
    "BrokerCookie",
    "BrokerVisit",
    "Cancellation",
    "Cancelled",
    "ConfigurationProblem",
    "CopiedAccount",
    "CopyReport",
    "CurrentAccount",
    "DeviceCodePrompt",
    "ErrorCause",
    "Explanation",
    "ExportedSignIns",
    "FoundCache",
    "InternalProblem",
    "InvalidRequest",
    "KeyAttempt",
    "LeftoverToken",
    "MigratedAccount",
    "MigrationReport",
    "PublicClientApplication",
    "RetryLater",
    "Revocation",
    "SSOExtensionAnswer",
    "SSOExtensionOperation",
    "SignInPrompt",
    "SignInRequired",
    "SignOutReport",
    "StorageProblem",
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
]

# Tracebacks and pickles contain the public module of a class, which stays the same if the private one changes.
for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
del _name
