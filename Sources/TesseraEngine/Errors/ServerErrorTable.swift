// SPDX-License-Identifier: MIT
// The error codes by `error` and `suberror` of a server.

// Generated from docs/errors.toml by scripts/check-errors --write.

/// The values of servers: RFC 6749, RFC 8628, OpenID Connect, Entra.
enum ServerErrorTable {
  /// The codes by `error`, in lower case.
  static let errors: [String: TesseraError.Code] = [
    "access_denied": .accessDenied,
    "account_selection_required": .interactionRequired,
    "authorization_declined": .accessDenied,
    "authorization_pending": .interactionRequired,
    "bad_token": .refreshTokenRejected,
    "bad_verification_code": .codeExpired,
    "code_expired": .codeExpired,
    "consent_required": .consentRequired,
    "expired_token": .codeExpired,
    "insufficient_scope": .consentRequired,
    "insufficient_user_authentication": .interactionRequired,
    "interaction_required": .interactionRequired,
    "invalid_client": .clientRejected,
    "invalid_grant": .refreshTokenRejected,
    "invalid_instance": .invalidAuthority,
    "invalid_request": .requestRejected,
    "invalid_request_object": .requestRejected,
    "invalid_request_uri": .requestRejected,
    "invalid_resource": .scopeRejected,
    "invalid_scope": .scopeRejected,
    "invalid_target": .scopeRejected,
    "invalid_tenant": .invalidAuthority,
    "invalid_token": .refreshTokenRejected,
    "login_required": .interactionRequired,
    "registration_not_supported": .flowUnsupported,
    "request_not_supported": .flowUnsupported,
    "request_uri_not_supported": .flowUnsupported,
    "server_error": .serverUnavailable,
    "slow_down": .throttled,
    "temporarily_unavailable": .serverUnavailable,
    "tokentransferfailedotc": .accessDenied,
    "unauthorized_client": .clientRejected,
    "unmet_authentication_requirements": .interactionRequired,
    "unsupported_grant_type": .flowUnsupported,
    "unsupported_response_type": .flowUnsupported,
    "unsupported_token_type": .flowUnsupported,
  ]

  /// The codes by `suberror`, in lower case.
  static let suberrors: [String: TesseraError.Code] = [
    "additional_action": .interactionRequired,
    "bad_token": .refreshTokenRejected,
    "basic_action": .interactionRequired,
    "client_mismatch": .refreshTokenRejected,
    "consent_required": .consentRequired,
    "device_authentication_failed": .deviceRequired,
    "insufficient_device_strength": .deviceRequired,
    "message_only": .accessBlocked,
    "protection_policies_required": .protectionPolicyRequired,
    "protection_policy_required": .protectionPolicyRequired,
    "token_expired": .refreshTokenRejected,
    "transfer_token_expired": .accessDenied,
    "tts_denied": .accessDenied,
    "user_password_expired": .passwordExpired,
    "user_skipped": .accessDenied,
  ]
}
