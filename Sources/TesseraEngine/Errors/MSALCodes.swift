// SPDX-License-Identifier: MIT
// The numbers that MSAL for Apple reports for the same situation, so that migrating code keeps its switches.

extension TesseraError {
  /// `MSALErrorDomain` code and, inside `MSALErrorInternal`, the internal code; nil where MSAL reports another domain.
  public var msalCode: (code: Int64, internalCode: Int64?)? {
    switch code {
    case .interactionRequired, .accountNotFound, .refreshTokenRejected, .codeExpired,
      .storeMissing, .storeEmpty, .cacheDamaged:
      (-50002, nil)
    case .declinedScopes: (-50003, nil)
    case .cancelled, .accessDenied: (-50005, nil)
    // The deadline, and a network that does not answer, are errors of NSURLErrorDomain there.
    case .deadlineExceeded, .networkFailed: nil
    case .accountMismatch: (-50000, -42101)
    case .ambiguousAccount: (-50000, -42102)
    case .invalidResponse, .invalidIDToken: (-50000, -42600)
    case .serverUnavailable, .throttled: (-50000, -42007)
    case .invalidAuthority, .issuerMismatch: (-50000, -42010)
    case .requestRejected: (-50000, -42002)
    case .clientRejected: (-50000, oauthError == "unauthorized_client" ? -42006 : -42003)
    case .scopeRejected: (-50000, -42005)
    case .missingParameter, .invalidJSON, .unknownMember, .invalidMember, .scopesRequired,
      .reservedScope, .invalidConfiguration:
      (-50000, -42000)
    default: (-50000, -42008)
    }
  }
}
