// SPDX-License-Identifier: MIT
// Both clocks of a machine at one moment: the one that people set, and the one that nobody can set.

/// What the clocks say now.
package struct Clocks: Sendable, Hashable {
  /// The wall clock.
  package let now: Instant
  /// The clock that nobody can set; nil where processes cannot compare it.
  package let moment: BootTime?

  package init(now: Instant, moment: BootTime? = nil) {
    self.now = now
    self.moment = moment
  }
}
