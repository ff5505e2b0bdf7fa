// SPDX-License-Identifier: MIT
// Errors for keys that cannot be rotated or are not trusted, with advice.

extension TesseraError {
  /// The error for an application that provides the key itself and passed no new one.
  package static var newKeyMissing: TesseraError {
    TesseraError(
      .fixRequest, .missingParameter,
      "The application provides the key of the store: pass the new key as new_store_key. Nothing was changed."
    )
  }

  /// The error for a new key that equals the old one.
  package static var keyIsTheSame: TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "new_store_key is already the key of the store: pass a different key. Nothing was changed.")
  }

  /// The error for a new key from an application that does not provide the key itself.
  package static var newKeyNotWanted: TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "new_store_key requires store.key in the configuration: remove new_store_key, or configure store.key."
    )
  }

  /// Returns the error for a store that is not encrypted with the application's ``StoreKey``, because an attacker could
  /// have created it.
  ///
  /// - Parameter source: The source of the store's key; `nil` for an unencrypted store.
  package static func untrustedStore(_ source: KeySource?) -> TesseraError {
    let what = source.map { "Its key is in \($0.displayName)" } ?? "It is not encrypted"
    let advice =
      source.map { "add \"\($0.rawValue)\" to store.key_sources, and rotate the key" }
      ?? "set store.key_sources"
    return TesseraError(
      .fixStorage, .encryptionUnavailable,
      "The store is not encrypted with a store.key. \(what), so any process with write access to its files could have created it. If you trust the store, \(advice). Otherwise, move its files to another directory, and sign in again. Nothing was changed."
    )
  }
}
