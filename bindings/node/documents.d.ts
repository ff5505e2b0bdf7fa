// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.

/** A value that later versions of the library may add. */
type Later = string & {};

/** The error codes; docs/errors.md describes them. */
export type ErrorCode =
  | 'interaction_required'
  | 'consent_required'
  | 'mfa_required'
  | 'password_expired'
  | 'password_reset_required'
  | 'credentials_rejected'
  | 'account_disabled'
  | 'account_not_in_tenant'
  | 'device_required'
  | 'access_blocked'
  | 'account_not_found'
  | 'refresh_token_rejected'
  | 'code_expired'
  | 'account_mismatch'
  | 'server_declined_scopes'
  | 'invalid_authorization_response'
  | 'sign_in_expired'
  | 'sign_in_used'
  | 'sign_in_lost'
  | 'workplace_join_required'
  | 'device_upgrade_required'
  | 'device_enrollment_completed'
  | 'broker_response_missing'
  | 'broker_response_corrupted'
  | 'broker_decryption_failed'
  | 'broker_hash_missing'
  | 'broker_hash_mismatch'
  | 'broker_failed'
  | 'sso_extension_failed'
  | 'store_missing'
  | 'store_empty'
  | 'cache_damaged'
  | 'network_failed'
  | 'server_unavailable'
  | 'throttled'
  | 'invalid_response'
  | 'store_busy'
  | 'too_many_open_files'
  | 'too_many_threads'
  | 'stack_too_small'
  | 'missing_parameter'
  | 'wrong_process'
  | 'invalid_json'
  | 'unknown_member'
  | 'invalid_member'
  | 'scopes_required'
  | 'ambiguous_account'
  | 'interaction_in_progress'
  | 'state_mismatch'
  | 'invalid_sign_in_state'
  | 'broker_state_missing'
  | 'broker_state_invalid'
  | 'broker_key_missing'
  | 'broker_state_mismatch'
  | 'broker_nonce_mismatch'
  | 'legacy_cache_invalid'
  | 'request_rejected'
  | 'feature_unavailable'
  | 'invalid_configuration'
  | 'invalid_authority'
  | 'issuer_mismatch'
  | 'invalid_id_token'
  | 'client_rejected'
  | 'account_not_assigned'
  | 'protection_policy_required'
  | 'scope_rejected'
  | 'invalid_redirect_uri'
  | 'redirect_port_taken'
  | 'redirect_scheme_not_registered'
  | 'redirect_scheme_taken'
  | 'browser_unavailable'
  | 'broker_unavailable'
  | 'broker_unresponsive'
  | 'webview_unavailable'
  | 'webview_failed'
  | 'navigation_refused'
  | 'redirect_uri_rejected'
  | 'broker_version_unsupported'
  | 'flow_unsupported'
  | 'certificate_untrusted'
  | 'library_missing'
  | 'unsafe_environment'
  | 'store_unavailable'
  | 'store_unsafe'
  | 'store_read_only'
  | 'store_too_new'
  | 'cache_undecryptable'
  | 'store_full'
  | 'key_unavailable'
  | 'encryption_unavailable'
  | 'cancelled'
  | 'deadline_exceeded'
  | 'access_denied'
  | 'internal_error'
  | Later;

/** The credential of a confidential client. */
export interface ClientCredential {
  /** A client secret. */
  secret?: string;
  /** The path of a file with a client secret. It is read for each request. */
  secretFile?: string;
  /**
   * The certificate of the application in PEM, then those of its issuers. The private key may be
   * in the same text.
   */
  certificatePem?: string;
  /** The path of such a file. A replaced file is used for the next request. */
  certificateFile?: string;
  /** The private key of the certificate in PEM. */
  keyPem?: string;
  /** The path of such a file. */
  keyFile?: string;
  /** The path of a PKCS #12 file with the certificate and its private key. */
  pfxFile?: string;
  /** The passphrase of the private key, or of the PKCS #12 file. */
  passphrase?: string;
  /**
   * Whether assertions contain the certificates (`x5c`), for a registration that trusts a subject
   * and an issuer (default: `false`).
   */
  sendChain?: boolean;
  /** An assertion of another issuer. It expires, so a file is better. */
  assertion?: string;
  /**
   * The path of a file with an assertion, such as the token of a Kubernetes service account. It
   * is read for each request.
   */
  assertionFile?: string;
}

/** The options of the token store. */
export interface StoreOptions {
  /**
   * The kind of the store: shared with other applications that use Tessera, shared with all MSAL
   * libraries, in memory until the application object is freed, or the store of a host
   * application, which only C programs can pass. The value is `sqlite`, `msal_file`, `memory` or
   * `host` (default: `sqlite`; `msal_file` with `msal_cache`; `host` with `host->store`).
   */
  kind?: 'sqlite' | 'msal_file' | 'memory' | 'host';
  /**
   * The name of the store. Applications of the same user with the same group share one store. It
   * has 1 to 64 letters, digits, `.`, `_` and `-`. It must not start with `.` or contain
   * `.damaged-`, which marks quarantined databases. With `host`, it is the name of the partition
   * (default: `default`).
   */
  group?: string;
  /**
   * The absolute path of the store's directory. It is created when a record is first stored
   * (default: `$XDG_DATA_HOME/tessera`, or else `$HOME/.local/share/tessera`).
   */
  directory?: string;
  /**
   * The required protection of the store; see protection.md. The value is `require_encrypted`,
   * `prefer_encrypted`, `allow_plaintext` or `memory_only` (default: `prefer_encrypted`).
   */
  policy?: 'require_encrypted' | 'prefer_encrypted' | 'allow_plaintext' | 'memory_only';
  /**
   * The locations to try for the key of a new store, in order; `caller` only with `key`. With
   * `key`: the locations whose stores are trusted in addition; none if the member is absent. Each
   * is `caller`, `secret_service`, `kernel_keyring` or `key_file` (default: `["secret_service",
   * "key_file"]`).
   */
  keySources?: readonly ('caller' | 'secret_service' | 'kernel_keyring' | 'key_file')[];
  /**
   * The key of the store, if the application manages it. The callback `host->store_key` provides
   * it without a copy as text in memory.
   */
  key?: string;
  /**
   * The store size in MiB (2^20 bytes) at which access tokens are evicted, starting with those
   * that expire first. Refresh tokens are never evicted (default: no limit).
   */
  limitMegabytes?: number;
  /**
   * The cache of MSAL for Python, .NET, Go, Java or Node to use as the store: `azure_cli`,
   * `azure_identity`, `azure_identity_cae`, `azure_powershell`, `azure_powershell_cae`, or an
   * absolute path; see store.md. `group`, `directory` and the key options do not apply to it. A
   * cache file is unencrypted, so `require_encrypted` rejects it; a cache that its owner keeps in
   * the keyring is accepted.
   */
  msalCache?: string;
}

/** The options of the network. */
export interface NetworkOptions {
  /**
   * The proxy, such as `http://proxy.example:8080`; empty for none. Addresses of this machine are
   * never reached through a proxy (default: `https_proxy`, `http_proxy`, `all_proxy` of the
   * environment).
   */
  proxy?: string;
  /**
   * The hosts to reach without the proxy, separated by commas (default: `no_proxy` of the
   * environment).
   */
  noProxy?: string;
  /**
   * A file of CA certificates (PEM) to trust instead (default: `CURL_CA_BUNDLE`, or else
   * `SSL_CERT_FILE`, and `SSL_CERT_DIR`, of the environment; or else the system's certificates).
   */
  caFile?: string;
  /**
   * The timeout of one exchange with a server. Connecting may use at most 10 seconds of it
   * (default: 30000).
   */
  timeoutMilliseconds?: number;
  /**
   * The timeout for refreshing a token that is still valid but whose `refresh_on` has passed
   * (default: 5000).
   */
  proactiveRefreshTimeoutMilliseconds?: number;
}

/** The options of tokens. */
export interface TokenOptions {
  /**
   * The remaining lifetime below which a cached token is no longer used; at most half of the
   * token's lifetime (default: 300).
   */
  expiryMarginSeconds?: number;
  /**
   * Whether an expired token may be returned until `extended_expires_on` while the server is down
   * (default: `false`).
   */
  extendedLifetime?: boolean;
  /**
   * Whether sign-ins request a refresh token (scope `offline_access`). With `false`, refreshes do
   * not request it either. If a requested refresh token is missing, the result has a warning
   * (default: `true`; `false` for the `prompt` `none` at providers other than Microsoft's).
   */
  requestRefreshToken?: boolean;
  /**
   * `consent` sends `prompt=consent` with the request for a refresh token, as OpenID Connect Core
   * section 11 requires. The user is then asked for consent at each sign-in. Microsoft's
   * authorities, and the `prompt` `none`, are not affected. The value is `consent`.
   */
  offlineAccessPrompt?: 'consent';
  /**
   * Whether Microsoft's instance discovery validates Entra hosts that are not built in (default:
   * `true`).
   */
  instanceDiscovery?: boolean;
}

/** The state of Intune app protection. */
export interface IntuneOptions {
  /**
   * The enrollments of users in Intune app protection, as the Intune SDK provides them:
   * `{"enrollment_ids": [{…}]}`; see brokers.md.
   */
  enrollmentIds?: Record<string, unknown>;
  /**
   * The resource of the Intune service, by cloud host. With it, access tokens are cached per
   * `bundle_id`, and used only for the enrollment that they were issued for.
   */
  mamResource?: Readonly<Record<string, string>>;
}

/** Options that few applications need. */
export interface AdvancedOptions {
  /** The query parameter `slice`, which selects a slice of the service, for tests of the service. */
  slice?: string;
  /** The query parameter `dc`, which selects a data center, for tests of the service. */
  dc?: string;
  /**
   * Whether token requests report earlier calls to Entra, as other MSAL libraries do; see
   * telemetry (default: `false`).
   */
  serverTelemetry?: boolean;
  /**
   * Parameters to add to the body of every token request. Parameters that the library sends are
   * rejected, and so is `client_secret`, because public clients have none. A parameter with a
   * blank value is sent as its name only.
   */
  extraTokenParameters?: Readonly<Record<string, string>>;
  /**
   * Parameters to add to the query of the authorization, device authorization and token
   * endpoints. They replace parameters that the endpoint's URL already has.
   */
  extraQueryParameters?: Readonly<Record<string, string>>;
  /**
   * The URI schemes that are registered for the application. A redirect URI with another scheme
   * is rejected, without a query to the desktop (default: unknown).
   */
  registeredSchemes?: readonly string[];
}

/** The texts that the library shows to users. */
export interface UserMessages {
  /** The language of the pages: a language tag (BCP 47), such as `de-AT` (default: en). */
  pageLanguage?: string;
  /** The title of the page after a successful sign-in (default: You have signed in). */
  signedInTitle?: string;
  /** The text of that page (default: You can close this page and return to the application.). */
  signedInText?: string;
  /** The title of the page after a failed sign-in (default: Sign-in failed). */
  signInFailedTitle?: string;
  /** The sentence before the error description of the provider (default: The provider reported:). */
  signInFailedReason?: string;
  /**
   * The sentence after it (default: You can close this page. The application shows what to do
   * next.).
   */
  signInFailedText?: string;
  /**
   * The title of the page for a response to another sign-in (default: This response does not
   * belong to the pending sign-in).
   */
  otherSignInTitle?: string;
  /**
   * The text of that page (default: An application waits here for a sign-in, but this response
   * belongs to a different one. The application continues to wait.).
   */
  otherSignInText?: string;
  /** The title of the page at another address than the redirect URI (default: Page not found). */
  pageNotFoundTitle?: string;
  /** The text of that page (default: An application waits for a sign-in, but at another address.). */
  pageNotFoundText?: string;
  /** The title of the page for a request that a browser would not send (default: Invalid request). */
  invalidRequestTitle?: string;
  /** The text of that page (default: Browsers do not send requests of this form.). */
  invalidRequestText?: string;
  /**
   * The last sentence of these three pages (default: Return to the sign-in page, or start the
   * sign-in again in the application.).
   */
  returnToSignIn?: string;
  /**
   * `message` of a device code prompt. It must contain both placeholders. The default is used
   * only if the server sends no text (default: To sign in, open {verification_uri} and enter the
   * code {user_code}.).
   */
  deviceCode?: string;
  /**
   * `problem` of a sign-in prompt, after another URL than the redirect was pasted (default: The
   * pasted URL does not belong to this sign-in.).
   */
  wrongUrlPasted?: string;
}

/** A request with a timeout only. */
export interface StoreRequest {
  /** The maximum time to wait for the store (default: as in AccountsRequest). */
  timeoutMilliseconds?: number;
}

/** A request for accounts. */
export interface AccountsRequest {
  /**
   * The account with this ID. Entra IDs are compared without regard to case, IDs of other
   * providers exactly, like subjects (default: any account).
   */
  homeAccountId?: string;
  /**
   * The accounts with this user name in any tenant, without regard to case. User names change and
   * are reused, so several accounts may have the same one (default: any account).
   */
  username?: string;
  /** The account with this ID in one of its tenants (default: any account). */
  localAccountId?: string;
  /** The `environment` of the account, or another host of the same cloud (default: any host). */
  environment?: string;
  /**
   * `false` also returns accounts that signed out of this application, and accounts of other
   * applications (default: `true`).
   */
  signedInOnly?: boolean;
  /**
   * `true` adds the `claims` of this application's ID tokens, which takes longer (default:
   * `false`).
   */
  claims?: boolean;
  /**
   * The maximum time to wait for a store that another process has locked; after that, the error
   * is `store_busy` (default: 10 seconds for each access to the store).
   */
  timeoutMilliseconds?: number;
}

/** A request to remove an account. */
export interface RemoveAccountRequest {
  /** The account to remove. */
  homeAccountId: string;
  /** The account to remove, if it has no ID yet (default: if `home_account_id` is empty). */
  username?: string;
  /**
   * The `environment` of the account (default: only if several providers use this
   * `home_account_id`).
   */
  environment?: string;
  /**
   * The maximum time to wait for the store; after `store_busy` nothing is removed (default: as in
   * AccountsRequest, for the whole call).
   */
  timeoutMilliseconds?: number;
}

/** The document "RemovedAccount". */
export interface RemovedAccount {
  /** Whether the account was removed. */
  readonly removed: boolean;
}

/** A request to sign out. */
export interface SignOutRequest {
  /** The account to sign out. */
  homeAccountId?: string;
  /** The account to sign out, if it has no ID yet (default: if `home_account_id` is empty). */
  username?: string;
  /**
   * The `environment` of the account (default: only if several providers use this
   * `home_account_id`).
   */
  environment?: string;
  /**
   * The extent: this client ID; every client ID that shares the store; or all accounts of all
   * applications. `machine` empties the store of the group and deletes its quarantined databases.
   * The value is `application`, `every_application` or `machine` (default: `application`).
   */
  scope?: 'application' | 'every_application' | 'machine';
  /**
   * Whether to revoke the refresh tokens at the provider (RFC 7009). Entra does not support it.
   * If another provider's OpenID document has no revocation endpoint, its RFC 8414 metadata
   * (`/.well-known/oauth-authorization-server`) is read (default: `false`).
   */
  revokeTokens?: boolean;
  /** Whether to return the URL that ends the browser session (default: `false`). */
  endSession?: boolean;
  /**
   * The URL to which the browser is redirected after that. It must be registered with the
   * provider.
   */
  postLogoutRedirectUri?: string;
  /**
   * Whether the identity broker of this machine removes the account of this application as well;
   * for `machine`, all its accounts. See brokers.md (default: `false`).
   */
  fromBroker?: boolean;
  /** The provider that receives the requests (default: the application's). */
  authority?: string;
  /** The deadline of the call (default: as in SilentRequest). */
  timeoutMilliseconds?: number;
  /** An ID for the server's log (default: a new UUID). */
  correlationId?: string;
  /** The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged. */
  traceparent?: string;
  /** The `tracestate` of the trace, only with `traceparent`. */
  tracestate?: string;
}

/** The document "RemovedRecords". */
export interface RemovedRecords {
  /** The number of accounts, one for each tenant. */
  readonly accounts: number;
  /** The number of access tokens. */
  readonly accessTokens: number;
  /** The number of refresh tokens. */
  readonly refreshTokens: number;
  /** The number of ID tokens. */
  readonly idTokens: number;
}

/** The document "LeftoverToken". */
export interface LeftoverToken {
  /**
   * The type of the token or session. The value is `other_application`, `family_refresh_token`,
   * `handed_out_access_tokens`, `unrevoked_refresh_tokens`, `browser_session`, `set_aside_store`
   * or `other_group`.
   */
  readonly kind: 'other_application' | 'family_refresh_token' | 'handed_out_access_tokens' | 'unrevoked_refresh_tokens' | 'browser_session' | 'set_aside_store' | 'other_group' | Later;
  /** The application that owns it. Present if it has one. */
  readonly clientId?: string;
  /** The time at which the last one expires. Present for access tokens. */
  readonly expiresOn?: Date;
  /** The file. Present for a store. */
  readonly path?: string;
}

/** The document "KeyAttempt". */
export interface KeyAttempt {
  /** The location. The value is `caller`, `secret_service`, `kernel_keyring` or `key_file`. */
  readonly source: 'caller' | 'secret_service' | 'kernel_keyring' | 'key_file' | Later;
  /**
   * The kind of the problem. The value is `library_missing`, `no_bus`, `no_service`,
   * `no_collection`, `locked`, `timeout`, `blocked`, `full`, `unsafe`, `key_missing`,
   * `other_key`, `policy` or `failed`.
   */
  readonly problem: 'library_missing' | 'no_bus' | 'no_service' | 'no_collection' | 'locked' | 'timeout' | 'blocked' | 'full' | 'unsafe' | 'key_missing' | 'other_key' | 'policy' | 'failed' | Later;
  /** The details for a developer. */
  readonly reason: string;
}

/** The document "StoreRecords". */
export interface StoreRecords {
  /** The number of accounts. */
  readonly accounts: number;
  /** The number of access tokens. */
  readonly accessTokens: number;
  /** The number of refresh tokens. */
  readonly refreshTokens: number;
  /** The number of ID tokens. */
  readonly idTokens: number;
  /** The number of other records. */
  readonly others: number;
  /** The number of damaged records. */
  readonly damaged: number;
}

/** The document "MetricValue". */
export interface MetricValue {
  /**
   * The name of the metric. The value is `calls_succeeded`, `calls_failed`, `calls_throttled`,
   * `refreshes_adopted`, `commits_superseded`, `commits_queued`, `cached_responses` or
   * `cached_response_bytes`.
   */
  readonly name: 'calls_succeeded' | 'calls_failed' | 'calls_throttled' | 'refreshes_adopted' | 'commits_superseded' | 'commits_queued' | 'cached_responses' | 'cached_response_bytes' | Later;
  /** The name of the same metric in MSAL for .NET. Present if there is one. */
  readonly alias?: string;
  /** The unit of the value. The value is `count` or `bytes`. */
  readonly unit: 'count' | 'bytes' | Later;
  /** The tags of the metric, such as `function`; empty for a metric without tags. */
  readonly tags: Readonly<Record<string, string>>;
  /** The value. */
  readonly value: number;
}

/** The document "MetricHistogram". */
export interface MetricHistogram {
  /**
   * The name of the metric. The value is `call_duration`, `http_duration`, `store_duration`,
   * `lock_wait` or `token_lifetime`.
   */
  readonly name: 'call_duration' | 'http_duration' | 'store_duration' | 'lock_wait' | 'token_lifetime' | Later;
  /** The name of the same metric in MSAL for .NET. Present if there is one. */
  readonly alias?: string;
  /** The unit of the values and of the bounds. The value is `microseconds` or `seconds`. */
  readonly unit: 'microseconds' | 'seconds' | Later;
  /** The tags of the metric. */
  readonly tags: Readonly<Record<string, string>>;
  /** The number of values. */
  readonly count: number;
  /** The sum of all values. */
  readonly sum: number;
  /** The inclusive upper bounds of the buckets, without the last bucket, which has none. */
  readonly bounds: readonly number[];
  /** The number of values in each bucket, one more than `bounds`. */
  readonly counts: readonly number[];
}

/** The document "LibraryFeatures". */
export interface LibraryFeatures {
  /**
   * The features that the build of the library contains. Each is `apple`, `broker`, `legacy`,
   * `msal_file` or `services`.
   */
  readonly features: readonly ('apple' | 'broker' | 'legacy' | 'msal_file' | 'services' | Later)[];
}

/** The document "FoundCache". */
export interface FoundCache {
  /**
   * The name of the cache. `azure_cli`, `azure_identity`, `azure_identity_cae`,
   * `azure_powershell` and `azure_powershell_cae` are valid values of `msal_cache`, which opens
   * the selected location. Other caches are only listed.
   */
  readonly name: string;
  /** A display name of the product that owns the cache. */
  readonly owner: string;
  /** A file, or an item of the keyring. The value is `file` or `secret_service`. */
  readonly kind: 'file' | 'secret_service' | Later;
  /** The cache file, or the file whose modification time signals a change of the item. */
  readonly path: string;
  /** The name of the item's schema. Present with an item. */
  readonly schema?: string;
  /**
   * `locked`: there may be an item, but the keyring is locked, missing or unresponsive;
   * `unreadable`: not a token cache, or encrypted by its owner; `unavailable`: it cannot be
   * opened, or other users can write it. The value is `missing`, `usable`, `locked`, `unreadable`
   * or `unavailable`.
   */
  readonly state: 'missing' | 'usable' | 'locked' | 'unreadable' | 'unavailable' | Later;
  /** Whether this location is the one in use. */
  readonly selected: boolean;
  /** The number of accounts in it. Present if it was read. */
  readonly accounts?: number;
  /** The time of the last write. Present if known. */
  readonly modifiedOn?: Date;
  /** The reason why it cannot be read or opened, for display. Present if there is one. */
  readonly reason?: string;
}

/** A request to replace the key of the store. */
export interface RotateKeyRequest {
  /**
   * The new key. It is rejected as `invalid_member` if the configuration has no `store.key`, or
   * if it equals the old key. Without it, a store that was not encrypted with `store.key` is re-
   * encrypted with it (default: if the application manages the present key of the store).
   */
  newStoreKey?: string;
  /**
   * The maximum time to wait for the store; after an error nothing is changed (default: as in
   * AccountsRequest, for the whole call).
   */
  timeoutMilliseconds?: number;
}

/** The document "RotatedKey". */
export interface RotatedKey {
  /** Whether the key was replaced. */
  readonly rotated: boolean;
}

/** A request to import an older cache. */
export interface MigrationRequest {
  /** The cache file of an older library; a regular file of at most 256 MB. */
  path?: string;
  /**
   * Instead of `path`, a known location: `accessTokens.json` of the Azure CLI before 2.30, at
   * `AZURE_ACCESS_TOKEN_FILE`, or else in `AZURE_CONFIG_DIR` or `~/.azure`. The value is
   * `azure_cli`.
   */
  place?: 'azure_cli';
  /**
   * The format of the cache; see coming-from-adal.md. The value is `adal_apple_item`,
   * `adal_macos`, `apple_keychain`, `msal_macos`, `adal_dotnet`, `msal_dotnet`, `adal_python`,
   * `azure_cli` or `adal_node` (default: detected).
   */
  format?: 'adal_apple_item' | 'adal_macos' | 'apple_keychain' | 'msal_macos' | 'adal_dotnet' | 'msal_dotnet' | 'adal_python' | 'azure_cli' | 'adal_node';
  /** Whether only to report, without storing anything (default: `false`). */
  dryRun?: boolean;
  /** The timeout of the whole call (default: as in AccountsRequest). */
  timeoutMilliseconds?: number;
}

/** The document "MigratedAccount". */
export interface MigratedAccount {
  /** The user name. Present if known. */
  readonly username?: string;
  /** The account ID. Present if known. */
  readonly homeAccountId?: string;
  /** The host of the cloud, or the issuer. */
  readonly environment: string;
  /** The application. */
  readonly clientId: string;
  /** The outcome of its import. */
  readonly outcome: string;
  /** The reason for not importing it. Present if it was not imported. */
  readonly reason?: string;
  /** The next step for the user. Present if it was not imported. */
  readonly advice?: string;
}

/** The document "DamagedEntry". */
export interface DamagedEntry {
  /** The number of the entry, counted from 0. Present unless the whole cache is damaged. */
  readonly entry?: number;
  /** The kind of the damage. */
  readonly code: string;
  /** A description. */
  readonly message: string;
}

/** A request to export sign-ins to an older cache. */
export interface ExportRequest {
  /** The format that the older library reads. The value is `apple_keychain` or `adal_macos`. */
  format: 'apple_keychain' | 'adal_macos';
  /** The account (default: all accounts). */
  homeAccountId?: string;
  /** The timeout of the whole call (default: as in AccountsRequest). */
  timeoutMilliseconds?: number;
}

/** The document "KeychainItem". */
export interface KeychainItem {
  /** The attribute `kSecAttrAccount`. */
  readonly account: string;
  /** The attribute `kSecAttrService`. */
  readonly service: string;
  /** The attribute `kSecAttrGeneric`, in Base64. */
  readonly generic: string;
  /** The attribute `kSecAttrType`. Present if there is one. */
  readonly type?: number;
  /** The data of the item, in Base64. Neither console.log() nor JSON.stringify() shows it. */
  readonly value: string;
}

/** The document "CacheText". */
export interface CacheText {
  /**
   * The store as the JSON document of MSAL libraries. Neither console.log() nor JSON.stringify()
   * shows it.
   */
  readonly cache: string;
}

/** The changes of a cache document. */
export interface CacheWriteRequest {
  /** The original document; empty for none. */
  before: string;
  /** The changed document. Entries that are the same in both documents may be omitted from both. */
  after: string;
  /** The maximum time to wait for the store (default: as in AccountsRequest). */
  timeoutMilliseconds?: number;
}

/** The document "CacheChanges". */
export interface CacheChanges {
  /** The number of changed entries. */
  readonly stored: number;
  /** The number of removed entries. */
  readonly removed: number;
}

/** A request to copy sign-ins from another store. */
export interface CopyRequest {
  /** The only account to copy (default: all accounts, and records without an account). */
  homeAccountId?: string;
  /** Whether only to report, without storing anything (default: `false`). */
  dryRun?: boolean;
  /** The timeout of the whole call (default: as in AccountsRequest). */
  timeoutMilliseconds?: number;
}

/** The document "CopiedAccount". */
export interface CopiedAccount {
  /** The account ID. */
  readonly homeAccountId: string;
  /** The host of the cloud, or the issuer. */
  readonly environment: string;
  /** The user name. Present if known. */
  readonly username?: string;
  /**
   * `already_here` if every record existed and was as new or newer. The value is `copied` or
   * `already_here`.
   */
  readonly outcome: 'copied' | 'already_here' | Later;
  /** The number of copied records. */
  readonly recordCount: number;
}

/** A request for a token without user interaction. */
export interface SilentRequest {
  /**
   * The account, with the value from `Account`. A user name as the value is rejected with
   * `invalid_member`. Without `home_account_id` and `username`, the request is for the only
   * account. If there are several, the error is `ambiguous_account` with `accounts`; if there is
   * none, `account_not_found` (default: the only account).
   */
  homeAccountId?: string;
  /**
   * The user name of the account in any tenant, without regard to case (ADAL: `userId`). If
   * several accounts have this name, the error is `ambiguous_account` (default: if
   * `home_account_id` is empty).
   */
  username?: string;
  /**
   * The `environment` of the account. It prevents confusion with an account of another provider
   * that has the same ID. Without an `authority`, the request is sent to the provider of the
   * account; with the authority of another provider, the error is `interaction_required`
   * (default: any provider).
   */
  environment?: string;
  /**
   * Requests an app-only token (RFC 6749 section 4.4), which a confidential client of another
   * library stored in the shared cache. Remove `home_account_id` and `username`. The token is
   * never requested from a server: without a valid one the status is `TESSERA_STATUS_SIGN_IN`,
   * and the other library must acquire one. The `account` of the result has an empty
   * `home_account_id` (default: `false`).
   */
  forApplication?: boolean;
  /**
   * The scopes that the token must cover. `openid`, `profile` and `offline_access` are added, and
   * ignored here. `["openid"]` alone requests only an ID token. Scopes are compared as sets,
   * without regard to case.
   */
  scopes?: readonly string[];
  /**
   * Instead of `scopes`: all permissions that were granted to the application at a resource, as
   * in ADAL. `/.default` is appended without change, so a resource that ends in a slash gets two
   * slashes, as Entra requires.
   */
  resource?: string;
  /**
   * Another tenant, or another issuer (default: that of the account's provider if `environment`
   * names another one, otherwise the application's).
   */
  authority?: string;
  /** Whether to send a request to the server even if a valid token is cached (default: `false`). */
  forceRefresh?: boolean;
  /**
   * The text of a JSON object: the `claims` of an error, or of a resource's claims challenge. The
   * cached token is not used then. An object that requests nothing, such as `{}`, has no effect.
   */
  claims?: string;
  /**
   * As in AdvancedOptions, for this request. They take precedence over the configuration. Cached
   * tokens are used regardless of them.
   */
  extraTokenParameters?: Readonly<Record<string, string>>;
  /** As in AdvancedOptions, with the same precedence. */
  extraQueryParameters?: Readonly<Record<string, string>>;
  /**
   * The deadline of the call, after which it fails with `deadline_exceeded`. Without it,
   * `timeout_milliseconds` of NetworkOptions limits each exchange. The call then fails with
   * `store_busy` after 10 seconds of waiting for a locked store, or 60 seconds for another
   * process that refreshes the same credential. A valid cached token is returned even if the
   * value is 0.
   */
  timeoutMilliseconds?: number;
  /** An ID for the server's log (default: a new UUID). */
  correlationId?: string;
  /** The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged. */
  traceparent?: string;
  /** The `tracestate` of the trace, only with `traceparent`. */
  tracestate?: string;
  /**
   * Whether the result has an `explanation`; the store is then always read. Not allowed for
   * `tessera_application_explain` (default: `false`).
   */
  explain?: boolean;
}

/** A request for an explanation. */
export interface ExplainRequest {
  /**
   * The account, with the value from `Account`. A user name as the value is rejected with
   * `invalid_member`. Without `home_account_id` and `username`, the request is for the only
   * account. If there are several, the error is `ambiguous_account` with `accounts`; if there is
   * none, `account_not_found` (default: the only account).
   */
  homeAccountId?: string;
  /**
   * The user name of the account in any tenant, without regard to case (ADAL: `userId`). If
   * several accounts have this name, the error is `ambiguous_account` (default: if
   * `home_account_id` is empty).
   */
  username?: string;
  /**
   * The `environment` of the account. It prevents confusion with an account of another provider
   * that has the same ID. Without an `authority`, the request is sent to the provider of the
   * account; with the authority of another provider, the error is `interaction_required`
   * (default: any provider).
   */
  environment?: string;
  /**
   * Requests an app-only token (RFC 6749 section 4.4), which a confidential client of another
   * library stored in the shared cache. Remove `home_account_id` and `username`. The token is
   * never requested from a server: without a valid one the status is `TESSERA_STATUS_SIGN_IN`,
   * and the other library must acquire one. The `account` of the result has an empty
   * `home_account_id` (default: `false`).
   */
  forApplication?: boolean;
  /**
   * The scopes that the token must cover. `openid`, `profile` and `offline_access` are added, and
   * ignored here. `["openid"]` alone requests only an ID token. Scopes are compared as sets,
   * without regard to case.
   */
  scopes?: readonly string[];
  /**
   * Instead of `scopes`: all permissions that were granted to the application at a resource, as
   * in ADAL. `/.default` is appended without change, so a resource that ends in a slash gets two
   * slashes, as Entra requires.
   */
  resource?: string;
  /**
   * Another tenant, or another issuer (default: that of the account's provider if `environment`
   * names another one, otherwise the application's).
   */
  authority?: string;
  /** Whether to send a request to the server even if a valid token is cached (default: `false`). */
  forceRefresh?: boolean;
  /**
   * The text of a JSON object: the `claims` of an error, or of a resource's claims challenge. The
   * cached token is not used then. An object that requests nothing, such as `{}`, has no effect.
   */
  claims?: string;
  /**
   * As in AdvancedOptions, for this request. They take precedence over the configuration. Cached
   * tokens are used regardless of them.
   */
  extraTokenParameters?: Readonly<Record<string, string>>;
  /** As in AdvancedOptions, with the same precedence. */
  extraQueryParameters?: Readonly<Record<string, string>>;
  /**
   * The deadline of the call, after which it fails with `deadline_exceeded`. Without it,
   * `timeout_milliseconds` of NetworkOptions limits each exchange. The call then fails with
   * `store_busy` after 10 seconds of waiting for a locked store, or 60 seconds for another
   * process that refreshes the same credential. A valid cached token is returned even if the
   * value is 0.
   */
  timeoutMilliseconds?: number;
  /** An ID for the server's log (default: a new UUID). */
  correlationId?: string;
  /** The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged. */
  traceparent?: string;
  /** The `tracestate` of the trace, only with `traceparent`. */
  tracestate?: string;
}

/** The document "TokenCandidate". */
export interface TokenCandidate {
  /** The kind of the token, such as `AccessToken` or `RefreshToken`. */
  readonly credentialType: string;
  /** `used`; `fallback`: used if the preceding ones fail; `not_used`. */
  readonly role: string;
  /** The reasons for not using it, or not first: see below. */
  readonly obstacles: readonly string[];
  /** The application that it was issued to. */
  readonly clientId: string;
  /** The family of applications that may redeem it. Present if there is one. */
  readonly familyId?: string;
  /** The cloud or the issuer. */
  readonly environment: string;
  /** The tenant; refresh tokens apply to all tenants. Present for access tokens. */
  readonly tenantId?: string;
  /** The granted scopes. Present for access tokens. */
  readonly scopes?: readonly string[];
  /** The requested scopes that it lacks. Present if it lacks some. */
  readonly missingScopes?: readonly string[];
  /** The time of receipt. Present if known. */
  readonly cachedOn?: Date;
  /** The time of expiry. Present if known. */
  readonly expiresOn?: Date;
  /** The time of the recommended refresh. Present if known. */
  readonly refreshOn?: Date;
}

/** A request for a token of the application itself. */
export interface ClientTokenRequest {
  /** The requested scopes; at Entra, the `/.default` scope of one resource. */
  scopes?: readonly string[];
  /** As in SilentRequest, instead of `scopes`. */
  resource?: string;
  /** The authority that issues the token (default: the application's). */
  authority?: string;
  /**
   * Instead of `authority`, only for Entra: the ID or a domain of the tenant, at the host of the
   * application's authority.
   */
  tenant?: string;
  /**
   * A claims challenge of a resource, as the text of a JSON object. The cached token is then not
   * used, unless `token_sha256_to_refresh` identifies the rejected one.
   */
  claims?: string;
  /** Whether to request a new token even if the cached one is valid (default: `false`). */
  forceRefresh?: boolean;
  /**
   * The SHA-256 of an access token that a resource rejected, in hexadecimal digits. A cached
   * token with this digest is not used; a newer one is.
   */
  tokenSha256ToRefresh?: string;
  /** As in SilentRequest. */
  extraTokenParameters?: Readonly<Record<string, string>>;
  /** As in SilentRequest. */
  extraQueryParameters?: Readonly<Record<string, string>>;
  /**
   * The deadline of the call, after which it fails with `deadline_exceeded` (default: as in
   * SilentRequest).
   */
  timeoutMilliseconds?: number;
  /** An ID for the server's log (default: a new UUID). */
  correlationId?: string;
  /** The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged. */
  traceparent?: string;
  /** The `tracestate` of the trace, only with `traceparent`. */
  tracestate?: string;
}

/** A request for a token by device code. */
export interface DeviceCodeRequest {
  /** As in SilentRequest. */
  scopes?: readonly string[];
  /** As in SilentRequest, instead of `scopes`. */
  resource?: string;
  /** The authority to sign in at (default: the application's). */
  authority?: string;
  /** The text of a JSON object: the `claims` of the error that made this sign-in necessary. */
  claims?: string;
  /** As in SilentRequest. */
  extraTokenParameters?: Readonly<Record<string, string>>;
  /** As in SilentRequest. */
  extraQueryParameters?: Readonly<Record<string, string>>;
  /**
   * Whether the result has an `explanation` (explain.md) with the duration of each step (default:
   * `false`).
   */
  explain?: boolean;
  /**
   * The deadline of the call, after which it fails with `deadline_exceeded` (default: the
   * lifetime of the code).
   */
  timeoutMilliseconds?: number;
  /** An ID for the server's log (default: a new UUID). */
  correlationId?: string;
  /** The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged. */
  traceparent?: string;
  /** The `tracestate` of the trace, only with `traceparent`. */
  tracestate?: string;
}

/** The document "TransportRequest". */
export interface TransportRequest {
  /** `GET` or `POST`. */
  readonly method: string;
  /** The absolute URL, with https; with http only for this machine, and then without a proxy. */
  readonly url: string;
  /** The header fields, each as `Name: value`. The client adds `Host` and `Content-Length`. */
  readonly headers: readonly string[];
  /**
   * The body. It contains secrets. Present if the request has a body. Neither console.log() nor
   * JSON.stringify() shows it.
   */
  readonly body?: string;
  /**
   * The time until the response must be complete, at least 1: the smaller of
   * `network.timeout_milliseconds` and the remaining time of the call.
   */
  readonly timeoutMilliseconds: number;
}

/** The response to a request that the host application sends. */
export interface TransportResponse {
  /** The HTTP status. Pass every response, whatever its status. */
  status?: number;
  /**
   * The header fields, each as `Name: value`. `Date`, `Location` and `Retry-After` are used,
   * among others.
   */
  headers?: readonly string[];
  /** The body, in UTF-8. */
  body?: string;
  /**
   * Instead of `status`: the reason why there is no response, for the message of
   * `network_failed`.
   */
  error?: string;
  /**
   * With `error`: whether the server may have received a part of the request. With `false`, a
   * refresh token in it counts as unused (default: `true`).
   */
  sent?: boolean;
}

/** The document "DeviceCodePrompt". */
export interface DeviceCodePrompt {
  /** The code to enter. */
  readonly userCode: string;
  /** The URL of the page on which to enter it. */
  readonly verificationUri: string;
  /** The same URL including the code, for a QR code. Present if the server sent it. */
  readonly verificationUriComplete?: string;
  /** A sentence with the code and the URL; the server's own if it sent one. */
  readonly message: string;
  /** The time at which the code expires. */
  readonly expiresOn: Date;
  /** The polling interval. */
  readonly intervalSeconds: number;
}

/** A request for a sign-in in a browser. */
export interface InteractiveRequest {
  /** As in SilentRequest. */
  scopes?: readonly string[];
  /** As in SilentRequest, instead of `scopes`. */
  resource?: string;
  /** Scopes to consent to now, for later tokens of other resources. */
  extraScopesToConsent?: readonly string[];
  /** Another authority (default: the application's). */
  authority?: string;
  /** The account that must sign in (default: any account). */
  homeAccountId?: string;
  /** Whether another account than `home_account_id` may sign in (default: `false`). */
  acceptOtherAccount?: boolean;
  /** The user name to fill in on the page (default: the account's user name). */
  loginHint?: string;
  /** The domain of the user's organization. */
  domainHint?: string;
  /**
   * The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core
   * section 3.1.2.1).
   */
  uiLocales?: string;
  /**
   * The `prompt` parameter of OpenID Connect. The value is `select_account`, `login`, `consent`,
   * `create` or `none` (default: chosen by the provider).
   */
  prompt?: 'select_account' | 'login' | 'consent' | 'create' | 'none';
  /** The `claims` of the error that made this sign-in necessary. */
  claims?: string;
  /** Parameters to add to the URL of the page. */
  extraQueryParameters?: Readonly<Record<string, string>>;
  /**
   * Parameters to add to the body of the token request, and of a silent request. They take
   * precedence over the configuration.
   */
  extraTokenParameters?: Readonly<Record<string, string>>;
  /**
   * The `response_mode` of the authorization request. The value is `query` or `form_post`
   * (default: `query`).
   */
  responseMode?: 'query' | 'form_post';
  /** The deadline of the call (default: 1 hour). */
  timeoutMilliseconds?: number;
  /** An ID for the server's log (default: a new UUID). */
  correlationId?: string;
  /** The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged. */
  traceparent?: string;
  /** The `tracestate` of the trace, only with `traceparent`. */
  tracestate?: string;
  /**
   * Whether to try a silent request first, for `home_account_id` or for the only account that
   * matches `login_hint`. The page is opened only if it fails with the remedy `sign_in`, or
   * returns a token with declined scopes: such an application opens a page at each call for as
   * long as the server declines them (default: `false`).
   */
  silentFirst?: boolean;
  /**
   * Whether to open the user's browser: according to the table, always, or never. The value is
   * `automatic`, `open` or `show` (default: `automatic`).
   */
  browser?: 'automatic' | 'open' | 'show';
  /**
   * The location of the page: in the user's browser, or in a window of the program `tessera-
   * webview`; see webview.md. The value is `default` or `embedded` (default: `default`).
   */
  webviewType?: 'default' | 'embedded';
  /** Whether an embedded web view starts without cookies and stores none (default: `true`). */
  prefersEphemeralWebBrowserSession?: boolean;
  /** The absolute path of `tessera-webview` (default: the installed one). */
  webviewProgram?: string;
  /**
   * The HTML page to show after the provider's if the sign-in succeeded; see interactive.md
   * (default: built in).
   */
  successPage?: string;
  /** The HTML page to show if it failed (default: built in). */
  failurePage?: string;
  /**
   * A file descriptor to read lines from, so that the user can paste the URL at which the browser
   * ended. It stays open; nothing else may read from it during the call.
   */
  answerDescriptor?: number;
}

/** A request for a non-blocking sign-in in a browser. */
export interface InteractiveCallRequest {
  /** As in SilentRequest. */
  scopes?: readonly string[];
  /** As in SilentRequest, instead of `scopes`. */
  resource?: string;
  /** Scopes to consent to now, for later tokens of other resources. */
  extraScopesToConsent?: readonly string[];
  /** Another authority (default: the application's). */
  authority?: string;
  /** The account that must sign in (default: any account). */
  homeAccountId?: string;
  /** Whether another account than `home_account_id` may sign in (default: `false`). */
  acceptOtherAccount?: boolean;
  /** The user name to fill in on the page (default: the account's user name). */
  loginHint?: string;
  /** The domain of the user's organization. */
  domainHint?: string;
  /**
   * The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core
   * section 3.1.2.1).
   */
  uiLocales?: string;
  /**
   * The `prompt` parameter of OpenID Connect. The value is `select_account`, `login`, `consent`,
   * `create` or `none` (default: chosen by the provider).
   */
  prompt?: 'select_account' | 'login' | 'consent' | 'create' | 'none';
  /** The `claims` of the error that made this sign-in necessary. */
  claims?: string;
  /** Parameters to add to the URL of the page. */
  extraQueryParameters?: Readonly<Record<string, string>>;
  /**
   * Parameters to add to the body of the token request, and of a silent request. They take
   * precedence over the configuration.
   */
  extraTokenParameters?: Readonly<Record<string, string>>;
  /**
   * The `response_mode` of the authorization request. The value is `query` or `form_post`
   * (default: `query`).
   */
  responseMode?: 'query' | 'form_post';
  /** The deadline of the call (default: 1 hour). */
  timeoutMilliseconds?: number;
  /** An ID for the server's log (default: a new UUID). */
  correlationId?: string;
  /** The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged. */
  traceparent?: string;
  /** The `tracestate` of the trace, only with `traceparent`. */
  tracestate?: string;
  /**
   * Whether to try a silent request first, for `home_account_id` or for the only account that
   * matches `login_hint`. The page is opened only if it fails with the remedy `sign_in`, or
   * returns a token with declined scopes: such an application opens a page at each call for as
   * long as the server declines them (default: `false`).
   */
  silentFirst?: boolean;
  /**
   * Whether to open the user's browser: according to the table, always, or never. The value is
   * `automatic`, `open` or `show` (default: `automatic`).
   */
  browser?: 'automatic' | 'open' | 'show';
  /**
   * The location of the page: in the user's browser, or in a window of the program `tessera-
   * webview`; see webview.md. The value is `default` or `embedded` (default: `default`).
   */
  webviewType?: 'default' | 'embedded';
  /** Whether an embedded web view starts without cookies and stores none (default: `true`). */
  prefersEphemeralWebBrowserSession?: boolean;
  /** The absolute path of `tessera-webview` (default: the installed one). */
  webviewProgram?: string;
  /**
   * The HTML page to show after the provider's if the sign-in succeeded; see interactive.md
   * (default: built in).
   */
  successPage?: string;
  /** The HTML page to show if it failed (default: built in). */
  failurePage?: string;
  /**
   * A file descriptor to read lines from, so that the user can paste the URL at which the browser
   * ended. It stays open; nothing else may read from it during the call.
   */
  answerDescriptor?: number;
  /**
   * Only for `tessera_call_group_acquire_token_interactive`: whether the application shows the
   * URL if no browser is opened. With `false`, such a call fails with `browser_unavailable`
   * (default: `true`).
   */
  showsAddress?: boolean;
}

/** The document "SignInPrompt". */
export interface SignInPrompt {
  /** The URL of the provider's page, valid for one sign-in. */
  readonly url: string;
  /** Whether a browser is opened with it; if not, show the URL. */
  readonly opensBrowser: boolean;
  /** The reason for that, a value of the table. */
  readonly reason: string;
  /** The start of the URL at which the browser ends. */
  readonly redirectUri: string;
  /** The problem since the previous prompt. Present from the second prompt on. */
  readonly problem?: string;
}

/** The options for Microsoft Authenticator. */
export interface AuthenticatorOptions {
  /**
   * `LSApplicationQueriesSchemes` of Info.plist, to be checked: a missing scheme causes
   * `redirect_scheme_not_registered`.
   */
  querySchemes?: readonly string[];
  /** The display name of your application. */
  clientAppName?: string;
  /** The version of your application. */
  clientAppVersion?: string;
  /** The broker features that the application supports, such as `sso_extension`. */
  sdkCapabilities?: readonly string[];
  /** The enrollments in Intune, if different from the configuration; see brokers.md. */
  intuneEnrollmentIds?: Record<string, unknown>;
  /** The resource of Intune, if different from the configuration. */
  intuneMamResource?: Readonly<Record<string, string>>;
  /** The client ID of the application in which this one is embedded. */
  brkClientId?: string;
  /** The redirect URI of that application, to which the response is sent. */
  brkRedirectUri?: string;
  /** The name of the library, for Microsoft's statistics. */
  clientSku?: string;
  /** The libraries that were used before this one, for Microsoft's statistics. */
  platformSequence?: string;
  /** The state of the onboarding of the user's device. */
  onboardingBlob?: string;
  /** Whether the application supports the new onboarding of a device. */
  newMobileOnboardingFlow?: boolean;
  /** Whether to request device-bound refresh tokens. */
  boundRefreshTokens?: boolean;
  /** A credential of another provider for the user. */
  userFederatedIdentityCredential?: string;
}

/** The document "SignInSession". */
export interface SignInSession {
  /**
   * The URL of the provider's page, valid for one sign-in. With `authenticator` it is the
   * broker's URL, and contains the key that decrypts its response: do not log it.
   */
  readonly url: string;
  /**
   * The value to pass to `tessera_application_complete_sign_in`: opaque, encrypted with a key of
   * the store, valid for one sign-in. Neither console.log() nor JSON.stringify() shows it.
   */
  readonly state: string;
  /** The time at which `state` expires. */
  readonly expiresOn: Date;
  /** The redirect URI of the response. */
  readonly redirectUri: string;
}

/** The response of a provider at the redirect URI. */
export interface RedirectResponse {
  /** The `state` of the SignInSession. */
  state: string;
  /** The complete URL that was opened at the redirect URI. */
  url?: string;
  /** Instead of `url`: the body that was posted to the redirect URI. */
  form?: string;
  /** The application that opened the redirect URI (default: unknown). */
  sourceApplication?: string;
  /** The deadline of the call. */
  timeoutMilliseconds?: number;
}

/** The document "BrokerVisit". */
export interface BrokerVisit {
  /** The name of the broker. */
  readonly broker: string;
  /** The outcome. The value is `used` or `skipped`. */
  readonly outcome: 'used' | 'skipped' | Later;
  /** The reason for skipping it. Present if skipped. */
  readonly reason?: string;
  /** The reason as a sentence. Present if skipped. */
  readonly message?: string;
}

/** The document "TenantProfile". */
export interface TenantProfile {
  /** The tenant; empty for a provider without tenants. */
  readonly tenantId: string;
  /** The ID of the user in that tenant. */
  readonly localAccountId: string;
  /** Whether it is the user's home tenant; in other tenants the user is a guest. */
  readonly isHomeTenant: boolean;
  /** The user name in that tenant, as of the last sign-in there. Present if known. */
  readonly username?: string;
  /** The claims of that tenant's ID token. Present if requested. */
  readonly claims?: Record<string, unknown>;
}

/** The document "TokenDescription". */
export interface TokenDescription {
  /** Whether the token can be decoded. The value is `jwt` or `opaque`. */
  readonly kind: 'jwt' | 'opaque' | Later;
  /** Always `false`: the signature is not verified. */
  readonly verified: boolean;
  /** A remark on this kind of token. */
  readonly hint: string;
  /** `aud`. */
  readonly audiences: readonly string[];
  /** `scp` or `scope`. */
  readonly scopes: readonly string[];
  /** `roles`. */
  readonly roles: readonly string[];
  /** `alg`. Present if in the token. */
  readonly algorithm?: string;
  /** `iss`. Present if in the token. */
  readonly issuer?: string;
  /** `sub`. Present if in the token. */
  readonly subject?: string;
  /** `tid`. Present if in the token. */
  readonly tenantId?: string;
  /** `azp`, `appid` or `client_id`. Present if in the token. */
  readonly clientId?: string;
  /** `preferred_username`, `upn` or `unique_name`. Present if in the token. */
  readonly username?: string;
  /** `iat`. Present if in the token. */
  readonly issuedOn?: Date;
  /** `nbf`. Present if in the token. */
  readonly notBeforeOn?: Date;
  /** `exp`. Present if in the token. */
  readonly expiresOn?: Date;
}

/** The document "ErrorCause". */
export interface ErrorCause {
  /** The source of the error. */
  readonly domain: string;
  /** The number of the error there. Present if it has one. */
  readonly number?: number;
  /** The name of the error there. Present if it has one. */
  readonly code?: string;
  /** A description. Present if there is one. */
  readonly message?: string;
}

/** A request for a cookie of the broker. */
export interface BrokerCookieRequest {
  /** The authority of the account (default: the application's). */
  authority?: string;
  /**
   * The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a
   * signature, 40 for cookies).
   */
  timeoutMilliseconds?: number;
  /** An ID for the log of the server and of the broker (default: a new UUID). */
  correlationId?: string;
  /** The account to sign in. */
  homeAccountId: string;
  /**
   * The sign-in page, with https and in the authority's cloud, including the `sso_nonce` that the
   * page sent.
   */
  ssoUrl: string;
  /** The scopes that the browser requests (default: Graph's). */
  scopes?: readonly string[];
}

/** A request to sign an HTTP request. */
export interface BrokerSigningRequest {
  /** The authority of the account (default: the application's). */
  authority?: string;
  /**
   * The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a
   * signature, 40 for cookies).
   */
  timeoutMilliseconds?: number;
  /** An ID for the log of the server and of the broker (default: a new UUID). */
  correlationId?: string;
  /** The account of the signing key. */
  homeAccountId: string;
  /** The method of the request, such as `GET`. */
  httpMethod: string;
  /** The URL of the request. Its host and path are signed in their exact spelling. */
  url: string;
  /** The nonce of the resource. */
  nonce?: string;
  /** Further claims, as JSON text. */
  clientClaims?: string;
  /** The key (default: chosen by the broker). */
  keyId?: string;
}

/** The document "BrokerAccount". */
export interface BrokerAccount {
  /** The stable ID of the account, for silent requests. */
  readonly homeAccountId: string;
  /** The object ID in a tenant. Present if known. */
  readonly localAccountId?: string;
  /** That tenant. Present if known. */
  readonly tenantId?: string;
  /** The host of the cloud. Present if known. */
  readonly environment?: string;
  /** The user name. Present if known. */
  readonly username?: string;
  /** The display name. Present if known. */
  readonly name?: string;
  /** The given name. Present if known. */
  readonly givenName?: string;
  /** The family name. Present if known. */
  readonly familyName?: string;
}

/** A request to the broker. */
export interface BrokerRequest {
  /** The authority of the account (default: the application's). */
  authority?: string;
  /**
   * The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a
   * signature, 40 for cookies).
   */
  timeoutMilliseconds?: number;
  /** An ID for the log of the server and of the broker (default: a new UUID). */
  correlationId?: string;
}

/** The document "BrokerVersion". */
export interface BrokerVersion {
  /** The version of the broker. */
  readonly version: string;
}

/** The document "BrokerCookie". */
export interface BrokerCookie {
  /** The name of the header field. */
  readonly name: string;
  /** The value of the header field. Neither console.log() nor JSON.stringify() shows it. */
  readonly content: string;
}

/** The document "BrokerSignature". */
export interface BrokerSignature {
  /** The signed request. Neither console.log() nor JSON.stringify() shows it. */
  readonly signedHttpRequest: string;
}

/** The configuration of an application. */
export interface Configuration {
  /** The client ID that the provider assigned to the application. */
  clientId: string;
  /**
   * The redirect URI for sign-ins in a browser, as registered with the provider; see
   * interactive.md (default: `msauth.[bundle_id]://auth`; without `bundle_id`,
   * `http://localhost`).
   */
  redirectUri?: string;
  /**
   * The identifier of the application, such as `com.example.mail`. The default redirect URI is
   * derived from it.
   */
  bundleId?: string;
  /**
   * The default authority: the URL of a tenant, or an issuer exactly as its discovery document
   * states it. It must use https; http is accepted for this machine only (default:
   * `https://login.microsoftonline.com/common`).
   */
  authority?: string;
  /**
   * Instead of `authority`: the cloud of an Entra authority. The value is `public`, `china`,
   * `germany`, `us_government`, `france`, `delos` or `gov_sg` (default: `public`).
   */
  cloud?: 'public' | 'china' | 'germany' | 'us_government' | 'france' | 'delos' | 'gov_sg';
  /**
   * Instead of `authority`: the supported account types, as in the registration. The value is
   * `AzureADandPersonalMicrosoftAccount`, `AzureADMultipleOrgs`, `AzureADMyOrg` or
   * `PersonalMicrosoftAccount` (default: `AzureADMyOrg` with a `tenant`, otherwise
   * `AzureADandPersonalMicrosoftAccount`).
   */
  audience?: 'AzureADandPersonalMicrosoftAccount' | 'AzureADMultipleOrgs' | 'AzureADMyOrg' | 'PersonalMicrosoftAccount';
  /** Instead of `authority`, only for `AzureADMyOrg`: the tenant ID or a domain of the tenant. */
  tenant?: string;
  /**
   * The kind of the authority: an Entra tenant, a B2C policy, an external tenant, ADFS, or any
   * other OpenID Connect provider. The value is `entra`, `b2c`, `ciam`, `adfs` or `openid`
   * (default: derived from the URL, see authorities.md).
   */
  authorityType?: 'entra' | 'b2c' | 'ciam' | 'adfs' | 'openid';
  /**
   * Entra only: allows sign-ins of users from other Microsoft clouds, each in their own cloud;
   * see authorities.md (default: `false`).
   */
  multipleClouds?: boolean;
  /**
   * Authorities that the application trusts, so that no instance discovery is needed for their
   * hosts. Other applications with the same store are not affected. The authority of a request on
   * such a host has the same kind, unless its URL indicates another one.
   */
  knownAuthorities?: readonly string[];
  /**
   * The client capabilities to announce, such as `CP1`: the application handles claims
   * challenges. Tokens with different capabilities are cached separately, even for the same
   * `client_id`.
   */
  clientCapabilities?: readonly string[];
  /** The credential of a confidential client; see services.md (default: none: a public client). */
  credential?: ClientCredential;
  /**
   * The method of client authentication; only with `credential`. The value is
   * `client_secret_post`, `client_secret_basic` or `private_key_jwt` (default: with a secret,
   * `client_secret_post` at Microsoft's authorities; elsewhere `client_secret_basic`, unless the
   * discovery document lists only `client_secret_post`).
   */
  authenticationMethod?: 'client_secret_post' | 'client_secret_basic' | 'private_key_jwt';
  /**
   * The audience of the assertions that the application signs. The value is `token_endpoint` or
   * `issuer` (default: `token_endpoint` at Microsoft's authorities, `issuer` elsewhere).
   */
  assertionAudience?: 'token_endpoint' | 'issuer';
  /**
   * Whether the identity broker of this machine is used for tokens and sign-ins. `require`
   * rejects device codes and pages that the application shows; see brokers.md. The value is
   * `never`, `prefer` or `require` (default: `never`).
   */
  broker?: 'never' | 'prefer' | 'require';
  /**
   * The most detailed level that `host->log` receives: 1 error, 2 warning, 3 information, 4
   * detail (default: 3).
   */
  logLevel?: number;
  /**
   * Whether log messages may contain personal data. Otherwise user names are masked
   * (`auth.placeholder-1a2b3c4d__contoso.com`; the domain remains), paths are reduced to their
   * last component, that of a `store.msal_cache` to a hash, and errors to their code (default:
   * `false`).
   */
  logPii?: boolean;
  /** The token store. */
  store?: StoreOptions;
  /** Proxies, certificates and timeouts. */
  network?: NetworkOptions;
  /** The use and the refresh of tokens. */
  tokens?: TokenOptions;
  /** The state of Intune app protection, as the Intune SDK provides it; see brokers.md. */
  intune?: IntuneOptions;
  /** Texts for users that replace those of the library, by code. */
  userMessages?: UserMessages;
  /** Options that few applications need. */
  advanced?: AdvancedOptions;
}

/** The document "MetricsSnapshot". */
export interface MetricsSnapshot {
  /** The numbers of events since the application was created. */
  readonly counters: readonly MetricValue[];
  /** The present values. */
  readonly gauges: readonly MetricValue[];
  /** The distributions of values since the application was created. */
  readonly histograms: readonly MetricHistogram[];
}

/** The document "KnownCaches". */
export interface KnownCaches {
  /** The locations of known caches. */
  readonly caches: readonly FoundCache[];
}

/** The document "MigrationReport". */
export interface MigrationReport {
  /** The format of the cache. */
  readonly format: string;
  /** Whether nothing was stored. */
  readonly dryRun: boolean;
  /** The accounts of the cache; see coming-from-adal.md. */
  readonly accounts: readonly MigratedAccount[];
  /**
   * The number of records of the unified schema that were imported from this cache or already
   * existed; in a dry run, the number that would be imported or already exists. Their accounts
   * are in `accounts`.
   */
  readonly recordCount: number;
  /**
   * The numbers of entries that were left unchanged in the old cache, by kind: `wipe_marker`,
   * `primary_refresh_token`, `intune`, `device_registration`, `service_principal`, `unknown`.
   */
  readonly preserved: Readonly<Record<string, number>>;
  /** The entries that could not be read, at most 100; see coming-from-adal.md. */
  readonly damaged: readonly DamagedEntry[];
  /** The number of further damaged entries. */
  readonly furtherDamaged: number;
}

/** The document "ExportedSignIns". */
export interface ExportedSignIns {
  /** The `format` of the request. */
  readonly format: string;
  /**
   * The number of exported accounts. `adal_macos` has only accounts with a user name, because
   * ADAL finds no others.
   */
  readonly accountCount: number;
  /**
   * The keychain access groups of ADAL and MSAL, for iOS and for macOS. Present for
   * `apple_keychain`.
   */
  readonly accessGroups?: readonly string[];
  /** The keychain items. **They contain refresh tokens**. Present for `apple_keychain`. */
  readonly items?: readonly KeychainItem[];
  /**
   * The cache of ADAL for macOS in Base64. **It contains refresh tokens**. Present for
   * `adal_macos`. Neither console.log() nor JSON.stringify() shows it.
   */
  readonly data?: string;
}

/** The document "CopyReport". */
export interface CopyReport {
  /** Whether nothing was stored. */
  readonly dryRun: boolean;
  /** The accounts of the other store. */
  readonly accounts: readonly CopiedAccount[];
  /** The number of copied records, including those without an account. */
  readonly recordCount: number;
}

/** A request to begin a sign-in. */
export interface SignInRequest {
  /** As in SilentRequest. */
  scopes?: readonly string[];
  /** As in SilentRequest, instead of `scopes`. */
  resource?: string;
  /** Scopes to consent to now, for later tokens of other resources. */
  extraScopesToConsent?: readonly string[];
  /** Another authority (default: the application's). */
  authority?: string;
  /** The account that must sign in (default: any account). */
  homeAccountId?: string;
  /** Whether another account than `home_account_id` may sign in (default: `false`). */
  acceptOtherAccount?: boolean;
  /** The user name to fill in on the page (default: the account's user name). */
  loginHint?: string;
  /** The domain of the user's organization. */
  domainHint?: string;
  /**
   * The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core
   * section 3.1.2.1).
   */
  uiLocales?: string;
  /**
   * The `prompt` parameter of OpenID Connect. The value is `select_account`, `login`, `consent`,
   * `create` or `none` (default: chosen by the provider).
   */
  prompt?: 'select_account' | 'login' | 'consent' | 'create' | 'none';
  /** The `claims` of the error that made this sign-in necessary. */
  claims?: string;
  /** Parameters to add to the URL of the page. */
  extraQueryParameters?: Readonly<Record<string, string>>;
  /**
   * Parameters to add to the body of the token request. They take precedence over the
   * configuration.
   */
  extraTokenParameters?: Readonly<Record<string, string>>;
  /**
   * The `response_mode` of the authorization request. The value is `query` or `form_post`
   * (default: `query`).
   */
  responseMode?: 'query' | 'form_post';
  /** The deadline of the call. */
  timeoutMilliseconds?: number;
  /** An ID for the server's log (default: a new UUID). */
  correlationId?: string;
  /** The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged. */
  traceparent?: string;
  /** The `tracestate` of the trace, only with `traceparent`. */
  tracestate?: string;
  /**
   * The delivery of the redirect: the host application observes the navigation of its page, or
   * the system opens the redirect URI. In the second case its scheme must be registered. The
   * value is `host` or `system` (default: `host`).
   */
  delivery?: 'host' | 'system';
  /** The only application that may open the redirect URI (default: any). */
  sourceApplication?: string;
  /**
   * Signs in with Microsoft Authenticator on Apple's systems; `url` is then the URL that opens
   * it. See brokers.md (default: none: a page).
   */
  authenticator?: AuthenticatorOptions;
  /** The lifetime of the sign-in (default: 3600). */
  lifetimeSeconds?: number;
}

/** The document "Account". */
export interface Account {
  /** The ID of the account, the same in all tenants. Pass it to later calls unchanged. */
  readonly homeAccountId: string;
  /**
   * The host of the cloud; for plain OpenID Connect the issuer without `https://`. For an
   * authority over http it includes `http://`.
   */
  readonly environment: string;
  /** The user name. It may change; use it only for display and search. Present if known. */
  readonly username?: string;
  /** The display name of the user. Present if known. */
  readonly name?: string;
  /**
   * The claims of the home tenant's ID token; absent for users known only as guests. Present if
   * requested.
   */
  readonly claims?: Record<string, unknown>;
  /** The tenants in which the account is known, home tenant first. */
  readonly tenantProfiles: readonly TenantProfile[];
}

/** The document "BrokerAccountList". */
export interface BrokerAccountList {
  /** The accounts. */
  readonly accounts: readonly BrokerAccount[];
}

/** The document "BrokerCookies". */
export interface BrokerCookies {
  /** The cookies. */
  readonly cookies: readonly BrokerCookie[];
}

/** The document "AccountList". */
export interface AccountList {
  /** The accounts. */
  readonly accounts: readonly Account[];
}

/** The document "AccountResult". */
export interface AccountResult {
  /** The account. */
  readonly account: Account;
}

/** The document "CurrentAccount". */
export interface CurrentAccount {
  /** The only account that is signed in; null if none is. */
  readonly account?: Account | null;
  /**
   * The account at the last such call, in any process with this client ID; null if there was
   * none.
   */
  readonly previousAccount?: Account | null;
}

/** The document "Error". */
export interface ErrorDetails {
  /** The remedy: the status as a name, see errors.md. */
  readonly remedy: string;
  /** The name of the error, see errors.md. */
  readonly code: ErrorCode;
  /**
   * A description for developers, in one line. In it, and in the server's texts below, control
   * characters are removed and long texts are truncated with `…`.
   */
  readonly message: string;
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;
  /**
   * The number of seconds to wait before a retry. It is 60 if the server sent status 429 without
   * `Retry-After`. Present if the server sent it, and with `throttled`.
   */
  readonly retryAfter?: number;
  /** `error` (RFC 6749 section 5.2). Present if the server sent it. */
  readonly oauthError?: string;
  /** Entra's `suberror`, which refines `oauth_error`. Present if the server sent it. */
  readonly suberror?: string;
  /** The AADSTS numbers. Present if the server sent them. */
  readonly serverCodes?: readonly number[];
  /**
   * The ID of the exchange, for the server's support: from the body, or else from the header
   * `client-request-id`, or else the ID of the request. Present after an error response, or a
   * response that is not JSON.
   */
  readonly correlationId?: string;
  /**
   * The server's trace ID, for its support: from the body, or else from the header `x-ms-request-
   * id`. Present if the server sent it.
   */
  readonly traceId?: string;
  /** A claims challenge; pass it to an interactive request. Present if the server sent it. */
  readonly claims?: string;
  /**
   * The granted scopes, without the reserved ones. Present with `server_declined_scopes`, if
   * known.
   */
  readonly grantedScopes?: readonly string[];
  /** The requested scopes that were not granted. Present with `server_declined_scopes`, if known. */
  readonly declinedScopes?: readonly string[];
  /**
   * The user name of the account concerned. Present with `protection_policy_required`,
   * `account_mismatch`, `workplace_join_required` and errors of brokers, if known.
   */
  readonly username?: string;
  /**
   * The ID of the account concerned. Present with `protection_policy_required`,
   * `account_mismatch`, `workplace_join_required` and errors of brokers, if known.
   */
  readonly homeAccountId?: string;
  /**
   * The URL of the application that registers devices. It is not authenticated: show it to the
   * user before you open it. Present with `workplace_join_required` and
   * `device_upgrade_required`, if the page sent it.
   */
  readonly appLink?: string;
  /** The organization requires device-bound tokens. Present with the same codes, if it applies. */
  readonly tokenProtectionRequired?: boolean;
  /**
   * The authority that applies the policy. Present with `protection_policy_required`, if a server
   * sent it.
   */
  readonly authority?: string;
  /**
   * The process that held the lock of the credential, or of the shared MSAL cache, until the
   * deadline. Present with `store_busy`, if the system reports it.
   */
  readonly holderProcessId?: number;
  /** The matching accounts. Present with `ambiguous_account`. */
  readonly accounts?: readonly Account[];
  /** The underlying errors, the direct cause first; see errors.md. Present if there are any. */
  readonly causes?: readonly ErrorCause[];
  /** The error code that MSAL for Apple reports. Present usually. */
  readonly msalCode?: number;
  /** The internal error code that MSAL for Apple reports. Present if there is one. */
  readonly msalInternalCode?: number;
}

/** The document "Revocation". */
export interface Revocation {
  /** The application of the refresh token. */
  readonly clientId: string;
  /** Whether the provider revoked it. */
  readonly revoked: boolean;
  /** The reason. Present after a failure. */
  readonly error?: ErrorDetails;
}

/** The document "BrokerRemoval". */
export interface BrokerRemoval {
  /** The number of removed accounts. */
  readonly removed: number;
  /** The reason. Present after a failure. */
  readonly error?: ErrorDetails;
}

/** The document "StoreInfo". */
export interface StoreInfo {
  /**
   * The state of the store. `locked`: the key cannot be reached; `undecryptable`: the store has
   * another key. The value is `missing`, `empty`, `usable`, `read_only`, `damaged`, `too_new`,
   * `locked`, `undecryptable`, `busy` or `unavailable`.
   */
  readonly state: 'missing' | 'empty' | 'usable' | 'read_only' | 'damaged' | 'too_new' | 'locked' | 'undecryptable' | 'busy' | 'unavailable' | Later;
  /**
   * The policy that the application requested. The value is `require_encrypted`,
   * `prefer_encrypted`, `allow_plaintext` or `memory_only`.
   */
  readonly storagePolicy: 'require_encrypted' | 'prefer_encrypted' | 'allow_plaintext' | 'memory_only' | Later;
  /**
   * `encrypted`: the key is not on the same disk; `obfuscated`: the key is in a file; for a
   * missing store, the protection that it would get. The value is `encrypted`, `obfuscated`,
   * `plaintext` or `memory`. Present if known.
   */
  readonly protection?: 'encrypted' | 'obfuscated' | 'plaintext' | 'memory' | Later;
  /**
   * The location of the key, or of the key that would be created. The value is `caller`,
   * `secret_service`, `kernel_keyring` or `key_file`. Present if there is one.
   */
  readonly keySource?: 'caller' | 'secret_service' | 'kernel_keyring' | 'key_file' | Later;
  /** The locations that were tried before, without success. */
  readonly attempts: readonly KeyAttempt[];
  /**
   * The database; with `msal_cache` the cache file, or the file whose modification time signals a
   * change of a keyring item. Present with a database or a file.
   */
  readonly path?: string;
  /** See store.md. Present with a database. */
  readonly layoutVersion?: number;
  /** The bytes in use. Present with a database or a file. */
  readonly bytes?: number;
  /** The size of the file. Present with a database or a file; not for a keyring item. */
  readonly fileBytes?: number;
  /**
   * The size at which access tokens are evicted, starting with those that expire first. Present
   * if there is one.
   */
  readonly limitBytes?: number;
  /** The numbers of records. Present if it can be read. */
  readonly records?: StoreRecords;
  /**
   * The processes among which one at a time refreshes a token: the threads of this process; the
   * processes of this machine; those that the locks of a host application's store exclude. The
   * value is `process`, `machine` or `host`.
   */
  readonly lockScope: 'process' | 'machine' | 'host' | Later;
  /** Whether the store is a cache file of other libraries, which read and write it as well. */
  readonly sharedWithPeers: boolean;
  /**
   * Whether the store is on a network file system, or would be. Its locks then apply to this
   * machine only, and every call reads the database.
   */
  readonly networkFileSystem: boolean;
  /** The paths of quarantined databases. */
  readonly setAside: readonly string[];
  /**
   * The error that a call would report. A missing store that cannot be created is `unavailable`,
   * with the directory that cannot be written. Present after a problem.
   */
  readonly problem?: ErrorDetails;
}

/** The document "Explanation". */
export interface Explanation {
  /**
   * The first step of the call: `use` a cached token, `broker`: request a token from the identity
   * broker, `refresh`, `pause` because the same request failed recently, or `sign_in`;
   * `signed_in` for a completed sign-in.
   */
  readonly decision: string;
  /**
   * `valid` for a cached token. For a refresh or a broker request: `missing`, `expired`, `due`
   * (the server recommended a refresh by now), `doubtful` (the clocks disagree), `forced`,
   * `claims`. `device_code` after a sign-in; otherwise the code of `error`.
   */
  readonly reason: string;
  /** The decision and its reason as a sentence. */
  readonly message: string;
  /** The requested account. */
  readonly homeAccountId: string;
  /** The requested authority. */
  readonly authority: string;
  /**
   * The tenant of the authority for this account; empty for a provider without tenants. Present
   * if known.
   */
  readonly tenantId?: string;
  /** The hosts of the cloud, or the issuer, of the considered tokens. */
  readonly environments: readonly string[];
  /** The requested scopes. */
  readonly scopes: readonly string[];
  /** The tokens of the account, in order of use. */
  readonly candidates: readonly TokenCandidate[];
  /**
   * The error with which the call would fail. With `broker`, it applies only if the broker has no
   * token. With `server_declined_scopes`, the call returns the token for the granted scopes
   * instead, if the store has it. Present with `sign_in` and `pause`, and with `broker` after a
   * recent failure of the same request.
   */
  readonly error?: ErrorDetails;
  /** The outcome for each broker. Present if a broker was to be used, except in a dry run. */
  readonly brokers?: readonly BrokerVisit[];
  /** The kind of the store: `sqlite`, `msal_file` or `memory`. */
  readonly store: string;
  /** The duration of reading the store and deciding. */
  readonly readMicroseconds: number;
  /** The duration of the requests to servers. Present except in a dry run. */
  readonly networkMicroseconds?: number;
  /**
   * The duration of the whole call, including waits for other processes. Present except in a dry
   * run.
   */
  readonly totalMicroseconds?: number;
}

/** The document "SignOutReport". */
export interface SignOutReport {
  /** The `scope` of the request. */
  readonly scope: string;
  /** The accounts that were signed out; for `machine`, those of this application. */
  readonly accounts: readonly Account[];
  /** The numbers of removed records. */
  readonly removed: RemovedRecords;
  /** The tokens and sessions that were not removed. */
  readonly remaining: readonly LeftoverToken[];
  /** One for each refresh token to revoke. */
  readonly revocations: readonly Revocation[];
  /**
   * The URL that ends the browser session. If the store has an ID token of the account, the URL
   * contains it (`id_token_hint`, OpenID Connect RP-Initiated Logout 1.0), unless it is longer
   * than 4096 bytes. Open the URL in the browser and do not log it. Present if requested and
   * available. Neither console.log() nor JSON.stringify() shows it.
   */
  readonly endSessionUrl?: string;
  /** The result of the identity broker. Present with `from_broker`. */
  readonly broker?: BrokerRemoval;
  /** Problems that did not prevent the sign-out. Present if there are any. */
  readonly warnings?: readonly string[];
}

/** The document "TokenResult". */
export interface TokenResult {
  /**
   * The access token. Treat it as opaque; only the resource may interpret it. Neither
   * console.log() nor JSON.stringify() shows it.
   */
  readonly accessToken: string;
  /** The token type, currently always `Bearer`. */
  readonly tokenType: string;
  /** The expiry time. */
  readonly expiresOn: Date;
  /** The time until which the token may be used during an outage. Present if the server sent it. */
  readonly extendedExpiresOn?: Date;
  /**
   * The time from which the server recommends a refresh; silent requests follow it. Present if
   * the server sent it.
   */
  readonly refreshOn?: Date;
  /** The granted scopes, in the server's spelling; the requested ones if the response has none. */
  readonly scopes: readonly string[];
  /**
   * The requested scopes that were not granted. The status is then `TESSERA_STATUS_SIGN_IN`. The
   * token is stored and can be used for `scopes`. Present if the server declined some.
   */
  readonly declinedScopes?: readonly string[];
  /**
   * The raw ID token. Present if there is one. Neither console.log() nor JSON.stringify() shows
   * it.
   */
  readonly idToken?: string;
  /** The claims of the ID token. Present if there is one. */
  readonly idTokenClaims?: Record<string, unknown>;
  /** The account of the token. */
  readonly account: Account;
  /** The tenant of the token; empty for a provider without tenants. */
  readonly tenantId: string;
  /** The authority that issued the token, with the actual tenant. */
  readonly authority: string;
  /** The source of the token. The value is `cache`, `network` or `broker`. */
  readonly source: 'cache' | 'network' | 'broker' | Later;
  /** The outcome for each broker; see brokers.md. Present if a broker was to be used. */
  readonly brokers?: readonly BrokerVisit[];
  /**
   * Whether the token is in the store. If not, `warnings` has the reason; the token is valid
   * nevertheless.
   */
  readonly persisted: boolean;
  /**
   * The reason for opening or not opening the browser, a value of the table. Present after a
   * sign-in in a browser.
   */
  readonly browserReason?: string;
  /**
   * Always `true`: the token has expired, and is returned only because the server is down and
   * allows this use; see `refresh_error`. Present during an outage.
   */
  readonly extendedLifetime?: boolean;
  /** The error of the refresh. Present after a failed refresh. */
  readonly refreshError?: ErrorDetails;
  /** Problems that did not prevent the call from succeeding. Present if there are any. */
  readonly warnings?: readonly string[];
  /**
   * The reason for the choice of this token, and the duration of each step. Present with
   * `explain`.
   */
  readonly explanation?: Explanation;
}
