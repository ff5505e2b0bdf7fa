// SPDX-License-Identifier: MIT
// The internal error numbers of MSAL for Apple, which brokers report.

// Generated from docs/errors.toml by scripts/check-errors --write.

/// The error codes of brokers.
package enum BrokerErrorTable {
  /// The codes by number in `MSIDErrorDomain`.
  ///
  /// Other numbers have no code of their own.
  package static let codes: [Int64: TesseraError.Code] = [
    -51100: .internalError,
    -51111: .internalError,
    -51112: .invalidMember,
    -51113: .missingParameter,
    -51114: .flowUnsupported,
    -51115: .interactionRequired,
    -51116: .navigationRefused,
    -51117: .accountMismatch,
    -51118: .redirectSchemeNotRegistered,
    -51119: .invalidRedirectURI,
    -51200: .ambiguousAccount,
    -51201: .cacheDamaged,
    -51400: .interactionRequired,
    -51401: .invalidResponse,
    -514102: .refreshTokenRejected,
    -51410: .requestRejected,
    -51411: .clientRejected,
    -51412: .refreshTokenRejected,
    -51413: .scopeRejected,
    -51414: .clientRejected,
    -51415: .serverDeclinedScopes,
    -51416: .accessDenied,
    -51417: .serverUnavailable,
    -51420: .stateMismatch,
    -51430: .protectionPolicyRequired,
    -51440: .interactionRequired,
    -51500: .serverUnavailable,
    -51501: .clientRejected,
    -51600: .invalidAuthority,
    -51700: .accessDenied,
    -51701: .cancelled,
    -51702: .webviewFailed,
    -51710: .interactionInProgress,
    -51732: .deviceUpgradeRequired,
    -51733: .deviceEnrollmentCompleted,
    -51800: .brokerResponseMissing,
    -51801: .brokerStateMissing,
    -51802: .brokerStateInvalid,
    -51803: .brokerStateMismatch,
    -51804: .brokerHashMissing,
    -51805: .brokerResponseCorrupted,
    -51806: .brokerDecryptionFailed,
    -51807: .brokerHashMismatch,
    -51809: .brokerKeyMissing,
    -51810: .workplaceJoinRequired,
    -51811: .brokerFailed,
    -51814: .brokerUnavailable,
    -51815: .ssoExtensionFailed,
    -50142: .passwordResetRequired,
  ]
}
