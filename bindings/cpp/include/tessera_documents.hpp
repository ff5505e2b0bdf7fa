// SPDX-License-Identifier: MIT
/** @file tessera_documents.hpp The requests and results of tessera.hpp, which includes this file. */
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
#ifndef TESSERA_DOCUMENTS_HPP
#define TESSERA_DOCUMENTS_HPP

namespace tessera {

/** The error codes; docs/errors.md describes them. Later versions add codes. */
namespace codes {
inline constexpr std::string_view interaction_required = "interaction_required";
inline constexpr std::string_view consent_required = "consent_required";
inline constexpr std::string_view mfa_required = "mfa_required";
inline constexpr std::string_view password_expired = "password_expired";
inline constexpr std::string_view password_reset_required = "password_reset_required";
inline constexpr std::string_view credentials_rejected = "credentials_rejected";
inline constexpr std::string_view account_disabled = "account_disabled";
inline constexpr std::string_view account_not_in_tenant = "account_not_in_tenant";
inline constexpr std::string_view device_required = "device_required";
inline constexpr std::string_view access_blocked = "access_blocked";
inline constexpr std::string_view account_not_found = "account_not_found";
inline constexpr std::string_view refresh_token_rejected = "refresh_token_rejected";
inline constexpr std::string_view code_expired = "code_expired";
inline constexpr std::string_view account_mismatch = "account_mismatch";
inline constexpr std::string_view server_declined_scopes = "server_declined_scopes";
inline constexpr std::string_view invalid_authorization_response = "invalid_authorization_response";
inline constexpr std::string_view sign_in_expired = "sign_in_expired";
inline constexpr std::string_view sign_in_used = "sign_in_used";
inline constexpr std::string_view sign_in_lost = "sign_in_lost";
inline constexpr std::string_view workplace_join_required = "workplace_join_required";
inline constexpr std::string_view device_upgrade_required = "device_upgrade_required";
inline constexpr std::string_view device_enrollment_completed = "device_enrollment_completed";
inline constexpr std::string_view broker_response_missing = "broker_response_missing";
inline constexpr std::string_view broker_response_corrupted = "broker_response_corrupted";
inline constexpr std::string_view broker_decryption_failed = "broker_decryption_failed";
inline constexpr std::string_view broker_hash_missing = "broker_hash_missing";
inline constexpr std::string_view broker_hash_mismatch = "broker_hash_mismatch";
inline constexpr std::string_view broker_failed = "broker_failed";
inline constexpr std::string_view sso_extension_failed = "sso_extension_failed";
inline constexpr std::string_view store_missing = "store_missing";
inline constexpr std::string_view store_empty = "store_empty";
inline constexpr std::string_view cache_damaged = "cache_damaged";
inline constexpr std::string_view network_failed = "network_failed";
inline constexpr std::string_view server_unavailable = "server_unavailable";
inline constexpr std::string_view throttled = "throttled";
inline constexpr std::string_view invalid_response = "invalid_response";
inline constexpr std::string_view store_busy = "store_busy";
inline constexpr std::string_view too_many_open_files = "too_many_open_files";
inline constexpr std::string_view too_many_threads = "too_many_threads";
inline constexpr std::string_view stack_too_small = "stack_too_small";
inline constexpr std::string_view missing_parameter = "missing_parameter";
inline constexpr std::string_view wrong_process = "wrong_process";
inline constexpr std::string_view invalid_json = "invalid_json";
inline constexpr std::string_view unknown_member = "unknown_member";
inline constexpr std::string_view invalid_member = "invalid_member";
inline constexpr std::string_view scopes_required = "scopes_required";
inline constexpr std::string_view ambiguous_account = "ambiguous_account";
inline constexpr std::string_view interaction_in_progress = "interaction_in_progress";
inline constexpr std::string_view state_mismatch = "state_mismatch";
inline constexpr std::string_view invalid_sign_in_state = "invalid_sign_in_state";
inline constexpr std::string_view broker_state_missing = "broker_state_missing";
inline constexpr std::string_view broker_state_invalid = "broker_state_invalid";
inline constexpr std::string_view broker_key_missing = "broker_key_missing";
inline constexpr std::string_view broker_state_mismatch = "broker_state_mismatch";
inline constexpr std::string_view broker_nonce_mismatch = "broker_nonce_mismatch";
inline constexpr std::string_view legacy_cache_invalid = "legacy_cache_invalid";
inline constexpr std::string_view request_rejected = "request_rejected";
inline constexpr std::string_view feature_unavailable = "feature_unavailable";
inline constexpr std::string_view invalid_configuration = "invalid_configuration";
inline constexpr std::string_view invalid_authority = "invalid_authority";
inline constexpr std::string_view issuer_mismatch = "issuer_mismatch";
inline constexpr std::string_view invalid_id_token = "invalid_id_token";
inline constexpr std::string_view client_rejected = "client_rejected";
inline constexpr std::string_view account_not_assigned = "account_not_assigned";
inline constexpr std::string_view protection_policy_required = "protection_policy_required";
inline constexpr std::string_view scope_rejected = "scope_rejected";
inline constexpr std::string_view invalid_redirect_uri = "invalid_redirect_uri";
inline constexpr std::string_view redirect_port_taken = "redirect_port_taken";
inline constexpr std::string_view redirect_scheme_not_registered = "redirect_scheme_not_registered";
inline constexpr std::string_view redirect_scheme_taken = "redirect_scheme_taken";
inline constexpr std::string_view browser_unavailable = "browser_unavailable";
inline constexpr std::string_view broker_unavailable = "broker_unavailable";
inline constexpr std::string_view broker_unresponsive = "broker_unresponsive";
inline constexpr std::string_view webview_unavailable = "webview_unavailable";
inline constexpr std::string_view webview_failed = "webview_failed";
inline constexpr std::string_view navigation_refused = "navigation_refused";
inline constexpr std::string_view redirect_uri_rejected = "redirect_uri_rejected";
inline constexpr std::string_view broker_version_unsupported = "broker_version_unsupported";
inline constexpr std::string_view flow_unsupported = "flow_unsupported";
inline constexpr std::string_view certificate_untrusted = "certificate_untrusted";
inline constexpr std::string_view library_missing = "library_missing";
inline constexpr std::string_view unsafe_environment = "unsafe_environment";
inline constexpr std::string_view store_unavailable = "store_unavailable";
inline constexpr std::string_view store_unsafe = "store_unsafe";
inline constexpr std::string_view store_read_only = "store_read_only";
inline constexpr std::string_view store_too_new = "store_too_new";
inline constexpr std::string_view cache_undecryptable = "cache_undecryptable";
inline constexpr std::string_view store_full = "store_full";
inline constexpr std::string_view key_unavailable = "key_unavailable";
inline constexpr std::string_view encryption_unavailable = "encryption_unavailable";
inline constexpr std::string_view cancelled = "cancelled";
inline constexpr std::string_view deadline_exceeded = "deadline_exceeded";
inline constexpr std::string_view access_denied = "access_denied";
inline constexpr std::string_view internal_error = "internal_error";
}  // namespace codes

/** The credential of a confidential client. */
struct client_credential {
  /** A client secret. */
  std::optional<std::string> secret = {};
  /** The path of a file with a client secret. It is read for each request. */
  std::optional<std::string> secret_file = {};
  /**
   * The certificate of the application in PEM, then those of its issuers. The private key may be in
   * the same text.
   */
  std::optional<std::string> certificate_pem = {};
  /** The path of such a file. A replaced file is used for the next request. */
  std::optional<std::string> certificate_file = {};
  /** The private key of the certificate in PEM. */
  std::optional<std::string> key_pem = {};
  /** The path of such a file. */
  std::optional<std::string> key_file = {};
  /** The path of a PKCS #12 file with the certificate and its private key. */
  std::optional<std::string> pfx_file = {};
  /** The passphrase of the private key, or of the PKCS #12 file. */
  std::optional<std::string> passphrase = {};
  /**
   * Whether assertions contain the certificates (`x5c`), for a registration that trusts a subject
   * and an issuer (default: `false`).
   */
  std::optional<bool> send_chain = {};
  /** An assertion of another issuer. It expires, so a file is better. */
  std::optional<std::string> assertion = {};
  /**
   * The path of a file with an assertion, such as the token of a Kubernetes service account. It is
   * read for each request.
   */
  std::optional<std::string> assertion_file = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"secret\":", secret);
    out.member(",\"secret_file\":", secret_file);
    out.member(",\"certificate_pem\":", certificate_pem);
    out.member(",\"certificate_file\":", certificate_file);
    out.member(",\"key_pem\":", key_pem);
    out.member(",\"key_file\":", key_file);
    out.member(",\"pfx_file\":", pfx_file);
    out.member(",\"passphrase\":", passphrase);
    out.member(",\"send_chain\":", send_chain);
    out.member(",\"assertion\":", assertion);
    out.member(",\"assertion_file\":", assertion_file);
  }
};

/** The options of the token store. */
struct store_options {
  /**
   * The kind of the store: shared with other applications that use Tessera, shared with all MSAL
   * libraries, in memory until the application object is freed, or the store of a host application,
   * which only C programs can pass. The value is `sqlite`, `msal_file`, `memory` or `host`
   * (default: `sqlite`; `msal_file` with `msal_cache`; `host` with `host->store`).
   */
  std::optional<std::string> kind = {};
  /**
   * The name of the store. Applications of the same user with the same group share one store. It
   * has 1 to 64 letters, digits, `.`, `_` and `-`. It must not start with `.` or contain
   * `.damaged-`, which marks quarantined databases. With `host`, it is the name of the partition
   * (default: `default`).
   */
  std::optional<std::string> group = {};
  /**
   * The absolute path of the store's directory. It is created when a record is first stored
   * (default: `$XDG_DATA_HOME/tessera`, or else `$HOME/.local/share/tessera`).
   */
  std::optional<std::string> directory = {};
  /**
   * The required protection of the store; see protection.md. The value is `require_encrypted`,
   * `prefer_encrypted`, `allow_plaintext` or `memory_only` (default: `prefer_encrypted`).
   */
  std::optional<std::string> policy = {};
  /**
   * The locations to try for the key of a new store, in order; `caller` only with `key`. With
   * `key`: the locations whose stores are trusted in addition; none if the member is absent. Each
   * is `caller`, `secret_service`, `kernel_keyring` or `key_file` (default: `["secret_service",
   * "key_file"]`).
   */
  list<std::string> key_sources = {};
  /**
   * The key of the store, if the application manages it. The callback `host->store_key` provides it
   * without a copy as text in memory.
   */
  std::optional<std::string> key = {};
  /**
   * The store size in MiB (2^20 bytes) at which access tokens are evicted, starting with those that
   * expire first. Refresh tokens are never evicted (default: no limit).
   */
  std::optional<std::int64_t> limit_megabytes = {};
  /**
   * The cache of MSAL for Python, .NET, Go, Java or Node to use as the store: `azure_cli`,
   * `azure_identity`, `azure_identity_cae`, `azure_powershell`, `azure_powershell_cae`, or an
   * absolute path; see store.md. `group`, `directory` and the key options do not apply to it. A
   * cache file is unencrypted, so `require_encrypted` rejects it; a cache that its owner keeps in
   * the keyring is accepted.
   */
  std::optional<std::string> msal_cache = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"kind\":", kind);
    out.member(",\"group\":", group);
    out.member(",\"directory\":", directory);
    out.member(",\"policy\":", policy);
    out.member(",\"key_sources\":", key_sources);
    out.member(",\"key\":", key);
    out.member(",\"limit_megabytes\":", limit_megabytes);
    out.member(",\"msal_cache\":", msal_cache);
  }
};

/** The options of the network. */
struct network_options {
  /**
   * The proxy, such as `http://proxy.example:8080`; empty for none. Addresses of this machine are
   * never reached through a proxy (default: `https_proxy`, `http_proxy`, `all_proxy` of the
   * environment).
   */
  std::optional<std::string> proxy = {};
  /**
   * The hosts to reach without the proxy, separated by commas (default: `no_proxy` of the
   * environment).
   */
  std::optional<std::string> no_proxy = {};
  /**
   * A file of CA certificates (PEM) to trust instead (default: `CURL_CA_BUNDLE`, or else
   * `SSL_CERT_FILE`, and `SSL_CERT_DIR`, of the environment; or else the system's certificates).
   */
  std::optional<std::string> ca_file = {};
  /**
   * The timeout of one exchange with a server. Connecting may use at most 10 seconds of it
   * (default: 30000).
   */
  std::optional<std::chrono::milliseconds> timeout = {};
  /**
   * The timeout for refreshing a token that is still valid but whose `refresh_on` has passed
   * (default: 5000).
   */
  std::optional<std::chrono::milliseconds> proactive_refresh_timeout = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"proxy\":", proxy);
    out.member(",\"no_proxy\":", no_proxy);
    out.member(",\"ca_file\":", ca_file);
    out.member(",\"timeout_milliseconds\":", timeout);
    out.member(",\"proactive_refresh_timeout_milliseconds\":", proactive_refresh_timeout);
  }
};

/** The options of tokens. */
struct token_options {
  /**
   * The remaining lifetime below which a cached token is no longer used; at most half of the
   * token's lifetime (default: 300).
   */
  std::optional<std::chrono::seconds> expiry_margin = {};
  /**
   * Whether an expired token may be returned until `extended_expires_on` while the server is down
   * (default: `false`).
   */
  std::optional<bool> extended_lifetime = {};
  /**
   * Whether sign-ins request a refresh token (scope `offline_access`). With `false`, refreshes do
   * not request it either. If a requested refresh token is missing, the result has a warning
   * (default: `true`; `false` for the `prompt` `none` at providers other than Microsoft's).
   */
  std::optional<bool> request_refresh_token = {};
  /**
   * `consent` sends `prompt=consent` with the request for a refresh token, as OpenID Connect Core
   * section 11 requires. The user is then asked for consent at each sign-in. Microsoft's
   * authorities, and the `prompt` `none`, are not affected. The value is `consent`.
   */
  std::optional<std::string> offline_access_prompt = {};
  /**
   * Whether Microsoft's instance discovery validates Entra hosts that are not built in (default:
   * `true`).
   */
  std::optional<bool> instance_discovery = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"expiry_margin_seconds\":", expiry_margin);
    out.member(",\"extended_lifetime\":", extended_lifetime);
    out.member(",\"request_refresh_token\":", request_refresh_token);
    out.member(",\"offline_access_prompt\":", offline_access_prompt);
    out.member(",\"instance_discovery\":", instance_discovery);
  }
};

/** The state of Intune app protection. */
struct intune_options {
  /**
   * The enrollments of users in Intune app protection, as the Intune SDK provides them:
   * `{"enrollment_ids": [{…}]}`; see brokers.md.
   */
  std::optional<json> enrollment_ids = {};
  /**
   * The resource of the Intune service, by cloud host. With it, access tokens are cached per
   * `bundle_id`, and used only for the enrollment that they were issued for.
   */
  std::map<std::string, std::string> mam_resource = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"enrollment_ids\":", enrollment_ids);
    out.member(",\"mam_resource\":", mam_resource);
  }
};

/** Options that few applications need. */
struct advanced_options {
  /**
   * The query parameter `slice`, which selects a slice of the service, for tests of the service.
   */
  std::optional<std::string> slice = {};
  /** The query parameter `dc`, which selects a data center, for tests of the service. */
  std::optional<std::string> dc = {};
  /**
   * Whether token requests report earlier calls to Entra, as other MSAL libraries do; see telemetry
   * (default: `false`).
   */
  std::optional<bool> server_telemetry = {};
  /**
   * Parameters to add to the body of every token request. Parameters that the library sends are
   * rejected, and so is `client_secret`, because public clients have none. A parameter with a blank
   * value is sent as its name only.
   */
  std::map<std::string, std::string> extra_token_parameters = {};
  /**
   * Parameters to add to the query of the authorization, device authorization and token endpoints.
   * They replace parameters that the endpoint's URL already has.
   */
  std::map<std::string, std::string> extra_query_parameters = {};
  /**
   * The URI schemes that are registered for the application. A redirect URI with another scheme is
   * rejected, without a query to the desktop (default: unknown).
   */
  list<std::string> registered_schemes = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"slice\":", slice);
    out.member(",\"dc\":", dc);
    out.member(",\"server_telemetry\":", server_telemetry);
    out.member(",\"extra_token_parameters\":", extra_token_parameters);
    out.member(",\"extra_query_parameters\":", extra_query_parameters);
    out.member(",\"registered_schemes\":", registered_schemes);
  }
};

/** The texts that the library shows to users. */
struct user_messages {
  /** The language of the pages: a language tag (BCP 47), such as `de-AT` (default: en). */
  std::optional<std::string> page_language = {};
  /** The title of the page after a successful sign-in (default: You have signed in). */
  std::optional<std::string> signed_in_title = {};
  /** The text of that page (default: You can close this page and return to the application.). */
  std::optional<std::string> signed_in_text = {};
  /** The title of the page after a failed sign-in (default: Sign-in failed). */
  std::optional<std::string> sign_in_failed_title = {};
  /**
   * The sentence before the error description of the provider (default: The provider reported:).
   */
  std::optional<std::string> sign_in_failed_reason = {};
  /**
   * The sentence after it (default: You can close this page. The application shows what to do
   * next.).
   */
  std::optional<std::string> sign_in_failed_text = {};
  /**
   * The title of the page for a response to another sign-in (default: This response does not belong
   * to the pending sign-in).
   */
  std::optional<std::string> other_sign_in_title = {};
  /**
   * The text of that page (default: An application waits here for a sign-in, but this response
   * belongs to a different one. The application continues to wait.).
   */
  std::optional<std::string> other_sign_in_text = {};
  /** The title of the page at another address than the redirect URI (default: Page not found). */
  std::optional<std::string> page_not_found_title = {};
  /**
   * The text of that page (default: An application waits for a sign-in, but at another address.).
   */
  std::optional<std::string> page_not_found_text = {};
  /**
   * The title of the page for a request that a browser would not send (default: Invalid request).
   */
  std::optional<std::string> invalid_request_title = {};
  /** The text of that page (default: Browsers do not send requests of this form.). */
  std::optional<std::string> invalid_request_text = {};
  /**
   * The last sentence of these three pages (default: Return to the sign-in page, or start the sign-
   * in again in the application.).
   */
  std::optional<std::string> return_to_sign_in = {};
  /**
   * `message` of a device code prompt. It must contain both placeholders. The default is used only
   * if the server sends no text (default: To sign in, open {verification_uri} and enter the code
   * {user_code}.).
   */
  std::optional<std::string> device_code = {};
  /**
   * `problem` of a sign-in prompt, after another URL than the redirect was pasted (default: The
   * pasted URL does not belong to this sign-in.).
   */
  std::optional<std::string> wrong_url_pasted = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"page_language\":", page_language);
    out.member(",\"signed_in_title\":", signed_in_title);
    out.member(",\"signed_in_text\":", signed_in_text);
    out.member(",\"sign_in_failed_title\":", sign_in_failed_title);
    out.member(",\"sign_in_failed_reason\":", sign_in_failed_reason);
    out.member(",\"sign_in_failed_text\":", sign_in_failed_text);
    out.member(",\"other_sign_in_title\":", other_sign_in_title);
    out.member(",\"other_sign_in_text\":", other_sign_in_text);
    out.member(",\"page_not_found_title\":", page_not_found_title);
    out.member(",\"page_not_found_text\":", page_not_found_text);
    out.member(",\"invalid_request_title\":", invalid_request_title);
    out.member(",\"invalid_request_text\":", invalid_request_text);
    out.member(",\"return_to_sign_in\":", return_to_sign_in);
    out.member(",\"device_code\":", device_code);
    out.member(",\"wrong_url_pasted\":", wrong_url_pasted);
  }
};

/** A request with a timeout only. */
struct store_request {
  /** The maximum time to wait for the store (default: as in AccountsRequest). */
  std::optional<std::chrono::milliseconds> timeout = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"timeout_milliseconds\":", timeout);
  }
};

/** A request for accounts. */
struct accounts_request {
  /**
   * The account with this ID. Entra IDs are compared without regard to case, IDs of other providers
   * exactly, like subjects (default: any account).
   */
  std::optional<std::string> home_account_id = {};
  /**
   * The accounts with this user name in any tenant, without regard to case. User names change and
   * are reused, so several accounts may have the same one (default: any account).
   */
  std::optional<std::string> username = {};
  /** The account with this ID in one of its tenants (default: any account). */
  std::optional<std::string> local_account_id = {};
  /** The `environment` of the account, or another host of the same cloud (default: any host). */
  std::optional<std::string> environment = {};
  /**
   * `false` also returns accounts that signed out of this application, and accounts of other
   * applications (default: `true`).
   */
  std::optional<bool> signed_in_only = {};
  /**
   * `true` adds the `claims` of this application's ID tokens, which takes longer (default:
   * `false`).
   */
  std::optional<bool> claims = {};
  /**
   * The maximum time to wait for a store that another process has locked; after that, the error is
   * `store_busy` (default: 10 seconds for each access to the store).
   */
  std::optional<std::chrono::milliseconds> timeout = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"home_account_id\":", home_account_id);
    out.member(",\"username\":", username);
    out.member(",\"local_account_id\":", local_account_id);
    out.member(",\"environment\":", environment);
    out.member(",\"signed_in_only\":", signed_in_only);
    out.member(",\"claims\":", claims);
    out.member(",\"timeout_milliseconds\":", timeout);
  }
};

/** A request to remove an account. */
struct remove_account_request {
  /** The account to remove. */
  std::string home_account_id = {};
  /** The account to remove, if it has no ID yet (default: if `home_account_id` is empty). */
  std::optional<std::string> username = {};
  /**
   * The `environment` of the account (default: only if several providers use this
   * `home_account_id`).
   */
  std::optional<std::string> environment = {};
  /**
   * The maximum time to wait for the store; after `store_busy` nothing is removed (default: as in
   * AccountsRequest, for the whole call).
   */
  std::optional<std::chrono::milliseconds> timeout = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"home_account_id\":", home_account_id);
    out.member(",\"username\":", username);
    out.member(",\"environment\":", environment);
    out.member(",\"timeout_milliseconds\":", timeout);
  }
};

/** The document "RemovedAccount". */
class removed_account : public document {
 public:
  using document::document;
  /** Whether the account was removed. */
  bool removed() const { return get<bool>("removed"); }
};

/** A request to sign out. */
struct sign_out_request {
  /** The account to sign out. */
  std::optional<std::string> home_account_id = {};
  /** The account to sign out, if it has no ID yet (default: if `home_account_id` is empty). */
  std::optional<std::string> username = {};
  /**
   * The `environment` of the account (default: only if several providers use this
   * `home_account_id`).
   */
  std::optional<std::string> environment = {};
  /**
   * The extent: this client ID; every client ID that shares the store; or all accounts of all
   * applications. `machine` empties the store of the group and deletes its quarantined databases.
   * The value is `application`, `every_application` or `machine` (default: `application`).
   */
  std::optional<std::string> scope = {};
  /**
   * Whether to revoke the refresh tokens at the provider (RFC 7009). Entra does not support it. If
   * another provider's OpenID document has no revocation endpoint, its RFC 8414 metadata (`/.well-
   * known/oauth-authorization-server`) is read (default: `false`).
   */
  std::optional<bool> revoke_tokens = {};
  /** Whether to return the URL that ends the browser session (default: `false`). */
  std::optional<bool> end_session = {};
  /**
   * The URL to which the browser is redirected after that. It must be registered with the provider.
   */
  std::optional<std::string> post_logout_redirect_uri = {};
  /**
   * Whether the identity broker of this machine removes the account of this application as well;
   * for `machine`, all its accounts. See brokers.md (default: `false`).
   */
  std::optional<bool> from_broker = {};
  /** The provider that receives the requests (default: the application's). */
  std::optional<std::string> authority = {};
  /** The deadline of the call (default: as in SilentRequest). */
  std::optional<std::chrono::milliseconds> timeout = {};
  /** An ID for the server's log (default: a new UUID). */
  std::optional<std::string> correlation_id = {};
  /**
   * The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
   */
  std::optional<std::string> traceparent = {};
  /** The `tracestate` of the trace, only with `traceparent`. */
  std::optional<std::string> tracestate = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"home_account_id\":", home_account_id);
    out.member(",\"username\":", username);
    out.member(",\"environment\":", environment);
    out.member(",\"scope\":", scope);
    out.member(",\"revoke_tokens\":", revoke_tokens);
    out.member(",\"end_session\":", end_session);
    out.member(",\"post_logout_redirect_uri\":", post_logout_redirect_uri);
    out.member(",\"from_broker\":", from_broker);
    out.member(",\"authority\":", authority);
    out.member(",\"timeout_milliseconds\":", timeout);
    out.member(",\"correlation_id\":", correlation_id);
    out.member(",\"traceparent\":", traceparent);
    out.member(",\"tracestate\":", tracestate);
  }
};

/** The document "RemovedRecords". */
class removed_records : public document {
 public:
  using document::document;
  /** The number of accounts, one for each tenant. */
  std::int64_t accounts() const { return get<std::int64_t>("accounts"); }
  /** The number of access tokens. */
  std::int64_t access_tokens() const { return get<std::int64_t>("access_tokens"); }
  /** The number of refresh tokens. */
  std::int64_t refresh_tokens() const { return get<std::int64_t>("refresh_tokens"); }
  /** The number of ID tokens. */
  std::int64_t id_tokens() const { return get<std::int64_t>("id_tokens"); }
};

/** The document "LeftoverToken". */
class leftover_token : public document {
 public:
  using document::document;
  /**
   * The type of the token or session. The value is `other_application`, `family_refresh_token`,
   * `handed_out_access_tokens`, `unrevoked_refresh_tokens`, `browser_session`, `set_aside_store` or
   * `other_group`.
   */
  std::string kind() const { return get<std::string>("kind"); }
  /** The application that owns it. Present if it has one. */
  std::optional<std::string> client_id() const { return find<std::string>("client_id"); }
  /** The time at which the last one expires. Present for access tokens. */
  std::optional<time_point> expires_on() const { return find<time_point>("expires_on"); }
  /** The file. Present for a store. */
  std::optional<std::string> path() const { return find<std::string>("path"); }
};

/** The document "KeyAttempt". */
class key_attempt : public document {
 public:
  using document::document;
  /** The location. The value is `caller`, `secret_service`, `kernel_keyring` or `key_file`. */
  std::string source() const { return get<std::string>("source"); }
  /**
   * The kind of the problem. The value is `library_missing`, `no_bus`, `no_service`,
   * `no_collection`, `locked`, `timeout`, `blocked`, `full`, `unsafe`, `key_missing`, `other_key`,
   * `policy` or `failed`.
   */
  std::string problem() const { return get<std::string>("problem"); }
  /** The details for a developer. */
  std::string reason() const { return get<std::string>("reason"); }
};

/** The document "StoreRecords". */
class store_records : public document {
 public:
  using document::document;
  /** The number of accounts. */
  std::int64_t accounts() const { return get<std::int64_t>("accounts"); }
  /** The number of access tokens. */
  std::int64_t access_tokens() const { return get<std::int64_t>("access_tokens"); }
  /** The number of refresh tokens. */
  std::int64_t refresh_tokens() const { return get<std::int64_t>("refresh_tokens"); }
  /** The number of ID tokens. */
  std::int64_t id_tokens() const { return get<std::int64_t>("id_tokens"); }
  /** The number of other records. */
  std::int64_t others() const { return get<std::int64_t>("others"); }
  /** The number of damaged records. */
  std::int64_t damaged() const { return get<std::int64_t>("damaged"); }
};

/** The document "MetricValue". */
class metric_value : public document {
 public:
  using document::document;
  /**
   * The name of the metric. The value is `calls_succeeded`, `calls_failed`, `calls_throttled`,
   * `refreshes_adopted`, `commits_superseded`, `commits_queued`, `cached_responses` or
   * `cached_response_bytes`.
   */
  std::string name() const { return get<std::string>("name"); }
  /** The name of the same metric in MSAL for .NET. Present if there is one. */
  std::optional<std::string> alias() const { return find<std::string>("alias"); }
  /** The unit of the value. The value is `count` or `bytes`. */
  std::string unit() const { return get<std::string>("unit"); }
  /** The tags of the metric, such as `function`; empty for a metric without tags. */
  std::map<std::string, std::string> tags() const {
    return get<std::map<std::string, std::string>>("tags");
  }
  /** The value. */
  std::int64_t value() const { return get<std::int64_t>("value"); }
};

/** The document "MetricHistogram". */
class metric_histogram : public document {
 public:
  using document::document;
  /**
   * The name of the metric. The value is `call_duration`, `http_duration`, `store_duration`,
   * `lock_wait` or `token_lifetime`.
   */
  std::string name() const { return get<std::string>("name"); }
  /** The name of the same metric in MSAL for .NET. Present if there is one. */
  std::optional<std::string> alias() const { return find<std::string>("alias"); }
  /** The unit of the values and of the bounds. The value is `microseconds` or `seconds`. */
  std::string unit() const { return get<std::string>("unit"); }
  /** The tags of the metric. */
  std::map<std::string, std::string> tags() const {
    return get<std::map<std::string, std::string>>("tags");
  }
  /** The number of values. */
  std::int64_t count() const { return get<std::int64_t>("count"); }
  /** The sum of all values. */
  std::int64_t sum() const { return get<std::int64_t>("sum"); }
  /** The inclusive upper bounds of the buckets, without the last bucket, which has none. */
  std::vector<std::int64_t> bounds() const { return get<std::vector<std::int64_t>>("bounds"); }
  /** The number of values in each bucket, one more than `bounds`. */
  std::vector<std::int64_t> counts() const { return get<std::vector<std::int64_t>>("counts"); }
};

/** The document "LibraryFeatures". */
class library_features : public document {
 public:
  using document::document;
  /**
   * The features that the build of the library contains. Each is `apple`, `broker`, `legacy`,
   * `msal_file` or `services`.
   */
  std::vector<std::string> features() const { return get<std::vector<std::string>>("features"); }
};

/** The document "FoundCache". */
class found_cache : public document {
 public:
  using document::document;
  /**
   * The name of the cache. `azure_cli`, `azure_identity`, `azure_identity_cae`, `azure_powershell`
   * and `azure_powershell_cae` are valid values of `msal_cache`, which opens the selected location.
   * Other caches are only listed.
   */
  std::string name() const { return get<std::string>("name"); }
  /** A display name of the product that owns the cache. */
  std::string owner() const { return get<std::string>("owner"); }
  /** A file, or an item of the keyring. The value is `file` or `secret_service`. */
  std::string kind() const { return get<std::string>("kind"); }
  /** The cache file, or the file whose modification time signals a change of the item. */
  std::string path() const { return get<std::string>("path"); }
  /** The name of the item's schema. Present with an item. */
  std::optional<std::string> schema() const { return find<std::string>("schema"); }
  /**
   * `locked`: there may be an item, but the keyring is locked, missing or unresponsive;
   * `unreadable`: not a token cache, or encrypted by its owner; `unavailable`: it cannot be opened,
   * or other users can write it. The value is `missing`, `usable`, `locked`, `unreadable` or
   * `unavailable`.
   */
  std::string state() const { return get<std::string>("state"); }
  /** Whether this location is the one in use. */
  bool selected() const { return get<bool>("selected"); }
  /** The number of accounts in it. Present if it was read. */
  std::optional<std::int64_t> accounts() const { return find<std::int64_t>("accounts"); }
  /** The time of the last write. Present if known. */
  std::optional<time_point> modified_on() const { return find<time_point>("modified_on"); }
  /** The reason why it cannot be read or opened, for display. Present if there is one. */
  std::optional<std::string> reason() const { return find<std::string>("reason"); }
};

/** A request to replace the key of the store. */
struct rotate_key_request {
  /**
   * The new key. It is rejected as `invalid_member` if the configuration has no `store.key`, or if
   * it equals the old key. Without it, a store that was not encrypted with `store.key` is re-
   * encrypted with it (default: if the application manages the present key of the store).
   */
  std::optional<std::string> new_store_key = {};
  /**
   * The maximum time to wait for the store; after an error nothing is changed (default: as in
   * AccountsRequest, for the whole call).
   */
  std::optional<std::chrono::milliseconds> timeout = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"new_store_key\":", new_store_key);
    out.member(",\"timeout_milliseconds\":", timeout);
  }
};

/** The document "RotatedKey". */
class rotated_key : public document {
 public:
  using document::document;
  /** Whether the key was replaced. */
  bool rotated() const { return get<bool>("rotated"); }
};

/** A request to import an older cache. */
struct migration_request {
  /** The cache file of an older library; a regular file of at most 256 MB. */
  std::optional<std::string> path = {};
  /**
   * Instead of `path`, a known location: `accessTokens.json` of the Azure CLI before 2.30, at
   * `AZURE_ACCESS_TOKEN_FILE`, or else in `AZURE_CONFIG_DIR` or `~/.azure`. The value is
   * `azure_cli`.
   */
  std::optional<std::string> place = {};
  /**
   * The format of the cache; see coming-from-adal.md. The value is `adal_apple_item`, `adal_macos`,
   * `apple_keychain`, `msal_macos`, `adal_dotnet`, `msal_dotnet`, `adal_python`, `azure_cli` or
   * `adal_node` (default: detected).
   */
  std::optional<std::string> format = {};
  /** Whether only to report, without storing anything (default: `false`). */
  std::optional<bool> dry_run = {};
  /** The timeout of the whole call (default: as in AccountsRequest). */
  std::optional<std::chrono::milliseconds> timeout = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"path\":", path);
    out.member(",\"place\":", place);
    out.member(",\"format\":", format);
    out.member(",\"dry_run\":", dry_run);
    out.member(",\"timeout_milliseconds\":", timeout);
  }
};

/** The document "MigratedAccount". */
class migrated_account : public document {
 public:
  using document::document;
  /** The user name. Present if known. */
  std::optional<std::string> username() const { return find<std::string>("username"); }
  /** The account ID. Present if known. */
  std::optional<std::string> home_account_id() const {
    return find<std::string>("home_account_id");
  }
  /** The host of the cloud, or the issuer. */
  std::string environment() const { return get<std::string>("environment"); }
  /** The application. */
  std::string client_id() const { return get<std::string>("client_id"); }
  /** The outcome of its import. */
  std::string outcome() const { return get<std::string>("outcome"); }
  /** The reason for not importing it. Present if it was not imported. */
  std::optional<std::string> reason() const { return find<std::string>("reason"); }
  /** The next step for the user. Present if it was not imported. */
  std::optional<std::string> advice() const { return find<std::string>("advice"); }
};

/** The document "DamagedEntry". */
class damaged_entry : public document {
 public:
  using document::document;
  /** The number of the entry, counted from 0. Present unless the whole cache is damaged. */
  std::optional<std::int64_t> entry() const { return find<std::int64_t>("entry"); }
  /** The kind of the damage. */
  std::string code() const { return get<std::string>("code"); }
  /** A description. */
  std::string message() const { return get<std::string>("message"); }
};

/** A request to export sign-ins to an older cache. */
struct export_request {
  /** The format that the older library reads. The value is `apple_keychain` or `adal_macos`. */
  std::string format = {};
  /** The account (default: all accounts). */
  std::optional<std::string> home_account_id = {};
  /** The timeout of the whole call (default: as in AccountsRequest). */
  std::optional<std::chrono::milliseconds> timeout = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"format\":", format);
    out.member(",\"home_account_id\":", home_account_id);
    out.member(",\"timeout_milliseconds\":", timeout);
  }
};

/** The document "KeychainItem". */
class keychain_item : public document {
 public:
  using document::document;
  /** The attribute `kSecAttrAccount`. */
  std::string account() const { return get<std::string>("account"); }
  /** The attribute `kSecAttrService`. */
  std::string service() const { return get<std::string>("service"); }
  /** The attribute `kSecAttrGeneric`, in Base64. */
  std::string generic() const { return get<std::string>("generic"); }
  /** The attribute `kSecAttrType`. Present if there is one. */
  std::optional<std::int64_t> type() const { return find<std::int64_t>("type"); }
  /** The data of the item, in Base64. */
  std::string value() const { return get<std::string>("value"); }
};

/** The document "CacheText". */
class cache_text : public document {
 public:
  using document::document;
  /** The store as the JSON document of MSAL libraries. */
  std::string cache() const { return get<std::string>("cache"); }
};

/** The changes of a cache document. */
struct cache_write_request {
  /** The original document; empty for none. */
  std::string before = {};
  /** The changed document. Entries that are the same in both documents may be omitted from both. */
  std::string after = {};
  /** The maximum time to wait for the store (default: as in AccountsRequest). */
  std::optional<std::chrono::milliseconds> timeout = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"before\":", before);
    out.member(",\"after\":", after);
    out.member(",\"timeout_milliseconds\":", timeout);
  }
};

/** The document "CacheChanges". */
class cache_changes : public document {
 public:
  using document::document;
  /** The number of changed entries. */
  std::int64_t stored() const { return get<std::int64_t>("stored"); }
  /** The number of removed entries. */
  std::int64_t removed() const { return get<std::int64_t>("removed"); }
};

/** A request to copy sign-ins from another store. */
struct copy_request {
  /** The only account to copy (default: all accounts, and records without an account). */
  std::optional<std::string> home_account_id = {};
  /** Whether only to report, without storing anything (default: `false`). */
  std::optional<bool> dry_run = {};
  /** The timeout of the whole call (default: as in AccountsRequest). */
  std::optional<std::chrono::milliseconds> timeout = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"home_account_id\":", home_account_id);
    out.member(",\"dry_run\":", dry_run);
    out.member(",\"timeout_milliseconds\":", timeout);
  }
};

/** The document "CopiedAccount". */
class copied_account : public document {
 public:
  using document::document;
  /** The account ID. */
  std::string home_account_id() const { return get<std::string>("home_account_id"); }
  /** The host of the cloud, or the issuer. */
  std::string environment() const { return get<std::string>("environment"); }
  /** The user name. Present if known. */
  std::optional<std::string> username() const { return find<std::string>("username"); }
  /**
   * `already_here` if every record existed and was as new or newer. The value is `copied` or
   * `already_here`.
   */
  std::string outcome() const { return get<std::string>("outcome"); }
  /** The number of copied records. */
  std::int64_t record_count() const { return get<std::int64_t>("record_count"); }
};

/** A request for a token without user interaction. */
struct silent_request {
  /**
   * The account, with the value from `Account`. A user name as the value is rejected with
   * `invalid_member`. Without `home_account_id` and `username`, the request is for the only
   * account. If there are several, the error is `ambiguous_account` with `accounts`; if there is
   * none, `account_not_found` (default: the only account).
   */
  std::optional<std::string> home_account_id = {};
  /**
   * The user name of the account in any tenant, without regard to case (ADAL: `userId`). If several
   * accounts have this name, the error is `ambiguous_account` (default: if `home_account_id` is
   * empty).
   */
  std::optional<std::string> username = {};
  /**
   * The `environment` of the account. It prevents confusion with an account of another provider
   * that has the same ID. Without an `authority`, the request is sent to the provider of the
   * account; with the authority of another provider, the error is `interaction_required` (default:
   * any provider).
   */
  std::optional<std::string> environment = {};
  /**
   * Requests an app-only token (RFC 6749 section 4.4), which a confidential client of another
   * library stored in the shared cache. Remove `home_account_id` and `username`. The token is never
   * requested from a server: without a valid one the status is `TESSERA_STATUS_SIGN_IN`, and the
   * other library must acquire one. The `account` of the result has an empty `home_account_id`
   * (default: `false`).
   */
  std::optional<bool> for_application = {};
  /**
   * The scopes that the token must cover. `openid`, `profile` and `offline_access` are added, and
   * ignored here. `["openid"]` alone requests only an ID token. Scopes are compared as sets,
   * without regard to case.
   */
  list<std::string> scopes = {};
  /**
   * Instead of `scopes`: all permissions that were granted to the application at a resource, as in
   * ADAL. `/.default` is appended without change, so a resource that ends in a slash gets two
   * slashes, as Entra requires.
   */
  std::optional<std::string> resource = {};
  /**
   * Another tenant, or another issuer (default: that of the account's provider if `environment`
   * names another one, otherwise the application's).
   */
  std::optional<std::string> authority = {};
  /** Whether to send a request to the server even if a valid token is cached (default: `false`). */
  std::optional<bool> force_refresh = {};
  /**
   * The text of a JSON object: the `claims` of an error, or of a resource's claims challenge. The
   * cached token is not used then. An object that requests nothing, such as `{}`, has no effect.
   */
  std::optional<std::string> claims = {};
  /**
   * As in AdvancedOptions, for this request. They take precedence over the configuration. Cached
   * tokens are used regardless of them.
   */
  std::map<std::string, std::string> extra_token_parameters = {};
  /** As in AdvancedOptions, with the same precedence. */
  std::map<std::string, std::string> extra_query_parameters = {};
  /**
   * The deadline of the call, after which it fails with `deadline_exceeded`. Without it,
   * `timeout_milliseconds` of NetworkOptions limits each exchange. The call then fails with
   * `store_busy` after 10 seconds of waiting for a locked store, or 60 seconds for another process
   * that refreshes the same credential. A valid cached token is returned even if the value is 0.
   */
  std::optional<std::chrono::milliseconds> timeout = {};
  /** An ID for the server's log (default: a new UUID). */
  std::optional<std::string> correlation_id = {};
  /**
   * The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
   */
  std::optional<std::string> traceparent = {};
  /** The `tracestate` of the trace, only with `traceparent`. */
  std::optional<std::string> tracestate = {};
  /**
   * Whether the result has an `explanation`; the store is then always read. Not allowed for
   * `tessera_application_explain` (default: `false`).
   */
  std::optional<bool> explain = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"home_account_id\":", home_account_id);
    out.member(",\"username\":", username);
    out.member(",\"environment\":", environment);
    out.member(",\"for_application\":", for_application);
    out.member(",\"scopes\":", scopes);
    out.member(",\"resource\":", resource);
    out.member(",\"authority\":", authority);
    out.member(",\"force_refresh\":", force_refresh);
    out.member(",\"claims\":", claims);
    out.member(",\"extra_token_parameters\":", extra_token_parameters);
    out.member(",\"extra_query_parameters\":", extra_query_parameters);
    out.member(",\"timeout_milliseconds\":", timeout);
    out.member(",\"correlation_id\":", correlation_id);
    out.member(",\"traceparent\":", traceparent);
    out.member(",\"tracestate\":", tracestate);
    out.member(",\"explain\":", explain);
  }
};

/** A request for an explanation. */
struct explain_request {
  /**
   * The account, with the value from `Account`. A user name as the value is rejected with
   * `invalid_member`. Without `home_account_id` and `username`, the request is for the only
   * account. If there are several, the error is `ambiguous_account` with `accounts`; if there is
   * none, `account_not_found` (default: the only account).
   */
  std::optional<std::string> home_account_id = {};
  /**
   * The user name of the account in any tenant, without regard to case (ADAL: `userId`). If several
   * accounts have this name, the error is `ambiguous_account` (default: if `home_account_id` is
   * empty).
   */
  std::optional<std::string> username = {};
  /**
   * The `environment` of the account. It prevents confusion with an account of another provider
   * that has the same ID. Without an `authority`, the request is sent to the provider of the
   * account; with the authority of another provider, the error is `interaction_required` (default:
   * any provider).
   */
  std::optional<std::string> environment = {};
  /**
   * Requests an app-only token (RFC 6749 section 4.4), which a confidential client of another
   * library stored in the shared cache. Remove `home_account_id` and `username`. The token is never
   * requested from a server: without a valid one the status is `TESSERA_STATUS_SIGN_IN`, and the
   * other library must acquire one. The `account` of the result has an empty `home_account_id`
   * (default: `false`).
   */
  std::optional<bool> for_application = {};
  /**
   * The scopes that the token must cover. `openid`, `profile` and `offline_access` are added, and
   * ignored here. `["openid"]` alone requests only an ID token. Scopes are compared as sets,
   * without regard to case.
   */
  list<std::string> scopes = {};
  /**
   * Instead of `scopes`: all permissions that were granted to the application at a resource, as in
   * ADAL. `/.default` is appended without change, so a resource that ends in a slash gets two
   * slashes, as Entra requires.
   */
  std::optional<std::string> resource = {};
  /**
   * Another tenant, or another issuer (default: that of the account's provider if `environment`
   * names another one, otherwise the application's).
   */
  std::optional<std::string> authority = {};
  /** Whether to send a request to the server even if a valid token is cached (default: `false`). */
  std::optional<bool> force_refresh = {};
  /**
   * The text of a JSON object: the `claims` of an error, or of a resource's claims challenge. The
   * cached token is not used then. An object that requests nothing, such as `{}`, has no effect.
   */
  std::optional<std::string> claims = {};
  /**
   * As in AdvancedOptions, for this request. They take precedence over the configuration. Cached
   * tokens are used regardless of them.
   */
  std::map<std::string, std::string> extra_token_parameters = {};
  /** As in AdvancedOptions, with the same precedence. */
  std::map<std::string, std::string> extra_query_parameters = {};
  /**
   * The deadline of the call, after which it fails with `deadline_exceeded`. Without it,
   * `timeout_milliseconds` of NetworkOptions limits each exchange. The call then fails with
   * `store_busy` after 10 seconds of waiting for a locked store, or 60 seconds for another process
   * that refreshes the same credential. A valid cached token is returned even if the value is 0.
   */
  std::optional<std::chrono::milliseconds> timeout = {};
  /** An ID for the server's log (default: a new UUID). */
  std::optional<std::string> correlation_id = {};
  /**
   * The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
   */
  std::optional<std::string> traceparent = {};
  /** The `tracestate` of the trace, only with `traceparent`. */
  std::optional<std::string> tracestate = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"home_account_id\":", home_account_id);
    out.member(",\"username\":", username);
    out.member(",\"environment\":", environment);
    out.member(",\"for_application\":", for_application);
    out.member(",\"scopes\":", scopes);
    out.member(",\"resource\":", resource);
    out.member(",\"authority\":", authority);
    out.member(",\"force_refresh\":", force_refresh);
    out.member(",\"claims\":", claims);
    out.member(",\"extra_token_parameters\":", extra_token_parameters);
    out.member(",\"extra_query_parameters\":", extra_query_parameters);
    out.member(",\"timeout_milliseconds\":", timeout);
    out.member(",\"correlation_id\":", correlation_id);
    out.member(",\"traceparent\":", traceparent);
    out.member(",\"tracestate\":", tracestate);
  }
};

/** The document "TokenCandidate". */
class token_candidate : public document {
 public:
  using document::document;
  /** The kind of the token, such as `AccessToken` or `RefreshToken`. */
  std::string credential_type() const { return get<std::string>("credential_type"); }
  /** `used`; `fallback`: used if the preceding ones fail; `not_used`. */
  std::string role() const { return get<std::string>("role"); }
  /** The reasons for not using it, or not first: see below. */
  std::vector<std::string> obstacles() const { return get<std::vector<std::string>>("obstacles"); }
  /** The application that it was issued to. */
  std::string client_id() const { return get<std::string>("client_id"); }
  /** The family of applications that may redeem it. Present if there is one. */
  std::optional<std::string> family_id() const { return find<std::string>("family_id"); }
  /** The cloud or the issuer. */
  std::string environment() const { return get<std::string>("environment"); }
  /** The tenant; refresh tokens apply to all tenants. Present for access tokens. */
  std::optional<std::string> tenant_id() const { return find<std::string>("tenant_id"); }
  /** The granted scopes. Present for access tokens. */
  std::vector<std::string> scopes() const { return get<std::vector<std::string>>("scopes"); }
  /** The requested scopes that it lacks. Present if it lacks some. */
  std::vector<std::string> missing_scopes() const {
    return get<std::vector<std::string>>("missing_scopes");
  }
  /** The time of receipt. Present if known. */
  std::optional<time_point> cached_on() const { return find<time_point>("cached_on"); }
  /** The time of expiry. Present if known. */
  std::optional<time_point> expires_on() const { return find<time_point>("expires_on"); }
  /** The time of the recommended refresh. Present if known. */
  std::optional<time_point> refresh_on() const { return find<time_point>("refresh_on"); }
};

/** A request for a token of the application itself. */
struct client_token_request {
  /** The requested scopes; at Entra, the `/.default` scope of one resource. */
  list<std::string> scopes = {};
  /** As in SilentRequest, instead of `scopes`. */
  std::optional<std::string> resource = {};
  /** The authority that issues the token (default: the application's). */
  std::optional<std::string> authority = {};
  /**
   * Instead of `authority`, only for Entra: the ID or a domain of the tenant, at the host of the
   * application's authority.
   */
  std::optional<std::string> tenant = {};
  /**
   * A claims challenge of a resource, as the text of a JSON object. The cached token is then not
   * used, unless `token_sha256_to_refresh` identifies the rejected one.
   */
  std::optional<std::string> claims = {};
  /** Whether to request a new token even if the cached one is valid (default: `false`). */
  std::optional<bool> force_refresh = {};
  /**
   * The SHA-256 of an access token that a resource rejected, in hexadecimal digits. A cached token
   * with this digest is not used; a newer one is.
   */
  std::optional<std::string> token_sha256_to_refresh = {};
  /** As in SilentRequest. */
  std::map<std::string, std::string> extra_token_parameters = {};
  /** As in SilentRequest. */
  std::map<std::string, std::string> extra_query_parameters = {};
  /**
   * The deadline of the call, after which it fails with `deadline_exceeded` (default: as in
   * SilentRequest).
   */
  std::optional<std::chrono::milliseconds> timeout = {};
  /** An ID for the server's log (default: a new UUID). */
  std::optional<std::string> correlation_id = {};
  /**
   * The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
   */
  std::optional<std::string> traceparent = {};
  /** The `tracestate` of the trace, only with `traceparent`. */
  std::optional<std::string> tracestate = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"scopes\":", scopes);
    out.member(",\"resource\":", resource);
    out.member(",\"authority\":", authority);
    out.member(",\"tenant\":", tenant);
    out.member(",\"claims\":", claims);
    out.member(",\"force_refresh\":", force_refresh);
    out.member(",\"token_sha256_to_refresh\":", token_sha256_to_refresh);
    out.member(",\"extra_token_parameters\":", extra_token_parameters);
    out.member(",\"extra_query_parameters\":", extra_query_parameters);
    out.member(",\"timeout_milliseconds\":", timeout);
    out.member(",\"correlation_id\":", correlation_id);
    out.member(",\"traceparent\":", traceparent);
    out.member(",\"tracestate\":", tracestate);
  }
};

/** A request for a token by device code. */
struct device_code_request {
  /** As in SilentRequest. */
  list<std::string> scopes = {};
  /** As in SilentRequest, instead of `scopes`. */
  std::optional<std::string> resource = {};
  /** The authority to sign in at (default: the application's). */
  std::optional<std::string> authority = {};
  /** The text of a JSON object: the `claims` of the error that made this sign-in necessary. */
  std::optional<std::string> claims = {};
  /** As in SilentRequest. */
  std::map<std::string, std::string> extra_token_parameters = {};
  /** As in SilentRequest. */
  std::map<std::string, std::string> extra_query_parameters = {};
  /**
   * Whether the result has an `explanation` (explain.md) with the duration of each step (default:
   * `false`).
   */
  std::optional<bool> explain = {};
  /**
   * The deadline of the call, after which it fails with `deadline_exceeded` (default: the lifetime
   * of the code).
   */
  std::optional<std::chrono::milliseconds> timeout = {};
  /** An ID for the server's log (default: a new UUID). */
  std::optional<std::string> correlation_id = {};
  /**
   * The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
   */
  std::optional<std::string> traceparent = {};
  /** The `tracestate` of the trace, only with `traceparent`. */
  std::optional<std::string> tracestate = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"scopes\":", scopes);
    out.member(",\"resource\":", resource);
    out.member(",\"authority\":", authority);
    out.member(",\"claims\":", claims);
    out.member(",\"extra_token_parameters\":", extra_token_parameters);
    out.member(",\"extra_query_parameters\":", extra_query_parameters);
    out.member(",\"explain\":", explain);
    out.member(",\"timeout_milliseconds\":", timeout);
    out.member(",\"correlation_id\":", correlation_id);
    out.member(",\"traceparent\":", traceparent);
    out.member(",\"tracestate\":", tracestate);
  }
};

/** The document "TransportRequest". */
class transport_request : public document {
 public:
  using document::document;
  /** `GET` or `POST`. */
  std::string method() const { return get<std::string>("method"); }
  /** The absolute URL, with https; with http only for this machine, and then without a proxy. */
  std::string url() const { return get<std::string>("url"); }
  /** The header fields, each as `Name: value`. The client adds `Host` and `Content-Length`. */
  std::vector<std::string> headers() const { return get<std::vector<std::string>>("headers"); }
  /** The body. It contains secrets. Present if the request has a body. */
  std::optional<std::string> body() const { return find<std::string>("body"); }
  /**
   * The time until the response must be complete, at least 1: the smaller of
   * `network.timeout_milliseconds` and the remaining time of the call.
   */
  std::chrono::milliseconds timeout() const {
    return get<std::chrono::milliseconds>("timeout_milliseconds");
  }
};

/** The response to a request that the host application sends. */
struct transport_response {
  /** The HTTP status. Pass every response, whatever its status. */
  std::optional<std::int64_t> status = {};
  /**
   * The header fields, each as `Name: value`. `Date`, `Location` and `Retry-After` are used, among
   * others.
   */
  list<std::string> headers = {};
  /** The body, in UTF-8. */
  std::optional<std::string> body = {};
  /**
   * Instead of `status`: the reason why there is no response, for the message of `network_failed`.
   */
  std::optional<std::string> error = {};
  /**
   * With `error`: whether the server may have received a part of the request. With `false`, a
   * refresh token in it counts as unused (default: `true`).
   */
  std::optional<bool> sent = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"status\":", status);
    out.member(",\"headers\":", headers);
    out.member(",\"body\":", body);
    out.member(",\"error\":", error);
    out.member(",\"sent\":", sent);
  }
};

/** The document "DeviceCodePrompt". */
class device_code_prompt : public document {
 public:
  using document::document;
  /** The code to enter. */
  std::string user_code() const { return get<std::string>("user_code"); }
  /** The URL of the page on which to enter it. */
  std::string verification_uri() const { return get<std::string>("verification_uri"); }
  /** The same URL including the code, for a QR code. Present if the server sent it. */
  std::optional<std::string> verification_uri_complete() const {
    return find<std::string>("verification_uri_complete");
  }
  /** A sentence with the code and the URL; the server's own if it sent one. */
  std::string message() const { return get<std::string>("message"); }
  /** The time at which the code expires. */
  time_point expires_on() const { return get<time_point>("expires_on"); }
  /** The polling interval. */
  std::chrono::seconds interval() const { return get<std::chrono::seconds>("interval_seconds"); }
};

/** A request for a sign-in in a browser. */
struct interactive_request {
  /** As in SilentRequest. */
  list<std::string> scopes = {};
  /** As in SilentRequest, instead of `scopes`. */
  std::optional<std::string> resource = {};
  /** Scopes to consent to now, for later tokens of other resources. */
  list<std::string> extra_scopes_to_consent = {};
  /** Another authority (default: the application's). */
  std::optional<std::string> authority = {};
  /** The account that must sign in (default: any account). */
  std::optional<std::string> home_account_id = {};
  /** Whether another account than `home_account_id` may sign in (default: `false`). */
  std::optional<bool> accept_other_account = {};
  /** The user name to fill in on the page (default: the account's user name). */
  std::optional<std::string> login_hint = {};
  /** The domain of the user's organization. */
  std::optional<std::string> domain_hint = {};
  /**
   * The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core
   * section 3.1.2.1).
   */
  std::optional<std::string> ui_locales = {};
  /**
   * The `prompt` parameter of OpenID Connect. The value is `select_account`, `login`, `consent`,
   * `create` or `none` (default: chosen by the provider).
   */
  std::optional<std::string> prompt = {};
  /** The `claims` of the error that made this sign-in necessary. */
  std::optional<std::string> claims = {};
  /** Parameters to add to the URL of the page. */
  std::map<std::string, std::string> extra_query_parameters = {};
  /**
   * Parameters to add to the body of the token request, and of a silent request. They take
   * precedence over the configuration.
   */
  std::map<std::string, std::string> extra_token_parameters = {};
  /**
   * The `response_mode` of the authorization request. The value is `query` or `form_post` (default:
   * `query`).
   */
  std::optional<std::string> response_mode = {};
  /** The deadline of the call (default: 1 hour). */
  std::optional<std::chrono::milliseconds> timeout = {};
  /** An ID for the server's log (default: a new UUID). */
  std::optional<std::string> correlation_id = {};
  /**
   * The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
   */
  std::optional<std::string> traceparent = {};
  /** The `tracestate` of the trace, only with `traceparent`. */
  std::optional<std::string> tracestate = {};
  /**
   * Whether to try a silent request first, for `home_account_id` or for the only account that
   * matches `login_hint`. The page is opened only if it fails with the remedy `sign_in`, or returns
   * a token with declined scopes: such an application opens a page at each call for as long as the
   * server declines them (default: `false`).
   */
  std::optional<bool> silent_first = {};
  /**
   * Whether to open the user's browser: according to the table, always, or never. The value is
   * `automatic`, `open` or `show` (default: `automatic`).
   */
  std::optional<std::string> browser = {};
  /**
   * The location of the page: in the user's browser, or in a window of the program `tessera-
   * webview`; see webview.md. The value is `default` or `embedded` (default: `default`).
   */
  std::optional<std::string> webview_type = {};
  /** Whether an embedded web view starts without cookies and stores none (default: `true`). */
  std::optional<bool> prefers_ephemeral_web_browser_session = {};
  /** The absolute path of `tessera-webview` (default: the installed one). */
  std::optional<std::string> webview_program = {};
  /**
   * The HTML page to show after the provider's if the sign-in succeeded; see interactive.md
   * (default: built in).
   */
  std::optional<std::string> success_page = {};
  /** The HTML page to show if it failed (default: built in). */
  std::optional<std::string> failure_page = {};
  /**
   * A file descriptor to read lines from, so that the user can paste the URL at which the browser
   * ended. It stays open; nothing else may read from it during the call.
   */
  std::optional<std::int64_t> answer_descriptor = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"scopes\":", scopes);
    out.member(",\"resource\":", resource);
    out.member(",\"extra_scopes_to_consent\":", extra_scopes_to_consent);
    out.member(",\"authority\":", authority);
    out.member(",\"home_account_id\":", home_account_id);
    out.member(",\"accept_other_account\":", accept_other_account);
    out.member(",\"login_hint\":", login_hint);
    out.member(",\"domain_hint\":", domain_hint);
    out.member(",\"ui_locales\":", ui_locales);
    out.member(",\"prompt\":", prompt);
    out.member(",\"claims\":", claims);
    out.member(",\"extra_query_parameters\":", extra_query_parameters);
    out.member(",\"extra_token_parameters\":", extra_token_parameters);
    out.member(",\"response_mode\":", response_mode);
    out.member(",\"timeout_milliseconds\":", timeout);
    out.member(",\"correlation_id\":", correlation_id);
    out.member(",\"traceparent\":", traceparent);
    out.member(",\"tracestate\":", tracestate);
    out.member(",\"silent_first\":", silent_first);
    out.member(",\"browser\":", browser);
    out.member(",\"webview_type\":", webview_type);
    out.member(",\"prefers_ephemeral_web_browser_session\":", prefers_ephemeral_web_browser_session);
    out.member(",\"webview_program\":", webview_program);
    out.member(",\"success_page\":", success_page);
    out.member(",\"failure_page\":", failure_page);
    out.member(",\"answer_descriptor\":", answer_descriptor);
  }
};

/** A request for a non-blocking sign-in in a browser. */
struct interactive_call_request {
  /** As in SilentRequest. */
  list<std::string> scopes = {};
  /** As in SilentRequest, instead of `scopes`. */
  std::optional<std::string> resource = {};
  /** Scopes to consent to now, for later tokens of other resources. */
  list<std::string> extra_scopes_to_consent = {};
  /** Another authority (default: the application's). */
  std::optional<std::string> authority = {};
  /** The account that must sign in (default: any account). */
  std::optional<std::string> home_account_id = {};
  /** Whether another account than `home_account_id` may sign in (default: `false`). */
  std::optional<bool> accept_other_account = {};
  /** The user name to fill in on the page (default: the account's user name). */
  std::optional<std::string> login_hint = {};
  /** The domain of the user's organization. */
  std::optional<std::string> domain_hint = {};
  /**
   * The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core
   * section 3.1.2.1).
   */
  std::optional<std::string> ui_locales = {};
  /**
   * The `prompt` parameter of OpenID Connect. The value is `select_account`, `login`, `consent`,
   * `create` or `none` (default: chosen by the provider).
   */
  std::optional<std::string> prompt = {};
  /** The `claims` of the error that made this sign-in necessary. */
  std::optional<std::string> claims = {};
  /** Parameters to add to the URL of the page. */
  std::map<std::string, std::string> extra_query_parameters = {};
  /**
   * Parameters to add to the body of the token request, and of a silent request. They take
   * precedence over the configuration.
   */
  std::map<std::string, std::string> extra_token_parameters = {};
  /**
   * The `response_mode` of the authorization request. The value is `query` or `form_post` (default:
   * `query`).
   */
  std::optional<std::string> response_mode = {};
  /** The deadline of the call (default: 1 hour). */
  std::optional<std::chrono::milliseconds> timeout = {};
  /** An ID for the server's log (default: a new UUID). */
  std::optional<std::string> correlation_id = {};
  /**
   * The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
   */
  std::optional<std::string> traceparent = {};
  /** The `tracestate` of the trace, only with `traceparent`. */
  std::optional<std::string> tracestate = {};
  /**
   * Whether to try a silent request first, for `home_account_id` or for the only account that
   * matches `login_hint`. The page is opened only if it fails with the remedy `sign_in`, or returns
   * a token with declined scopes: such an application opens a page at each call for as long as the
   * server declines them (default: `false`).
   */
  std::optional<bool> silent_first = {};
  /**
   * Whether to open the user's browser: according to the table, always, or never. The value is
   * `automatic`, `open` or `show` (default: `automatic`).
   */
  std::optional<std::string> browser = {};
  /**
   * The location of the page: in the user's browser, or in a window of the program `tessera-
   * webview`; see webview.md. The value is `default` or `embedded` (default: `default`).
   */
  std::optional<std::string> webview_type = {};
  /** Whether an embedded web view starts without cookies and stores none (default: `true`). */
  std::optional<bool> prefers_ephemeral_web_browser_session = {};
  /** The absolute path of `tessera-webview` (default: the installed one). */
  std::optional<std::string> webview_program = {};
  /**
   * The HTML page to show after the provider's if the sign-in succeeded; see interactive.md
   * (default: built in).
   */
  std::optional<std::string> success_page = {};
  /** The HTML page to show if it failed (default: built in). */
  std::optional<std::string> failure_page = {};
  /**
   * A file descriptor to read lines from, so that the user can paste the URL at which the browser
   * ended. It stays open; nothing else may read from it during the call.
   */
  std::optional<std::int64_t> answer_descriptor = {};
  /**
   * Only for `tessera_call_group_acquire_token_interactive`: whether the application shows the URL
   * if no browser is opened. With `false`, such a call fails with `browser_unavailable` (default:
   * `true`).
   */
  std::optional<bool> shows_address = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"scopes\":", scopes);
    out.member(",\"resource\":", resource);
    out.member(",\"extra_scopes_to_consent\":", extra_scopes_to_consent);
    out.member(",\"authority\":", authority);
    out.member(",\"home_account_id\":", home_account_id);
    out.member(",\"accept_other_account\":", accept_other_account);
    out.member(",\"login_hint\":", login_hint);
    out.member(",\"domain_hint\":", domain_hint);
    out.member(",\"ui_locales\":", ui_locales);
    out.member(",\"prompt\":", prompt);
    out.member(",\"claims\":", claims);
    out.member(",\"extra_query_parameters\":", extra_query_parameters);
    out.member(",\"extra_token_parameters\":", extra_token_parameters);
    out.member(",\"response_mode\":", response_mode);
    out.member(",\"timeout_milliseconds\":", timeout);
    out.member(",\"correlation_id\":", correlation_id);
    out.member(",\"traceparent\":", traceparent);
    out.member(",\"tracestate\":", tracestate);
    out.member(",\"silent_first\":", silent_first);
    out.member(",\"browser\":", browser);
    out.member(",\"webview_type\":", webview_type);
    out.member(",\"prefers_ephemeral_web_browser_session\":", prefers_ephemeral_web_browser_session);
    out.member(",\"webview_program\":", webview_program);
    out.member(",\"success_page\":", success_page);
    out.member(",\"failure_page\":", failure_page);
    out.member(",\"answer_descriptor\":", answer_descriptor);
    out.member(",\"shows_address\":", shows_address);
  }
};

/** The document "SignInPrompt". */
class sign_in_prompt : public document {
 public:
  using document::document;
  /** The URL of the provider's page, valid for one sign-in. */
  std::string url() const { return get<std::string>("url"); }
  /** Whether a browser is opened with it; if not, show the URL. */
  bool opens_browser() const { return get<bool>("opens_browser"); }
  /** The reason for that, a value of the table. */
  std::string reason() const { return get<std::string>("reason"); }
  /** The start of the URL at which the browser ends. */
  std::string redirect_uri() const { return get<std::string>("redirect_uri"); }
  /** The problem since the previous prompt. Present from the second prompt on. */
  std::optional<std::string> problem() const { return find<std::string>("problem"); }
};

/** The options for Microsoft Authenticator. */
struct authenticator_options {
  /**
   * `LSApplicationQueriesSchemes` of Info.plist, to be checked: a missing scheme causes
   * `redirect_scheme_not_registered`.
   */
  list<std::string> query_schemes = {};
  /** The display name of your application. */
  std::optional<std::string> client_app_name = {};
  /** The version of your application. */
  std::optional<std::string> client_app_version = {};
  /** The broker features that the application supports, such as `sso_extension`. */
  list<std::string> sdk_capabilities = {};
  /** The enrollments in Intune, if different from the configuration; see brokers.md. */
  std::optional<json> intune_enrollment_ids = {};
  /** The resource of Intune, if different from the configuration. */
  std::map<std::string, std::string> intune_mam_resource = {};
  /** The client ID of the application in which this one is embedded. */
  std::optional<std::string> brk_client_id = {};
  /** The redirect URI of that application, to which the response is sent. */
  std::optional<std::string> brk_redirect_uri = {};
  /** The name of the library, for Microsoft's statistics. */
  std::optional<std::string> client_sku = {};
  /** The libraries that were used before this one, for Microsoft's statistics. */
  std::optional<std::string> platform_sequence = {};
  /** The state of the onboarding of the user's device. */
  std::optional<std::string> onboarding_blob = {};
  /** Whether the application supports the new onboarding of a device. */
  std::optional<bool> new_mobile_onboarding_flow = {};
  /** Whether to request device-bound refresh tokens. */
  std::optional<bool> bound_refresh_tokens = {};
  /** A credential of another provider for the user. */
  std::optional<std::string> user_federated_identity_credential = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"query_schemes\":", query_schemes);
    out.member(",\"client_app_name\":", client_app_name);
    out.member(",\"client_app_version\":", client_app_version);
    out.member(",\"sdk_capabilities\":", sdk_capabilities);
    out.member(",\"intune_enrollment_ids\":", intune_enrollment_ids);
    out.member(",\"intune_mam_resource\":", intune_mam_resource);
    out.member(",\"brk_client_id\":", brk_client_id);
    out.member(",\"brk_redirect_uri\":", brk_redirect_uri);
    out.member(",\"client_sku\":", client_sku);
    out.member(",\"platform_sequence\":", platform_sequence);
    out.member(",\"onboarding_blob\":", onboarding_blob);
    out.member(",\"new_mobile_onboarding_flow\":", new_mobile_onboarding_flow);
    out.member(",\"bound_refresh_tokens\":", bound_refresh_tokens);
    out.member(",\"user_federated_identity_credential\":", user_federated_identity_credential);
  }
};

/** The document "SignInSession". */
class sign_in_session : public document {
 public:
  using document::document;
  /**
   * The URL of the provider's page, valid for one sign-in. With `authenticator` it is the broker's
   * URL, and contains the key that decrypts its response: do not log it.
   */
  std::string url() const { return get<std::string>("url"); }
  /**
   * The value to pass to `tessera_application_complete_sign_in`: opaque, encrypted with a key of
   * the store, valid for one sign-in.
   */
  std::string state() const { return get<std::string>("state"); }
  /** The time at which `state` expires. */
  time_point expires_on() const { return get<time_point>("expires_on"); }
  /** The redirect URI of the response. */
  std::string redirect_uri() const { return get<std::string>("redirect_uri"); }
};

/** The response of a provider at the redirect URI. */
struct redirect_response {
  /** The `state` of the SignInSession. */
  std::string state = {};
  /** The complete URL that was opened at the redirect URI. */
  std::optional<std::string> url = {};
  /** Instead of `url`: the body that was posted to the redirect URI. */
  std::optional<std::string> form = {};
  /** The application that opened the redirect URI (default: unknown). */
  std::optional<std::string> source_application = {};
  /** The deadline of the call. */
  std::optional<std::chrono::milliseconds> timeout = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"state\":", state);
    out.member(",\"url\":", url);
    out.member(",\"form\":", form);
    out.member(",\"source_application\":", source_application);
    out.member(",\"timeout_milliseconds\":", timeout);
  }
};

/** The document "BrokerVisit". */
class broker_visit : public document {
 public:
  using document::document;
  /** The name of the broker. */
  std::string broker() const { return get<std::string>("broker"); }
  /** The outcome. The value is `used` or `skipped`. */
  std::string outcome() const { return get<std::string>("outcome"); }
  /** The reason for skipping it. Present if skipped. */
  std::optional<std::string> reason() const { return find<std::string>("reason"); }
  /** The reason as a sentence. Present if skipped. */
  std::optional<std::string> message() const { return find<std::string>("message"); }
};

/** The document "TenantProfile". */
class tenant_profile : public document {
 public:
  using document::document;
  /** The tenant; empty for a provider without tenants. */
  std::string tenant_id() const { return get<std::string>("tenant_id"); }
  /** The ID of the user in that tenant. */
  std::string local_account_id() const { return get<std::string>("local_account_id"); }
  /** Whether it is the user's home tenant; in other tenants the user is a guest. */
  bool is_home_tenant() const { return get<bool>("is_home_tenant"); }
  /** The user name in that tenant, as of the last sign-in there. Present if known. */
  std::optional<std::string> username() const { return find<std::string>("username"); }
  /** The claims of that tenant's ID token. Present if requested. */
  std::optional<json> claims() const { return find<json>("claims"); }
};

/** The document "TokenDescription". */
class token_description : public document {
 public:
  using document::document;
  /** Whether the token can be decoded. The value is `jwt` or `opaque`. */
  std::string kind() const { return get<std::string>("kind"); }
  /** Always `false`: the signature is not verified. */
  bool verified() const { return get<bool>("verified"); }
  /** A remark on this kind of token. */
  std::string hint() const { return get<std::string>("hint"); }
  /** `aud`. */
  std::vector<std::string> audiences() const { return get<std::vector<std::string>>("audiences"); }
  /** `scp` or `scope`. */
  std::vector<std::string> scopes() const { return get<std::vector<std::string>>("scopes"); }
  /** `roles`. */
  std::vector<std::string> roles() const { return get<std::vector<std::string>>("roles"); }
  /** `alg`. Present if in the token. */
  std::optional<std::string> algorithm() const { return find<std::string>("algorithm"); }
  /** `iss`. Present if in the token. */
  std::optional<std::string> issuer() const { return find<std::string>("issuer"); }
  /** `sub`. Present if in the token. */
  std::optional<std::string> subject() const { return find<std::string>("subject"); }
  /** `tid`. Present if in the token. */
  std::optional<std::string> tenant_id() const { return find<std::string>("tenant_id"); }
  /** `azp`, `appid` or `client_id`. Present if in the token. */
  std::optional<std::string> client_id() const { return find<std::string>("client_id"); }
  /** `preferred_username`, `upn` or `unique_name`. Present if in the token. */
  std::optional<std::string> username() const { return find<std::string>("username"); }
  /** `iat`. Present if in the token. */
  std::optional<time_point> issued_on() const { return find<time_point>("issued_on"); }
  /** `nbf`. Present if in the token. */
  std::optional<time_point> not_before_on() const { return find<time_point>("not_before_on"); }
  /** `exp`. Present if in the token. */
  std::optional<time_point> expires_on() const { return find<time_point>("expires_on"); }
};

/** The document "ErrorCause". */
class error_cause : public document {
 public:
  using document::document;
  /** The source of the error. */
  std::string domain() const { return get<std::string>("domain"); }
  /** The number of the error there. Present if it has one. */
  std::optional<std::int64_t> number() const { return find<std::int64_t>("number"); }
  /** The name of the error there. Present if it has one. */
  std::optional<std::string> code() const { return find<std::string>("code"); }
  /** A description. Present if there is one. */
  std::optional<std::string> message() const { return find<std::string>("message"); }
};

/** A request for a cookie of the broker. */
struct broker_cookie_request {
  /** The authority of the account (default: the application's). */
  std::optional<std::string> authority = {};
  /**
   * The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a
   * signature, 40 for cookies).
   */
  std::optional<std::chrono::milliseconds> timeout = {};
  /** An ID for the log of the server and of the broker (default: a new UUID). */
  std::optional<std::string> correlation_id = {};
  /** The account to sign in. */
  std::string home_account_id = {};
  /**
   * The sign-in page, with https and in the authority's cloud, including the `sso_nonce` that the
   * page sent.
   */
  std::string sso_url = {};
  /** The scopes that the browser requests (default: Graph's). */
  list<std::string> scopes = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"authority\":", authority);
    out.member(",\"timeout_milliseconds\":", timeout);
    out.member(",\"correlation_id\":", correlation_id);
    out.member(",\"home_account_id\":", home_account_id);
    out.member(",\"sso_url\":", sso_url);
    out.member(",\"scopes\":", scopes);
  }
};

/** A request to sign an HTTP request. */
struct broker_signing_request {
  /** The authority of the account (default: the application's). */
  std::optional<std::string> authority = {};
  /**
   * The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a
   * signature, 40 for cookies).
   */
  std::optional<std::chrono::milliseconds> timeout = {};
  /** An ID for the log of the server and of the broker (default: a new UUID). */
  std::optional<std::string> correlation_id = {};
  /** The account of the signing key. */
  std::string home_account_id = {};
  /** The method of the request, such as `GET`. */
  std::string http_method = {};
  /** The URL of the request. Its host and path are signed in their exact spelling. */
  std::string url = {};
  /** The nonce of the resource. */
  std::optional<std::string> nonce = {};
  /** Further claims, as JSON text. */
  std::optional<std::string> client_claims = {};
  /** The key (default: chosen by the broker). */
  std::optional<std::string> key_id = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"authority\":", authority);
    out.member(",\"timeout_milliseconds\":", timeout);
    out.member(",\"correlation_id\":", correlation_id);
    out.member(",\"home_account_id\":", home_account_id);
    out.member(",\"http_method\":", http_method);
    out.member(",\"url\":", url);
    out.member(",\"nonce\":", nonce);
    out.member(",\"client_claims\":", client_claims);
    out.member(",\"key_id\":", key_id);
  }
};

/** The document "BrokerAccount". */
class broker_account : public document {
 public:
  using document::document;
  /** The stable ID of the account, for silent requests. */
  std::string home_account_id() const { return get<std::string>("home_account_id"); }
  /** The object ID in a tenant. Present if known. */
  std::optional<std::string> local_account_id() const {
    return find<std::string>("local_account_id");
  }
  /** That tenant. Present if known. */
  std::optional<std::string> tenant_id() const { return find<std::string>("tenant_id"); }
  /** The host of the cloud. Present if known. */
  std::optional<std::string> environment() const { return find<std::string>("environment"); }
  /** The user name. Present if known. */
  std::optional<std::string> username() const { return find<std::string>("username"); }
  /** The display name. Present if known. */
  std::optional<std::string> name() const { return find<std::string>("name"); }
  /** The given name. Present if known. */
  std::optional<std::string> given_name() const { return find<std::string>("given_name"); }
  /** The family name. Present if known. */
  std::optional<std::string> family_name() const { return find<std::string>("family_name"); }
};

/** A request to the broker. */
struct broker_request {
  /** The authority of the account (default: the application's). */
  std::optional<std::string> authority = {};
  /**
   * The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a
   * signature, 40 for cookies).
   */
  std::optional<std::chrono::milliseconds> timeout = {};
  /** An ID for the log of the server and of the broker (default: a new UUID). */
  std::optional<std::string> correlation_id = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"authority\":", authority);
    out.member(",\"timeout_milliseconds\":", timeout);
    out.member(",\"correlation_id\":", correlation_id);
  }
};

/** The document "BrokerVersion". */
class broker_version : public document {
 public:
  using document::document;
  /** The version of the broker. */
  std::string version() const { return get<std::string>("version"); }
};

/** The document "BrokerCookie". */
class broker_cookie : public document {
 public:
  using document::document;
  /** The name of the header field. */
  std::string name() const { return get<std::string>("name"); }
  /** The value of the header field. */
  std::string content() const { return get<std::string>("content"); }
};

/** The document "BrokerSignature". */
class broker_signature : public document {
 public:
  using document::document;
  /** The signed request. */
  std::string signed_http_request() const { return get<std::string>("signed_http_request"); }
};

/** The configuration of an application. */
struct configuration {
  /** The client ID that the provider assigned to the application. */
  std::string client_id = {};
  /**
   * The redirect URI for sign-ins in a browser, as registered with the provider; see interactive.md
   * (default: `msauth.[bundle_id]://auth`; without `bundle_id`, `http://localhost`).
   */
  std::optional<std::string> redirect_uri = {};
  /**
   * The identifier of the application, such as `com.example.mail`. The default redirect URI is
   * derived from it.
   */
  std::optional<std::string> bundle_id = {};
  /**
   * The default authority: the URL of a tenant, or an issuer exactly as its discovery document
   * states it. It must use https; http is accepted for this machine only (default:
   * `https://login.microsoftonline.com/common`).
   */
  std::optional<std::string> authority = {};
  /**
   * Instead of `authority`: the cloud of an Entra authority. The value is `public`, `china`,
   * `germany`, `us_government`, `france`, `delos` or `gov_sg` (default: `public`).
   */
  std::optional<std::string> cloud = {};
  /**
   * Instead of `authority`: the supported account types, as in the registration. The value is
   * `AzureADandPersonalMicrosoftAccount`, `AzureADMultipleOrgs`, `AzureADMyOrg` or
   * `PersonalMicrosoftAccount` (default: `AzureADMyOrg` with a `tenant`, otherwise
   * `AzureADandPersonalMicrosoftAccount`).
   */
  std::optional<std::string> audience = {};
  /** Instead of `authority`, only for `AzureADMyOrg`: the tenant ID or a domain of the tenant. */
  std::optional<std::string> tenant = {};
  /**
   * The kind of the authority: an Entra tenant, a B2C policy, an external tenant, ADFS, or any
   * other OpenID Connect provider. The value is `entra`, `b2c`, `ciam`, `adfs` or `openid`
   * (default: derived from the URL, see authorities.md).
   */
  std::optional<std::string> authority_type = {};
  /**
   * Entra only: allows sign-ins of users from other Microsoft clouds, each in their own cloud; see
   * authorities.md (default: `false`).
   */
  std::optional<bool> multiple_clouds = {};
  /**
   * Authorities that the application trusts, so that no instance discovery is needed for their
   * hosts. Other applications with the same store are not affected. The authority of a request on
   * such a host has the same kind, unless its URL indicates another one.
   */
  list<std::string> known_authorities = {};
  /**
   * The client capabilities to announce, such as `CP1`: the application handles claims challenges.
   * Tokens with different capabilities are cached separately, even for the same `client_id`.
   */
  list<std::string> client_capabilities = {};
  /** The credential of a confidential client; see services.md (default: none: a public client). */
  std::optional<tessera::client_credential> credential = {};
  /**
   * The method of client authentication; only with `credential`. The value is `client_secret_post`,
   * `client_secret_basic` or `private_key_jwt` (default: with a secret, `client_secret_post` at
   * Microsoft's authorities; elsewhere `client_secret_basic`, unless the discovery document lists
   * only `client_secret_post`).
   */
  std::optional<std::string> authentication_method = {};
  /**
   * The audience of the assertions that the application signs. The value is `token_endpoint` or
   * `issuer` (default: `token_endpoint` at Microsoft's authorities, `issuer` elsewhere).
   */
  std::optional<std::string> assertion_audience = {};
  /**
   * Whether the identity broker of this machine is used for tokens and sign-ins. `require` rejects
   * device codes and pages that the application shows; see brokers.md. The value is `never`,
   * `prefer` or `require` (default: `never`).
   */
  std::optional<std::string> broker = {};
  /**
   * The most detailed level that `host->log` receives: 1 error, 2 warning, 3 information, 4 detail
   * (default: 3).
   */
  std::optional<std::int64_t> log_level = {};
  /**
   * Whether log messages may contain personal data. Otherwise user names are masked
   * (`auth.placeholder-1a2b3c4d__contoso.com`; the domain remains), paths are reduced to their last
   * component, that of a `store.msal_cache` to a hash, and errors to their code (default: `false`).
   */
  std::optional<bool> log_pii = {};
  /** The token store. */
  std::optional<tessera::store_options> store = {};
  /** Proxies, certificates and timeouts. */
  std::optional<tessera::network_options> network = {};
  /** The use and the refresh of tokens. */
  std::optional<tessera::token_options> tokens = {};
  /** The state of Intune app protection, as the Intune SDK provides it; see brokers.md. */
  std::optional<tessera::intune_options> intune = {};
  /** Texts for users that replace those of the library, by code. */
  std::optional<tessera::user_messages> user_messages = {};
  /** Options that few applications need. */
  std::optional<tessera::advanced_options> advanced = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"client_id\":", client_id);
    out.member(",\"redirect_uri\":", redirect_uri);
    out.member(",\"bundle_id\":", bundle_id);
    out.member(",\"authority\":", authority);
    out.member(",\"cloud\":", cloud);
    out.member(",\"audience\":", audience);
    out.member(",\"tenant\":", tenant);
    out.member(",\"authority_type\":", authority_type);
    out.member(",\"multiple_clouds\":", multiple_clouds);
    out.member(",\"known_authorities\":", known_authorities);
    out.member(",\"client_capabilities\":", client_capabilities);
    out.member(",\"credential\":", credential);
    out.member(",\"authentication_method\":", authentication_method);
    out.member(",\"assertion_audience\":", assertion_audience);
    out.member(",\"broker\":", broker);
    out.member(",\"log_level\":", log_level);
    out.member(",\"log_pii\":", log_pii);
    out.member(",\"store\":", store);
    out.member(",\"network\":", network);
    out.member(",\"tokens\":", tokens);
    out.member(",\"intune\":", intune);
    out.member(",\"user_messages\":", user_messages);
    out.member(",\"advanced\":", advanced);
  }
};

/** The document "MetricsSnapshot". */
class metrics_snapshot : public document {
 public:
  using document::document;
  /** The numbers of events since the application was created. */
  std::vector<tessera::metric_value> counters() const {
    return get<std::vector<tessera::metric_value>>("counters");
  }
  /** The present values. */
  std::vector<tessera::metric_value> gauges() const {
    return get<std::vector<tessera::metric_value>>("gauges");
  }
  /** The distributions of values since the application was created. */
  std::vector<tessera::metric_histogram> histograms() const {
    return get<std::vector<tessera::metric_histogram>>("histograms");
  }
};

/** The document "KnownCaches". */
class known_caches : public document {
 public:
  using document::document;
  /** The locations of known caches. */
  std::vector<tessera::found_cache> caches() const {
    return get<std::vector<tessera::found_cache>>("caches");
  }
};

/** The document "MigrationReport". */
class migration_report : public document {
 public:
  using document::document;
  /** The format of the cache. */
  std::string format() const { return get<std::string>("format"); }
  /** Whether nothing was stored. */
  bool dry_run() const { return get<bool>("dry_run"); }
  /** The accounts of the cache; see coming-from-adal.md. */
  std::vector<tessera::migrated_account> accounts() const {
    return get<std::vector<tessera::migrated_account>>("accounts");
  }
  /**
   * The number of records of the unified schema that were imported from this cache or already
   * existed; in a dry run, the number that would be imported or already exists. Their accounts are
   * in `accounts`.
   */
  std::int64_t record_count() const { return get<std::int64_t>("record_count"); }
  /**
   * The numbers of entries that were left unchanged in the old cache, by kind: `wipe_marker`,
   * `primary_refresh_token`, `intune`, `device_registration`, `service_principal`, `unknown`.
   */
  std::map<std::string, std::int64_t> preserved() const {
    return get<std::map<std::string, std::int64_t>>("preserved");
  }
  /** The entries that could not be read, at most 100; see coming-from-adal.md. */
  std::vector<tessera::damaged_entry> damaged() const {
    return get<std::vector<tessera::damaged_entry>>("damaged");
  }
  /** The number of further damaged entries. */
  std::int64_t further_damaged() const { return get<std::int64_t>("further_damaged"); }
};

/** The document "ExportedSignIns". */
class exported_sign_ins : public document {
 public:
  using document::document;
  /** The `format` of the request. */
  std::string format() const { return get<std::string>("format"); }
  /**
   * The number of exported accounts. `adal_macos` has only accounts with a user name, because ADAL
   * finds no others.
   */
  std::int64_t account_count() const { return get<std::int64_t>("account_count"); }
  /**
   * The keychain access groups of ADAL and MSAL, for iOS and for macOS. Present for
   * `apple_keychain`.
   */
  std::vector<std::string> access_groups() const {
    return get<std::vector<std::string>>("access_groups");
  }
  /** The keychain items. **They contain refresh tokens**. Present for `apple_keychain`. */
  std::vector<tessera::keychain_item> items() const {
    return get<std::vector<tessera::keychain_item>>("items");
  }
  /**
   * The cache of ADAL for macOS in Base64. **It contains refresh tokens**. Present for
   * `adal_macos`.
   */
  std::optional<std::string> data() const { return find<std::string>("data"); }
};

/** The document "CopyReport". */
class copy_report : public document {
 public:
  using document::document;
  /** Whether nothing was stored. */
  bool dry_run() const { return get<bool>("dry_run"); }
  /** The accounts of the other store. */
  std::vector<tessera::copied_account> accounts() const {
    return get<std::vector<tessera::copied_account>>("accounts");
  }
  /** The number of copied records, including those without an account. */
  std::int64_t record_count() const { return get<std::int64_t>("record_count"); }
};

/** A request to begin a sign-in. */
struct sign_in_request {
  /** As in SilentRequest. */
  list<std::string> scopes = {};
  /** As in SilentRequest, instead of `scopes`. */
  std::optional<std::string> resource = {};
  /** Scopes to consent to now, for later tokens of other resources. */
  list<std::string> extra_scopes_to_consent = {};
  /** Another authority (default: the application's). */
  std::optional<std::string> authority = {};
  /** The account that must sign in (default: any account). */
  std::optional<std::string> home_account_id = {};
  /** Whether another account than `home_account_id` may sign in (default: `false`). */
  std::optional<bool> accept_other_account = {};
  /** The user name to fill in on the page (default: the account's user name). */
  std::optional<std::string> login_hint = {};
  /** The domain of the user's organization. */
  std::optional<std::string> domain_hint = {};
  /**
   * The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core
   * section 3.1.2.1).
   */
  std::optional<std::string> ui_locales = {};
  /**
   * The `prompt` parameter of OpenID Connect. The value is `select_account`, `login`, `consent`,
   * `create` or `none` (default: chosen by the provider).
   */
  std::optional<std::string> prompt = {};
  /** The `claims` of the error that made this sign-in necessary. */
  std::optional<std::string> claims = {};
  /** Parameters to add to the URL of the page. */
  std::map<std::string, std::string> extra_query_parameters = {};
  /**
   * Parameters to add to the body of the token request. They take precedence over the
   * configuration.
   */
  std::map<std::string, std::string> extra_token_parameters = {};
  /**
   * The `response_mode` of the authorization request. The value is `query` or `form_post` (default:
   * `query`).
   */
  std::optional<std::string> response_mode = {};
  /** The deadline of the call. */
  std::optional<std::chrono::milliseconds> timeout = {};
  /** An ID for the server's log (default: a new UUID). */
  std::optional<std::string> correlation_id = {};
  /**
   * The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged.
   */
  std::optional<std::string> traceparent = {};
  /** The `tracestate` of the trace, only with `traceparent`. */
  std::optional<std::string> tracestate = {};
  /**
   * The delivery of the redirect: the host application observes the navigation of its page, or the
   * system opens the redirect URI. In the second case its scheme must be registered. The value is
   * `host` or `system` (default: `host`).
   */
  std::optional<std::string> delivery = {};
  /** The only application that may open the redirect URI (default: any). */
  std::optional<std::string> source_application = {};
  /**
   * Signs in with Microsoft Authenticator on Apple's systems; `url` is then the URL that opens it.
   * See brokers.md (default: none: a page).
   */
  std::optional<tessera::authenticator_options> authenticator = {};
  /** The lifetime of the sign-in (default: 3600). */
  std::optional<std::chrono::seconds> lifetime = {};

  /** Writes the members as JSON. */
  void write(detail::writer &out) const {
    out.member(",\"scopes\":", scopes);
    out.member(",\"resource\":", resource);
    out.member(",\"extra_scopes_to_consent\":", extra_scopes_to_consent);
    out.member(",\"authority\":", authority);
    out.member(",\"home_account_id\":", home_account_id);
    out.member(",\"accept_other_account\":", accept_other_account);
    out.member(",\"login_hint\":", login_hint);
    out.member(",\"domain_hint\":", domain_hint);
    out.member(",\"ui_locales\":", ui_locales);
    out.member(",\"prompt\":", prompt);
    out.member(",\"claims\":", claims);
    out.member(",\"extra_query_parameters\":", extra_query_parameters);
    out.member(",\"extra_token_parameters\":", extra_token_parameters);
    out.member(",\"response_mode\":", response_mode);
    out.member(",\"timeout_milliseconds\":", timeout);
    out.member(",\"correlation_id\":", correlation_id);
    out.member(",\"traceparent\":", traceparent);
    out.member(",\"tracestate\":", tracestate);
    out.member(",\"delivery\":", delivery);
    out.member(",\"source_application\":", source_application);
    out.member(",\"authenticator\":", authenticator);
    out.member(",\"lifetime_seconds\":", lifetime);
  }
};

/** The document "Account". */
class account : public document {
 public:
  using document::document;
  /** The ID of the account, the same in all tenants. Pass it to later calls unchanged. */
  std::string home_account_id() const { return get<std::string>("home_account_id"); }
  /**
   * The host of the cloud; for plain OpenID Connect the issuer without `https://`. For an authority
   * over http it includes `http://`.
   */
  std::string environment() const { return get<std::string>("environment"); }
  /** The user name. It may change; use it only for display and search. Present if known. */
  std::optional<std::string> username() const { return find<std::string>("username"); }
  /** The display name of the user. Present if known. */
  std::optional<std::string> name() const { return find<std::string>("name"); }
  /**
   * The claims of the home tenant's ID token; absent for users known only as guests. Present if
   * requested.
   */
  std::optional<json> claims() const { return find<json>("claims"); }
  /** The tenants in which the account is known, home tenant first. */
  std::vector<tessera::tenant_profile> tenant_profiles() const {
    return get<std::vector<tessera::tenant_profile>>("tenant_profiles");
  }
};

/** The document "BrokerAccountList". */
class broker_account_list : public document {
 public:
  using document::document;
  /** The accounts. */
  std::vector<tessera::broker_account> accounts() const {
    return get<std::vector<tessera::broker_account>>("accounts");
  }
};

/** The document "BrokerCookies". */
class broker_cookies : public document {
 public:
  using document::document;
  /** The cookies. */
  std::vector<tessera::broker_cookie> cookies() const {
    return get<std::vector<tessera::broker_cookie>>("cookies");
  }
};

/** The document "AccountList". */
class account_list : public document {
 public:
  using document::document;
  /** The accounts. */
  std::vector<tessera::account> accounts() const {
    return get<std::vector<tessera::account>>("accounts");
  }
};

/** The document "AccountResult". */
class account_result : public document {
 public:
  using document::document;
  /** The account. */
  tessera::account account() const { return get<tessera::account>("account"); }
};

/** The document "CurrentAccount". */
class current_account : public document {
 public:
  using document::document;
  /** The only account that is signed in; null if none is. */
  std::optional<tessera::account> account() const { return find<tessera::account>("account"); }
  /**
   * The account at the last such call, in any process with this client ID; null if there was none.
   */
  std::optional<tessera::account> previous_account() const {
    return find<tessera::account>("previous_account");
  }
};

/** The document "Error". */
class error_details : public document {
 public:
  using document::document;
  /** The remedy: the status as a name, see errors.md. */
  std::string remedy() const { return get<std::string>("remedy"); }
  /** The name of the error, see errors.md. */
  std::string code() const { return get<std::string>("code"); }
  /**
   * A description for developers, in one line. In it, and in the server's texts below, control
   * characters are removed and long texts are truncated with `…`.
   */
  std::string message() const { return get<std::string>("message"); }
  /** Whether the same call may succeed later without a change. */
  bool retryable() const { return get<bool>("retryable"); }
  /**
   * The number of seconds to wait before a retry. It is 60 if the server sent status 429 without
   * `Retry-After`. Present if the server sent it, and with `throttled`.
   */
  std::optional<std::chrono::seconds> retry_after() const {
    return find<std::chrono::seconds>("retry_after");
  }
  /** `error` (RFC 6749 section 5.2). Present if the server sent it. */
  std::optional<std::string> oauth_error() const { return find<std::string>("oauth_error"); }
  /** Entra's `suberror`, which refines `oauth_error`. Present if the server sent it. */
  std::optional<std::string> suberror() const { return find<std::string>("suberror"); }
  /** The AADSTS numbers. Present if the server sent them. */
  std::vector<std::int64_t> server_codes() const {
    return get<std::vector<std::int64_t>>("server_codes");
  }
  /**
   * The ID of the exchange, for the server's support: from the body, or else from the header
   * `client-request-id`, or else the ID of the request. Present after an error response, or a
   * response that is not JSON.
   */
  std::optional<std::string> correlation_id() const { return find<std::string>("correlation_id"); }
  /**
   * The server's trace ID, for its support: from the body, or else from the header `x-ms-request-
   * id`. Present if the server sent it.
   */
  std::optional<std::string> trace_id() const { return find<std::string>("trace_id"); }
  /** A claims challenge; pass it to an interactive request. Present if the server sent it. */
  std::optional<std::string> claims() const { return find<std::string>("claims"); }
  /**
   * The granted scopes, without the reserved ones. Present with `server_declined_scopes`, if known.
   */
  std::vector<std::string> granted_scopes() const {
    return get<std::vector<std::string>>("granted_scopes");
  }
  /**
   * The requested scopes that were not granted. Present with `server_declined_scopes`, if known.
   */
  std::vector<std::string> declined_scopes() const {
    return get<std::vector<std::string>>("declined_scopes");
  }
  /**
   * The user name of the account concerned. Present with `protection_policy_required`,
   * `account_mismatch`, `workplace_join_required` and errors of brokers, if known.
   */
  std::optional<std::string> username() const { return find<std::string>("username"); }
  /**
   * The ID of the account concerned. Present with `protection_policy_required`, `account_mismatch`,
   * `workplace_join_required` and errors of brokers, if known.
   */
  std::optional<std::string> home_account_id() const {
    return find<std::string>("home_account_id");
  }
  /**
   * The URL of the application that registers devices. It is not authenticated: show it to the user
   * before you open it. Present with `workplace_join_required` and `device_upgrade_required`, if
   * the page sent it.
   */
  std::optional<std::string> app_link() const { return find<std::string>("app_link"); }
  /** The organization requires device-bound tokens. Present with the same codes, if it applies. */
  std::optional<bool> token_protection_required() const {
    return find<bool>("token_protection_required");
  }
  /**
   * The authority that applies the policy. Present with `protection_policy_required`, if a server
   * sent it.
   */
  std::optional<std::string> authority() const { return find<std::string>("authority"); }
  /**
   * The process that held the lock of the credential, or of the shared MSAL cache, until the
   * deadline. Present with `store_busy`, if the system reports it.
   */
  std::optional<std::int64_t> holder_process_id() const {
    return find<std::int64_t>("holder_process_id");
  }
  /** The matching accounts. Present with `ambiguous_account`. */
  std::vector<tessera::account> accounts() const {
    return get<std::vector<tessera::account>>("accounts");
  }
  /** The underlying errors, the direct cause first; see errors.md. Present if there are any. */
  std::vector<tessera::error_cause> causes() const {
    return get<std::vector<tessera::error_cause>>("causes");
  }
  /** The error code that MSAL for Apple reports. Present usually. */
  std::optional<std::int64_t> msal_code() const { return find<std::int64_t>("msal_code"); }
  /** The internal error code that MSAL for Apple reports. Present if there is one. */
  std::optional<std::int64_t> msal_internal_code() const {
    return find<std::int64_t>("msal_internal_code");
  }
};

/** The document "Revocation". */
class revocation : public document {
 public:
  using document::document;
  /** The application of the refresh token. */
  std::string client_id() const { return get<std::string>("client_id"); }
  /** Whether the provider revoked it. */
  bool revoked() const { return get<bool>("revoked"); }
  /** The reason. Present after a failure. */
  std::optional<tessera::error_details> error() const {
    return find<tessera::error_details>("error");
  }
};

/** The document "BrokerRemoval". */
class broker_removal : public document {
 public:
  using document::document;
  /** The number of removed accounts. */
  std::int64_t removed() const { return get<std::int64_t>("removed"); }
  /** The reason. Present after a failure. */
  std::optional<tessera::error_details> error() const {
    return find<tessera::error_details>("error");
  }
};

/** The document "StoreInfo". */
class store_info : public document {
 public:
  using document::document;
  /**
   * The state of the store. `locked`: the key cannot be reached; `undecryptable`: the store has
   * another key. The value is `missing`, `empty`, `usable`, `read_only`, `damaged`, `too_new`,
   * `locked`, `undecryptable`, `busy` or `unavailable`.
   */
  std::string state() const { return get<std::string>("state"); }
  /**
   * The policy that the application requested. The value is `require_encrypted`,
   * `prefer_encrypted`, `allow_plaintext` or `memory_only`.
   */
  std::string storage_policy() const { return get<std::string>("storage_policy"); }
  /**
   * `encrypted`: the key is not on the same disk; `obfuscated`: the key is in a file; for a missing
   * store, the protection that it would get. The value is `encrypted`, `obfuscated`, `plaintext` or
   * `memory`. Present if known.
   */
  std::optional<std::string> protection() const { return find<std::string>("protection"); }
  /**
   * The location of the key, or of the key that would be created. The value is `caller`,
   * `secret_service`, `kernel_keyring` or `key_file`. Present if there is one.
   */
  std::optional<std::string> key_source() const { return find<std::string>("key_source"); }
  /** The locations that were tried before, without success. */
  std::vector<tessera::key_attempt> attempts() const {
    return get<std::vector<tessera::key_attempt>>("attempts");
  }
  /**
   * The database; with `msal_cache` the cache file, or the file whose modification time signals a
   * change of a keyring item. Present with a database or a file.
   */
  std::optional<std::string> path() const { return find<std::string>("path"); }
  /** See store.md. Present with a database. */
  std::optional<std::int64_t> layout_version() const {
    return find<std::int64_t>("layout_version");
  }
  /** The bytes in use. Present with a database or a file. */
  std::optional<std::int64_t> bytes() const { return find<std::int64_t>("bytes"); }
  /** The size of the file. Present with a database or a file; not for a keyring item. */
  std::optional<std::int64_t> file_bytes() const { return find<std::int64_t>("file_bytes"); }
  /**
   * The size at which access tokens are evicted, starting with those that expire first. Present if
   * there is one.
   */
  std::optional<std::int64_t> limit_bytes() const { return find<std::int64_t>("limit_bytes"); }
  /** The numbers of records. Present if it can be read. */
  std::optional<tessera::store_records> records() const {
    return find<tessera::store_records>("records");
  }
  /**
   * The processes among which one at a time refreshes a token: the threads of this process; the
   * processes of this machine; those that the locks of a host application's store exclude. The
   * value is `process`, `machine` or `host`.
   */
  std::string lock_scope() const { return get<std::string>("lock_scope"); }
  /** Whether the store is a cache file of other libraries, which read and write it as well. */
  bool shared_with_peers() const { return get<bool>("shared_with_peers"); }
  /**
   * Whether the store is on a network file system, or would be. Its locks then apply to this
   * machine only, and every call reads the database.
   */
  bool network_file_system() const { return get<bool>("network_file_system"); }
  /** The paths of quarantined databases. */
  std::vector<std::string> set_aside() const { return get<std::vector<std::string>>("set_aside"); }
  /**
   * The error that a call would report. A missing store that cannot be created is `unavailable`,
   * with the directory that cannot be written. Present after a problem.
   */
  std::optional<tessera::error_details> problem() const {
    return find<tessera::error_details>("problem");
  }
};

/** The document "Explanation". */
class explanation : public document {
 public:
  using document::document;
  /**
   * The first step of the call: `use` a cached token, `broker`: request a token from the identity
   * broker, `refresh`, `pause` because the same request failed recently, or `sign_in`; `signed_in`
   * for a completed sign-in.
   */
  std::string decision() const { return get<std::string>("decision"); }
  /**
   * `valid` for a cached token. For a refresh or a broker request: `missing`, `expired`, `due` (the
   * server recommended a refresh by now), `doubtful` (the clocks disagree), `forced`, `claims`.
   * `device_code` after a sign-in; otherwise the code of `error`.
   */
  std::string reason() const { return get<std::string>("reason"); }
  /** The decision and its reason as a sentence. */
  std::string message() const { return get<std::string>("message"); }
  /** The requested account. */
  std::string home_account_id() const { return get<std::string>("home_account_id"); }
  /** The requested authority. */
  std::string authority() const { return get<std::string>("authority"); }
  /**
   * The tenant of the authority for this account; empty for a provider without tenants. Present if
   * known.
   */
  std::optional<std::string> tenant_id() const { return find<std::string>("tenant_id"); }
  /** The hosts of the cloud, or the issuer, of the considered tokens. */
  std::vector<std::string> environments() const {
    return get<std::vector<std::string>>("environments");
  }
  /** The requested scopes. */
  std::vector<std::string> scopes() const { return get<std::vector<std::string>>("scopes"); }
  /** The tokens of the account, in order of use. */
  std::vector<tessera::token_candidate> candidates() const {
    return get<std::vector<tessera::token_candidate>>("candidates");
  }
  /**
   * The error with which the call would fail. With `broker`, it applies only if the broker has no
   * token. With `server_declined_scopes`, the call returns the token for the granted scopes
   * instead, if the store has it. Present with `sign_in` and `pause`, and with `broker` after a
   * recent failure of the same request.
   */
  std::optional<tessera::error_details> error() const {
    return find<tessera::error_details>("error");
  }
  /** The outcome for each broker. Present if a broker was to be used, except in a dry run. */
  std::vector<tessera::broker_visit> brokers() const {
    return get<std::vector<tessera::broker_visit>>("brokers");
  }
  /** The kind of the store: `sqlite`, `msal_file` or `memory`. */
  std::string store() const { return get<std::string>("store"); }
  /** The duration of reading the store and deciding. */
  std::int64_t read_microseconds() const { return get<std::int64_t>("read_microseconds"); }
  /** The duration of the requests to servers. Present except in a dry run. */
  std::optional<std::int64_t> network_microseconds() const {
    return find<std::int64_t>("network_microseconds");
  }
  /**
   * The duration of the whole call, including waits for other processes. Present except in a dry
   * run.
   */
  std::optional<std::int64_t> total_microseconds() const {
    return find<std::int64_t>("total_microseconds");
  }
};

/** The document "SignOutReport". */
class sign_out_report : public document {
 public:
  using document::document;
  /** The `scope` of the request. */
  std::string scope() const { return get<std::string>("scope"); }
  /** The accounts that were signed out; for `machine`, those of this application. */
  std::vector<tessera::account> accounts() const {
    return get<std::vector<tessera::account>>("accounts");
  }
  /** The numbers of removed records. */
  tessera::removed_records removed() const { return get<tessera::removed_records>("removed"); }
  /** The tokens and sessions that were not removed. */
  std::vector<tessera::leftover_token> remaining() const {
    return get<std::vector<tessera::leftover_token>>("remaining");
  }
  /** One for each refresh token to revoke. */
  std::vector<tessera::revocation> revocations() const {
    return get<std::vector<tessera::revocation>>("revocations");
  }
  /**
   * The URL that ends the browser session. If the store has an ID token of the account, the URL
   * contains it (`id_token_hint`, OpenID Connect RP-Initiated Logout 1.0), unless it is longer than
   * 4096 bytes. Open the URL in the browser and do not log it. Present if requested and available.
   */
  std::optional<std::string> end_session_url() const {
    return find<std::string>("end_session_url");
  }
  /** The result of the identity broker. Present with `from_broker`. */
  std::optional<tessera::broker_removal> broker() const {
    return find<tessera::broker_removal>("broker");
  }
  /** Problems that did not prevent the sign-out. Present if there are any. */
  std::vector<std::string> warnings() const { return get<std::vector<std::string>>("warnings"); }
};

/** The document "TokenResult". */
class token_result : public document {
 public:
  using document::document;
  /** The access token. Treat it as opaque; only the resource may interpret it. */
  std::string access_token() const { return get<std::string>("access_token"); }
  /** The token type, currently always `Bearer`. */
  std::string token_type() const { return get<std::string>("token_type"); }
  /** The expiry time. */
  time_point expires_on() const { return get<time_point>("expires_on"); }
  /** The time until which the token may be used during an outage. Present if the server sent it. */
  std::optional<time_point> extended_expires_on() const {
    return find<time_point>("extended_expires_on");
  }
  /**
   * The time from which the server recommends a refresh; silent requests follow it. Present if the
   * server sent it.
   */
  std::optional<time_point> refresh_on() const { return find<time_point>("refresh_on"); }
  /** The granted scopes, in the server's spelling; the requested ones if the response has none. */
  std::vector<std::string> scopes() const { return get<std::vector<std::string>>("scopes"); }
  /**
   * The requested scopes that were not granted. The status is then `TESSERA_STATUS_SIGN_IN`. The
   * token is stored and can be used for `scopes`. Present if the server declined some.
   */
  std::vector<std::string> declined_scopes() const {
    return get<std::vector<std::string>>("declined_scopes");
  }
  /** The raw ID token. Present if there is one. */
  std::optional<std::string> id_token() const { return find<std::string>("id_token"); }
  /** The claims of the ID token. Present if there is one. */
  std::optional<json> id_token_claims() const { return find<json>("id_token_claims"); }
  /** The account of the token. */
  tessera::account account() const { return get<tessera::account>("account"); }
  /** The tenant of the token; empty for a provider without tenants. */
  std::string tenant_id() const { return get<std::string>("tenant_id"); }
  /** The authority that issued the token, with the actual tenant. */
  std::string authority() const { return get<std::string>("authority"); }
  /** The source of the token. The value is `cache`, `network` or `broker`. */
  std::string source() const { return get<std::string>("source"); }
  /** The outcome for each broker; see brokers.md. Present if a broker was to be used. */
  std::vector<tessera::broker_visit> brokers() const {
    return get<std::vector<tessera::broker_visit>>("brokers");
  }
  /**
   * Whether the token is in the store. If not, `warnings` has the reason; the token is valid
   * nevertheless.
   */
  bool persisted() const { return get<bool>("persisted"); }
  /**
   * The reason for opening or not opening the browser, a value of the table. Present after a sign-
   * in in a browser.
   */
  std::optional<std::string> browser_reason() const { return find<std::string>("browser_reason"); }
  /**
   * Always `true`: the token has expired, and is returned only because the server is down and
   * allows this use; see `refresh_error`. Present during an outage.
   */
  std::optional<bool> extended_lifetime() const { return find<bool>("extended_lifetime"); }
  /** The error of the refresh. Present after a failed refresh. */
  std::optional<tessera::error_details> refresh_error() const {
    return find<tessera::error_details>("refresh_error");
  }
  /** Problems that did not prevent the call from succeeding. Present if there are any. */
  std::vector<std::string> warnings() const { return get<std::vector<std::string>>("warnings"); }
  /**
   * The reason for the choice of this token, and the duration of each step. Present with `explain`.
   */
  std::optional<tessera::explanation> explanation() const {
    return find<tessera::explanation>("explanation");
  }
};

}  // namespace tessera

#endif  // TESSERA_DOCUMENTS_HPP
