// SPDX-License-Identifier: MIT
// Errors for keys that cannot be rotated or are not trusted, with advice.

extension TesseraError {
  /// The error for an application that provides the key itself and passed no new one.
  package static var newKeyMissing: TesseraError {
    TesseraError(
      .fixRequest, .missingParameter,
      "The program keeps the key of the store itself: give the new one (new_store_key). Nothing was changed."
    )
  }

  /// The error for a new key that equals the old one.
  package static var keyIsTheSame: TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "new_store_key is the key that the store has already. Nothing was changed.")
  }

  /// The error for a new key from an application that does not provide the key itself.
  package static var newKeyNotWanted: TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "new_store_key is for a program that keeps the key itself, and the configuration has no store_key."
    )
  }

  /// Returns the error for a store that is not encrypted with the application's ``StoreKey``, because an attacker could
  /// have created it.
  ///
  /// - Parameter source: The source of the store's key; `nil` for an unencrypted store.
  package static func untrustedStore(_ source: KeySource?) -> TesseraError {
    let what = source.map { "Its key is kept by \($0.displayName)" } ?? "It lies in clear"
    let advice =
      source.map { "name \"\($0.rawValue)\" in key_sources, and rotate the key" }
      ?? "name key_sources"
    return TesseraError(
      .fixStorage, .encryptionUnavailable,
      "The store was not sealed with a store_key. \(what): whoever can write its files could have put it there. If you know that nobody did, \(advice); otherwise move its files away and sign in again. Nothing was changed."
    )
  }
}
