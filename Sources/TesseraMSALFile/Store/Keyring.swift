// SPDX-License-Identifier: MIT
// The interface of a keyring in which other libraries store their caches.

import TesseraEngine
import TesseraPlatform

/// A keyring with the items in which other libraries store their caches.
///
/// ``KeyringItems`` implements it for the Secret Service.
///
/// No call shows a prompt or takes longer than three seconds.
protocol Keyring: Sendable {
  /// Returns the content of an item; nil if it does not exist in an unlocked keyring.
  func content(of item: KeyringItem, within limits: CallLimits) throws(KeyFailure)
    -> KeyringItemContent?

  /// Returns the time of an item's last change, in seconds since 1970; nil if it does not exist in an unlocked keyring.
  func modified(of item: KeyringItem, within limits: CallLimits) throws(KeyFailure) -> UInt64?

  /// Throws unless the item, or a new one of its kind, could be stored now.
  func checkAvailability(for item: KeyringItem, within limits: CallLimits) throws(KeyFailure)

  /// Stores a text in the item.
  ///
  /// An existing item keeps its label, attributes and encoding.
  ///
  /// - Parameter expected: The text that is replaced; nil for no item, or an empty one.
  /// - Returns: Whether it was stored; false if the item has other content.
  func store(
    _ text: [UInt8], in item: KeyringItem, replacing expected: [UInt8]?,
    within limits: CallLimits
  ) throws(KeyFailure) -> Bool
}

/// The content of a keyring item.
struct KeyringItemContent: Sendable, Hashable {
  /// The text of the cache.
  let text: [UInt8]
  /// The time of the item's last change, in seconds since 1970.
  let modified: UInt64
}
