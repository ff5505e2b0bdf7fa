// SPDX-License-Identifier: MIT
// What a store is like when a call finds nothing in it.

/// What a store is like: nothing is never said of a store that was damaged.
package enum StoreCondition: Sendable, Hashable {
  /// It is there, with accounts; what was not found is not there.
  case usable
  /// There is no store yet.
  case missing
  /// It is there, and nobody has signed in.
  case empty
  /// Something in it was damaged, and may be what was not found; the text says where it lies.
  case damaged(String)
}
