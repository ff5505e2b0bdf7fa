// SPDX-License-Identifier: MIT
// The numbers that MSAL for Apple reports for the same situation.

// Made from docs/errors.toml by scripts/check-errors --write.

extension MSALNumbers {
  /// By code; a code without numbers is an error of another domain there.
  static let codes: [ErrorCode: MSALNumbers] = [
    .interactionRequired: MSALNumbers(-50002),
    .consentRequired: MSALNumbers(-50002),
    .mfaRequired: MSALNumbers(-50002),
    .passwordExpired: MSALNumbers(-50002),
    .passwordResetRequired: MSALNumbers(-50142),
    .credentialsRejected: MSALNumbers(-50002),
    .accountDisabled: MSALNumbers(-50002),
    .accountNotInTenant: MSALNumbers(-50002),
    .deviceRequired: MSALNumbers(-50002),
    .accessBlocked: MSALNumbers(-50002),
    .accountNotFound: MSALNumbers(-50002),
    .refreshTokenRejected: MSALNumbers(-50002),
    .codeExpired: MSALNumbers(-50002),
    .accountMismatch: MSALNumbers(-50000, -42101),
    .declinedScopes: MSALNumbers(-50003),
    .storeMissing: MSALNumbers(-50002),
    .storeEmpty: MSALNumbers(-50002),
    .cacheDamaged: MSALNumbers(-50002),
    .serverUnavailable: MSALNumbers(-50000, -42007),
    .throttled: MSALNumbers(-50000, -42007),
    .invalidResponse: MSALNumbers(-50000, -42600),
    .storeBusy: MSALNumbers(-50000, -42008),
    .missingParameter: MSALNumbers(-50000, -42000),
    .invalidJSON: MSALNumbers(-50000, -42000),
    .unknownMember: MSALNumbers(-50000, -42000),
    .invalidMember: MSALNumbers(-50000, -42000),
    .scopesRequired: MSALNumbers(-50000, -42000),
    .reservedScope: MSALNumbers(-50000, -42000),
    .ambiguousAccount: MSALNumbers(-50000, -42102),
    .requestRejected: MSALNumbers(-50000, -42002),
    .invalidConfiguration: MSALNumbers(-50000, -42000),
    .invalidAuthority: MSALNumbers(-50000, -42010),
    .issuerMismatch: MSALNumbers(-50000, -42010),
    .invalidIDToken: MSALNumbers(-50000, -42600),
    .clientRejected: MSALNumbers(-50000, -42003),
    .accountNotAssigned: MSALNumbers(-50002),
    .protectionPolicyRequired: MSALNumbers(-50004),
    .scopeRejected: MSALNumbers(-50000, -42005),
    .redirectUriRejected: MSALNumbers(-50000, -42011),
    .flowUnsupported: MSALNumbers(-50000, -42008),
    .certificateUntrusted: MSALNumbers(-50000, -42008),
    .libraryMissing: MSALNumbers(-50000, -42008),
    .storeUnavailable: MSALNumbers(-50000, -42008),
    .storeUnsafe: MSALNumbers(-50000, -42008),
    .storeTooNew: MSALNumbers(-50000, -42008),
    .cacheUndecryptable: MSALNumbers(-50000, -42008),
    .storeFull: MSALNumbers(-50000, -42008),
    .keyUnavailable: MSALNumbers(-50000, -42008),
    .encryptionUnavailable: MSALNumbers(-50000, -42008),
    .cancelled: MSALNumbers(-50005),
    .accessDenied: MSALNumbers(-50005),
    .internalError: MSALNumbers(-50000, -42008),
  ]

  /// By code and `error` or `suberror`, where these matter; nothing for neither.
  static let words: [String: MSALNumbers] = [
    "device_required insufficient_device_strength": MSALNumbers(-50000, -50007),
    "server_unavailable server_error": MSALNumbers(-50000, -50006),
    "client_rejected unauthorized_client": MSALNumbers(-50000, -42006),
    "client_rejected ": MSALNumbers(-50000, -42007),
    "flow_unsupported unsupported_grant_type": MSALNumbers(-50000, -42104),
    "flow_unsupported unsupported_response_type": MSALNumbers(-50000, -42104),
  ]
}
