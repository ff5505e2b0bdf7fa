# SPDX-License-Identifier: MIT
"""Errors for names of MSAL Python and azure-identity, with the counterparts of these names in Tessera."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_CONFIDENTIAL = "use ConfidentialClientApplication"
_LATER = "managed identities and the on-behalf-of flow are not supported yet"
_AUTHORITY = 'pass authority= with the URL of the tenant, such as "https://login.microsoftonline.com/contoso.com"'
_PROMPT_CALLBACK = "pass the function that shows the code or the URL as prompt_callback="
_ACCOUNT = "pass account=application.get_account(username=...)"
_STORE = "the store is always used; group= and store_directory= select it"
_BROKER = 'pass broker="prefer"'
_REQUEST = {
    "claims_challenge": "pass claims=",
    "tenant_id": _AUTHORITY,
    "data": "pass extra_token_parameters=",
    "params": "pass extra_query_parameters=",
}
_SIGN_IN = {
    **_REQUEST,
    "port": "the port is part of redirect_uri= of the application",
    "username": "pass login_hint=",
    "max_age": 'pass extra_query_parameters={"max_age": "0"}',
    "on_before_launching_ui": _PROMPT_CALLBACK,
    "parent_window_handle": "Tessera needs no window",
    "success_template": "pass success_page=",
    "error_template": "pass failure_page=",
}
_CONFIGURATION = {
    "tenant_id": _AUTHORITY,
    "oidc_authority": 'pass authority= and authority_type="openid"',
    "client_credential": _CONFIDENTIAL,
    "token_cache": _STORE,
    "cache_persistence_options": _STORE,
    "validate_authority": "pass known_authorities=, or instance_discovery=False",
    "disable_instance_discovery": "pass instance_discovery=False",
    "verify": "pass ca_file=",
    "connection_verify": "pass ca_file=",
    "proxies": "pass proxy= and no_proxy=",
    "http_client": "pass proxy=, ca_file= and network_timeout_seconds=",
    "timeout": "pass network_timeout_seconds=, or timeout= to a call",
    "allow_broker": _BROKER,
    "enable_broker_on_linux": _BROKER,
    "enable_pii_log": "pass log_pii=",
    "login_hint": "pass it to a sign-in",
    "prompt_callback": "pass it to a sign-in",
}
_ARGUMENTS: dict[str, Mapping[str, str]] = {
    "PublicClientApplication": _CONFIGURATION,
    "acquire_token_silent": {**_REQUEST, "username": _ACCOUNT, "login_hint": _ACCOUNT},
    "acquire_token_interactive": _SIGN_IN,
    "acquire_token_by_device_code": {
        **_REQUEST, "prompt": _PROMPT_CALLBACK, "flow": "pass scopes; one call shows the code and waits",
    },
    "begin_sign_in": {**_SIGN_IN, "redirect_uri": "pass redirect_uri= to the application"},
}  # fmt: skip
"""The counterpart of each argument of another library, by the method of Tessera."""

_POSITIONAL = {
    "PublicClientApplication": "pass authority= and other arguments by name",
    "acquire_token_silent": "pass the account as account=",
    "acquire_token_by_device_code": _PROMPT_CALLBACK,
    "get_account": "pass username= or home_account_id=",
    "get_accounts": "pass username=",
}

_METHODS = {
    "acquire_token_silent_with_error": "acquire_token_silent raises an exception",
    "initiate_device_flow": "acquire_token_by_device_code shows the code and waits",
    "acquire_token_by_device_flow": "acquire_token_by_device_code shows the code and waits",
    "initiate_auth_code_flow": "begin_sign_in",
    "get_authorization_request_url": "begin_sign_in",
    "acquire_token_by_auth_code_flow": "complete_sign_in",
    "acquire_token_by_authorization_code": "complete_sign_in",
    "acquire_token_for_client": _CONFIDENTIAL,
    "acquire_token_on_behalf_of": _LATER,
    "acquire_token_by_username_password": "user names with passwords are not supported",
    "acquire_token_by_refresh_token": "migrate and copy_from import the sign-ins of other libraries",
    "token_cache": _STORE,
    "get_token": "tessera_identity.azure.TesseraCredential",
    "get_token_info": "tessera_identity.azure.TesseraCredential",
}
_METHODS.update({
    f"{name}_async": f"{name} of tessera_identity.aio.PublicClientApplication"
    for name in (
        "acquire_token_silent", "acquire_token_interactive", "acquire_token_by_device_code", "begin_sign_in",
        "complete_sign_in",
    )
})  # fmt: skip
_MODULE = {
    "ClientApplication": "PublicClientApplication",
    "ManagedIdentityClient": _LATER,
    "SerializableTokenCache": _STORE,
    "TokenCache": _STORE,
    "Prompt": 'prompt= is a string, such as "select_account"',
    "DefaultAzureCredential": "tessera_identity.azure.TesseraCredential",
    "InteractiveBrowserCredential": "tessera_identity.azure.TesseraCredential with interactive=",
    "DeviceCodeCredential": "tessera_identity.azure.TesseraCredential with device_code=",
}


def unsupported_arguments(
    method: str, positional: tuple[object, ...], named: Mapping[str, object]
) -> TypeError:
    """Returns the error for arguments that a method does not have."""
    if positional:
        counterpart: str | None = _POSITIONAL.get(method, "pass the other arguments by name")
        return TypeError(f"{method}() got too many positional arguments: {counterpart}")
    name = next(iter(named))
    counterpart = _ARGUMENTS.get(method, {}).get(name)
    reason = f"{method}() got an unexpected keyword argument {name!r}"
    return TypeError(f"{reason}: {counterpart}" if counterpart else reason)


def options_of(
    method: str, positional: tuple[object, ...], named: Mapping[str, object], *names: str
) -> dict[str, object]:
    """Returns the named arguments of a method; raises TypeError for positional ones, and for other names."""
    others = {name: value for name, value in named.items() if name not in names}
    if positional or others:
        raise unsupported_arguments(method, positional, others)
    return dict(named)


def trace_of(
    method: str, positional: tuple[object, ...], named: Mapping[str, object]
) -> dict[str, object]:
    """Returns the trace context of a call; raises TypeError for other arguments."""
    return options_of(method, positional, named, "traceparent", "tracestate")


def unsupported_method(kind: str, name: str) -> AttributeError:
    """Returns the error for a method that an application does not have."""
    return _missing(f"{kind!r} object has no attribute {name!r}", _METHODS.get(name))


def unsupported_name(name: str, *, module: str = "tessera_identity") -> AttributeError:
    """Returns the error for a name that a module does not have."""
    return _missing(f"module {module!r} has no attribute {name!r}", _MODULE.get(name))


def _missing(reason: str, counterpart: str | None) -> AttributeError:
    return AttributeError(f"{reason}: {counterpart}" if counterpart else reason)
