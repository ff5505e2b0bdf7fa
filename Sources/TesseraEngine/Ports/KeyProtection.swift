// SPDX-License-Identifier: MIT
// The port behind which the key of a store is kept, apart from what it seals.

/// Keeps the data keys of stores.
///
/// A store has one data key, made once, and says where it is kept. A source that cannot be reached now is an error, never
/// a reason to make another key.
package protocol KeyProtection: Sendable {
  /// Throws `encryptionUnavailable`, before any file is made, when the policy wants what no source can give.
  ///
  /// It makes no key: that is done under the lock of the store, so that two programs do not make two.
  func prepare(within limits: CallLimits) throws(TesseraError)

  /// Makes the key of a store that has none, in the first source that the policy allows and that can be reached.
  ///
  /// Asked again, because the commit failed, it gives the same key.
  ///
  /// - Throws: `encryptionUnavailable` when the policy wants what no source can give.
  func makeKey(within limits: CallLimits) throws(TesseraError) -> MadeKey

  /// Makes a key in place of the one that a store has; the old one stays where it is kept.
  ///
  /// Asked again, because the commit failed, it gives the same key.
  ///
  /// - Parameters:
  ///   - old: where the old key is kept; nil for a store in clear.
  ///   - given: the new key, if the program keeps it itself.
  /// - Throws: `encryptionUnavailable` when the new key would protect less than the old one.
  func replaceKey(
    at old: KeyLocation?, with given: StoreKey?, within limits: CallLimits
  ) throws(TesseraError) -> MadeKey

  /// The key that a store says is kept at a place.
  ///
  /// - Throws: `keyUnavailable` when the source cannot be reached, or does not have the key; `encryptionUnavailable` when
  ///   a store with a key from there must not be believed.
  func key(at place: KeyLocation, within limits: CallLimits) throws(TesseraError) -> KeyMaterial

  /// Takes back what ``key(at:within:)`` gave, since it is not the key that the store was sealed with.
  func forget(_ place: KeyLocation)

  /// Throws `encryptionUnavailable` unless the policy allows a store whose key is kept there; nil for one in clear.
  func check(_ place: KeyLocation?) throws(TesseraError)

  /// Throws `encryptionUnavailable` when the policy does not let records in clear be believed.
  ///
  /// Whoever can write the files of a store could have put them there, in place of what was sealed.
  func checkClear() throws(TesseraError)

  /// What the key of a new store would get; no key is made, and no file.
  ///
  /// - Throws: what ended the call.
  func outlook(within limits: CallLimits) throws(TesseraError) -> KeyAvailability
}

extension KeyProtection {
  /// Nothing stands against a store.
  package func prepare(within limits: CallLimits) throws(TesseraError) {}

  /// A key as for a new store.
  package func replaceKey(
    at old: KeyLocation?, with given: StoreKey?, within limits: CallLimits
  ) throws(TesseraError) -> MadeKey {
    try makeKey(within: limits)
  }

  /// Nothing is remembered.
  package func forget(_ place: KeyLocation) {}

  /// Whatever lies in clear is believed.
  package func checkClear() throws(TesseraError) {}

  /// Nothing is known.
  package func outlook(within limits: CallLimits) throws(TesseraError) -> KeyAvailability {
    KeyAvailability()
  }
}

/// A key that was made, or why none was.
package struct MadeKey: Sendable {
  /// The key, and where it is kept; nil when the policy allows a store in clear, and nothing better was possible.
  package var key: (place: KeyLocation, material: KeyMaterial)?
  /// What was tried before, and why it failed.
  package var attempts: [KeyAttempt]

  package init(key: (place: KeyLocation, material: KeyMaterial)?, attempts: [KeyAttempt]) {
    self.key = key
    self.attempts = attempts
  }
}

/// What the key of a new store would get.
package struct KeyAvailability: Sendable {
  /// What would protect the store; nil when that is not known, or when no store could be made.
  package var protection: StoreInfo.Protection?
  /// Who would keep the key; nil for nobody.
  package var source: KeySource?
  /// Which sources would not serve, and why.
  package var attempts: [KeyAttempt] = []
  /// Why no store could be made; nil if one could.
  package var problem: TesseraError?

  package init() {}
}

/// Where one key is kept.
package struct KeyLocation: Sendable, Hashable {
  package let source: KeySource
  /// What the source knows it by: random, so that two stores never share one.
  package let name: String

  package init(source: KeySource, name: String) {
    self.source = source
    self.name = name
  }
}
