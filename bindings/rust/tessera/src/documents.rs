// SPDX-License-Identifier: MIT
//! The requests and results.
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use crate::json::{find, get, member, object, Json, Read, Secret, Write};

/// The error codes; docs/errors.md describes them. Later versions add codes.
pub mod codes {
    #[allow(missing_docs)]
    pub const INTERACTION_REQUIRED: &str = "interaction_required";
    #[allow(missing_docs)]
    pub const CONSENT_REQUIRED: &str = "consent_required";
    #[allow(missing_docs)]
    pub const MFA_REQUIRED: &str = "mfa_required";
    #[allow(missing_docs)]
    pub const PASSWORD_EXPIRED: &str = "password_expired";
    #[allow(missing_docs)]
    pub const PASSWORD_RESET_REQUIRED: &str = "password_reset_required";
    #[allow(missing_docs)]
    pub const CREDENTIALS_REJECTED: &str = "credentials_rejected";
    #[allow(missing_docs)]
    pub const ACCOUNT_DISABLED: &str = "account_disabled";
    #[allow(missing_docs)]
    pub const ACCOUNT_NOT_IN_TENANT: &str = "account_not_in_tenant";
    #[allow(missing_docs)]
    pub const DEVICE_REQUIRED: &str = "device_required";
    #[allow(missing_docs)]
    pub const ACCESS_BLOCKED: &str = "access_blocked";
    #[allow(missing_docs)]
    pub const ACCOUNT_NOT_FOUND: &str = "account_not_found";
    #[allow(missing_docs)]
    pub const REFRESH_TOKEN_REJECTED: &str = "refresh_token_rejected";
    #[allow(missing_docs)]
    pub const CODE_EXPIRED: &str = "code_expired";
    #[allow(missing_docs)]
    pub const ACCOUNT_MISMATCH: &str = "account_mismatch";
    #[allow(missing_docs)]
    pub const SERVER_DECLINED_SCOPES: &str = "server_declined_scopes";
    #[allow(missing_docs)]
    pub const INVALID_AUTHORIZATION_RESPONSE: &str = "invalid_authorization_response";
    #[allow(missing_docs)]
    pub const SIGN_IN_EXPIRED: &str = "sign_in_expired";
    #[allow(missing_docs)]
    pub const SIGN_IN_USED: &str = "sign_in_used";
    #[allow(missing_docs)]
    pub const SIGN_IN_LOST: &str = "sign_in_lost";
    #[allow(missing_docs)]
    pub const WORKPLACE_JOIN_REQUIRED: &str = "workplace_join_required";
    #[allow(missing_docs)]
    pub const DEVICE_UPGRADE_REQUIRED: &str = "device_upgrade_required";
    #[allow(missing_docs)]
    pub const DEVICE_ENROLLMENT_COMPLETED: &str = "device_enrollment_completed";
    #[allow(missing_docs)]
    pub const BROKER_RESPONSE_MISSING: &str = "broker_response_missing";
    #[allow(missing_docs)]
    pub const BROKER_RESPONSE_CORRUPTED: &str = "broker_response_corrupted";
    #[allow(missing_docs)]
    pub const BROKER_DECRYPTION_FAILED: &str = "broker_decryption_failed";
    #[allow(missing_docs)]
    pub const BROKER_HASH_MISSING: &str = "broker_hash_missing";
    #[allow(missing_docs)]
    pub const BROKER_HASH_MISMATCH: &str = "broker_hash_mismatch";
    #[allow(missing_docs)]
    pub const BROKER_FAILED: &str = "broker_failed";
    #[allow(missing_docs)]
    pub const SSO_EXTENSION_FAILED: &str = "sso_extension_failed";
    #[allow(missing_docs)]
    pub const STORE_MISSING: &str = "store_missing";
    #[allow(missing_docs)]
    pub const STORE_EMPTY: &str = "store_empty";
    #[allow(missing_docs)]
    pub const CACHE_DAMAGED: &str = "cache_damaged";
    #[allow(missing_docs)]
    pub const NETWORK_FAILED: &str = "network_failed";
    #[allow(missing_docs)]
    pub const SERVER_UNAVAILABLE: &str = "server_unavailable";
    #[allow(missing_docs)]
    pub const THROTTLED: &str = "throttled";
    #[allow(missing_docs)]
    pub const INVALID_RESPONSE: &str = "invalid_response";
    #[allow(missing_docs)]
    pub const STORE_BUSY: &str = "store_busy";
    #[allow(missing_docs)]
    pub const TOO_MANY_OPEN_FILES: &str = "too_many_open_files";
    #[allow(missing_docs)]
    pub const TOO_MANY_THREADS: &str = "too_many_threads";
    #[allow(missing_docs)]
    pub const STACK_TOO_SMALL: &str = "stack_too_small";
    #[allow(missing_docs)]
    pub const MISSING_PARAMETER: &str = "missing_parameter";
    #[allow(missing_docs)]
    pub const WRONG_PROCESS: &str = "wrong_process";
    #[allow(missing_docs)]
    pub const INVALID_JSON: &str = "invalid_json";
    #[allow(missing_docs)]
    pub const UNKNOWN_MEMBER: &str = "unknown_member";
    #[allow(missing_docs)]
    pub const INVALID_MEMBER: &str = "invalid_member";
    #[allow(missing_docs)]
    pub const SCOPES_REQUIRED: &str = "scopes_required";
    #[allow(missing_docs)]
    pub const AMBIGUOUS_ACCOUNT: &str = "ambiguous_account";
    #[allow(missing_docs)]
    pub const INTERACTION_IN_PROGRESS: &str = "interaction_in_progress";
    #[allow(missing_docs)]
    pub const STATE_MISMATCH: &str = "state_mismatch";
    #[allow(missing_docs)]
    pub const INVALID_SIGN_IN_STATE: &str = "invalid_sign_in_state";
    #[allow(missing_docs)]
    pub const BROKER_STATE_MISSING: &str = "broker_state_missing";
    #[allow(missing_docs)]
    pub const BROKER_STATE_INVALID: &str = "broker_state_invalid";
    #[allow(missing_docs)]
    pub const BROKER_KEY_MISSING: &str = "broker_key_missing";
    #[allow(missing_docs)]
    pub const BROKER_STATE_MISMATCH: &str = "broker_state_mismatch";
    #[allow(missing_docs)]
    pub const BROKER_NONCE_MISMATCH: &str = "broker_nonce_mismatch";
    #[allow(missing_docs)]
    pub const LEGACY_CACHE_INVALID: &str = "legacy_cache_invalid";
    #[allow(missing_docs)]
    pub const REQUEST_REJECTED: &str = "request_rejected";
    #[allow(missing_docs)]
    pub const FEATURE_UNAVAILABLE: &str = "feature_unavailable";
    #[allow(missing_docs)]
    pub const INVALID_CONFIGURATION: &str = "invalid_configuration";
    #[allow(missing_docs)]
    pub const INVALID_AUTHORITY: &str = "invalid_authority";
    #[allow(missing_docs)]
    pub const ISSUER_MISMATCH: &str = "issuer_mismatch";
    #[allow(missing_docs)]
    pub const INVALID_ID_TOKEN: &str = "invalid_id_token";
    #[allow(missing_docs)]
    pub const CLIENT_REJECTED: &str = "client_rejected";
    #[allow(missing_docs)]
    pub const ACCOUNT_NOT_ASSIGNED: &str = "account_not_assigned";
    #[allow(missing_docs)]
    pub const PROTECTION_POLICY_REQUIRED: &str = "protection_policy_required";
    #[allow(missing_docs)]
    pub const SCOPE_REJECTED: &str = "scope_rejected";
    #[allow(missing_docs)]
    pub const INVALID_REDIRECT_URI: &str = "invalid_redirect_uri";
    #[allow(missing_docs)]
    pub const REDIRECT_PORT_TAKEN: &str = "redirect_port_taken";
    #[allow(missing_docs)]
    pub const REDIRECT_SCHEME_NOT_REGISTERED: &str = "redirect_scheme_not_registered";
    #[allow(missing_docs)]
    pub const REDIRECT_SCHEME_TAKEN: &str = "redirect_scheme_taken";
    #[allow(missing_docs)]
    pub const BROWSER_UNAVAILABLE: &str = "browser_unavailable";
    #[allow(missing_docs)]
    pub const BROKER_UNAVAILABLE: &str = "broker_unavailable";
    #[allow(missing_docs)]
    pub const BROKER_UNRESPONSIVE: &str = "broker_unresponsive";
    #[allow(missing_docs)]
    pub const WEBVIEW_UNAVAILABLE: &str = "webview_unavailable";
    #[allow(missing_docs)]
    pub const WEBVIEW_FAILED: &str = "webview_failed";
    #[allow(missing_docs)]
    pub const NAVIGATION_REFUSED: &str = "navigation_refused";
    #[allow(missing_docs)]
    pub const REDIRECT_URI_REJECTED: &str = "redirect_uri_rejected";
    #[allow(missing_docs)]
    pub const BROKER_VERSION_UNSUPPORTED: &str = "broker_version_unsupported";
    #[allow(missing_docs)]
    pub const FLOW_UNSUPPORTED: &str = "flow_unsupported";
    #[allow(missing_docs)]
    pub const CERTIFICATE_UNTRUSTED: &str = "certificate_untrusted";
    #[allow(missing_docs)]
    pub const LIBRARY_MISSING: &str = "library_missing";
    #[allow(missing_docs)]
    pub const UNSAFE_ENVIRONMENT: &str = "unsafe_environment";
    #[allow(missing_docs)]
    pub const STORE_UNAVAILABLE: &str = "store_unavailable";
    #[allow(missing_docs)]
    pub const STORE_UNSAFE: &str = "store_unsafe";
    #[allow(missing_docs)]
    pub const STORE_READ_ONLY: &str = "store_read_only";
    #[allow(missing_docs)]
    pub const STORE_TOO_NEW: &str = "store_too_new";
    #[allow(missing_docs)]
    pub const CACHE_UNDECRYPTABLE: &str = "cache_undecryptable";
    #[allow(missing_docs)]
    pub const STORE_FULL: &str = "store_full";
    #[allow(missing_docs)]
    pub const KEY_UNAVAILABLE: &str = "key_unavailable";
    #[allow(missing_docs)]
    pub const ENCRYPTION_UNAVAILABLE: &str = "encryption_unavailable";
    #[allow(missing_docs)]
    pub const CANCELLED: &str = "cancelled";
    #[allow(missing_docs)]
    pub const DEADLINE_EXCEEDED: &str = "deadline_exceeded";
    #[allow(missing_docs)]
    pub const ACCESS_DENIED: &str = "access_denied";
    #[allow(missing_docs)]
    pub const INTERNAL_ERROR: &str = "internal_error";
}

/// The credential of a confidential client.
#[derive(Clone, Debug, Default)]
pub struct ClientCredential {
    /// A client secret.
    pub secret: Option<Secret>,
    /// The path of a file with a client secret. It is read for each request.
    pub secret_file: Option<String>,
    /// The certificate of the application in PEM, then those of its issuers. The private key may be
    /// in the same text.
    pub certificate_pem: Option<String>,
    /// The path of such a file. A replaced file is used for the next request.
    pub certificate_file: Option<String>,
    /// The private key of the certificate in PEM.
    pub key_pem: Option<Secret>,
    /// The path of such a file.
    pub key_file: Option<String>,
    /// The path of a PKCS #12 file with the certificate and its private key.
    pub pfx_file: Option<String>,
    /// The passphrase of the private key, or of the PKCS #12 file.
    pub passphrase: Option<Secret>,
    /// Whether assertions contain the certificates (`x5c`), for a registration that trusts a
    /// subject and an issuer (default: `false`).
    pub send_chain: Option<bool>,
    /// An assertion of another issuer. It expires, so a file is better.
    pub assertion: Option<Secret>,
    /// The path of a file with an assertion, such as the token of a Kubernetes service account. It
    /// is read for each request.
    pub assertion_file: Option<String>,
}

impl Write for ClientCredential {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"secret\":", &self.secret);
            member(out, ",\"secret_file\":", &self.secret_file);
            member(out, ",\"certificate_pem\":", &self.certificate_pem);
            member(out, ",\"certificate_file\":", &self.certificate_file);
            member(out, ",\"key_pem\":", &self.key_pem);
            member(out, ",\"key_file\":", &self.key_file);
            member(out, ",\"pfx_file\":", &self.pfx_file);
            member(out, ",\"passphrase\":", &self.passphrase);
            member(out, ",\"send_chain\":", &self.send_chain);
            member(out, ",\"assertion\":", &self.assertion);
            member(out, ",\"assertion_file\":", &self.assertion_file);
        });
    }
}

/// The options of the token store.
#[derive(Clone, Debug, Default)]
pub struct StoreOptions {
    /// The kind of the store: shared with other applications that use Tessera, shared with all MSAL
    /// libraries, in memory until the application object is freed, or the store of a host
    /// application, which only C programs can pass. The value is `sqlite`, `msal_file`, `memory` or
    /// `host` (default: `sqlite`; `msal_file` with `msal_cache`; `host` with `host->store`).
    pub kind: Option<String>,
    /// The name of the store. Applications of the same user with the same group share one store. It
    /// has 1 to 64 letters, digits, `.`, `_` and `-`. It must not start with `.` or contain
    /// `.damaged-`, which marks quarantined databases. With `host`, it is the name of the partition
    /// (default: `default`).
    pub group: Option<String>,
    /// The absolute path of the store's directory. It is created when a record is first stored
    /// (default: `$XDG_DATA_HOME/tessera`, or else `$HOME/.local/share/tessera`).
    pub directory: Option<String>,
    /// The required protection of the store; see protection.md. The value is `require_encrypted`,
    /// `prefer_encrypted`, `allow_plaintext` or `memory_only` (default: `prefer_encrypted`).
    pub policy: Option<String>,
    /// The locations to try for the key of a new store, in order; `caller` only with `key`. With
    /// `key`: the locations whose stores are trusted in addition; none if the member is absent.
    /// Each is `caller`, `secret_service`, `kernel_keyring` or `key_file` (default:
    /// `\["secret_service", "key_file"\]`).
    pub key_sources: Option<Vec<String>>,
    /// The key of the store, if the application manages it. The callback `host->store_key` provides
    /// it without a copy as text in memory.
    pub key: Option<Secret>,
    /// The store size in MiB (2^20 bytes) at which access tokens are evicted, starting with those
    /// that expire first. Refresh tokens are never evicted (default: no limit).
    pub limit_megabytes: Option<i64>,
    /// The cache of MSAL for Python, .NET, Go, Java or Node to use as the store: `azure_cli`,
    /// `azure_identity`, `azure_identity_cae`, `azure_powershell`, `azure_powershell_cae`, or an
    /// absolute path; see store.md. `group`, `directory` and the key options do not apply to it. A
    /// cache file is unencrypted, so `require_encrypted` rejects it; a cache that its owner keeps
    /// in the keyring is accepted.
    pub msal_cache: Option<String>,
}

impl Write for StoreOptions {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"kind\":", &self.kind);
            member(out, ",\"group\":", &self.group);
            member(out, ",\"directory\":", &self.directory);
            member(out, ",\"policy\":", &self.policy);
            member(out, ",\"key_sources\":", &self.key_sources);
            member(out, ",\"key\":", &self.key);
            member(out, ",\"limit_megabytes\":", &self.limit_megabytes);
            member(out, ",\"msal_cache\":", &self.msal_cache);
        });
    }
}

/// The options of the network.
#[derive(Clone, Debug, Default)]
pub struct NetworkOptions {
    /// The proxy, such as `http://proxy.example:8080`; empty for none. Addresses of this machine
    /// are never reached through a proxy (default: `https_proxy`, `http_proxy`, `all_proxy` of the
    /// environment).
    pub proxy: Option<String>,
    /// The hosts to reach without the proxy, separated by commas (default: `no_proxy` of the
    /// environment).
    pub no_proxy: Option<String>,
    /// A file of CA certificates (PEM) to trust instead (default: `CURL_CA_BUNDLE`, or else
    /// `SSL_CERT_FILE`, and `SSL_CERT_DIR`, of the environment; or else the system's certificates).
    pub ca_file: Option<String>,
    /// The timeout of one exchange with a server. Connecting may use at most 10 seconds of it
    /// (default: 30000).
    pub timeout: Option<Duration>,
    /// The timeout for refreshing a token that is still valid but whose `refresh_on` has passed
    /// (default: 5000).
    pub proactive_refresh_timeout: Option<Duration>,
}

impl Write for NetworkOptions {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"proxy\":", &self.proxy);
            member(out, ",\"no_proxy\":", &self.no_proxy);
            member(out, ",\"ca_file\":", &self.ca_file);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
            member(out, ",\"proactive_refresh_timeout_milliseconds\":", &self.proactive_refresh_timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
        });
    }
}

/// The options of tokens.
#[derive(Clone, Debug, Default)]
pub struct TokenOptions {
    /// The remaining lifetime below which a cached token is no longer used; at most half of the
    /// token's lifetime (default: 300).
    pub expiry_margin: Option<Duration>,
    /// Whether an expired token may be returned until `extended_expires_on` while the server is
    /// down (default: `false`).
    pub extended_lifetime: Option<bool>,
    /// Whether sign-ins request a refresh token (scope `offline_access`). With `false`, refreshes
    /// do not request it either. If a requested refresh token is missing, the result has a warning
    /// (default: `true`; `false` for the `prompt` `none` at providers other than Microsoft's).
    pub request_refresh_token: Option<bool>,
    /// `consent` sends `prompt=consent` with the request for a refresh token, as OpenID Connect
    /// Core section 11 requires. The user is then asked for consent at each sign-in. Microsoft's
    /// authorities, and the `prompt` `none`, are not affected. The value is `consent`.
    pub offline_access_prompt: Option<String>,
    /// Whether Microsoft's instance discovery validates Entra hosts that are not built in (default:
    /// `true`).
    pub instance_discovery: Option<bool>,
}

impl Write for TokenOptions {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"expiry_margin_seconds\":", &self.expiry_margin.map(|each| i64::try_from(each.as_secs()).unwrap_or(i64::MAX)));
            member(out, ",\"extended_lifetime\":", &self.extended_lifetime);
            member(out, ",\"request_refresh_token\":", &self.request_refresh_token);
            member(out, ",\"offline_access_prompt\":", &self.offline_access_prompt);
            member(out, ",\"instance_discovery\":", &self.instance_discovery);
        });
    }
}

/// The state of Intune app protection.
#[derive(Clone, Debug, Default)]
pub struct IntuneOptions {
    /// The enrollments of users in Intune app protection, as the Intune SDK provides them:
    /// `{"enrollment_ids": \[{…}\]}`; see brokers.md.
    pub enrollment_ids: Option<Json>,
    /// The resource of the Intune service, by cloud host. With it, access tokens are cached per
    /// `bundle_id`, and used only for the enrollment that they were issued for.
    pub mam_resource: Option<BTreeMap<String, String>>,
}

impl Write for IntuneOptions {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"enrollment_ids\":", &self.enrollment_ids);
            member(out, ",\"mam_resource\":", &self.mam_resource);
        });
    }
}

/// Options that few applications need.
#[derive(Clone, Debug, Default)]
pub struct AdvancedOptions {
    /// The query parameter `slice`, which selects a slice of the service, for tests of the service.
    pub slice: Option<String>,
    /// The query parameter `dc`, which selects a data center, for tests of the service.
    pub dc: Option<String>,
    /// Whether token requests report earlier calls to Entra, as other MSAL libraries do; see
    /// telemetry (default: `false`).
    pub server_telemetry: Option<bool>,
    /// Parameters to add to the body of every token request. Parameters that the library sends are
    /// rejected, and so is `client_secret`, because public clients have none. A parameter with a
    /// blank value is sent as its name only.
    pub extra_token_parameters: Option<BTreeMap<String, String>>,
    /// Parameters to add to the query of the authorization, device authorization and token
    /// endpoints. They replace parameters that the endpoint's URL already has.
    pub extra_query_parameters: Option<BTreeMap<String, String>>,
    /// The URI schemes that are registered for the application. A redirect URI with another scheme
    /// is rejected, without a query to the desktop (default: unknown).
    pub registered_schemes: Option<Vec<String>>,
}

impl Write for AdvancedOptions {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"slice\":", &self.slice);
            member(out, ",\"dc\":", &self.dc);
            member(out, ",\"server_telemetry\":", &self.server_telemetry);
            member(out, ",\"extra_token_parameters\":", &self.extra_token_parameters);
            member(out, ",\"extra_query_parameters\":", &self.extra_query_parameters);
            member(out, ",\"registered_schemes\":", &self.registered_schemes);
        });
    }
}

/// The texts that the library shows to users.
#[derive(Clone, Debug, Default)]
pub struct UserMessages {
    /// The language of the pages: a language tag (BCP 47), such as `de-AT` (default: en).
    pub page_language: Option<String>,
    /// The title of the page after a successful sign-in (default: You have signed in).
    pub signed_in_title: Option<String>,
    /// The text of that page (default: You can close this page and return to the application.).
    pub signed_in_text: Option<String>,
    /// The title of the page after a failed sign-in (default: Sign-in failed).
    pub sign_in_failed_title: Option<String>,
    /// The sentence before the error description of the provider (default: The provider reported:).
    pub sign_in_failed_reason: Option<String>,
    /// The sentence after it (default: You can close this page. The application shows what to do
    /// next.).
    pub sign_in_failed_text: Option<String>,
    /// The title of the page for a response to another sign-in (default: This response does not
    /// belong to the pending sign-in).
    pub other_sign_in_title: Option<String>,
    /// The text of that page (default: An application waits here for a sign-in, but this response
    /// belongs to a different one. The application continues to wait.).
    pub other_sign_in_text: Option<String>,
    /// The title of the page at another address than the redirect URI (default: Page not found).
    pub page_not_found_title: Option<String>,
    /// The text of that page (default: An application waits for a sign-in, but at another
    /// address.).
    pub page_not_found_text: Option<String>,
    /// The title of the page for a request that a browser would not send (default: Invalid
    /// request).
    pub invalid_request_title: Option<String>,
    /// The text of that page (default: Browsers do not send requests of this form.).
    pub invalid_request_text: Option<String>,
    /// The last sentence of these three pages (default: Return to the sign-in page, or start the
    /// sign-in again in the application.).
    pub return_to_sign_in: Option<String>,
    /// `message` of a device code prompt. It must contain both placeholders. The default is used
    /// only if the server sends no text (default: To sign in, open {verification_uri} and enter the
    /// code {user_code}.).
    pub device_code: Option<String>,
    /// `problem` of a sign-in prompt, after another URL than the redirect was pasted (default: The
    /// pasted URL does not belong to this sign-in.).
    pub wrong_url_pasted: Option<String>,
}

impl Write for UserMessages {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"page_language\":", &self.page_language);
            member(out, ",\"signed_in_title\":", &self.signed_in_title);
            member(out, ",\"signed_in_text\":", &self.signed_in_text);
            member(out, ",\"sign_in_failed_title\":", &self.sign_in_failed_title);
            member(out, ",\"sign_in_failed_reason\":", &self.sign_in_failed_reason);
            member(out, ",\"sign_in_failed_text\":", &self.sign_in_failed_text);
            member(out, ",\"other_sign_in_title\":", &self.other_sign_in_title);
            member(out, ",\"other_sign_in_text\":", &self.other_sign_in_text);
            member(out, ",\"page_not_found_title\":", &self.page_not_found_title);
            member(out, ",\"page_not_found_text\":", &self.page_not_found_text);
            member(out, ",\"invalid_request_title\":", &self.invalid_request_title);
            member(out, ",\"invalid_request_text\":", &self.invalid_request_text);
            member(out, ",\"return_to_sign_in\":", &self.return_to_sign_in);
            member(out, ",\"device_code\":", &self.device_code);
            member(out, ",\"wrong_url_pasted\":", &self.wrong_url_pasted);
        });
    }
}

/// A request with a timeout only.
#[derive(Clone, Debug, Default)]
pub struct StoreRequest {
    /// The maximum time to wait for the store (default: as in AccountsRequest).
    pub timeout: Option<Duration>,
}

impl Write for StoreRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
        });
    }
}

/// A request for accounts.
#[derive(Clone, Debug, Default)]
pub struct AccountsRequest {
    /// The account with this ID. Entra IDs are compared without regard to case, IDs of other
    /// providers exactly, like subjects (default: any account).
    pub home_account_id: Option<String>,
    /// The accounts with this user name in any tenant, without regard to case. User names change
    /// and are reused, so several accounts may have the same one (default: any account).
    pub username: Option<String>,
    /// The account with this ID in one of its tenants (default: any account).
    pub local_account_id: Option<String>,
    /// The `environment` of the account, or another host of the same cloud (default: any host).
    pub environment: Option<String>,
    /// `false` also returns accounts that signed out of this application, and accounts of other
    /// applications (default: `true`).
    pub signed_in_only: Option<bool>,
    /// `true` adds the `claims` of this application's ID tokens, which takes longer (default:
    /// `false`).
    pub claims: Option<bool>,
    /// The maximum time to wait for a store that another process has locked; after that, the error
    /// is `store_busy` (default: 10 seconds for each access to the store).
    pub timeout: Option<Duration>,
}

impl Write for AccountsRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"home_account_id\":", &self.home_account_id);
            member(out, ",\"username\":", &self.username);
            member(out, ",\"local_account_id\":", &self.local_account_id);
            member(out, ",\"environment\":", &self.environment);
            member(out, ",\"signed_in_only\":", &self.signed_in_only);
            member(out, ",\"claims\":", &self.claims);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
        });
    }
}

/// A request to remove an account.
#[derive(Clone, Debug, Default)]
pub struct RemoveAccountRequest {
    /// The account to remove.
    pub home_account_id: String,
    /// The account to remove, if it has no ID yet (default: if `home_account_id` is empty).
    pub username: Option<String>,
    /// The `environment` of the account (default: only if several providers use this
    /// `home_account_id`).
    pub environment: Option<String>,
    /// The maximum time to wait for the store; after `store_busy` nothing is removed (default: as
    /// in AccountsRequest, for the whole call).
    pub timeout: Option<Duration>,
}

impl Write for RemoveAccountRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"home_account_id\":", &self.home_account_id);
            member(out, ",\"username\":", &self.username);
            member(out, ",\"environment\":", &self.environment);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
        });
    }
}

/// The document "RemovedAccount".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RemovedAccount {
    /// Whether the account was removed.
    pub removed: bool,
}

impl Read for RemovedAccount {
    fn read(text: &str) -> Self {
        RemovedAccount {
            removed: get(text, "removed"),
        }
    }
}

/// A request to sign out.
#[derive(Clone, Debug, Default)]
pub struct SignOutRequest {
    /// The account to sign out.
    pub home_account_id: Option<String>,
    /// The account to sign out, if it has no ID yet (default: if `home_account_id` is empty).
    pub username: Option<String>,
    /// The `environment` of the account (default: only if several providers use this
    /// `home_account_id`).
    pub environment: Option<String>,
    /// The extent: this client ID; every client ID that shares the store; or all accounts of all
    /// applications. `machine` empties the store of the group and deletes its quarantined
    /// databases. The value is `application`, `every_application` or `machine` (default:
    /// `application`).
    pub scope: Option<String>,
    /// Whether to revoke the refresh tokens at the provider (RFC 7009). Entra does not support it.
    /// If another provider's OpenID document has no revocation endpoint, its RFC 8414 metadata
    /// (`/.well-known/oauth-authorization-server`) is read (default: `false`).
    pub revoke_tokens: Option<bool>,
    /// Whether to return the URL that ends the browser session (default: `false`).
    pub end_session: Option<bool>,
    /// The URL to which the browser is redirected after that. It must be registered with the
    /// provider.
    pub post_logout_redirect_uri: Option<String>,
    /// Whether the identity broker of this machine removes the account of this application as well;
    /// for `machine`, all its accounts. See brokers.md (default: `false`).
    pub from_broker: Option<bool>,
    /// The provider that receives the requests (default: the application's).
    pub authority: Option<String>,
    /// The deadline of the call (default: as in SilentRequest).
    pub timeout: Option<Duration>,
    /// An ID for the server's log (default: a new UUID).
    pub correlation_id: Option<String>,
    /// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
    pub traceparent: Option<String>,
    /// The `tracestate` of the trace, only with `traceparent`.
    pub tracestate: Option<String>,
}

impl Write for SignOutRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"home_account_id\":", &self.home_account_id);
            member(out, ",\"username\":", &self.username);
            member(out, ",\"environment\":", &self.environment);
            member(out, ",\"scope\":", &self.scope);
            member(out, ",\"revoke_tokens\":", &self.revoke_tokens);
            member(out, ",\"end_session\":", &self.end_session);
            member(out, ",\"post_logout_redirect_uri\":", &self.post_logout_redirect_uri);
            member(out, ",\"from_broker\":", &self.from_broker);
            member(out, ",\"authority\":", &self.authority);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
            member(out, ",\"correlation_id\":", &self.correlation_id);
            member(out, ",\"traceparent\":", &self.traceparent);
            member(out, ",\"tracestate\":", &self.tracestate);
        });
    }
}

/// The document "RemovedRecords".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RemovedRecords {
    /// The number of accounts, one for each tenant.
    pub accounts: i64,
    /// The number of access tokens.
    pub access_tokens: i64,
    /// The number of refresh tokens.
    pub refresh_tokens: i64,
    /// The number of ID tokens.
    pub id_tokens: i64,
}

impl Read for RemovedRecords {
    fn read(text: &str) -> Self {
        RemovedRecords {
            accounts: get(text, "accounts"),
            access_tokens: get(text, "access_tokens"),
            refresh_tokens: get(text, "refresh_tokens"),
            id_tokens: get(text, "id_tokens"),
        }
    }
}

/// The document "LeftoverToken".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeftoverToken {
    /// The type of the token or session. The value is `other_application`, `family_refresh_token`,
    /// `handed_out_access_tokens`, `unrevoked_refresh_tokens`, `browser_session`, `set_aside_store`
    /// or `other_group`.
    pub kind: String,
    /// The application that owns it. Present if it has one.
    pub client_id: Option<String>,
    /// The time at which the last one expires. Present for access tokens.
    pub expires_on: Option<SystemTime>,
    /// The file. Present for a store.
    pub path: Option<String>,
}

impl Read for LeftoverToken {
    fn read(text: &str) -> Self {
        LeftoverToken {
            kind: get(text, "kind"),
            client_id: find(text, "client_id"),
            expires_on: find(text, "expires_on"),
            path: find(text, "path"),
        }
    }
}

/// The document "KeyAttempt".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KeyAttempt {
    /// The location. The value is `caller`, `secret_service`, `kernel_keyring` or `key_file`.
    pub source: String,
    /// The kind of the problem. The value is `library_missing`, `no_bus`, `no_service`,
    /// `no_collection`, `locked`, `timeout`, `blocked`, `full`, `unsafe`, `key_missing`,
    /// `other_key`, `policy` or `failed`.
    pub problem: String,
    /// The details for a developer.
    pub reason: String,
}

impl Read for KeyAttempt {
    fn read(text: &str) -> Self {
        KeyAttempt {
            source: get(text, "source"),
            problem: get(text, "problem"),
            reason: get(text, "reason"),
        }
    }
}

/// The document "StoreRecords".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoreRecords {
    /// The number of accounts.
    pub accounts: i64,
    /// The number of access tokens.
    pub access_tokens: i64,
    /// The number of refresh tokens.
    pub refresh_tokens: i64,
    /// The number of ID tokens.
    pub id_tokens: i64,
    /// The number of other records.
    pub others: i64,
    /// The number of damaged records.
    pub damaged: i64,
}

impl Read for StoreRecords {
    fn read(text: &str) -> Self {
        StoreRecords {
            accounts: get(text, "accounts"),
            access_tokens: get(text, "access_tokens"),
            refresh_tokens: get(text, "refresh_tokens"),
            id_tokens: get(text, "id_tokens"),
            others: get(text, "others"),
            damaged: get(text, "damaged"),
        }
    }
}

/// The document "MetricValue".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MetricValue {
    /// The name of the metric. The value is `calls_succeeded`, `calls_failed`, `calls_throttled`,
    /// `refreshes_adopted`, `commits_superseded`, `commits_queued`, `cached_responses` or
    /// `cached_response_bytes`.
    pub name: String,
    /// The name of the same metric in MSAL for .NET. Present if there is one.
    pub alias: Option<String>,
    /// The unit of the value. The value is `count` or `bytes`.
    pub unit: String,
    /// The tags of the metric, such as `function`; empty for a metric without tags.
    pub tags: BTreeMap<String, String>,
    /// The value.
    pub value: i64,
}

impl Read for MetricValue {
    fn read(text: &str) -> Self {
        MetricValue {
            name: get(text, "name"),
            alias: find(text, "alias"),
            unit: get(text, "unit"),
            tags: get(text, "tags"),
            value: get(text, "value"),
        }
    }
}

/// The document "MetricHistogram".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MetricHistogram {
    /// The name of the metric. The value is `call_duration`, `http_duration`, `store_duration`,
    /// `lock_wait` or `token_lifetime`.
    pub name: String,
    /// The name of the same metric in MSAL for .NET. Present if there is one.
    pub alias: Option<String>,
    /// The unit of the values and of the bounds. The value is `microseconds` or `seconds`.
    pub unit: String,
    /// The tags of the metric.
    pub tags: BTreeMap<String, String>,
    /// The number of values.
    pub count: i64,
    /// The sum of all values.
    pub sum: i64,
    /// The inclusive upper bounds of the buckets, without the last bucket, which has none.
    pub bounds: Vec<i64>,
    /// The number of values in each bucket, one more than `bounds`.
    pub counts: Vec<i64>,
}

impl Read for MetricHistogram {
    fn read(text: &str) -> Self {
        MetricHistogram {
            name: get(text, "name"),
            alias: find(text, "alias"),
            unit: get(text, "unit"),
            tags: get(text, "tags"),
            count: get(text, "count"),
            sum: get(text, "sum"),
            bounds: get(text, "bounds"),
            counts: get(text, "counts"),
        }
    }
}

/// The document "LibraryFeatures".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LibraryFeatures {
    /// The features that the build of the library contains. Each is `apple`, `broker`, `legacy`,
    /// `msal_file` or `services`.
    pub features: Vec<String>,
}

impl Read for LibraryFeatures {
    fn read(text: &str) -> Self {
        LibraryFeatures {
            features: get(text, "features"),
        }
    }
}

/// The document "FoundCache".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FoundCache {
    /// The name of the cache. `azure_cli`, `azure_identity`, `azure_identity_cae`,
    /// `azure_powershell` and `azure_powershell_cae` are valid values of `msal_cache`, which opens
    /// the selected location. Other caches are only listed.
    pub name: String,
    /// A display name of the product that owns the cache.
    pub owner: String,
    /// A file, or an item of the keyring. The value is `file` or `secret_service`.
    pub kind: String,
    /// The cache file, or the file whose modification time signals a change of the item.
    pub path: String,
    /// The name of the item's schema. Present with an item.
    pub schema: Option<String>,
    /// `locked`: there may be an item, but the keyring is locked, missing or unresponsive;
    /// `unreadable`: not a token cache, or encrypted by its owner; `unavailable`: it cannot be
    /// opened, or other users can write it. The value is `missing`, `usable`, `locked`,
    /// `unreadable` or `unavailable`.
    pub state: String,
    /// Whether this location is the one in use.
    pub selected: bool,
    /// The number of accounts in it. Present if it was read.
    pub accounts: Option<i64>,
    /// The time of the last write. Present if known.
    pub modified_on: Option<SystemTime>,
    /// The reason why it cannot be read or opened, for display. Present if there is one.
    pub reason: Option<String>,
}

impl Read for FoundCache {
    fn read(text: &str) -> Self {
        FoundCache {
            name: get(text, "name"),
            owner: get(text, "owner"),
            kind: get(text, "kind"),
            path: get(text, "path"),
            schema: find(text, "schema"),
            state: get(text, "state"),
            selected: get(text, "selected"),
            accounts: find(text, "accounts"),
            modified_on: find(text, "modified_on"),
            reason: find(text, "reason"),
        }
    }
}

/// A request to replace the key of the store.
#[derive(Clone, Debug, Default)]
pub struct RotateKeyRequest {
    /// The new key. It is rejected as `invalid_member` if the configuration has no `store.key`, or
    /// if it equals the old key. Without it, a store that was not encrypted with `store.key` is re-
    /// encrypted with it (default: if the application manages the present key of the store).
    pub new_store_key: Option<Secret>,
    /// The maximum time to wait for the store; after an error nothing is changed (default: as in
    /// AccountsRequest, for the whole call).
    pub timeout: Option<Duration>,
}

impl Write for RotateKeyRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"new_store_key\":", &self.new_store_key);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
        });
    }
}

/// The document "RotatedKey".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RotatedKey {
    /// Whether the key was replaced.
    pub rotated: bool,
}

impl Read for RotatedKey {
    fn read(text: &str) -> Self {
        RotatedKey {
            rotated: get(text, "rotated"),
        }
    }
}

/// A request to import an older cache.
#[derive(Clone, Debug, Default)]
pub struct MigrationRequest {
    /// The cache file of an older library; a regular file of at most 256 MB.
    pub path: Option<String>,
    /// Instead of `path`, a known location: `accessTokens.json` of the Azure CLI before 2.30, at
    /// `AZURE_ACCESS_TOKEN_FILE`, or else in `AZURE_CONFIG_DIR` or `~/.azure`. The value is
    /// `azure_cli`.
    pub place: Option<String>,
    /// The format of the cache; see coming-from-adal.md. The value is `adal_apple_item`,
    /// `adal_macos`, `apple_keychain`, `msal_macos`, `adal_dotnet`, `msal_dotnet`, `adal_python`,
    /// `azure_cli` or `adal_node` (default: detected).
    pub format: Option<String>,
    /// Whether only to report, without storing anything (default: `false`).
    pub dry_run: Option<bool>,
    /// The timeout of the whole call (default: as in AccountsRequest).
    pub timeout: Option<Duration>,
}

impl Write for MigrationRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"path\":", &self.path);
            member(out, ",\"place\":", &self.place);
            member(out, ",\"format\":", &self.format);
            member(out, ",\"dry_run\":", &self.dry_run);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
        });
    }
}

/// The document "MigratedAccount".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MigratedAccount {
    /// The user name. Present if known.
    pub username: Option<String>,
    /// The account ID. Present if known.
    pub home_account_id: Option<String>,
    /// The host of the cloud, or the issuer.
    pub environment: String,
    /// The application.
    pub client_id: String,
    /// The outcome of its import.
    pub outcome: String,
    /// The reason for not importing it. Present if it was not imported.
    pub reason: Option<String>,
    /// The next step for the user. Present if it was not imported.
    pub advice: Option<String>,
}

impl Read for MigratedAccount {
    fn read(text: &str) -> Self {
        MigratedAccount {
            username: find(text, "username"),
            home_account_id: find(text, "home_account_id"),
            environment: get(text, "environment"),
            client_id: get(text, "client_id"),
            outcome: get(text, "outcome"),
            reason: find(text, "reason"),
            advice: find(text, "advice"),
        }
    }
}

/// The document "DamagedEntry".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DamagedEntry {
    /// The number of the entry, counted from 0. Present unless the whole cache is damaged.
    pub entry: Option<i64>,
    /// The kind of the damage.
    pub code: String,
    /// A description.
    pub message: String,
}

impl Read for DamagedEntry {
    fn read(text: &str) -> Self {
        DamagedEntry {
            entry: find(text, "entry"),
            code: get(text, "code"),
            message: get(text, "message"),
        }
    }
}

/// A request to export sign-ins to an older cache.
#[derive(Clone, Debug, Default)]
pub struct ExportRequest {
    /// The format that the older library reads. The value is `apple_keychain` or `adal_macos`.
    pub format: String,
    /// The account (default: all accounts).
    pub home_account_id: Option<String>,
    /// The timeout of the whole call (default: as in AccountsRequest).
    pub timeout: Option<Duration>,
}

impl Write for ExportRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"format\":", &self.format);
            member(out, ",\"home_account_id\":", &self.home_account_id);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
        });
    }
}

/// The document "KeychainItem".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KeychainItem {
    /// The attribute `kSecAttrAccount`.
    pub account: String,
    /// The attribute `kSecAttrService`.
    pub service: String,
    /// The attribute `kSecAttrGeneric`, in Base64.
    pub generic: String,
    /// The attribute `kSecAttrType`. Present if there is one.
    pub r#type: Option<i64>,
    /// The data of the item, in Base64.
    pub value: Secret,
}

impl Read for KeychainItem {
    fn read(text: &str) -> Self {
        KeychainItem {
            account: get(text, "account"),
            service: get(text, "service"),
            generic: get(text, "generic"),
            r#type: find(text, "type"),
            value: get(text, "value"),
        }
    }
}

/// The document "CacheText".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CacheText {
    /// The store as the JSON document of MSAL libraries.
    pub cache: Secret,
}

impl Read for CacheText {
    fn read(text: &str) -> Self {
        CacheText {
            cache: get(text, "cache"),
        }
    }
}

/// The changes of a cache document.
#[derive(Clone, Debug, Default)]
pub struct CacheWriteRequest {
    /// The original document; empty for none.
    pub before: Secret,
    /// The changed document. Entries that are the same in both documents may be omitted from both.
    pub after: Secret,
    /// The maximum time to wait for the store (default: as in AccountsRequest).
    pub timeout: Option<Duration>,
}

impl Write for CacheWriteRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"before\":", &self.before);
            member(out, ",\"after\":", &self.after);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
        });
    }
}

/// The document "CacheChanges".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CacheChanges {
    /// The number of changed entries.
    pub stored: i64,
    /// The number of removed entries.
    pub removed: i64,
}

impl Read for CacheChanges {
    fn read(text: &str) -> Self {
        CacheChanges {
            stored: get(text, "stored"),
            removed: get(text, "removed"),
        }
    }
}

/// A request to copy sign-ins from another store.
#[derive(Clone, Debug, Default)]
pub struct CopyRequest {
    /// The only account to copy (default: all accounts, and records without an account).
    pub home_account_id: Option<String>,
    /// Whether only to report, without storing anything (default: `false`).
    pub dry_run: Option<bool>,
    /// The timeout of the whole call (default: as in AccountsRequest).
    pub timeout: Option<Duration>,
}

impl Write for CopyRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"home_account_id\":", &self.home_account_id);
            member(out, ",\"dry_run\":", &self.dry_run);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
        });
    }
}

/// The document "CopiedAccount".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CopiedAccount {
    /// The account ID.
    pub home_account_id: String,
    /// The host of the cloud, or the issuer.
    pub environment: String,
    /// The user name. Present if known.
    pub username: Option<String>,
    /// `already_here` if every record existed and was as new or newer. The value is `copied` or
    /// `already_here`.
    pub outcome: String,
    /// The number of copied records.
    pub record_count: i64,
}

impl Read for CopiedAccount {
    fn read(text: &str) -> Self {
        CopiedAccount {
            home_account_id: get(text, "home_account_id"),
            environment: get(text, "environment"),
            username: find(text, "username"),
            outcome: get(text, "outcome"),
            record_count: get(text, "record_count"),
        }
    }
}

/// A request for a token without user interaction.
#[derive(Clone, Debug, Default)]
pub struct SilentRequest {
    /// The account, with the value from `Account`. A user name as the value is rejected with
    /// `invalid_member`. Without `home_account_id` and `username`, the request is for the only
    /// account. If there are several, the error is `ambiguous_account` with `accounts`; if there is
    /// none, `account_not_found` (default: the only account).
    pub home_account_id: Option<String>,
    /// The user name of the account in any tenant, without regard to case (ADAL: `userId`). If
    /// several accounts have this name, the error is `ambiguous_account` (default: if
    /// `home_account_id` is empty).
    pub username: Option<String>,
    /// The `environment` of the account. It prevents confusion with an account of another provider
    /// that has the same ID. Without an `authority`, the request is sent to the provider of the
    /// account; with the authority of another provider, the error is `interaction_required`
    /// (default: any provider).
    pub environment: Option<String>,
    /// Requests an app-only token (RFC 6749 section 4.4), which a confidential client of another
    /// library stored in the shared cache. Remove `home_account_id` and `username`. The token is
    /// never requested from a server: without a valid one the status is `TESSERA_STATUS_SIGN_IN`,
    /// and the other library must acquire one. The `account` of the result has an empty
    /// `home_account_id` (default: `false`).
    pub for_application: Option<bool>,
    /// The scopes that the token must cover. `openid`, `profile` and `offline_access` are added,
    /// and ignored here. `\["openid"\]` alone requests only an ID token. Scopes are compared as
    /// sets, without regard to case.
    pub scopes: Option<Vec<String>>,
    /// Instead of `scopes`: all permissions that were granted to the application at a resource, as
    /// in ADAL. `/.default` is appended without change, so a resource that ends in a slash gets two
    /// slashes, as Entra requires.
    pub resource: Option<String>,
    /// Another tenant, or another issuer (default: that of the account's provider if `environment`
    /// names another one, otherwise the application's).
    pub authority: Option<String>,
    /// Whether to send a request to the server even if a valid token is cached (default: `false`).
    pub force_refresh: Option<bool>,
    /// The text of a JSON object: the `claims` of an error, or of a resource's claims challenge.
    /// The cached token is not used then. An object that requests nothing, such as `{}`, has no
    /// effect.
    pub claims: Option<String>,
    /// As in AdvancedOptions, for this request. They take precedence over the configuration. Cached
    /// tokens are used regardless of them.
    pub extra_token_parameters: Option<BTreeMap<String, String>>,
    /// As in AdvancedOptions, with the same precedence.
    pub extra_query_parameters: Option<BTreeMap<String, String>>,
    /// The deadline of the call, after which it fails with `deadline_exceeded`. Without it,
    /// `timeout_milliseconds` of NetworkOptions limits each exchange. The call then fails with
    /// `store_busy` after 10 seconds of waiting for a locked store, or 60 seconds for another
    /// process that refreshes the same credential. A valid cached token is returned even if the
    /// value is 0.
    pub timeout: Option<Duration>,
    /// An ID for the server's log (default: a new UUID).
    pub correlation_id: Option<String>,
    /// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
    pub traceparent: Option<String>,
    /// The `tracestate` of the trace, only with `traceparent`.
    pub tracestate: Option<String>,
    /// Whether the result has an `explanation`; the store is then always read. Not allowed for
    /// `tessera_application_explain` (default: `false`).
    pub explain: Option<bool>,
}

impl Write for SilentRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"home_account_id\":", &self.home_account_id);
            member(out, ",\"username\":", &self.username);
            member(out, ",\"environment\":", &self.environment);
            member(out, ",\"for_application\":", &self.for_application);
            member(out, ",\"scopes\":", &self.scopes);
            member(out, ",\"resource\":", &self.resource);
            member(out, ",\"authority\":", &self.authority);
            member(out, ",\"force_refresh\":", &self.force_refresh);
            member(out, ",\"claims\":", &self.claims);
            member(out, ",\"extra_token_parameters\":", &self.extra_token_parameters);
            member(out, ",\"extra_query_parameters\":", &self.extra_query_parameters);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
            member(out, ",\"correlation_id\":", &self.correlation_id);
            member(out, ",\"traceparent\":", &self.traceparent);
            member(out, ",\"tracestate\":", &self.tracestate);
            member(out, ",\"explain\":", &self.explain);
        });
    }
}

/// A request for an explanation.
#[derive(Clone, Debug, Default)]
pub struct ExplainRequest {
    /// The account, with the value from `Account`. A user name as the value is rejected with
    /// `invalid_member`. Without `home_account_id` and `username`, the request is for the only
    /// account. If there are several, the error is `ambiguous_account` with `accounts`; if there is
    /// none, `account_not_found` (default: the only account).
    pub home_account_id: Option<String>,
    /// The user name of the account in any tenant, without regard to case (ADAL: `userId`). If
    /// several accounts have this name, the error is `ambiguous_account` (default: if
    /// `home_account_id` is empty).
    pub username: Option<String>,
    /// The `environment` of the account. It prevents confusion with an account of another provider
    /// that has the same ID. Without an `authority`, the request is sent to the provider of the
    /// account; with the authority of another provider, the error is `interaction_required`
    /// (default: any provider).
    pub environment: Option<String>,
    /// Requests an app-only token (RFC 6749 section 4.4), which a confidential client of another
    /// library stored in the shared cache. Remove `home_account_id` and `username`. The token is
    /// never requested from a server: without a valid one the status is `TESSERA_STATUS_SIGN_IN`,
    /// and the other library must acquire one. The `account` of the result has an empty
    /// `home_account_id` (default: `false`).
    pub for_application: Option<bool>,
    /// The scopes that the token must cover. `openid`, `profile` and `offline_access` are added,
    /// and ignored here. `\["openid"\]` alone requests only an ID token. Scopes are compared as
    /// sets, without regard to case.
    pub scopes: Option<Vec<String>>,
    /// Instead of `scopes`: all permissions that were granted to the application at a resource, as
    /// in ADAL. `/.default` is appended without change, so a resource that ends in a slash gets two
    /// slashes, as Entra requires.
    pub resource: Option<String>,
    /// Another tenant, or another issuer (default: that of the account's provider if `environment`
    /// names another one, otherwise the application's).
    pub authority: Option<String>,
    /// Whether to send a request to the server even if a valid token is cached (default: `false`).
    pub force_refresh: Option<bool>,
    /// The text of a JSON object: the `claims` of an error, or of a resource's claims challenge.
    /// The cached token is not used then. An object that requests nothing, such as `{}`, has no
    /// effect.
    pub claims: Option<String>,
    /// As in AdvancedOptions, for this request. They take precedence over the configuration. Cached
    /// tokens are used regardless of them.
    pub extra_token_parameters: Option<BTreeMap<String, String>>,
    /// As in AdvancedOptions, with the same precedence.
    pub extra_query_parameters: Option<BTreeMap<String, String>>,
    /// The deadline of the call, after which it fails with `deadline_exceeded`. Without it,
    /// `timeout_milliseconds` of NetworkOptions limits each exchange. The call then fails with
    /// `store_busy` after 10 seconds of waiting for a locked store, or 60 seconds for another
    /// process that refreshes the same credential. A valid cached token is returned even if the
    /// value is 0.
    pub timeout: Option<Duration>,
    /// An ID for the server's log (default: a new UUID).
    pub correlation_id: Option<String>,
    /// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
    pub traceparent: Option<String>,
    /// The `tracestate` of the trace, only with `traceparent`.
    pub tracestate: Option<String>,
}

impl Write for ExplainRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"home_account_id\":", &self.home_account_id);
            member(out, ",\"username\":", &self.username);
            member(out, ",\"environment\":", &self.environment);
            member(out, ",\"for_application\":", &self.for_application);
            member(out, ",\"scopes\":", &self.scopes);
            member(out, ",\"resource\":", &self.resource);
            member(out, ",\"authority\":", &self.authority);
            member(out, ",\"force_refresh\":", &self.force_refresh);
            member(out, ",\"claims\":", &self.claims);
            member(out, ",\"extra_token_parameters\":", &self.extra_token_parameters);
            member(out, ",\"extra_query_parameters\":", &self.extra_query_parameters);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
            member(out, ",\"correlation_id\":", &self.correlation_id);
            member(out, ",\"traceparent\":", &self.traceparent);
            member(out, ",\"tracestate\":", &self.tracestate);
        });
    }
}

/// The document "TokenCandidate".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TokenCandidate {
    /// The kind of the token, such as `AccessToken` or `RefreshToken`.
    pub credential_type: String,
    /// `used`; `fallback`: used if the preceding ones fail; `not_used`.
    pub role: String,
    /// The reasons for not using it, or not first: see below.
    pub obstacles: Vec<String>,
    /// The application that it was issued to.
    pub client_id: String,
    /// The family of applications that may redeem it. Present if there is one.
    pub family_id: Option<String>,
    /// The cloud or the issuer.
    pub environment: String,
    /// The tenant; refresh tokens apply to all tenants. Present for access tokens.
    pub tenant_id: Option<String>,
    /// The granted scopes. Present for access tokens.
    pub scopes: Vec<String>,
    /// The requested scopes that it lacks. Present if it lacks some.
    pub missing_scopes: Vec<String>,
    /// The time of receipt. Present if known.
    pub cached_on: Option<SystemTime>,
    /// The time of expiry. Present if known.
    pub expires_on: Option<SystemTime>,
    /// The time of the recommended refresh. Present if known.
    pub refresh_on: Option<SystemTime>,
}

impl Read for TokenCandidate {
    fn read(text: &str) -> Self {
        TokenCandidate {
            credential_type: get(text, "credential_type"),
            role: get(text, "role"),
            obstacles: get(text, "obstacles"),
            client_id: get(text, "client_id"),
            family_id: find(text, "family_id"),
            environment: get(text, "environment"),
            tenant_id: find(text, "tenant_id"),
            scopes: get(text, "scopes"),
            missing_scopes: get(text, "missing_scopes"),
            cached_on: find(text, "cached_on"),
            expires_on: find(text, "expires_on"),
            refresh_on: find(text, "refresh_on"),
        }
    }
}

/// A request for a token of the application itself.
#[derive(Clone, Debug, Default)]
pub struct ClientTokenRequest {
    /// The requested scopes; at Entra, the `/.default` scope of one resource.
    pub scopes: Option<Vec<String>>,
    /// As in SilentRequest, instead of `scopes`.
    pub resource: Option<String>,
    /// The authority that issues the token (default: the application's).
    pub authority: Option<String>,
    /// Instead of `authority`, only for Entra: the ID or a domain of the tenant, at the host of the
    /// application's authority.
    pub tenant: Option<String>,
    /// A claims challenge of a resource, as the text of a JSON object. The cached token is then not
    /// used, unless `token_sha256_to_refresh` identifies the rejected one.
    pub claims: Option<String>,
    /// Whether to request a new token even if the cached one is valid (default: `false`).
    pub force_refresh: Option<bool>,
    /// The SHA-256 of an access token that a resource rejected, in hexadecimal digits. A cached
    /// token with this digest is not used; a newer one is.
    pub token_sha256_to_refresh: Option<String>,
    /// As in SilentRequest.
    pub extra_token_parameters: Option<BTreeMap<String, String>>,
    /// As in SilentRequest.
    pub extra_query_parameters: Option<BTreeMap<String, String>>,
    /// The deadline of the call, after which it fails with `deadline_exceeded` (default: as in
    /// SilentRequest).
    pub timeout: Option<Duration>,
    /// An ID for the server's log (default: a new UUID).
    pub correlation_id: Option<String>,
    /// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
    pub traceparent: Option<String>,
    /// The `tracestate` of the trace, only with `traceparent`.
    pub tracestate: Option<String>,
}

impl Write for ClientTokenRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"scopes\":", &self.scopes);
            member(out, ",\"resource\":", &self.resource);
            member(out, ",\"authority\":", &self.authority);
            member(out, ",\"tenant\":", &self.tenant);
            member(out, ",\"claims\":", &self.claims);
            member(out, ",\"force_refresh\":", &self.force_refresh);
            member(out, ",\"token_sha256_to_refresh\":", &self.token_sha256_to_refresh);
            member(out, ",\"extra_token_parameters\":", &self.extra_token_parameters);
            member(out, ",\"extra_query_parameters\":", &self.extra_query_parameters);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
            member(out, ",\"correlation_id\":", &self.correlation_id);
            member(out, ",\"traceparent\":", &self.traceparent);
            member(out, ",\"tracestate\":", &self.tracestate);
        });
    }
}

/// A request for a token by device code.
#[derive(Clone, Debug, Default)]
pub struct DeviceCodeRequest {
    /// As in SilentRequest.
    pub scopes: Option<Vec<String>>,
    /// As in SilentRequest, instead of `scopes`.
    pub resource: Option<String>,
    /// The authority to sign in at (default: the application's).
    pub authority: Option<String>,
    /// The text of a JSON object: the `claims` of the error that made this sign-in necessary.
    pub claims: Option<String>,
    /// As in SilentRequest.
    pub extra_token_parameters: Option<BTreeMap<String, String>>,
    /// As in SilentRequest.
    pub extra_query_parameters: Option<BTreeMap<String, String>>,
    /// Whether the result has an `explanation` (explain.md) with the duration of each step
    /// (default: `false`).
    pub explain: Option<bool>,
    /// The deadline of the call, after which it fails with `deadline_exceeded` (default: the
    /// lifetime of the code).
    pub timeout: Option<Duration>,
    /// An ID for the server's log (default: a new UUID).
    pub correlation_id: Option<String>,
    /// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
    pub traceparent: Option<String>,
    /// The `tracestate` of the trace, only with `traceparent`.
    pub tracestate: Option<String>,
}

impl Write for DeviceCodeRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"scopes\":", &self.scopes);
            member(out, ",\"resource\":", &self.resource);
            member(out, ",\"authority\":", &self.authority);
            member(out, ",\"claims\":", &self.claims);
            member(out, ",\"extra_token_parameters\":", &self.extra_token_parameters);
            member(out, ",\"extra_query_parameters\":", &self.extra_query_parameters);
            member(out, ",\"explain\":", &self.explain);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
            member(out, ",\"correlation_id\":", &self.correlation_id);
            member(out, ",\"traceparent\":", &self.traceparent);
            member(out, ",\"tracestate\":", &self.tracestate);
        });
    }
}

/// The document "TransportRequest".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TransportRequest {
    /// `GET` or `POST`.
    pub method: String,
    /// The absolute URL, with https; with http only for this machine, and then without a proxy.
    pub url: String,
    /// The header fields, each as `Name: value`. The client adds `Host` and `Content-Length`.
    pub headers: Vec<String>,
    /// The body. It contains secrets. Present if the request has a body.
    pub body: Option<Secret>,
    /// The time until the response must be complete, at least 1: the smaller of
    /// `network.timeout_milliseconds` and the remaining time of the call.
    pub timeout: Duration,
}

impl Read for TransportRequest {
    fn read(text: &str) -> Self {
        TransportRequest {
            method: get(text, "method"),
            url: get(text, "url"),
            headers: get(text, "headers"),
            body: find(text, "body"),
            timeout: find(text, "timeout_milliseconds").map(|each: i64| Duration::from_millis(each.unsigned_abs())).unwrap_or_default(),
        }
    }
}

/// The response to a request that the host application sends.
#[derive(Clone, Debug, Default)]
pub struct TransportResponse {
    /// The HTTP status. Pass every response, whatever its status.
    pub status: Option<i64>,
    /// The header fields, each as `Name: value`. `Date`, `Location` and `Retry-After` are used,
    /// among others.
    pub headers: Option<Vec<String>>,
    /// The body, in UTF-8.
    pub body: Option<Secret>,
    /// Instead of `status`: the reason why there is no response, for the message of
    /// `network_failed`.
    pub error: Option<String>,
    /// With `error`: whether the server may have received a part of the request. With `false`, a
    /// refresh token in it counts as unused (default: `true`).
    pub sent: Option<bool>,
}

impl Write for TransportResponse {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"status\":", &self.status);
            member(out, ",\"headers\":", &self.headers);
            member(out, ",\"body\":", &self.body);
            member(out, ",\"error\":", &self.error);
            member(out, ",\"sent\":", &self.sent);
        });
    }
}

/// The document "DeviceCodePrompt".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeviceCodePrompt {
    /// The code to enter.
    pub user_code: String,
    /// The URL of the page on which to enter it.
    pub verification_uri: String,
    /// The same URL including the code, for a QR code. Present if the server sent it.
    pub verification_uri_complete: Option<String>,
    /// A sentence with the code and the URL; the server's own if it sent one.
    pub message: String,
    /// The time at which the code expires.
    pub expires_on: SystemTime,
    /// The polling interval.
    pub interval: Duration,
}

impl Read for DeviceCodePrompt {
    fn read(text: &str) -> Self {
        DeviceCodePrompt {
            user_code: get(text, "user_code"),
            verification_uri: get(text, "verification_uri"),
            verification_uri_complete: find(text, "verification_uri_complete"),
            message: get(text, "message"),
            expires_on: SystemTime::read(find::<Json>(text, "expires_on").unwrap_or_default().0.as_str()),
            interval: find(text, "interval_seconds").map(|each: i64| Duration::from_secs(each.unsigned_abs())).unwrap_or_default(),
        }
    }
}

/// A request for a sign-in in a browser.
#[derive(Clone, Debug, Default)]
pub struct InteractiveRequest {
    /// As in SilentRequest.
    pub scopes: Option<Vec<String>>,
    /// As in SilentRequest, instead of `scopes`.
    pub resource: Option<String>,
    /// Scopes to consent to now, for later tokens of other resources.
    pub extra_scopes_to_consent: Option<Vec<String>>,
    /// Another authority (default: the application's).
    pub authority: Option<String>,
    /// The account that must sign in (default: any account).
    pub home_account_id: Option<String>,
    /// Whether another account than `home_account_id` may sign in (default: `false`).
    pub accept_other_account: Option<bool>,
    /// The user name to fill in on the page (default: the account's user name).
    pub login_hint: Option<String>,
    /// The domain of the user's organization.
    pub domain_hint: Option<String>,
    /// The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core
    /// section 3.1.2.1).
    pub ui_locales: Option<String>,
    /// The `prompt` parameter of OpenID Connect. The value is `select_account`, `login`, `consent`,
    /// `create` or `none` (default: chosen by the provider).
    pub prompt: Option<String>,
    /// The `claims` of the error that made this sign-in necessary.
    pub claims: Option<String>,
    /// Parameters to add to the URL of the page.
    pub extra_query_parameters: Option<BTreeMap<String, String>>,
    /// Parameters to add to the body of the token request, and of a silent request. They take
    /// precedence over the configuration.
    pub extra_token_parameters: Option<BTreeMap<String, String>>,
    /// The `response_mode` of the authorization request. The value is `query` or `form_post`
    /// (default: `query`).
    pub response_mode: Option<String>,
    /// The deadline of the call (default: 1 hour).
    pub timeout: Option<Duration>,
    /// An ID for the server's log (default: a new UUID).
    pub correlation_id: Option<String>,
    /// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
    pub traceparent: Option<String>,
    /// The `tracestate` of the trace, only with `traceparent`.
    pub tracestate: Option<String>,
    /// Whether to try a silent request first, for `home_account_id` or for the only account that
    /// matches `login_hint`. The page is opened only if it fails with the remedy `sign_in`, or
    /// returns a token with declined scopes: such an application opens a page at each call for as
    /// long as the server declines them (default: `false`).
    pub silent_first: Option<bool>,
    /// Whether to open the user's browser: according to the table, always, or never. The value is
    /// `automatic`, `open` or `show` (default: `automatic`).
    pub browser: Option<String>,
    /// The location of the page: in the user's browser, or in a window of the program `tessera-
    /// webview`; see webview.md. The value is `default` or `embedded` (default: `default`).
    pub webview_type: Option<String>,
    /// Whether an embedded web view starts without cookies and stores none (default: `true`).
    pub prefers_ephemeral_web_browser_session: Option<bool>,
    /// The absolute path of `tessera-webview` (default: the installed one).
    pub webview_program: Option<String>,
    /// The HTML page to show after the provider's if the sign-in succeeded; see interactive.md
    /// (default: built in).
    pub success_page: Option<String>,
    /// The HTML page to show if it failed (default: built in).
    pub failure_page: Option<String>,
    /// A file descriptor to read lines from, so that the user can paste the URL at which the
    /// browser ended. It stays open; nothing else may read from it during the call.
    pub answer_descriptor: Option<i64>,
}

impl Write for InteractiveRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"scopes\":", &self.scopes);
            member(out, ",\"resource\":", &self.resource);
            member(out, ",\"extra_scopes_to_consent\":", &self.extra_scopes_to_consent);
            member(out, ",\"authority\":", &self.authority);
            member(out, ",\"home_account_id\":", &self.home_account_id);
            member(out, ",\"accept_other_account\":", &self.accept_other_account);
            member(out, ",\"login_hint\":", &self.login_hint);
            member(out, ",\"domain_hint\":", &self.domain_hint);
            member(out, ",\"ui_locales\":", &self.ui_locales);
            member(out, ",\"prompt\":", &self.prompt);
            member(out, ",\"claims\":", &self.claims);
            member(out, ",\"extra_query_parameters\":", &self.extra_query_parameters);
            member(out, ",\"extra_token_parameters\":", &self.extra_token_parameters);
            member(out, ",\"response_mode\":", &self.response_mode);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
            member(out, ",\"correlation_id\":", &self.correlation_id);
            member(out, ",\"traceparent\":", &self.traceparent);
            member(out, ",\"tracestate\":", &self.tracestate);
            member(out, ",\"silent_first\":", &self.silent_first);
            member(out, ",\"browser\":", &self.browser);
            member(out, ",\"webview_type\":", &self.webview_type);
            member(out, ",\"prefers_ephemeral_web_browser_session\":", &self.prefers_ephemeral_web_browser_session);
            member(out, ",\"webview_program\":", &self.webview_program);
            member(out, ",\"success_page\":", &self.success_page);
            member(out, ",\"failure_page\":", &self.failure_page);
            member(out, ",\"answer_descriptor\":", &self.answer_descriptor);
        });
    }
}

/// A request for a non-blocking sign-in in a browser.
#[derive(Clone, Debug, Default)]
pub struct InteractiveCallRequest {
    /// As in SilentRequest.
    pub scopes: Option<Vec<String>>,
    /// As in SilentRequest, instead of `scopes`.
    pub resource: Option<String>,
    /// Scopes to consent to now, for later tokens of other resources.
    pub extra_scopes_to_consent: Option<Vec<String>>,
    /// Another authority (default: the application's).
    pub authority: Option<String>,
    /// The account that must sign in (default: any account).
    pub home_account_id: Option<String>,
    /// Whether another account than `home_account_id` may sign in (default: `false`).
    pub accept_other_account: Option<bool>,
    /// The user name to fill in on the page (default: the account's user name).
    pub login_hint: Option<String>,
    /// The domain of the user's organization.
    pub domain_hint: Option<String>,
    /// The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core
    /// section 3.1.2.1).
    pub ui_locales: Option<String>,
    /// The `prompt` parameter of OpenID Connect. The value is `select_account`, `login`, `consent`,
    /// `create` or `none` (default: chosen by the provider).
    pub prompt: Option<String>,
    /// The `claims` of the error that made this sign-in necessary.
    pub claims: Option<String>,
    /// Parameters to add to the URL of the page.
    pub extra_query_parameters: Option<BTreeMap<String, String>>,
    /// Parameters to add to the body of the token request, and of a silent request. They take
    /// precedence over the configuration.
    pub extra_token_parameters: Option<BTreeMap<String, String>>,
    /// The `response_mode` of the authorization request. The value is `query` or `form_post`
    /// (default: `query`).
    pub response_mode: Option<String>,
    /// The deadline of the call (default: 1 hour).
    pub timeout: Option<Duration>,
    /// An ID for the server's log (default: a new UUID).
    pub correlation_id: Option<String>,
    /// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
    pub traceparent: Option<String>,
    /// The `tracestate` of the trace, only with `traceparent`.
    pub tracestate: Option<String>,
    /// Whether to try a silent request first, for `home_account_id` or for the only account that
    /// matches `login_hint`. The page is opened only if it fails with the remedy `sign_in`, or
    /// returns a token with declined scopes: such an application opens a page at each call for as
    /// long as the server declines them (default: `false`).
    pub silent_first: Option<bool>,
    /// Whether to open the user's browser: according to the table, always, or never. The value is
    /// `automatic`, `open` or `show` (default: `automatic`).
    pub browser: Option<String>,
    /// The location of the page: in the user's browser, or in a window of the program `tessera-
    /// webview`; see webview.md. The value is `default` or `embedded` (default: `default`).
    pub webview_type: Option<String>,
    /// Whether an embedded web view starts without cookies and stores none (default: `true`).
    pub prefers_ephemeral_web_browser_session: Option<bool>,
    /// The absolute path of `tessera-webview` (default: the installed one).
    pub webview_program: Option<String>,
    /// The HTML page to show after the provider's if the sign-in succeeded; see interactive.md
    /// (default: built in).
    pub success_page: Option<String>,
    /// The HTML page to show if it failed (default: built in).
    pub failure_page: Option<String>,
    /// A file descriptor to read lines from, so that the user can paste the URL at which the
    /// browser ended. It stays open; nothing else may read from it during the call.
    pub answer_descriptor: Option<i64>,
    /// Only for `tessera_call_group_acquire_token_interactive`: whether the application shows the
    /// URL if no browser is opened. With `false`, such a call fails with `browser_unavailable`
    /// (default: `true`).
    pub shows_address: Option<bool>,
}

impl Write for InteractiveCallRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"scopes\":", &self.scopes);
            member(out, ",\"resource\":", &self.resource);
            member(out, ",\"extra_scopes_to_consent\":", &self.extra_scopes_to_consent);
            member(out, ",\"authority\":", &self.authority);
            member(out, ",\"home_account_id\":", &self.home_account_id);
            member(out, ",\"accept_other_account\":", &self.accept_other_account);
            member(out, ",\"login_hint\":", &self.login_hint);
            member(out, ",\"domain_hint\":", &self.domain_hint);
            member(out, ",\"ui_locales\":", &self.ui_locales);
            member(out, ",\"prompt\":", &self.prompt);
            member(out, ",\"claims\":", &self.claims);
            member(out, ",\"extra_query_parameters\":", &self.extra_query_parameters);
            member(out, ",\"extra_token_parameters\":", &self.extra_token_parameters);
            member(out, ",\"response_mode\":", &self.response_mode);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
            member(out, ",\"correlation_id\":", &self.correlation_id);
            member(out, ",\"traceparent\":", &self.traceparent);
            member(out, ",\"tracestate\":", &self.tracestate);
            member(out, ",\"silent_first\":", &self.silent_first);
            member(out, ",\"browser\":", &self.browser);
            member(out, ",\"webview_type\":", &self.webview_type);
            member(out, ",\"prefers_ephemeral_web_browser_session\":", &self.prefers_ephemeral_web_browser_session);
            member(out, ",\"webview_program\":", &self.webview_program);
            member(out, ",\"success_page\":", &self.success_page);
            member(out, ",\"failure_page\":", &self.failure_page);
            member(out, ",\"answer_descriptor\":", &self.answer_descriptor);
            member(out, ",\"shows_address\":", &self.shows_address);
        });
    }
}

/// The document "SignInPrompt".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SignInPrompt {
    /// The URL of the provider's page, valid for one sign-in.
    pub url: String,
    /// Whether a browser is opened with it; if not, show the URL.
    pub opens_browser: bool,
    /// The reason for that, a value of the table.
    pub reason: String,
    /// The start of the URL at which the browser ends.
    pub redirect_uri: String,
    /// The problem since the previous prompt. Present from the second prompt on.
    pub problem: Option<String>,
}

impl Read for SignInPrompt {
    fn read(text: &str) -> Self {
        SignInPrompt {
            url: get(text, "url"),
            opens_browser: get(text, "opens_browser"),
            reason: get(text, "reason"),
            redirect_uri: get(text, "redirect_uri"),
            problem: find(text, "problem"),
        }
    }
}

/// The options for Microsoft Authenticator.
#[derive(Clone, Debug, Default)]
pub struct AuthenticatorOptions {
    /// `LSApplicationQueriesSchemes` of Info.plist, to be checked: a missing scheme causes
    /// `redirect_scheme_not_registered`.
    pub query_schemes: Option<Vec<String>>,
    /// The display name of your application.
    pub client_app_name: Option<String>,
    /// The version of your application.
    pub client_app_version: Option<String>,
    /// The broker features that the application supports, such as `sso_extension`.
    pub sdk_capabilities: Option<Vec<String>>,
    /// The enrollments in Intune, if different from the configuration; see brokers.md.
    pub intune_enrollment_ids: Option<Json>,
    /// The resource of Intune, if different from the configuration.
    pub intune_mam_resource: Option<BTreeMap<String, String>>,
    /// The client ID of the application in which this one is embedded.
    pub brk_client_id: Option<String>,
    /// The redirect URI of that application, to which the response is sent.
    pub brk_redirect_uri: Option<String>,
    /// The name of the library, for Microsoft's statistics.
    pub client_sku: Option<String>,
    /// The libraries that were used before this one, for Microsoft's statistics.
    pub platform_sequence: Option<String>,
    /// The state of the onboarding of the user's device.
    pub onboarding_blob: Option<String>,
    /// Whether the application supports the new onboarding of a device.
    pub new_mobile_onboarding_flow: Option<bool>,
    /// Whether to request device-bound refresh tokens.
    pub bound_refresh_tokens: Option<bool>,
    /// A credential of another provider for the user.
    pub user_federated_identity_credential: Option<String>,
}

impl Write for AuthenticatorOptions {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"query_schemes\":", &self.query_schemes);
            member(out, ",\"client_app_name\":", &self.client_app_name);
            member(out, ",\"client_app_version\":", &self.client_app_version);
            member(out, ",\"sdk_capabilities\":", &self.sdk_capabilities);
            member(out, ",\"intune_enrollment_ids\":", &self.intune_enrollment_ids);
            member(out, ",\"intune_mam_resource\":", &self.intune_mam_resource);
            member(out, ",\"brk_client_id\":", &self.brk_client_id);
            member(out, ",\"brk_redirect_uri\":", &self.brk_redirect_uri);
            member(out, ",\"client_sku\":", &self.client_sku);
            member(out, ",\"platform_sequence\":", &self.platform_sequence);
            member(out, ",\"onboarding_blob\":", &self.onboarding_blob);
            member(out, ",\"new_mobile_onboarding_flow\":", &self.new_mobile_onboarding_flow);
            member(out, ",\"bound_refresh_tokens\":", &self.bound_refresh_tokens);
            member(out, ",\"user_federated_identity_credential\":", &self.user_federated_identity_credential);
        });
    }
}

/// The document "SignInSession".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SignInSession {
    /// The URL of the provider's page, valid for one sign-in. With `authenticator` it is the
    /// broker's URL, and contains the key that decrypts its response: do not log it.
    pub url: String,
    /// The value to pass to `tessera_application_complete_sign_in`: opaque, encrypted with a key of
    /// the store, valid for one sign-in.
    pub state: Secret,
    /// The time at which `state` expires.
    pub expires_on: SystemTime,
    /// The redirect URI of the response.
    pub redirect_uri: String,
}

impl Read for SignInSession {
    fn read(text: &str) -> Self {
        SignInSession {
            url: get(text, "url"),
            state: get(text, "state"),
            expires_on: SystemTime::read(find::<Json>(text, "expires_on").unwrap_or_default().0.as_str()),
            redirect_uri: get(text, "redirect_uri"),
        }
    }
}

/// The response of a provider at the redirect URI.
#[derive(Clone, Debug, Default)]
pub struct RedirectResponse {
    /// The `state` of the SignInSession.
    pub state: Secret,
    /// The complete URL that was opened at the redirect URI.
    pub url: Option<Secret>,
    /// Instead of `url`: the body that was posted to the redirect URI.
    pub form: Option<Secret>,
    /// The application that opened the redirect URI (default: unknown).
    pub source_application: Option<String>,
    /// The deadline of the call.
    pub timeout: Option<Duration>,
}

impl Write for RedirectResponse {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"state\":", &self.state);
            member(out, ",\"url\":", &self.url);
            member(out, ",\"form\":", &self.form);
            member(out, ",\"source_application\":", &self.source_application);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
        });
    }
}

/// The document "BrokerVisit".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BrokerVisit {
    /// The name of the broker.
    pub broker: String,
    /// The outcome. The value is `used` or `skipped`.
    pub outcome: String,
    /// The reason for skipping it. Present if skipped.
    pub reason: Option<String>,
    /// The reason as a sentence. Present if skipped.
    pub message: Option<String>,
}

impl Read for BrokerVisit {
    fn read(text: &str) -> Self {
        BrokerVisit {
            broker: get(text, "broker"),
            outcome: get(text, "outcome"),
            reason: find(text, "reason"),
            message: find(text, "message"),
        }
    }
}

/// The document "TenantProfile".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TenantProfile {
    /// The tenant; empty for a provider without tenants.
    pub tenant_id: String,
    /// The ID of the user in that tenant.
    pub local_account_id: String,
    /// Whether it is the user's home tenant; in other tenants the user is a guest.
    pub is_home_tenant: bool,
    /// The user name in that tenant, as of the last sign-in there. Present if known.
    pub username: Option<String>,
    /// The claims of that tenant's ID token. Present if requested.
    pub claims: Option<Json>,
}

impl Read for TenantProfile {
    fn read(text: &str) -> Self {
        TenantProfile {
            tenant_id: get(text, "tenant_id"),
            local_account_id: get(text, "local_account_id"),
            is_home_tenant: get(text, "is_home_tenant"),
            username: find(text, "username"),
            claims: find(text, "claims"),
        }
    }
}

/// The document "TokenDescription".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TokenDescription {
    /// Whether the token can be decoded. The value is `jwt` or `opaque`.
    pub kind: String,
    /// Always `false`: the signature is not verified.
    pub verified: bool,
    /// A remark on this kind of token.
    pub hint: String,
    /// `aud`.
    pub audiences: Vec<String>,
    /// `scp` or `scope`.
    pub scopes: Vec<String>,
    /// `roles`.
    pub roles: Vec<String>,
    /// `alg`. Present if in the token.
    pub algorithm: Option<String>,
    /// `iss`. Present if in the token.
    pub issuer: Option<String>,
    /// `sub`. Present if in the token.
    pub subject: Option<String>,
    /// `tid`. Present if in the token.
    pub tenant_id: Option<String>,
    /// `azp`, `appid` or `client_id`. Present if in the token.
    pub client_id: Option<String>,
    /// `preferred_username`, `upn` or `unique_name`. Present if in the token.
    pub username: Option<String>,
    /// `iat`. Present if in the token.
    pub issued_on: Option<SystemTime>,
    /// `nbf`. Present if in the token.
    pub not_before_on: Option<SystemTime>,
    /// `exp`. Present if in the token.
    pub expires_on: Option<SystemTime>,
}

impl Read for TokenDescription {
    fn read(text: &str) -> Self {
        TokenDescription {
            kind: get(text, "kind"),
            verified: get(text, "verified"),
            hint: get(text, "hint"),
            audiences: get(text, "audiences"),
            scopes: get(text, "scopes"),
            roles: get(text, "roles"),
            algorithm: find(text, "algorithm"),
            issuer: find(text, "issuer"),
            subject: find(text, "subject"),
            tenant_id: find(text, "tenant_id"),
            client_id: find(text, "client_id"),
            username: find(text, "username"),
            issued_on: find(text, "issued_on"),
            not_before_on: find(text, "not_before_on"),
            expires_on: find(text, "expires_on"),
        }
    }
}

/// The document "ErrorCause".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ErrorCause {
    /// The source of the error.
    pub domain: String,
    /// The number of the error there. Present if it has one.
    pub number: Option<i64>,
    /// The name of the error there. Present if it has one.
    pub code: Option<String>,
    /// A description. Present if there is one.
    pub message: Option<String>,
}

impl Read for ErrorCause {
    fn read(text: &str) -> Self {
        ErrorCause {
            domain: get(text, "domain"),
            number: find(text, "number"),
            code: find(text, "code"),
            message: find(text, "message"),
        }
    }
}

/// A request for a cookie of the broker.
#[derive(Clone, Debug, Default)]
pub struct BrokerCookieRequest {
    /// The authority of the account (default: the application's).
    pub authority: Option<String>,
    /// The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a
    /// signature, 40 for cookies).
    pub timeout: Option<Duration>,
    /// An ID for the log of the server and of the broker (default: a new UUID).
    pub correlation_id: Option<String>,
    /// The account to sign in.
    pub home_account_id: String,
    /// The sign-in page, with https and in the authority's cloud, including the `sso_nonce` that
    /// the page sent.
    pub sso_url: String,
    /// The scopes that the browser requests (default: Graph's).
    pub scopes: Option<Vec<String>>,
}

impl Write for BrokerCookieRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"authority\":", &self.authority);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
            member(out, ",\"correlation_id\":", &self.correlation_id);
            member(out, ",\"home_account_id\":", &self.home_account_id);
            member(out, ",\"sso_url\":", &self.sso_url);
            member(out, ",\"scopes\":", &self.scopes);
        });
    }
}

/// A request to sign an HTTP request.
#[derive(Clone, Debug, Default)]
pub struct BrokerSigningRequest {
    /// The authority of the account (default: the application's).
    pub authority: Option<String>,
    /// The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a
    /// signature, 40 for cookies).
    pub timeout: Option<Duration>,
    /// An ID for the log of the server and of the broker (default: a new UUID).
    pub correlation_id: Option<String>,
    /// The account of the signing key.
    pub home_account_id: String,
    /// The method of the request, such as `GET`.
    pub http_method: String,
    /// The URL of the request. Its host and path are signed in their exact spelling.
    pub url: String,
    /// The nonce of the resource.
    pub nonce: Option<String>,
    /// Further claims, as JSON text.
    pub client_claims: Option<String>,
    /// The key (default: chosen by the broker).
    pub key_id: Option<String>,
}

impl Write for BrokerSigningRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"authority\":", &self.authority);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
            member(out, ",\"correlation_id\":", &self.correlation_id);
            member(out, ",\"home_account_id\":", &self.home_account_id);
            member(out, ",\"http_method\":", &self.http_method);
            member(out, ",\"url\":", &self.url);
            member(out, ",\"nonce\":", &self.nonce);
            member(out, ",\"client_claims\":", &self.client_claims);
            member(out, ",\"key_id\":", &self.key_id);
        });
    }
}

/// The document "BrokerAccount".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BrokerAccount {
    /// The stable ID of the account, for silent requests.
    pub home_account_id: String,
    /// The object ID in a tenant. Present if known.
    pub local_account_id: Option<String>,
    /// That tenant. Present if known.
    pub tenant_id: Option<String>,
    /// The host of the cloud. Present if known.
    pub environment: Option<String>,
    /// The user name. Present if known.
    pub username: Option<String>,
    /// The display name. Present if known.
    pub name: Option<String>,
    /// The given name. Present if known.
    pub given_name: Option<String>,
    /// The family name. Present if known.
    pub family_name: Option<String>,
}

impl Read for BrokerAccount {
    fn read(text: &str) -> Self {
        BrokerAccount {
            home_account_id: get(text, "home_account_id"),
            local_account_id: find(text, "local_account_id"),
            tenant_id: find(text, "tenant_id"),
            environment: find(text, "environment"),
            username: find(text, "username"),
            name: find(text, "name"),
            given_name: find(text, "given_name"),
            family_name: find(text, "family_name"),
        }
    }
}

/// A request to the broker.
#[derive(Clone, Debug, Default)]
pub struct BrokerRequest {
    /// The authority of the account (default: the application's).
    pub authority: Option<String>,
    /// The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a
    /// signature, 40 for cookies).
    pub timeout: Option<Duration>,
    /// An ID for the log of the server and of the broker (default: a new UUID).
    pub correlation_id: Option<String>,
}

impl Write for BrokerRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"authority\":", &self.authority);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
            member(out, ",\"correlation_id\":", &self.correlation_id);
        });
    }
}

/// The document "BrokerVersion".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BrokerVersion {
    /// The version of the broker.
    pub version: String,
}

impl Read for BrokerVersion {
    fn read(text: &str) -> Self {
        BrokerVersion {
            version: get(text, "version"),
        }
    }
}

/// The document "BrokerCookie".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BrokerCookie {
    /// The name of the header field.
    pub name: String,
    /// The value of the header field.
    pub content: Secret,
}

impl Read for BrokerCookie {
    fn read(text: &str) -> Self {
        BrokerCookie {
            name: get(text, "name"),
            content: get(text, "content"),
        }
    }
}

/// The document "BrokerSignature".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BrokerSignature {
    /// The signed request.
    pub signed_http_request: Secret,
}

impl Read for BrokerSignature {
    fn read(text: &str) -> Self {
        BrokerSignature {
            signed_http_request: get(text, "signed_http_request"),
        }
    }
}

/// The configuration of an application.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// The client ID that the provider assigned to the application.
    pub client_id: String,
    /// The redirect URI for sign-ins in a browser, as registered with the provider; see
    /// interactive.md (default: `msauth.\[bundle_id\]://auth`; without `bundle_id`,
    /// `http://localhost`).
    pub redirect_uri: Option<String>,
    /// The identifier of the application, such as `com.example.mail`. The default redirect URI is
    /// derived from it.
    pub bundle_id: Option<String>,
    /// The default authority: the URL of a tenant, or an issuer exactly as its discovery document
    /// states it. It must use https; http is accepted for this machine only (default:
    /// `https://login.microsoftonline.com/common`).
    pub authority: Option<String>,
    /// Instead of `authority`: the cloud of an Entra authority. The value is `public`, `china`,
    /// `germany`, `us_government`, `france`, `delos` or `gov_sg` (default: `public`).
    pub cloud: Option<String>,
    /// Instead of `authority`: the supported account types, as in the registration. The value is
    /// `AzureADandPersonalMicrosoftAccount`, `AzureADMultipleOrgs`, `AzureADMyOrg` or
    /// `PersonalMicrosoftAccount` (default: `AzureADMyOrg` with a `tenant`, otherwise
    /// `AzureADandPersonalMicrosoftAccount`).
    pub audience: Option<String>,
    /// Instead of `authority`, only for `AzureADMyOrg`: the tenant ID or a domain of the tenant.
    pub tenant: Option<String>,
    /// The kind of the authority: an Entra tenant, a B2C policy, an external tenant, ADFS, or any
    /// other OpenID Connect provider. The value is `entra`, `b2c`, `ciam`, `adfs` or `openid`
    /// (default: derived from the URL, see authorities.md).
    pub authority_type: Option<String>,
    /// Entra only: allows sign-ins of users from other Microsoft clouds, each in their own cloud;
    /// see authorities.md (default: `false`).
    pub multiple_clouds: Option<bool>,
    /// Authorities that the application trusts, so that no instance discovery is needed for their
    /// hosts. Other applications with the same store are not affected. The authority of a request
    /// on such a host has the same kind, unless its URL indicates another one.
    pub known_authorities: Option<Vec<String>>,
    /// The client capabilities to announce, such as `CP1`: the application handles claims
    /// challenges. Tokens with different capabilities are cached separately, even for the same
    /// `client_id`.
    pub client_capabilities: Option<Vec<String>>,
    /// The credential of a confidential client; see services.md (default: none: a public client).
    pub credential: Option<ClientCredential>,
    /// The method of client authentication; only with `credential`. The value is
    /// `client_secret_post`, `client_secret_basic` or `private_key_jwt` (default: with a secret,
    /// `client_secret_post` at Microsoft's authorities; elsewhere `client_secret_basic`, unless the
    /// discovery document lists only `client_secret_post`).
    pub authentication_method: Option<String>,
    /// The audience of the assertions that the application signs. The value is `token_endpoint` or
    /// `issuer` (default: `token_endpoint` at Microsoft's authorities, `issuer` elsewhere).
    pub assertion_audience: Option<String>,
    /// Whether the identity broker of this machine is used for tokens and sign-ins. `require`
    /// rejects device codes and pages that the application shows; see brokers.md. The value is
    /// `never`, `prefer` or `require` (default: `never`).
    pub broker: Option<String>,
    /// The most detailed level that `host->log` receives: 1 error, 2 warning, 3 information, 4
    /// detail (default: 3).
    pub log_level: Option<i64>,
    /// Whether log messages may contain personal data. Otherwise user names are masked
    /// (`auth.placeholder-1a2b3c4d__contoso.com`; the domain remains), paths are reduced to their
    /// last component, that of a `store.msal_cache` to a hash, and errors to their code (default:
    /// `false`).
    pub log_pii: Option<bool>,
    /// The token store.
    pub store: Option<StoreOptions>,
    /// Proxies, certificates and timeouts.
    pub network: Option<NetworkOptions>,
    /// The use and the refresh of tokens.
    pub tokens: Option<TokenOptions>,
    /// The state of Intune app protection, as the Intune SDK provides it; see brokers.md.
    pub intune: Option<IntuneOptions>,
    /// Texts for users that replace those of the library, by code.
    pub user_messages: Option<UserMessages>,
    /// Options that few applications need.
    pub advanced: Option<AdvancedOptions>,
}

impl Write for Configuration {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"client_id\":", &self.client_id);
            member(out, ",\"redirect_uri\":", &self.redirect_uri);
            member(out, ",\"bundle_id\":", &self.bundle_id);
            member(out, ",\"authority\":", &self.authority);
            member(out, ",\"cloud\":", &self.cloud);
            member(out, ",\"audience\":", &self.audience);
            member(out, ",\"tenant\":", &self.tenant);
            member(out, ",\"authority_type\":", &self.authority_type);
            member(out, ",\"multiple_clouds\":", &self.multiple_clouds);
            member(out, ",\"known_authorities\":", &self.known_authorities);
            member(out, ",\"client_capabilities\":", &self.client_capabilities);
            member(out, ",\"credential\":", &self.credential);
            member(out, ",\"authentication_method\":", &self.authentication_method);
            member(out, ",\"assertion_audience\":", &self.assertion_audience);
            member(out, ",\"broker\":", &self.broker);
            member(out, ",\"log_level\":", &self.log_level);
            member(out, ",\"log_pii\":", &self.log_pii);
            member(out, ",\"store\":", &self.store);
            member(out, ",\"network\":", &self.network);
            member(out, ",\"tokens\":", &self.tokens);
            member(out, ",\"intune\":", &self.intune);
            member(out, ",\"user_messages\":", &self.user_messages);
            member(out, ",\"advanced\":", &self.advanced);
        });
    }
}

/// The document "MetricsSnapshot".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MetricsSnapshot {
    /// The numbers of events since the application was created.
    pub counters: Vec<MetricValue>,
    /// The present values.
    pub gauges: Vec<MetricValue>,
    /// The distributions of values since the application was created.
    pub histograms: Vec<MetricHistogram>,
}

impl Read for MetricsSnapshot {
    fn read(text: &str) -> Self {
        MetricsSnapshot {
            counters: get(text, "counters"),
            gauges: get(text, "gauges"),
            histograms: get(text, "histograms"),
        }
    }
}

/// The document "KnownCaches".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KnownCaches {
    /// The locations of known caches.
    pub caches: Vec<FoundCache>,
}

impl Read for KnownCaches {
    fn read(text: &str) -> Self {
        KnownCaches {
            caches: get(text, "caches"),
        }
    }
}

/// The document "MigrationReport".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MigrationReport {
    /// The format of the cache.
    pub format: String,
    /// Whether nothing was stored.
    pub dry_run: bool,
    /// The accounts of the cache; see coming-from-adal.md.
    pub accounts: Vec<MigratedAccount>,
    /// The number of records of the unified schema that were imported from this cache or already
    /// existed; in a dry run, the number that would be imported or already exists. Their accounts
    /// are in `accounts`.
    pub record_count: i64,
    /// The numbers of entries that were left unchanged in the old cache, by kind: `wipe_marker`,
    /// `primary_refresh_token`, `intune`, `device_registration`, `service_principal`, `unknown`.
    pub preserved: BTreeMap<String, i64>,
    /// The entries that could not be read, at most 100; see coming-from-adal.md.
    pub damaged: Vec<DamagedEntry>,
    /// The number of further damaged entries.
    pub further_damaged: i64,
}

impl Read for MigrationReport {
    fn read(text: &str) -> Self {
        MigrationReport {
            format: get(text, "format"),
            dry_run: get(text, "dry_run"),
            accounts: get(text, "accounts"),
            record_count: get(text, "record_count"),
            preserved: get(text, "preserved"),
            damaged: get(text, "damaged"),
            further_damaged: get(text, "further_damaged"),
        }
    }
}

/// The document "ExportedSignIns".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExportedSignIns {
    /// The `format` of the request.
    pub format: String,
    /// The number of exported accounts. `adal_macos` has only accounts with a user name, because
    /// ADAL finds no others.
    pub account_count: i64,
    /// The keychain access groups of ADAL and MSAL, for iOS and for macOS. Present for
    /// `apple_keychain`.
    pub access_groups: Vec<String>,
    /// The keychain items. **They contain refresh tokens**. Present for `apple_keychain`.
    pub items: Vec<KeychainItem>,
    /// The cache of ADAL for macOS in Base64. **It contains refresh tokens**. Present for
    /// `adal_macos`.
    pub data: Option<Secret>,
}

impl Read for ExportedSignIns {
    fn read(text: &str) -> Self {
        ExportedSignIns {
            format: get(text, "format"),
            account_count: get(text, "account_count"),
            access_groups: get(text, "access_groups"),
            items: get(text, "items"),
            data: find(text, "data"),
        }
    }
}

/// The document "CopyReport".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CopyReport {
    /// Whether nothing was stored.
    pub dry_run: bool,
    /// The accounts of the other store.
    pub accounts: Vec<CopiedAccount>,
    /// The number of copied records, including those without an account.
    pub record_count: i64,
}

impl Read for CopyReport {
    fn read(text: &str) -> Self {
        CopyReport {
            dry_run: get(text, "dry_run"),
            accounts: get(text, "accounts"),
            record_count: get(text, "record_count"),
        }
    }
}

/// A request to begin a sign-in.
#[derive(Clone, Debug, Default)]
pub struct SignInRequest {
    /// As in SilentRequest.
    pub scopes: Option<Vec<String>>,
    /// As in SilentRequest, instead of `scopes`.
    pub resource: Option<String>,
    /// Scopes to consent to now, for later tokens of other resources.
    pub extra_scopes_to_consent: Option<Vec<String>>,
    /// Another authority (default: the application's).
    pub authority: Option<String>,
    /// The account that must sign in (default: any account).
    pub home_account_id: Option<String>,
    /// Whether another account than `home_account_id` may sign in (default: `false`).
    pub accept_other_account: Option<bool>,
    /// The user name to fill in on the page (default: the account's user name).
    pub login_hint: Option<String>,
    /// The domain of the user's organization.
    pub domain_hint: Option<String>,
    /// The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core
    /// section 3.1.2.1).
    pub ui_locales: Option<String>,
    /// The `prompt` parameter of OpenID Connect. The value is `select_account`, `login`, `consent`,
    /// `create` or `none` (default: chosen by the provider).
    pub prompt: Option<String>,
    /// The `claims` of the error that made this sign-in necessary.
    pub claims: Option<String>,
    /// Parameters to add to the URL of the page.
    pub extra_query_parameters: Option<BTreeMap<String, String>>,
    /// Parameters to add to the body of the token request. They take precedence over the
    /// configuration.
    pub extra_token_parameters: Option<BTreeMap<String, String>>,
    /// The `response_mode` of the authorization request. The value is `query` or `form_post`
    /// (default: `query`).
    pub response_mode: Option<String>,
    /// The deadline of the call.
    pub timeout: Option<Duration>,
    /// An ID for the server's log (default: a new UUID).
    pub correlation_id: Option<String>,
    /// The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
    pub traceparent: Option<String>,
    /// The `tracestate` of the trace, only with `traceparent`.
    pub tracestate: Option<String>,
    /// The delivery of the redirect: the host application observes the navigation of its page, or
    /// the system opens the redirect URI. In the second case its scheme must be registered. The
    /// value is `host` or `system` (default: `host`).
    pub delivery: Option<String>,
    /// The only application that may open the redirect URI (default: any).
    pub source_application: Option<String>,
    /// Signs in with Microsoft Authenticator on Apple's systems; `url` is then the URL that opens
    /// it. See brokers.md (default: none: a page).
    pub authenticator: Option<AuthenticatorOptions>,
    /// The lifetime of the sign-in (default: 3600).
    pub lifetime: Option<Duration>,
}

impl Write for SignInRequest {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            member(out, ",\"scopes\":", &self.scopes);
            member(out, ",\"resource\":", &self.resource);
            member(out, ",\"extra_scopes_to_consent\":", &self.extra_scopes_to_consent);
            member(out, ",\"authority\":", &self.authority);
            member(out, ",\"home_account_id\":", &self.home_account_id);
            member(out, ",\"accept_other_account\":", &self.accept_other_account);
            member(out, ",\"login_hint\":", &self.login_hint);
            member(out, ",\"domain_hint\":", &self.domain_hint);
            member(out, ",\"ui_locales\":", &self.ui_locales);
            member(out, ",\"prompt\":", &self.prompt);
            member(out, ",\"claims\":", &self.claims);
            member(out, ",\"extra_query_parameters\":", &self.extra_query_parameters);
            member(out, ",\"extra_token_parameters\":", &self.extra_token_parameters);
            member(out, ",\"response_mode\":", &self.response_mode);
            member(out, ",\"timeout_milliseconds\":", &self.timeout.map(|each| i64::try_from(each.as_millis()).unwrap_or(i64::MAX)));
            member(out, ",\"correlation_id\":", &self.correlation_id);
            member(out, ",\"traceparent\":", &self.traceparent);
            member(out, ",\"tracestate\":", &self.tracestate);
            member(out, ",\"delivery\":", &self.delivery);
            member(out, ",\"source_application\":", &self.source_application);
            member(out, ",\"authenticator\":", &self.authenticator);
            member(out, ",\"lifetime_seconds\":", &self.lifetime.map(|each| i64::try_from(each.as_secs()).unwrap_or(i64::MAX)));
        });
    }
}

/// The document "Account".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Account {
    /// The ID of the account, the same in all tenants. Pass it to later calls unchanged.
    pub home_account_id: String,
    /// The host of the cloud; for plain OpenID Connect the issuer without `https://`. For an
    /// authority over http it includes `http://`.
    pub environment: String,
    /// The user name. It may change; use it only for display and search. Present if known.
    pub username: Option<String>,
    /// The display name of the user. Present if known.
    pub name: Option<String>,
    /// The claims of the home tenant's ID token; absent for users known only as guests. Present if
    /// requested.
    pub claims: Option<Json>,
    /// The tenants in which the account is known, home tenant first.
    pub tenant_profiles: Vec<TenantProfile>,
}

impl Read for Account {
    fn read(text: &str) -> Self {
        Account {
            home_account_id: get(text, "home_account_id"),
            environment: get(text, "environment"),
            username: find(text, "username"),
            name: find(text, "name"),
            claims: find(text, "claims"),
            tenant_profiles: get(text, "tenant_profiles"),
        }
    }
}

/// The document "BrokerAccountList".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BrokerAccountList {
    /// The accounts.
    pub accounts: Vec<BrokerAccount>,
}

impl Read for BrokerAccountList {
    fn read(text: &str) -> Self {
        BrokerAccountList {
            accounts: get(text, "accounts"),
        }
    }
}

/// The document "BrokerCookies".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BrokerCookies {
    /// The cookies.
    pub cookies: Vec<BrokerCookie>,
}

impl Read for BrokerCookies {
    fn read(text: &str) -> Self {
        BrokerCookies {
            cookies: get(text, "cookies"),
        }
    }
}

/// The document "AccountList".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AccountList {
    /// The accounts.
    pub accounts: Vec<Account>,
}

impl Read for AccountList {
    fn read(text: &str) -> Self {
        AccountList {
            accounts: get(text, "accounts"),
        }
    }
}

/// The document "AccountResult".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AccountResult {
    /// The account.
    pub account: Account,
}

impl Read for AccountResult {
    fn read(text: &str) -> Self {
        AccountResult {
            account: Account::read(find::<Json>(text, "account").unwrap_or_default().0.as_str()),
        }
    }
}

/// The document "CurrentAccount".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CurrentAccount {
    /// The only account that is signed in; null if none is.
    pub account: Option<Account>,
    /// The account at the last such call, in any process with this client ID; null if there was
    /// none.
    pub previous_account: Option<Account>,
}

impl Read for CurrentAccount {
    fn read(text: &str) -> Self {
        CurrentAccount {
            account: find(text, "account"),
            previous_account: find(text, "previous_account"),
        }
    }
}

/// The document "Error".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ErrorDetails {
    /// The remedy: the status as a name, see errors.md.
    pub remedy: String,
    /// The name of the error, see errors.md.
    pub code: String,
    /// A description for developers, in one line. In it, and in the server's texts below, control
    /// characters are removed and long texts are truncated with `…`.
    pub message: String,
    /// Whether the same call may succeed later without a change.
    pub retryable: bool,
    /// The number of seconds to wait before a retry. It is 60 if the server sent status 429 without
    /// `Retry-After`. Present if the server sent it, and with `throttled`.
    pub retry_after: Option<Duration>,
    /// `error` (RFC 6749 section 5.2). Present if the server sent it.
    pub oauth_error: Option<String>,
    /// Entra's `suberror`, which refines `oauth_error`. Present if the server sent it.
    pub suberror: Option<String>,
    /// The AADSTS numbers. Present if the server sent them.
    pub server_codes: Vec<i64>,
    /// The ID of the exchange, for the server's support: from the body, or else from the header
    /// `client-request-id`, or else the ID of the request. Present after an error response, or a
    /// response that is not JSON.
    pub correlation_id: Option<String>,
    /// The server's trace ID, for its support: from the body, or else from the header `x-ms-
    /// request-id`. Present if the server sent it.
    pub trace_id: Option<String>,
    /// A claims challenge; pass it to an interactive request. Present if the server sent it.
    pub claims: Option<String>,
    /// The granted scopes, without the reserved ones. Present with `server_declined_scopes`, if
    /// known.
    pub granted_scopes: Vec<String>,
    /// The requested scopes that were not granted. Present with `server_declined_scopes`, if known.
    pub declined_scopes: Vec<String>,
    /// The user name of the account concerned. Present with `protection_policy_required`,
    /// `account_mismatch`, `workplace_join_required` and errors of brokers, if known.
    pub username: Option<String>,
    /// The ID of the account concerned. Present with `protection_policy_required`,
    /// `account_mismatch`, `workplace_join_required` and errors of brokers, if known.
    pub home_account_id: Option<String>,
    /// The URL of the application that registers devices. It is not authenticated: show it to the
    /// user before you open it. Present with `workplace_join_required` and
    /// `device_upgrade_required`, if the page sent it.
    pub app_link: Option<String>,
    /// The organization requires device-bound tokens. Present with the same codes, if it applies.
    pub token_protection_required: Option<bool>,
    /// The authority that applies the policy. Present with `protection_policy_required`, if a
    /// server sent it.
    pub authority: Option<String>,
    /// The process that held the lock of the credential, or of the shared MSAL cache, until the
    /// deadline. Present with `store_busy`, if the system reports it.
    pub holder_process_id: Option<i64>,
    /// The matching accounts. Present with `ambiguous_account`.
    pub accounts: Vec<Account>,
    /// The underlying errors, the direct cause first; see errors.md. Present if there are any.
    pub causes: Vec<ErrorCause>,
    /// The error code that MSAL for Apple reports. Present usually.
    pub msal_code: Option<i64>,
    /// The internal error code that MSAL for Apple reports. Present if there is one.
    pub msal_internal_code: Option<i64>,
}

impl Read for ErrorDetails {
    fn read(text: &str) -> Self {
        ErrorDetails {
            remedy: get(text, "remedy"),
            code: get(text, "code"),
            message: get(text, "message"),
            retryable: get(text, "retryable"),
            retry_after: find(text, "retry_after").map(|each: i64| Duration::from_secs(each.unsigned_abs())),
            oauth_error: find(text, "oauth_error"),
            suberror: find(text, "suberror"),
            server_codes: get(text, "server_codes"),
            correlation_id: find(text, "correlation_id"),
            trace_id: find(text, "trace_id"),
            claims: find(text, "claims"),
            granted_scopes: get(text, "granted_scopes"),
            declined_scopes: get(text, "declined_scopes"),
            username: find(text, "username"),
            home_account_id: find(text, "home_account_id"),
            app_link: find(text, "app_link"),
            token_protection_required: find(text, "token_protection_required"),
            authority: find(text, "authority"),
            holder_process_id: find(text, "holder_process_id"),
            accounts: get(text, "accounts"),
            causes: get(text, "causes"),
            msal_code: find(text, "msal_code"),
            msal_internal_code: find(text, "msal_internal_code"),
        }
    }
}

/// The document "Revocation".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Revocation {
    /// The application of the refresh token.
    pub client_id: String,
    /// Whether the provider revoked it.
    pub revoked: bool,
    /// The reason. Present after a failure.
    pub error: Option<ErrorDetails>,
}

impl Read for Revocation {
    fn read(text: &str) -> Self {
        Revocation {
            client_id: get(text, "client_id"),
            revoked: get(text, "revoked"),
            error: find(text, "error"),
        }
    }
}

/// The document "BrokerRemoval".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BrokerRemoval {
    /// The number of removed accounts.
    pub removed: i64,
    /// The reason. Present after a failure.
    pub error: Option<ErrorDetails>,
}

impl Read for BrokerRemoval {
    fn read(text: &str) -> Self {
        BrokerRemoval {
            removed: get(text, "removed"),
            error: find(text, "error"),
        }
    }
}

/// The document "StoreInfo".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoreInfo {
    /// The state of the store. `locked`: the key cannot be reached; `undecryptable`: the store has
    /// another key. The value is `missing`, `empty`, `usable`, `read_only`, `damaged`, `too_new`,
    /// `locked`, `undecryptable`, `busy` or `unavailable`.
    pub state: String,
    /// The policy that the application requested. The value is `require_encrypted`,
    /// `prefer_encrypted`, `allow_plaintext` or `memory_only`.
    pub storage_policy: String,
    /// `encrypted`: the key is not on the same disk; `obfuscated`: the key is in a file; for a
    /// missing store, the protection that it would get. The value is `encrypted`, `obfuscated`,
    /// `plaintext` or `memory`. Present if known.
    pub protection: Option<String>,
    /// The location of the key, or of the key that would be created. The value is `caller`,
    /// `secret_service`, `kernel_keyring` or `key_file`. Present if there is one.
    pub key_source: Option<String>,
    /// The locations that were tried before, without success.
    pub attempts: Vec<KeyAttempt>,
    /// The database; with `msal_cache` the cache file, or the file whose modification time signals
    /// a change of a keyring item. Present with a database or a file.
    pub path: Option<String>,
    /// See store.md. Present with a database.
    pub layout_version: Option<i64>,
    /// The bytes in use. Present with a database or a file.
    pub bytes: Option<i64>,
    /// The size of the file. Present with a database or a file; not for a keyring item.
    pub file_bytes: Option<i64>,
    /// The size at which access tokens are evicted, starting with those that expire first. Present
    /// if there is one.
    pub limit_bytes: Option<i64>,
    /// The numbers of records. Present if it can be read.
    pub records: Option<StoreRecords>,
    /// The processes among which one at a time refreshes a token: the threads of this process; the
    /// processes of this machine; those that the locks of a host application's store exclude. The
    /// value is `process`, `machine` or `host`.
    pub lock_scope: String,
    /// Whether the store is a cache file of other libraries, which read and write it as well.
    pub shared_with_peers: bool,
    /// Whether the store is on a network file system, or would be. Its locks then apply to this
    /// machine only, and every call reads the database.
    pub network_file_system: bool,
    /// The paths of quarantined databases.
    pub set_aside: Vec<String>,
    /// The error that a call would report. A missing store that cannot be created is `unavailable`,
    /// with the directory that cannot be written. Present after a problem.
    pub problem: Option<ErrorDetails>,
}

impl Read for StoreInfo {
    fn read(text: &str) -> Self {
        StoreInfo {
            state: get(text, "state"),
            storage_policy: get(text, "storage_policy"),
            protection: find(text, "protection"),
            key_source: find(text, "key_source"),
            attempts: get(text, "attempts"),
            path: find(text, "path"),
            layout_version: find(text, "layout_version"),
            bytes: find(text, "bytes"),
            file_bytes: find(text, "file_bytes"),
            limit_bytes: find(text, "limit_bytes"),
            records: find(text, "records"),
            lock_scope: get(text, "lock_scope"),
            shared_with_peers: get(text, "shared_with_peers"),
            network_file_system: get(text, "network_file_system"),
            set_aside: get(text, "set_aside"),
            problem: find(text, "problem"),
        }
    }
}

/// The document "Explanation".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The first step of the call: `use` a cached token, `broker`: request a token from the
    /// identity broker, `refresh`, `pause` because the same request failed recently, or `sign_in`;
    /// `signed_in` for a completed sign-in.
    pub decision: String,
    /// `valid` for a cached token. For a refresh or a broker request: `missing`, `expired`, `due`
    /// (the server recommended a refresh by now), `doubtful` (the clocks disagree), `forced`,
    /// `claims`. `device_code` after a sign-in; otherwise the code of `error`.
    pub reason: String,
    /// The decision and its reason as a sentence.
    pub message: String,
    /// The requested account.
    pub home_account_id: String,
    /// The requested authority.
    pub authority: String,
    /// The tenant of the authority for this account; empty for a provider without tenants. Present
    /// if known.
    pub tenant_id: Option<String>,
    /// The hosts of the cloud, or the issuer, of the considered tokens.
    pub environments: Vec<String>,
    /// The requested scopes.
    pub scopes: Vec<String>,
    /// The tokens of the account, in order of use.
    pub candidates: Vec<TokenCandidate>,
    /// The error with which the call would fail. With `broker`, it applies only if the broker has
    /// no token. With `server_declined_scopes`, the call returns the token for the granted scopes
    /// instead, if the store has it. Present with `sign_in` and `pause`, and with `broker` after a
    /// recent failure of the same request.
    pub error: Option<ErrorDetails>,
    /// The outcome for each broker. Present if a broker was to be used, except in a dry run.
    pub brokers: Vec<BrokerVisit>,
    /// The kind of the store: `sqlite`, `msal_file` or `memory`.
    pub store: String,
    /// The duration of reading the store and deciding.
    pub read_microseconds: i64,
    /// The duration of the requests to servers. Present except in a dry run.
    pub network_microseconds: Option<i64>,
    /// The duration of the whole call, including waits for other processes. Present except in a dry
    /// run.
    pub total_microseconds: Option<i64>,
}

impl Read for Explanation {
    fn read(text: &str) -> Self {
        Explanation {
            decision: get(text, "decision"),
            reason: get(text, "reason"),
            message: get(text, "message"),
            home_account_id: get(text, "home_account_id"),
            authority: get(text, "authority"),
            tenant_id: find(text, "tenant_id"),
            environments: get(text, "environments"),
            scopes: get(text, "scopes"),
            candidates: get(text, "candidates"),
            error: find(text, "error"),
            brokers: get(text, "brokers"),
            store: get(text, "store"),
            read_microseconds: get(text, "read_microseconds"),
            network_microseconds: find(text, "network_microseconds"),
            total_microseconds: find(text, "total_microseconds"),
        }
    }
}

/// The document "SignOutReport".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SignOutReport {
    /// The `scope` of the request.
    pub scope: String,
    /// The accounts that were signed out; for `machine`, those of this application.
    pub accounts: Vec<Account>,
    /// The numbers of removed records.
    pub removed: RemovedRecords,
    /// The tokens and sessions that were not removed.
    pub remaining: Vec<LeftoverToken>,
    /// One for each refresh token to revoke.
    pub revocations: Vec<Revocation>,
    /// The URL that ends the browser session. If the store has an ID token of the account, the URL
    /// contains it (`id_token_hint`, OpenID Connect RP-Initiated Logout 1.0), unless it is longer
    /// than 4096 bytes. Open the URL in the browser and do not log it. Present if requested and
    /// available.
    pub end_session_url: Option<Secret>,
    /// The result of the identity broker. Present with `from_broker`.
    pub broker: Option<BrokerRemoval>,
    /// Problems that did not prevent the sign-out. Present if there are any.
    pub warnings: Vec<String>,
}

impl Read for SignOutReport {
    fn read(text: &str) -> Self {
        SignOutReport {
            scope: get(text, "scope"),
            accounts: get(text, "accounts"),
            removed: RemovedRecords::read(find::<Json>(text, "removed").unwrap_or_default().0.as_str()),
            remaining: get(text, "remaining"),
            revocations: get(text, "revocations"),
            end_session_url: find(text, "end_session_url"),
            broker: find(text, "broker"),
            warnings: get(text, "warnings"),
        }
    }
}

/// The document "TokenResult".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TokenResult {
    /// The access token. Treat it as opaque; only the resource may interpret it.
    pub access_token: Secret,
    /// The token type, currently always `Bearer`.
    pub token_type: String,
    /// The expiry time.
    pub expires_on: SystemTime,
    /// The time until which the token may be used during an outage. Present if the server sent it.
    pub extended_expires_on: Option<SystemTime>,
    /// The time from which the server recommends a refresh; silent requests follow it. Present if
    /// the server sent it.
    pub refresh_on: Option<SystemTime>,
    /// The granted scopes, in the server's spelling; the requested ones if the response has none.
    pub scopes: Vec<String>,
    /// The requested scopes that were not granted. The status is then `TESSERA_STATUS_SIGN_IN`. The
    /// token is stored and can be used for `scopes`. Present if the server declined some.
    pub declined_scopes: Vec<String>,
    /// The raw ID token. Present if there is one.
    pub id_token: Option<Secret>,
    /// The claims of the ID token. Present if there is one.
    pub id_token_claims: Option<Json>,
    /// The account of the token.
    pub account: Account,
    /// The tenant of the token; empty for a provider without tenants.
    pub tenant_id: String,
    /// The authority that issued the token, with the actual tenant.
    pub authority: String,
    /// The source of the token. The value is `cache`, `network` or `broker`.
    pub source: String,
    /// The outcome for each broker; see brokers.md. Present if a broker was to be used.
    pub brokers: Vec<BrokerVisit>,
    /// Whether the token is in the store. If not, `warnings` has the reason; the token is valid
    /// nevertheless.
    pub persisted: bool,
    /// The reason for opening or not opening the browser, a value of the table. Present after a
    /// sign-in in a browser.
    pub browser_reason: Option<String>,
    /// Always `true`: the token has expired, and is returned only because the server is down and
    /// allows this use; see `refresh_error`. Present during an outage.
    pub extended_lifetime: Option<bool>,
    /// The error of the refresh. Present after a failed refresh.
    pub refresh_error: Option<ErrorDetails>,
    /// Problems that did not prevent the call from succeeding. Present if there are any.
    pub warnings: Vec<String>,
    /// The reason for the choice of this token, and the duration of each step. Present with
    /// `explain`.
    pub explanation: Option<Explanation>,
}

impl Read for TokenResult {
    fn read(text: &str) -> Self {
        TokenResult {
            access_token: get(text, "access_token"),
            token_type: get(text, "token_type"),
            expires_on: SystemTime::read(find::<Json>(text, "expires_on").unwrap_or_default().0.as_str()),
            extended_expires_on: find(text, "extended_expires_on"),
            refresh_on: find(text, "refresh_on"),
            scopes: get(text, "scopes"),
            declined_scopes: get(text, "declined_scopes"),
            id_token: find(text, "id_token"),
            id_token_claims: find(text, "id_token_claims"),
            account: Account::read(find::<Json>(text, "account").unwrap_or_default().0.as_str()),
            tenant_id: get(text, "tenant_id"),
            authority: get(text, "authority"),
            source: get(text, "source"),
            brokers: get(text, "brokers"),
            persisted: get(text, "persisted"),
            browser_reason: find(text, "browser_reason"),
            extended_lifetime: find(text, "extended_lifetime"),
            refresh_error: find(text, "refresh_error"),
            warnings: get(text, "warnings"),
            explanation: find(text, "explanation"),
        }
    }
}
