// SPDX-License-Identifier: MIT
// A moment that all processes of a machine tell alike, whatever people do to its wall clock.

/// A reading of the clock that counts since the machine was started, with which start that was.
package struct BootTime: Sendable, Hashable {
  private let boot: String
  private let nanoseconds: UInt64

  /// A reading.
  ///
  /// - Parameter boot: tells this start of this machine from every other one; without a colon.
  package init(boot: String, nanoseconds: UInt64) {
    self.boot = boot
    self.nanoseconds = nanoseconds
  }

  /// A moment as ``text`` has it; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let nanoseconds = UInt64(parts[1]) else { return nil }
    self.init(boot: String(parts[0]), nanoseconds: nanoseconds)
  }

  /// The moment as one text.
  package var text: String { "\(boot):\(nanoseconds)" }

  /// The whole seconds from another moment to this one; nil if that was later, or before the machine was started.
  package func seconds(since other: BootTime) -> Int64? {
    guard boot == other.boot, nanoseconds >= other.nanoseconds else { return nil }
    return Int64(clamping: (nanoseconds - other.nanoseconds) / 1_000_000_000)
  }

  /// Whether it came later; not, if it is of another start of the machine: nobody knows then.
  package func isAfter(_ other: BootTime) -> Bool {
    boot == other.boot && nanoseconds > other.nanoseconds
  }
}
