// SPDX-License-Identifier: MIT
// What is said of a key that is not replaced, or not believed, with advice.

extension TesseraError {
  /// A program that keeps the key itself asks for a new one, and gives none.
  package static var newKeyMissing: TesseraError {
    TesseraError(
      .fixRequest, .missingParameter,
      "The program keeps the key of the store itself: give the new one (new_store_key). Nothing was changed."
    )
  }

  /// The new key is the old one.
  package static var keyIsTheSame: TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "new_store_key is the key that the store has already. Nothing was changed.")
  }

  /// A new key is given by a program that leaves the key to others.
  package static var newKeyNotWanted: TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "new_store_key is for a program that keeps the key itself, and the configuration has no store_key."
    )
  }

  /// A program that keeps the key itself found a store that somebody else could have put there.
  ///
  /// - Parameter source: who keeps its key; nil for a store in clear.
  package static func notBelieved(_ source: KeySource?) -> TesseraError {
    let what = source.map { "Its key is kept by \($0.words)" } ?? "It lies in clear"
    let advice =
      source.map { "name \"\($0.rawValue)\" in key_sources, and rotate the key" }
      ?? "name key_sources"
    return TesseraError(
      .fixStorage, .encryptionUnavailable,
      "The store was not sealed with a store_key. \(what): whoever can write its files could have put it there. If you know that nobody did, \(advice); otherwise move its files away and sign in again. Nothing was changed."
    )
  }
}
