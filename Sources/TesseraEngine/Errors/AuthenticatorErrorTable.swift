// SPDX-License-Identifier: MIT
// The error codes of invalid responses of Microsoft Authenticator.

/// The error codes of responses of Microsoft Authenticator that are invalid.
enum AuthenticatorErrorTable {
  /// The codes by the names of the parser.
  static let codes: [String: TesseraError.Code] = [
    "authenticator_incomplete": .missingParameter,
    "authenticator_missing": .brokerResponseMissing,
    "authenticator_elsewhere": .brokerStateMismatch,
    "authenticator_no_key": .brokerKeyMissing,
    "authenticator_version": .brokerVersionUnsupported,
    "authenticator_no_hash": .brokerHashMissing,
    "authenticator_corrupted": .brokerResponseCorrupted,
    "authenticator_undecryptable": .brokerDecryptionFailed,
    "authenticator_hash": .brokerHashMismatch,
    "authenticator_nonce": .brokerNonceMismatch,
  ]
}
