// SPDX-License-Identifier: MIT
// Errors of key sources, and the interface of a key source.

import TesseraEngine

/// The reason for which a key source could not be used.
enum KeyFailure: Error {
  /// The source is not available or rejected the request.
  case refused(KeyAttempt.Problem, String)
  /// The call was cancelled or ran out of resources; the state of the source is unknown.
  case ended(TesseraError)

  /// The source did not respond in time.
  static let timeout = KeyFailure.refused(
    .timeout, "it did not respond within \(KeyLimits.timeoutMilliseconds / 1_000) seconds")
}

/// A key source.
///
/// Each is in its own file and independent of the others.
protocol KeyStorage: Sendable {
  /// The identifier of this source.
  var source: KeySource { get }

  /// Throws the reason for which the source could not store the key of a new store now.
  ///
  /// Changes nothing.
  func checkAvailability(within limits: KeyLimits) throws(KeyFailure)

  /// Stores a new key durably.
  func persist(_ key: KeyMaterial, named name: String, within limits: KeyLimits) throws(KeyFailure)

  /// Returns the key with a name.
  ///
  /// - Throws: `keyMissing` if the source has no such key.
  func key(named name: String, within limits: KeyLimits) throws(KeyFailure) -> KeyMaterial
}
