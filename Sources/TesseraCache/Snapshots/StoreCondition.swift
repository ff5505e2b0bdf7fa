// SPDX-License-Identifier: MIT
// The condition of a store, which explains why a record was not found.

/// The condition of a store.
///
/// A damaged store is never reported as empty.
package enum StoreCondition: Sendable, Hashable {
  /// The store has accounts.
  ///
  /// A record that was not found does not exist.
  case usable
  /// The store does not exist yet.
  case missing
  /// The store has no accounts.
  case empty
  /// Part of the store was damaged and may have contained the record.
  ///
  /// The value states the location of the damage.
  case damaged(String)
}
