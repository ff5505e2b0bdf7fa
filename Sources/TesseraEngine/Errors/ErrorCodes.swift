// SPDX-License-Identifier: MIT
// The error codes.

// Generated from docs/errors.toml by scripts/check-errors --write.

extension TesseraError.Code {
  // Remedy: sign in.

  /// No cached token or refresh token covers the request.
  public static let interactionRequired = Self("interaction_required")
  /// The user or an administrator must consent to the requested permissions.
  public static let consentRequired = Self("consent_required")
  /// The user must complete multi-factor authentication.
  public static let mfaRequired = Self("mfa_required")
  /// The password has expired or must be changed.
  public static let passwordExpired = Self("password_expired")
  /// The password was reset and the user must choose a new one.
  public static let passwordResetRequired = Self("password_reset_required")
  /// The user name, the password or another credential is incorrect.
  public static let credentialsRejected = Self("credentials_rejected")
  /// The account is disabled or locked.
  public static let accountDisabled = Self("account_disabled")
  /// The account does not exist in the tenant.
  public static let accountNotInTenant = Self("account_not_in_tenant")
  /// A policy requires a managed or registered device.
  public static let deviceRequired = Self("device_required")
  /// A policy blocks access.
  public static let accessBlocked = Self("access_blocked")
  /// The store does not contain the account.
  public static let accountNotFound = Self("account_not_found")
  /// The server rejected the refresh token.
  public static let refreshTokenRejected = Self("refresh_token_rejected")
  /// The device code or the authorization code has expired or was already redeemed.
  public static let codeExpired = Self("code_expired")
  /// The user signed in with a different account than requested.
  public static let accountMismatch = Self("account_mismatch")
  /// The server granted fewer scopes than requested, and there is no token to return.
  public static let serverDeclinedScopes = Self("server_declined_scopes")
  /// The redirect does not contain a valid authorization response.
  public static let invalidAuthorizationResponse = Self("invalid_authorization_response")
  /// The sign-in took too long.
  public static let signInExpired = Self("sign_in_expired")
  /// This sign-in was already completed.
  public static let signInUsed = Self("sign_in_used")
  /// The store does not have the key of the sign-in.
  public static let signInLost = Self("sign_in_lost")
  /// The device must be registered with the organization first.
  public static let workplaceJoinRequired = Self("workplace_join_required")
  /// The device must be registered again with hardware-backed keys.
  public static let deviceUpgradeRequired = Self("device_upgrade_required")
  /// The device was enrolled in device management during the sign-in.
  public static let deviceEnrollmentCompleted = Self("device_enrollment_completed")
  /// The application was reopened without a response from the broker.
  public static let brokerResponseMissing = Self("broker_response_missing")
  /// The broker response is not valid Base64 or has no usable tokens.
  public static let brokerResponseCorrupted = Self("broker_response_corrupted")
  /// The broker response cannot be decrypted.
  public static let brokerDecryptionFailed = Self("broker_decryption_failed")
  /// The broker response has no hash.
  public static let brokerHashMissing = Self("broker_hash_missing")
  /// The broker response does not match its hash.
  public static let brokerHashMismatch = Self("broker_hash_mismatch")
  /// The broker failed with an unknown error.
  public static let brokerFailed = Self("broker_failed")
  /// The single sign-on extension failed or returned an invalid response.
  public static let ssoExtensionFailed = Self("sso_extension_failed")
  /// The store does not exist yet.
  public static let storeMissing = Self("store_missing")
  /// The store contains no signed-in account.
  public static let storeEmpty = Self("store_empty")
  /// The store, or its data for an account, is damaged or was emptied.
  ///
  /// A sign-in quarantines the damaged data and creates a new store.
  public static let cacheDamaged = Self("cache_damaged")

  // Remedy: retry later.

  /// No server responded.
  public static let networkFailed = Self("network_failed")
  /// The server reported a temporary failure.
  public static let serverUnavailable = Self("server_unavailable")
  /// The server limits the request rate.
  public static let throttled = Self("throttled")
  /// The server's response violates its specification.
  ///
  /// Often a proxy or a captive portal responded.
  public static let invalidResponse = Self("invalid_response")
  /// Timed out waiting for another thread or process that holds the store or the credential lock.
  public static let storeBusy = Self("store_busy")
  /// The process has no free file descriptor.
  public static let tooManyOpenFiles = Self("too_many_open_files")
  /// The process cannot start another thread.
  public static let tooManyThreads = Self("too_many_threads")
  /// The identity broker did not respond, or its response is invalid.
  public static let brokerUnresponsive = Self("broker_unresponsive")
  /// The web view failed.
  public static let webviewFailed = Self("webview_failed")

  // Remedy: fix request.

  /// The stack of the calling thread is too small for the call.
  public static let stackTooSmall = Self("stack_too_small")
  /// A parameter is missing or NULL.
  public static let missingParameter = Self("missing_parameter")
  /// The object was created before a fork() and belongs to the parent process.
  public static let wrongProcess = Self("wrong_process")
  /// The request is not a JSON object in UTF-8.
  public static let invalidJSON = Self("invalid_json")
  /// The request has an unknown member.
  public static let unknownMember = Self("unknown_member")
  /// A member has an invalid value.
  public static let invalidMember = Self("invalid_member")
  /// The request has no scopes.
  public static let scopesRequired = Self("scopes_required")
  /// Several accounts match.
  public static let ambiguousAccount = Self("ambiguous_account")
  /// Another interactive sign-in of this application is in progress.
  public static let interactionInProgress = Self("interaction_in_progress")
  /// The response does not belong to this sign-in.
  public static let stateMismatch = Self("state_mismatch")
  /// The state was not created by this application.
  public static let invalidSignInState = Self("invalid_sign_in_state")
  /// The state does not belong to a broker sign-in that this application began.
  public static let brokerStateMissing = Self("broker_state_missing")
  /// The state of the broker sign-in is incomplete.
  public static let brokerStateInvalid = Self("broker_state_invalid")
  /// The state of the broker sign-in has no response key.
  public static let brokerKeyMissing = Self("broker_key_missing")
  /// The broker response arrived at a different redirect URI.
  public static let brokerStateMismatch = Self("broker_state_mismatch")
  /// The broker response belongs to another request.
  public static let brokerNonceMismatch = Self("broker_nonce_mismatch")
  /// The data is not a supported cache of an older library.
  public static let legacyCacheInvalid = Self("legacy_cache_invalid")
  /// The server rejected the request as invalid.
  public static let requestRejected = Self("request_rejected")

  // Remedy: fix configuration.

  /// The library does not have the feature.
  public static let featureUnavailable = Self("feature_unavailable")
  /// A setting has an invalid value.
  public static let invalidConfiguration = Self("invalid_configuration")
  /// The authority is invalid or not trusted.
  public static let invalidAuthority = Self("invalid_authority")
  /// The discovery document or an ID token has a different issuer or tenant than the configured one.
  public static let issuerMismatch = Self("issuer_mismatch")
  /// The ID token failed validation.
  public static let invalidIDToken = Self("invalid_id_token")
  /// The server does not accept the application or its credentials.
  public static let clientRejected = Self("client_rejected")
  /// The user is not assigned to the application.
  public static let accountNotAssigned = Self("account_not_assigned")
  /// A policy requires an app with Intune app protection.
  public static let protectionPolicyRequired = Self("protection_policy_required")
  /// The server does not know a scope or does not allow it for this application.
  public static let scopeRejected = Self("scope_rejected")
  /// The redirect URI cannot be used; the message has the reason and a valid alternative.
  public static let invalidRedirectURI = Self("invalid_redirect_uri")
  /// Another process listens on the port of the redirect URI.
  public static let redirectPortTaken = Self("redirect_port_taken")
  /// The scheme of the redirect URI is not registered for this application.
  public static let redirectSchemeNotRegistered = Self("redirect_scheme_not_registered")
  /// Another application handles the scheme.
  public static let redirectSchemeTaken = Self("redirect_scheme_taken")
  /// No browser can be opened on this machine.
  public static let browserUnavailable = Self("browser_unavailable")
  /// No identity broker on this machine can handle the request.
  public static let brokerUnavailable = Self("broker_unavailable")
  /// No web view for signing in is available.
  public static let webviewUnavailable = Self("webview_unavailable")
  /// The sign-in page navigated to an address that the web view does not allow.
  public static let navigationRefused = Self("navigation_refused")
  /// The redirect URI is not registered.
  public static let redirectUriRejected = Self("redirect_uri_rejected")
  /// The broker uses an unsupported protocol version.
  public static let brokerVersionUnsupported = Self("broker_version_unsupported")
  /// The provider does not support this flow.
  public static let flowUnsupported = Self("flow_unsupported")
  /// The TLS certificate is not trusted.
  public static let certificateUntrusted = Self("certificate_untrusted")
  /// A library that is required at run time, such as libcurl, is not installed.
  public static let libraryMissing = Self("library_missing")
  /// A process with elevated rights has SSLKEYLOGFILE set, which libcurl would use.
  public static let unsafeEnvironment = Self("unsafe_environment")

  // Remedy: fix storage.

  /// The store cannot be opened, read or written.
  public static let storeUnavailable = Self("store_unavailable")
  /// The store is owned by another user or writable by others.
  public static let storeUnsafe = Self("store_unsafe")
  /// The shared MSAL cache file can be read but not replaced, so no refresh token is redeemed.
  public static let storeReadOnly = Self("store_read_only")
  /// The store was written by a newer version of Tessera.
  public static let storeTooNew = Self("store_too_new")
  /// The store is encrypted with a different key.
  public static let cacheUndecryptable = Self("cache_undecryptable")
  /// The file system is full.
  public static let storeFull = Self("store_full")
  /// The key of the store is not available.
  public static let keyUnavailable = Self("key_unavailable")
  /// The store cannot be encrypted as the policy requires.
  public static let encryptionUnavailable = Self("encryption_unavailable")

  // Remedy: cancelled.

  /// The application cancelled the call.
  public static let cancelled = Self("cancelled")
  /// The call timed out.
  public static let deadlineExceeded = Self("deadline_exceeded")
  /// The user declined the sign-in.
  public static let accessDenied = Self("access_denied")

  // Remedy: report bug.

  /// Internal error.
  public static let internalError = Self("internal_error")
}
