// SPDX-License-Identifier: MIT

// Code generated from docs/documents.toml and docs/errors.toml. DO NOT EDIT.

package tessera

import (
	"encoding/json"
	"time"
)

// The error codes; docs/errors.md describes them. Later versions add codes.
const (
	CodeInteractionRequired          = "interaction_required"
	CodeConsentRequired              = "consent_required"
	CodeMFARequired                  = "mfa_required"
	CodePasswordExpired              = "password_expired"
	CodePasswordResetRequired        = "password_reset_required"
	CodeCredentialsRejected          = "credentials_rejected"
	CodeAccountDisabled              = "account_disabled"
	CodeAccountNotInTenant           = "account_not_in_tenant"
	CodeDeviceRequired               = "device_required"
	CodeAccessBlocked                = "access_blocked"
	CodeAccountNotFound              = "account_not_found"
	CodeRefreshTokenRejected         = "refresh_token_rejected"
	CodeCodeExpired                  = "code_expired"
	CodeAccountMismatch              = "account_mismatch"
	CodeServerDeclinedScopes         = "server_declined_scopes"
	CodeInvalidAuthorizationResponse = "invalid_authorization_response"
	CodeSignInExpired                = "sign_in_expired"
	CodeSignInUsed                   = "sign_in_used"
	CodeSignInLost                   = "sign_in_lost"
	CodeWorkplaceJoinRequired        = "workplace_join_required"
	CodeDeviceUpgradeRequired        = "device_upgrade_required"
	CodeDeviceEnrollmentCompleted    = "device_enrollment_completed"
	CodeBrokerResponseMissing        = "broker_response_missing"
	CodeBrokerResponseCorrupted      = "broker_response_corrupted"
	CodeBrokerDecryptionFailed       = "broker_decryption_failed"
	CodeBrokerHashMissing            = "broker_hash_missing"
	CodeBrokerHashMismatch           = "broker_hash_mismatch"
	CodeBrokerFailed                 = "broker_failed"
	CodeSSOExtensionFailed           = "sso_extension_failed"
	CodeStoreMissing                 = "store_missing"
	CodeStoreEmpty                   = "store_empty"
	CodeCacheDamaged                 = "cache_damaged"
	CodeNetworkFailed                = "network_failed"
	CodeServerUnavailable            = "server_unavailable"
	CodeThrottled                    = "throttled"
	CodeInvalidResponse              = "invalid_response"
	CodeStoreBusy                    = "store_busy"
	CodeTooManyOpenFiles             = "too_many_open_files"
	CodeTooManyThreads               = "too_many_threads"
	CodeStackTooSmall                = "stack_too_small"
	CodeMissingParameter             = "missing_parameter"
	CodeWrongProcess                 = "wrong_process"
	CodeInvalidJson                  = "invalid_json"
	CodeUnknownMember                = "unknown_member"
	CodeInvalidMember                = "invalid_member"
	CodeScopesRequired               = "scopes_required"
	CodeAmbiguousAccount             = "ambiguous_account"
	CodeInteractionInProgress        = "interaction_in_progress"
	CodeStateMismatch                = "state_mismatch"
	CodeInvalidSignInState           = "invalid_sign_in_state"
	CodeBrokerStateMissing           = "broker_state_missing"
	CodeBrokerStateInvalid           = "broker_state_invalid"
	CodeBrokerKeyMissing             = "broker_key_missing"
	CodeBrokerStateMismatch          = "broker_state_mismatch"
	CodeBrokerNonceMismatch          = "broker_nonce_mismatch"
	CodeLegacyCacheInvalid           = "legacy_cache_invalid"
	CodeRequestRejected              = "request_rejected"
	CodeFeatureUnavailable           = "feature_unavailable"
	CodeInvalidConfiguration         = "invalid_configuration"
	CodeInvalidAuthority             = "invalid_authority"
	CodeIssuerMismatch               = "issuer_mismatch"
	CodeInvalidIDToken               = "invalid_id_token"
	CodeClientRejected               = "client_rejected"
	CodeAccountNotAssigned           = "account_not_assigned"
	CodeProtectionPolicyRequired     = "protection_policy_required"
	CodeScopeRejected                = "scope_rejected"
	CodeInvalidRedirectURI           = "invalid_redirect_uri"
	CodeRedirectPortTaken            = "redirect_port_taken"
	CodeRedirectSchemeNotRegistered  = "redirect_scheme_not_registered"
	CodeRedirectSchemeTaken          = "redirect_scheme_taken"
	CodeBrowserUnavailable           = "browser_unavailable"
	CodeBrokerUnavailable            = "broker_unavailable"
	CodeBrokerUnresponsive           = "broker_unresponsive"
	CodeWebviewUnavailable           = "webview_unavailable"
	CodeWebviewFailed                = "webview_failed"
	CodeNavigationRefused            = "navigation_refused"
	CodeRedirectURIRejected          = "redirect_uri_rejected"
	CodeBrokerVersionUnsupported     = "broker_version_unsupported"
	CodeFlowUnsupported              = "flow_unsupported"
	CodeCertificateUntrusted         = "certificate_untrusted"
	CodeLibraryMissing               = "library_missing"
	CodeUnsafeEnvironment            = "unsafe_environment"
	CodeStoreUnavailable             = "store_unavailable"
	CodeStoreUnsafe                  = "store_unsafe"
	CodeStoreReadOnly                = "store_read_only"
	CodeStoreTooNew                  = "store_too_new"
	CodeCacheUndecryptable           = "cache_undecryptable"
	CodeStoreFull                    = "store_full"
	CodeKeyUnavailable               = "key_unavailable"
	CodeEncryptionUnavailable        = "encryption_unavailable"
	CodeCancelled                    = "cancelled"
	CodeDeadlineExceeded             = "deadline_exceeded"
	CodeAccessDenied                 = "access_denied"
	CodeInternalError                = "internal_error"
)

// ClientCredential is the credential of a confidential client.
type ClientCredential struct {
	// A client secret.
	Secret *Secret

	// The path of a file with a client secret. It is read for each request.
	SecretFile *string

	// The certificate of the application in PEM, then those of its issuers. The private key may be in
	// the same text.
	CertificatePEM *string

	// The path of such a file. A replaced file is used for the next request.
	CertificateFile *string

	// The private key of the certificate in PEM.
	KeyPEM *Secret

	// The path of such a file.
	KeyFile *string

	// The path of a PKCS #12 file with the certificate and its private key.
	PfxFile *string

	// The passphrase of the private key, or of the PKCS #12 file.
	Passphrase *Secret

	// Whether assertions contain the certificates (`x5c`), for a registration that trusts a subject
	// and an issuer (default: `false`).
	SendChain *bool

	// An assertion of another issuer. It expires, so a file is better.
	Assertion *Secret

	// The path of a file with an assertion, such as the token of a Kubernetes service account. It is
	// read for each request.
	AssertionFile *string
}

func (r *ClientCredential) appendTo(out encoder) encoder {
	out = out.secret("secret", r.Secret)
	out = out.string("secret_file", r.SecretFile)
	out = out.string("certificate_pem", r.CertificatePEM)
	out = out.string("certificate_file", r.CertificateFile)
	out = out.secret("key_pem", r.KeyPEM)
	out = out.string("key_file", r.KeyFile)
	out = out.string("pfx_file", r.PfxFile)
	out = out.secret("passphrase", r.Passphrase)
	out = out.bool("send_chain", r.SendChain)
	out = out.secret("assertion", r.Assertion)
	out = out.string("assertion_file", r.AssertionFile)
	return out
}

// StoreOptions is the options of the token store.
type StoreOptions struct {
	// The kind of the store: shared with other applications that use Tessera, shared with all MSAL
	// libraries, in memory until the application object is freed, or the store of a host application,
	// which only C programs can pass. The value is `sqlite`, `msal_file`, `memory` or `host` (default:
	// `sqlite`; `msal_file` with `msal_cache`; `host` with `host->store`).
	Kind *string

	// The name of the store. Applications of the same user with the same group share one store. It has
	// 1 to 64 letters, digits, `.`, `_` and `-`. It must not start with `.` or contain `.damaged-`,
	// which marks quarantined databases. With `host`, it is the name of the partition (default:
	// `default`).
	Group *string

	// The absolute path of the store's directory. It is created when a record is first stored
	// (default: `$XDG_DATA_HOME/tessera`, or else `$HOME/.local/share/tessera`).
	Directory *string

	// The required protection of the store; see protection.md. The value is `require_encrypted`,
	// `prefer_encrypted`, `allow_plaintext` or `memory_only` (default: `prefer_encrypted`).
	Policy *string

	// The locations to try for the key of a new store, in order; `caller` only with `key`. With `key`:
	// the locations whose stores are trusted in addition; none if the member is absent. Each is
	// `caller`, `secret_service`, `kernel_keyring` or `key_file` (default: `["secret_service",
	// "key_file"]`).
	KeySources []string

	// The key of the store, if the application manages it. The callback `host->store_key` provides it
	// without a copy as text in memory.
	Key *Secret

	// The store size in MiB (2^20 bytes) at which access tokens are evicted, starting with those that
	// expire first. Refresh tokens are never evicted (default: no limit).
	LimitMegabytes *int64

	// The cache of MSAL for Python, .NET, Go, Java or Node to use as the store: `azure_cli`,
	// `azure_identity`, `azure_identity_cae`, `azure_powershell`, `azure_powershell_cae`, or an
	// absolute path; see store.md. `group`, `directory` and the key options do not apply to it. A
	// cache file is unencrypted, so `require_encrypted` rejects it; a cache that its owner keeps in
	// the keyring is accepted.
	MsalCache *string
}

func (r *StoreOptions) appendTo(out encoder) encoder {
	out = out.string("kind", r.Kind)
	out = out.string("group", r.Group)
	out = out.string("directory", r.Directory)
	out = out.string("policy", r.Policy)
	out = out.strings("key_sources", r.KeySources)
	out = out.secret("key", r.Key)
	out = out.int("limit_megabytes", r.LimitMegabytes)
	out = out.string("msal_cache", r.MsalCache)
	return out
}

// NetworkOptions is the options of the network.
type NetworkOptions struct {
	// The proxy, such as `http://proxy.example:8080`; empty for none. Addresses of this machine are
	// never reached through a proxy (default: `https_proxy`, `http_proxy`, `all_proxy` of the
	// environment).
	Proxy *string

	// The hosts to reach without the proxy, separated by commas (default: `no_proxy` of the
	// environment).
	NoProxy *string

	// A file of CA certificates (PEM) to trust instead (default: `CURL_CA_BUNDLE`, or else
	// `SSL_CERT_FILE`, and `SSL_CERT_DIR`, of the environment; or else the system's certificates).
	CaFile *string

	// The timeout of one exchange with a server. Connecting may use at most 10 seconds of it (default:
	// 30000).
	Timeout *time.Duration

	// The timeout for refreshing a token that is still valid but whose `refresh_on` has passed
	// (default: 5000).
	ProactiveRefreshTimeout *time.Duration
}

func (r *NetworkOptions) appendTo(out encoder) encoder {
	out = out.string("proxy", r.Proxy)
	out = out.string("no_proxy", r.NoProxy)
	out = out.string("ca_file", r.CaFile)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	out = out.milliseconds("proactive_refresh_timeout_milliseconds", r.ProactiveRefreshTimeout)
	return out
}

// TokenOptions is the options of tokens.
type TokenOptions struct {
	// The remaining lifetime below which a cached token is no longer used; at most half of the token's
	// lifetime (default: 300).
	ExpiryMargin *time.Duration

	// Whether an expired token may be returned until `extended_expires_on` while the server is down
	// (default: `false`).
	ExtendedLifetime *bool

	// Whether sign-ins request a refresh token (scope `offline_access`). With `false`, refreshes do
	// not request it either. If a requested refresh token is missing, the result has a warning
	// (default: `true`; `false` for the `prompt` `none` at providers other than Microsoft's).
	RequestRefreshToken *bool

	// `consent` sends `prompt=consent` with the request for a refresh token, as OpenID Connect Core
	// section 11 requires. The user is then asked for consent at each sign-in. Microsoft's
	// authorities, and the `prompt` `none`, are not affected. The value is `consent`.
	OfflineAccessPrompt *string

	// Whether Microsoft's instance discovery validates Entra hosts that are not built in (default:
	// `true`).
	InstanceDiscovery *bool
}

func (r *TokenOptions) appendTo(out encoder) encoder {
	out = out.seconds("expiry_margin_seconds", r.ExpiryMargin)
	out = out.bool("extended_lifetime", r.ExtendedLifetime)
	out = out.bool("request_refresh_token", r.RequestRefreshToken)
	out = out.string("offline_access_prompt", r.OfflineAccessPrompt)
	out = out.bool("instance_discovery", r.InstanceDiscovery)
	return out
}

// IntuneOptions is the state of Intune app protection.
type IntuneOptions struct {
	// The enrollments of users in Intune app protection, as the Intune SDK provides them:
	// `{"enrollment_ids": [{…}]}`; see brokers.md.
	EnrollmentIDs json.RawMessage

	// The resource of the Intune service, by cloud host. With it, access tokens are cached per
	// `bundle_id`, and used only for the enrollment that they were issued for.
	MAMResource map[string]string
}

func (r *IntuneOptions) appendTo(out encoder) encoder {
	out = out.raw("enrollment_ids", r.EnrollmentIDs)
	out = out.dictionary("mam_resource", r.MAMResource)
	return out
}

// AdvancedOptions is options that few applications need.
type AdvancedOptions struct {
	// The query parameter `slice`, which selects a slice of the service, for tests of the service.
	Slice *string

	// The query parameter `dc`, which selects a data center, for tests of the service.
	Dc *string

	// Whether token requests report earlier calls to Entra, as other MSAL libraries do; see telemetry
	// (default: `false`).
	ServerTelemetry *bool

	// Parameters to add to the body of every token request. Parameters that the library sends are
	// rejected, and so is `client_secret`, because public clients have none. A parameter with a blank
	// value is sent as its name only.
	ExtraTokenParameters map[string]string

	// Parameters to add to the query of the authorization, device authorization and token endpoints.
	// They replace parameters that the endpoint's URL already has.
	ExtraQueryParameters map[string]string

	// The URI schemes that are registered for the application. A redirect URI with another scheme is
	// rejected, without a query to the desktop (default: unknown).
	RegisteredSchemes []string
}

func (r *AdvancedOptions) appendTo(out encoder) encoder {
	out = out.string("slice", r.Slice)
	out = out.string("dc", r.Dc)
	out = out.bool("server_telemetry", r.ServerTelemetry)
	out = out.dictionary("extra_token_parameters", r.ExtraTokenParameters)
	out = out.dictionary("extra_query_parameters", r.ExtraQueryParameters)
	out = out.strings("registered_schemes", r.RegisteredSchemes)
	return out
}

// UserMessages is the texts that the library shows to users.
type UserMessages struct {
	// The language of the pages: a language tag (BCP 47), such as `de-AT` (default: en).
	PageLanguage *string

	// The title of the page after a successful sign-in (default: You have signed in).
	SignedInTitle *string

	// The text of that page (default: You can close this page and return to the application.).
	SignedInText *string

	// The title of the page after a failed sign-in (default: Sign-in failed).
	SignInFailedTitle *string

	// The sentence before the error description of the provider (default: The provider reported:).
	SignInFailedReason *string

	// The sentence after it (default: You can close this page. The application shows what to do
	// next.).
	SignInFailedText *string

	// The title of the page for a response to another sign-in (default: This response does not belong
	// to the pending sign-in).
	OtherSignInTitle *string

	// The text of that page (default: An application waits here for a sign-in, but this response
	// belongs to a different one. The application continues to wait.).
	OtherSignInText *string

	// The title of the page at another address than the redirect URI (default: Page not found).
	PageNotFoundTitle *string

	// The text of that page (default: An application waits for a sign-in, but at another address.).
	PageNotFoundText *string

	// The title of the page for a request that a browser would not send (default: Invalid request).
	InvalidRequestTitle *string

	// The text of that page (default: Browsers do not send requests of this form.).
	InvalidRequestText *string

	// The last sentence of these three pages (default: Return to the sign-in page, or start the sign-
	// in again in the application.).
	ReturnToSignIn *string

	// `message` of a device code prompt. It must contain both placeholders. The default is used only
	// if the server sends no text (default: To sign in, open {verification_uri} and enter the code
	// {user_code}.).
	DeviceCode *string

	// `problem` of a sign-in prompt, after another URL than the redirect was pasted (default: The
	// pasted URL does not belong to this sign-in.).
	WrongURLPasted *string
}

func (r *UserMessages) appendTo(out encoder) encoder {
	out = out.string("page_language", r.PageLanguage)
	out = out.string("signed_in_title", r.SignedInTitle)
	out = out.string("signed_in_text", r.SignedInText)
	out = out.string("sign_in_failed_title", r.SignInFailedTitle)
	out = out.string("sign_in_failed_reason", r.SignInFailedReason)
	out = out.string("sign_in_failed_text", r.SignInFailedText)
	out = out.string("other_sign_in_title", r.OtherSignInTitle)
	out = out.string("other_sign_in_text", r.OtherSignInText)
	out = out.string("page_not_found_title", r.PageNotFoundTitle)
	out = out.string("page_not_found_text", r.PageNotFoundText)
	out = out.string("invalid_request_title", r.InvalidRequestTitle)
	out = out.string("invalid_request_text", r.InvalidRequestText)
	out = out.string("return_to_sign_in", r.ReturnToSignIn)
	out = out.string("device_code", r.DeviceCode)
	out = out.string("wrong_url_pasted", r.WrongURLPasted)
	return out
}

// StoreRequest is a request with a timeout only.
type StoreRequest struct {
	// The maximum time to wait for the store (default: as in AccountsRequest).
	Timeout *time.Duration
}

func (r *StoreRequest) appendTo(out encoder) encoder {
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	return out
}

// AccountsRequest is a request for accounts.
type AccountsRequest struct {
	// The account with this ID. Entra IDs are compared without regard to case, IDs of other providers
	// exactly, like subjects (default: any account).
	HomeAccountID *string

	// The accounts with this user name in any tenant, without regard to case. User names change and
	// are reused, so several accounts may have the same one (default: any account).
	Username *string

	// The account with this ID in one of its tenants (default: any account).
	LocalAccountID *string

	// The `environment` of the account, or another host of the same cloud (default: any host).
	Environment *string

	// `false` also returns accounts that signed out of this application, and accounts of other
	// applications (default: `true`).
	SignedInOnly *bool

	// `true` adds the `claims` of this application's ID tokens, which takes longer (default: `false`).
	Claims *bool

	// The maximum time to wait for a store that another process has locked; after that, the error is
	// `store_busy` (default: 10 seconds for each access to the store).
	Timeout *time.Duration
}

func (r *AccountsRequest) appendTo(out encoder) encoder {
	out = out.string("home_account_id", r.HomeAccountID)
	out = out.string("username", r.Username)
	out = out.string("local_account_id", r.LocalAccountID)
	out = out.string("environment", r.Environment)
	out = out.bool("signed_in_only", r.SignedInOnly)
	out = out.bool("claims", r.Claims)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	return out
}

// RemoveAccountRequest is a request to remove an account.
type RemoveAccountRequest struct {
	// The account to remove.
	HomeAccountID string

	// The account to remove, if it has no ID yet (default: if `home_account_id` is empty).
	Username *string

	// The `environment` of the account (default: only if several providers use this
	// `home_account_id`).
	Environment *string

	// The maximum time to wait for the store; after `store_busy` nothing is removed (default: as in
	// AccountsRequest, for the whole call).
	Timeout *time.Duration
}

func (r *RemoveAccountRequest) appendTo(out encoder) encoder {
	out = out.requiredString("home_account_id", r.HomeAccountID)
	out = out.string("username", r.Username)
	out = out.string("environment", r.Environment)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	return out
}

// RemovedAccount is the document "RemovedAccount".
type RemovedAccount struct {
	// Whether the account was removed.
	Removed bool `json:"removed"`
}

// SignOutRequest is a request to sign out.
type SignOutRequest struct {
	// The account to sign out.
	HomeAccountID *string

	// The account to sign out, if it has no ID yet (default: if `home_account_id` is empty).
	Username *string

	// The `environment` of the account (default: only if several providers use this
	// `home_account_id`).
	Environment *string

	// The extent: this client ID; every client ID that shares the store; or all accounts of all
	// applications. `machine` empties the store of the group and deletes its quarantined databases.
	// The value is `application`, `every_application` or `machine` (default: `application`).
	Scope *string

	// Whether to revoke the refresh tokens at the provider (RFC 7009). Entra does not support it. If
	// another provider's OpenID document has no revocation endpoint, its RFC 8414 metadata (`/.well-
	// known/oauth-authorization-server`) is read (default: `false`).
	RevokeTokens *bool

	// Whether to return the URL that ends the browser session (default: `false`).
	EndSession *bool

	// The URL to which the browser is redirected after that. It must be registered with the provider.
	PostLogoutRedirectURI *string

	// Whether the identity broker of this machine removes the account of this application as well; for
	// `machine`, all its accounts. See brokers.md (default: `false`).
	FromBroker *bool

	// The provider that receives the requests (default: the application's).
	Authority *string

	// The deadline of the call (default: as in SilentRequest).
	Timeout *time.Duration

	// An ID for the server's log (default: a new UUID).
	CorrelationID *string

	// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
	Traceparent *string

	// The `tracestate` of the trace, only with `traceparent`.
	Tracestate *string
}

func (r *SignOutRequest) appendTo(out encoder) encoder {
	out = out.string("home_account_id", r.HomeAccountID)
	out = out.string("username", r.Username)
	out = out.string("environment", r.Environment)
	out = out.string("scope", r.Scope)
	out = out.bool("revoke_tokens", r.RevokeTokens)
	out = out.bool("end_session", r.EndSession)
	out = out.string("post_logout_redirect_uri", r.PostLogoutRedirectURI)
	out = out.bool("from_broker", r.FromBroker)
	out = out.string("authority", r.Authority)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	out = out.string("correlation_id", r.CorrelationID)
	out = out.string("traceparent", r.Traceparent)
	out = out.string("tracestate", r.Tracestate)
	return out
}

// RemovedRecords is the document "RemovedRecords".
type RemovedRecords struct {
	// The number of accounts, one for each tenant.
	Accounts int64 `json:"accounts"`

	// The number of access tokens.
	AccessTokens int64 `json:"access_tokens"`

	// The number of refresh tokens.
	RefreshTokens int64 `json:"refresh_tokens"`

	// The number of ID tokens.
	IDTokens int64 `json:"id_tokens"`
}

// LeftoverToken is the document "LeftoverToken".
type LeftoverToken struct {
	// The type of the token or session. The value is `other_application`, `family_refresh_token`,
	// `handed_out_access_tokens`, `unrevoked_refresh_tokens`, `browser_session`, `set_aside_store` or
	// `other_group`.
	Kind string `json:"kind"`

	// The application that owns it. Present if it has one.
	ClientID string `json:"client_id"`

	// The time at which the last one expires. Present for access tokens.
	ExpiresOn UnixTime `json:"expires_on"`

	// The file. Present for a store.
	Path string `json:"path"`
}

// KeyAttempt is the document "KeyAttempt".
type KeyAttempt struct {
	// The location. The value is `caller`, `secret_service`, `kernel_keyring` or `key_file`.
	Source string `json:"source"`

	// The kind of the problem. The value is `library_missing`, `no_bus`, `no_service`,
	// `no_collection`, `locked`, `timeout`, `blocked`, `full`, `unsafe`, `key_missing`, `other_key`,
	// `policy` or `failed`.
	Problem string `json:"problem"`

	// The details for a developer.
	Reason string `json:"reason"`
}

// StoreRecords is the document "StoreRecords".
type StoreRecords struct {
	// The number of accounts.
	Accounts int64 `json:"accounts"`

	// The number of access tokens.
	AccessTokens int64 `json:"access_tokens"`

	// The number of refresh tokens.
	RefreshTokens int64 `json:"refresh_tokens"`

	// The number of ID tokens.
	IDTokens int64 `json:"id_tokens"`

	// The number of other records.
	Others int64 `json:"others"`

	// The number of damaged records.
	Damaged int64 `json:"damaged"`
}

// MetricValue is the document "MetricValue".
type MetricValue struct {
	// The name of the metric. The value is `calls_succeeded`, `calls_failed`, `calls_throttled`,
	// `refreshes_adopted`, `commits_superseded`, `commits_queued`, `cached_responses` or
	// `cached_response_bytes`.
	Name string `json:"name"`

	// The name of the same metric in MSAL for .NET. Present if there is one.
	Alias string `json:"alias"`

	// The unit of the value. The value is `count` or `bytes`.
	Unit string `json:"unit"`

	// The tags of the metric, such as `function`; empty for a metric without tags.
	Tags map[string]string `json:"tags"`

	// The value.
	Value int64 `json:"value"`
}

// MetricHistogram is the document "MetricHistogram".
type MetricHistogram struct {
	// The name of the metric. The value is `call_duration`, `http_duration`, `store_duration`,
	// `lock_wait` or `token_lifetime`.
	Name string `json:"name"`

	// The name of the same metric in MSAL for .NET. Present if there is one.
	Alias string `json:"alias"`

	// The unit of the values and of the bounds. The value is `microseconds` or `seconds`.
	Unit string `json:"unit"`

	// The tags of the metric.
	Tags map[string]string `json:"tags"`

	// The number of values.
	Count int64 `json:"count"`

	// The sum of all values.
	Sum int64 `json:"sum"`

	// The inclusive upper bounds of the buckets, without the last bucket, which has none.
	Bounds []int64 `json:"bounds"`

	// The number of values in each bucket, one more than `bounds`.
	Counts []int64 `json:"counts"`
}

// LibraryFeatures is the document "LibraryFeatures".
type LibraryFeatures struct {
	// The features that the build of the library contains. Each is `apple`, `broker`, `legacy`,
	// `msal_file` or `services`.
	Features []string `json:"features"`
}

// FoundCache is the document "FoundCache".
type FoundCache struct {
	// The name of the cache. `azure_cli`, `azure_identity`, `azure_identity_cae`, `azure_powershell`
	// and `azure_powershell_cae` are valid values of `msal_cache`, which opens the selected location.
	// Other caches are only listed.
	Name string `json:"name"`

	// A display name of the product that owns the cache.
	Owner string `json:"owner"`

	// A file, or an item of the keyring. The value is `file` or `secret_service`.
	Kind string `json:"kind"`

	// The cache file, or the file whose modification time signals a change of the item.
	Path string `json:"path"`

	// The name of the item's schema. Present with an item.
	Schema string `json:"schema"`

	// `locked`: there may be an item, but the keyring is locked, missing or unresponsive;
	// `unreadable`: not a token cache, or encrypted by its owner; `unavailable`: it cannot be opened,
	// or other users can write it. The value is `missing`, `usable`, `locked`, `unreadable` or
	// `unavailable`.
	State string `json:"state"`

	// Whether this location is the one in use.
	Selected bool `json:"selected"`

	// The number of accounts in it. Present if it was read.
	Accounts int64 `json:"accounts"`

	// The time of the last write. Present if known.
	ModifiedOn UnixTime `json:"modified_on"`

	// The reason why it cannot be read or opened, for display. Present if there is one.
	Reason string `json:"reason"`
}

// RotateKeyRequest is a request to replace the key of the store.
type RotateKeyRequest struct {
	// The new key. It is rejected as `invalid_member` if the configuration has no `store.key`, or if
	// it equals the old key. Without it, a store that was not encrypted with `store.key` is re-
	// encrypted with it (default: if the application manages the present key of the store).
	NewStoreKey *Secret

	// The maximum time to wait for the store; after an error nothing is changed (default: as in
	// AccountsRequest, for the whole call).
	Timeout *time.Duration
}

func (r *RotateKeyRequest) appendTo(out encoder) encoder {
	out = out.secret("new_store_key", r.NewStoreKey)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	return out
}

// RotatedKey is the document "RotatedKey".
type RotatedKey struct {
	// Whether the key was replaced.
	Rotated bool `json:"rotated"`
}

// MigrationRequest is a request to import an older cache.
type MigrationRequest struct {
	// The cache file of an older library; a regular file of at most 256 MB.
	Path *string

	// Instead of `path`, a known location: `accessTokens.json` of the Azure CLI before 2.30, at
	// `AZURE_ACCESS_TOKEN_FILE`, or else in `AZURE_CONFIG_DIR` or `~/.azure`. The value is
	// `azure_cli`.
	Place *string

	// The format of the cache; see coming-from-adal.md. The value is `adal_apple_item`, `adal_macos`,
	// `apple_keychain`, `msal_macos`, `adal_dotnet`, `msal_dotnet`, `adal_python`, `azure_cli` or
	// `adal_node` (default: detected).
	Format *string

	// Whether only to report, without storing anything (default: `false`).
	DryRun *bool

	// The timeout of the whole call (default: as in AccountsRequest).
	Timeout *time.Duration
}

func (r *MigrationRequest) appendTo(out encoder) encoder {
	out = out.string("path", r.Path)
	out = out.string("place", r.Place)
	out = out.string("format", r.Format)
	out = out.bool("dry_run", r.DryRun)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	return out
}

// MigratedAccount is the document "MigratedAccount".
type MigratedAccount struct {
	// The user name. Present if known.
	Username string `json:"username"`

	// The account ID. Present if known.
	HomeAccountID string `json:"home_account_id"`

	// The host of the cloud, or the issuer.
	Environment string `json:"environment"`

	// The application.
	ClientID string `json:"client_id"`

	// The outcome of its import.
	Outcome string `json:"outcome"`

	// The reason for not importing it. Present if it was not imported.
	Reason string `json:"reason"`

	// The next step for the user. Present if it was not imported.
	Advice string `json:"advice"`
}

// DamagedEntry is the document "DamagedEntry".
type DamagedEntry struct {
	// The number of the entry, counted from 0. Present unless the whole cache is damaged.
	Entry int64 `json:"entry"`

	// The kind of the damage.
	Code string `json:"code"`

	// A description.
	Message string `json:"message"`
}

// ExportRequest is a request to export sign-ins to an older cache.
type ExportRequest struct {
	// The format that the older library reads. The value is `apple_keychain` or `adal_macos`.
	Format string

	// The account (default: all accounts).
	HomeAccountID *string

	// The timeout of the whole call (default: as in AccountsRequest).
	Timeout *time.Duration
}

func (r *ExportRequest) appendTo(out encoder) encoder {
	out = out.requiredString("format", r.Format)
	out = out.string("home_account_id", r.HomeAccountID)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	return out
}

// KeychainItem is the document "KeychainItem".
type KeychainItem struct {
	// The attribute `kSecAttrAccount`.
	Account string `json:"account"`

	// The attribute `kSecAttrService`.
	Service string `json:"service"`

	// The attribute `kSecAttrGeneric`, in Base64.
	Generic string `json:"generic"`

	// The attribute `kSecAttrType`. Present if there is one.
	Type int64 `json:"type"`

	// The data of the item, in Base64.
	Value Secret `json:"value"`
}

// CacheText is the document "CacheText".
type CacheText struct {
	// The store as the JSON document of MSAL libraries.
	Cache Secret `json:"cache"`
}

// CacheWriteRequest is the changes of a cache document.
type CacheWriteRequest struct {
	// The original document; empty for none.
	Before Secret

	// The changed document. Entries that are the same in both documents may be omitted from both.
	After Secret

	// The maximum time to wait for the store (default: as in AccountsRequest).
	Timeout *time.Duration
}

func (r *CacheWriteRequest) appendTo(out encoder) encoder {
	out = out.requiredSecret("before", r.Before)
	out = out.requiredSecret("after", r.After)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	return out
}

// CacheChanges is the document "CacheChanges".
type CacheChanges struct {
	// The number of changed entries.
	Stored int64 `json:"stored"`

	// The number of removed entries.
	Removed int64 `json:"removed"`
}

// CopyRequest is a request to copy sign-ins from another store.
type CopyRequest struct {
	// The only account to copy (default: all accounts, and records without an account).
	HomeAccountID *string

	// Whether only to report, without storing anything (default: `false`).
	DryRun *bool

	// The timeout of the whole call (default: as in AccountsRequest).
	Timeout *time.Duration
}

func (r *CopyRequest) appendTo(out encoder) encoder {
	out = out.string("home_account_id", r.HomeAccountID)
	out = out.bool("dry_run", r.DryRun)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	return out
}

// CopiedAccount is the document "CopiedAccount".
type CopiedAccount struct {
	// The account ID.
	HomeAccountID string `json:"home_account_id"`

	// The host of the cloud, or the issuer.
	Environment string `json:"environment"`

	// The user name. Present if known.
	Username string `json:"username"`

	// `already_here` if every record existed and was as new or newer. The value is `copied` or
	// `already_here`.
	Outcome string `json:"outcome"`

	// The number of copied records.
	RecordCount int64 `json:"record_count"`
}

// SilentRequest is a request for a token without user interaction.
type SilentRequest struct {
	// The account, with the value from `Account`. A user name as the value is rejected with
	// `invalid_member`. Without `home_account_id` and `username`, the request is for the only account.
	// If there are several, the error is `ambiguous_account` with `accounts`; if there is none,
	// `account_not_found` (default: the only account).
	HomeAccountID *string

	// The user name of the account in any tenant, without regard to case (ADAL: `userId`). If several
	// accounts have this name, the error is `ambiguous_account` (default: if `home_account_id` is
	// empty).
	Username *string

	// The `environment` of the account. It prevents confusion with an account of another provider that
	// has the same ID. Without an `authority`, the request is sent to the provider of the account;
	// with the authority of another provider, the error is `interaction_required` (default: any
	// provider).
	Environment *string

	// Requests an app-only token (RFC 6749 section 4.4), which a confidential client of another
	// library stored in the shared cache. Remove `home_account_id` and `username`. The token is never
	// requested from a server: without a valid one the status is `TESSERA_STATUS_SIGN_IN`, and the
	// other library must acquire one. The `account` of the result has an empty `home_account_id`
	// (default: `false`).
	ForApplication *bool

	// The scopes that the token must cover. `openid`, `profile` and `offline_access` are added, and
	// ignored here. `["openid"]` alone requests only an ID token. Scopes are compared as sets, without
	// regard to case.
	Scopes []string

	// Instead of `scopes`: all permissions that were granted to the application at a resource, as in
	// ADAL. `/.default` is appended without change, so a resource that ends in a slash gets two
	// slashes, as Entra requires.
	Resource *string

	// Another tenant, or another issuer (default: that of the account's provider if `environment`
	// names another one, otherwise the application's).
	Authority *string

	// Whether to send a request to the server even if a valid token is cached (default: `false`).
	ForceRefresh *bool

	// The text of a JSON object: the `claims` of an error, or of a resource's claims challenge. The
	// cached token is not used then. An object that requests nothing, such as `{}`, has no effect.
	Claims *string

	// As in AdvancedOptions, for this request. They take precedence over the configuration. Cached
	// tokens are used regardless of them.
	ExtraTokenParameters map[string]string

	// As in AdvancedOptions, with the same precedence.
	ExtraQueryParameters map[string]string

	// The deadline of the call, after which it fails with `deadline_exceeded`. Without it,
	// `timeout_milliseconds` of NetworkOptions limits each exchange. The call then fails with
	// `store_busy` after 10 seconds of waiting for a locked store, or 60 seconds for another process
	// that refreshes the same credential. A valid cached token is returned even if the value is 0.
	Timeout *time.Duration

	// An ID for the server's log (default: a new UUID).
	CorrelationID *string

	// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
	Traceparent *string

	// The `tracestate` of the trace, only with `traceparent`.
	Tracestate *string

	// Whether the result has an `explanation`; the store is then always read. Not allowed for
	// `tessera_application_explain` (default: `false`).
	Explain *bool
}

func (r *SilentRequest) appendTo(out encoder) encoder {
	out = out.string("home_account_id", r.HomeAccountID)
	out = out.string("username", r.Username)
	out = out.string("environment", r.Environment)
	out = out.bool("for_application", r.ForApplication)
	out = out.strings("scopes", r.Scopes)
	out = out.string("resource", r.Resource)
	out = out.string("authority", r.Authority)
	out = out.bool("force_refresh", r.ForceRefresh)
	out = out.string("claims", r.Claims)
	out = out.dictionary("extra_token_parameters", r.ExtraTokenParameters)
	out = out.dictionary("extra_query_parameters", r.ExtraQueryParameters)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	out = out.string("correlation_id", r.CorrelationID)
	out = out.string("traceparent", r.Traceparent)
	out = out.string("tracestate", r.Tracestate)
	out = out.bool("explain", r.Explain)
	return out
}

// ExplainRequest is a request for an explanation.
type ExplainRequest struct {
	// The account, with the value from `Account`. A user name as the value is rejected with
	// `invalid_member`. Without `home_account_id` and `username`, the request is for the only account.
	// If there are several, the error is `ambiguous_account` with `accounts`; if there is none,
	// `account_not_found` (default: the only account).
	HomeAccountID *string

	// The user name of the account in any tenant, without regard to case (ADAL: `userId`). If several
	// accounts have this name, the error is `ambiguous_account` (default: if `home_account_id` is
	// empty).
	Username *string

	// The `environment` of the account. It prevents confusion with an account of another provider that
	// has the same ID. Without an `authority`, the request is sent to the provider of the account;
	// with the authority of another provider, the error is `interaction_required` (default: any
	// provider).
	Environment *string

	// Requests an app-only token (RFC 6749 section 4.4), which a confidential client of another
	// library stored in the shared cache. Remove `home_account_id` and `username`. The token is never
	// requested from a server: without a valid one the status is `TESSERA_STATUS_SIGN_IN`, and the
	// other library must acquire one. The `account` of the result has an empty `home_account_id`
	// (default: `false`).
	ForApplication *bool

	// The scopes that the token must cover. `openid`, `profile` and `offline_access` are added, and
	// ignored here. `["openid"]` alone requests only an ID token. Scopes are compared as sets, without
	// regard to case.
	Scopes []string

	// Instead of `scopes`: all permissions that were granted to the application at a resource, as in
	// ADAL. `/.default` is appended without change, so a resource that ends in a slash gets two
	// slashes, as Entra requires.
	Resource *string

	// Another tenant, or another issuer (default: that of the account's provider if `environment`
	// names another one, otherwise the application's).
	Authority *string

	// Whether to send a request to the server even if a valid token is cached (default: `false`).
	ForceRefresh *bool

	// The text of a JSON object: the `claims` of an error, or of a resource's claims challenge. The
	// cached token is not used then. An object that requests nothing, such as `{}`, has no effect.
	Claims *string

	// As in AdvancedOptions, for this request. They take precedence over the configuration. Cached
	// tokens are used regardless of them.
	ExtraTokenParameters map[string]string

	// As in AdvancedOptions, with the same precedence.
	ExtraQueryParameters map[string]string

	// The deadline of the call, after which it fails with `deadline_exceeded`. Without it,
	// `timeout_milliseconds` of NetworkOptions limits each exchange. The call then fails with
	// `store_busy` after 10 seconds of waiting for a locked store, or 60 seconds for another process
	// that refreshes the same credential. A valid cached token is returned even if the value is 0.
	Timeout *time.Duration

	// An ID for the server's log (default: a new UUID).
	CorrelationID *string

	// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
	Traceparent *string

	// The `tracestate` of the trace, only with `traceparent`.
	Tracestate *string
}

func (r *ExplainRequest) appendTo(out encoder) encoder {
	out = out.string("home_account_id", r.HomeAccountID)
	out = out.string("username", r.Username)
	out = out.string("environment", r.Environment)
	out = out.bool("for_application", r.ForApplication)
	out = out.strings("scopes", r.Scopes)
	out = out.string("resource", r.Resource)
	out = out.string("authority", r.Authority)
	out = out.bool("force_refresh", r.ForceRefresh)
	out = out.string("claims", r.Claims)
	out = out.dictionary("extra_token_parameters", r.ExtraTokenParameters)
	out = out.dictionary("extra_query_parameters", r.ExtraQueryParameters)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	out = out.string("correlation_id", r.CorrelationID)
	out = out.string("traceparent", r.Traceparent)
	out = out.string("tracestate", r.Tracestate)
	return out
}

// TokenCandidate is the document "TokenCandidate".
type TokenCandidate struct {
	// The kind of the token, such as `AccessToken` or `RefreshToken`.
	CredentialType string `json:"credential_type"`

	// `used`; `fallback`: used if the preceding ones fail; `not_used`.
	Role string `json:"role"`

	// The reasons for not using it, or not first: see below.
	Obstacles []string `json:"obstacles"`

	// The application that it was issued to.
	ClientID string `json:"client_id"`

	// The family of applications that may redeem it. Present if there is one.
	FamilyID string `json:"family_id"`

	// The cloud or the issuer.
	Environment string `json:"environment"`

	// The tenant; refresh tokens apply to all tenants. Present for access tokens.
	TenantID string `json:"tenant_id"`

	// The granted scopes. Present for access tokens.
	Scopes []string `json:"scopes"`

	// The requested scopes that it lacks. Present if it lacks some.
	MissingScopes []string `json:"missing_scopes"`

	// The time of receipt. Present if known.
	CachedOn UnixTime `json:"cached_on"`

	// The time of expiry. Present if known.
	ExpiresOn UnixTime `json:"expires_on"`

	// The time of the recommended refresh. Present if known.
	RefreshOn UnixTime `json:"refresh_on"`
}

// ClientTokenRequest is a request for a token of the application itself.
type ClientTokenRequest struct {
	// The requested scopes; at Entra, the `/.default` scope of one resource.
	Scopes []string

	// As in SilentRequest, instead of `scopes`.
	Resource *string

	// The authority that issues the token (default: the application's).
	Authority *string

	// Instead of `authority`, only for Entra: the ID or a domain of the tenant, at the host of the
	// application's authority.
	Tenant *string

	// A claims challenge of a resource, as the text of a JSON object. The cached token is then not
	// used, unless `token_sha256_to_refresh` identifies the rejected one.
	Claims *string

	// Whether to request a new token even if the cached one is valid (default: `false`).
	ForceRefresh *bool

	// The SHA-256 of an access token that a resource rejected, in hexadecimal digits. A cached token
	// with this digest is not used; a newer one is.
	TokenSHA256ToRefresh *string

	// As in SilentRequest.
	ExtraTokenParameters map[string]string

	// As in SilentRequest.
	ExtraQueryParameters map[string]string

	// The deadline of the call, after which it fails with `deadline_exceeded` (default: as in
	// SilentRequest).
	Timeout *time.Duration

	// An ID for the server's log (default: a new UUID).
	CorrelationID *string

	// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
	Traceparent *string

	// The `tracestate` of the trace, only with `traceparent`.
	Tracestate *string
}

func (r *ClientTokenRequest) appendTo(out encoder) encoder {
	out = out.strings("scopes", r.Scopes)
	out = out.string("resource", r.Resource)
	out = out.string("authority", r.Authority)
	out = out.string("tenant", r.Tenant)
	out = out.string("claims", r.Claims)
	out = out.bool("force_refresh", r.ForceRefresh)
	out = out.string("token_sha256_to_refresh", r.TokenSHA256ToRefresh)
	out = out.dictionary("extra_token_parameters", r.ExtraTokenParameters)
	out = out.dictionary("extra_query_parameters", r.ExtraQueryParameters)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	out = out.string("correlation_id", r.CorrelationID)
	out = out.string("traceparent", r.Traceparent)
	out = out.string("tracestate", r.Tracestate)
	return out
}

// DeviceCodeRequest is a request for a token by device code.
type DeviceCodeRequest struct {
	// As in SilentRequest.
	Scopes []string

	// As in SilentRequest, instead of `scopes`.
	Resource *string

	// The authority to sign in at (default: the application's).
	Authority *string

	// The text of a JSON object: the `claims` of the error that made this sign-in necessary.
	Claims *string

	// As in SilentRequest.
	ExtraTokenParameters map[string]string

	// As in SilentRequest.
	ExtraQueryParameters map[string]string

	// Whether the result has an `explanation` (explain.md) with the duration of each step (default:
	// `false`).
	Explain *bool

	// The deadline of the call, after which it fails with `deadline_exceeded` (default: the lifetime
	// of the code).
	Timeout *time.Duration

	// An ID for the server's log (default: a new UUID).
	CorrelationID *string

	// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
	Traceparent *string

	// The `tracestate` of the trace, only with `traceparent`.
	Tracestate *string
}

func (r *DeviceCodeRequest) appendTo(out encoder) encoder {
	out = out.strings("scopes", r.Scopes)
	out = out.string("resource", r.Resource)
	out = out.string("authority", r.Authority)
	out = out.string("claims", r.Claims)
	out = out.dictionary("extra_token_parameters", r.ExtraTokenParameters)
	out = out.dictionary("extra_query_parameters", r.ExtraQueryParameters)
	out = out.bool("explain", r.Explain)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	out = out.string("correlation_id", r.CorrelationID)
	out = out.string("traceparent", r.Traceparent)
	out = out.string("tracestate", r.Tracestate)
	return out
}

// TransportRequest is the document "TransportRequest".
type TransportRequest struct {
	// `GET` or `POST`.
	Method string `json:"method"`

	// The absolute URL, with https; with http only for this machine, and then without a proxy.
	URL string `json:"url"`

	// The header fields, each as `Name: value`. The client adds `Host` and `Content-Length`.
	Headers []string `json:"headers"`

	// The body. It contains secrets. Present if the request has a body.
	Body Secret `json:"body"`

	// The time until the response must be complete, at least 1: the smaller of
	// `network.timeout_milliseconds` and the remaining time of the call.
	TimeoutMilliseconds int64 `json:"timeout_milliseconds"`
}

// TransportResponse is the response to a request that the host application sends.
type TransportResponse struct {
	// The HTTP status. Pass every response, whatever its status.
	Status *int64

	// The header fields, each as `Name: value`. `Date`, `Location` and `Retry-After` are used, among
	// others.
	Headers []string

	// The body, in UTF-8.
	Body *Secret

	// Instead of `status`: the reason why there is no response, for the message of `network_failed`.
	Error *string

	// With `error`: whether the server may have received a part of the request. With `false`, a
	// refresh token in it counts as unused (default: `true`).
	Sent *bool
}

func (r *TransportResponse) appendTo(out encoder) encoder {
	out = out.int("status", r.Status)
	out = out.strings("headers", r.Headers)
	out = out.secret("body", r.Body)
	out = out.string("error", r.Error)
	out = out.bool("sent", r.Sent)
	return out
}

// DeviceCodePrompt is the document "DeviceCodePrompt".
type DeviceCodePrompt struct {
	// The code to enter.
	UserCode string `json:"user_code"`

	// The URL of the page on which to enter it.
	VerificationURI string `json:"verification_uri"`

	// The same URL including the code, for a QR code. Present if the server sent it.
	VerificationURIComplete string `json:"verification_uri_complete"`

	// A sentence with the code and the URL; the server's own if it sent one.
	Message string `json:"message"`

	// The time at which the code expires.
	ExpiresOn UnixTime `json:"expires_on"`

	// The polling interval.
	IntervalSeconds int64 `json:"interval_seconds"`
}

// InteractiveRequest is a request for a sign-in in a browser.
type InteractiveRequest struct {
	// As in SilentRequest.
	Scopes []string

	// As in SilentRequest, instead of `scopes`.
	Resource *string

	// Scopes to consent to now, for later tokens of other resources.
	ExtraScopesToConsent []string

	// Another authority (default: the application's).
	Authority *string

	// The account that must sign in (default: any account).
	HomeAccountID *string

	// Whether another account than `home_account_id` may sign in (default: `false`).
	AcceptOtherAccount *bool

	// The user name to fill in on the page (default: the account's user name).
	LoginHint *string

	// The domain of the user's organization.
	DomainHint *string

	// The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core
	// section 3.1.2.1).
	UILocales *string

	// The `prompt` parameter of OpenID Connect. The value is `select_account`, `login`, `consent`,
	// `create` or `none` (default: chosen by the provider).
	Prompt *string

	// The `claims` of the error that made this sign-in necessary.
	Claims *string

	// Parameters to add to the URL of the page.
	ExtraQueryParameters map[string]string

	// Parameters to add to the body of the token request, and of a silent request. They take
	// precedence over the configuration.
	ExtraTokenParameters map[string]string

	// The `response_mode` of the authorization request. The value is `query` or `form_post` (default:
	// `query`).
	ResponseMode *string

	// The deadline of the call (default: 1 hour).
	Timeout *time.Duration

	// An ID for the server's log (default: a new UUID).
	CorrelationID *string

	// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
	Traceparent *string

	// The `tracestate` of the trace, only with `traceparent`.
	Tracestate *string

	// Whether to try a silent request first, for `home_account_id` or for the only account that
	// matches `login_hint`. The page is opened only if it fails with the remedy `sign_in`, or returns
	// a token with declined scopes: such an application opens a page at each call for as long as the
	// server declines them (default: `false`).
	SilentFirst *bool

	// Whether to open the user's browser: according to the table, always, or never. The value is
	// `automatic`, `open` or `show` (default: `automatic`).
	Browser *string

	// The location of the page: in the user's browser, or in a window of the program `tessera-
	// webview`; see webview.md. The value is `default` or `embedded` (default: `default`).
	WebviewType *string

	// Whether an embedded web view starts without cookies and stores none (default: `true`).
	PrefersEphemeralWebBrowserSession *bool

	// The absolute path of `tessera-webview` (default: the installed one).
	WebviewProgram *string

	// The HTML page to show after the provider's if the sign-in succeeded; see interactive.md
	// (default: built in).
	SuccessPage *string

	// The HTML page to show if it failed (default: built in).
	FailurePage *string

	// A file descriptor to read lines from, so that the user can paste the URL at which the browser
	// ended. It stays open; nothing else may read from it during the call.
	AnswerDescriptor *int64
}

func (r *InteractiveRequest) appendTo(out encoder) encoder {
	out = out.strings("scopes", r.Scopes)
	out = out.string("resource", r.Resource)
	out = out.strings("extra_scopes_to_consent", r.ExtraScopesToConsent)
	out = out.string("authority", r.Authority)
	out = out.string("home_account_id", r.HomeAccountID)
	out = out.bool("accept_other_account", r.AcceptOtherAccount)
	out = out.string("login_hint", r.LoginHint)
	out = out.string("domain_hint", r.DomainHint)
	out = out.string("ui_locales", r.UILocales)
	out = out.string("prompt", r.Prompt)
	out = out.string("claims", r.Claims)
	out = out.dictionary("extra_query_parameters", r.ExtraQueryParameters)
	out = out.dictionary("extra_token_parameters", r.ExtraTokenParameters)
	out = out.string("response_mode", r.ResponseMode)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	out = out.string("correlation_id", r.CorrelationID)
	out = out.string("traceparent", r.Traceparent)
	out = out.string("tracestate", r.Tracestate)
	out = out.bool("silent_first", r.SilentFirst)
	out = out.string("browser", r.Browser)
	out = out.string("webview_type", r.WebviewType)
	out = out.bool("prefers_ephemeral_web_browser_session", r.PrefersEphemeralWebBrowserSession)
	out = out.string("webview_program", r.WebviewProgram)
	out = out.string("success_page", r.SuccessPage)
	out = out.string("failure_page", r.FailurePage)
	out = out.int("answer_descriptor", r.AnswerDescriptor)
	return out
}

// InteractiveCallRequest is a request for a non-blocking sign-in in a browser.
type InteractiveCallRequest struct {
	// As in SilentRequest.
	Scopes []string

	// As in SilentRequest, instead of `scopes`.
	Resource *string

	// Scopes to consent to now, for later tokens of other resources.
	ExtraScopesToConsent []string

	// Another authority (default: the application's).
	Authority *string

	// The account that must sign in (default: any account).
	HomeAccountID *string

	// Whether another account than `home_account_id` may sign in (default: `false`).
	AcceptOtherAccount *bool

	// The user name to fill in on the page (default: the account's user name).
	LoginHint *string

	// The domain of the user's organization.
	DomainHint *string

	// The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core
	// section 3.1.2.1).
	UILocales *string

	// The `prompt` parameter of OpenID Connect. The value is `select_account`, `login`, `consent`,
	// `create` or `none` (default: chosen by the provider).
	Prompt *string

	// The `claims` of the error that made this sign-in necessary.
	Claims *string

	// Parameters to add to the URL of the page.
	ExtraQueryParameters map[string]string

	// Parameters to add to the body of the token request, and of a silent request. They take
	// precedence over the configuration.
	ExtraTokenParameters map[string]string

	// The `response_mode` of the authorization request. The value is `query` or `form_post` (default:
	// `query`).
	ResponseMode *string

	// The deadline of the call (default: 1 hour).
	Timeout *time.Duration

	// An ID for the server's log (default: a new UUID).
	CorrelationID *string

	// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
	Traceparent *string

	// The `tracestate` of the trace, only with `traceparent`.
	Tracestate *string

	// Whether to try a silent request first, for `home_account_id` or for the only account that
	// matches `login_hint`. The page is opened only if it fails with the remedy `sign_in`, or returns
	// a token with declined scopes: such an application opens a page at each call for as long as the
	// server declines them (default: `false`).
	SilentFirst *bool

	// Whether to open the user's browser: according to the table, always, or never. The value is
	// `automatic`, `open` or `show` (default: `automatic`).
	Browser *string

	// The location of the page: in the user's browser, or in a window of the program `tessera-
	// webview`; see webview.md. The value is `default` or `embedded` (default: `default`).
	WebviewType *string

	// Whether an embedded web view starts without cookies and stores none (default: `true`).
	PrefersEphemeralWebBrowserSession *bool

	// The absolute path of `tessera-webview` (default: the installed one).
	WebviewProgram *string

	// The HTML page to show after the provider's if the sign-in succeeded; see interactive.md
	// (default: built in).
	SuccessPage *string

	// The HTML page to show if it failed (default: built in).
	FailurePage *string

	// A file descriptor to read lines from, so that the user can paste the URL at which the browser
	// ended. It stays open; nothing else may read from it during the call.
	AnswerDescriptor *int64

	// Only for `tessera_call_group_acquire_token_interactive`: whether the application shows the URL
	// if no browser is opened. With `false`, such a call fails with `browser_unavailable` (default:
	// `true`).
	ShowsAddress *bool
}

func (r *InteractiveCallRequest) appendTo(out encoder) encoder {
	out = out.strings("scopes", r.Scopes)
	out = out.string("resource", r.Resource)
	out = out.strings("extra_scopes_to_consent", r.ExtraScopesToConsent)
	out = out.string("authority", r.Authority)
	out = out.string("home_account_id", r.HomeAccountID)
	out = out.bool("accept_other_account", r.AcceptOtherAccount)
	out = out.string("login_hint", r.LoginHint)
	out = out.string("domain_hint", r.DomainHint)
	out = out.string("ui_locales", r.UILocales)
	out = out.string("prompt", r.Prompt)
	out = out.string("claims", r.Claims)
	out = out.dictionary("extra_query_parameters", r.ExtraQueryParameters)
	out = out.dictionary("extra_token_parameters", r.ExtraTokenParameters)
	out = out.string("response_mode", r.ResponseMode)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	out = out.string("correlation_id", r.CorrelationID)
	out = out.string("traceparent", r.Traceparent)
	out = out.string("tracestate", r.Tracestate)
	out = out.bool("silent_first", r.SilentFirst)
	out = out.string("browser", r.Browser)
	out = out.string("webview_type", r.WebviewType)
	out = out.bool("prefers_ephemeral_web_browser_session", r.PrefersEphemeralWebBrowserSession)
	out = out.string("webview_program", r.WebviewProgram)
	out = out.string("success_page", r.SuccessPage)
	out = out.string("failure_page", r.FailurePage)
	out = out.int("answer_descriptor", r.AnswerDescriptor)
	out = out.bool("shows_address", r.ShowsAddress)
	return out
}

// SignInPrompt is the document "SignInPrompt".
type SignInPrompt struct {
	// The URL of the provider's page, valid for one sign-in.
	URL string `json:"url"`

	// Whether a browser is opened with it; if not, show the URL.
	OpensBrowser bool `json:"opens_browser"`

	// The reason for that, a value of the table.
	Reason string `json:"reason"`

	// The start of the URL at which the browser ends.
	RedirectURI string `json:"redirect_uri"`

	// The problem since the previous prompt. Present from the second prompt on.
	Problem string `json:"problem"`
}

// AuthenticatorOptions is the options for Microsoft Authenticator.
type AuthenticatorOptions struct {
	// `LSApplicationQueriesSchemes` of Info.plist, to be checked: a missing scheme causes
	// `redirect_scheme_not_registered`.
	QuerySchemes []string

	// The display name of your application.
	ClientAppName *string

	// The version of your application.
	ClientAppVersion *string

	// The broker features that the application supports, such as `sso_extension`.
	SDKCapabilities []string

	// The enrollments in Intune, if different from the configuration; see brokers.md.
	IntuneEnrollmentIDs json.RawMessage

	// The resource of Intune, if different from the configuration.
	IntuneMAMResource map[string]string

	// The client ID of the application in which this one is embedded.
	BrkClientID *string

	// The redirect URI of that application, to which the response is sent.
	BrkRedirectURI *string

	// The name of the library, for Microsoft's statistics.
	ClientSKU *string

	// The libraries that were used before this one, for Microsoft's statistics.
	PlatformSequence *string

	// The state of the onboarding of the user's device.
	OnboardingBlob *string

	// Whether the application supports the new onboarding of a device.
	NewMobileOnboardingFlow *bool

	// Whether to request device-bound refresh tokens.
	BoundRefreshTokens *bool

	// A credential of another provider for the user.
	UserFederatedIdentityCredential *string
}

func (r *AuthenticatorOptions) appendTo(out encoder) encoder {
	out = out.strings("query_schemes", r.QuerySchemes)
	out = out.string("client_app_name", r.ClientAppName)
	out = out.string("client_app_version", r.ClientAppVersion)
	out = out.strings("sdk_capabilities", r.SDKCapabilities)
	out = out.raw("intune_enrollment_ids", r.IntuneEnrollmentIDs)
	out = out.dictionary("intune_mam_resource", r.IntuneMAMResource)
	out = out.string("brk_client_id", r.BrkClientID)
	out = out.string("brk_redirect_uri", r.BrkRedirectURI)
	out = out.string("client_sku", r.ClientSKU)
	out = out.string("platform_sequence", r.PlatformSequence)
	out = out.string("onboarding_blob", r.OnboardingBlob)
	out = out.bool("new_mobile_onboarding_flow", r.NewMobileOnboardingFlow)
	out = out.bool("bound_refresh_tokens", r.BoundRefreshTokens)
	out = out.string("user_federated_identity_credential", r.UserFederatedIdentityCredential)
	return out
}

// SignInSession is the document "SignInSession".
type SignInSession struct {
	// The URL of the provider's page, valid for one sign-in. With `authenticator` it is the broker's
	// URL, and contains the key that decrypts its response: do not log it.
	URL string `json:"url"`

	// The value to pass to `tessera_application_complete_sign_in`: opaque, encrypted with a key of the
	// store, valid for one sign-in.
	State Secret `json:"state"`

	// The time at which `state` expires.
	ExpiresOn UnixTime `json:"expires_on"`

	// The redirect URI of the response.
	RedirectURI string `json:"redirect_uri"`
}

// RedirectResponse is the response of a provider at the redirect URI.
type RedirectResponse struct {
	// The `state` of the SignInSession.
	State Secret

	// The complete URL that was opened at the redirect URI.
	URL *Secret

	// Instead of `url`: the body that was posted to the redirect URI.
	Form *Secret

	// The application that opened the redirect URI (default: unknown).
	SourceApplication *string

	// The deadline of the call.
	Timeout *time.Duration
}

func (r *RedirectResponse) appendTo(out encoder) encoder {
	out = out.requiredSecret("state", r.State)
	out = out.secret("url", r.URL)
	out = out.secret("form", r.Form)
	out = out.string("source_application", r.SourceApplication)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	return out
}

// BrokerVisit is the document "BrokerVisit".
type BrokerVisit struct {
	// The name of the broker.
	Broker string `json:"broker"`

	// The outcome. The value is `used` or `skipped`.
	Outcome string `json:"outcome"`

	// The reason for skipping it. Present if skipped.
	Reason string `json:"reason"`

	// The reason as a sentence. Present if skipped.
	Message string `json:"message"`
}

// TenantProfile is the document "TenantProfile".
type TenantProfile struct {
	// The tenant; empty for a provider without tenants.
	TenantID string `json:"tenant_id"`

	// The ID of the user in that tenant.
	LocalAccountID string `json:"local_account_id"`

	// Whether it is the user's home tenant; in other tenants the user is a guest.
	IsHomeTenant bool `json:"is_home_tenant"`

	// The user name in that tenant, as of the last sign-in there. Present if known.
	Username string `json:"username"`

	// The claims of that tenant's ID token. Present if requested.
	Claims json.RawMessage `json:"claims"`
}

// TokenDescription is the document "TokenDescription".
type TokenDescription struct {
	// Whether the token can be decoded. The value is `jwt` or `opaque`.
	Kind string `json:"kind"`

	// Always `false`: the signature is not verified.
	Verified bool `json:"verified"`

	// A remark on this kind of token.
	Hint string `json:"hint"`

	// `aud`.
	Audiences []string `json:"audiences"`

	// `scp` or `scope`.
	Scopes []string `json:"scopes"`

	// `roles`.
	Roles []string `json:"roles"`

	// `alg`. Present if in the token.
	Algorithm string `json:"algorithm"`

	// `iss`. Present if in the token.
	Issuer string `json:"issuer"`

	// `sub`. Present if in the token.
	Subject string `json:"subject"`

	// `tid`. Present if in the token.
	TenantID string `json:"tenant_id"`

	// `azp`, `appid` or `client_id`. Present if in the token.
	ClientID string `json:"client_id"`

	// `preferred_username`, `upn` or `unique_name`. Present if in the token.
	Username string `json:"username"`

	// `iat`. Present if in the token.
	IssuedOn UnixTime `json:"issued_on"`

	// `nbf`. Present if in the token.
	NotBeforeOn UnixTime `json:"not_before_on"`

	// `exp`. Present if in the token.
	ExpiresOn UnixTime `json:"expires_on"`
}

// ErrorCause is the document "ErrorCause".
type ErrorCause struct {
	// The source of the error.
	Domain string `json:"domain"`

	// The number of the error there. Present if it has one.
	Number int64 `json:"number"`

	// The name of the error there. Present if it has one.
	Code string `json:"code"`

	// A description. Present if there is one.
	Message string `json:"message"`
}

// BrokerCookieRequest is a request for a cookie of the broker.
type BrokerCookieRequest struct {
	// The authority of the account (default: the application's).
	Authority *string

	// The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a
	// signature, 40 for cookies).
	Timeout *time.Duration

	// An ID for the log of the server and of the broker (default: a new UUID).
	CorrelationID *string

	// The account to sign in.
	HomeAccountID string

	// The sign-in page, with https and in the authority's cloud, including the `sso_nonce` that the
	// page sent.
	SSOURL string

	// The scopes that the browser requests (default: Graph's).
	Scopes []string
}

func (r *BrokerCookieRequest) appendTo(out encoder) encoder {
	out = out.string("authority", r.Authority)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	out = out.string("correlation_id", r.CorrelationID)
	out = out.requiredString("home_account_id", r.HomeAccountID)
	out = out.requiredString("sso_url", r.SSOURL)
	out = out.strings("scopes", r.Scopes)
	return out
}

// BrokerSigningRequest is a request to sign an HTTP request.
type BrokerSigningRequest struct {
	// The authority of the account (default: the application's).
	Authority *string

	// The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a
	// signature, 40 for cookies).
	Timeout *time.Duration

	// An ID for the log of the server and of the broker (default: a new UUID).
	CorrelationID *string

	// The account of the signing key.
	HomeAccountID string

	// The method of the request, such as `GET`.
	HTTPMethod string

	// The URL of the request. Its host and path are signed in their exact spelling.
	URL string

	// The nonce of the resource.
	Nonce *string

	// Further claims, as JSON text.
	ClientClaims *string

	// The key (default: chosen by the broker).
	KeyID *string
}

func (r *BrokerSigningRequest) appendTo(out encoder) encoder {
	out = out.string("authority", r.Authority)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	out = out.string("correlation_id", r.CorrelationID)
	out = out.requiredString("home_account_id", r.HomeAccountID)
	out = out.requiredString("http_method", r.HTTPMethod)
	out = out.requiredString("url", r.URL)
	out = out.string("nonce", r.Nonce)
	out = out.string("client_claims", r.ClientClaims)
	out = out.string("key_id", r.KeyID)
	return out
}

// BrokerAccount is the document "BrokerAccount".
type BrokerAccount struct {
	// The stable ID of the account, for silent requests.
	HomeAccountID string `json:"home_account_id"`

	// The object ID in a tenant. Present if known.
	LocalAccountID string `json:"local_account_id"`

	// That tenant. Present if known.
	TenantID string `json:"tenant_id"`

	// The host of the cloud. Present if known.
	Environment string `json:"environment"`

	// The user name. Present if known.
	Username string `json:"username"`

	// The display name. Present if known.
	Name string `json:"name"`

	// The given name. Present if known.
	GivenName string `json:"given_name"`

	// The family name. Present if known.
	FamilyName string `json:"family_name"`
}

// BrokerRequest is a request to the broker.
type BrokerRequest struct {
	// The authority of the account (default: the application's).
	Authority *string

	// The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a
	// signature, 40 for cookies).
	Timeout *time.Duration

	// An ID for the log of the server and of the broker (default: a new UUID).
	CorrelationID *string
}

func (r *BrokerRequest) appendTo(out encoder) encoder {
	out = out.string("authority", r.Authority)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	out = out.string("correlation_id", r.CorrelationID)
	return out
}

// BrokerVersion is the document "BrokerVersion".
type BrokerVersion struct {
	// The version of the broker.
	Version string `json:"version"`
}

// BrokerCookie is the document "BrokerCookie".
type BrokerCookie struct {
	// The name of the header field.
	Name string `json:"name"`

	// The value of the header field.
	Content Secret `json:"content"`
}

// BrokerSignature is the document "BrokerSignature".
type BrokerSignature struct {
	// The signed request.
	SignedHTTPRequest Secret `json:"signed_http_request"`
}

// Configuration is the configuration of an application.
type Configuration struct {
	// The client ID that the provider assigned to the application.
	ClientID string

	// The redirect URI for sign-ins in a browser, as registered with the provider; see interactive.md
	// (default: `msauth.[bundle_id]://auth`; without `bundle_id`, `http://localhost`).
	RedirectURI *string

	// The identifier of the application, such as `com.example.mail`. The default redirect URI is
	// derived from it.
	BundleID *string

	// The default authority: the URL of a tenant, or an issuer exactly as its discovery document
	// states it. It must use https; http is accepted for this machine only (default:
	// `https://login.microsoftonline.com/common`).
	Authority *string

	// Instead of `authority`: the cloud of an Entra authority. The value is `public`, `china`,
	// `germany`, `us_government`, `france`, `delos` or `gov_sg` (default: `public`).
	Cloud *string

	// Instead of `authority`: the supported account types, as in the registration. The value is
	// `AzureADandPersonalMicrosoftAccount`, `AzureADMultipleOrgs`, `AzureADMyOrg` or
	// `PersonalMicrosoftAccount` (default: `AzureADMyOrg` with a `tenant`, otherwise
	// `AzureADandPersonalMicrosoftAccount`).
	Audience *string

	// Instead of `authority`, only for `AzureADMyOrg`: the tenant ID or a domain of the tenant.
	Tenant *string

	// The kind of the authority: an Entra tenant, a B2C policy, an external tenant, ADFS, or any other
	// OpenID Connect provider. The value is `entra`, `b2c`, `ciam`, `adfs` or `openid` (default:
	// derived from the URL, see authorities.md).
	AuthorityType *string

	// Entra only: allows sign-ins of users from other Microsoft clouds, each in their own cloud; see
	// authorities.md (default: `false`).
	MultipleClouds *bool

	// Authorities that the application trusts, so that no instance discovery is needed for their
	// hosts. Other applications with the same store are not affected. The authority of a request on
	// such a host has the same kind, unless its URL indicates another one.
	KnownAuthorities []string

	// The client capabilities to announce, such as `CP1`: the application handles claims challenges.
	// Tokens with different capabilities are cached separately, even for the same `client_id`.
	ClientCapabilities []string

	// The credential of a confidential client; see services.md (default: none: a public client).
	Credential *ClientCredential

	// The method of client authentication; only with `credential`. The value is `client_secret_post`,
	// `client_secret_basic` or `private_key_jwt` (default: with a secret, `client_secret_post` at
	// Microsoft's authorities; elsewhere `client_secret_basic`, unless the discovery document lists
	// only `client_secret_post`).
	AuthenticationMethod *string

	// The audience of the assertions that the application signs. The value is `token_endpoint` or
	// `issuer` (default: `token_endpoint` at Microsoft's authorities, `issuer` elsewhere).
	AssertionAudience *string

	// Whether the identity broker of this machine is used for tokens and sign-ins. `require` rejects
	// device codes and pages that the application shows; see brokers.md. The value is `never`,
	// `prefer` or `require` (default: `never`).
	Broker *string

	// The most detailed level that `host->log` receives: 1 error, 2 warning, 3 information, 4 detail
	// (default: 3).
	LogLevel *int64

	// Whether log messages may contain personal data. Otherwise user names are masked
	// (`auth.placeholder-1a2b3c4d__contoso.com`; the domain remains), paths are reduced to their last
	// component, that of a `store.msal_cache` to a hash, and errors to their code (default: `false`).
	LogPII *bool

	// The token store.
	Store *StoreOptions

	// Proxies, certificates and timeouts.
	Network *NetworkOptions

	// The use and the refresh of tokens.
	Tokens *TokenOptions

	// The state of Intune app protection, as the Intune SDK provides it; see brokers.md.
	Intune *IntuneOptions

	// Texts for users that replace those of the library, by code.
	UserMessages *UserMessages

	// Options that few applications need.
	Advanced *AdvancedOptions
}

func (r *Configuration) appendTo(out encoder) encoder {
	out = out.requiredString("client_id", r.ClientID)
	out = out.string("redirect_uri", r.RedirectURI)
	out = out.string("bundle_id", r.BundleID)
	out = out.string("authority", r.Authority)
	out = out.string("cloud", r.Cloud)
	out = out.string("audience", r.Audience)
	out = out.string("tenant", r.Tenant)
	out = out.string("authority_type", r.AuthorityType)
	out = out.bool("multiple_clouds", r.MultipleClouds)
	out = out.strings("known_authorities", r.KnownAuthorities)
	out = out.strings("client_capabilities", r.ClientCapabilities)
	if r.Credential != nil {
		out = r.Credential.appendTo(out.open("credential")).close()
	}
	out = out.string("authentication_method", r.AuthenticationMethod)
	out = out.string("assertion_audience", r.AssertionAudience)
	out = out.string("broker", r.Broker)
	out = out.int("log_level", r.LogLevel)
	out = out.bool("log_pii", r.LogPII)
	if r.Store != nil {
		out = r.Store.appendTo(out.open("store")).close()
	}
	if r.Network != nil {
		out = r.Network.appendTo(out.open("network")).close()
	}
	if r.Tokens != nil {
		out = r.Tokens.appendTo(out.open("tokens")).close()
	}
	if r.Intune != nil {
		out = r.Intune.appendTo(out.open("intune")).close()
	}
	if r.UserMessages != nil {
		out = r.UserMessages.appendTo(out.open("user_messages")).close()
	}
	if r.Advanced != nil {
		out = r.Advanced.appendTo(out.open("advanced")).close()
	}
	return out
}

// MetricsSnapshot is the document "MetricsSnapshot".
type MetricsSnapshot struct {
	// The numbers of events since the application was created.
	Counters []MetricValue `json:"counters"`

	// The present values.
	Gauges []MetricValue `json:"gauges"`

	// The distributions of values since the application was created.
	Histograms []MetricHistogram `json:"histograms"`
}

// KnownCaches is the document "KnownCaches".
type KnownCaches struct {
	// The locations of known caches.
	Caches []FoundCache `json:"caches"`
}

// MigrationReport is the document "MigrationReport".
type MigrationReport struct {
	// The format of the cache.
	Format string `json:"format"`

	// Whether nothing was stored.
	DryRun bool `json:"dry_run"`

	// The accounts of the cache; see coming-from-adal.md.
	Accounts []MigratedAccount `json:"accounts"`

	// The number of records of the unified schema that were imported from this cache or already
	// existed; in a dry run, the number that would be imported or already exists. Their accounts are
	// in `accounts`.
	RecordCount int64 `json:"record_count"`

	// The numbers of entries that were left unchanged in the old cache, by kind: `wipe_marker`,
	// `primary_refresh_token`, `intune`, `device_registration`, `service_principal`, `unknown`.
	Preserved map[string]int64 `json:"preserved"`

	// The entries that could not be read, at most 100; see coming-from-adal.md.
	Damaged []DamagedEntry `json:"damaged"`

	// The number of further damaged entries.
	FurtherDamaged int64 `json:"further_damaged"`
}

// ExportedSignIns is the document "ExportedSignIns".
type ExportedSignIns struct {
	// The `format` of the request.
	Format string `json:"format"`

	// The number of exported accounts. `adal_macos` has only accounts with a user name, because ADAL
	// finds no others.
	AccountCount int64 `json:"account_count"`

	// The keychain access groups of ADAL and MSAL, for iOS and for macOS. Present for
	// `apple_keychain`.
	AccessGroups []string `json:"access_groups"`

	// The keychain items. **They contain refresh tokens**. Present for `apple_keychain`.
	Items []KeychainItem `json:"items"`

	// The cache of ADAL for macOS in Base64. **It contains refresh tokens**. Present for `adal_macos`.
	Data Secret `json:"data"`
}

// CopyReport is the document "CopyReport".
type CopyReport struct {
	// Whether nothing was stored.
	DryRun bool `json:"dry_run"`

	// The accounts of the other store.
	Accounts []CopiedAccount `json:"accounts"`

	// The number of copied records, including those without an account.
	RecordCount int64 `json:"record_count"`
}

// SignInRequest is a request to begin a sign-in.
type SignInRequest struct {
	// As in SilentRequest.
	Scopes []string

	// As in SilentRequest, instead of `scopes`.
	Resource *string

	// Scopes to consent to now, for later tokens of other resources.
	ExtraScopesToConsent []string

	// Another authority (default: the application's).
	Authority *string

	// The account that must sign in (default: any account).
	HomeAccountID *string

	// Whether another account than `home_account_id` may sign in (default: `false`).
	AcceptOtherAccount *bool

	// The user name to fill in on the page (default: the account's user name).
	LoginHint *string

	// The domain of the user's organization.
	DomainHint *string

	// The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core
	// section 3.1.2.1).
	UILocales *string

	// The `prompt` parameter of OpenID Connect. The value is `select_account`, `login`, `consent`,
	// `create` or `none` (default: chosen by the provider).
	Prompt *string

	// The `claims` of the error that made this sign-in necessary.
	Claims *string

	// Parameters to add to the URL of the page.
	ExtraQueryParameters map[string]string

	// Parameters to add to the body of the token request. They take precedence over the configuration.
	ExtraTokenParameters map[string]string

	// The `response_mode` of the authorization request. The value is `query` or `form_post` (default:
	// `query`).
	ResponseMode *string

	// The deadline of the call.
	Timeout *time.Duration

	// An ID for the server's log (default: a new UUID).
	CorrelationID *string

	// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
	Traceparent *string

	// The `tracestate` of the trace, only with `traceparent`.
	Tracestate *string

	// The delivery of the redirect: the host application observes the navigation of its page, or the
	// system opens the redirect URI. In the second case its scheme must be registered. The value is
	// `host` or `system` (default: `host`).
	Delivery *string

	// The only application that may open the redirect URI (default: any).
	SourceApplication *string

	// Signs in with Microsoft Authenticator on Apple's systems; `url` is then the URL that opens it.
	// See brokers.md (default: none: a page).
	Authenticator *AuthenticatorOptions

	// The lifetime of the sign-in (default: 3600).
	Lifetime *time.Duration
}

func (r *SignInRequest) appendTo(out encoder) encoder {
	out = out.strings("scopes", r.Scopes)
	out = out.string("resource", r.Resource)
	out = out.strings("extra_scopes_to_consent", r.ExtraScopesToConsent)
	out = out.string("authority", r.Authority)
	out = out.string("home_account_id", r.HomeAccountID)
	out = out.bool("accept_other_account", r.AcceptOtherAccount)
	out = out.string("login_hint", r.LoginHint)
	out = out.string("domain_hint", r.DomainHint)
	out = out.string("ui_locales", r.UILocales)
	out = out.string("prompt", r.Prompt)
	out = out.string("claims", r.Claims)
	out = out.dictionary("extra_query_parameters", r.ExtraQueryParameters)
	out = out.dictionary("extra_token_parameters", r.ExtraTokenParameters)
	out = out.string("response_mode", r.ResponseMode)
	out = out.milliseconds("timeout_milliseconds", r.Timeout)
	out = out.string("correlation_id", r.CorrelationID)
	out = out.string("traceparent", r.Traceparent)
	out = out.string("tracestate", r.Tracestate)
	out = out.string("delivery", r.Delivery)
	out = out.string("source_application", r.SourceApplication)
	if r.Authenticator != nil {
		out = r.Authenticator.appendTo(out.open("authenticator")).close()
	}
	out = out.seconds("lifetime_seconds", r.Lifetime)
	return out
}

// Account is the document "Account".
type Account struct {
	// The ID of the account, the same in all tenants. Pass it to later calls unchanged.
	HomeAccountID string `json:"home_account_id"`

	// The host of the cloud; for plain OpenID Connect the issuer without `https://`. For an authority
	// over http it includes `http://`.
	Environment string `json:"environment"`

	// The user name. It may change; use it only for display and search. Present if known.
	Username string `json:"username"`

	// The display name of the user. Present if known.
	Name string `json:"name"`

	// The claims of the home tenant's ID token; absent for users known only as guests. Present if
	// requested.
	Claims json.RawMessage `json:"claims"`

	// The tenants in which the account is known, home tenant first.
	TenantProfiles []TenantProfile `json:"tenant_profiles"`
}

// BrokerAccountList is the document "BrokerAccountList".
type BrokerAccountList struct {
	// The accounts.
	Accounts []BrokerAccount `json:"accounts"`
}

// BrokerCookies is the document "BrokerCookies".
type BrokerCookies struct {
	// The cookies.
	Cookies []BrokerCookie `json:"cookies"`
}

// AccountList is the document "AccountList".
type AccountList struct {
	// The accounts.
	Accounts []Account `json:"accounts"`
}

// AccountResult is the document "AccountResult".
type AccountResult struct {
	// The account.
	Account *Account `json:"account"`
}

// CurrentAccount is the document "CurrentAccount".
type CurrentAccount struct {
	// The only account that is signed in; null if none is.
	Account *Account `json:"account"`

	// The account at the last such call, in any process with this client ID; null if there was none.
	PreviousAccount *Account `json:"previous_account"`
}

// Error is the document "Error".
type Error struct {
	// The remedy: the status as a name, see errors.md.
	Remedy string `json:"remedy"`

	// The name of the error, see errors.md.
	Code string `json:"code"`

	// A description for developers, in one line. In it, and in the server's texts below, control
	// characters are removed and long texts are truncated with `…`.
	Message string `json:"message"`

	// Whether the same call may succeed later without a change.
	Retryable bool `json:"retryable"`

	// The number of seconds to wait before a retry. It is 60 if the server sent status 429 without
	// `Retry-After`. Present if the server sent it, and with `throttled`.
	RetryAfter int64 `json:"retry_after"`

	// `error` (RFC 6749 section 5.2). Present if the server sent it.
	OauthError string `json:"oauth_error"`

	// Entra's `suberror`, which refines `oauth_error`. Present if the server sent it.
	Suberror string `json:"suberror"`

	// The AADSTS numbers. Present if the server sent them.
	ServerCodes []int64 `json:"server_codes"`

	// The ID of the exchange, for the server's support: from the body, or else from the header
	// `client-request-id`, or else the ID of the request. Present after an error response, or a
	// response that is not JSON.
	CorrelationID string `json:"correlation_id"`

	// The server's trace ID, for its support: from the body, or else from the header `x-ms-request-
	// id`. Present if the server sent it.
	TraceID string `json:"trace_id"`

	// A claims challenge; pass it to an interactive request. Present if the server sent it.
	Claims string `json:"claims"`

	// The granted scopes, without the reserved ones. Present with `server_declined_scopes`, if known.
	GrantedScopes []string `json:"granted_scopes"`

	// The requested scopes that were not granted. Present with `server_declined_scopes`, if known.
	DeclinedScopes []string `json:"declined_scopes"`

	// The user name of the account concerned. Present with `protection_policy_required`,
	// `account_mismatch`, `workplace_join_required` and errors of brokers, if known.
	Username string `json:"username"`

	// The ID of the account concerned. Present with `protection_policy_required`, `account_mismatch`,
	// `workplace_join_required` and errors of brokers, if known.
	HomeAccountID string `json:"home_account_id"`

	// The URL of the application that registers devices. It is not authenticated: show it to the user
	// before you open it. Present with `workplace_join_required` and `device_upgrade_required`, if the
	// page sent it.
	AppLink string `json:"app_link"`

	// The organization requires device-bound tokens. Present with the same codes, if it applies.
	TokenProtectionRequired bool `json:"token_protection_required"`

	// The authority that applies the policy. Present with `protection_policy_required`, if a server
	// sent it.
	Authority string `json:"authority"`

	// The process that held the lock of the credential, or of the shared MSAL cache, until the
	// deadline. Present with `store_busy`, if the system reports it.
	HolderProcessID int64 `json:"holder_process_id"`

	// The matching accounts. Present with `ambiguous_account`.
	Accounts []Account `json:"accounts"`

	// The underlying errors, the direct cause first; see errors.md. Present if there are any.
	Causes []ErrorCause `json:"causes"`

	// The error code that MSAL for Apple reports. Present usually.
	MsalCode int64 `json:"msal_code"`

	// The internal error code that MSAL for Apple reports. Present if there is one.
	MsalInternalCode int64 `json:"msal_internal_code"`
}

// Revocation is the document "Revocation".
type Revocation struct {
	// The application of the refresh token.
	ClientID string `json:"client_id"`

	// Whether the provider revoked it.
	Revoked bool `json:"revoked"`

	// The reason. Present after a failure.
	Error *Error `json:"error"`
}

// BrokerRemoval is the document "BrokerRemoval".
type BrokerRemoval struct {
	// The number of removed accounts.
	Removed int64 `json:"removed"`

	// The reason. Present after a failure.
	Error *Error `json:"error"`
}

// StoreInfo is the document "StoreInfo".
type StoreInfo struct {
	// The state of the store. `locked`: the key cannot be reached; `undecryptable`: the store has
	// another key. The value is `missing`, `empty`, `usable`, `read_only`, `damaged`, `too_new`,
	// `locked`, `undecryptable`, `busy` or `unavailable`.
	State string `json:"state"`

	// The policy that the application requested. The value is `require_encrypted`, `prefer_encrypted`,
	// `allow_plaintext` or `memory_only`.
	StoragePolicy string `json:"storage_policy"`

	// `encrypted`: the key is not on the same disk; `obfuscated`: the key is in a file; for a missing
	// store, the protection that it would get. The value is `encrypted`, `obfuscated`, `plaintext` or
	// `memory`. Present if known.
	Protection string `json:"protection"`

	// The location of the key, or of the key that would be created. The value is `caller`,
	// `secret_service`, `kernel_keyring` or `key_file`. Present if there is one.
	KeySource string `json:"key_source"`

	// The locations that were tried before, without success.
	Attempts []KeyAttempt `json:"attempts"`

	// The database; with `msal_cache` the cache file, or the file whose modification time signals a
	// change of a keyring item. Present with a database or a file.
	Path string `json:"path"`

	// See store.md. Present with a database.
	LayoutVersion int64 `json:"layout_version"`

	// The bytes in use. Present with a database or a file.
	Bytes int64 `json:"bytes"`

	// The size of the file. Present with a database or a file; not for a keyring item.
	FileBytes int64 `json:"file_bytes"`

	// The size at which access tokens are evicted, starting with those that expire first. Present if
	// there is one.
	LimitBytes int64 `json:"limit_bytes"`

	// The numbers of records. Present if it can be read.
	Records *StoreRecords `json:"records"`

	// The processes among which one at a time refreshes a token: the threads of this process; the
	// processes of this machine; those that the locks of a host application's store exclude. The value
	// is `process`, `machine` or `host`.
	LockScope string `json:"lock_scope"`

	// Whether the store is a cache file of other libraries, which read and write it as well.
	SharedWithPeers bool `json:"shared_with_peers"`

	// Whether the store is on a network file system, or would be. Its locks then apply to this machine
	// only, and every call reads the database.
	NetworkFileSystem bool `json:"network_file_system"`

	// The paths of quarantined databases.
	SetAside []string `json:"set_aside"`

	// The error that a call would report. A missing store that cannot be created is `unavailable`,
	// with the directory that cannot be written. Present after a problem.
	Problem *Error `json:"problem"`
}

// Explanation is the document "Explanation".
type Explanation struct {
	// The first step of the call: `use` a cached token, `broker`: request a token from the identity
	// broker, `refresh`, `pause` because the same request failed recently, or `sign_in`; `signed_in`
	// for a completed sign-in.
	Decision string `json:"decision"`

	// `valid` for a cached token. For a refresh or a broker request: `missing`, `expired`, `due` (the
	// server recommended a refresh by now), `doubtful` (the clocks disagree), `forced`, `claims`.
	// `device_code` after a sign-in; otherwise the code of `error`.
	Reason string `json:"reason"`

	// The decision and its reason as a sentence.
	Message string `json:"message"`

	// The requested account.
	HomeAccountID string `json:"home_account_id"`

	// The requested authority.
	Authority string `json:"authority"`

	// The tenant of the authority for this account; empty for a provider without tenants. Present if
	// known.
	TenantID string `json:"tenant_id"`

	// The hosts of the cloud, or the issuer, of the considered tokens.
	Environments []string `json:"environments"`

	// The requested scopes.
	Scopes []string `json:"scopes"`

	// The tokens of the account, in order of use.
	Candidates []TokenCandidate `json:"candidates"`

	// The error with which the call would fail. With `broker`, it applies only if the broker has no
	// token. With `server_declined_scopes`, the call returns the token for the granted scopes instead,
	// if the store has it. Present with `sign_in` and `pause`, and with `broker` after a recent
	// failure of the same request.
	Error *Error `json:"error"`

	// The outcome for each broker. Present if a broker was to be used, except in a dry run.
	Brokers []BrokerVisit `json:"brokers"`

	// The kind of the store: `sqlite`, `msal_file` or `memory`.
	Store string `json:"store"`

	// The duration of reading the store and deciding.
	ReadMicroseconds int64 `json:"read_microseconds"`

	// The duration of the requests to servers. Present except in a dry run.
	NetworkMicroseconds int64 `json:"network_microseconds"`

	// The duration of the whole call, including waits for other processes. Present except in a dry
	// run.
	TotalMicroseconds int64 `json:"total_microseconds"`
}

// SignOutReport is the document "SignOutReport".
type SignOutReport struct {
	// The `scope` of the request.
	Scope string `json:"scope"`

	// The accounts that were signed out; for `machine`, those of this application.
	Accounts []Account `json:"accounts"`

	// The numbers of removed records.
	Removed *RemovedRecords `json:"removed"`

	// The tokens and sessions that were not removed.
	Remaining []LeftoverToken `json:"remaining"`

	// One for each refresh token to revoke.
	Revocations []Revocation `json:"revocations"`

	// The URL that ends the browser session. If the store has an ID token of the account, the URL
	// contains it (`id_token_hint`, OpenID Connect RP-Initiated Logout 1.0), unless it is longer than
	// 4096 bytes. Open the URL in the browser and do not log it. Present if requested and available.
	EndSessionURL Secret `json:"end_session_url"`

	// The result of the identity broker. Present with `from_broker`.
	Broker *BrokerRemoval `json:"broker"`

	// Problems that did not prevent the sign-out. Present if there are any.
	Warnings []string `json:"warnings"`
}

// TokenResult is the document "TokenResult".
type TokenResult struct {
	// The access token. Treat it as opaque; only the resource may interpret it.
	AccessToken Secret `json:"access_token"`

	// The token type, currently always `Bearer`.
	TokenType string `json:"token_type"`

	// The expiry time.
	ExpiresOn UnixTime `json:"expires_on"`

	// The time until which the token may be used during an outage. Present if the server sent it.
	ExtendedExpiresOn UnixTime `json:"extended_expires_on"`

	// The time from which the server recommends a refresh; silent requests follow it. Present if the
	// server sent it.
	RefreshOn UnixTime `json:"refresh_on"`

	// The granted scopes, in the server's spelling; the requested ones if the response has none.
	Scopes []string `json:"scopes"`

	// The requested scopes that were not granted. The status is then `TESSERA_STATUS_SIGN_IN`. The
	// token is stored and can be used for `scopes`. Present if the server declined some.
	DeclinedScopes []string `json:"declined_scopes"`

	// The raw ID token. Present if there is one.
	IDToken Secret `json:"id_token"`

	// The claims of the ID token. Present if there is one.
	IDTokenClaims json.RawMessage `json:"id_token_claims"`

	// The account of the token.
	Account *Account `json:"account"`

	// The tenant of the token; empty for a provider without tenants.
	TenantID string `json:"tenant_id"`

	// The authority that issued the token, with the actual tenant.
	Authority string `json:"authority"`

	// The source of the token. The value is `cache`, `network` or `broker`.
	Source string `json:"source"`

	// The outcome for each broker; see brokers.md. Present if a broker was to be used.
	Brokers []BrokerVisit `json:"brokers"`

	// Whether the token is in the store. If not, `warnings` has the reason; the token is valid
	// nevertheless.
	Persisted bool `json:"persisted"`

	// The reason for opening or not opening the browser, a value of the table. Present after a sign-in
	// in a browser.
	BrowserReason string `json:"browser_reason"`

	// Always `true`: the token has expired, and is returned only because the server is down and allows
	// this use; see `refresh_error`. Present during an outage.
	ExtendedLifetime bool `json:"extended_lifetime"`

	// The error of the refresh. Present after a failed refresh.
	RefreshError *Error `json:"refresh_error"`

	// Problems that did not prevent the call from succeeding. Present if there are any.
	Warnings []string `json:"warnings"`

	// The reason for the choice of this token, and the duration of each step. Present with `explain`.
	Explanation *Explanation `json:"explanation"`
}
