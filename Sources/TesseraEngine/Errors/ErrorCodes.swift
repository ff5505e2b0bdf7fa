// SPDX-License-Identifier: MIT
// The names of situations.

// Made from docs/errors.toml by scripts/check-errors --write.

extension ErrorCode {
  // Remedy: sign in.

  /// There is no token and no refresh token that could serve the request.
  public static let interactionRequired = ErrorCode("interaction_required")
  /// The person, or an administrator, has to consent to what the application wants.
  public static let consentRequired = ErrorCode("consent_required")
  /// The person has to prove once more who they are.
  public static let mfaRequired = ErrorCode("mfa_required")
  /// The password has expired or must be changed.
  public static let passwordExpired = ErrorCode("password_expired")
  /// The password was reset, and the person has to choose a new one.
  public static let passwordResetRequired = ErrorCode("password_reset_required")
  /// The name, the password or another proof of the person was wrong.
  public static let credentialsRejected = ErrorCode("credentials_rejected")
  /// The account is disabled or locked.
  public static let accountDisabled = ErrorCode("account_disabled")
  /// The account is not known in the tenant.
  public static let accountNotInTenant = ErrorCode("account_not_in_tenant")
  /// Policy wants a device that the organization knows.
  public static let deviceRequired = ErrorCode("device_required")
  /// Policy blocks the access.
  public static let accessBlocked = ErrorCode("access_blocked")
  /// The store holds no such account.
  public static let accountNotFound = ErrorCode("account_not_found")
  /// The server rejected the refresh token.
  public static let refreshTokenRejected = ErrorCode("refresh_token_rejected")
  /// The code of a sign-in is not good any more.
  public static let codeExpired = ErrorCode("code_expired")
  /// Somebody else signed in than the account that was asked for.
  public static let accountMismatch = ErrorCode("account_mismatch")
  /// The server granted fewer scopes than were asked for.
  public static let serverDeclinedScopes = ErrorCode("server_declined_scopes")
  /// What came to the redirect URI is not the answer of an authorization endpoint.
  public static let invalidAuthorizationResponse = ErrorCode("invalid_authorization_response")
  /// The sign-in that was begun took too long.
  public static let signInExpired = ErrorCode("sign_in_expired")
  /// The sign-in that was begun has been completed before.
  public static let signInUsed = ErrorCode("sign_in_used")
  /// The device has to be registered with the organization first.
  public static let workplaceJoinRequired = ErrorCode("workplace_join_required")
  /// The registration of the device is not strong enough.
  public static let deviceUpgradeRequired = ErrorCode("device_upgrade_required")
  /// The device was enrolled in management during the sign-in.
  public static let deviceEnrollmentCompleted = ErrorCode("device_enrollment_completed")
  /// The person came back from the broker without an answer.
  public static let brokerResponseMissing = ErrorCode("broker_response_missing")
  /// The broker's answer is no Base64, or has no tokens that can be used.
  public static let brokerResponseCorrupted = ErrorCode("broker_response_corrupted")
  /// The broker's answer does not decrypt.
  public static let brokerDecryptionFailed = ErrorCode("broker_decryption_failed")
  /// The broker's answer has no hash.
  public static let brokerHashMissing = ErrorCode("broker_hash_missing")
  /// The broker's answer is not what its hash says.
  public static let brokerHashMismatch = ErrorCode("broker_hash_mismatch")
  /// The broker failed, and did not say in known words why.
  public static let brokerFailed = ErrorCode("broker_failed")
  /// The single sign-on extension failed, or answered with something else.
  public static let ssoExtensionFailed = ErrorCode("sso_extension_failed")
  /// There is no store yet.
  public static let storeMissing = ErrorCode("store_missing")
  /// The store is there, and nobody has signed in.
  public static let storeEmpty = ErrorCode("store_empty")
  /// The store, or what it has of an account, is damaged, or was emptied.
  ///
  /// Signing in sets the damaged data aside and begins anew.
  public static let cacheDamaged = ErrorCode("cache_damaged")

  // Remedy: retry later.

  /// No server answered.
  public static let networkFailed = ErrorCode("network_failed")
  /// The server is in trouble.
  public static let serverUnavailable = ErrorCode("server_unavailable")
  /// The server asks callers to stay away for a while.
  public static let throttled = ErrorCode("throttled")
  /// The server's answer is not what its specification wants; often a proxy or a sign-in page of a network.
  public static let invalidResponse = ErrorCode("invalid_response")
  /// Another process holds the store or the credential.
  public static let storeBusy = ErrorCode("store_busy")
  /// The process has no file descriptor left.
  public static let tooManyOpenFiles = ErrorCode("too_many_open_files")
  /// The process may start no more threads.
  public static let tooManyThreads = ErrorCode("too_many_threads")
  /// The identity broker did not answer, or not with an answer.
  public static let brokerUnresponsive = ErrorCode("broker_unresponsive")
  /// The web view has failed.
  public static let webviewFailed = ErrorCode("webview_failed")

  // Remedy: fix request.

  /// The stack of the calling thread is too small for the call.
  public static let stackTooSmall = ErrorCode("stack_too_small")
  /// A parameter is missing or NULL.
  public static let missingParameter = ErrorCode("missing_parameter")
  /// An object was made before a fork(), and belongs to the other process.
  public static let wrongProcess = ErrorCode("wrong_process")
  /// A request is not a JSON object in UTF-8.
  public static let invalidJSON = ErrorCode("invalid_json")
  /// A request has a member that does not exist.
  public static let unknownMember = ErrorCode("unknown_member")
  /// A member has a value that cannot be.
  public static let invalidMember = ErrorCode("invalid_member")
  /// Scopes are missing.
  public static let scopesRequired = ErrorCode("scopes_required")
  /// Scopes that are added by the library were asked for.
  public static let reservedScope = ErrorCode("reserved_scope")
  /// Several accounts fit.
  public static let ambiguousAccount = ErrorCode("ambiguous_account")
  /// This application is signing somebody in already.
  public static let interactionInProgress = ErrorCode("interaction_in_progress")
  /// The response is not that of this sign-in.
  public static let stateMismatch = ErrorCode("state_mismatch")
  /// The state of a sign-in is not one that this application has begun.
  public static let invalidSignInState = ErrorCode("invalid_sign_in_state")
  /// The state is of no sign-in with a broker that this store knows.
  public static let brokerStateMissing = ErrorCode("broker_state_missing")
  /// The state of a sign-in with a broker lacks what it takes to read the answer.
  public static let brokerStateInvalid = ErrorCode("broker_state_invalid")
  /// The state of a sign-in with a broker has no key for the answer.
  public static let brokerKeyMissing = ErrorCode("broker_key_missing")
  /// The answer of a broker came to another redirect URI.
  public static let brokerStateMismatch = ErrorCode("broker_state_mismatch")
  /// The answer of a broker is to another request.
  public static let brokerNonceMismatch = ErrorCode("broker_nonce_mismatch")
  /// What was to be taken over is no cache of an older library.
  public static let legacyCacheInvalid = ErrorCode("legacy_cache_invalid")
  /// The server found the request invalid.
  public static let requestRejected = ErrorCode("request_rejected")

  // Remedy: fix configuration.

  /// A setting has a value that cannot work.
  public static let invalidConfiguration = ErrorCode("invalid_configuration")
  /// The authority is not one, or nobody vouches for it.
  public static let invalidAuthority = ErrorCode("invalid_authority")
  /// The discovery document, or an ID token, names another issuer or tenant than the one asked for.
  public static let issuerMismatch = ErrorCode("issuer_mismatch")
  /// The ID token was refused.
  public static let invalidIDToken = ErrorCode("invalid_id_token")
  /// The server does not know the application or its credentials.
  public static let clientRejected = ErrorCode("client_rejected")
  /// The application is for assigned people only, and this one is not.
  public static let accountNotAssigned = ErrorCode("account_not_assigned")
  /// Policy admits only applications with app protection.
  public static let protectionPolicyRequired = ErrorCode("protection_policy_required")
  /// The server does not know a scope, or does not let this application ask for it.
  public static let scopeRejected = ErrorCode("scope_rejected")
  /// The redirect URI cannot work; the message says what to register instead.
  public static let invalidRedirectURI = ErrorCode("invalid_redirect_uri")
  /// Another program listens at the port of the redirect URI.
  public static let redirectPortTaken = ErrorCode("redirect_port_taken")
  /// The scheme of the redirect URI is not registered for this program.
  public static let redirectSchemeNotRegistered = ErrorCode("redirect_scheme_not_registered")
  /// Another program opens the scheme that is to be registered.
  public static let redirectSchemeTaken = ErrorCode("redirect_scheme_taken")
  /// There is no browser that could be opened here.
  public static let browserUnavailable = ErrorCode("browser_unavailable")
  /// There is no identity broker here that could do it.
  public static let brokerUnavailable = ErrorCode("broker_unavailable")
  /// There is no web view to sign in with here.
  public static let webviewUnavailable = ErrorCode("webview_unavailable")
  /// The provider's page wanted to go where a web view does not.
  public static let navigationRefused = ErrorCode("navigation_refused")
  /// The redirect URI is not registered.
  public static let redirectUriRejected = ErrorCode("redirect_uri_rejected")
  /// The broker speaks another version of the protocol.
  public static let brokerVersionUnsupported = ErrorCode("broker_version_unsupported")
  /// The provider has no such flow.
  public static let flowUnsupported = ErrorCode("flow_unsupported")
  /// The server's certificate is not trusted.
  public static let certificateUntrusted = ErrorCode("certificate_untrusted")
  /// libcurl, or something else that is needed at run time, is not installed.
  public static let libraryMissing = ErrorCode("library_missing")
  /// A program with elevated rights runs with SSLKEYLOGFILE set, which libcurl would use.
  public static let unsafeEnvironment = ErrorCode("unsafe_environment")

  // Remedy: fix storage.

  /// The store cannot be opened, read or written.
  public static let storeUnavailable = ErrorCode("store_unavailable")
  /// The store's file or directory belongs to somebody else, or others may write it.
  public static let storeUnsafe = ErrorCode("store_unsafe")
  /// The cache file of other libraries can be read, but not replaced, so no refresh token is spent.
  public static let storeReadOnly = ErrorCode("store_read_only")
  /// The store was written by a newer version of Tessera.
  public static let storeTooNew = ErrorCode("store_too_new")
  /// The key of the store is not the one that it was sealed with.
  public static let cacheUndecryptable = ErrorCode("cache_undecryptable")
  /// There is no room.
  public static let storeFull = ErrorCode("store_full")
  /// The key of the store cannot be reached.
  public static let keyUnavailable = ErrorCode("key_unavailable")
  /// The store cannot be protected, or is not protected, as the policy wants.
  public static let encryptionUnavailable = ErrorCode("encryption_unavailable")

  // Remedy: cancelled.

  /// The host said stop.
  public static let cancelled = ErrorCode("cancelled")
  /// The deadline of the call passed.
  public static let deadlineExceeded = ErrorCode("deadline_exceeded")
  /// The user said no.
  public static let accessDenied = ErrorCode("access_denied")

  // Remedy: report bug.

  /// Something happened that should not.
  public static let internalError = ErrorCode("internal_error")
}
