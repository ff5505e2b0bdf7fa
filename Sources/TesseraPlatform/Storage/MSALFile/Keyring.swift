// SPDX-License-Identifier: MIT
// What stores and surveys ask of a keyring in which other libraries keep their caches.

import TesseraEngine

/// A keyring with the items in which other libraries keep their caches; ``KeyringItems`` is the real one.
///
/// Nothing here waits for a person, or longer than three seconds.
protocol Keyring: Sendable {
  /// What an item holds; nil if there is none in a keyring that is unlocked.
  func found(_ item: KeyringItem, within limits: CallLimits) throws(KeyFailure) -> KeyringContents?

  /// When an item was last changed, in seconds since 1970; nil if there is none in a keyring that is unlocked.
  func modified(of item: KeyringItem, within limits: CallLimits) throws(KeyFailure) -> UInt64?

  /// Throws unless the item, or a new one of its kind, could be stored now.
  func look(for item: KeyringItem, within limits: CallLimits) throws(KeyFailure)

  /// Stores a text in the item, which keeps its label, its attributes and the way it is written, or in a new one.
  ///
  /// - Parameter expected: the text that it takes the place of; nil for no item, or an empty one.
  /// - Returns: false if something else is there: nothing was stored.
  func store(
    _ text: [UInt8], in item: KeyringItem, replacing expected: [UInt8]?,
    within limits: CallLimits
  ) throws(KeyFailure) -> Bool
}

/// What an item of a keyring holds.
struct KeyringContents: Sendable, Hashable {
  /// The text of the cache.
  let text: [UInt8]
  /// When the item was last changed, in seconds since 1970.
  let modified: UInt64
}
