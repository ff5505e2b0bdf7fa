// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

/** The error codes; docs/errors.md describes them. Later versions add codes. */
public final class ErrorCodes {
  /** The code {@code interaction_required}. */
  public static final String INTERACTION_REQUIRED = "interaction_required";

  /** The code {@code consent_required}. */
  public static final String CONSENT_REQUIRED = "consent_required";

  /** The code {@code mfa_required}. */
  public static final String MFA_REQUIRED = "mfa_required";

  /** The code {@code password_expired}. */
  public static final String PASSWORD_EXPIRED = "password_expired";

  /** The code {@code password_reset_required}. */
  public static final String PASSWORD_RESET_REQUIRED = "password_reset_required";

  /** The code {@code credentials_rejected}. */
  public static final String CREDENTIALS_REJECTED = "credentials_rejected";

  /** The code {@code account_disabled}. */
  public static final String ACCOUNT_DISABLED = "account_disabled";

  /** The code {@code account_not_in_tenant}. */
  public static final String ACCOUNT_NOT_IN_TENANT = "account_not_in_tenant";

  /** The code {@code device_required}. */
  public static final String DEVICE_REQUIRED = "device_required";

  /** The code {@code access_blocked}. */
  public static final String ACCESS_BLOCKED = "access_blocked";

  /** The code {@code account_not_found}. */
  public static final String ACCOUNT_NOT_FOUND = "account_not_found";

  /** The code {@code refresh_token_rejected}. */
  public static final String REFRESH_TOKEN_REJECTED = "refresh_token_rejected";

  /** The code {@code code_expired}. */
  public static final String CODE_EXPIRED = "code_expired";

  /** The code {@code account_mismatch}. */
  public static final String ACCOUNT_MISMATCH = "account_mismatch";

  /** The code {@code server_declined_scopes}. */
  public static final String SERVER_DECLINED_SCOPES = "server_declined_scopes";

  /** The code {@code invalid_authorization_response}. */
  public static final String INVALID_AUTHORIZATION_RESPONSE = "invalid_authorization_response";

  /** The code {@code sign_in_expired}. */
  public static final String SIGN_IN_EXPIRED = "sign_in_expired";

  /** The code {@code sign_in_used}. */
  public static final String SIGN_IN_USED = "sign_in_used";

  /** The code {@code sign_in_lost}. */
  public static final String SIGN_IN_LOST = "sign_in_lost";

  /** The code {@code workplace_join_required}. */
  public static final String WORKPLACE_JOIN_REQUIRED = "workplace_join_required";

  /** The code {@code device_upgrade_required}. */
  public static final String DEVICE_UPGRADE_REQUIRED = "device_upgrade_required";

  /** The code {@code device_enrollment_completed}. */
  public static final String DEVICE_ENROLLMENT_COMPLETED = "device_enrollment_completed";

  /** The code {@code broker_response_missing}. */
  public static final String BROKER_RESPONSE_MISSING = "broker_response_missing";

  /** The code {@code broker_response_corrupted}. */
  public static final String BROKER_RESPONSE_CORRUPTED = "broker_response_corrupted";

  /** The code {@code broker_decryption_failed}. */
  public static final String BROKER_DECRYPTION_FAILED = "broker_decryption_failed";

  /** The code {@code broker_hash_missing}. */
  public static final String BROKER_HASH_MISSING = "broker_hash_missing";

  /** The code {@code broker_hash_mismatch}. */
  public static final String BROKER_HASH_MISMATCH = "broker_hash_mismatch";

  /** The code {@code broker_failed}. */
  public static final String BROKER_FAILED = "broker_failed";

  /** The code {@code sso_extension_failed}. */
  public static final String SSO_EXTENSION_FAILED = "sso_extension_failed";

  /** The code {@code store_missing}. */
  public static final String STORE_MISSING = "store_missing";

  /** The code {@code store_empty}. */
  public static final String STORE_EMPTY = "store_empty";

  /** The code {@code cache_damaged}. */
  public static final String CACHE_DAMAGED = "cache_damaged";

  /** The code {@code network_failed}. */
  public static final String NETWORK_FAILED = "network_failed";

  /** The code {@code server_unavailable}. */
  public static final String SERVER_UNAVAILABLE = "server_unavailable";

  /** The code {@code throttled}. */
  public static final String THROTTLED = "throttled";

  /** The code {@code invalid_response}. */
  public static final String INVALID_RESPONSE = "invalid_response";

  /** The code {@code store_busy}. */
  public static final String STORE_BUSY = "store_busy";

  /** The code {@code too_many_open_files}. */
  public static final String TOO_MANY_OPEN_FILES = "too_many_open_files";

  /** The code {@code too_many_threads}. */
  public static final String TOO_MANY_THREADS = "too_many_threads";

  /** The code {@code stack_too_small}. */
  public static final String STACK_TOO_SMALL = "stack_too_small";

  /** The code {@code missing_parameter}. */
  public static final String MISSING_PARAMETER = "missing_parameter";

  /** The code {@code wrong_process}. */
  public static final String WRONG_PROCESS = "wrong_process";

  /** The code {@code invalid_json}. */
  public static final String INVALID_JSON = "invalid_json";

  /** The code {@code unknown_member}. */
  public static final String UNKNOWN_MEMBER = "unknown_member";

  /** The code {@code invalid_member}. */
  public static final String INVALID_MEMBER = "invalid_member";

  /** The code {@code scopes_required}. */
  public static final String SCOPES_REQUIRED = "scopes_required";

  /** The code {@code ambiguous_account}. */
  public static final String AMBIGUOUS_ACCOUNT = "ambiguous_account";

  /** The code {@code interaction_in_progress}. */
  public static final String INTERACTION_IN_PROGRESS = "interaction_in_progress";

  /** The code {@code state_mismatch}. */
  public static final String STATE_MISMATCH = "state_mismatch";

  /** The code {@code invalid_sign_in_state}. */
  public static final String INVALID_SIGN_IN_STATE = "invalid_sign_in_state";

  /** The code {@code broker_state_missing}. */
  public static final String BROKER_STATE_MISSING = "broker_state_missing";

  /** The code {@code broker_state_invalid}. */
  public static final String BROKER_STATE_INVALID = "broker_state_invalid";

  /** The code {@code broker_key_missing}. */
  public static final String BROKER_KEY_MISSING = "broker_key_missing";

  /** The code {@code broker_state_mismatch}. */
  public static final String BROKER_STATE_MISMATCH = "broker_state_mismatch";

  /** The code {@code broker_nonce_mismatch}. */
  public static final String BROKER_NONCE_MISMATCH = "broker_nonce_mismatch";

  /** The code {@code legacy_cache_invalid}. */
  public static final String LEGACY_CACHE_INVALID = "legacy_cache_invalid";

  /** The code {@code request_rejected}. */
  public static final String REQUEST_REJECTED = "request_rejected";

  /** The code {@code feature_unavailable}. */
  public static final String FEATURE_UNAVAILABLE = "feature_unavailable";

  /** The code {@code invalid_configuration}. */
  public static final String INVALID_CONFIGURATION = "invalid_configuration";

  /** The code {@code invalid_authority}. */
  public static final String INVALID_AUTHORITY = "invalid_authority";

  /** The code {@code issuer_mismatch}. */
  public static final String ISSUER_MISMATCH = "issuer_mismatch";

  /** The code {@code invalid_id_token}. */
  public static final String INVALID_ID_TOKEN = "invalid_id_token";

  /** The code {@code client_rejected}. */
  public static final String CLIENT_REJECTED = "client_rejected";

  /** The code {@code account_not_assigned}. */
  public static final String ACCOUNT_NOT_ASSIGNED = "account_not_assigned";

  /** The code {@code protection_policy_required}. */
  public static final String PROTECTION_POLICY_REQUIRED = "protection_policy_required";

  /** The code {@code scope_rejected}. */
  public static final String SCOPE_REJECTED = "scope_rejected";

  /** The code {@code invalid_redirect_uri}. */
  public static final String INVALID_REDIRECT_URI = "invalid_redirect_uri";

  /** The code {@code redirect_port_taken}. */
  public static final String REDIRECT_PORT_TAKEN = "redirect_port_taken";

  /** The code {@code redirect_scheme_not_registered}. */
  public static final String REDIRECT_SCHEME_NOT_REGISTERED = "redirect_scheme_not_registered";

  /** The code {@code redirect_scheme_taken}. */
  public static final String REDIRECT_SCHEME_TAKEN = "redirect_scheme_taken";

  /** The code {@code browser_unavailable}. */
  public static final String BROWSER_UNAVAILABLE = "browser_unavailable";

  /** The code {@code broker_unavailable}. */
  public static final String BROKER_UNAVAILABLE = "broker_unavailable";

  /** The code {@code broker_unresponsive}. */
  public static final String BROKER_UNRESPONSIVE = "broker_unresponsive";

  /** The code {@code webview_unavailable}. */
  public static final String WEBVIEW_UNAVAILABLE = "webview_unavailable";

  /** The code {@code webview_failed}. */
  public static final String WEBVIEW_FAILED = "webview_failed";

  /** The code {@code navigation_refused}. */
  public static final String NAVIGATION_REFUSED = "navigation_refused";

  /** The code {@code redirect_uri_rejected}. */
  public static final String REDIRECT_URI_REJECTED = "redirect_uri_rejected";

  /** The code {@code broker_version_unsupported}. */
  public static final String BROKER_VERSION_UNSUPPORTED = "broker_version_unsupported";

  /** The code {@code flow_unsupported}. */
  public static final String FLOW_UNSUPPORTED = "flow_unsupported";

  /** The code {@code certificate_untrusted}. */
  public static final String CERTIFICATE_UNTRUSTED = "certificate_untrusted";

  /** The code {@code library_missing}. */
  public static final String LIBRARY_MISSING = "library_missing";

  /** The code {@code unsafe_environment}. */
  public static final String UNSAFE_ENVIRONMENT = "unsafe_environment";

  /** The code {@code store_unavailable}. */
  public static final String STORE_UNAVAILABLE = "store_unavailable";

  /** The code {@code store_unsafe}. */
  public static final String STORE_UNSAFE = "store_unsafe";

  /** The code {@code store_read_only}. */
  public static final String STORE_READ_ONLY = "store_read_only";

  /** The code {@code store_too_new}. */
  public static final String STORE_TOO_NEW = "store_too_new";

  /** The code {@code cache_undecryptable}. */
  public static final String CACHE_UNDECRYPTABLE = "cache_undecryptable";

  /** The code {@code store_full}. */
  public static final String STORE_FULL = "store_full";

  /** The code {@code key_unavailable}. */
  public static final String KEY_UNAVAILABLE = "key_unavailable";

  /** The code {@code encryption_unavailable}. */
  public static final String ENCRYPTION_UNAVAILABLE = "encryption_unavailable";

  /** The code {@code cancelled}. */
  public static final String CANCELLED = "cancelled";

  /** The code {@code deadline_exceeded}. */
  public static final String DEADLINE_EXCEEDED = "deadline_exceeded";

  /** The code {@code access_denied}. */
  public static final String ACCESS_DENIED = "access_denied";

  /** The code {@code internal_error}. */
  public static final String INTERNAL_ERROR = "internal_error";

  private ErrorCodes() {}
}
