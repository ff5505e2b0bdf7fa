// SPDX-License-Identifier: MIT
// A configurable key source in memory.

import Synchronization
import TesseraEngine

/// A key source in memory that can be made to fail.
final class FixedKey: KeyProtection {
  /// The state that a test configures or inspects.
  struct State: Sendable {
    var source = KeySource.caller
    var isReachable = true
    /// Whether a store may be unencrypted if no key can be created.
    var allowsUnencrypted = false
    /// Whether unencrypted records are trusted.
    var trustsUnencrypted = true
    /// The accepted key sources.
    var accepted = Set(KeySource.allCases)
    var attempts: [KeyAttempt] = []
    var keys: [KeyLocation: [UInt8]] = [:]
    /// The numbers of keys that were created and obtained.
    var made = 0
    var asked = 0
  }

  let state = SpinLock(State())
  /// A hook that runs while a key is created, like a slow source.
  let whileMaking = SpinLock<(@Sendable () -> Void)?>(nil)

  func createKey(within limits: CallLimits) throws(TesseraError) -> CreatedKey {
    whileMaking.withLock { $0 }?()
    return try state.withLock { state throws(TesseraError) in
      guard state.isReachable else {
        guard state.allowsUnencrypted else {
          throw TesseraError(.fixStorage, .keyUnavailable, "The source can't be reached.")
        }
        return CreatedKey(key: nil, attempts: state.attempts)
      }
      state.made += 1
      let location = KeyLocation(source: state.source, name: "key \(state.keys.count)")
      let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
      state.keys[location] = bytes
      return CreatedKey(key: (location, KeyMaterial(bytes)), attempts: state.attempts)
    }
  }

  func key(at location: KeyLocation, within limits: CallLimits) throws(TesseraError) -> KeyMaterial
  {
    try state.withLock { state throws(TesseraError) in
      state.asked += 1
      guard state.isReachable, let key = state.keys[location] else {
        throw TesseraError(.fixStorage, .keyUnavailable, "The source can't be reached.")
      }
      return KeyMaterial(key)
    }
  }

  func checkUnencryptedAllowed() throws(TesseraError) {
    guard state.withLock({ $0.trustsUnencrypted }) else {
      throw TesseraError(.fixStorage, .encryptionUnavailable, "Clear is not believed.")
    }
  }

  func check(_ location: KeyLocation?) throws(TesseraError) {
    try state.withLock { state throws(TesseraError) in
      guard let location else {
        guard state.allowsUnencrypted else {
          throw TesseraError(.fixStorage, .keyUnavailable, "Clear is refused.")
        }
        return
      }
      guard state.accepted.contains(location.source) else {
        throw TesseraError(.fixStorage, .keyUnavailable, "The source is refused.")
      }
    }
  }
}
