// SPDX-License-Identifier: MIT
// How many calls use what is open: closed by the last one, and used by nobody afterwards.

import Synchronization

/// How many calls use something that may be closed only when nobody does.
final class UseCount: Sendable {
  /// What the word is once somebody has to close it.
  private static let closed = -1

  /// Two for each user, and one more as soon as nobody may come any more.
  private let word = Atomic<Int>(0)

  init() {}

  /// Comes in; false if nobody may any more.
  func begin() -> Bool {
    var seen = word.load(ordering: .acquiring)
    while seen & 1 == 0 {
      let (exchanged, now) = word.compareExchange(
        expected: seen, desired: seen &+ 2, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      seen = now
    }
    return false
  }

  /// Goes again; true for whoever has to close it.
  func end() -> Bool {
    word.subtract(2, ordering: .acquiringAndReleasing)
    return takesLastStep()
  }

  /// Lets nobody in any more; true for whoever has to close it, if nobody is there.
  func retire() -> Bool {
    word.bitwiseOr(1, ordering: .acquiringAndReleasing)
    return takesLastStep()
  }

  private func takesLastStep() -> Bool {
    word.compareExchange(
      expected: 1, desired: UseCount.closed, ordering: .acquiringAndReleasing
    ).exchanged
  }
}
