# SPDX-License-Identifier: MIT
"""The types of configurations and requests.

Generated from docs/documents.toml by scripts/check-documents --write.
"""

from __future__ import annotations

from typing import Literal, TypedDict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Configuration(TypedDict, total=False):
    """The configuration of an application."""

    client_id: str | None
    """The client ID that the provider assigned to the application."""

    redirect_uri: str | None
    """The redirect URI for sign-ins in a browser, as registered with the provider; see interactive.md (default:
    `msauth.[bundle_id]://auth`; without `bundle_id`, `http://localhost`).
    """

    bundle_id: str | None
    """The identifier of the application, such as `com.example.mail`. The default redirect URI is derived from
    it.
    """

    authority: str | None
    """The default authority: the URL of a tenant, or an issuer exactly as its discovery document states it. It
    must use https; http is accepted for this machine only (default:
    `https://login.microsoftonline.com/common`).
    """

    cloud: Literal["public", "china", "germany", "us_government", "france", "delos", "gov_sg"] | None
    """Instead of `authority`: the cloud of an Entra authority (default: `public`)."""

    audience: Literal[
        "AzureADandPersonalMicrosoftAccount", "AzureADMultipleOrgs", "AzureADMyOrg",
        "PersonalMicrosoftAccount",
    ] | None
    """Instead of `authority`: the supported account types, as in the registration (default: `AzureADMyOrg` with
    a `tenant`, otherwise `AzureADandPersonalMicrosoftAccount`).
    """

    tenant: str | None
    """Instead of `authority`, only for `AzureADMyOrg`: the tenant ID or a domain of the tenant."""

    authority_type: Literal["entra", "b2c", "ciam", "adfs", "openid"] | None
    """The kind of the authority: an Entra tenant, a B2C policy, an external tenant, ADFS, or any other OpenID
    Connect provider (default: derived from the URL, see authorities.md).
    """

    multiple_clouds: bool | None
    """Entra only: allows sign-ins of users from other Microsoft clouds, each in their own cloud; see
    authorities.md (default: `false`).
    """

    known_authorities: Sequence[str] | None
    """Authorities that the application trusts, so that no instance discovery is needed for their hosts. Other
    applications with the same store are not affected. The authority of a request on such a host has the same
    kind, unless its URL indicates another one.
    """

    client_capabilities: Sequence[str] | None
    """The client capabilities to announce, such as `CP1`: the application handles claims challenges. Tokens
    with different capabilities are cached separately, even for the same `client_id`.
    """

    credential: ClientCredential | None
    """The credential of a confidential client; see services.md (default: none: a public client)."""

    authentication_method: Literal["client_secret_post", "client_secret_basic", "private_key_jwt"] | None
    """The method of client authentication; only with `credential` (default: with a secret, `client_secret_post`
    at Microsoft's authorities; elsewhere `client_secret_basic`, unless the discovery document lists only
    `client_secret_post`).
    """

    assertion_audience: Literal["token_endpoint", "issuer"] | None
    """The audience of the assertions that the application signs (default: `token_endpoint` at Microsoft's
    authorities, `issuer` elsewhere).
    """

    broker: Literal["never", "prefer", "require"] | None
    """Whether the identity broker of this machine is used for tokens and sign-ins. `require` rejects device
    codes and pages that the application shows; see brokers.md (default: `never`).
    """

    log_level: int | None
    """The most detailed level that `host->log` receives: 1 error, 2 warning, 3 information, 4 detail (default:
    3).
    """

    log_pii: bool | None
    """Whether log messages may contain personal data. Otherwise user names are masked
    (`auth.placeholder-1a2b3c4d__contoso.com`; the domain remains), paths are reduced to their last component,
    that of a `store.msal_cache` to a hash, and errors to their code (default: `false`).
    """

    store: StoreOptions | None
    """The token store."""

    network: NetworkOptions | None
    """Proxies, certificates and timeouts."""

    tokens: TokenOptions | None
    """The use and the refresh of tokens."""

    intune: IntuneOptions | None
    """The state of Intune app protection, as the Intune SDK provides it; see brokers.md."""

    user_messages: UserMessages | None
    """Texts for users that replace those of the library, by code."""

    advanced: AdvancedOptions | None
    """Options that few applications need."""


class ClientCredential(TypedDict, total=False):
    """The credential of a confidential client."""

    secret: str | None
    """A client secret."""

    secret_file: str | None
    """The path of a file with a client secret. It is read for each request."""

    certificate_pem: str | None
    """The certificate of the application in PEM, then those of its issuers. The private key may be in the same
    text.
    """

    certificate_file: str | None
    """The path of such a file. A replaced file is used for the next request."""

    key_pem: str | None
    """The private key of the certificate in PEM."""

    key_file: str | None
    """The path of such a file."""

    pfx_file: str | None
    """The path of a PKCS #12 file with the certificate and its private key."""

    passphrase: str | None
    """The passphrase of the private key, or of the PKCS #12 file."""

    send_chain: bool | None
    """Whether assertions contain the certificates (`x5c`), for a registration that trusts a subject and an
    issuer (default: `false`).
    """

    assertion: str | None
    """An assertion of another issuer. It expires, so a file is better."""

    assertion_file: str | None
    """The path of a file with an assertion, such as the token of a Kubernetes service account. It is read for
    each request.
    """


class StoreOptions(TypedDict, total=False):
    """The options of the token store."""

    kind: Literal["sqlite", "msal_file", "memory", "host"] | None
    """The kind of the store: shared with other applications that use Tessera, shared with all MSAL libraries,
    in memory until the application object is freed, or the store of a host application, which only C programs
    can pass (default: `sqlite`; `msal_file` with `msal_cache`; `host` with `host->store`).
    """

    group: str | None
    """The name of the store. Applications of the same user with the same group share one store. It has 1 to 64
    letters, digits, `.`, `_` and `-`. It must not start with `.` or contain `.damaged-`, which marks
    quarantined databases. With `host`, it is the name of the partition (default: `default`).
    """

    directory: str | None
    """The absolute path of the store's directory. It is created when a record is first stored (default:
    `$XDG_DATA_HOME/tessera`, or else `$HOME/.local/share/tessera`).
    """

    policy: Literal["require_encrypted", "prefer_encrypted", "allow_plaintext", "memory_only"] | None
    """The required protection of the store; see protection.md (default: `prefer_encrypted`)."""

    key_sources: Sequence[Literal["caller", "secret_service", "kernel_keyring", "key_file"]] | None
    """The locations to try for the key of a new store, in order; `caller` only with `key`. With `key`: the
    locations whose stores are trusted in addition; none if the member is absent (default: `["secret_service",
    "key_file"]`).
    """

    key: str | None
    """The key of the store, if the application manages it. The callback `host->store_key` provides it without a
    copy as text in memory.
    """

    limit_megabytes: int | None
    """The store size in MiB (2^20 bytes) at which access tokens are evicted, starting with those that expire
    first. Refresh tokens are never evicted (default: no limit).
    """

    msal_cache: str | None
    """The cache of MSAL for Python, .NET, Go, Java or Node to use as the store: `azure_cli`, `azure_identity`,
    `azure_identity_cae`, `azure_powershell`, `azure_powershell_cae`, or an absolute path; see store.md.
    `group`, `directory` and the key options do not apply to it. A cache file is unencrypted, so
    `require_encrypted` rejects it; a cache that its owner keeps in the keyring is accepted.
    """


class NetworkOptions(TypedDict, total=False):
    """The options of the network."""

    proxy: str | None
    """The proxy, such as `http://proxy.example:8080`; empty for none. Addresses of this machine are never
    reached through a proxy (default: `https_proxy`, `http_proxy`, `all_proxy` of the environment).
    """

    no_proxy: str | None
    """The hosts to reach without the proxy, separated by commas (default: `no_proxy` of the environment)."""

    ca_file: str | None
    """A file of CA certificates (PEM) to trust instead (default: `CURL_CA_BUNDLE`, or else `SSL_CERT_FILE`, and
    `SSL_CERT_DIR`, of the environment; or else the system's certificates).
    """

    timeout_milliseconds: int | None
    """The timeout of one exchange with a server. Connecting may use at most 10 seconds of it (default:
    30000).
    """

    proactive_refresh_timeout_milliseconds: int | None
    """The timeout for refreshing a token that is still valid but whose `refresh_on` has passed (default:
    5000).
    """


class TokenOptions(TypedDict, total=False):
    """The options of tokens."""

    expiry_margin_seconds: int | None
    """The remaining lifetime below which a cached token is no longer used; at most half of the token's lifetime
    (default: 300).
    """

    extended_lifetime: bool | None
    """Whether an expired token may be returned until `extended_expires_on` while the server is down (default:
    `false`).
    """

    request_refresh_token: bool | None
    """Whether sign-ins request a refresh token (scope `offline_access`). With `false`, refreshes do not request
    it either. If a requested refresh token is missing, the result has a warning (default: `true`; `false` for
    the `prompt` `none` at providers other than Microsoft's).
    """

    offline_access_prompt: Literal["consent"] | None
    """`consent` sends `prompt=consent` with the request for a refresh token, as OpenID Connect Core section 11
    requires. The user is then asked for consent at each sign-in. Microsoft's authorities, and the `prompt`
    `none`, are not affected.
    """

    instance_discovery: bool | None
    """Whether Microsoft's instance discovery validates Entra hosts that are not built in (default: `true`)."""


class IntuneOptions(TypedDict, total=False):
    """The state of Intune app protection."""

    enrollment_ids: Mapping[str, object] | None
    """The enrollments of users in Intune app protection, as the Intune SDK provides them: `{"enrollment_ids":
    [{…}]}`; see brokers.md.
    """

    mam_resource: Mapping[str, str] | None
    """The resource of the Intune service, by cloud host. With it, access tokens are cached per `bundle_id`, and
    used only for the enrollment that they were issued for.
    """


class AdvancedOptions(TypedDict, total=False):
    """Options that few applications need."""

    slice: str | None
    """The query parameter `slice`, which selects a slice of the service, for tests of the service."""

    dc: str | None
    """The query parameter `dc`, which selects a data center, for tests of the service."""

    server_telemetry: bool | None
    """Whether token requests report earlier calls to Entra, as other MSAL libraries do; see telemetry (default:
    `false`).
    """

    extra_token_parameters: Mapping[str, str] | None
    """Parameters to add to the body of every token request. Parameters that the library sends are rejected, and
    so is `client_secret`, because public clients have none. A parameter with a blank value is sent as its name
    only.
    """

    extra_query_parameters: Mapping[str, str] | None
    """Parameters to add to the query of the authorization, device authorization and token endpoints. They
    replace parameters that the endpoint's URL already has.
    """

    registered_schemes: Sequence[str] | None
    """The URI schemes that are registered for the application. A redirect URI with another scheme is rejected,
    without a query to the desktop (default: unknown).
    """


class UserMessages(TypedDict, total=False):
    """The texts that the library shows to users."""

    page_language: str | None
    """The language of the pages: a language tag (BCP 47), such as `de-AT` (default: en)."""

    signed_in_title: str | None
    """The title of the page after a successful sign-in (default: You have signed in)."""

    signed_in_text: str | None
    """The text of that page (default: You can close this page and return to the application.)."""

    sign_in_failed_title: str | None
    """The title of the page after a failed sign-in (default: Sign-in failed)."""

    sign_in_failed_reason: str | None
    """The sentence before the error description of the provider (default: The provider reported:)."""

    sign_in_failed_text: str | None
    """The sentence after it (default: You can close this page. The application shows what to do next.)."""

    other_sign_in_title: str | None
    """The title of the page for a response to another sign-in (default: This response does not belong to the
    pending sign-in).
    """

    other_sign_in_text: str | None
    """The text of that page (default: An application waits here for a sign-in, but this response belongs to a
    different one. The application continues to wait.).
    """

    page_not_found_title: str | None
    """The title of the page at another address than the redirect URI (default: Page not found)."""

    page_not_found_text: str | None
    """The text of that page (default: An application waits for a sign-in, but at another address.)."""

    invalid_request_title: str | None
    """The title of the page for a request that a browser would not send (default: Invalid request)."""

    invalid_request_text: str | None
    """The text of that page (default: Browsers do not send requests of this form.)."""

    return_to_sign_in: str | None
    """The last sentence of these three pages (default: Return to the sign-in page, or start the sign-in again
    in the application.).
    """

    device_code: str | None
    """`message` of a device code prompt. It must contain both placeholders. The default is used only if the
    server sends no text (default: To sign in, open {verification_uri} and enter the code {user_code}.).
    """

    wrong_url_pasted: str | None
    """`problem` of a sign-in prompt, after another URL than the redirect was pasted (default: The pasted URL
    does not belong to this sign-in.).
    """


class AccountsRequest(TypedDict, total=False):
    """A request for accounts."""

    home_account_id: str | None
    """The account with this ID. Entra IDs are compared without regard to case, IDs of other providers exactly,
    like subjects (default: any account).
    """

    username: str | None
    """The accounts with this user name in any tenant, without regard to case. User names change and are reused,
    so several accounts may have the same one (default: any account).
    """

    local_account_id: str | None
    """The account with this ID in one of its tenants (default: any account)."""

    environment: str | None
    """The `environment` of the account, or another host of the same cloud (default: any host)."""

    signed_in_only: bool | None
    """`false` also returns accounts that signed out of this application, and accounts of other applications
    (default: `true`).
    """

    claims: bool | None
    """`true` adds the `claims` of this application's ID tokens, which takes longer (default: `false`)."""

    timeout_milliseconds: int | None
    """The maximum time to wait for a store that another process has locked; after that, the error is
    `store_busy` (default: 10 seconds for each access to the store).
    """


class RemoveAccountRequest(TypedDict, total=False):
    """A request to remove an account."""

    home_account_id: str | None
    """The account to remove."""

    username: str | None
    """The account to remove, if it has no ID yet (default: if `home_account_id` is empty)."""

    environment: str | None
    """The `environment` of the account (default: only if several providers use this `home_account_id`)."""

    timeout_milliseconds: int | None
    """The maximum time to wait for the store; after `store_busy` nothing is removed (default: as in
    AccountsRequest, for the whole call).
    """


class SignOutRequest(TypedDict, total=False):
    """A request to sign out."""

    home_account_id: str | None
    """The account to sign out."""

    username: str | None
    """The account to sign out, if it has no ID yet (default: if `home_account_id` is empty)."""

    environment: str | None
    """The `environment` of the account (default: only if several providers use this `home_account_id`)."""

    scope: Literal["application", "every_application", "machine"] | None
    """The extent: this client ID; every client ID that shares the store; or all accounts of all applications.
    `machine` empties the store of the group and deletes its quarantined databases (default: `application`).
    """

    revoke_tokens: bool | None
    """Whether to revoke the refresh tokens at the provider (RFC 7009). Entra does not support it. If another
    provider's OpenID document has no revocation endpoint, its RFC 8414 metadata (`/.well-known/oauth-
    authorization-server`) is read (default: `false`).
    """

    end_session: bool | None
    """Whether to return the URL that ends the browser session (default: `false`)."""

    post_logout_redirect_uri: str | None
    """The URL to which the browser is redirected after that. It must be registered with the provider."""

    from_broker: bool | None
    """Whether the identity broker of this machine removes the account of this application as well; for
    `machine`, all its accounts. See brokers.md (default: `false`).
    """

    authority: str | None
    """The provider that receives the requests (default: the application's)."""

    timeout_milliseconds: int | None
    """The deadline of the call (default: as in SilentRequest)."""

    correlation_id: str | None
    """An ID for the server's log (default: a new UUID)."""

    traceparent: str | None
    """The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged."""

    tracestate: str | None
    """The `tracestate` of the trace, only with `traceparent`."""


class RotateKeyRequest(TypedDict, total=False):
    """A request to replace the key of the store."""

    new_store_key: str | None
    """The new key. It is rejected as `invalid_member` if the configuration has no `store.key`, or if it equals
    the old key. Without it, a store that was not encrypted with `store.key` is re-encrypted with it (default:
    if the application manages the present key of the store).
    """

    timeout_milliseconds: int | None
    """The maximum time to wait for the store; after an error nothing is changed (default: as in
    AccountsRequest, for the whole call).
    """


class MigrationRequest(TypedDict, total=False):
    """A request to import an older cache."""

    path: str | None
    """The cache file of an older library; a regular file of at most 256 MB."""

    place: Literal["azure_cli"] | None
    """Instead of `path`, a known location: `accessTokens.json` of the Azure CLI before 2.30, at
    `AZURE_ACCESS_TOKEN_FILE`, or else in `AZURE_CONFIG_DIR` or `~/.azure`.
    """

    format: Literal[
        "adal_apple_item", "adal_macos", "apple_keychain", "msal_macos", "adal_dotnet", "msal_dotnet",
        "adal_python", "azure_cli", "adal_node",
    ] | None
    """The format of the cache; see coming-from-adal.md (default: detected)."""

    dry_run: bool | None
    """Whether only to report, without storing anything (default: `false`)."""

    timeout_milliseconds: int | None
    """The timeout of the whole call (default: as in AccountsRequest)."""


class ExportRequest(TypedDict, total=False):
    """A request to export sign-ins to an older cache."""

    format: Literal["apple_keychain", "adal_macos"] | None
    """The format that the older library reads."""

    home_account_id: str | None
    """The account (default: all accounts)."""

    timeout_milliseconds: int | None
    """The timeout of the whole call (default: as in AccountsRequest)."""


class CacheWriteRequest(TypedDict, total=False):
    """The changes of a cache document."""

    before: str | None
    """The original document; empty for none."""

    after: str | None
    """The changed document. Entries that are the same in both documents may be omitted from both."""

    timeout_milliseconds: int | None
    """The maximum time to wait for the store (default: as in AccountsRequest)."""


class CopyRequest(TypedDict, total=False):
    """A request to copy sign-ins from another store."""

    home_account_id: str | None
    """The only account to copy (default: all accounts, and records without an account)."""

    dry_run: bool | None
    """Whether only to report, without storing anything (default: `false`)."""

    timeout_milliseconds: int | None
    """The timeout of the whole call (default: as in AccountsRequest)."""


class SilentOptions(TypedDict, total=False):
    """The options of all silent requests."""

    home_account_id: str | None
    """The account, with the value from `Account`. A user name as the value is rejected with `invalid_member`.
    Without `home_account_id` and `username`, the request is for the only account. If there are several, the
    error is `ambiguous_account` with `accounts`; if there is none, `account_not_found` (default: the only
    account).
    """

    username: str | None
    """The user name of the account in any tenant, without regard to case (ADAL: `userId`). If several accounts
    have this name, the error is `ambiguous_account` (default: if `home_account_id` is empty).
    """

    environment: str | None
    """The `environment` of the account. It prevents confusion with an account of another provider that has the
    same ID. Without an `authority`, the request is sent to the provider of the account; with the authority of
    another provider, the error is `interaction_required` (default: any provider).
    """

    for_application: bool | None
    """Requests an app-only token (RFC 6749 section 4.4), which a confidential client of another library stored
    in the shared cache. Remove `home_account_id` and `username`. The token is never requested from a server:
    without a valid one the status is `TESSERA_STATUS_SIGN_IN`, and the other library must acquire one. The
    `account` of the result has an empty `home_account_id` (default: `false`).
    """

    scopes: Sequence[str] | None
    """The scopes that the token must cover. `openid`, `profile` and `offline_access` are added, and ignored
    here. `["openid"]` alone requests only an ID token. Scopes are compared as sets, without regard to case.
    """

    resource: str | None
    """Instead of `scopes`: all permissions that were granted to the application at a resource, as in ADAL.
    `/.default` is appended without change, so a resource that ends in a slash gets two slashes, as Entra
    requires.
    """

    authority: str | None
    """Another tenant, or another issuer (default: that of the account's provider if `environment` names another
    one, otherwise the application's).
    """

    force_refresh: bool | None
    """Whether to send a request to the server even if a valid token is cached (default: `false`)."""

    claims: str | None
    """The text of a JSON object: the `claims` of an error, or of a resource's claims challenge. The cached
    token is not used then. An object that requests nothing, such as `{}`, has no effect.
    """

    extra_token_parameters: Mapping[str, str] | None
    """As in AdvancedOptions, for this request. They take precedence over the configuration. Cached tokens are
    used regardless of them.
    """

    extra_query_parameters: Mapping[str, str] | None
    """As in AdvancedOptions, with the same precedence."""

    timeout_milliseconds: int | None
    """The deadline of the call, after which it fails with `deadline_exceeded`. Without it,
    `timeout_milliseconds` of NetworkOptions limits each exchange. The call then fails with `store_busy` after
    10 seconds of waiting for a locked store, or 60 seconds for another process that refreshes the same
    credential. A valid cached token is returned even if the value is 0.
    """

    correlation_id: str | None
    """An ID for the server's log (default: a new UUID)."""

    traceparent: str | None
    """The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged."""

    tracestate: str | None
    """The `tracestate` of the trace, only with `traceparent`."""


class ClientTokenRequest(TypedDict, total=False):
    """A request for a token of the application itself."""

    scopes: Sequence[str] | None
    """The requested scopes; at Entra, the `/.default` scope of one resource."""

    resource: str | None
    """As in SilentRequest, instead of `scopes`."""

    authority: str | None
    """The authority that issues the token (default: the application's)."""

    tenant: str | None
    """Instead of `authority`, only for Entra: the ID or a domain of the tenant, at the host of the
    application's authority.
    """

    claims: str | None
    """A claims challenge of a resource, as the text of a JSON object. The cached token is then not used, unless
    `token_sha256_to_refresh` identifies the rejected one.
    """

    force_refresh: bool | None
    """Whether to request a new token even if the cached one is valid (default: `false`)."""

    token_sha256_to_refresh: str | None
    """The SHA-256 of an access token that a resource rejected, in hexadecimal digits. A cached token with this
    digest is not used; a newer one is.
    """

    extra_token_parameters: Mapping[str, str] | None
    """As in SilentRequest."""

    extra_query_parameters: Mapping[str, str] | None
    """As in SilentRequest."""

    timeout_milliseconds: int | None
    """The deadline of the call, after which it fails with `deadline_exceeded` (default: as in
    SilentRequest).
    """

    correlation_id: str | None
    """An ID for the server's log (default: a new UUID)."""

    traceparent: str | None
    """The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged."""

    tracestate: str | None
    """The `tracestate` of the trace, only with `traceparent`."""


class DeviceCodeRequest(TypedDict, total=False):
    """A request for a token by device code."""

    scopes: Sequence[str] | None
    """As in SilentRequest."""

    resource: str | None
    """As in SilentRequest, instead of `scopes`."""

    authority: str | None
    """The authority to sign in at (default: the application's)."""

    claims: str | None
    """The text of a JSON object: the `claims` of the error that made this sign-in necessary."""

    extra_token_parameters: Mapping[str, str] | None
    """As in SilentRequest."""

    extra_query_parameters: Mapping[str, str] | None
    """As in SilentRequest."""

    explain: bool | None
    """Whether the result has an `explanation` (explain.md) with the duration of each step (default:
    `false`).
    """

    timeout_milliseconds: int | None
    """The deadline of the call, after which it fails with `deadline_exceeded` (default: the lifetime of the
    code).
    """

    correlation_id: str | None
    """An ID for the server's log (default: a new UUID)."""

    traceparent: str | None
    """The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged."""

    tracestate: str | None
    """The `tracestate` of the trace, only with `traceparent`."""


class SignInOptions(TypedDict, total=False):
    """The options of all sign-ins in a browser."""

    scopes: Sequence[str] | None
    """As in SilentRequest."""

    resource: str | None
    """As in SilentRequest, instead of `scopes`."""

    extra_scopes_to_consent: Sequence[str] | None
    """Scopes to consent to now, for later tokens of other resources."""

    authority: str | None
    """Another authority (default: the application's)."""

    home_account_id: str | None
    """The account that must sign in (default: any account)."""

    accept_other_account: bool | None
    """Whether another account than `home_account_id` may sign in (default: `false`)."""

    login_hint: str | None
    """The user name to fill in on the page (default: the account's user name)."""

    domain_hint: str | None
    """The domain of the user's organization."""

    ui_locales: str | None
    """The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core section
    3.1.2.1).
    """

    prompt: Literal["select_account", "login", "consent", "create", "none"] | None
    """The `prompt` parameter of OpenID Connect (default: chosen by the provider)."""

    claims: str | None
    """The `claims` of the error that made this sign-in necessary."""

    extra_query_parameters: Mapping[str, str] | None
    """Parameters to add to the URL of the page."""

    extra_token_parameters: Mapping[str, str] | None
    """Parameters to add to the body of the token request. They take precedence over the configuration."""

    response_mode: Literal["query", "form_post"] | None
    """The `response_mode` of the authorization request (default: `query`)."""

    timeout_milliseconds: int | None
    """The deadline of the call."""

    correlation_id: str | None
    """An ID for the server's log (default: a new UUID)."""

    traceparent: str | None
    """The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged."""

    tracestate: str | None
    """The `tracestate` of the trace, only with `traceparent`."""


class AuthenticatorOptions(TypedDict, total=False):
    """The options for Microsoft Authenticator."""

    query_schemes: Sequence[str] | None
    """`LSApplicationQueriesSchemes` of Info.plist, to be checked: a missing scheme causes
    `redirect_scheme_not_registered`.
    """

    client_app_name: str | None
    """The display name of your application."""

    client_app_version: str | None
    """The version of your application."""

    sdk_capabilities: Sequence[str] | None
    """The broker features that the application supports, such as `sso_extension`."""

    intune_enrollment_ids: Mapping[str, object] | None
    """The enrollments in Intune, if different from the configuration; see brokers.md."""

    intune_mam_resource: Mapping[str, str] | None
    """The resource of Intune, if different from the configuration."""

    brk_client_id: str | None
    """The client ID of the application in which this one is embedded."""

    brk_redirect_uri: str | None
    """The redirect URI of that application, to which the response is sent."""

    client_sku: str | None
    """The name of the library, for Microsoft's statistics."""

    platform_sequence: str | None
    """The libraries that were used before this one, for Microsoft's statistics."""

    onboarding_blob: str | None
    """The state of the onboarding of the user's device."""

    new_mobile_onboarding_flow: bool | None
    """Whether the application supports the new onboarding of a device."""

    bound_refresh_tokens: bool | None
    """Whether to request device-bound refresh tokens."""

    user_federated_identity_credential: str | None
    """A credential of another provider for the user."""


class RedirectResponse(TypedDict, total=False):
    """The response of a provider at the redirect URI."""

    state: str | None
    """The `state` of the SignInSession."""

    url: str | None
    """The complete URL that was opened at the redirect URI."""

    form: str | None
    """Instead of `url`: the body that was posted to the redirect URI."""

    source_application: str | None
    """The application that opened the redirect URI (default: unknown)."""

    timeout_milliseconds: int | None
    """The deadline of the call."""


class BrokerRequest(TypedDict, total=False):
    """A request to the broker."""

    authority: str | None
    """The authority of the account (default: the application's)."""

    timeout_milliseconds: int | None
    """The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a signature, 40
    for cookies).
    """

    correlation_id: str | None
    """An ID for the log of the server and of the broker (default: a new UUID)."""


class SilentRequest(SilentOptions, total=False):
    """A request for a token without user interaction."""

    explain: bool | None
    """Whether the result has an `explanation`; the store is then always read. Not allowed for
    `tessera_application_explain` (default: `false`).
    """


class ExplainRequest(SilentOptions, total=False):
    """A request for an explanation."""


class InteractiveRequest(SignInOptions, total=False):
    """A request for a sign-in in a browser."""

    silent_first: bool | None
    """Whether to try a silent request first, for `home_account_id` or for the only account that matches
    `login_hint`. The page is opened only if it fails with the remedy `sign_in`, or returns a token with
    declined scopes: such an application opens a page at each call for as long as the server declines them
    (default: `false`).
    """

    browser: Literal["automatic", "open", "show"] | None
    """Whether to open the user's browser: according to the table, always, or never (default: `automatic`)."""

    webview_type: Literal["default", "embedded"] | None
    """The location of the page: in the user's browser, or in a window of the program `tessera-webview`; see
    webview.md (default: `default`).
    """

    prefers_ephemeral_web_browser_session: bool | None
    """Whether an embedded web view starts without cookies and stores none (default: `true`)."""

    webview_program: str | None
    """The absolute path of `tessera-webview` (default: the installed one)."""

    success_page: str | None
    """The HTML page to show after the provider's if the sign-in succeeded; see interactive.md (default: built
    in).
    """

    failure_page: str | None
    """The HTML page to show if it failed (default: built in)."""

    answer_descriptor: int | None
    """A file descriptor to read lines from, so that the user can paste the URL at which the browser ended. It
    stays open; nothing else may read from it during the call.
    """


class SignInRequest(SignInOptions, total=False):
    """A request to begin a sign-in."""

    delivery: Literal["host", "system"] | None
    """The delivery of the redirect: the host application observes the navigation of its page, or the system
    opens the redirect URI. In the second case its scheme must be registered (default: `host`).
    """

    source_application: str | None
    """The only application that may open the redirect URI (default: any)."""

    authenticator: AuthenticatorOptions | None
    """Signs in with Microsoft Authenticator on Apple's systems; `url` is then the URL that opens it. See
    brokers.md (default: none: a page).
    """

    lifetime_seconds: int | None
    """The lifetime of the sign-in (default: 3600)."""


class BrokerCookieRequest(BrokerRequest, total=False):
    """A request for a cookie of the broker."""

    home_account_id: str | None
    """The account to sign in."""

    sso_url: str | None
    """The sign-in page, with https and in the authority's cloud, including the `sso_nonce` that the page
    sent.
    """

    scopes: Sequence[str] | None
    """The scopes that the browser requests (default: Graph's)."""


class BrokerSigningRequest(BrokerRequest, total=False):
    """A request to sign an HTTP request."""

    home_account_id: str | None
    """The account of the signing key."""

    http_method: str | None
    """The method of the request, such as `GET`."""

    url: str | None
    """The URL of the request. Its host and path are signed in their exact spelling."""

    nonce: str | None
    """The nonce of the resource."""

    client_claims: str | None
    """Further claims, as JSON text."""

    key_id: str | None
    """The key (default: chosen by the broker)."""


class InteractiveCallRequest(InteractiveRequest, total=False):
    """A request for a non-blocking sign-in in a browser."""

    shows_address: bool | None
    """Only for `tessera_call_group_acquire_token_interactive`: whether the application shows the URL if no
    browser is opened. With `false`, such a call fails with `browser_unavailable` (default: `true`).
    """
