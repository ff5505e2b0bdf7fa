// SPDX-License-Identifier: MIT
// A use count that closes a resource after its last use.

import Synchronization

/// The number of calls that use a resource.
///
/// It may be closed only when there are none.
final class UseCount: Sendable {
  /// The value once the resource must be closed.
  private static let retired = -1

  /// Two per use, plus one after ``retire()``.
  private let value = Atomic<Int>(0)

  init() {}

  /// Begins a use.
  ///
  /// Returns false after ``retire()``.
  func begin() -> Bool {
    var seen = value.load(ordering: .acquiring)
    while seen & 1 == 0 {
      let (exchanged, now) = value.compareExchange(
        expected: seen, desired: seen &+ 2, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      seen = now
    }
    return false
  }

  /// Ends a use.
  ///
  /// Returns true if the caller must close the resource.
  func end() -> Bool {
    value.subtract(2, ordering: .acquiringAndReleasing)
    return mustClose()
  }

  /// Prevents further uses.
  ///
  /// Returns true if the caller must close the resource, because no call uses it.
  func retire() -> Bool {
    value.bitwiseOr(1, ordering: .acquiringAndReleasing)
    return mustClose()
  }

  private func mustClose() -> Bool {
    value.compareExchange(
      expected: 1, desired: UseCount.retired, ordering: .acquiringAndReleasing
    ).exchanged
  }
}
