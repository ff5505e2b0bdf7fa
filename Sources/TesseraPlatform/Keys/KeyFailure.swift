// SPDX-License-Identifier: MIT
// Why a source of keys did not serve.

import TesseraEngine

/// Why a source of keys did not serve.
enum KeyFailure: Error {
  /// The source says no, or is not there.
  case refused(KeyAttempt.Problem, String)
  /// The call ended, which says nothing about the source.
  case ended(TesseraError)

  /// It did not answer in time.
  static let timeout = KeyFailure.refused(
    .timeout, "it did not answer within \(KeyLimits.patience / 1_000) seconds")
}

/// A source of keys: each has a file of its own, and none knows of the others.
protocol KeyHolder: Sendable {
  /// Which one it is.
  var source: KeySource { get }

  /// Throws why it could not keep the key of a new store now; nothing is made or changed.
  func look(within limits: KeyLimits) throws(KeyFailure)

  /// Makes a key that was made for a new store outlast this process.
  func keep(_ key: KeyMaterial, named name: String, within limits: KeyLimits) throws(KeyFailure)

  /// The key that the source knows by a name.
  func key(named name: String, within limits: KeyLimits) throws(KeyFailure) -> KeyMaterial
}
