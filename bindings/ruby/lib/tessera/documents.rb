# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.

module Tessera
  # The error codes; docs/errors.md describes them. Later versions add codes.
  module Codes
    INTERACTION_REQUIRED = "interaction_required"
    CONSENT_REQUIRED = "consent_required"
    MFA_REQUIRED = "mfa_required"
    PASSWORD_EXPIRED = "password_expired"
    PASSWORD_RESET_REQUIRED = "password_reset_required"
    CREDENTIALS_REJECTED = "credentials_rejected"
    ACCOUNT_DISABLED = "account_disabled"
    ACCOUNT_NOT_IN_TENANT = "account_not_in_tenant"
    DEVICE_REQUIRED = "device_required"
    ACCESS_BLOCKED = "access_blocked"
    ACCOUNT_NOT_FOUND = "account_not_found"
    REFRESH_TOKEN_REJECTED = "refresh_token_rejected"
    CODE_EXPIRED = "code_expired"
    ACCOUNT_MISMATCH = "account_mismatch"
    SERVER_DECLINED_SCOPES = "server_declined_scopes"
    INVALID_AUTHORIZATION_RESPONSE = "invalid_authorization_response"
    SIGN_IN_EXPIRED = "sign_in_expired"
    SIGN_IN_USED = "sign_in_used"
    SIGN_IN_LOST = "sign_in_lost"
    WORKPLACE_JOIN_REQUIRED = "workplace_join_required"
    DEVICE_UPGRADE_REQUIRED = "device_upgrade_required"
    DEVICE_ENROLLMENT_COMPLETED = "device_enrollment_completed"
    BROKER_RESPONSE_MISSING = "broker_response_missing"
    BROKER_RESPONSE_CORRUPTED = "broker_response_corrupted"
    BROKER_DECRYPTION_FAILED = "broker_decryption_failed"
    BROKER_HASH_MISSING = "broker_hash_missing"
    BROKER_HASH_MISMATCH = "broker_hash_mismatch"
    BROKER_FAILED = "broker_failed"
    SSO_EXTENSION_FAILED = "sso_extension_failed"
    STORE_MISSING = "store_missing"
    STORE_EMPTY = "store_empty"
    CACHE_DAMAGED = "cache_damaged"
    NETWORK_FAILED = "network_failed"
    SERVER_UNAVAILABLE = "server_unavailable"
    THROTTLED = "throttled"
    INVALID_RESPONSE = "invalid_response"
    STORE_BUSY = "store_busy"
    TOO_MANY_OPEN_FILES = "too_many_open_files"
    TOO_MANY_THREADS = "too_many_threads"
    STACK_TOO_SMALL = "stack_too_small"
    MISSING_PARAMETER = "missing_parameter"
    WRONG_PROCESS = "wrong_process"
    INVALID_JSON = "invalid_json"
    UNKNOWN_MEMBER = "unknown_member"
    INVALID_MEMBER = "invalid_member"
    SCOPES_REQUIRED = "scopes_required"
    AMBIGUOUS_ACCOUNT = "ambiguous_account"
    INTERACTION_IN_PROGRESS = "interaction_in_progress"
    STATE_MISMATCH = "state_mismatch"
    INVALID_SIGN_IN_STATE = "invalid_sign_in_state"
    BROKER_STATE_MISSING = "broker_state_missing"
    BROKER_STATE_INVALID = "broker_state_invalid"
    BROKER_KEY_MISSING = "broker_key_missing"
    BROKER_STATE_MISMATCH = "broker_state_mismatch"
    BROKER_NONCE_MISMATCH = "broker_nonce_mismatch"
    LEGACY_CACHE_INVALID = "legacy_cache_invalid"
    REQUEST_REJECTED = "request_rejected"
    FEATURE_UNAVAILABLE = "feature_unavailable"
    INVALID_CONFIGURATION = "invalid_configuration"
    INVALID_AUTHORITY = "invalid_authority"
    ISSUER_MISMATCH = "issuer_mismatch"
    INVALID_ID_TOKEN = "invalid_id_token"
    CLIENT_REJECTED = "client_rejected"
    ACCOUNT_NOT_ASSIGNED = "account_not_assigned"
    PROTECTION_POLICY_REQUIRED = "protection_policy_required"
    SCOPE_REJECTED = "scope_rejected"
    INVALID_REDIRECT_URI = "invalid_redirect_uri"
    REDIRECT_PORT_TAKEN = "redirect_port_taken"
    REDIRECT_SCHEME_NOT_REGISTERED = "redirect_scheme_not_registered"
    REDIRECT_SCHEME_TAKEN = "redirect_scheme_taken"
    BROWSER_UNAVAILABLE = "browser_unavailable"
    BROKER_UNAVAILABLE = "broker_unavailable"
    BROKER_UNRESPONSIVE = "broker_unresponsive"
    WEBVIEW_UNAVAILABLE = "webview_unavailable"
    WEBVIEW_FAILED = "webview_failed"
    NAVIGATION_REFUSED = "navigation_refused"
    REDIRECT_URI_REJECTED = "redirect_uri_rejected"
    BROKER_VERSION_UNSUPPORTED = "broker_version_unsupported"
    FLOW_UNSUPPORTED = "flow_unsupported"
    CERTIFICATE_UNTRUSTED = "certificate_untrusted"
    LIBRARY_MISSING = "library_missing"
    UNSAFE_ENVIRONMENT = "unsafe_environment"
    STORE_UNAVAILABLE = "store_unavailable"
    STORE_UNSAFE = "store_unsafe"
    STORE_READ_ONLY = "store_read_only"
    STORE_TOO_NEW = "store_too_new"
    CACHE_UNDECRYPTABLE = "cache_undecryptable"
    STORE_FULL = "store_full"
    KEY_UNAVAILABLE = "key_unavailable"
    ENCRYPTION_UNAVAILABLE = "encryption_unavailable"
    CANCELLED = "cancelled"
    DEADLINE_EXCEEDED = "deadline_exceeded"
    ACCESS_DENIED = "access_denied"
    INTERNAL_ERROR = "internal_error"
  end

  # The credential of a confidential client.
  #
  # @option members [String] :secret A client secret.
  # @option members [String] :secret_file The path of a file with a client secret. It is read for
  #   each request.
  # @option members [String] :certificate_pem The certificate of the application in PEM, then those
  #   of its issuers. The private key may be in the same text.
  # @option members [String] :certificate_file The path of such a file. A replaced file is used for
  #   the next request.
  # @option members [String] :key_pem The private key of the certificate in PEM.
  # @option members [String] :key_file The path of such a file.
  # @option members [String] :pfx_file The path of a PKCS #12 file with the certificate and its
  #   private key.
  # @option members [String] :passphrase The passphrase of the private key, or of the PKCS #12 file.
  # @option members [Boolean] :send_chain Whether assertions contain the certificates (`x5c`), for a
  #   registration that trusts a subject and an issuer (default: `false`).
  # @option members [String] :assertion An assertion of another issuer. It expires, so a file is
  #   better.
  # @option members [String] :assertion_file The path of a file with an assertion, such as the token
  #   of a Kubernetes service account. It is read for each request.
  class ClientCredential < Request
    SECRETS = %w[secret key_pem passphrase assertion].freeze
  end

  # The options of the token store.
  #
  # @option members [String] :kind The kind of the store: shared with other applications that use
  #   Tessera, shared with all MSAL libraries, in memory until the application object is freed, or
  #   the store of a host application, which only C programs can pass. The value is `sqlite`,
  #   `msal_file`, `memory` or `host` (default: `sqlite`; `msal_file` with `msal_cache`; `host` with
  #   `host->store`).
  # @option members [String] :group The name of the store. Applications of the same user with the
  #   same group share one store. It has 1 to 64 letters, digits, `.`, `_` and `-`. It must not
  #   start with `.` or contain `.damaged-`, which marks quarantined databases. With `host`, it is
  #   the name of the partition (default: `default`).
  # @option members [String] :directory The absolute path of the store's directory. It is created
  #   when a record is first stored (default: `$XDG_DATA_HOME/tessera`, or else
  #   `$HOME/.local/share/tessera`).
  # @option members [String] :policy The required protection of the store; see protection.md. The
  #   value is `require_encrypted`, `prefer_encrypted`, `allow_plaintext` or `memory_only` (default:
  #   `prefer_encrypted`).
  # @option members [Array<String>] :key_sources The locations to try for the key of a new store, in
  #   order; `caller` only with `key`. With `key`: the locations whose stores are trusted in
  #   addition; none if the member is absent. Each is `caller`, `secret_service`, `kernel_keyring`
  #   or `key_file` (default: `["secret_service", "key_file"]`).
  # @option members [String] :key The key of the store, if the application manages it. The callback
  #   `host->store_key` provides it without a copy as text in memory.
  # @option members [Integer] :limit_megabytes The store size in MiB (2^20 bytes) at which access
  #   tokens are evicted, starting with those that expire first. Refresh tokens are never evicted
  #   (default: no limit).
  # @option members [String] :msal_cache The cache of MSAL for Python, .NET, Go, Java or Node to use
  #   as the store: `azure_cli`, `azure_identity`, `azure_identity_cae`, `azure_powershell`,
  #   `azure_powershell_cae`, or an absolute path; see store.md. `group`, `directory` and the key
  #   options do not apply to it. A cache file is unencrypted, so `require_encrypted` rejects it; a
  #   cache that its owner keeps in the keyring is accepted.
  class StoreOptions < Request
    SECRETS = %w[key].freeze
  end

  # The options of the network.
  #
  # @option members [String] :proxy The proxy, such as `http://proxy.example:8080`; empty for none.
  #   Addresses of this machine are never reached through a proxy (default: `https_proxy`,
  #   `http_proxy`, `all_proxy` of the environment).
  # @option members [String] :no_proxy The hosts to reach without the proxy, separated by commas
  #   (default: `no_proxy` of the environment).
  # @option members [String] :ca_file A file of CA certificates (PEM) to trust instead (default:
  #   `CURL_CA_BUNDLE`, or else `SSL_CERT_FILE`, and `SSL_CERT_DIR`, of the environment; or else the
  #   system's certificates).
  # @option members [Numeric] :timeout The timeout of one exchange with a server. Connecting may use
  #   at most 10 seconds of it (default: 30000). The unit is seconds.
  # @option members [Numeric] :proactive_refresh_timeout The timeout for refreshing a token that is
  #   still valid but whose `refresh_on` has passed (default: 5000). The unit is seconds.
  class NetworkOptions < Request
    CONVERSIONS = {
      timeout: ["timeout_milliseconds", 1000], proactive_refresh_timeout:
      ["proactive_refresh_timeout_milliseconds", 1000]
    }.freeze
  end

  # The options of tokens.
  #
  # @option members [Numeric] :expiry_margin The remaining lifetime below which a cached token is no
  #   longer used; at most half of the token's lifetime (default: 300). The unit is seconds.
  # @option members [Boolean] :extended_lifetime Whether an expired token may be returned until
  #   `extended_expires_on` while the server is down (default: `false`).
  # @option members [Boolean] :request_refresh_token Whether sign-ins request a refresh token (scope
  #   `offline_access`). With `false`, refreshes do not request it either. If a requested refresh
  #   token is missing, the result has a warning (default: `true`; `false` for the `prompt` `none`
  #   at providers other than Microsoft's).
  # @option members [String] :offline_access_prompt `consent` sends `prompt=consent` with the
  #   request for a refresh token, as OpenID Connect Core section 11 requires. The user is then
  #   asked for consent at each sign-in. Microsoft's authorities, and the `prompt` `none`, are not
  #   affected. The value is `consent`.
  # @option members [Boolean] :instance_discovery Whether Microsoft's instance discovery validates
  #   Entra hosts that are not built in (default: `true`).
  class TokenOptions < Request
    CONVERSIONS = { expiry_margin: ["expiry_margin_seconds", 1] }.freeze
  end

  # The state of Intune app protection.
  #
  # @option members [Hash] :enrollment_ids The enrollments of users in Intune app protection, as the
  #   Intune SDK provides them: `{"enrollment_ids": [{…}]}`; see brokers.md.
  # @option members [Hash{String => String}] :mam_resource The resource of the Intune service, by
  #   cloud host. With it, access tokens are cached per `bundle_id`, and used only for the
  #   enrollment that they were issued for.
  class IntuneOptions < Request
  end

  # Options that few applications need.
  #
  # @option members [String] :slice The query parameter `slice`, which selects a slice of the
  #   service, for tests of the service.
  # @option members [String] :dc The query parameter `dc`, which selects a data center, for tests of
  #   the service.
  # @option members [Boolean] :server_telemetry Whether token requests report earlier calls to
  #   Entra, as other MSAL libraries do; see telemetry (default: `false`).
  # @option members [Hash{String => String}] :extra_token_parameters Parameters to add to the body
  #   of every token request. Parameters that the library sends are rejected, and so is
  #   `client_secret`, because public clients have none. A parameter with a blank value is sent as
  #   its name only.
  # @option members [Hash{String => String}] :extra_query_parameters Parameters to add to the query
  #   of the authorization, device authorization and token endpoints. They replace parameters that
  #   the endpoint's URL already has.
  # @option members [Array<String>] :registered_schemes The URI schemes that are registered for the
  #   application. A redirect URI with another scheme is rejected, without a query to the desktop
  #   (default: unknown).
  class AdvancedOptions < Request
  end

  # The texts that the library shows to users.
  #
  # @option members [String] :page_language The language of the pages: a language tag (BCP 47), such
  #   as `de-AT` (default: en).
  # @option members [String] :signed_in_title The title of the page after a successful sign-in
  #   (default: You have signed in).
  # @option members [String] :signed_in_text The text of that page (default: You can close this page
  #   and return to the application.).
  # @option members [String] :sign_in_failed_title The title of the page after a failed sign-in
  #   (default: Sign-in failed).
  # @option members [String] :sign_in_failed_reason The sentence before the error description of the
  #   provider (default: The provider reported:).
  # @option members [String] :sign_in_failed_text The sentence after it (default: You can close this
  #   page. The application shows what to do next.).
  # @option members [String] :other_sign_in_title The title of the page for a response to another
  #   sign-in (default: This response does not belong to the pending sign-in).
  # @option members [String] :other_sign_in_text The text of that page (default: An application
  #   waits here for a sign-in, but this response belongs to a different one. The application
  #   continues to wait.).
  # @option members [String] :page_not_found_title The title of the page at another address than the
  #   redirect URI (default: Page not found).
  # @option members [String] :page_not_found_text The text of that page (default: An application
  #   waits for a sign-in, but at another address.).
  # @option members [String] :invalid_request_title The title of the page for a request that a
  #   browser would not send (default: Invalid request).
  # @option members [String] :invalid_request_text The text of that page (default: Browsers do not
  #   send requests of this form.).
  # @option members [String] :return_to_sign_in The last sentence of these three pages (default:
  #   Return to the sign-in page, or start the sign-in again in the application.).
  # @option members [String] :device_code `message` of a device code prompt. It must contain both
  #   placeholders. The default is used only if the server sends no text (default: To sign in, open
  #   {verification_uri} and enter the code {user_code}.).
  # @option members [String] :wrong_url_pasted `problem` of a sign-in prompt, after another URL than
  #   the redirect was pasted (default: The pasted URL does not belong to this sign-in.).
  class UserMessages < Request
  end

  # A request with a timeout only.
  #
  # @option members [Numeric] :timeout The maximum time to wait for the store (default: as in
  #   AccountsRequest). The unit is seconds.
  class StoreRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # A request for accounts.
  #
  # @option members [String] :home_account_id The account with this ID. Entra IDs are compared
  #   without regard to case, IDs of other providers exactly, like subjects (default: any account).
  # @option members [String] :username The accounts with this user name in any tenant, without
  #   regard to case. User names change and are reused, so several accounts may have the same one
  #   (default: any account).
  # @option members [String] :local_account_id The account with this ID in one of its tenants
  #   (default: any account).
  # @option members [String] :environment The `environment` of the account, or another host of the
  #   same cloud (default: any host).
  # @option members [Boolean] :signed_in_only `false` also returns accounts that signed out of this
  #   application, and accounts of other applications (default: `true`).
  # @option members [Boolean] :claims `true` adds the `claims` of this application's ID tokens,
  #   which takes longer (default: `false`).
  # @option members [Numeric] :timeout The maximum time to wait for a store that another process has
  #   locked; after that, the error is `store_busy` (default: 10 seconds for each access to the
  #   store). The unit is seconds.
  class AccountsRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # A request to remove an account.
  #
  # @option members [String] :home_account_id The account to remove.
  # @option members [String] :username The account to remove, if it has no ID yet (default: if
  #   `home_account_id` is empty).
  # @option members [String] :environment The `environment` of the account (default: only if several
  #   providers use this `home_account_id`).
  # @option members [Numeric] :timeout The maximum time to wait for the store; after `store_busy`
  #   nothing is removed (default: as in AccountsRequest, for the whole call). The unit is seconds.
  class RemoveAccountRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # The document "RemovedAccount".
  class RemovedAccount < Result
    # Whether the account was removed.
    # @return [Boolean]
    def removed = @members["removed"]
  end

  # A request to sign out.
  #
  # @option members [String] :home_account_id The account to sign out.
  # @option members [String] :username The account to sign out, if it has no ID yet (default: if
  #   `home_account_id` is empty).
  # @option members [String] :environment The `environment` of the account (default: only if several
  #   providers use this `home_account_id`).
  # @option members [String] :scope The extent: this client ID; every client ID that shares the
  #   store; or all accounts of all applications. `machine` empties the store of the group and
  #   deletes its quarantined databases. The value is `application`, `every_application` or
  #   `machine` (default: `application`).
  # @option members [Boolean] :revoke_tokens Whether to revoke the refresh tokens at the provider
  #   (RFC 7009). Entra does not support it. If another provider's OpenID document has no revocation
  #   endpoint, its RFC 8414 metadata (`/.well-known/oauth-authorization-server`) is read (default:
  #   `false`).
  # @option members [Boolean] :end_session Whether to return the URL that ends the browser session
  #   (default: `false`).
  # @option members [String] :post_logout_redirect_uri The URL to which the browser is redirected
  #   after that. It must be registered with the provider.
  # @option members [Boolean] :from_broker Whether the identity broker of this machine removes the
  #   account of this application as well; for `machine`, all its accounts. See brokers.md (default:
  #   `false`).
  # @option members [String] :authority The provider that receives the requests (default: the
  #   application's).
  # @option members [Numeric] :timeout The deadline of the call (default: as in SilentRequest). The
  #   unit is seconds.
  # @option members [String] :correlation_id An ID for the server's log (default: a new UUID).
  # @option members [String] :traceparent The position of the call in a trace, as in metrics.md; it
  #   is sent to the provider unchanged.
  # @option members [String] :tracestate The `tracestate` of the trace, only with `traceparent`.
  class SignOutRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # The document "RemovedRecords".
  class RemovedRecords < Result
    # The number of accounts, one for each tenant.
    # @return [Integer]
    def accounts = @members["accounts"]

    # The number of access tokens.
    # @return [Integer]
    def access_tokens = @members["access_tokens"]

    # The number of refresh tokens.
    # @return [Integer]
    def refresh_tokens = @members["refresh_tokens"]

    # The number of ID tokens.
    # @return [Integer]
    def id_tokens = @members["id_tokens"]
  end

  # The document "LeftoverToken".
  class LeftoverToken < Result
    CONVERSIONS = { "expires_on" => Time }.freeze

    # The type of the token or session. The value is `other_application`, `family_refresh_token`,
    # `handed_out_access_tokens`, `unrevoked_refresh_tokens`, `browser_session`, `set_aside_store`
    # or `other_group`.
    # @return [String]
    def kind = @members["kind"]

    # The application that owns it. Present if it has one.
    # @return [String, nil]
    def client_id = @members["client_id"]

    # The time at which the last one expires. Present for access tokens.
    # @return [Time, nil]
    def expires_on = @members["expires_on"]

    # The file. Present for a store.
    # @return [String, nil]
    def path = @members["path"]
  end

  # The document "KeyAttempt".
  class KeyAttempt < Result
    # The location. The value is `caller`, `secret_service`, `kernel_keyring` or `key_file`.
    # @return [String]
    def source = @members["source"]

    # The kind of the problem. The value is `library_missing`, `no_bus`, `no_service`,
    # `no_collection`, `locked`, `timeout`, `blocked`, `full`, `unsafe`, `key_missing`, `other_key`,
    # `policy` or `failed`.
    # @return [String]
    def problem = @members["problem"]

    # The details for a developer.
    # @return [String]
    def reason = @members["reason"]
  end

  # The document "StoreRecords".
  class StoreRecords < Result
    # The number of accounts.
    # @return [Integer]
    def accounts = @members["accounts"]

    # The number of access tokens.
    # @return [Integer]
    def access_tokens = @members["access_tokens"]

    # The number of refresh tokens.
    # @return [Integer]
    def refresh_tokens = @members["refresh_tokens"]

    # The number of ID tokens.
    # @return [Integer]
    def id_tokens = @members["id_tokens"]

    # The number of other records.
    # @return [Integer]
    def others = @members["others"]

    # The number of damaged records.
    # @return [Integer]
    def damaged = @members["damaged"]
  end

  # The document "MetricValue".
  class MetricValue < Result
    # The name of the metric. The value is `calls_succeeded`, `calls_failed`, `calls_throttled`,
    # `refreshes_adopted`, `commits_superseded`, `commits_queued`, `cached_responses` or
    # `cached_response_bytes`.
    # @return [String]
    def name = @members["name"]

    # The name of the same metric in MSAL for .NET. Present if there is one.
    # @return [String, nil]
    def alias = @members["alias"]

    # The unit of the value. The value is `count` or `bytes`.
    # @return [String]
    def unit = @members["unit"]

    # The tags of the metric, such as `function`; empty for a metric without tags.
    # @return [Hash{String => String}]
    def tags = @members["tags"] || NO_MEMBERS

    # The value.
    # @return [Integer]
    def value = @members["value"]
  end

  # The document "MetricHistogram".
  class MetricHistogram < Result
    # The name of the metric. The value is `call_duration`, `http_duration`, `store_duration`,
    # `lock_wait` or `token_lifetime`.
    # @return [String]
    def name = @members["name"]

    # The name of the same metric in MSAL for .NET. Present if there is one.
    # @return [String, nil]
    def alias = @members["alias"]

    # The unit of the values and of the bounds. The value is `microseconds` or `seconds`.
    # @return [String]
    def unit = @members["unit"]

    # The tags of the metric.
    # @return [Hash{String => String}]
    def tags = @members["tags"] || NO_MEMBERS

    # The number of values.
    # @return [Integer]
    def count = @members["count"]

    # The sum of all values.
    # @return [Integer]
    def sum = @members["sum"]

    # The inclusive upper bounds of the buckets, without the last bucket, which has none.
    # @return [Array<Integer>]
    def bounds = @members["bounds"] || NO_ELEMENTS

    # The number of values in each bucket, one more than `bounds`.
    # @return [Array<Integer>]
    def counts = @members["counts"] || NO_ELEMENTS
  end

  # The document "LibraryFeatures".
  class LibraryFeatures < Result
    # The features that the build of the library contains. Each is `apple`, `broker`, `legacy`,
    # `msal_file` or `services`.
    # @return [Array<String>]
    def features = @members["features"] || NO_ELEMENTS
  end

  # The document "FoundCache".
  class FoundCache < Result
    CONVERSIONS = { "modified_on" => Time }.freeze

    # The name of the cache. `azure_cli`, `azure_identity`, `azure_identity_cae`, `azure_powershell`
    # and `azure_powershell_cae` are valid values of `msal_cache`, which opens the selected
    # location. Other caches are only listed.
    # @return [String]
    def name = @members["name"]

    # A display name of the product that owns the cache.
    # @return [String]
    def owner = @members["owner"]

    # A file, or an item of the keyring. The value is `file` or `secret_service`.
    # @return [String]
    def kind = @members["kind"]

    # The cache file, or the file whose modification time signals a change of the item.
    # @return [String]
    def path = @members["path"]

    # The name of the item's schema. Present with an item.
    # @return [String, nil]
    def schema = @members["schema"]

    # `locked`: there may be an item, but the keyring is locked, missing or unresponsive;
    # `unreadable`: not a token cache, or encrypted by its owner; `unavailable`: it cannot be
    # opened, or other users can write it. The value is `missing`, `usable`, `locked`, `unreadable`
    # or `unavailable`.
    # @return [String]
    def state = @members["state"]

    # Whether this location is the one in use.
    # @return [Boolean]
    def selected = @members["selected"]

    # The number of accounts in it. Present if it was read.
    # @return [Integer, nil]
    def accounts = @members["accounts"]

    # The time of the last write. Present if known.
    # @return [Time, nil]
    def modified_on = @members["modified_on"]

    # The reason why it cannot be read or opened, for display. Present if there is one.
    # @return [String, nil]
    def reason = @members["reason"]
  end

  # A request to replace the key of the store.
  #
  # @option members [String] :new_store_key The new key. It is rejected as `invalid_member` if the
  #   configuration has no `store.key`, or if it equals the old key. Without it, a store that was
  #   not encrypted with `store.key` is re-encrypted with it (default: if the application manages
  #   the present key of the store).
  # @option members [Numeric] :timeout The maximum time to wait for the store; after an error
  #   nothing is changed (default: as in AccountsRequest, for the whole call). The unit is seconds.
  class RotateKeyRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
    SECRETS = %w[new_store_key].freeze
  end

  # The document "RotatedKey".
  class RotatedKey < Result
    # Whether the key was replaced.
    # @return [Boolean]
    def rotated = @members["rotated"]
  end

  # A request to import an older cache.
  #
  # @option members [String] :path The cache file of an older library; a regular file of at most 256
  #   MB.
  # @option members [String] :place Instead of `path`, a known location: `accessTokens.json` of the
  #   Azure CLI before 2.30, at `AZURE_ACCESS_TOKEN_FILE`, or else in `AZURE_CONFIG_DIR` or
  #   `~/.azure`. The value is `azure_cli`.
  # @option members [String] :format The format of the cache; see coming-from-adal.md. The value is
  #   `adal_apple_item`, `adal_macos`, `apple_keychain`, `msal_macos`, `adal_dotnet`, `msal_dotnet`,
  #   `adal_python`, `azure_cli` or `adal_node` (default: detected).
  # @option members [Boolean] :dry_run Whether only to report, without storing anything (default:
  #   `false`).
  # @option members [Numeric] :timeout The timeout of the whole call (default: as in
  #   AccountsRequest). The unit is seconds.
  class MigrationRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # The document "MigratedAccount".
  class MigratedAccount < Result
    # The user name. Present if known.
    # @return [String, nil]
    def username = @members["username"]

    # The account ID. Present if known.
    # @return [String, nil]
    def home_account_id = @members["home_account_id"]

    # The host of the cloud, or the issuer.
    # @return [String]
    def environment = @members["environment"]

    # The application.
    # @return [String]
    def client_id = @members["client_id"]

    # The outcome of its import.
    # @return [String]
    def outcome = @members["outcome"]

    # The reason for not importing it. Present if it was not imported.
    # @return [String, nil]
    def reason = @members["reason"]

    # The next step for the user. Present if it was not imported.
    # @return [String, nil]
    def advice = @members["advice"]
  end

  # The document "DamagedEntry".
  class DamagedEntry < Result
    # The number of the entry, counted from 0. Present unless the whole cache is damaged.
    # @return [Integer, nil]
    def entry = @members["entry"]

    # The kind of the damage.
    # @return [String]
    def code = @members["code"]

    # A description.
    # @return [String]
    def message = @members["message"]
  end

  # A request to export sign-ins to an older cache.
  #
  # @option members [String] :format The format that the older library reads. The value is
  #   `apple_keychain` or `adal_macos`.
  # @option members [String] :home_account_id The account (default: all accounts).
  # @option members [Numeric] :timeout The timeout of the whole call (default: as in
  #   AccountsRequest). The unit is seconds.
  class ExportRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # The document "KeychainItem".
  class KeychainItem < Result
    SECRETS = %w[value].freeze

    # The attribute `kSecAttrAccount`.
    # @return [String]
    def account = @members["account"]

    # The attribute `kSecAttrService`.
    # @return [String]
    def service = @members["service"]

    # The attribute `kSecAttrGeneric`, in Base64.
    # @return [String]
    def generic = @members["generic"]

    # The attribute `kSecAttrType`. Present if there is one.
    # @return [Integer, nil]
    def type = @members["type"]

    # The data of the item, in Base64.
    # @return [String]
    def value = @members["value"]
  end

  # The document "CacheText".
  class CacheText < Result
    SECRETS = %w[cache].freeze

    # The store as the JSON document of MSAL libraries.
    # @return [String]
    def cache = @members["cache"]
  end

  # The changes of a cache document.
  #
  # @option members [String] :before The original document; empty for none.
  # @option members [String] :after The changed document. Entries that are the same in both
  #   documents may be omitted from both.
  # @option members [Numeric] :timeout The maximum time to wait for the store (default: as in
  #   AccountsRequest). The unit is seconds.
  class CacheWriteRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
    SECRETS = %w[before after].freeze
  end

  # The document "CacheChanges".
  class CacheChanges < Result
    # The number of changed entries.
    # @return [Integer]
    def stored = @members["stored"]

    # The number of removed entries.
    # @return [Integer]
    def removed = @members["removed"]
  end

  # A request to copy sign-ins from another store.
  #
  # @option members [String] :home_account_id The only account to copy (default: all accounts, and
  #   records without an account).
  # @option members [Boolean] :dry_run Whether only to report, without storing anything (default:
  #   `false`).
  # @option members [Numeric] :timeout The timeout of the whole call (default: as in
  #   AccountsRequest). The unit is seconds.
  class CopyRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # The document "CopiedAccount".
  class CopiedAccount < Result
    # The account ID.
    # @return [String]
    def home_account_id = @members["home_account_id"]

    # The host of the cloud, or the issuer.
    # @return [String]
    def environment = @members["environment"]

    # The user name. Present if known.
    # @return [String, nil]
    def username = @members["username"]

    # `already_here` if every record existed and was as new or newer. The value is `copied` or
    # `already_here`.
    # @return [String]
    def outcome = @members["outcome"]

    # The number of copied records.
    # @return [Integer]
    def record_count = @members["record_count"]
  end

  # A request for a token without user interaction.
  #
  # @option members [String] :home_account_id The account, with the value from `Account`. A user
  #   name as the value is rejected with `invalid_member`. Without `home_account_id` and `username`,
  #   the request is for the only account. If there are several, the error is `ambiguous_account`
  #   with `accounts`; if there is none, `account_not_found` (default: the only account).
  # @option members [String] :username The user name of the account in any tenant, without regard to
  #   case (ADAL: `userId`). If several accounts have this name, the error is `ambiguous_account`
  #   (default: if `home_account_id` is empty).
  # @option members [String] :environment The `environment` of the account. It prevents confusion
  #   with an account of another provider that has the same ID. Without an `authority`, the request
  #   is sent to the provider of the account; with the authority of another provider, the error is
  #   `interaction_required` (default: any provider).
  # @option members [Boolean] :for_application Requests an app-only token (RFC 6749 section 4.4),
  #   which a confidential client of another library stored in the shared cache. Remove
  #   `home_account_id` and `username`. The token is never requested from a server: without a valid
  #   one the status is `TESSERA_STATUS_SIGN_IN`, and the other library must acquire one. The
  #   `account` of the result has an empty `home_account_id` (default: `false`).
  # @option members [Array<String>] :scopes The scopes that the token must cover. `openid`,
  #   `profile` and `offline_access` are added, and ignored here. `["openid"]` alone requests only
  #   an ID token. Scopes are compared as sets, without regard to case.
  # @option members [String] :resource Instead of `scopes`: all permissions that were granted to the
  #   application at a resource, as in ADAL. `/.default` is appended without change, so a resource
  #   that ends in a slash gets two slashes, as Entra requires.
  # @option members [String] :authority Another tenant, or another issuer (default: that of the
  #   account's provider if `environment` names another one, otherwise the application's).
  # @option members [Boolean] :force_refresh Whether to send a request to the server even if a valid
  #   token is cached (default: `false`).
  # @option members [String] :claims The text of a JSON object: the `claims` of an error, or of a
  #   resource's claims challenge. The cached token is not used then. An object that requests
  #   nothing, such as `{}`, has no effect.
  # @option members [Hash{String => String}] :extra_token_parameters As in AdvancedOptions, for this
  #   request. They take precedence over the configuration. Cached tokens are used regardless of
  #   them.
  # @option members [Hash{String => String}] :extra_query_parameters As in AdvancedOptions, with the
  #   same precedence.
  # @option members [Numeric] :timeout The deadline of the call, after which it fails with
  #   `deadline_exceeded`. Without it, `timeout_milliseconds` of NetworkOptions limits each
  #   exchange. The call then fails with `store_busy` after 10 seconds of waiting for a locked
  #   store, or 60 seconds for another process that refreshes the same credential. A valid cached
  #   token is returned even if the value is 0. The unit is seconds.
  # @option members [String] :correlation_id An ID for the server's log (default: a new UUID).
  # @option members [String] :traceparent The position of the call in a trace, as in metrics.md; it
  #   is sent to the provider unchanged.
  # @option members [String] :tracestate The `tracestate` of the trace, only with `traceparent`.
  # @option members [Boolean] :explain Whether the result has an `explanation`; the store is then
  #   always read. Not allowed for `tessera_application_explain` (default: `false`).
  class SilentRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # A request for an explanation.
  #
  # @option members [String] :home_account_id The account, with the value from `Account`. A user
  #   name as the value is rejected with `invalid_member`. Without `home_account_id` and `username`,
  #   the request is for the only account. If there are several, the error is `ambiguous_account`
  #   with `accounts`; if there is none, `account_not_found` (default: the only account).
  # @option members [String] :username The user name of the account in any tenant, without regard to
  #   case (ADAL: `userId`). If several accounts have this name, the error is `ambiguous_account`
  #   (default: if `home_account_id` is empty).
  # @option members [String] :environment The `environment` of the account. It prevents confusion
  #   with an account of another provider that has the same ID. Without an `authority`, the request
  #   is sent to the provider of the account; with the authority of another provider, the error is
  #   `interaction_required` (default: any provider).
  # @option members [Boolean] :for_application Requests an app-only token (RFC 6749 section 4.4),
  #   which a confidential client of another library stored in the shared cache. Remove
  #   `home_account_id` and `username`. The token is never requested from a server: without a valid
  #   one the status is `TESSERA_STATUS_SIGN_IN`, and the other library must acquire one. The
  #   `account` of the result has an empty `home_account_id` (default: `false`).
  # @option members [Array<String>] :scopes The scopes that the token must cover. `openid`,
  #   `profile` and `offline_access` are added, and ignored here. `["openid"]` alone requests only
  #   an ID token. Scopes are compared as sets, without regard to case.
  # @option members [String] :resource Instead of `scopes`: all permissions that were granted to the
  #   application at a resource, as in ADAL. `/.default` is appended without change, so a resource
  #   that ends in a slash gets two slashes, as Entra requires.
  # @option members [String] :authority Another tenant, or another issuer (default: that of the
  #   account's provider if `environment` names another one, otherwise the application's).
  # @option members [Boolean] :force_refresh Whether to send a request to the server even if a valid
  #   token is cached (default: `false`).
  # @option members [String] :claims The text of a JSON object: the `claims` of an error, or of a
  #   resource's claims challenge. The cached token is not used then. An object that requests
  #   nothing, such as `{}`, has no effect.
  # @option members [Hash{String => String}] :extra_token_parameters As in AdvancedOptions, for this
  #   request. They take precedence over the configuration. Cached tokens are used regardless of
  #   them.
  # @option members [Hash{String => String}] :extra_query_parameters As in AdvancedOptions, with the
  #   same precedence.
  # @option members [Numeric] :timeout The deadline of the call, after which it fails with
  #   `deadline_exceeded`. Without it, `timeout_milliseconds` of NetworkOptions limits each
  #   exchange. The call then fails with `store_busy` after 10 seconds of waiting for a locked
  #   store, or 60 seconds for another process that refreshes the same credential. A valid cached
  #   token is returned even if the value is 0. The unit is seconds.
  # @option members [String] :correlation_id An ID for the server's log (default: a new UUID).
  # @option members [String] :traceparent The position of the call in a trace, as in metrics.md; it
  #   is sent to the provider unchanged.
  # @option members [String] :tracestate The `tracestate` of the trace, only with `traceparent`.
  class ExplainRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # The document "TokenCandidate".
  class TokenCandidate < Result
    CONVERSIONS = { "cached_on" => Time, "expires_on" => Time, "refresh_on" => Time }.freeze

    # The kind of the token, such as `AccessToken` or `RefreshToken`.
    # @return [String]
    def credential_type = @members["credential_type"]

    # `used`; `fallback`: used if the preceding ones fail; `not_used`.
    # @return [String]
    def role = @members["role"]

    # The reasons for not using it, or not first: see below.
    # @return [Array<String>]
    def obstacles = @members["obstacles"] || NO_ELEMENTS

    # The application that it was issued to.
    # @return [String]
    def client_id = @members["client_id"]

    # The family of applications that may redeem it. Present if there is one.
    # @return [String, nil]
    def family_id = @members["family_id"]

    # The cloud or the issuer.
    # @return [String]
    def environment = @members["environment"]

    # The tenant; refresh tokens apply to all tenants. Present for access tokens.
    # @return [String, nil]
    def tenant_id = @members["tenant_id"]

    # The granted scopes. Present for access tokens.
    # @return [Array<String>]
    def scopes = @members["scopes"] || NO_ELEMENTS

    # The requested scopes that it lacks. Present if it lacks some.
    # @return [Array<String>]
    def missing_scopes = @members["missing_scopes"] || NO_ELEMENTS

    # The time of receipt. Present if known.
    # @return [Time, nil]
    def cached_on = @members["cached_on"]

    # The time of expiry. Present if known.
    # @return [Time, nil]
    def expires_on = @members["expires_on"]

    # The time of the recommended refresh. Present if known.
    # @return [Time, nil]
    def refresh_on = @members["refresh_on"]
  end

  # A request for a token of the application itself.
  #
  # @option members [Array<String>] :scopes The requested scopes; at Entra, the `/.default` scope of
  #   one resource.
  # @option members [String] :resource As in SilentRequest, instead of `scopes`.
  # @option members [String] :authority The authority that issues the token (default: the
  #   application's).
  # @option members [String] :tenant Instead of `authority`, only for Entra: the ID or a domain of
  #   the tenant, at the host of the application's authority.
  # @option members [String] :claims A claims challenge of a resource, as the text of a JSON object.
  #   The cached token is then not used, unless `token_sha256_to_refresh` identifies the rejected
  #   one.
  # @option members [Boolean] :force_refresh Whether to request a new token even if the cached one
  #   is valid (default: `false`).
  # @option members [String] :token_sha256_to_refresh The SHA-256 of an access token that a resource
  #   rejected, in hexadecimal digits. A cached token with this digest is not used; a newer one is.
  # @option members [Hash{String => String}] :extra_token_parameters As in SilentRequest.
  # @option members [Hash{String => String}] :extra_query_parameters As in SilentRequest.
  # @option members [Numeric] :timeout The deadline of the call, after which it fails with
  #   `deadline_exceeded` (default: as in SilentRequest). The unit is seconds.
  # @option members [String] :correlation_id An ID for the server's log (default: a new UUID).
  # @option members [String] :traceparent The position of the call in a trace, as in metrics.md; it
  #   is sent to the provider unchanged.
  # @option members [String] :tracestate The `tracestate` of the trace, only with `traceparent`.
  class ClientTokenRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # A request for a token by device code.
  #
  # @option members [Array<String>] :scopes As in SilentRequest.
  # @option members [String] :resource As in SilentRequest, instead of `scopes`.
  # @option members [String] :authority The authority to sign in at (default: the application's).
  # @option members [String] :claims The text of a JSON object: the `claims` of the error that made
  #   this sign-in necessary.
  # @option members [Hash{String => String}] :extra_token_parameters As in SilentRequest.
  # @option members [Hash{String => String}] :extra_query_parameters As in SilentRequest.
  # @option members [Boolean] :explain Whether the result has an `explanation` (explain.md) with the
  #   duration of each step (default: `false`).
  # @option members [Numeric] :timeout The deadline of the call, after which it fails with
  #   `deadline_exceeded` (default: the lifetime of the code). The unit is seconds.
  # @option members [String] :correlation_id An ID for the server's log (default: a new UUID).
  # @option members [String] :traceparent The position of the call in a trace, as in metrics.md; it
  #   is sent to the provider unchanged.
  # @option members [String] :tracestate The `tracestate` of the trace, only with `traceparent`.
  class DeviceCodeRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # The document "TransportRequest".
  class TransportRequest < Result
    SECRETS = %w[body].freeze

    # `GET` or `POST`.
    # @return [String]
    def method = @members["method"]

    # The absolute URL, with https; with http only for this machine, and then without a proxy.
    # @return [String]
    def url = @members["url"]

    # The header fields, each as `Name: value`. The client adds `Host` and `Content-Length`.
    # @return [Array<String>]
    def headers = @members["headers"] || NO_ELEMENTS

    # The body. It contains secrets. Present if the request has a body.
    # @return [String, nil]
    def body = @members["body"]

    # The time until the response must be complete, at least 1: the smaller of
    # `network.timeout_milliseconds` and the remaining time of the call.
    # @return [Integer]
    def timeout_milliseconds = @members["timeout_milliseconds"]
  end

  # The response to a request that the host application sends.
  #
  # @option members [Integer] :status The HTTP status. Pass every response, whatever its status.
  # @option members [Array<String>] :headers The header fields, each as `Name: value`. `Date`,
  #   `Location` and `Retry-After` are used, among others.
  # @option members [String] :body The body, in UTF-8.
  # @option members [String] :error Instead of `status`: the reason why there is no response, for
  #   the message of `network_failed`.
  # @option members [Boolean] :sent With `error`: whether the server may have received a part of the
  #   request. With `false`, a refresh token in it counts as unused (default: `true`).
  class TransportResponse < Request
    SECRETS = %w[body].freeze
  end

  # The document "DeviceCodePrompt".
  class DeviceCodePrompt < Result
    CONVERSIONS = { "expires_on" => Time }.freeze

    # The code to enter.
    # @return [String]
    def user_code = @members["user_code"]

    # The URL of the page on which to enter it.
    # @return [String]
    def verification_uri = @members["verification_uri"]

    # The same URL including the code, for a QR code. Present if the server sent it.
    # @return [String, nil]
    def verification_uri_complete = @members["verification_uri_complete"]

    # A sentence with the code and the URL; the server's own if it sent one.
    # @return [String]
    def message = @members["message"]

    # The time at which the code expires.
    # @return [Time]
    def expires_on = @members["expires_on"]

    # The polling interval.
    # @return [Integer]
    def interval_seconds = @members["interval_seconds"]
  end

  # A request for a sign-in in a browser.
  #
  # @option members [Array<String>] :scopes As in SilentRequest.
  # @option members [String] :resource As in SilentRequest, instead of `scopes`.
  # @option members [Array<String>] :extra_scopes_to_consent Scopes to consent to now, for later
  #   tokens of other resources.
  # @option members [String] :authority Another authority (default: the application's).
  # @option members [String] :home_account_id The account that must sign in (default: any account).
  # @option members [Boolean] :accept_other_account Whether another account than `home_account_id`
  #   may sign in (default: `false`).
  # @option members [String] :login_hint The user name to fill in on the page (default: the
  #   account's user name).
  # @option members [String] :domain_hint The domain of the user's organization.
  # @option members [String] :ui_locales The preferred languages of the page, as BCP 47 tags
  #   separated by spaces (OpenID Connect Core section 3.1.2.1).
  # @option members [String] :prompt The `prompt` parameter of OpenID Connect. The value is
  #   `select_account`, `login`, `consent`, `create` or `none` (default: chosen by the provider).
  # @option members [String] :claims The `claims` of the error that made this sign-in necessary.
  # @option members [Hash{String => String}] :extra_query_parameters Parameters to add to the URL of
  #   the page.
  # @option members [Hash{String => String}] :extra_token_parameters Parameters to add to the body
  #   of the token request, and of a silent request. They take precedence over the configuration.
  # @option members [String] :response_mode The `response_mode` of the authorization request. The
  #   value is `query` or `form_post` (default: `query`).
  # @option members [Numeric] :timeout The deadline of the call (default: 1 hour). The unit is
  #   seconds.
  # @option members [String] :correlation_id An ID for the server's log (default: a new UUID).
  # @option members [String] :traceparent The position of the call in a trace, as in metrics.md; it
  #   is sent to the provider unchanged.
  # @option members [String] :tracestate The `tracestate` of the trace, only with `traceparent`.
  # @option members [Boolean] :silent_first Whether to try a silent request first, for
  #   `home_account_id` or for the only account that matches `login_hint`. The page is opened only
  #   if it fails with the remedy `sign_in`, or returns a token with declined scopes: such an
  #   application opens a page at each call for as long as the server declines them (default:
  #   `false`).
  # @option members [String] :browser Whether to open the user's browser: according to the table,
  #   always, or never. The value is `automatic`, `open` or `show` (default: `automatic`).
  # @option members [String] :webview_type The location of the page: in the user's browser, or in a
  #   window of the program `tessera-webview`; see webview.md. The value is `default` or `embedded`
  #   (default: `default`).
  # @option members [Boolean] :prefers_ephemeral_web_browser_session Whether an embedded web view
  #   starts without cookies and stores none (default: `true`).
  # @option members [String] :webview_program The absolute path of `tessera-webview` (default: the
  #   installed one).
  # @option members [String] :success_page The HTML page to show after the provider's if the sign-in
  #   succeeded; see interactive.md (default: built in).
  # @option members [String] :failure_page The HTML page to show if it failed (default: built in).
  # @option members [Integer] :answer_descriptor A file descriptor to read lines from, so that the
  #   user can paste the URL at which the browser ended. It stays open; nothing else may read from
  #   it during the call.
  class InteractiveRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # A request for a non-blocking sign-in in a browser.
  #
  # @option members [Array<String>] :scopes As in SilentRequest.
  # @option members [String] :resource As in SilentRequest, instead of `scopes`.
  # @option members [Array<String>] :extra_scopes_to_consent Scopes to consent to now, for later
  #   tokens of other resources.
  # @option members [String] :authority Another authority (default: the application's).
  # @option members [String] :home_account_id The account that must sign in (default: any account).
  # @option members [Boolean] :accept_other_account Whether another account than `home_account_id`
  #   may sign in (default: `false`).
  # @option members [String] :login_hint The user name to fill in on the page (default: the
  #   account's user name).
  # @option members [String] :domain_hint The domain of the user's organization.
  # @option members [String] :ui_locales The preferred languages of the page, as BCP 47 tags
  #   separated by spaces (OpenID Connect Core section 3.1.2.1).
  # @option members [String] :prompt The `prompt` parameter of OpenID Connect. The value is
  #   `select_account`, `login`, `consent`, `create` or `none` (default: chosen by the provider).
  # @option members [String] :claims The `claims` of the error that made this sign-in necessary.
  # @option members [Hash{String => String}] :extra_query_parameters Parameters to add to the URL of
  #   the page.
  # @option members [Hash{String => String}] :extra_token_parameters Parameters to add to the body
  #   of the token request, and of a silent request. They take precedence over the configuration.
  # @option members [String] :response_mode The `response_mode` of the authorization request. The
  #   value is `query` or `form_post` (default: `query`).
  # @option members [Numeric] :timeout The deadline of the call (default: 1 hour). The unit is
  #   seconds.
  # @option members [String] :correlation_id An ID for the server's log (default: a new UUID).
  # @option members [String] :traceparent The position of the call in a trace, as in metrics.md; it
  #   is sent to the provider unchanged.
  # @option members [String] :tracestate The `tracestate` of the trace, only with `traceparent`.
  # @option members [Boolean] :silent_first Whether to try a silent request first, for
  #   `home_account_id` or for the only account that matches `login_hint`. The page is opened only
  #   if it fails with the remedy `sign_in`, or returns a token with declined scopes: such an
  #   application opens a page at each call for as long as the server declines them (default:
  #   `false`).
  # @option members [String] :browser Whether to open the user's browser: according to the table,
  #   always, or never. The value is `automatic`, `open` or `show` (default: `automatic`).
  # @option members [String] :webview_type The location of the page: in the user's browser, or in a
  #   window of the program `tessera-webview`; see webview.md. The value is `default` or `embedded`
  #   (default: `default`).
  # @option members [Boolean] :prefers_ephemeral_web_browser_session Whether an embedded web view
  #   starts without cookies and stores none (default: `true`).
  # @option members [String] :webview_program The absolute path of `tessera-webview` (default: the
  #   installed one).
  # @option members [String] :success_page The HTML page to show after the provider's if the sign-in
  #   succeeded; see interactive.md (default: built in).
  # @option members [String] :failure_page The HTML page to show if it failed (default: built in).
  # @option members [Integer] :answer_descriptor A file descriptor to read lines from, so that the
  #   user can paste the URL at which the browser ended. It stays open; nothing else may read from
  #   it during the call.
  # @option members [Boolean] :shows_address Only for
  #   `tessera_call_group_acquire_token_interactive`: whether the application shows the URL if no
  #   browser is opened. With `false`, such a call fails with `browser_unavailable` (default:
  #   `true`).
  class InteractiveCallRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # The document "SignInPrompt".
  class SignInPrompt < Result
    # The URL of the provider's page, valid for one sign-in.
    # @return [String]
    def url = @members["url"]

    # Whether a browser is opened with it; if not, show the URL.
    # @return [Boolean]
    def opens_browser = @members["opens_browser"]

    # The reason for that, a value of the table.
    # @return [String]
    def reason = @members["reason"]

    # The start of the URL at which the browser ends.
    # @return [String]
    def redirect_uri = @members["redirect_uri"]

    # The problem since the previous prompt. Present from the second prompt on.
    # @return [String, nil]
    def problem = @members["problem"]
  end

  # The options for Microsoft Authenticator.
  #
  # @option members [Array<String>] :query_schemes `LSApplicationQueriesSchemes` of Info.plist, to
  #   be checked: a missing scheme causes `redirect_scheme_not_registered`.
  # @option members [String] :client_app_name The display name of your application.
  # @option members [String] :client_app_version The version of your application.
  # @option members [Array<String>] :sdk_capabilities The broker features that the application
  #   supports, such as `sso_extension`.
  # @option members [Hash] :intune_enrollment_ids The enrollments in Intune, if different from the
  #   configuration; see brokers.md.
  # @option members [Hash{String => String}] :intune_mam_resource The resource of Intune, if
  #   different from the configuration.
  # @option members [String] :brk_client_id The client ID of the application in which this one is
  #   embedded.
  # @option members [String] :brk_redirect_uri The redirect URI of that application, to which the
  #   response is sent.
  # @option members [String] :client_sku The name of the library, for Microsoft's statistics.
  # @option members [String] :platform_sequence The libraries that were used before this one, for
  #   Microsoft's statistics.
  # @option members [String] :onboarding_blob The state of the onboarding of the user's device.
  # @option members [Boolean] :new_mobile_onboarding_flow Whether the application supports the new
  #   onboarding of a device.
  # @option members [Boolean] :bound_refresh_tokens Whether to request device-bound refresh tokens.
  # @option members [String] :user_federated_identity_credential A credential of another provider
  #   for the user.
  class AuthenticatorOptions < Request
  end

  # The document "SignInSession".
  class SignInSession < Result
    CONVERSIONS = { "expires_on" => Time }.freeze
    SECRETS = %w[state].freeze

    # The URL of the provider's page, valid for one sign-in. With `authenticator` it is the broker's
    # URL, and contains the key that decrypts its response: do not log it.
    # @return [String]
    def url = @members["url"]

    # The value to pass to `tessera_application_complete_sign_in`: opaque, encrypted with a key of
    # the store, valid for one sign-in.
    # @return [String]
    def state = @members["state"]

    # The time at which `state` expires.
    # @return [Time]
    def expires_on = @members["expires_on"]

    # The redirect URI of the response.
    # @return [String]
    def redirect_uri = @members["redirect_uri"]
  end

  # The response of a provider at the redirect URI.
  #
  # @option members [String] :state The `state` of the SignInSession.
  # @option members [String] :url The complete URL that was opened at the redirect URI.
  # @option members [String] :form Instead of `url`: the body that was posted to the redirect URI.
  # @option members [String] :source_application The application that opened the redirect URI
  #   (default: unknown).
  # @option members [Numeric] :timeout The deadline of the call. The unit is seconds.
  class RedirectResponse < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
    SECRETS = %w[state url form].freeze
  end

  # The document "BrokerVisit".
  class BrokerVisit < Result
    # The name of the broker.
    # @return [String]
    def broker = @members["broker"]

    # The outcome. The value is `used` or `skipped`.
    # @return [String]
    def outcome = @members["outcome"]

    # The reason for skipping it. Present if skipped.
    # @return [String, nil]
    def reason = @members["reason"]

    # The reason as a sentence. Present if skipped.
    # @return [String, nil]
    def message = @members["message"]
  end

  # The document "TenantProfile".
  class TenantProfile < Result
    # The tenant; empty for a provider without tenants.
    # @return [String]
    def tenant_id = @members["tenant_id"]

    # The ID of the user in that tenant.
    # @return [String]
    def local_account_id = @members["local_account_id"]

    # Whether it is the user's home tenant; in other tenants the user is a guest.
    # @return [Boolean]
    def is_home_tenant = @members["is_home_tenant"]

    # The user name in that tenant, as of the last sign-in there. Present if known.
    # @return [String, nil]
    def username = @members["username"]

    # The claims of that tenant's ID token. Present if requested.
    # @return [Hash, nil]
    def claims = @members["claims"]
  end

  # The document "TokenDescription".
  class TokenDescription < Result
    CONVERSIONS = { "issued_on" => Time, "not_before_on" => Time, "expires_on" => Time }.freeze

    # Whether the token can be decoded. The value is `jwt` or `opaque`.
    # @return [String]
    def kind = @members["kind"]

    # Always `false`: the signature is not verified.
    # @return [Boolean]
    def verified = @members["verified"]

    # A remark on this kind of token.
    # @return [String]
    def hint = @members["hint"]

    # `aud`.
    # @return [Array<String>]
    def audiences = @members["audiences"] || NO_ELEMENTS

    # `scp` or `scope`.
    # @return [Array<String>]
    def scopes = @members["scopes"] || NO_ELEMENTS

    # `roles`.
    # @return [Array<String>]
    def roles = @members["roles"] || NO_ELEMENTS

    # `alg`. Present if in the token.
    # @return [String, nil]
    def algorithm = @members["algorithm"]

    # `iss`. Present if in the token.
    # @return [String, nil]
    def issuer = @members["issuer"]

    # `sub`. Present if in the token.
    # @return [String, nil]
    def subject = @members["subject"]

    # `tid`. Present if in the token.
    # @return [String, nil]
    def tenant_id = @members["tenant_id"]

    # `azp`, `appid` or `client_id`. Present if in the token.
    # @return [String, nil]
    def client_id = @members["client_id"]

    # `preferred_username`, `upn` or `unique_name`. Present if in the token.
    # @return [String, nil]
    def username = @members["username"]

    # `iat`. Present if in the token.
    # @return [Time, nil]
    def issued_on = @members["issued_on"]

    # `nbf`. Present if in the token.
    # @return [Time, nil]
    def not_before_on = @members["not_before_on"]

    # `exp`. Present if in the token.
    # @return [Time, nil]
    def expires_on = @members["expires_on"]
  end

  # The document "ErrorCause".
  class ErrorCause < Result
    # The source of the error.
    # @return [String]
    def domain = @members["domain"]

    # The number of the error there. Present if it has one.
    # @return [Integer, nil]
    def number = @members["number"]

    # The name of the error there. Present if it has one.
    # @return [String, nil]
    def code = @members["code"]

    # A description. Present if there is one.
    # @return [String, nil]
    def message = @members["message"]
  end

  # A request for a cookie of the broker.
  #
  # @option members [String] :authority The authority of the account (default: the application's).
  # @option members [Numeric] :timeout The deadline of the call (default: 10 seconds for the version
  #   and the accounts, 30 for a signature, 40 for cookies). The unit is seconds.
  # @option members [String] :correlation_id An ID for the log of the server and of the broker
  #   (default: a new UUID).
  # @option members [String] :home_account_id The account to sign in.
  # @option members [String] :sso_url The sign-in page, with https and in the authority's cloud,
  #   including the `sso_nonce` that the page sent.
  # @option members [Array<String>] :scopes The scopes that the browser requests (default: Graph's).
  class BrokerCookieRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # A request to sign an HTTP request.
  #
  # @option members [String] :authority The authority of the account (default: the application's).
  # @option members [Numeric] :timeout The deadline of the call (default: 10 seconds for the version
  #   and the accounts, 30 for a signature, 40 for cookies). The unit is seconds.
  # @option members [String] :correlation_id An ID for the log of the server and of the broker
  #   (default: a new UUID).
  # @option members [String] :home_account_id The account of the signing key.
  # @option members [String] :http_method The method of the request, such as `GET`.
  # @option members [String] :url The URL of the request. Its host and path are signed in their
  #   exact spelling.
  # @option members [String] :nonce The nonce of the resource.
  # @option members [String] :client_claims Further claims, as JSON text.
  # @option members [String] :key_id The key (default: chosen by the broker).
  class BrokerSigningRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # The document "BrokerAccount".
  class BrokerAccount < Result
    # The stable ID of the account, for silent requests.
    # @return [String]
    def home_account_id = @members["home_account_id"]

    # The object ID in a tenant. Present if known.
    # @return [String, nil]
    def local_account_id = @members["local_account_id"]

    # That tenant. Present if known.
    # @return [String, nil]
    def tenant_id = @members["tenant_id"]

    # The host of the cloud. Present if known.
    # @return [String, nil]
    def environment = @members["environment"]

    # The user name. Present if known.
    # @return [String, nil]
    def username = @members["username"]

    # The display name. Present if known.
    # @return [String, nil]
    def name = @members["name"]

    # The given name. Present if known.
    # @return [String, nil]
    def given_name = @members["given_name"]

    # The family name. Present if known.
    # @return [String, nil]
    def family_name = @members["family_name"]
  end

  # A request to the broker.
  #
  # @option members [String] :authority The authority of the account (default: the application's).
  # @option members [Numeric] :timeout The deadline of the call (default: 10 seconds for the version
  #   and the accounts, 30 for a signature, 40 for cookies). The unit is seconds.
  # @option members [String] :correlation_id An ID for the log of the server and of the broker
  #   (default: a new UUID).
  class BrokerRequest < Request
    CONVERSIONS = { timeout: ["timeout_milliseconds", 1000] }.freeze
  end

  # The document "BrokerVersion".
  class BrokerVersion < Result
    # The version of the broker.
    # @return [String]
    def version = @members["version"]
  end

  # The document "BrokerCookie".
  class BrokerCookie < Result
    SECRETS = %w[content].freeze

    # The name of the header field.
    # @return [String]
    def name = @members["name"]

    # The value of the header field.
    # @return [String]
    def content = @members["content"]
  end

  # The document "BrokerSignature".
  class BrokerSignature < Result
    SECRETS = %w[signed_http_request].freeze

    # The signed request.
    # @return [String]
    def signed_http_request = @members["signed_http_request"]
  end

  # The configuration of an application.
  #
  # @option members [String] :client_id The client ID that the provider assigned to the application.
  # @option members [String] :redirect_uri The redirect URI for sign-ins in a browser, as registered
  #   with the provider; see interactive.md (default: `msauth.[bundle_id]://auth`; without
  #   `bundle_id`, `http://localhost`).
  # @option members [String] :bundle_id The identifier of the application, such as
  #   `com.example.mail`. The default redirect URI is derived from it.
  # @option members [String] :authority The default authority: the URL of a tenant, or an issuer
  #   exactly as its discovery document states it. It must use https; http is accepted for this
  #   machine only (default: `https://login.microsoftonline.com/common`).
  # @option members [String] :cloud Instead of `authority`: the cloud of an Entra authority. The
  #   value is `public`, `china`, `germany`, `us_government`, `france`, `delos` or `gov_sg`
  #   (default: `public`).
  # @option members [String] :audience Instead of `authority`: the supported account types, as in
  #   the registration. The value is `AzureADandPersonalMicrosoftAccount`, `AzureADMultipleOrgs`,
  #   `AzureADMyOrg` or `PersonalMicrosoftAccount` (default: `AzureADMyOrg` with a `tenant`,
  #   otherwise `AzureADandPersonalMicrosoftAccount`).
  # @option members [String] :tenant Instead of `authority`, only for `AzureADMyOrg`: the tenant ID
  #   or a domain of the tenant.
  # @option members [String] :authority_type The kind of the authority: an Entra tenant, a B2C
  #   policy, an external tenant, ADFS, or any other OpenID Connect provider. The value is `entra`,
  #   `b2c`, `ciam`, `adfs` or `openid` (default: derived from the URL, see authorities.md).
  # @option members [Boolean] :multiple_clouds Entra only: allows sign-ins of users from other
  #   Microsoft clouds, each in their own cloud; see authorities.md (default: `false`).
  # @option members [Array<String>] :known_authorities Authorities that the application trusts, so
  #   that no instance discovery is needed for their hosts. Other applications with the same store
  #   are not affected. The authority of a request on such a host has the same kind, unless its URL
  #   indicates another one.
  # @option members [Array<String>] :client_capabilities The client capabilities to announce, such
  #   as `CP1`: the application handles claims challenges. Tokens with different capabilities are
  #   cached separately, even for the same `client_id`.
  # @option members [ClientCredential] :credential The credential of a confidential client; see
  #   services.md (default: none: a public client).
  # @option members [String] :authentication_method The method of client authentication; only with
  #   `credential`. The value is `client_secret_post`, `client_secret_basic` or `private_key_jwt`
  #   (default: with a secret, `client_secret_post` at Microsoft's authorities; elsewhere
  #   `client_secret_basic`, unless the discovery document lists only `client_secret_post`).
  # @option members [String] :assertion_audience The audience of the assertions that the application
  #   signs. The value is `token_endpoint` or `issuer` (default: `token_endpoint` at Microsoft's
  #   authorities, `issuer` elsewhere).
  # @option members [String] :broker Whether the identity broker of this machine is used for tokens
  #   and sign-ins. `require` rejects device codes and pages that the application shows; see
  #   brokers.md. The value is `never`, `prefer` or `require` (default: `never`).
  # @option members [Integer] :log_level The most detailed level that `host->log` receives: 1 error,
  #   2 warning, 3 information, 4 detail (default: 3).
  # @option members [Boolean] :log_pii Whether log messages may contain personal data. Otherwise
  #   user names are masked (`auth.placeholder-1a2b3c4d__contoso.com`; the domain remains), paths
  #   are reduced to their last component, that of a `store.msal_cache` to a hash, and errors to
  #   their code (default: `false`).
  # @option members [StoreOptions] :store The token store.
  # @option members [NetworkOptions] :network Proxies, certificates and timeouts.
  # @option members [TokenOptions] :tokens The use and the refresh of tokens.
  # @option members [IntuneOptions] :intune The state of Intune app protection, as the Intune SDK
  #   provides it; see brokers.md.
  # @option members [UserMessages] :user_messages Texts for users that replace those of the library,
  #   by code.
  # @option members [AdvancedOptions] :advanced Options that few applications need.
  class Configuration < Request
    CONVERSIONS = {
      credential: ClientCredential, store: StoreOptions, network: NetworkOptions, tokens: TokenOptions,
      intune: IntuneOptions, user_messages: UserMessages, advanced: AdvancedOptions
    }.freeze
  end

  # The document "MetricsSnapshot".
  class MetricsSnapshot < Result
    CONVERSIONS = { "counters" => MetricValue, "gauges" => MetricValue, "histograms" => MetricHistogram }.freeze

    # The numbers of events since the application was created.
    # @return [Array<MetricValue>]
    def counters = @members["counters"] || NO_ELEMENTS

    # The present values.
    # @return [Array<MetricValue>]
    def gauges = @members["gauges"] || NO_ELEMENTS

    # The distributions of values since the application was created.
    # @return [Array<MetricHistogram>]
    def histograms = @members["histograms"] || NO_ELEMENTS
  end

  # The document "KnownCaches".
  class KnownCaches < Result
    CONVERSIONS = { "caches" => FoundCache }.freeze

    # The locations of known caches.
    # @return [Array<FoundCache>]
    def caches = @members["caches"] || NO_ELEMENTS
  end

  # The document "MigrationReport".
  class MigrationReport < Result
    CONVERSIONS = { "accounts" => MigratedAccount, "damaged" => DamagedEntry }.freeze

    # The format of the cache.
    # @return [String]
    def format = @members["format"]

    # Whether nothing was stored.
    # @return [Boolean]
    def dry_run = @members["dry_run"]

    # The accounts of the cache; see coming-from-adal.md.
    # @return [Array<MigratedAccount>]
    def accounts = @members["accounts"] || NO_ELEMENTS

    # The number of records of the unified schema that were imported from this cache or already
    # existed; in a dry run, the number that would be imported or already exists. Their accounts are
    # in `accounts`.
    # @return [Integer]
    def record_count = @members["record_count"]

    # The numbers of entries that were left unchanged in the old cache, by kind: `wipe_marker`,
    # `primary_refresh_token`, `intune`, `device_registration`, `service_principal`, `unknown`.
    # @return [Hash{String => Integer}]
    def preserved = @members["preserved"] || NO_MEMBERS

    # The entries that could not be read, at most 100; see coming-from-adal.md.
    # @return [Array<DamagedEntry>]
    def damaged = @members["damaged"] || NO_ELEMENTS

    # The number of further damaged entries.
    # @return [Integer]
    def further_damaged = @members["further_damaged"]
  end

  # The document "ExportedSignIns".
  class ExportedSignIns < Result
    CONVERSIONS = { "items" => KeychainItem }.freeze
    SECRETS = %w[data].freeze

    # The `format` of the request.
    # @return [String]
    def format = @members["format"]

    # The number of exported accounts. `adal_macos` has only accounts with a user name, because ADAL
    # finds no others.
    # @return [Integer]
    def account_count = @members["account_count"]

    # The keychain access groups of ADAL and MSAL, for iOS and for macOS. Present for
    # `apple_keychain`.
    # @return [Array<String>]
    def access_groups = @members["access_groups"] || NO_ELEMENTS

    # The keychain items. **They contain refresh tokens**. Present for `apple_keychain`.
    # @return [Array<KeychainItem>]
    def items = @members["items"] || NO_ELEMENTS

    # The cache of ADAL for macOS in Base64. **It contains refresh tokens**. Present for
    # `adal_macos`.
    # @return [String, nil]
    def data = @members["data"]
  end

  # The document "CopyReport".
  class CopyReport < Result
    CONVERSIONS = { "accounts" => CopiedAccount }.freeze

    # Whether nothing was stored.
    # @return [Boolean]
    def dry_run = @members["dry_run"]

    # The accounts of the other store.
    # @return [Array<CopiedAccount>]
    def accounts = @members["accounts"] || NO_ELEMENTS

    # The number of copied records, including those without an account.
    # @return [Integer]
    def record_count = @members["record_count"]
  end

  # A request to begin a sign-in.
  #
  # @option members [Array<String>] :scopes As in SilentRequest.
  # @option members [String] :resource As in SilentRequest, instead of `scopes`.
  # @option members [Array<String>] :extra_scopes_to_consent Scopes to consent to now, for later
  #   tokens of other resources.
  # @option members [String] :authority Another authority (default: the application's).
  # @option members [String] :home_account_id The account that must sign in (default: any account).
  # @option members [Boolean] :accept_other_account Whether another account than `home_account_id`
  #   may sign in (default: `false`).
  # @option members [String] :login_hint The user name to fill in on the page (default: the
  #   account's user name).
  # @option members [String] :domain_hint The domain of the user's organization.
  # @option members [String] :ui_locales The preferred languages of the page, as BCP 47 tags
  #   separated by spaces (OpenID Connect Core section 3.1.2.1).
  # @option members [String] :prompt The `prompt` parameter of OpenID Connect. The value is
  #   `select_account`, `login`, `consent`, `create` or `none` (default: chosen by the provider).
  # @option members [String] :claims The `claims` of the error that made this sign-in necessary.
  # @option members [Hash{String => String}] :extra_query_parameters Parameters to add to the URL of
  #   the page.
  # @option members [Hash{String => String}] :extra_token_parameters Parameters to add to the body
  #   of the token request. They take precedence over the configuration.
  # @option members [String] :response_mode The `response_mode` of the authorization request. The
  #   value is `query` or `form_post` (default: `query`).
  # @option members [Numeric] :timeout The deadline of the call. The unit is seconds.
  # @option members [String] :correlation_id An ID for the server's log (default: a new UUID).
  # @option members [String] :traceparent The position of the call in a trace, as in metrics.md; it
  #   is sent to the provider unchanged.
  # @option members [String] :tracestate The `tracestate` of the trace, only with `traceparent`.
  # @option members [String] :delivery The delivery of the redirect: the host application observes
  #   the navigation of its page, or the system opens the redirect URI. In the second case its
  #   scheme must be registered. The value is `host` or `system` (default: `host`).
  # @option members [String] :source_application The only application that may open the redirect URI
  #   (default: any).
  # @option members [AuthenticatorOptions] :authenticator Signs in with Microsoft Authenticator on
  #   Apple's systems; `url` is then the URL that opens it. See brokers.md (default: none: a page).
  # @option members [Numeric] :lifetime The lifetime of the sign-in (default: 3600). The unit is
  #   seconds.
  class SignInRequest < Request
    CONVERSIONS = {
      timeout: ["timeout_milliseconds", 1000], authenticator: AuthenticatorOptions, lifetime:
      ["lifetime_seconds", 1]
    }.freeze
  end

  # The document "Account".
  class Account < Result
    CONVERSIONS = { "tenant_profiles" => TenantProfile }.freeze

    # The ID of the account, the same in all tenants. Pass it to later calls unchanged.
    # @return [String]
    def home_account_id = @members["home_account_id"]

    # The host of the cloud; for plain OpenID Connect the issuer without `https://`. For an
    # authority over http it includes `http://`.
    # @return [String]
    def environment = @members["environment"]

    # The user name. It may change; use it only for display and search. Present if known.
    # @return [String, nil]
    def username = @members["username"]

    # The display name of the user. Present if known.
    # @return [String, nil]
    def name = @members["name"]

    # The claims of the home tenant's ID token; absent for users known only as guests. Present if
    # requested.
    # @return [Hash, nil]
    def claims = @members["claims"]

    # The tenants in which the account is known, home tenant first.
    # @return [Array<TenantProfile>]
    def tenant_profiles = @members["tenant_profiles"] || NO_ELEMENTS
  end

  # The document "BrokerAccountList".
  class BrokerAccountList < Result
    CONVERSIONS = { "accounts" => BrokerAccount }.freeze

    # The accounts.
    # @return [Array<BrokerAccount>]
    def accounts = @members["accounts"] || NO_ELEMENTS
  end

  # The document "BrokerCookies".
  class BrokerCookies < Result
    CONVERSIONS = { "cookies" => BrokerCookie }.freeze

    # The cookies.
    # @return [Array<BrokerCookie>]
    def cookies = @members["cookies"] || NO_ELEMENTS
  end

  # The document "AccountList".
  class AccountList < Result
    CONVERSIONS = { "accounts" => Account }.freeze

    # The accounts.
    # @return [Array<Account>]
    def accounts = @members["accounts"] || NO_ELEMENTS
  end

  # The document "AccountResult".
  class AccountResult < Result
    CONVERSIONS = { "account" => Account }.freeze

    # The account.
    # @return [Account]
    def account = @members["account"]
  end

  # The document "CurrentAccount".
  class CurrentAccount < Result
    CONVERSIONS = { "account" => Account, "previous_account" => Account }.freeze

    # The only account that is signed in; null if none is.
    # @return [Account, nil]
    def account = @members["account"]

    # The account at the last such call, in any process with this client ID; null if there was none.
    # @return [Account, nil]
    def previous_account = @members["previous_account"]
  end

  # The document "Error".
  class ErrorDetails < Result
    CONVERSIONS = { "accounts" => Account, "causes" => ErrorCause }.freeze

    # The remedy: the status as a name, see errors.md.
    # @return [String]
    def remedy = @members["remedy"]

    # The name of the error, see errors.md.
    # @return [String]
    def code = @members["code"]

    # A description for developers, in one line. In it, and in the server's texts below, control
    # characters are removed and long texts are truncated with `…`.
    # @return [String]
    def message = @members["message"]

    # Whether the same call may succeed later without a change.
    # @return [Boolean]
    def retryable = @members["retryable"]

    # The number of seconds to wait before a retry. It is 60 if the server sent status 429 without
    # `Retry-After`. Present if the server sent it, and with `throttled`.
    # @return [Integer, nil]
    def retry_after = @members["retry_after"]

    # `error` (RFC 6749 section 5.2). Present if the server sent it.
    # @return [String, nil]
    def oauth_error = @members["oauth_error"]

    # Entra's `suberror`, which refines `oauth_error`. Present if the server sent it.
    # @return [String, nil]
    def suberror = @members["suberror"]

    # The AADSTS numbers. Present if the server sent them.
    # @return [Array<Integer>]
    def server_codes = @members["server_codes"] || NO_ELEMENTS

    # The ID of the exchange, for the server's support: from the body, or else from the header
    # `client-request-id`, or else the ID of the request. Present after an error response, or a
    # response that is not JSON.
    # @return [String, nil]
    def correlation_id = @members["correlation_id"]

    # The server's trace ID, for its support: from the body, or else from the header `x-ms-request-
    # id`. Present if the server sent it.
    # @return [String, nil]
    def trace_id = @members["trace_id"]

    # A claims challenge; pass it to an interactive request. Present if the server sent it.
    # @return [String, nil]
    def claims = @members["claims"]

    # The granted scopes, without the reserved ones. Present with `server_declined_scopes`, if
    # known.
    # @return [Array<String>]
    def granted_scopes = @members["granted_scopes"] || NO_ELEMENTS

    # The requested scopes that were not granted. Present with `server_declined_scopes`, if known.
    # @return [Array<String>]
    def declined_scopes = @members["declined_scopes"] || NO_ELEMENTS

    # The user name of the account concerned. Present with `protection_policy_required`,
    # `account_mismatch`, `workplace_join_required` and errors of brokers, if known.
    # @return [String, nil]
    def username = @members["username"]

    # The ID of the account concerned. Present with `protection_policy_required`,
    # `account_mismatch`, `workplace_join_required` and errors of brokers, if known.
    # @return [String, nil]
    def home_account_id = @members["home_account_id"]

    # The URL of the application that registers devices. It is not authenticated: show it to the
    # user before you open it. Present with `workplace_join_required` and `device_upgrade_required`,
    # if the page sent it.
    # @return [String, nil]
    def app_link = @members["app_link"]

    # The organization requires device-bound tokens. Present with the same codes, if it applies.
    # @return [Boolean, nil]
    def token_protection_required = @members["token_protection_required"]

    # The authority that applies the policy. Present with `protection_policy_required`, if a server
    # sent it.
    # @return [String, nil]
    def authority = @members["authority"]

    # The process that held the lock of the credential, or of the shared MSAL cache, until the
    # deadline. Present with `store_busy`, if the system reports it.
    # @return [Integer, nil]
    def holder_process_id = @members["holder_process_id"]

    # The matching accounts. Present with `ambiguous_account`.
    # @return [Array<Account>]
    def accounts = @members["accounts"] || NO_ELEMENTS

    # The underlying errors, the direct cause first; see errors.md. Present if there are any.
    # @return [Array<ErrorCause>]
    def causes = @members["causes"] || NO_ELEMENTS

    # The error code that MSAL for Apple reports. Present usually.
    # @return [Integer, nil]
    def msal_code = @members["msal_code"]

    # The internal error code that MSAL for Apple reports. Present if there is one.
    # @return [Integer, nil]
    def msal_internal_code = @members["msal_internal_code"]
  end

  # The document "Revocation".
  class Revocation < Result
    CONVERSIONS = { "error" => ErrorDetails }.freeze

    # The application of the refresh token.
    # @return [String]
    def client_id = @members["client_id"]

    # Whether the provider revoked it.
    # @return [Boolean]
    def revoked = @members["revoked"]

    # The reason. Present after a failure.
    # @return [ErrorDetails, nil]
    def error = @members["error"]
  end

  # The document "BrokerRemoval".
  class BrokerRemoval < Result
    CONVERSIONS = { "error" => ErrorDetails }.freeze

    # The number of removed accounts.
    # @return [Integer]
    def removed = @members["removed"]

    # The reason. Present after a failure.
    # @return [ErrorDetails, nil]
    def error = @members["error"]
  end

  # The document "StoreInfo".
  class StoreInfo < Result
    CONVERSIONS = { "attempts" => KeyAttempt, "records" => StoreRecords, "problem" => ErrorDetails }.freeze

    # The state of the store. `locked`: the key cannot be reached; `undecryptable`: the store has
    # another key. The value is `missing`, `empty`, `usable`, `read_only`, `damaged`, `too_new`,
    # `locked`, `undecryptable`, `busy` or `unavailable`.
    # @return [String]
    def state = @members["state"]

    # The policy that the application requested. The value is `require_encrypted`,
    # `prefer_encrypted`, `allow_plaintext` or `memory_only`.
    # @return [String]
    def storage_policy = @members["storage_policy"]

    # `encrypted`: the key is not on the same disk; `obfuscated`: the key is in a file; for a
    # missing store, the protection that it would get. The value is `encrypted`, `obfuscated`,
    # `plaintext` or `memory`. Present if known.
    # @return [String, nil]
    def protection = @members["protection"]

    # The location of the key, or of the key that would be created. The value is `caller`,
    # `secret_service`, `kernel_keyring` or `key_file`. Present if there is one.
    # @return [String, nil]
    def key_source = @members["key_source"]

    # The locations that were tried before, without success.
    # @return [Array<KeyAttempt>]
    def attempts = @members["attempts"] || NO_ELEMENTS

    # The database; with `msal_cache` the cache file, or the file whose modification time signals a
    # change of a keyring item. Present with a database or a file.
    # @return [String, nil]
    def path = @members["path"]

    # See store.md. Present with a database.
    # @return [Integer, nil]
    def layout_version = @members["layout_version"]

    # The bytes in use. Present with a database or a file.
    # @return [Integer, nil]
    def bytes = @members["bytes"]

    # The size of the file. Present with a database or a file; not for a keyring item.
    # @return [Integer, nil]
    def file_bytes = @members["file_bytes"]

    # The size at which access tokens are evicted, starting with those that expire first. Present if
    # there is one.
    # @return [Integer, nil]
    def limit_bytes = @members["limit_bytes"]

    # The numbers of records. Present if it can be read.
    # @return [StoreRecords, nil]
    def records = @members["records"]

    # The processes among which one at a time refreshes a token: the threads of this process; the
    # processes of this machine; those that the locks of a host application's store exclude. The
    # value is `process`, `machine` or `host`.
    # @return [String]
    def lock_scope = @members["lock_scope"]

    # Whether the store is a cache file of other libraries, which read and write it as well.
    # @return [Boolean]
    def shared_with_peers = @members["shared_with_peers"]

    # Whether the store is on a network file system, or would be. Its locks then apply to this
    # machine only, and every call reads the database.
    # @return [Boolean]
    def network_file_system = @members["network_file_system"]

    # The paths of quarantined databases.
    # @return [Array<String>]
    def set_aside = @members["set_aside"] || NO_ELEMENTS

    # The error that a call would report. A missing store that cannot be created is `unavailable`,
    # with the directory that cannot be written. Present after a problem.
    # @return [ErrorDetails, nil]
    def problem = @members["problem"]
  end

  # The document "Explanation".
  class Explanation < Result
    CONVERSIONS = { "candidates" => TokenCandidate, "error" => ErrorDetails, "brokers" => BrokerVisit }.freeze

    # The first step of the call: `use` a cached token, `broker`: request a token from the identity
    # broker, `refresh`, `pause` because the same request failed recently, or `sign_in`; `signed_in`
    # for a completed sign-in.
    # @return [String]
    def decision = @members["decision"]

    # `valid` for a cached token. For a refresh or a broker request: `missing`, `expired`, `due`
    # (the server recommended a refresh by now), `doubtful` (the clocks disagree), `forced`,
    # `claims`. `device_code` after a sign-in; otherwise the code of `error`.
    # @return [String]
    def reason = @members["reason"]

    # The decision and its reason as a sentence.
    # @return [String]
    def message = @members["message"]

    # The requested account.
    # @return [String]
    def home_account_id = @members["home_account_id"]

    # The requested authority.
    # @return [String]
    def authority = @members["authority"]

    # The tenant of the authority for this account; empty for a provider without tenants. Present if
    # known.
    # @return [String, nil]
    def tenant_id = @members["tenant_id"]

    # The hosts of the cloud, or the issuer, of the considered tokens.
    # @return [Array<String>]
    def environments = @members["environments"] || NO_ELEMENTS

    # The requested scopes.
    # @return [Array<String>]
    def scopes = @members["scopes"] || NO_ELEMENTS

    # The tokens of the account, in order of use.
    # @return [Array<TokenCandidate>]
    def candidates = @members["candidates"] || NO_ELEMENTS

    # The error with which the call would fail. With `broker`, it applies only if the broker has no
    # token. With `server_declined_scopes`, the call returns the token for the granted scopes
    # instead, if the store has it. Present with `sign_in` and `pause`, and with `broker` after a
    # recent failure of the same request.
    # @return [ErrorDetails, nil]
    def error = @members["error"]

    # The outcome for each broker. Present if a broker was to be used, except in a dry run.
    # @return [Array<BrokerVisit>]
    def brokers = @members["brokers"] || NO_ELEMENTS

    # The kind of the store: `sqlite`, `msal_file` or `memory`.
    # @return [String]
    def store = @members["store"]

    # The duration of reading the store and deciding.
    # @return [Integer]
    def read_microseconds = @members["read_microseconds"]

    # The duration of the requests to servers. Present except in a dry run.
    # @return [Integer, nil]
    def network_microseconds = @members["network_microseconds"]

    # The duration of the whole call, including waits for other processes. Present except in a dry
    # run.
    # @return [Integer, nil]
    def total_microseconds = @members["total_microseconds"]
  end

  # The document "SignOutReport".
  class SignOutReport < Result
    CONVERSIONS = {
      "accounts" => Account, "removed" => RemovedRecords, "remaining" => LeftoverToken, "revocations" =>
      Revocation, "broker" => BrokerRemoval
    }.freeze
    SECRETS = %w[end_session_url].freeze

    # The `scope` of the request.
    # @return [String]
    def scope = @members["scope"]

    # The accounts that were signed out; for `machine`, those of this application.
    # @return [Array<Account>]
    def accounts = @members["accounts"] || NO_ELEMENTS

    # The numbers of removed records.
    # @return [RemovedRecords]
    def removed = @members["removed"]

    # The tokens and sessions that were not removed.
    # @return [Array<LeftoverToken>]
    def remaining = @members["remaining"] || NO_ELEMENTS

    # One for each refresh token to revoke.
    # @return [Array<Revocation>]
    def revocations = @members["revocations"] || NO_ELEMENTS

    # The URL that ends the browser session. If the store has an ID token of the account, the URL
    # contains it (`id_token_hint`, OpenID Connect RP-Initiated Logout 1.0), unless it is longer
    # than 4096 bytes. Open the URL in the browser and do not log it. Present if requested and
    # available.
    # @return [String, nil]
    def end_session_url = @members["end_session_url"]

    # The result of the identity broker. Present with `from_broker`.
    # @return [BrokerRemoval, nil]
    def broker = @members["broker"]

    # Problems that did not prevent the sign-out. Present if there are any.
    # @return [Array<String>]
    def warnings = @members["warnings"] || NO_ELEMENTS
  end

  # The document "TokenResult".
  class TokenResult < Result
    CONVERSIONS = {
      "expires_on" => Time, "extended_expires_on" => Time, "refresh_on" => Time, "account" => Account,
      "brokers" => BrokerVisit, "refresh_error" => ErrorDetails, "explanation" => Explanation
    }.freeze
    SECRETS = %w[access_token id_token].freeze

    # The access token. Treat it as opaque; only the resource may interpret it.
    # @return [String]
    def access_token = @members["access_token"]

    # The token type, currently always `Bearer`.
    # @return [String]
    def token_type = @members["token_type"]

    # The expiry time.
    # @return [Time]
    def expires_on = @members["expires_on"]

    # The time until which the token may be used during an outage. Present if the server sent it.
    # @return [Time, nil]
    def extended_expires_on = @members["extended_expires_on"]

    # The time from which the server recommends a refresh; silent requests follow it. Present if the
    # server sent it.
    # @return [Time, nil]
    def refresh_on = @members["refresh_on"]

    # The granted scopes, in the server's spelling; the requested ones if the response has none.
    # @return [Array<String>]
    def scopes = @members["scopes"] || NO_ELEMENTS

    # The requested scopes that were not granted. The status is then `TESSERA_STATUS_SIGN_IN`. The
    # token is stored and can be used for `scopes`. Present if the server declined some.
    # @return [Array<String>]
    def declined_scopes = @members["declined_scopes"] || NO_ELEMENTS

    # The raw ID token. Present if there is one.
    # @return [String, nil]
    def id_token = @members["id_token"]

    # The claims of the ID token. Present if there is one.
    # @return [Hash, nil]
    def id_token_claims = @members["id_token_claims"]

    # The account of the token.
    # @return [Account]
    def account = @members["account"]

    # The tenant of the token; empty for a provider without tenants.
    # @return [String]
    def tenant_id = @members["tenant_id"]

    # The authority that issued the token, with the actual tenant.
    # @return [String]
    def authority = @members["authority"]

    # The source of the token. The value is `cache`, `network` or `broker`.
    # @return [String]
    def source = @members["source"]

    # The outcome for each broker; see brokers.md. Present if a broker was to be used.
    # @return [Array<BrokerVisit>]
    def brokers = @members["brokers"] || NO_ELEMENTS

    # Whether the token is in the store. If not, `warnings` has the reason; the token is valid
    # nevertheless.
    # @return [Boolean]
    def persisted = @members["persisted"]

    # The reason for opening or not opening the browser, a value of the table. Present after a sign-
    # in in a browser.
    # @return [String, nil]
    def browser_reason = @members["browser_reason"]

    # Always `true`: the token has expired, and is returned only because the server is down and
    # allows this use; see `refresh_error`. Present during an outage.
    # @return [Boolean, nil]
    def extended_lifetime = @members["extended_lifetime"]

    # The error of the refresh. Present after a failed refresh.
    # @return [ErrorDetails, nil]
    def refresh_error = @members["refresh_error"]

    # Problems that did not prevent the call from succeeding. Present if there are any.
    # @return [Array<String>]
    def warnings = @members["warnings"] || NO_ELEMENTS

    # The reason for the choice of this token, and the duration of each step. Present with
    # `explain`.
    # @return [Explanation, nil]
    def explanation = @members["explanation"]
  end
end
